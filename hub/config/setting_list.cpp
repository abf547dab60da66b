#include "hub/config/setting_list.hpp"

#include "hub/base/address.hpp"
#include "hub/base/host_name.hpp"
#include "hub/base/text.hpp"
#include "hub/core/player_name.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::config {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

bool is_engine_id(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), base::is_id_character);
}

bool is_network(std::string_view text) { return base::read_network(text).has_value(); }

bool is_origin(std::string_view text) {
  const auto host = text.find("://");
  return host != text.npos && host > 0 && host + 3 < text.size() &&
         text.find('/', host + 3) == text.npos && is_printable_name(text);
}

// It becomes a part of a Content-Security-Policy.
bool is_frame_site(std::string_view text) {
  return is_origin(text) && text.find_first_of("; '\"") == text.npos;
}

// "lobby", "engine", "engine:LEVEL" or "bot:NAME".
std::optional<opponent_setting> opponent_of(std::string_view text) {
  if (text == "lobby") return opponent_setting{};
  if (text == "engine") return opponent_setting{true};
  constexpr std::string_view by_name = "bot:";
  if (text.starts_with(by_name) && is_acceptable_name(text.substr(by_name.size())))
    return opponent_setting{.name = std::string{text.substr(by_name.size())}};
  constexpr std::string_view with_level = "engine:";
  if (!text.starts_with(with_level)) return {};
  const auto skill = engines::level_of(text.substr(with_level.size()));
  return skill ? std::optional{opponent_setting{true, *skill}} : std::nullopt;
}

void add_wire(option_list& to, const gateways::protocol_info& info, wire_settings& wire) {
  const std::string name{info.name};
  if (info.port_owner.empty()) {
    wire.port = info.port_default;
    to.port(name + "-port", std::string{info.summary}, wire.port);
  }
  if (info.engine_per_port) {
    wire.engine = "tictactoe";
    to.engine(name + "-engine", "the engine of the players of " + name, wire.engine);
    // The engine catalog validates them, because the engine defines them.
    to.text(name + "-options", "JSON", "options of that engine, such as {\"rows\":7}", "",
            "a JSON object, or nothing for the defaults", [&wire](std::string_view text) {
              wire.options = text;
              return text.empty() || (text.front() == '{' && text.back() == '}');
            });
  }
  if (info.has_opponent_setting) {
    wire.opponent.is_engine = info.against_engine;
    to.text(name + "-opponent", "lobby|engine[:LEVEL]|bot:NAME",
            "the opponents of the players of " + name +
                ": other players in the lobby, the engine's own player at once, or the bot of that "
                "name; LEVEL is perfect, medium or random",
            info.against_engine ? "engine" : "lobby",
            "lobby, engine, engine:perfect, engine:medium, engine:random or bot:NAME",
            [&wire](std::string_view text) {
              const auto opponent = opponent_of(text);
              if (opponent) wire.opponent = *opponent;
              return opponent.has_value();
            });
  }
  if (!info.grace_default) return;
  wire.grace = *info.grace_default;
  wire.grace_covers_turn = info.grace_covers_turn;
  auto& added =
      to.time(name + "-grace-seconds",
              "how long a player of " + name + " keeps its games after its connection broke" +
                  (wire.grace_covers_turn ? "; the default: turn-seconds, if that is more" : ""),
              wire.grace, seconds{0}, limits::grace_max);
  added.take = [&wire, take = std::move(added.take)](std::string_view text) {
    wire.grace_covers_turn = false;
    return take(text);
  };
}

bool take_public_url(settings& to, std::string_view text) {
  to.public_url = text;
  if (text.empty()) return true;
  const auto host = text.starts_with("https://") ? 8U : text.starts_with("http://") ? 7U : 0U;
  return host > 0 && text.size() > host && text[host] != '/' && text.back() != '/' &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; }) &&
         text.find_first_of("?#\"\\<>") == text.npos;
}

constexpr auto host_kind = "NAME[,NAME...]";
constexpr auto host_wanted =
    "names of hosts without ports, such as games.example, or .games.example with all names below "
    "it, separated by commas";

