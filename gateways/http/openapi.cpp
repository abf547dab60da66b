#include "gateways/http/openapi.hpp"

#include "gateways/http/routes.hpp"
#include "gateways/http/schemas.hpp"
#include "gateways/http/updates.hpp"
#include "hub/base/text.hpp"
#include "hub/base/time.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::gateways::http {
namespace {

// Keeps the order of members.
using document = nlohmann::ordered_json;

document reference(std::string_view shape_name) {
  return {{"$ref", "#/components/schemas/" + std::string{shape_name}}};
}

// A string, of certain values if the member has them.
document text_of(const member& m) {
  document out{{"type", "string"}};
  if (m.values.starts_with('^')) {
    out["pattern"] = m.values;
    return out;
  }
  for (auto rest = m.values; !rest.empty();) {
    const auto end = std::min(rest.find(' '), rest.size());
    out["enum"].push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

document type_of(const member& m) {
  switch (m.what) {
    case member::kind::text: return text_of(m);
    // The protocol's times are UTC and have no time zone, which date-time requires.
    case member::kind::time:
      return {{"type", "string"},
              {"format", "date-time-local"},
              {"examples", {base::iso_time(base::wall_time{})}}};
    case member::kind::integer: return {{"type", "integer"}};
    case member::kind::number: return {{"type", "number"}};
    case member::kind::boolean: return {{"type", "boolean"}};
    case member::kind::document: return {{"type", "object"}};
    case member::kind::array_of_text: return {{"type", "array"}, {"items", text_of(m)}};
    case member::kind::array_of_integer:
      return {{"type", "array"}, {"items", {{"type", "integer"}}}};
    case member::kind::array_of_number_or_null:
      return {{"type", "array"}, {"items", {{"type", {"number", "null"}}}}};
    case member::kind::array_of_number: return {{"type", "array"}, {"items", {{"type", "number"}}}};
    case member::kind::one_of: return reference(m.of->name);
    case member::kind::array_of:
      return {{"type", "array"}, {"items", reference(m.of != nullptr ? m.of->name : "update")}};
  }
  return document::object();
}

document schema_of(const member& m) {
  auto out = type_of(m);
  if (m.is == member::presence::or_null) {
    out["type"] = {out["type"], "null"};
    if (out.contains("enum")) out["enum"].push_back(nullptr);
  }
  out["description"] = m.means;
  return out;
}

void add_members(std::span<const member> members, document& to) {
  for (const auto& each : members) {
    to["properties"][std::string{each.name}] = schema_of(each);
    if (each.is != member::presence::sometimes) to["required"].push_back(each.name);
  }
}

document schema_of(const schema& s) {
  document out{{"type", "object"}, {"description", s.means}, {"properties", document::object()}};
  if (!s.type_word.empty()) {
    out["properties"]["type"] = {{"const", s.type_word}};
    out["required"].push_back("type");
    add_members(shapes::of_every_update, out);
  }
  add_members(s.members, out);
  return out;
}

document any_update() {
  document out;
  document mapping;
  for (const auto& each : shapes::updates) {
    out["oneOf"].push_back(reference(each.name));
    mapping[std::string{each.type_word}] = reference(each.name)["$ref"];
  }
  out["discriminator"] = {{"propertyName", "type"}, {"mapping", mapping}};
  return out;
}

document schema_of(const parameter_spec& spec) {
  document out;
  switch (spec.type) {
    case parameter_type::boolean: out["type"] = "boolean"; break;
    case parameter_type::integer: out["type"] = "integer"; break;
    case parameter_type::document: out["type"] = "object"; break;
    case parameter_type::name:
      out = {{"type", "string"}, {"maxLength", limits::name_bytes_max}};
      break;
    case parameter_type::list:
    case parameter_type::text: out = {{"type", "string"}, {"maxLength", spec.bytes_max}}; break;
    // An unknown client_id is a guest's, so it has no length limits.
    case parameter_type::any_client_id: out["type"] = "string"; break;
    case parameter_type::client_id:
    case parameter_type::new_client_id:
      out = {{"type", "string"},
             {"minLength", limits::http_client_id_bytes_min},
             {"maxLength", limits::http_client_id_bytes_max}};
      break;
  }
  using bound = std::numeric_limits<std::int64_t>;
  if (spec.least != bound::min()) out["minimum"] = spec.least;
  if (spec.most != bound::max()) out["maximum"] = spec.most;
  return out;
}

document in_path(std::string_view name, std::size_t bytes_max) {
  return {{"name", name},
          {"in", "path"},
          {"required", true},
          {"schema", {{"type", "string"}, {"maxLength", bytes_max}}}};
}

document in_query(const parameter_spec& spec) {
  return {{"name", spec.name},
          {"in", "query"},
          {"required", spec.required},
          {"description", spec.what},
          {"schema", schema_of(spec)}};
}

std::string request_name(const route& r) { return std::string{to_string(r.what)} + "_request"; }

document request_schema(const route& r) {
  document schema{{"type", "object"}, {"properties", document::object()}};
  for (const auto& each : r.parameters) {
    auto one = schema_of(each);
    one["description"] = each.what;
    schema["properties"][std::string{each.name}] = one;
    // The body does not require client_id, because Authorization may carry it.
    if (!each.required || each.type == parameter_type::client_id) continue;
    schema["required"].push_back(each.name);
  }
  return schema;
}

document body_of(const route& r) {
  const document schema{{"schema", reference(request_name(r))}};
  return {
      {"content", {{"application/x-www-form-urlencoded", schema}, {"application/json", schema}}}};
}

document schemas() {
  document out;
  for (const auto* each : shapes::all) out[std::string{each->name}] = schema_of(*each);
  out["error"] = {{"type", "object"},
                  {"description", "Every answer that is no success."},
                  {"properties", {{"error", reference(shapes::failure.name)}}},
                  {"required", {"error"}}};
  out["update"] = any_update();
  for (const auto& each : shapes::updates) out[std::string{each.name}] = schema_of(each);
  for (const auto& each : routes())
    if (has_body(each.method)) out[request_name(each)] = request_schema(each);
  return out;
}

document success_of(const route& r) {
  document out;
  switch (r.answers) {
    case medium::object:
      out["description"] = r.answer->means;
      out["content"]["application/json"]["schema"] = reference(r.answer->name);
      break;
    case medium::updates:
      out["description"] = "An update a line, an update an event, or one update or nothing.";
      for (const auto type :
           {line_content_type, event_content_type, std::string_view{"application/json"}})
        out["content"][std::string{type}]["schema"] = reference("update");
      break;
    case medium::lines:
      out["description"] =
          "A line of JSON an update, with the member game; of type done, when nothing more "
          "comes. With notices: of type notice, without a game.";
      out["content"][std::string{line_content_type}]["schema"] = {
          {"oneOf",
           {{{"type", "object"}, {"required", {"game"}}}, reference(shapes::notice_line.name)}}};
      break;
    case medium::document:
      out["description"] = "OpenAPI 3.1.";
      out["content"]["application/json"]["schema"] = {{"type", "object"}};
      break;
    case medium::socket: out["description"] = "The connection is a WebSocket."; break;
    case medium::file: out["description"] = "A file."; break;
  }
  return out;
}

// Codes with the same status share one response, which is described once for all routes with the
// same codes.
using answer_codes = std::map<int, std::vector<error_code>>;

answer_codes codes_of(const route& r) {
  answer_codes out;
  for (const auto code : any_errors()) out[status_of(code)].push_back(code);
  for (const auto code : r.errors) out[status_of(code)].push_back(code);
  return out;
}

std::string joined(const std::vector<error_code>& codes, std::string_view mark, bool with_words) {
  std::string out;
  for (const auto code : codes) {
    if (!out.empty()) out += mark;
    out += std::to_string(static_cast<unsigned>(code));
    if (with_words) out += " " + std::string{to_string(code)};
  }
  return out;
}

std::string name_of(const std::vector<error_code>& codes) {
  return "error_" + joined(codes, "_", false);
}

void add_errors(const route& r, document& to) {
  for (const auto& [status, codes] : codes_of(r))
    to[std::to_string(status)] = {{"$ref", "#/components/responses/" + name_of(codes)}};
}

document error_responses() {
  std::map<std::string, document> out;
  for (const auto& each : routes()) {
    if (!is_documented(each)) continue;
    for (const auto& [status, codes] : codes_of(each)) {
      auto& entry = out[name_of(codes)];
      entry["description"] = joined(codes, "; ", true);
      entry["content"]["application/json"]["schema"] = reference("error");
    }
  }
  return out;
}

document responses_of(const route& r) {
  document out;
  out[r.answers == medium::socket ? "101" : "200"] = success_of(r);
  if (r.answers == medium::updates)
    out["204"] = {{"description", "Of server-sent events: there is nothing more to come."}};
  add_errors(r, out);
  // A request whose Host is not one of this hub gets 421.
  out["421"] = {{"$ref", "#/components/responses/" + name_of({error_code::bad_request})}};
  // A request without a handshake gets 426.
  if (r.answers == medium::socket)
    out["426"] = {{"$ref", "#/components/responses/" + name_of({error_code::bad_request})}};
  return out;
}

bool takes_client_id(const route& r) {
  for (const auto& each : r.parameters)
    if (each.name == "client_id") return true;
  return false;
}

document operation_of(const route& r) {
  document out;
  out["operationId"] = to_string(r.what);
  out["summary"] = r.title;
  if (!r.means.empty()) out["description"] = r.means;
  auto parameters = document::array();
  if (r.path.find("{game_id}") != r.path.npos)
    parameters.push_back(in_path("game_id", limits::http_game_id_bytes_max));
  if (r.path.find("{engine}") != r.path.npos)
    parameters.push_back(in_path("engine", limits::http_engine_bytes_max));
  if (!has_body(r.method))
    for (const auto& each : r.parameters) parameters.push_back(in_query(each));
  if (!parameters.empty()) out["parameters"] = parameters;
  if (has_body(r.method)) out["requestBody"] = body_of(r);
  out["security"] = document::array();
  if (takes_client_id(r))
    out["security"] = {document::object(), {{"client_id", document::array()}}};
  out["responses"] = responses_of(r);
  return out;
}

}  // namespace

std::string openapi_document(std::string_view public_url) {
  document out;
  out["openapi"] = "3.1.0";
  out["info"] = {{"title", "gamehub"},
                 {"version", "1"},
                 {"description",
                  "Games with players of every wire of the hub. Paths are also served under "
                  "/tictactoe/api/. Parameters of a POST or PUT are a form or a JSON object."}};
  if (!public_url.empty()) {
    out["servers"] = document::array();
    out["servers"].push_back({{"url", public_url}});
  }
  for (const auto& each : routes())
    if (is_documented(each))
      out["paths"][std::string{each.path}][base::lower(each.method)] = operation_of(each);
  out["components"]["schemas"] = schemas();
  out["components"]["responses"] = error_responses();
  out["components"]["securitySchemes"]["client_id"] = {
      {"type", "http"},
      {"scheme", "bearer"},
      {"description", "The client_id, in the place of the parameter of that name."}};
  return out.dump(2) + "\n";
}

}  // namespace gamehub::gateways::http
