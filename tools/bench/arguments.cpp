#include "tools/bench/arguments.hpp"

#include "hub/base/usage_error.hpp"
#include "hub/config/verb_parser.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <vector>

namespace gamehub::tools::bench {
namespace {

constexpr std::int64_t games_most = 500'000;
constexpr std::int64_t seconds_most = 7 * 24 * 3600;
constexpr std::int64_t hostile_most = 1'000;
constexpr std::int64_t rate_most = 10'000'000;
constexpr std::uint16_t udp_port_default = 13'037, http_port_default = 8'080;
constexpr int http_connections_default = 64;
constexpr std::string_view wires = "opcodes, turns, ws, http or udp";

// One number of the command line. It stays text until it is used, so that an error names its flag.
struct number_flag {
  const char* flag;
  std::int64_t least, most;
  std::string text;

  bool given() const { return !text.empty(); }
  std::int64_t value() const {
    std::int64_t n = 0;
    const auto* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, n);
    if (error != std::errc{} || stop != end || n < least || n > most)
      throw base::usage_error{std::string{flag} + " is \"" + text +
                              "\": give a whole number from " + std::to_string(least) + " to " +
                              std::to_string(most)};
    return n;
  }
  int as_int() const { return static_cast<int>(value()); }
};

class bench_line {
 public:
  bench_line() {
    app_.set_help_flag("-h,--help", "print this and exit");
    app_.add_option("wire", wire_, std::string{wires})->type_name("WIRE");
    config::add_text(app_, "--host", host_, "HOST", "address of the hub; default: 127.0.0.1");
    option(port_, "port of the hub; default: the default port of the protocol");
    option(games_, "number of concurrent games; default: 64");
    option(seconds_, "seconds of the measurement; default: 10");
    option(warm_up_, "seconds of play before the measurement; default: 1");
    app_.add_flag("--fresh", fresh_, "new connections for each game");
    option(connections_,
           "number of shared connections (turns and ws, with up to 1000 games each, and http); "
           "default: two per game, for http at most 64");
    app_.add_flag("--streams", streams_, "each player reads a stream of updates (http)");
    option(rate_, "maximum of moves per second (http)");
    app_.add_flag("--blind", blind_,
                  "check only the status of answers: for a server that plays no games (http)");
    app_.add_flag("--sources", sources_,
                  "one socket with a loopback source address for each player (udp)");
    app_.add_flag("--idle", idle_,
                  "open the games and make no move, to measure the cost of idle games");
    config::add_text(app_, "--hostile", hostile_, "KIND",
                     "add hostile clients: deaf, garbage, pipeline or drip");
    option(hostile_clients_, "number of hostile clients; default: 1");
    option(pid_, "process of the hub, for its CPU and memory; default: found by its port");
    option(admin_port_, "admin port of the hub: checks the hub's own counts after the run");
    app_.add_flag("--json", json_, "print one JSON object");
    app_.add_flag("--quiet", quiet_, "show no progress");
    app_.footer(
        "Every board and every result is checked against the rules. The latency of a move ends "
        "when\n"
        "the opponent has read it; over http without --streams, when the answer arrives. Players "
        "of\n"
        "udp play against the hub's engine, and the latency is that of an answer to a datagram.\n"
        "Exit code: 0 without errors, 1 for errors, 2 for a mistake in the flags or if no hub\n"
        "answers. Ctrl-C ends a run early; it still prints its report.");
  }

  std::variant<arguments, config::early_exit> read(int argc, const char* const* argv) {
    if (auto help = config::read_line(app_, argc, argv, "gamehub bench")) return *help;
    return merged();
  }

 private:
  void option(number_flag& n, const char* help) {
    config::add_text(app_, n.flag, n.text, "N", help);
  }

  arguments merged() const {
    arguments a;
    a.wire = find_wire(wire_);
    if (a.wire == nullptr) {
      if (wire_.empty())
        throw base::usage_error{"bench: missing protocol. Example: gamehub bench opcodes"};
      if (wire_ != "http" && wire_ != "udp")
        throw base::usage_error{"\"" + wire_ + "\" can't be measured: give " + std::string{wires}};
      a.kind = wire_ == "http" ? load_kind::requests : load_kind::datagrams;
    }
    a.host = host_;
    a.port = port_.given()                   ? static_cast<std::uint16_t>(port_.value())
             : a.wire != nullptr             ? a.wire->port_default()
             : a.kind == load_kind::requests ? http_port_default
                                             : udp_port_default;
    if (seconds_.given()) a.seconds = std::chrono::seconds{seconds_.value()};
    if (warm_up_.given()) a.warm_up = std::chrono::seconds{warm_up_.value()};
    if (pid_.given()) a.pid = static_cast<pid_t>(pid_.value());
    if (admin_port_.given()) a.admin_port = static_cast<std::uint16_t>(admin_port_.value());
    a.json = json_;
    a.quiet = quiet_;
    a.sources = sources_;
    switch (a.kind) {
      case load_kind::messages: plan_messages(a); break;
      case load_kind::requests: plan_requests(a); break;
      case load_kind::datagrams: plan_datagrams(a); break;
    }
    return a;
  }

