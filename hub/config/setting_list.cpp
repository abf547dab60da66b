#include "hub/config/setting_list.hpp"

#include "hub/base/address.hpp"
#include "hub/config/bot_settings.hpp"
#include "hub/config/league_settings.hpp"
#include "hub/config/setting_maker.hpp"
#include "hub/core/bot_record.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>
#include <utility>

namespace gamehub::config {
namespace {

// "lobby", "engine", "engine:LEVEL" or "bot:NAME".
std::optional<opponent_setting> opponent_of(std::string_view text) {
  if (text == "lobby") return opponent_setting{};
  if (text == "engine") return opponent_setting{true};
  constexpr std::string_view by_name = "bot:";
  if (text.starts_with(by_name) && acceptable_bot_name(text.substr(by_name.size())))
    return opponent_setting{.name = std::string{text.substr(by_name.size())}};
  constexpr std::string_view with_level = "engine:";
  if (!text.starts_with(with_level)) return {};
  const auto skill = engines::level_of(text.substr(with_level.size()));
  return skill ? std::optional{opponent_setting{true, *skill}} : std::nullopt;
}

void add_wire(maker& to, const gateways::protocol_info& wire) {
  const std::string name{wire.name};
  const auto in = [name](settings& s) -> wire_settings& { return s.wires[name]; };
  if (wire.behind.empty())
    to.port(
        name + "-port", std::string{wire.summary},
        wire.port_default, [in](settings & s) -> auto& { return in(s).port; });
  if (wire.engine_per_port) {
    to.engine(
        name + "-engine", "the engine of the players of " + name,
        "tictactoe", [in](settings & s) -> auto& { return in(s).engine; });
    // The engine catalog validates them, because the engine defines them.
    to.text(name + "-options", "JSON", "options of that engine, such as {\"rows\":7}", "",
            "a JSON object, or nothing for the defaults", [in](settings& s, std::string_view text) {
              in(s).options = text;
              return text.empty() || (text.front() == '{' && text.back() == '}');
            });
  }
  // The hub chooses the opponents of bots, and bots do not reconnect.
  if (wire.over_calls) return;
  to.text(name + "-opponent", "lobby|engine[:LEVEL]|bot:NAME",
          "the opponents of the players of " + name +
              ": other players in the lobby, the engine's own player at once, or the bot of that "
              "name; LEVEL is perfect, medium or random",
          wire.against_engine ? "engine" : "lobby",
          "lobby, engine, engine:perfect, engine:medium, engine:random or bot:NAME",
          [in](settings& s, std::string_view text) {
            const auto opponent = opponent_of(text);
            if (opponent) in(s).opponent = *opponent;
            return opponent.has_value();
          });
  // Datagrams have no connection that could break.
  if (wire.over_datagrams()) return;
  to.time(
      name + "-grace-seconds",
      "how long a player of " + name + " keeps its games after its connection broke",
      wire.grace_default, limits::grace_max, [in](settings & s) -> auto& { return in(s).grace; });
}

bool take_public_url(settings& to, std::string_view text) {
  to.public_url = text;
  if (text.empty()) return true;
  const auto host = text.starts_with("https://") ? 8U : text.starts_with("http://") ? 7U : 0U;
  return host > 0 && text.size() > host && text[host] != '/' && text.back() != '/' &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; }) &&
         text.find_first_of("?#\"\\<>") == text.npos;
}

void add_http(maker& to, const settings& defaults) {
  to.number<std::uint32_t>(
      "http-address-rate", "requests per second of one address; 0: no limit",
      defaults.http_address_rate, 0, limits::http_rate_max,
      [](settings & s) -> auto& { return s.http_address_rate; });
  to.number<std::uint32_t>(
      "http-client-rate", "requests per second of one client; 0: no limit",
      defaults.http_client_rate, 0, limits::http_rate_max,
      [](settings & s) -> auto& { return s.http_client_rate; });
  to.text("http-trusted-proxy", "NETWORK[,NETWORK...]",
          "proxies whose headers name the client of a request; may be given several times", "",
          "addresses or networks, such as 10.0.0.0/8, separated by commas",
          [](settings& s, std::string_view text) {
            return take_list(s.http_trusted_proxies, text, [](std::string_view each) {
              return base::read_network(each).has_value();
            });
          });
  to.may_repeat();
  to.text("http-cors-origin", "ORIGIN[,ORIGIN...]",
          "sites whose pages may read answers (CORS); may be given several times", "",
          "origins, such as https://play.example, separated by commas",
          [](settings& s, std::string_view text) {
            return take_list(s.http_cors_origins, text, [](std::string_view each) {
              const auto host = each.find("://");
              return host != each.npos && host > 0 && host + 3 < each.size() &&
                     each.find('/', host + 3) == each.npos && is_name(each);
            });
          });
  to.may_repeat();
  to.number<std::uint32_t>(
      "http-guests-max", "guests of a game that answers list; 0: none", defaults.http_guests_max, 0,
      limits::guests_listed_max, [](settings & s) -> auto& { return s.http_guests_max; });
  to.text(
      "public-url", "URL",
      "the URL at which players reach this hub, also among several hubs: part of the answers to "
      "play, of invitations and of the OpenAPI document",
      "", "http:// or https:// with a host, optionally a port and a path, and no slash at the end",
      take_public_url);
}