void add_http(option_list& to, settings& s) {
  to.number("http-address-rate", "requests per second of one address; 0: no limit",
            s.http_address_rate, 0, limits::http_rate_max);
  to.number("http-client-rate", "requests per second of one client; 0: no limit",
            s.http_client_rate, 0, limits::http_rate_max);
  to.texts("http-trusted-proxy", "NETWORK[,NETWORK...]",
           "proxies whose headers name the client of a request; may be given several times",
           "addresses or networks, such as 10.0.0.0/8, separated by commas", s.http_trusted_proxies,
           is_network);
  to.texts("http-cors-origin", "ORIGIN[,ORIGIN...]",
           "sites whose pages may read answers (CORS); may be given several times",
           "origins, such as https://play.example, separated by commas", s.http_cors_origins,
           is_origin);
  to.texts("http-frame-site", "ORIGIN[,ORIGIN...]",
           "sites whose pages may show the web page in a frame; may be given several times",
           "origins, such as https://club.example, separated by commas", s.http_frame_sites,
           is_frame_site);
  to.texts(
      "http-host", host_kind,
      "names by which clients reach this hub over HTTP: a request for another host gets 421, "
      "unless it is an address or localhost; without names this is checked on loopback only; may "
      "be given several times",
      host_wanted, s.http_hosts, base::is_host_pattern);
  to.number("http-guests-max", "guests of a game that answers list; 0: none", s.http_guests_max, 0,
            limits::guests_listed_max);
  to.text(
      "public-url", "URL",
      "the URL at which players reach this hub, also among several hubs: part of the answers to "
      "play, of invitations and of the OpenAPI document",
      "", "http:// or https:// with a host, optionally a port and a path, and no slash at the end",
      [&s](std::string_view text) { return take_public_url(s, text); });
}

void add_bots(option_list& to, settings& s) {
  to.group("Bots");
  to.texts("bot-allow", "NETWORK[,NETWORK...]",
           "loopback, private or other special addresses at which bots and webhooks may be called; "
           "may be given several times",
           "addresses or networks, such as 127.0.0.0/8, separated by commas", s.bot_allow,
           is_network);
  to.number("bot-move-seconds", "time of a bot for an answer", s.bot_move_seconds,
            limits::bot_move_min.count(), limits::bot_move_max.count());
  to.number("bot-games", "concurrent games of one bot, also those against people", s.bot_games, 1,
            limits::bot_games_max);
  constexpr auto names = "names of bots, separated by commas";
  to.texts("bot-keep-alive", "BOT[,BOT...]",
           "bots that are called over one connection while they keep it open; may be given several "
           "times",
           names, s.bot_keep_alive, is_acceptable_name);
  to.texts(
      "bot-tell-opponent", "BOT[,BOT...]",
      "bots whose NextMove calls name the opponent, as \"opponent\"; may be given several times",
      names, s.bot_tell_opponent, is_acceptable_name);
}

void add_webhooks(option_list& to, settings& s) {
  to.group("Webhooks");
  to.flag("webhooks",
          "players of games of days may register a URL that the hub calls when they are away and "
          "it is their turn; not with --cluster",
          s.webhooks);
  to.path("webhook-file", "FILE",
          "where webhooks are stored; the default: the journal's path with .webhooks appended, or "
          "memory if the journal is in memory",
          s.webhook_file);
  to.number("webhooks-max", "webhooks", s.webhooks_max, 1, limits::webhooks_most);
  to.time("webhook-delay-seconds", "time that a player is away at its turn before the call",
          s.webhook_delay, seconds{0}, limits::webhook_delay_max);
  to.time("webhook-call-seconds", "time of a webhook for an answer", s.webhook_call,
          limits::webhook_call_min, limits::webhook_call_max);
  to.time("webhook-pause-seconds",
          "time without calls after a failed one; it doubles with each further failure",
          s.webhook_pause, limits::webhook_pause_min, limits::webhook_pause_max);
  to.number("webhook-failures-max", "failed calls in a row after which a webhook is off",
            s.webhook_failures_max, 1, limits::webhook_failures_most);
}

