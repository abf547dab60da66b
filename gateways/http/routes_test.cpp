#include "gateways/http/routes.hpp"

#include "tests/support/catch.hpp"

#include <set>

using namespace gamehub;
using namespace gamehub::gateways::http;

namespace {

// Returns the operation with its game, or the error's status, code and methods.
std::string find(std::string_view method, std::string_view path) {
  const auto out = find_route(method, path);
  if (const auto* wrong = std::get_if<error>(&out)) {
    const auto r = to_response(*wrong);
    return std::to_string(r.status) + " " + std::to_string(static_cast<int>(wrong->code)) +
           (wrong->allow.empty() ? "" : " " + wrong->allow);
  }
  const auto& found = std::get<found_route>(out);
  return std::string{to_string(found.to->what)} +
         (found.game_id.empty() ? "" : " " + found.game_id) +
         (found.engine.empty() ? "" : " " + found.engine) + (found.head ? " head" : "");
}

// Returns the path of a route with a game id or an engine in it.
std::string example(const route& r) {
  std::string path{r.path};
  if (r.answers == medium::file) return "/";
  const auto at = path.find('{');
  return at == path.npos ? path : path.replace(at, path.npos, "eZUcx");
}

}  // namespace

TEST_CASE("http routes: every route of the table is found, by its own method alone") {
  std::set<operation> seen;
  for (const auto& each : routes()) {
    INFO(each.path);
    seen.insert(each.what);
    if (each.path == "/api/me/webhook") continue;  // has several
    for (const std::string method :
         {"GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "get", ""}) {
      const auto out = find_route(method, example(each));
      const bool head = method == "HEAD" && each.method == "GET" &&
                        each.answers != medium::updates && each.answers != medium::lines &&
                        each.answers != medium::socket;
      REQUIRE(std::holds_alternative<found_route>(out) == (method == each.method || head));
      if (const auto* found = std::get_if<found_route>(&out)) {
        CHECK(found->to == &each);
        CHECK(found->head == head);
        CHECK(found->game_id == (each.path.ends_with("{game_id}") ? "eZUcx" : ""));
        CHECK(found->engine == (each.path.ends_with("{engine}") ? "eZUcx" : ""));
      } else {
        const auto& wrong = std::get<error>(out);
        CHECK(wrong.code == error_code::wrong_method);
        CHECK(wrong.allow.starts_with(each.method));
      }
    }
  }
  CHECK(seen.size() == static_cast<std::size_t>(operation_count));
}

TEST_CASE("http routes: a path may have a route for each of several methods") {
  const std::string path = "/api/me/webhook";
  CHECK(find("GET", path) == "webhook");
  CHECK(find("HEAD", path) == "webhook head");
  CHECK(find("PUT", path) == "set_webhook");
  CHECK(find("DELETE", path) == "remove_webhook");
  CHECK(find("POST", path) == "405 108 GET, HEAD, PUT, DELETE");
}

TEST_CASE("http routes: the older prefix is an alias of each") {
  for (const auto& each : routes()) {
    if (each.answers == medium::file) continue;
    const auto older = "/tictactoe" + example(each);
    CHECK(find(each.method, older) == find(each.method, example(each)));
    CHECK(find("PUT", older) == find("PUT", example(each)));
  }
}

TEST_CASE("http routes: an unknown path is 404") {
  for (const auto* path : {"/api",
                           "/api/",
                           "/api//connect",
                           "/api/connect/",
                           "/api/connect/x",
                           "/Api/connect",
                           "/api/CONNECT",
                           "/api/games/a/b",
                           "/tictactoe/",
                           "/tictactoe/connect",
                           "/x/api/connect",
                           "//",
                           "/index.html",
                           "/%69con.svg",
                           "/icon.svg/",
                           "//api/connect",
                           "/api/../api/connect",
                           "/api/./connect",
                           "/api/connect%2F",
                           "/api/%zz",
                           "/api/ws/1",
                           "/api/%ff",
                           "/api/openapi.json/",
                           ""})
    CHECK(find("GET", path) == "404 100");
}

TEST_CASE("http routes: a path may have escapes") {
  CHECK(find("POST", "/api/%63onnect") == "connect");
  CHECK(find("GET", "/api/updates/%65ZUcx") == "updates eZUcx");
  CHECK(find("GET", "/api/updates/a%2Fb") == "404 102");
}

TEST_CASE("http routes: a malformed game id is an unknown game") {
  CHECK(find("GET", "/api/updates/" + std::string(32, 'a')).ends_with("aaa"));
  for (const std::string& game :
       {std::string(33, 'a'), std::string{}, std::string{"a+b"}, std::string{"a%20b"},
        std::string{"."}, std::string{".."}, std::string{"{game_id}"}, std::string{"caf%C3%A9"}})
    CHECK(find("GET", "/api/updates/" + game) == "404 102");
}

TEST_CASE("http routes: an engine is a segment, whatever its text") {
  CHECK(find("GET", "/api/engines") == "engines");
  CHECK(find("GET", "/api/engines/nim") == "engine nim");
  CHECK(find("HEAD", "/api/engines/nim") == "engine nim head");
  CHECK(find("GET", "/api/engines/n%69m") == "engine nim");
  CHECK(find("GET", "/api/engines/") == "404 100");
  CHECK(find("POST", "/api/engines/nim") == "405 108 GET, HEAD");
  CHECK(find("GET", "/api/engines/nim/x") == "404 100");
}

TEST_CASE("http routes: a wrong method lists the allowed ones") {
  CHECK(find("GET", "/api/connect") == "405 108 POST");
  CHECK(find("POST", "/api/updates/1") == "405 108 GET");
  CHECK(find("HEAD", "/api/updates/1") == "405 108 GET");
  CHECK(find("POST", "/api/games") == "405 108 GET, HEAD");
  CHECK(find("HEAD", "/api/games") == "games head");
}

TEST_CASE("http routes: are documented, and name each parameter once") {
  for (const auto& each : routes()) {
    INFO(each.path);
    CHECK(!each.title.empty());
    CHECK((each.answers == medium::object) == (each.answer != nullptr));
    std::set<std::string_view> names;
    for (const auto& spec : each.parameters) {
      INFO(spec.name);
      CHECK(!spec.what.empty());
      CHECK(names.insert(spec.name).second);
    }
    if (each.path.ends_with("{game_id}")) CHECK(names.count("game_id") == 0);
  }
}