void add_clocks(maker& to, const settings& defaults) {
  to.group("Clocks");
  to.time(
      "turn-seconds", "time for each turn of a player; 0: no limit", defaults.turn,
      limits::turn_max, [](settings & s) -> auto& { return s.turn; });
  to.time(
      "handshake-seconds", "time for a client's first request; 0: no limit", defaults.handshake,
      limits::turn_max, [](settings & s) -> auto& { return s.handshake; });
  to.time(
      "idle-seconds", "time until a client that neither plays nor waits is disconnected; 0: never",
      defaults.idle, limits::turn_max, [](settings & s) -> auto& { return s.idle; });
  to.time(
      "drain-seconds", "time for running games to end after SIGTERM", defaults.drain,
      limits::drain_max, [](settings & s) -> auto& { return s.drain; });
}

void add_bounds(maker& to, const settings& defaults) {
  to.group("Bounds");
  to.number<std::uint32_t>(
      "connections-max", "open connections of all protocols", defaults.connections_max, 1,
      limits::connections_max, [](settings & s) -> auto& { return s.connections_max; });
  to.number<std::uint32_t>(
      "connections-per-address-max", "open connections from one address",
      defaults.connections_per_address_max, 1, limits::connections_max,
      [](settings & s) -> auto& { return s.connections_per_address_max; });
  to.flag(
      "limit-loopback", "apply that limit also to loopback addresses",
      [](settings & s) -> auto& { return s.limit_loopback; });
  to.number<std::uint32_t>(
      "games-max", "concurrent games", defaults.games_max, 1, limits::games_max,
      [](settings & s) -> auto& { return s.games_max; });
}

bool take_journal(settings& to, std::string_view text) {
  constexpr std::string_view with_path = "sqlite:";
  if (text == "memory") {
    to.journal_in = journal_kind::memory;
    to.journal_file.clear();
  } else if (text == "sqlite" || (text.starts_with(with_path) && text.size() > with_path.size())) {
    to.journal_in = journal_kind::sqlite;
    to.journal_file = text.substr(std::min(with_path.size(), text.size()));
  } else {
    return false;
  }
  return true;
}

void add_journal(maker& to, const settings& defaults) {
  using gamehub::durability;
  constexpr std::uint32_t keep_days_max = 36'500;
  constexpr std::uint64_t mib_max = 16 * 1024 * 1024;
  to.group("Journal");
  to.text("journal", "memory|sqlite[:PATH]",
          "where the log of games is stored; the default: gamehub/journal.db in the state folder "
          "(XDG_STATE_HOME, or ~/.local/state)",
          "sqlite", "memory, sqlite or sqlite:PATH", take_journal);
  to.word<durability>(
      "durability", "process|power",
      "what a confirmed move survives: the end of the process, or also a power failure", "process",
      {{"process", durability::process}, {"power", durability::power}},
      [](settings & s) -> auto& { return s.durability; });
  to.number<std::uint32_t>(
      "keep-days", "days to keep ended games; 0: no limit", defaults.keep_days, 0, keep_days_max,
      [](settings & s) -> auto& { return s.keep_days; });
  to.number<std::uint64_t>(
      "journal-mib-max",
      "size of the journal above which the oldest ended games are removed; 0: no limit",
      defaults.journal_mib_max, 0, mib_max,
      [](settings & s) -> auto& { return s.journal_mib_max; });
  to.time(
      "rejoin-seconds", "time for the players of recovered games to reconnect", defaults.rejoin,
      limits::rejoin_max, [](settings & s) -> auto& { return s.rejoin; });
}

// Ids separated by commas. A repeated flag adds ids.
bool take_isolated(settings& to, std::string_view text) {
  std::vector<std::string> ids;
  while (!text.empty()) {
    const auto end = text.find_first_of(",\n");
    const auto id = text.substr(0, end);
    if (!is_name(id)) return false;
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.emplace_back(id);
    if (end == text.npos) break;
    text.remove_prefix(end + 1);
  }
  to.isolate = std::move(ids);
  return true;
}

void add_engines(maker& to, const settings& defaults) {
  to.group("Engines");
  to.text(
      "isolate", "ENGINE[,ENGINE...]",
      "engines that run in a separate process each, so that a fault ends only their games; may be "
      "given several times",
      "", "ids of engines, separated by commas (gamehub engines lists them)", take_isolated);
  to.may_repeat();
  to.milliseconds(
      "isolate-call-milliseconds",
      "time for one call to an isolated engine, after which its process is restarted",
      defaults.isolate_call, limits::isolate_call_max,
      [](settings & s) -> auto& { return s.isolate_call; });
  to.number<std::uint64_t>(
      "isolate-memory-mib", "memory of the process of an isolated engine",
      defaults.isolate_memory_mib, limits::isolate_memory_mib_min, limits::isolate_memory_mib_max,
      [](settings & s) -> auto& { return s.isolate_memory_mib; });
  to.milliseconds(
      "engine-slow-milliseconds", "time for one call to any engine, after which the call is logged",
      defaults.engine_slow, limits::engine_slow_max,
      [](settings & s) -> auto& { return s.engine_slow; });
}

