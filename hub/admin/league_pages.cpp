#include "hub/admin/league_pages.hpp"

#include "hub/base/query.hpp"
#include "hub/base/time.hpp"
#include "hub/core/limits.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::admin {
namespace {

using nlohmann::ordered_json;

// The longest time that a tournament waits for an offline bot: a day.
constexpr std::chrono::seconds patience_max{24 * 3'600};

page sentence_page(int status, std::string sentence) {
  return {status, "text/plain; charset=utf-8", std::move(sentence) + '\n'};
}

// Texts of bots may be invalid UTF-8, so invalid bytes are replaced.
page object(int status, const ordered_json& what) {
  return {status, "application/json",
          what.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + '\n'};
}

page wrong_method(std::string_view allow) {
  auto out = sentence_page(405, "here one asks by " + std::string{allow});
  out.allow = allow;
  return out;
}

ordered_json overview(const league::arena& of) {
  ordered_json out;
  const auto now = of.count();
  out["waiting"] = now.waiting;
  out["running"] = now.running;
  out["bots"] = ordered_json::array();
  for (const auto& b : of.bots()) {
    ordered_json each{{"name", b.name},         {"version", b.version},
                      {"engine", b.engine},     {"owner", b.owner},
                      {"account", b.account},   {"state", to_string(b.state)},
                      {"endpoint", b.endpoint}, {"registered", base::utc_seconds(b.registered_at)}};
    each["failures"] = ordered_json::array();
    for (const auto& f : of.failures_of(b.id))
      each["failures"].push_back({{"at", base::utc_seconds(f.at)},
                                  {"code", static_cast<int>(f.what.code)},
                                  {"text", f.what.text},
                                  {"game", f.what.game.value}});
    out["bots"].push_back(std::move(each));
  }
  return out;
}

ordered_json summary(const league::tournament& r) {
  return {{"run", r.id.value},
          {"engine", r.engine},
          {"format", league::to_string(r.format)},
          {"games_per_pair", r.games},
          {"bots", r.bots.size()},
          {"state", league::to_string(r.state)},
          {"made", base::utc_seconds(r.made_at)}};
}

ordered_json run_list(const league::arena& of) {
  ordered_json out;
  out["runs"] = ordered_json::array();
  for (const auto& r : of.runs()) out["runs"].push_back(summary(r));
  return out;
}

ordered_json standings_of(const league::arena& of, const league::standings& s) {
  std::map<bot_id, std::string> names;
  for (const auto who : s.run.bots) {
    const auto b = of.find(who);
    names[who] = b ? b->name : "(removed " + std::to_string(who.value) + ")";
  }
  auto out = summary(s.run);
  out["games"] = s.games;
  out["ended"] = s.ended;
  out["without_result"] = s.without_result;
  out["table"] = ordered_json::array();
  for (const auto& each : s.table) {
    ordered_json lost;
    for (int i = 0; i < loss_reason_count; ++i)
      lost[std::string{to_string(static_cast<loss_reason>(i))}] =
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
  out["met"] = ordered_json::array();
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

// Returns nothing if a parameter is wrong, and sets `wrong` to a sentence.
std::optional<league::run_request> read_request(const base::query& given, std::string& wrong) {
  league::run_request out;
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
      const auto format = league::run_format_of(value);
      if (!format) wrong = "format has to be round-robin or gauntlet";
      out.format = format.value_or(league::run_format::round_robin);
    } else {
      wrong = "a run has engine, games, format, patience and bot, and nothing else";
    }
  }
  if (wrong.empty() && out.engine.empty()) wrong = "say which engine";
  if (!wrong.empty()) return std::nullopt;
  return out;
}

page begin_run(league::arena& in, std::string_view text, base::wall_time now) {
  const auto given = base::read_query(text);
  if (!given) return sentence_page(400, "what comes after ? has to be NAME=VALUE, with % escapes");
  std::string wrong;
  const auto request = read_request(*given, wrong);
  if (!request) return sentence_page(400, wrong);
  const auto result = in.begin_run(*request, now);
  if (const auto* why = std::get_if<std::string>(&result)) return sentence_page(409, *why);
  return object(202, {{"run", std::get<run_id>(result).value}});
}

page run_page(league::arena& of, std::string_view method, std::string_view rest) {
  const auto number = std::string{rest.substr(0, rest.find('/'))};
  run_id id;
  if (!read_number(number, id.value) || !id) return sentence_page(404, "a run is a number");
  const auto action = rest.substr(number.size());
  if (action == "/cancel") {
    if (method != "POST") return wrong_method("POST");
    return of.cancel_run(id) ? object(200, {{"run", id.value}})
                             : sentence_page(404, "no run " + number + " is active");
  }
  if (!action.empty()) return sentence_page(404, "of a run there is only /cancel");
  if (method != "GET" && method != "HEAD") return wrong_method("GET, HEAD");
  const auto found = of.standings_of(id);
  return found ? object(200, standings_of(of, *found))
               : sentence_page(404, "there is no run " + number);
}

}  // namespace

page arena_page(league::arena& of, std::string_view method, std::string_view target,
                base::wall_time now) {
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
  return sentence_page(404,
                       "here are /arena, /arena/runs, /arena/runs/NUMBER and POST "
                       "/arena/runs/NUMBER/cancel");
}

}  // namespace gamehub::admin