void add_arena(option_list& to, settings& s) {
  to.group("Bots");
  to.text(
      "arena", "memory|PATH",
      "where bots, their tokens, schedule and ratings are stored; the default: the journal's path "
      "with .arena appended, or memory if the journal is in memory; with --cluster they are in its "
      "database",
      "", "memory or the path of a file", [&s](std::string_view text) {
        s.arena_in_memory = text == "memory";
        s.arena_file = s.arena_in_memory ? std::string_view{} : text;
        return true;
      });
  to.time("arena-repeat", "time until two bot versions that have played are paired again",
          s.arena_repeat, seconds{0}, limits::arena_repeat_max);
  to.number("arena-games-per-bot", "concurrent scheduled games of a bot", s.arena_games_per_bot, 1,
            limits::arena_games_per_bot_max);
  to.number("bot-names-per-owner-max",
            "names of bots of one owner; with --open-registration also of one address",
            s.bot_names_per_owner_max, 1, limits::bot_names_per_owner_max);
  to.flag("open-registration", "accept bots with any token: for a hub that strangers can't reach",
          s.open_registration);
}

void add_admin(option_list& to, settings& s) {
  to.group("Admin server");
  to.port("admin-port", "/metrics, probes and operator commands over HTTP", s.admin_port);
  to.address("admin-listen", "address on which the admin server listens", s.admin_listen);
  to.texts("admin-host", host_kind,
           "names by which clients reach the admin server: a request for another host gets 421, "
           "unless it is an address or localhost; may be given several times",
           host_wanted, s.admin_hosts, base::is_host_pattern);
  to.path("admin-token-file", "FILE",
          "file with the token for operator commands (gamehub ban, say and others), which are off "
          "without it",
          s.admin_token_file);
  to.path("moderation-file", "FILE",
          "where bans and mutes are stored; the default: beside the journal's file; not used with "
          "--cluster, whose database has them",
          s.moderation_file);
}

bool take_engine_clock(settings& to, std::string_view text) {
  while (!text.empty()) {
    const auto each = text.substr(0, text.find(','));
    text.remove_prefix(std::min(each.size() + 1, text.size()));
    const auto equals = each.find('=');
    if (equals == each.npos || !is_engine_id(each.substr(0, equals))) return false;
    const auto rule = find_clock(each.substr(equals + 1));
    if (!rule) return false;
    if (!to.clocks.by_engine.emplace(each.substr(0, equals), *rule).second) return false;
  }
  return true;
}

void add_clocks(option_list& to, settings& s) {
  to.group("Clocks");
  to.time("turn-seconds", "time for each turn of a player; 0: no limit", s.turn, seconds{0},
          limits::turn_max);
  to.text("clock", "CLOCK",
          "the clock of players who choose none: " + std::string{clock_forms} +
              "; the default: move with turn-seconds",
          "", std::string{clock_forms}, [&s](std::string_view text) {
            s.clocks.standard = find_clock(text);
            return s.clocks.standard.has_value();
          });
  auto& of_engine = to.text(
      "engine-clock", "ENGINE=CLOCK[,ENGINE=CLOCK...]",
      "the same for the players of one engine; may be given several times", "",
      "an engine's id and a clock, each engine once, and clocks are " + std::string{clock_forms},
      [&s](std::string_view text) { return take_engine_clock(s, text); });
  of_engine.repeatable = true;
  to.time("clock-milliseconds-min", "the least time of a move, or of a game, that players choose",
          s.clocks.least, milliseconds{1}, clock_rule::main_max);
  to.time("clock-move-seconds-max", "the greatest time of a move that players choose",
          s.clocks.move_max, seconds{1}, std::chrono::duration_cast<seconds>(clock_rule::main_max));
  to.time("clock-game-seconds-max",
          "the greatest time for all moves of a player that players choose", s.clocks.game_max,
          seconds{1}, std::chrono::duration_cast<seconds>(clock_rule::main_max));
  to.flag("clock-none", "let players choose games without a clock", s.clocks.allows_none);
  to.time(
      "clock-none-away-seconds",
      "how long a player of a game without a clock may be away; 0: as long as of other games, by "
      "the grace time of its protocol",
      s.clocks.none_away, seconds{0}, std::chrono::duration_cast<seconds>(clock_rule::main_max));
  to.time("claim-seconds",
          "how long a player is away before the others may claim the win; 0: never", s.claim,
          seconds{0}, limits::claim_max);
  to.time("handshake-seconds", "time for a client's first request; 0: no limit", s.handshake,
          seconds{0}, limits::turn_max);
  to.time("idle-seconds",
          "time until a client that neither plays nor waits is disconnected; 0: never", s.idle,
          seconds{0}, limits::turn_max);
  to.time("drain-seconds", "time for running games to end after SIGTERM", s.drain, seconds{0},
          limits::drain_max);
}

