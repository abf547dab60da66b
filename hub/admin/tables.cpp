#include "hub/app/operate/tables.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace gamehub::app {
namespace {

using nlohmann::json;
using row = std::vector<std::string>;

std::string lines_of(const std::vector<row>& rows) {
  row::size_type columns = 0;
  for (const auto& each : rows) columns = std::max(columns, each.size());
  std::vector<std::size_t> widths(columns);
  for (const auto& each : rows)
    for (std::size_t i = 0; i < each.size(); ++i) widths[i] = std::max(widths[i], each[i].size());
  std::string out;
  for (const auto& each : rows) {
    std::string line;
    for (std::size_t i = 0; i < each.size(); ++i) {
      line += each[i];
      line.resize(line.size() + widths[i] - each[i].size() + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string joined(const json& names) {
  std::string out;
  for (const auto& each : names) out += (out.empty() ? "" : ", ") + each.get<std::string>();
  return out;
}

}  // namespace

std::string game_table(std::string_view text) {
  const auto page = json::parse(text);
  std::vector<row> rows;
  for (const auto& each : page.at("games"))
    rows.push_back({std::to_string(each.at("game").get<std::uint64_t>()), each.at("engine"),
                    each.at("status"), joined(each.at("players"))});
  auto out = rows.empty() ? std::string{"no games\n"} : lines_of(rows);
  if (!page.at("next").is_null())
    out += "more: --before " + std::to_string(page.at("next").get<std::uint64_t>()) + '\n';
  return out;
}

std::string sanction_table(std::string_view text) {
  std::vector<row> rows;
  const auto all = json::parse(text);
  for (const auto& each : all.at("sanctions"))
    rows.push_back({each.at("kind"), each.at("whom"), each.at("since"), each.at("reason")});
  return rows.empty() ? "none\n" : lines_of(rows);
}

std::string words_of_order(std::string_view body) {
  const auto done = json::parse(body, nullptr, false);
  if (!done.is_object()) return std::string{body.substr(0, body.find('\n'))} + '\n';
  std::string out;
  for (const auto& each : done)
    if (each.is_string()) out += (out.empty() ? "" : " ") + each.get<std::string>();
  return out + '\n';
}

std::string complaint_in(std::string_view body) {
  const auto said = json::parse(body, nullptr, false);
  if (said.is_object() && said.contains("error") && said["error"].is_string())
    return said["error"].get<std::string>();
  return std::string{body.substr(0, body.find('\n'))};
}

}  // namespace gamehub::app
