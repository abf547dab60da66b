#include "hub/admin/tables.hpp"

#include "hub/base/text.hpp"
#include "hub/base/unicode.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <vector>

namespace gamehub::admin {
namespace {

using nlohmann::json;

std::string joined(const json& names) {
  std::string out;
  for (const auto& each : names) out += (out.empty() ? "" : ", ") + each.get<std::string>();
  return out;
}

std::string first_line(std::string_view body) {
  return base::unicode::escape_hidden(body.substr(0, body.find('\n')));
}

// The hub of an entry; empty: there is one hub, or it is no hub's.
std::string hub_of(const json& entry) {
  const auto hub = entry.find("hub");
  if (hub == entry.end() || !hub->is_number_unsigned()) return {};
  return "hub " + std::to_string(hub->get<std::uint64_t>());
}

}  // namespace

std::string game_table(std::string_view text) {
  const auto page = json::parse(text);
  std::vector<base::text_row> rows;
  for (const auto& each : page.at("games"))
    rows.push_back({std::to_string(each.at("game").get<std::uint64_t>()), each.at("engine"),
                    each.at("status"), joined(each.at("players")), hub_of(each)});
  auto out = rows.empty() ? std::string{"no games\n"} : base::text_table(rows);
  if (!page.at("next").is_null())
    out += "more: --before " + std::to_string(page.at("next").get<std::uint64_t>()) + '\n';
  return out;
}

std::string order_table(std::string_view text) {
  std::vector<base::text_row> rows;
  const auto all = json::parse(text);
  for (const auto& each : all.at("orders"))
    rows.push_back({each.at("at"), each.at("address"), std::to_string(each.at("status").get<int>()),
                    each.at("order"), each.at("target"), each.at("reason"), hub_of(each)});
  return rows.empty() ? "none\n" : base::text_table(rows);
}

std::string sanction_table(std::string_view text) {
  std::vector<base::text_row> rows;
  const auto all = json::parse(text);
  for (const auto& each : all.at("sanctions"))
    rows.push_back({each.at("kind"), each.at("whom"), each.at("since"), each.at("reason")});
  return rows.empty() ? "none\n" : base::text_table(rows);
}

std::string words_of_order(std::string_view body) {
  const auto done = json::parse(body, nullptr, false);
  if (!done.is_object()) return first_line(body) + '\n';
  std::string out;
  for (const auto& each : done)
    if (each.is_string()) out += (out.empty() ? "" : " ") + each.get<std::string>();
  return base::unicode::escape_hidden(out) + '\n';
}

std::string unreached_in(std::string_view body) {
  const auto said = json::parse(body, nullptr, false);
  std::string out;
  if (!said.is_object() || !said.contains("unreached")) return out;
  for (const auto& hub : said["unreached"])
    out += "hub " + std::to_string(hub.get<std::uint64_t>()) +
           " did not answer: gamehub cluster status shows the hubs\n";
  return out;
}

std::string complaint_in(std::string_view body) {
  const auto said = json::parse(body, nullptr, false);
  if (said.is_object() && said.contains("error") && said["error"].is_string())
    return base::unicode::escape_hidden(said["error"].get<std::string>());
  return first_line(body);
}

}  // namespace gamehub::admin
