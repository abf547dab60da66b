#include "hub/app/bench/arguments.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <limits>
#include <utility>
#include <vector>

namespace gamehub::app::bench {
namespace {

constexpr std::int64_t games_most = 500'000;
constexpr std::int64_t seconds_most = 7 * 24 * 3600;
constexpr std::int64_t hostile_most = 1'000;
constexpr std::uint16_t udp_port_default = 13'037;

// One number of the command line, kept as text until it is known which flag is wrong.
struct number {
  const char* flag;
  std::int64_t least, most;
  std::string text;

  bool given() const { return !text.empty(); }
  std::int64_t value() const {
    std::int64_t n = 0;
    const auto* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, n);
    if (error != std::errc{} || stop != end || n < least || n > most)
      throw operator_mistake{std::string{flag} + " is \"" + text + "\": give a whole number from " +
                             std::to_string(least) + " to " + std::to_string(most)};
    return n;
  }
  int as_int() const { return static_cast<int>(value()); }
};

class bench_line {
 public:
  bench_line() {
    app_.set_help_flag("-h,--help", "print this and exit");
    app_.add_option("wire", wire_, "opcodes, turns or udp")->type_name("WIRE");
    option("--host", host_, "HOST", "where the hub is; by default 127.0.0.1");
    option(port_, "where it listens; by default the wire's own port");
    option(games_, "play so many games at once; by default 64");
    option(seconds_, "measure for so long; by default 10");
    option(warm_up_, "play for so long before; by default 1");
    app_.add_flag("--fresh", fresh_, "new connections for each game");
    option(connections_,
           "share so many connections (turns, where one can carry up to 1000 games); by default "
           "two a game");
    app_.add_flag("--sources", sources_,
                  "one socket that speaks from an address of loopback for each player (udp)");
    app_.add_flag("--idle", idle_, "open the games and make no move: what they cost as they stand");
    option("--hostile", hostile_, "KIND",
           "hostile clients beside the others: deaf, garbage, pipeline or drip");
    option(hostile_clients_, "so many of them; by default 1");
    option(pid_, "the hub's process, for its CPU and memory; by default it is looked for");
    option(admin_port_, "the hub's admin port: afterwards its own counts must add up");
    app_.add_flag("--json", json_, "print one JSON object");
    app_.add_flag("--quiet", quiet_, "show no progress");
    app_.footer(
        "Every board and every end is checked against the rules. A move's latency ends when the\n"
        "opponent has read of it. Players of udp meet the hub's engine, and the latency is that "
        "of\n"
        "an answer to a datagram. Exit code: 0, 1 if there were errors, 2 for a mistake in the\n"
        "flags or no hub. Ctrl-C ends a run early and still reports.");
  }

  std::variant<arguments, reply> read(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      return reply{app_.help(), 0};
    } catch (const CLI::ParseError& e) {
      throw operator_mistake{std::string{e.what()} + "; gamehub bench --help tells more"};
    }
    return merged();
  }

 private:
  void option(const char* flag, std::string& text, const char* kind, const char* help) {
    app_.add_option(flag, text, help)
        ->type_name(kind)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  void option(number& n, const char* help) { option(n.flag, n.text, "N", help); }

  arguments merged() const {
    arguments a;
    a.wire = find_wire(wire_);
    if (a.wire == nullptr && wire_ != "udp")
      throw operator_mistake{
          wire_.empty() ? "say which wire to play, as in gamehub bench opcodes"
                        : "\"" + wire_ + "\" can't be measured: give opcodes, turns or udp"};
    a.host = host_;
    a.port = port_.given()       ? static_cast<std::uint16_t>(port_.value())
             : a.wire != nullptr ? a.wire->port_default()
                                 : udp_port_default;
    if (seconds_.given()) a.seconds = std::chrono::seconds{seconds_.value()};
    if (warm_up_.given()) a.warm_up = std::chrono::seconds{warm_up_.value()};
    if (pid_.given()) a.pid = static_cast<pid_t>(pid_.value());
    if (admin_port_.given()) a.admin_port = static_cast<std::uint16_t>(admin_port_.value());
    a.json = json_;
    a.quiet = quiet_;
    a.sources = sources_;
    if (a.wire == nullptr) {
      plan_udp(a);
    } else {
      plan(a);
      choose_hostile(a);
    }
    return a;
  }

  // A player a game, whom the hub's engine meets.
  void plan_udp(arguments& a) const {
    for (const auto& [flag, given] :
         {std::pair{"--fresh", fresh_}, std::pair{"--connections", connections_.given()},
          std::pair{"--hostile", !hostile_.empty()},
          std::pair{"--hostile-clients", hostile_clients_.given()}})
      if (given) throw operator_mistake{std::string{flag} + " is not for udp: leave it out"};
    auto& p = a.plan;
    p.games = games_.given() ? games_.as_int() : p.games;
    p.connections = sources_ ? 1 : p.games;
    p.idle = idle_;
  }

  void plan(arguments& a) const {
    if (sources_) throw operator_mistake{"--sources is for udp alone: leave it out"};
    auto& p = a.plan;
    p.games = games_.given() ? games_.as_int() : p.games;
    p.connections = connections_.given() ? connections_.as_int() : 2 * p.games;
    p.fresh = fresh_;
    p.idle = idle_;
    if (p.fresh && p.idle)
      throw operator_mistake{"--fresh and --idle exclude each other: leave one out"};
    if (p.connections > 2 * p.games)
      throw operator_mistake{"--connections is over twice --games: give less, each has a player"};
    const auto per_connection = (2 * p.games + p.connections - 1) / p.connections;
    if (p.fresh && per_connection > 1)
      throw operator_mistake{"--fresh needs a connection for each player: leave --connections out"};
    const auto most = a.wire->games_per_connection_max();
    if (per_connection > most)
      throw operator_mistake{"--connections is too few: " + std::string{a.wire->name()} +
                             " carries at most " + std::to_string(most) +
                             " games a connection, give more"};
  }

  void choose_hostile(arguments& a) const {
    if (hostile_.empty()) {
      if (hostile_clients_.given())
        throw operator_mistake{"--hostile-clients says how many: say which with --hostile, too"};
      return;
    }
    a.hostile = find_hostility(hostile_);
    if (!a.hostile)
      throw operator_mistake{"--hostile is \"" + hostile_ +
                             "\": give deaf, garbage, pipeline or drip"};
    if (hostile_clients_.given()) a.hostile_clients = hostile_clients_.as_int();
  }

  CLI::App app_{"Plays whole games on a running hub, over real sockets, and says how fast it was.",
                "gamehub bench"};
  std::string wire_, host_ = "127.0.0.1", hostile_;
  number port_{"--port", 1, 65'535, {}};
  number games_{"--games", 1, games_most, {}};
  number seconds_{"--seconds", 1, seconds_most, {}};
  number warm_up_{"--warm-up", 0, seconds_most, {}};
  number connections_{"--connections", 2, 2 * games_most, {}};
  number hostile_clients_{"--hostile-clients", 1, hostile_most, {}};
  number pid_{"--pid", 1, std::numeric_limits<pid_t>::max(), {}};
  number admin_port_{"--admin-port", 1, 65'535, {}};
  bool fresh_ = false, idle_ = false, sources_ = false, json_ = false, quiet_ = false;
};

}  // namespace

std::variant<arguments, reply> read_arguments(int argc, const char* const* argv) {
  return bench_line{}.read(argc, argv);
}

}  // namespace gamehub::app::bench
