#include "hub/app/arena/arena_pages.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hub/app/query.hpp"
#include "hub/core/limits.hpp"

namespace gamehub::app {
namespace {

using json = nlohmann::ordered_json;

constexpr std::chrono::seconds patience_max{24 * 3'600};

page plain(int status, std::string sentence) {
  return {status, "text/plain; charset=utf-8", std::move(sentence) + '\n'};
}

// What bots say of themselves is theirs, and may be no UTF-8.
page object(int status, const json& what) {
  return {status, "application/json",
          what.dump(-1, ' ', false, json::error_handler_t::replace) + '\n'};
}

page wrong_method(std::string_view allow) {
  auto out = plain(405, "here one asks by " + std::string{allow});
  out.allow = allow;
  return out;
}

std::string iso(wall_time at) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(at);
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(seconds)};
  const std::chrono::hh_mm_ss time{seconds - std::chrono::sys_days{day}};
  std::array<char, 32> text;
  const auto size = std::snprintf(
      text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(day.year()),
      static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()),
      static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
      static_cast<int>(time.seconds().count()));
  return {text.data(), static_cast<std::size_t>(size)};
}

json overview(const arena::arena& of) {
  json out;
  const auto now = of.count();
  out["waiting"] = now.waiting;
  out["running"] = now.running;
  out["bots"] = json::array();
  for (const auto& b : of.bots()) {
    json each{{"name", b.name},
              {"version", b.version},
              {"engine", b.engine},
              {"owner", b.owner},
              {"state", to_string(b.state)},
              {"endpoint", b.endpoint},
              {"registered", iso(b.registered_at)}};
    each["failures"] = json::array();
    for (const auto& f : of.failures_of(b.id))
      each["failures"].push_back({{"at", iso(f.at)},
                                  {"code", f.what.code},
                                  {"text", f.what.text},
                                  {"game", f.what.game.value}});
    out["bots"].push_back(std::move(each));
  }
  return out;
}

json summary(const arena::run& r) {
  return {{"run", r.id.value},         {"engine", r.engine},    {"format", to_string(r.format)},
          {"games_per_pair", r.games}, {"bots", r.bots.size()}, {"state", to_string(r.state)},
          {"made", iso(r.made_at)}};
}

json run_list(const arena::arena& of) {
  json out;
  out["runs"] = json::array();
  for (const auto& r : of.runs()) out["runs"].push_back(summary(r));
  return out;
}

json standings_of(const arena::arena& of, const arena::standings& s) {
  std::map<arena::bot_id, std::string> names;
  for (const auto who : s.run.bots)
    if (const auto b = of.find(who)) names[who] = b->name;
  auto out = summary(s.run);
  out["games"] = s.games;
  out["ended"] = s.ended;
  out["without_result"] = s.without_result;
  out["table"] = json::array();
  for (const auto& each : s.table) {
    json lost;
    for (int i = 0; i < arena::loss_reason_count; ++i)
      lost[std::string{to_string(static_cast<arena::loss_reason>(i))}] =
          each.lost_by.at(static_cast<std::size_t>(i));
    out["table"].push_back({{"name", names[each.who]},
                            {"games", each.games},
                            {"wins", each.wins},
                            {"draws", each.draws},
                            {"losses", each.losses},
                            {"points", each.points()},
                            {"elo", each.elo.value},
                            {"elo_error", each.elo.error},
                            {"lost_by", lost}});
  }
  out["met"] = json::array();
  for (const auto& each : s.met)
    out["met"].push_back({{"first", names[each.bots[0]]},
                          {"second", names[each.bots[1]]},
                          {"wins", each.wins},
                          {"draws", each.draws},
                          {"losses", each.losses}});
  return out;
}

template <class Number>
bool read_number(const std::string& text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size();
}

// Nothing: the sentence says what is wrong.
std::optional<arena::run_request> read_request(const query& given, std::string& wrong) {
  arena::run_request out;
  out.games = 0;
  for (const auto& [name, value] : given) {
    if (name == "engine") {
      out.engine = value;
    } else if (name == "bot") {
      out.names.push_back(value);
    } else if (name == "games") {
      if (!read_number(value, out.games)) wrong = "games has to be a number";
    } else if (name == "patience") {
      std::uint32_t seconds = 0;
      if (!read_number(value, seconds) || std::chrono::seconds{seconds} > patience_max)
        wrong = "patience has to be seconds, " + std::to_string(patience_max.count()) + " at most";
      out.patience = std::chrono::seconds{seconds};
    } else if (name == "format") {
      const auto format = arena::run_format_of(value);
      if (!format) wrong = "format has to be round-robin or gauntlet";
      out.format = format.value_or(arena::run_format::round_robin);
    } else {
      wrong = "a run has engine, games, format, patience and bot, and nothing else";
    }
  }
  if (wrong.empty() && out.engine.empty()) wrong = "say which engine";
  if (!wrong.empty()) return std::nullopt;
  return out;
}

page begin_run(arena::arena& in, std::string_view text, wall_time now) {
  const auto given = read_query(text);
  if (!given) return plain(400, "what comes after ? has to be NAME=VALUE, with % escapes");
  std::string wrong;
  const auto asked = read_request(*given, wrong);
  if (!asked) return plain(400, wrong);
  const auto said = in.begin_run(*asked, now);
  if (const auto* why = std::get_if<std::string>(&said)) return plain(409, *why);
  return object(202, {{"run", std::get<arena::run_id>(said).value}});
}

page run_page(arena::arena& of, std::string_view method, std::string_view rest) {
  const auto number = std::string{rest.substr(0, rest.find('/'))};
  arena::run_id id;
  if (!read_number(number, id.value) || !id) return plain(404, "a run is a number");
  const auto action = rest.substr(number.size());
  if (action == "/cancel") {
    if (method != "POST") return wrong_method("POST");
    return of.cancel_run(id) ? object(200, {{"run", id.value}})
                             : plain(404, "no run " + number + " is active");
  }
  if (!action.empty()) return plain(404, "of a run there is only /cancel");
  if (method != "GET" && method != "HEAD") return wrong_method("GET, HEAD");
  const auto found = of.standings_of(id);
  return found ? object(200, standings_of(of, *found)) : plain(404, "there is no run " + number);
}

}  // namespace

page arena_page(arena::arena& of, std::string_view method, std::string_view target, wall_time now) {
  const auto path = target.substr(0, target.find('?'));
  const auto reads = method == "GET" || method == "HEAD";
  if (path == "/arena") return reads ? object(200, overview(of)) : wrong_method("GET, HEAD");
  if (path == "/arena/runs") {
    if (reads) return object(200, run_list(of));
    if (method != "POST") return wrong_method("GET, HEAD, POST");
    return begin_run(of, path.size() < target.size() ? target.substr(path.size() + 1) : "", now);
  }
  constexpr std::string_view runs = "/arena/runs/";
  if (path.starts_with(runs)) return run_page(of, method, path.substr(runs.size()));
  return plain(404,
               "here are /arena, /arena/runs, /arena/runs/NUMBER and POST "
               "/arena/runs/NUMBER/cancel");
}

}  // namespace gamehub::app