void add_bounds(option_list& to, settings& s) {
  to.group("Bounds");
  to.number("connections-max", "open connections of all protocols", s.connections_max, 1,
            limits::connections_max);
  to.number("udp-connections-max", "players over UDP, as a part of these; 0: a quarter of them",
            s.udp_connections_max, 0, limits::connections_max);
  to.number("udp-guest-rate",
            "games that UDP addresses begin on one loop in a second before they prove that they "
            "receive; 0: any number",
            s.udp_guest_rate, 0, limits::udp_guest_rate_max);
  to.number("connections-per-address-max", "open connections from one address",
            s.connections_per_address_max, 1, limits::connections_max);
  to.number("sessions-per-address-max", "players of one address", s.sessions_per_address_max, 1,
            limits::connections_max);
  to.number("seats-per-address-max", "seats of one address: in games, and waiting for one",
            s.seats_per_address_max, 1, limits::games_max);
  to.number("unsent-kib-per-address-max",
            "KiB of output that the clients of one address do not take; beyond it such a client is "
            "disconnected",
            s.unsent_kib_per_address_max, 64, 1024 * 1024);
  to.number("arrivals-per-address",
            "new connections and HTTP players of one address in a second; 0: any number",
            s.arrivals_per_address, 0, limits::address_rate_max);
  to.number("games-per-address", "games that begin for one address in a second; 0: any number",
            s.games_per_address, 0, limits::address_rate_max);
  to.number("guesses-per-address", "wrong resume tokens of one address in a second; 0: any number",
            s.guesses_per_address, 0, limits::address_rate_max);
  to.number("messages-per-address",
            "requests over TCP and WebSockets of one address in a second; 0: any number",
            s.messages_per_address, 0, limits::address_rate_max);
  to.flag("limit-loopback", "apply the limits of an address also to loopback addresses",
          s.limit_loopback);
  to.number("games-max", "concurrent games", s.games_max, 1, limits::games_max);
  to.number("lasting-games-max",
            "games whose players may be away as long as the clock says (of days), as a part of "
            "these; 0: a fifth of them. Those that are asleep do not count",
            s.clocks.lasting_max, 0, limits::games_max);
}

void add_machine(option_list& to, settings& s, int cores) {
  s.loops = std::clamp(cores, 1, limits::loops_max);
  s.think_threads = std::clamp(cores / 2, 1, limits::think_threads_max);
  to.group("Machine");
  to.number("loops", "threads for connections and games; the default: the available cores", s.loops,
            1, limits::loops_max);
  to.number("think-threads",
            "threads that search for the moves of engines; the default: half the available cores",
            s.think_threads, 1, limits::think_threads_max);
  to.time("think-milliseconds", "time of an engine for a move", s.think, milliseconds{1},
          limits::think_max);
}

bool is_absolute_path(std::string_view text) {
  return text.starts_with('/') &&
         std::none_of(text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; });
}

// A line for each program: a command may have commas.
bool take_programs(settings& to, std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto each = text.substr(0, end);
    const auto equals = each.find('=');
    if (equals == each.npos || !is_engine_id(each.substr(0, equals)) ||
        each.find_first_not_of(" \t", equals + 1) == each.npos)
      return false;
    const auto with_id = [&](const std::string& known) {
      return known.starts_with(each.substr(0, equals + 1));
    };
    if (to.programs.size() >= programs_max ||
        std::any_of(to.programs.begin(), to.programs.end(), with_id))
      return false;
    to.programs.emplace_back(each);
    if (end == text.npos) break;
    text.remove_prefix(end + 1);
  }
  return true;
}

