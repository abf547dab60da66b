// The settings of the hub as plain values, and how they are read: a flag overrides the environment,
// which overrides the configuration file, which overrides the default. The program parses them once
// at start, on its only thread; then they never change, and any thread may read them.
#pragma once

#include "engines/action.hpp"
#include "gateways/protocol.hpp"
#include "hub/base/log.hpp"
#include "hub/base/sandbox.hpp"
#include "hub/core/bot_record.hpp"
#include "hub/core/clock_policy.hpp"
#include "hub/core/durability.hpp"
#include "hub/core/limits.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::config {

// Programs of --engine. Each has a process and a loop in the hub.
inline constexpr std::size_t programs_max = 32;

// The opponent of a protocol's players: any player in the lobby, an engine, or the player with this
// name who waits in the lobby.
struct opponent_setting {
  bool is_engine = false;
  engines::level skill = engines::level::perfect;  // of the engine
  std::string name = {};                           // empty: any player
};

// The settings of one protocol: --NAME-port, --NAME-engine, --NAME-options, --NAME-opponent,
// --NAME-grace-seconds.
struct wire_settings {
  std::optional<std::uint16_t> port;  // 0: any free port; none: the protocol is off
  std::string engine;                 // empty unless the protocol has an engine per port
  std::string options;                // of that engine, as JSON; empty: its defaults
  opponent_setting opponent;
  std::chrono::seconds grace{0};
  bool grace_covers_turn = false;  // no setting gave `grace`, and it is at least settings::turn
};