void add_log(maker& to, const settings& defaults) {
  to.group("Log");
  to.word<base::log::format>(
      "log-format", "text|json", "readable lines, or JSON for programs", "text",
      {{"text", base::log::format::text}, {"json", base::log::format::json}},
      [](settings & s) -> auto& { return s.log_format; });
  to.word<base::log::level>(
      "log-level", "LEVEL", "the lowest level that is logged: debug, info, warning, error; or off",
      "info",
      {{"debug", base::log::level::debug},
       {"info", base::log::level::info},
       {"warning", base::log::level::warning},
       {"error", base::log::level::error},
       {"off", base::log::level::off}},
      [](settings & s) -> auto& { return s.log_level; });
  to.milliseconds(
      "slow-move-milliseconds",
      "time for a move, from its bytes to its answer, after which its stages are logged",
      defaults.slow_move, limits::slow_move_max, [](settings & s) -> auto& { return s.slow_move; });
}

// Insertions, deletions and changes of one character (Levenshtein, 1965).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
    }
  }
  return row.back();
}

}  // namespace

bool take_list(std::vector<std::string>& to, std::string_view text,
               bool (*good)(std::string_view)) {
  std::vector<std::string> all;
  while (!text.empty()) {
    const auto end = text.find_first_of(",\n");
    if (!good(text.substr(0, end))) return false;
    all.emplace_back(text.substr(0, end));
    if (end == text.npos) break;
    text.remove_prefix(end + 1);
  }
  to = std::move(all);
  return true;
}

bool is_address(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, text.c_str(), bytes.data()) == 1 ||
         inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= limits::name_bytes_max &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

std::string setting::variable() const {
  std::string out = "GAMEHUB_";
  for (const char c : name)
    out += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

namespace {

void add_admin(maker& to, const settings& defaults) {
  to.group("Admin server");
  to.port(
      "admin-port", "/metrics, probes and operator commands over HTTP", *defaults.admin_port,
      [](settings & s) -> auto& { return s.admin_port; });
  to.address(
      "admin-listen", "address on which the admin server listens", defaults.admin_listen,
      [](settings & s) -> auto& { return s.admin_listen; });
  to.text("admin-token-file", "FILE",
          "file with the token for operator commands (gamehub ban, say and others), which are off "
          "without it",
          "", "the path of a file", [](settings& s, std::string_view text) {
            s.admin_token_file = text;
            return true;
          });
  to.text("moderation-file", "FILE",
          "where bans and mutes are stored; the default: beside the journal's file", "",
          "the path of a file", [](settings& s, std::string_view text) {
            s.moderation_file = text;
            return true;
          });
}

void add_machine(maker& to, const settings& defaults, int cores) {
  to.group("Machine");
  to.number<int>(
      "loops", "threads for connections and games; the default: the available cores",
      std::clamp(cores, 1, limits::loops_max), 1, limits::loops_max,
      [](settings & s) -> auto& { return s.loops; });
  to.number<int>(
      "think-threads",
      "threads that search for the moves of engines; the default: half the available cores",
      std::clamp(cores / 2, 1, limits::think_threads_max), 1, limits::think_threads_max,
      [](settings & s) -> auto& { return s.think_threads; });
  to.milliseconds(
      "think-milliseconds", "time of an engine for a move", defaults.think, limits::think_max,
      [](settings & s) -> auto& { return s.think; });
}

}  // namespace

std::vector<setting> setting_list(const environment& around) {
  std::vector<setting> list;
  maker to{list};
  const settings defaults;

  to.group("Protocols");
  to.address(
      "listen", "address on which all protocols listen", defaults.listen,
      [](settings & s) -> auto& { return s.listen; });
  for (const auto* wire : around.protocols) add_wire(to, *wire);

  add_http(to, defaults);
  add_bots(to, defaults);

  add_admin(to, defaults);
  add_clocks(to, defaults);
  add_bounds(to, defaults);

  to.group("Engines");
  to.text("plugins", "DIR",
          "a folder of engines: every .so in it is loaded at start, and new ones at SIGHUP", "",
          "the path of a folder", [](settings& s, std::string_view text) {
            s.plugins = text;
            return true;
          });

  add_machine(to, defaults, around.cores);
  add_engines(to, defaults);
  add_journal(to, defaults);
  add_arena(to, defaults);
  add_log(to, defaults);
  return list;
}

std::optional<std::string> nearest(const std::vector<setting>& list, std::string_view name) {
  std::optional<std::string> best;
  std::size_t least = 4;  // more than three differences are another word
  for (const auto& each : list)
    if (const auto d = distance(name, each.name); d < least) {
      least = d;
      best = each.name;
    }
  return best;
}

}  // namespace gamehub::config