void add_engines(option_list& to, settings& s) {
  to.group("Engines");
  to.path("plugins", "DIR",
          "a folder of engines: every .so and .engine in it is loaded at start, and new ones at "
          "SIGHUP",
          s.plugins);
  auto& program =
      to.text("engine", "ID=COMMAND",
              "an engine that is a program: the command starts it, and it speaks the protocol of "
              "engines/process on its standard input and output; may be given several times",
              "",
              "an id and a command, such as last-stone=python3 last_stone.py, each id once and at "
              "most " +
                  std::to_string(programs_max),
              [&s](std::string_view text) { return take_programs(s, text); });
  program.repeatable = true;
  program.separator = '\n';
  to.texts(
      "isolate", "ENGINE[,ENGINE...]",
      "engines that run in a separate process each, so that a fault ends only their games; may "
      "be given several times",
      "ids of engines, separated by commas (gamehub engines lists them)", s.isolate,
      is_printable_name);
  to.number("engine-processes",
            "processes of each engine that is isolated or a program: its games are spread over "
            "them, and each has a thread of the hub",
            s.engine_processes, 1, limits::engine_processes_max);
  to.time("isolate-call-milliseconds",
          "time for one call to an isolated engine, after which its process is restarted",
          s.isolate_call, milliseconds{1}, limits::isolate_call_max);
  to.number("isolate-memory-mib", "memory of the process of an isolated engine",
            s.isolate_memory_mib, limits::isolate_memory_mib_min, limits::isolate_memory_mib_max);
  using base::sandbox_mode;
  to.word("sandbox",
          "whether the processes of engines are kept from files, the network and other processes: "
          "as far as the kernel can; required: only then the hub starts; off, to debug them",
          s.sandbox.mode,
          {{"auto", sandbox_mode::automatic},
           {"required", sandbox_mode::required},
           {"off", sandbox_mode::off}});
  to.texts("sandbox-read", "PATH[,PATH...]",
           "files and folders that every engine in a sandbox may read, in addition to its folders; "
           "may be given several times",
           "paths that begin with /, separated by commas", s.sandbox.readable, is_absolute_path);
  to.time("engine-slow-milliseconds",
          "time for one call to any engine, after which the call is logged", s.engine_slow,
          milliseconds{1}, limits::engine_slow_max);
}