// How long a hub waits for a journal that another hub still has: less than the startup probe of
// deploy/kubernetes/base, so that there is time for the recovery.
inline constexpr std::chrono::seconds journal_wait_default{1'500};
inline constexpr std::chrono::seconds journal_wait_max = std::chrono::days{1};

enum class journal_kind : std::uint8_t { memory, sqlite };

// The links to the other hubs of a cluster: --link-port, --link-address, --link-key,
// --link-certificate, --link-authority.
struct link_settings {
  std::optional<std::uint16_t> port = 0;  // 0: any free port; none: no links
  bool port_given = false;                // a setting gave it
  // To which other hubs connect. Empty, none: where links listen.
  std::string address;
  std::optional<std::uint16_t> address_port;
  std::filesystem::path key, certificate, authority;  // all or none

  bool has_certificate() const { return !certificate.empty(); }
};

struct settings {
  int loops = 1;
  std::string listen = "127.0.0.1";                         // an IPv4 or IPv6 address, never a name
  std::map<std::string, wire_settings, std::less<>> wires;  // one for each protocol

  // HTTP requests per second; 0: no limit.
  std::uint32_t http_address_rate = limits::http_address_rate_default;
  std::uint32_t http_client_rate = limits::http_client_rate_default;
  std::vector<std::string> http_trusted_proxies;  // addresses and networks
  std::vector<std::string> http_cors_origins;
  std::vector<std::string> http_frame_sites;  // pages that may show the page in a frame
  std::vector<std::string> http_hosts;        // names of this hub (base::is_host_pattern)
  // Guests of a game that HTTP answers list; 0: none.
  std::uint32_t http_guests_max = limits::guests_listed_default;
  std::string public_url;  // without a slash at the end; empty: the address of each request

  // Bots: special networks in which bots and webhooks may be called, the time for a call,
  // concurrent games of a bot, and the names of bots with keep-alive and with the opponent's name
  // in calls.
  std::vector<std::string> bot_allow;
  std::int64_t bot_move_seconds = limits::bot_move_default.count();
  std::uint32_t bot_games = limits::bot_games_default;
  std::vector<std::string> bot_keep_alive, bot_tell_opponent;

  // The webhooks of players (hub/webhook). Not with a cluster.
  bool webhooks = false;
  std::filesystem::path webhook_file;  // empty: beside the journal's file, if any
  std::uint32_t webhooks_max = limits::webhooks_default;
  std::chrono::seconds webhook_delay = limits::webhook_delay_default;
  std::chrono::seconds webhook_call = limits::webhook_call_default;
  std::chrono::seconds webhook_pause = limits::webhook_pause_default;
  std::uint32_t webhook_failures_max = limits::webhook_failures_default;

  std::optional<std::uint16_t> admin_port = 9464;  // as wire_settings::port
  std::string admin_listen = "127.0.0.1";
  std::vector<std::string> admin_hosts;    // names of the admin server (base::is_host_pattern)
  std::filesystem::path admin_token_file;  // empty: no token, and no commands
  // Empty: beside the journal's file, if any. Not used with a cluster.
  std::filesystem::path moderation_file;

  std::filesystem::path plugins;      // a folder; empty: none
  std::vector<std::string> programs;  // of --engine: ID=COMMAND, each id once

  // Zero: no limit.
  std::chrono::seconds turn = limits::turn_default;
  clock_policy clocks;  // `standard` is set if a setting gave it: else it is that time
  std::chrono::seconds handshake = limits::handshake_default;
  std::chrono::seconds idle = limits::idle_default;

  std::chrono::seconds drain = limits::drain_default;

  std::uint32_t connections_max = limits::connections_default;
  std::uint32_t udp_connections_max = 0;  // zero: a quarter of connections_max
  // Games of unproven UDP addresses on one loop in a second; zero: no limit.
  std::uint32_t udp_guest_rate = limits::udp_guest_rate_default;
  // Of one address, at once and in a second. Zero in a second: no limit.
  std::uint32_t connections_per_address_max = limits::connections_per_address_default;
  std::uint32_t sessions_per_address_max = limits::sessions_per_address_default;
  std::uint32_t seats_per_address_max = limits::seats_per_address_default;
  std::uint32_t unsent_kib_per_address_max = limits::unsent_kib_per_address_default;
  std::uint32_t arrivals_per_address = limits::arrivals_per_address_default;
  std::uint32_t games_per_address = limits::games_per_address_default;
  std::uint32_t guesses_per_address = limits::guesses_per_address_default;
  std::uint32_t messages_per_address = limits::messages_per_address_default;
  bool limit_loopback = false;  // the limits of an address also apply to loopback
  std::uint32_t games_max = limits::games_default;

  // The search for moves of engine players.
  int think_threads = 1;
  std::chrono::milliseconds think = limits::think_default;

  journal_kind journal_in = journal_kind::sqlite;
  std::filesystem::path journal_file;  // of SQLite
  bool journal_by_default = false;     // no setting gave the path: its folders are made
  bool journal_given = false;          // a setting gave it
  // The database that stores the journal instead, a connection string or URI of libpq; empty: none.
  // It may have a password, so it is never printed.
  std::string cluster;
  link_settings links;  // of a cluster
  // For another hub to release the journal. Zero: the hub does not wait.
  std::chrono::seconds journal_wait = journal_wait_default;
  gamehub::durability durability = gamehub::durability::process;
  // Limits of ended games in the journal's file; zero: no limit.
  std::uint32_t keep_days = 30;
  std::uint64_t journal_mib_max = 4'096;
  // For the players of recovered games to come back.
  std::chrono::seconds rejoin = limits::rejoin_default;
  // After which players who are away, and games of days in which nothing is due, leave memory;
  // zero: never.
  std::chrono::seconds sleep_after = limits::sleep_after_default;
  // After which a player may claim the win from one who is away; zero: never.
  std::chrono::seconds claim = limits::claim_default;

  // Names of bots of one owner.
  std::uint32_t bot_names_per_owner_max = limits::bot_names_per_owner_default;
  // Of bots: where the arena keeps them, empty: in memory; the least time between games of the same
  // two versions; and games of one bot at once.
  std::filesystem::path arena_file;
  bool arena_in_memory = false;  // was asked for
  std::chrono::seconds arena_repeat = limits::arena_repeat_default;
  std::uint32_t arena_games_per_bot = 1;
  bool open_registration = false;  // any token is accepted

  // Isolated engines, each in separate processes: how many, the time of a call, and the memory.
  std::vector<std::string> isolate;
  std::size_t engine_processes = 1;
  std::chrono::milliseconds isolate_call = limits::isolate_call_default;
  std::uint64_t isolate_memory_mib = limits::isolate_memory_mib_default;
  // Of the processes of engines, also of those that are checked.
  base::sandbox_policy sandbox;
  // The time of a call into any engine after which it is logged.
  std::chrono::milliseconds engine_slow = limits::engine_slow_default;
  // The time of a move, from its bytes to its answer, after which its stages are logged.
  std::chrono::milliseconds slow_move = limits::slow_move_default;

  base::log::format log_format = base::log::format::text;
  base::log::level log_level = base::log::level::info;

  // The folder of files that have no other path, from the environment; empty: none.
  std::filesystem::path state_folder;
};

// The inputs of settings besides the command line.
struct environment {
  std::function<std::optional<std::string>(const std::string& name)> variable;  // environment
  std::vector<std::string> names = {};  // of all its variables
  std::span<const gateways::protocol_info* const> protocols;
  int cores = 1;  // available to the program: the default of --loops
  std::string version;
};

// Raises the grace time of protocols whose default it is to the time of a turn.
void find_grace(settings&);
// Sets the journal's path if no setting gave one, unless a cluster's database stores it. Throws
// usage_error.
void find_journal(settings&);
// Returns the address on which links listen: that of the protocols, or loopback if there are no
// certificates.
std::string link_listen_of(const settings&);
// Returns what other hubs connect to, as host:port. `port` is the one that listens. Requires:
// check_links() was called.
std::string link_address_of(const settings&, std::uint16_t port);
// Checks the settings of links. Throws usage_error.
void check_links(const settings&);
// Sets the path of the league's file if no setting gave one. Requires: find_journal() was called,
// if the default is wanted.
void find_arena(settings&);

struct verb;

// Adds `serve` and `engines` to a program. The second argument of the functions is true with
// --check and --json.
void add_serve_verbs(verb& to, std::function<int(const settings&, bool check)> serve,
                     std::function<int(const settings&, bool json)> engines);

}  // namespace gamehub::config
