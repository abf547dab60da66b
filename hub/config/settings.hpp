// What an operator may decide, as plain values, and how it is read: a flag stands over the
// environment, that over the configuration file, that over the default. The program parses once at
// the start, on its only thread; the settings then never change and any thread may read them.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "actors/catalog.hpp"
#include "gateways/jsonrpc/jsonrpc_limits.hpp"
#include "gateways/protocol.hpp"
#include "hub/app/log.hpp"
#include "hub/core/limits.hpp"
#include "hub/journal/sqlite_journal.hpp"

namespace gamehub::app {

// Something that an operator can mend. Its text is one sentence for people that says what, where
// and how to mend it.
class operator_mistake : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The program's exit code after one.
inline constexpr int operator_mistake_code = 2;

// What is printed of it, without the line's end.
std::string sentence(const operator_mistake&);

// Of one protocol, by its name: --NAME-port, --NAME-engine, --NAME-options, --NAME-opponent,
// --NAME-grace-seconds.
struct wire_settings {
  std::optional<std::uint16_t> port;  // 0: any free one; none: the wire is off
  std::string engine;                 // empty unless the protocol has an engine per port
  std::string options;                // of that engine, as JSON; empty: its defaults
  actors::opponent opponent;
  std::chrono::seconds grace{0};
};

enum class journal_kind : std::uint8_t { memory, sqlite };

struct settings {
  int loops = 1;
  std::string listen = "127.0.0.1";                         // an IPv4 or IPv6 address, never a name
  std::map<std::string, wire_settings, std::less<>> wires;  // one for each protocol

  // Requests of HTTP in a second; 0: as many as they like.
  std::uint32_t http_address_rate = limits::http_address_rate_default;
  std::uint32_t http_client_rate = limits::http_client_rate_default;
  std::vector<std::string> http_trusted_proxies;  // addresses and networks
  std::vector<std::string> http_cors_origins;
  // Of a game, that are told of on HTTP; 0: none.
  std::uint32_t http_guests_max = limits::guests_listed_default;
  std::string public_url;  // without a slash at its end; empty: whatever players asked

  // Bots: networks that are called although nobody else's are in them, for each call, games of one
  // at once, and the names of those that can do more than the plainest.
  std::vector<std::string> bot_allow;
  std::int64_t bot_move_seconds = limits::bot_move_default.count();
  std::uint32_t bot_games = limits::bot_games_default;
  std::vector<std::string> bot_keep_alive, bot_tell_opponent;

  std::optional<std::uint16_t> admin_port = 9464;  // as wire_settings::port
  std::string admin_listen = "127.0.0.1";
  std::filesystem::path admin_token_file;  // empty: there is no token, and there are no commands
  std::filesystem::path moderation_file;   // empty: beside the journal's, if that has one

  std::filesystem::path plugins;  // a folder; empty: none

  // Zero: no such clock.
  std::chrono::seconds turn = limits::turn_default;
  std::chrono::seconds handshake = limits::handshake_default;
  std::chrono::seconds idle = limits::idle_default;

  std::chrono::seconds drain = limits::drain_default;

  std::uint32_t connections_max = limits::connections_default;
  std::uint32_t connections_per_address_max = limits::connections_per_address_default;
  bool limit_loopback = false;  // connections_per_address_max holds for loopback, too
  std::uint32_t games_max = limits::games_default;

  // Of moves that engines have to think about.
  int think_threads = 1;
  std::chrono::milliseconds think = limits::think_default;

  journal_kind journal_in = journal_kind::sqlite;
  std::filesystem::path journal_file;  // of SQLite
  gamehub::journal::durability durability = gamehub::journal::durability::process;
  // Of ended games in the journal's file; zero: no such bound.
  std::uint32_t keep_days = 30;
  std::uint64_t journal_mib_max = 4'096;
  // For the players of recovered games to come back.
  std::chrono::seconds rejoin = limits::rejoin_default;

  // Of bots: where the arena keeps them, empty: in memory; the least time between games of the same
  // two versions; and games of one bot at once.
  std::filesystem::path arena_file;
  bool arena_in_memory = false;  // was asked for
  std::chrono::seconds arena_repeat = limits::arena_repeat_default;
  std::uint32_t arena_games_per_bot = 1;
  bool open_registration = false;  // a token that nobody made will do, too

  // Engines that run in processes of their own: a call to one, and its memory.
  std::vector<std::string> isolate;
  std::chrono::milliseconds isolate_call = limits::isolate_call_default;
  std::uint64_t isolate_memory_mib = limits::isolate_memory_mib_default;
  // A call into any engine, after which the log says so.
  std::chrono::milliseconds engine_slow = limits::engine_slow_default;
  // A move, from its bytes to its answer, after which the log says where the time went.
  std::chrono::milliseconds slow_move = limits::slow_move_default;

  log::format log_format = log::format::text;
  log::level log_level = log::level::info;
};

// What was asked for on the command line.
struct command {
  enum class verb : std::uint8_t { serve, check, engines };

  verb what = verb::serve;
  app::settings settings;  // of serve and check; of engines, what it needs of them
  bool json = false;       // of engines
};

// A text to print instead of doing anything: on standard output if the code is zero, else on
// standard error.
struct reply {
  std::string text;  // without the last line's end
  int exit_code = 0;
};

// What settings depend on beside the command line.
struct environment {
  std::function<std::optional<std::string>(const std::string& name)> variable;  // environment
  std::span<const gateways::protocol* const> protocols;
  int cores = 1;  // that the program may use: the default of --loops
  std::string version;
};

// Requires: argv[0] is the program.
std::variant<command, reply> parse(int argc, const char* const* argv, const environment&);

}  // namespace gamehub::app
