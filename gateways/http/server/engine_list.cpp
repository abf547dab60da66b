#include "gateways/http/server/engine_list.hpp"

#include "gateways/http/http.hpp"
#include "gateways/http/object_writer.hpp"

namespace gamehub::gateways::http::server {

namespace {

void append(const engine_account& each, std::string& out) {
  const auto& t = each.traits;
  object_writer to{out};
  to.text("engine", t.id);
  to.text("title", t.title);
  to.integer("players", t.players);
  to.integer("rows", t.rows);
  to.integer("columns", t.columns);
  to.text("marks", t.marks);
  to.spelled("options", each.options_schema.empty() ? "{}" : each.options_schema);
  std::string levels = "[";
  for (const auto& level : each.levels) {
    if (levels.size() > 1) levels += ',';
    json::append_quoted(level, levels);
  }
  to.spelled("levels", levels += ']');
  to.end();
}

}  // namespace

std::string engine_list(std::span<const engine_account> all) {
  static const auto unfit = describe().unfit;
  std::string out = R"({"engines":[)";
  for (const auto& each : all) {
    if (unfit(each.traits)) continue;
    if (out.back() == '}') out += ',';
    append(each, out);
  }
  out += "]}";
  return out;
}

}  // namespace gamehub::gateways::http::server