  struct flag_given {
    const char* flag;
    bool given;
  };
  void refuse(std::initializer_list<flag_given> all) const {
    for (const auto& each : all)
      if (each.given)
        throw base::usage_error{std::string{each.flag} + " is not for " + wire_ + ": leave it out"};
  }

  void plan_requests(arguments& a) const {
    refuse({{"--fresh", fresh_},
            {"--sources", sources_},
            {"--hostile", !hostile_.empty()},
            {"--hostile-clients", hostile_clients_.given()}});
    auto& p = a.plan;
    p.games = games_.given() ? games_.as_int() : p.games;
    p.connections = connections_.given() ? connections_.as_int()
                                         : std::min(2 * p.games, http_connections_default);
    p.idle = idle_;
    a.streams = streams_;
    a.blind = blind_;
    if (a.streams && a.blind)
      throw base::usage_error{"--streams and --blind exclude each other: leave one out"};
    if (rate_.given()) a.rate = rate_.as_int();
  }

  // One player per game, against the hub's engine.
  void plan_datagrams(arguments& a) const {
    refuse({{"--fresh", fresh_},
            {"--connections", connections_.given()},
            {"--hostile", !hostile_.empty()},
            {"--hostile-clients", hostile_clients_.given()},
            {"--streams", streams_},
            {"--rate", rate_.given()},
            {"--blind", blind_}});
    auto& p = a.plan;
    p.games = games_.given() ? games_.as_int() : p.games;
    p.connections = sources_ ? 1 : p.games;
    p.idle = idle_;
  }

  void plan_messages(arguments& a) const {
    refuse({{"--sources", sources_},
            {"--streams", streams_},
            {"--rate", rate_.given()},
            {"--blind", blind_}});
    // A WebSocket begins with an HTTP request, which hostile clients do not send.
    if (a.wire == &web_sockets()) refuse({{"--hostile", !hostile_.empty()}});
    auto& p = a.plan;
    p.games = games_.given() ? games_.as_int() : p.games;
    p.connections = connections_.given() ? connections_.as_int() : 2 * p.games;
    p.fresh = fresh_;
    p.idle = idle_;
    if (p.fresh && p.idle)
      throw base::usage_error{"--fresh and --idle exclude each other: leave one out"};
    if (p.connections > 2 * p.games)
      throw base::usage_error{
          "--connections is more than twice --games: give fewer, because each needs a player"};
    const auto per_connection = (2 * p.games + p.connections - 1) / p.connections;
    if (p.fresh && per_connection > 1)
      throw base::usage_error{
          "--fresh needs a connection for each player: leave --connections out"};
    const auto most = a.wire->games_per_connection_max();
    if (per_connection > most)
      throw base::usage_error{"--connections is too few: " + std::string{a.wire->name()} +
                              " carries at most " + std::to_string(most) +
                              " games per connection, give more"};
    choose_hostile(a);
  }

  void choose_hostile(arguments& a) const {
    if (hostile_.empty()) {
      if (hostile_clients_.given())
        throw base::usage_error{
            "--hostile-clients needs --hostile with a kind: deaf, garbage, pipeline or drip"};
      return;
    }
    a.hostile = find_attack(hostile_);
    if (!a.hostile)
      throw base::usage_error{"--hostile is \"" + hostile_ +
                              "\": give deaf, garbage, pipeline or drip"};
    if (hostile_clients_.given()) a.hostile_clients = hostile_clients_.as_int();
  }

  CLI::App app_{
      "Plays whole games on a running hub over sockets, and reports throughput and latency.",
      "gamehub bench"};
  std::string wire_, host_ = "127.0.0.1", hostile_;
  number_flag port_{"--port", 1, 65'535, {}};
  number_flag games_{"--games", 1, games_most, {}};
  number_flag seconds_{"--seconds", 1, seconds_most, {}};
  number_flag warm_up_{"--warm-up", 0, seconds_most, {}};
  number_flag connections_{"--connections", 2, 2 * games_most, {}};
  number_flag rate_{"--rate", 1, rate_most, {}};
  number_flag hostile_clients_{"--hostile-clients", 1, hostile_most, {}};
  number_flag pid_{"--pid", 1, std::numeric_limits<pid_t>::max(), {}};
  number_flag admin_port_{"--admin-port", 1, 65'535, {}};
  bool fresh_ = false, idle_ = false, sources_ = false, streams_ = false, blind_ = false;
  bool json_ = false, quiet_ = false;
};

}  // namespace

std::variant<arguments, config::early_exit> read_arguments(int argc, const char* const* argv) {
  return bench_line{}.read(argc, argv);
}

}  // namespace gamehub::tools::bench
