#include "hub/admin/league_report.hpp"

#include "hub/base/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

namespace gamehub::admin {
namespace {

using nlohmann::ordered_json;

constexpr std::array lost_words{"rules", "timeout", "forfeit", "absent"};

ordered_json read(std::string_view text) {
  auto out = ordered_json::parse(text, nullptr, false);
  if (!out.is_object()) throw std::runtime_error{"what the hub says can't be read"};
  return out;
}

template <class Number>
std::string formatted(const char* format, Number value) {
  std::array<char, 64> text;
  const auto size = std::snprintf(text.data(), text.size(), format, value);
  return {text.data(), static_cast<std::size_t>(std::max(size, 0))};
}

std::string one_digit(double value) { return formatted("%.1f", value); }

using row = base::text_row;

// RFC 4180.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string{"\"\""} : std::string{c};
  return out + '"';
}

std::string csv_of(const std::vector<row>& rows) {
  std::string out;
  for (const auto& r : rows) {
    for (std::size_t i = 0; i < r.size(); ++i) out += (i > 0 ? "," : "") + quoted(r[i]);
    out += "\r\n";
  }
  return out;
}

std::string number(const ordered_json& from, const char* name) {
  return std::to_string(from.at(name).get<std::uint64_t>());
}

row run_head() {
  row out{"rank", "bot", "games", "wins", "draws", "losses", "points", "elo", "elo_error"};
  for (const auto* word : lost_words) out.push_back(std::string{"lost_by_"} + word);
  return out;
}

std::vector<row> run_rows(const ordered_json& standings) {
  std::vector<row> out;
  for (const auto& each : standings.at("table")) {
    row r{std::to_string(out.size() + 1), each.at("name").get<std::string>()};
    for (const auto* name : {"games", "wins", "draws", "losses"}) r.push_back(number(each, name));
    r.push_back(one_digit(each.at("points").get<double>()));
    r.push_back(formatted("%+.0f", each.at("elo").get<double>()));
    r.push_back(formatted("%.0f", each.at("elo_error").get<double>()));
    for (const auto* word : lost_words) r.push_back(number(each.at("lost_by"), word));
    out.push_back(std::move(r));
  }
  return out;
}

row rating_head() {
  return {"rank", "engine", "bot", "rating", "deviation", "games", "wins", "draws", "losses"};
}

// Ranks begin anew with each engine.
std::vector<row> rating_rows(const std::vector<named_rating>& all) {
  std::vector<row> out;
  std::size_t rank = 0;
  for (const auto& each : all) {
    const auto& r = each.what;
    rank = out.empty() || out.back().at(1) != r.engine ? 1 : rank + 1;
    out.push_back({std::to_string(rank), r.engine, each.name, one_digit(r.now.rating),
                   one_digit(r.now.deviation), std::to_string(r.games), std::to_string(r.wins),
                   std::to_string(r.draws), std::to_string(r.losses)});
  }
  return out;
}

std::vector<row> headed(row head, std::vector<row> rows) {
  rows.insert(rows.begin(), std::move(head));
  return rows;
}

}  // namespace

run_progress progress_of(std::string_view standings) {
  const auto all = read(standings);
  return {all.at("ended").get<std::uint64_t>(), all.at("games").get<std::uint64_t>(),
          all.at("state") == "active"};
}

std::string run_table(std::string_view standings) {
  const auto all = read(standings);
  auto out = "run " + number(all, "run") + ": " + all.at("engine").get<std::string>() + ", " +
             all.at("format").get<std::string>() + ", " + number(all, "games_per_pair") +
             " games a pair; " + number(all, "ended") + " of " + number(all, "games") +
             " games have ended, " + all.at("state").get<std::string>() + '\n';
  if (all.at("without_result") != 0)
    out += number(all, "without_result") + " of them without a result\n";
  std::vector<row> rows{{"#", "bot", "games", "won", "drawn", "lost", "points", "Elo", "±95%",
                         "by rules", "timeout", "forfeit", "absent"}};
  for (auto& each : run_rows(all)) rows.push_back(std::move(each));
  out += '\n' + base::text_table(rows, 2);
  std::vector<row> met{{"head to head", "", "won", "drawn", "lost"}};
  for (const auto& each : all.at("met"))
    met.push_back({each.at("first").get<std::string>(), each.at("second").get<std::string>(),
                   number(each, "wins"), number(each, "draws"), number(each, "losses")});
  if (met.size() > 1) out += '\n' + base::text_table(met, 2);
  return out;
}

std::string run_csv(std::string_view standings) {
  return csv_of(headed(run_head(), run_rows(read(standings))));
}

std::string bot_table(std::string_view overview) {
  const auto all = read(overview);
  std::vector<row> rows{{"bot", "version", "engine", "owner", "state", "latest failure"}};
  for (const auto& b : all.at("bots")) {
    row r;
    for (const auto* name : {"name", "version", "engine", "owner", "state"})
      r.push_back(b.at(name).get<std::string>());
    // The address of an owner without a token, as gamehub arena forget takes it.
    const auto account = b.value("account", "");
    if (!account.empty() && account != r.at(3)) r.at(3) += " (" + account + ")";
    const auto& failures = b.at("failures");
    r.push_back(failures.empty() ? ""
                                 : failures.back().at("at").get<std::string>() + " " +
                                       std::to_string(failures.back().at("code").get<int>()) + " " +
                                       failures.back().at("text").get<std::string>());
    rows.push_back(std::move(r));
  }
  return base::text_table(rows, rows.front().size()) + '\n' + number(all, "running") +
         " games run, " + number(all, "waiting") + " wait\n";
}

std::string rating_table(const std::vector<named_rating>& all) {
  return base::text_table(
      headed({"#", "engine", "bot", "rating", "deviation", "games", "won", "drawn", "lost"},
             rating_rows(all)),
      3);
}

std::string rating_csv(const std::vector<named_rating>& all) {
  return csv_of(headed(rating_head(), rating_rows(all)));
}

std::string rating_json(const std::vector<named_rating>& all) {
  auto out = ordered_json::array();
  for (const auto& each : all) {
    const auto& r = each.what;
    out.push_back({{"engine", r.engine},
                   {"name", each.name},
                   {"rating", r.now.rating},
                   {"deviation", r.now.deviation},
                   {"volatility", r.now.volatility},
                   {"games", r.games},
                   {"wins", r.wins},
                   {"draws", r.draws},
                   {"losses", r.losses}});
  }
  return ordered_json{{"ratings", out}}.dump(-1, ' ', false,
                                             ordered_json::error_handler_t::replace) +
         '\n';
}

}  // namespace gamehub::admin
