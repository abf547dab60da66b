#include "gateways/http/openapi.hpp"

#include "gateways/http/routes.hpp"
#include "hub/base/text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>
#include <set>
#include <string>

using namespace gamehub::gateways::http;
using nlohmann::json;

namespace {

// Every "$ref" below.
void collect_references(const json& from, std::set<std::string>& to) {
  if (from.is_object() && from.contains("$ref")) to.insert(from["$ref"].get<std::string>());
  if (from.is_structured())
    for (const auto& each : from) collect_references(each, to);
}

const json& at_reference(const json& document, const json& reference) {
  return document[json::json_pointer{reference["$ref"].get<std::string>().substr(1)}];
}

}  // namespace

TEST_CASE("http openapi: is openapi.golden.json") {
  const auto current = openapi_document();
  CHECK(gamehub::tests::kept_text(GAMEHUB_HTTP_DIR "/openapi.golden.json", current) == current);
}

TEST_CASE("http openapi: closed sets of words, times and security are stated") {
  const auto document = json::parse(openapi_document());
  const auto& shapes = document["components"]["schemas"];
  const auto& summary = shapes["game_summary"]["properties"];
  CHECK(summary["status"]["enum"] == json{"waiting", "running", "ended"});
  CHECK(summary["opened"]["format"] == "date-time-local");
  CHECK(shapes["end_update"]["properties"]["code"]["enum"].size() == 9);
  CHECK(shapes["end_update"]["properties"]["winner"]["type"] == json{"string", "null"});
  const std::regex winner{
      shapes["end_update"]["properties"]["winner"]["pattern"].get<std::string>()};
  for (const auto* good : {"X", "O", "D", "3", "10", "62"}) CHECK(std::regex_match(good, winner));
  for (const auto* bad : {"", "G", "1", "2", "63", "XO"})
    CHECK_FALSE(std::regex_match(bad, winner));
  CHECK(shapes["engine"]["properties"]["levels"]["items"]["enum"] ==
        json{"random", "medium", "perfect"});
  for (const auto& [path, operations] : document["paths"].items())
    for (const auto& [method, operation] : operations.items()) {
      CAPTURE(path, method);
      CHECK(operation["security"].is_array());
    }
  CHECK(document["paths"]["/api/engines"]["get"]["security"].empty());
  CHECK(document["paths"]["/api/move"]["post"]["security"].size() == 2);
}

TEST_CASE("http openapi: has every route with each of its parameters, and no other") {
  const auto document = json::parse(openapi_document());
  CHECK(document["openapi"] == "3.1.0");
  const auto documented = std::count_if(routes().begin(), routes().end(), is_documented);
  std::size_t operations = 0;
  for (const auto& each : document["paths"]) operations += each.size();
  CHECK(operations == static_cast<std::size_t>(documented));
  for (const auto& each : routes()) {
    if (!is_documented(each)) continue;
    const auto& at = document["paths"][std::string{each.path}];
    REQUIRE(at.contains(gamehub::base::lower(each.method)));
    const auto& operation = at[gamehub::base::lower(each.method)];
    std::set<std::string> wanted, have;
    for (const auto& spec : each.parameters) wanted.emplace(spec.name);
    for (const std::string name : {"game_id", "engine"})
      if (each.path.ends_with("{" + name + "}")) wanted.insert(name + " in the path");
    if (operation.contains("parameters"))
      for (const auto& p : operation["parameters"])
        have.insert(p["name"].get<std::string>() + (p["in"] == "path" ? " in the path" : ""));
    if (operation.contains("requestBody")) {
      const auto& content = operation["requestBody"]["content"];
      CHECK(content["application/json"] == content["application/x-www-form-urlencoded"]);
      const auto& schema = at_reference(document, content["application/json"]["schema"]);
      for (const auto& [name, value] : schema["properties"].items()) have.insert(name);
    }
    INFO(each.path);
    CHECK(have == wanted);
  }
}

TEST_CASE("http openapi: has each error of each route under its status") {
  const auto document = json::parse(openapi_document());
  for (const auto& each : routes()) {
    if (!is_documented(each)) continue;
    const auto& responses =
        document["paths"][std::string{each.path}][gamehub::base::lower(each.method)]["responses"];
    for (const auto codes : {any_errors(), each.errors})
      for (const auto code : codes) {
        const auto& entry = at_reference(document, responses[std::to_string(status_of(code))]);
        const auto number = std::to_string(static_cast<int>(code));
        INFO(each.path << " " << number);
        CHECK(entry["description"].get<std::string>().find(number) != std::string::npos);
      }
  }
}

TEST_CASE("http openapi: names the server by its public URL") {
  CHECK_FALSE(json::parse(openapi_document()).contains("servers"));
  const auto document = json::parse(openapi_document("https://hub-1.example/play"));
  CHECK(document["servers"] == json::parse(R"([{"url":"https://hub-1.example/play"}])"));
}

TEST_CASE("http openapi: every reference is defined, and every definition is used") {
  const auto document = json::parse(openapi_document());
  std::set<std::string> used, there;
  collect_references(document, used);
  for (const std::string part : {"schemas", "responses"})
    for (const auto& [name, value] : document["components"][part].items())
      there.insert("#/components/" + part + "/" + name);
  CHECK(used == there);
}