bool take_journal(settings& to, std::string_view text) {
  to.journal_given = true;
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

void add_journal(option_list& to, settings& s) {
  using gamehub::durability;
  constexpr std::uint32_t keep_days_max = 36'500;
  constexpr std::uint64_t mib_max = 16 * 1024 * 1024;
  to.group("Journal");
  to.text("journal", "memory|sqlite[:PATH]",
          "where the log of games is stored; the default: gamehub/journal.db in the state folder "
          "(XDG_STATE_HOME, or ~/.local/state)",
          "sqlite", "memory, sqlite or sqlite:PATH",
          [&s](std::string_view text) { return take_journal(s, text); });
  // Every text is taken: an error would repeat it, and it may have a password.
  to.text("cluster", "CONNECTION",
          "the PostgreSQL database that stores the log of games instead of --journal, as a "
          "connection string or URI of libpq; give passwords by PGPASSFILE, by a service, or in "
          "the configuration file",
          s.cluster);
  to.word("durability",
          "what a confirmed move survives: the end of the process, also a power failure, or with "
          "--cluster also the loss of the database's machine; a database survives a power failure "
          "in any case",
          s.durability,
          {{"process", durability::process},
           {"power", durability::power},
           {"machine", durability::machine}});
  to.number("keep-days", "days to keep ended games; 0: no limit", s.keep_days, 0, keep_days_max);
  to.number("journal-mib-max",
            "size of the journal above which the oldest ended games are removed; 0: no limit",
            s.journal_mib_max, 0, mib_max);
  to.time("journal-wait-seconds",
          "time to wait at the start for a journal that another hub still has; 0: none",
          s.journal_wait, seconds{0}, journal_wait_max);
  to.time("rejoin-seconds", "time for the players of recovered games to reconnect", s.rejoin,
          seconds{0}, limits::rejoin_max);
  to.time(
      "sleep-after-seconds",
      "games of days whose players are away for this time, or do not ask for them over HTTP, and "
      "in which nothing is due for it, are in the journal alone until they are needed; 0: never",
      s.sleep_after, seconds{0}, limits::sleep_after_max);
}

// "10.0.0.7", "10.0.0.7:9465", "fd00::7" or "[fd00::7]:9465".
bool take_link_address(link_settings& to, std::string_view text) {
  to.address.clear();
  to.address_port.reset();
  if (text.empty()) return true;
  auto host = text;
  const auto colon = text.rfind(':');
  if (colon != text.npos && !base::read_address(text)) {
    to.address_port = number_in<std::uint16_t>(text.substr(colon + 1), 1, 65'535);
    if (!to.address_port) return false;
    host = text.substr(0, colon);
    const auto brackets = host.starts_with('[') && host.ends_with(']');
    if (brackets) host = host.substr(1, host.size() - 2);
    if (brackets != (host.find(':') != host.npos)) return false;
  }
  to.address = host;
  return base::read_address(host) && host != "0.0.0.0" && host != "::";
}

void add_links(option_list& to, settings& s) {
  auto& links = s.links;
  to.group("Links");
  auto& port = to.port("link-port",
                       "links to the other hubs of the cluster: on the address of --listen with "
                       "certificates, on loopback without them",
                       links.port);
  port.take = [&links, take = std::move(port.take)](std::string_view text) {
    links.port_given = true;
    return take(text);
  };
  to.text("link-address", "ADDRESS[:PORT]",
          "what the other hubs of the cluster connect to; the default: the address and the port "
          "on which links listen",
          "", "an IPv4 or IPv6 address, with or without a port, such as 10.0.0.7:9465",
          [&links](std::string_view text) { return take_link_address(links, text); });
  to.path("link-key", "FILE",
          "private key of this hub, by which it proves its certificate to other hubs (PEM)",
          links.key);
  to.path("link-certificate", "FILE", "certificate of this hub, and of intermediate authorities",
          links.certificate);
  to.path("link-authority", "FILE",
          "certificate of the authority that signs those of all hubs of the cluster, and nothing "
          "else",
          links.authority);
}

void add_log(option_list& to, settings& s) {
  using base::log::format;
  using base::log::level;
  to.group("Log");
  to.word("log-format", "readable lines, or JSON for programs", s.log_format,
          {{"text", format::text}, {"json", format::json}});
  auto& levels =
      to.word("log-level", "the lowest level that is logged: debug, info, warning, error; or off",
              s.log_level,
              {{"debug", level::debug},
               {"info", level::info},
               {"warning", level::warning},
               {"error", level::error},
               {"off", level::off}});
  levels.kind = "LEVEL";
  to.time("slow-move-milliseconds",
          "time for a move, from its bytes to its answer, after which its stages are logged",
          s.slow_move, milliseconds{1}, limits::slow_move_max);
}

}  // namespace

option_list setting_list(const environment& around, settings& into) {
  option_list list;
  list.group("Protocols");
  list.address("listen", "address on which all protocols listen", into.listen);
  for (const auto* info : around.protocols)
    add_wire(list, *info, into.wires[std::string{info->name}]);
  add_http(list, into);
  add_bots(list, into);
  add_webhooks(list, into);
  add_admin(list, into);
  add_clocks(list, into);
  add_bounds(list, into);
  add_machine(list, into, around.cores);
  add_engines(list, into);
  add_journal(list, into);
  add_links(list, into);
  add_arena(list, into);
  add_log(list, into);
  for (auto& each : list.options) each.is_setting = true;
  return list;
}

}  // namespace gamehub::config
