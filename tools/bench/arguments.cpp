#include "tools/bench/arguments.hpp"

#include "hub/base/usage_error.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <memory>
#include <utility>

namespace gamehub::tools::bench {
namespace {

// As many as a hub may have.
constexpr int games_most = limits::games_max;
constexpr std::chrono::seconds seconds_most{7 * 24 * 3600};
constexpr int hostile_most = 1'000;
constexpr int rate_most = 10'000'000;
constexpr int think_most = 60'000;
constexpr std::uint16_t udp_port_default = 13'037, http_port_default = 8'080;
constexpr int http_connections_default = 64;
constexpr auto wires = "opcodes, turns, ws, http or udp";

// Returns 0 if the text is no port.
std::uint16_t port_in(std::string_view text) {
  constexpr std::uint16_t first = 1;
  return config::number_in(text, first, std::numeric_limits<std::uint16_t>::max()).value_or(0);
}

// The options as they were given.
struct given_options {
  arguments a;
  std::string wire;
  std::optional<std::uint16_t> port;
  std::vector<std::string> more_ports;
  std::optional<int> connections, rate, think, hostile_clients;

  void add_to(config::verb& to) {
    using std::chrono::seconds;
    auto& which = to.text("WIRE", "", wires, "", wires, [this](std::string_view text) {
      wire = text;
      a.wire = find_wire(text);
      return a.wire != nullptr || text == "http" || text == "udp";
    });
    which.required = true;
    to.text("host", "HOST", "address of the hub", a.host);
    to.number("port", "port of the hub; default: the default port of the protocol", port, 1,
              65'535);
    to.texts("more-ports", "N[,N...]",
             "ports of other hubs of its cluster: each gets its share of the connections (opcodes, "
             "turns, ws)",
             "port numbers", more_ports, [](std::string_view text) { return port_in(text) != 0; });
    to.flag("across",
            "open the connections one after the other, each at the next of these ports, so that "
            "the first opponents are at different hubs",
            a.plan.across);
    to.number("games", "number of concurrent games", a.plan.games, 1, games_most);
    to.time("seconds", "duration of the measurement", a.seconds, seconds{1}, seconds_most);
    to.time("warm-up", "time of play before the measurement", a.warm_up, seconds{0}, seconds_most);
    to.flag("fresh", "new connections for each game", a.plan.fresh);
    to.number("connections",
              "number of shared connections (turns and ws, with up to 1000 games each, and http); "
              "default: two per game, for http at most 64",
              connections, 2, 2 * games_most);
    to.flag("streams", "each player reads a stream of updates (http)", a.streams);
    to.number("rate", "maximum of moves per second", rate, 1, rate_most);
    to.number("think",
              "milliseconds that a player thinks at most, at random, before each move (opcodes, "
              "turns, ws)",
              think, 1, think_most);
    to.flag("redial", "connect again after a refusal or a lost connection (opcodes, turns, ws)",
            a.plan.redial);
    to.flag("blind", "check only the status of answers: for a server that plays no games (http)",
            a.blind);
    to.flag("sources", "one socket with a loopback source address for each player (udp)",
            a.sources);
    to.flag("idle", "open the games and make no move, to measure the cost of idle games",
            a.plan.idle);
    to.text("hostile", "KIND", "add hostile clients: deaf, garbage, pipeline or drip", "",
            "deaf, garbage, pipeline or drip", [this](std::string_view text) {
              a.hostile = find_attack(text);
              return a.hostile.has_value();
            });
    to.number("hostile-clients", "number of hostile clients; default: 1", hostile_clients, 1,
              hostile_most);
    to.number("pid", "process of the hub, for its CPU and memory; default: found by its port",
              a.pid, 1);
    to.number("admin-port", "admin port of the hub: checks the hub's own counts after the run",
              a.admin_port, 1, 65'535);
    to.flag("json", "print one JSON object", a.json);
    to.flag("quiet", "show no progress", a.quiet);
  }

  void plan() {
    a.kind = a.wire != nullptr ? load_kind::messages
             : wire == "http"  ? load_kind::requests
                               : load_kind::datagrams;
    a.port = port.value_or(a.wire != nullptr ? a.wire->port_default()
                           : wire == "http"  ? http_port_default
                                             : udp_port_default);
    for (const auto& each : more_ports) a.more_ports.push_back(port_in(each));
    switch (a.kind) {
      case load_kind::messages: plan_messages(); break;
      case load_kind::requests: plan_requests(); break;
      case load_kind::datagrams: plan_datagrams(); break;
    }
  }

 private:
  struct flag_given {
    const char* flag;
    bool given;
  };
  void refuse(std::initializer_list<flag_given> all) const {
    for (const auto& each : all)
      if (each.given)
        throw base::usage_error{std::string{each.flag} + " is not for " + wire + ": leave it out"};
  }

  void plan_requests() {
    refuse({{"--fresh", a.plan.fresh},
            {"--more-ports", !more_ports.empty()},
            {"--across", a.plan.across},
            {"--redial", a.plan.redial},
            {"--think", think.has_value()},
            {"--sources", a.sources},
            {"--hostile", a.hostile.has_value()},
            {"--hostile-clients", hostile_clients.has_value()}});
    auto& p = a.plan;
    p.connections = connections.value_or(std::min(2 * p.games, http_connections_default));
    if (a.streams && a.blind)
      throw base::usage_error{"--streams and --blind exclude each other: leave one out"};
    a.rate = rate.value_or(a.rate);
  }

  // One player per game, against the hub's engine.
  void plan_datagrams() {
    refuse({{"--fresh", a.plan.fresh},
            {"--more-ports", !more_ports.empty()},
            {"--across", a.plan.across},
            {"--connections", connections.has_value()},
            {"--hostile", a.hostile.has_value()},
            {"--hostile-clients", hostile_clients.has_value()},
            {"--streams", a.streams},
            {"--redial", a.plan.redial},
            {"--think", think.has_value()},
            {"--blind", a.blind}});
    auto& p = a.plan;
    p.connections = a.sources ? 1 : p.games;
    p.rate = rate.value_or(p.rate);
  }

  void plan_messages() {
    refuse({{"--sources", a.sources}, {"--streams", a.streams}, {"--blind", a.blind}});
    // A WebSocket begins with an HTTP request, which hostile clients do not send.
    if (a.wire == &web_sockets()) refuse({{"--hostile", a.hostile.has_value()}});
    auto& p = a.plan;
    p.connections = connections.value_or(2 * p.games);
    p.rate = rate.value_or(p.rate);
    p.think = std::chrono::milliseconds{think.value_or(0)};
    if (p.across && more_ports.empty())
      throw base::usage_error{"--across needs --more-ports: give the ports of other hubs"};
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
    choose_hostile();
  }

  void choose_hostile() {
    if (hostile_clients && !a.hostile)
      throw base::usage_error{
          "--hostile-clients needs --hostile with a kind: deaf, garbage, pipeline or drip"};
    a.hostile_clients = hostile_clients.value_or(a.hostile_clients);
  }
};

}  // namespace

void add_bench_verb(config::verb& to, std::function<int(const arguments&)> run) {
  const auto given = std::make_shared<given_options>();
  auto& bench = to.add(config::bench_verb.name, config::bench_verb.help);
  given->add_to(bench);
  bench.footer =
      "Every board and every result is checked against the rules. The latency of a move ends when\n"
      "the opponent has read it; over http without --streams, when the answer arrives. Players of\n"
      "udp play against the hub's engine, and the latency is that of an answer to a datagram.\n"
      "1,000,000 of them need --sources here, and at the hub --games-max, --connections-max and\n"
      "--udp-connections-max 4000000, and --udp-guest-rate 0: most addresses have proven nothing.\n"
      "Exit code: 0 without errors, 1 for errors, 2 for a mistake in the flags or if no hub\n"
      "answers. Ctrl-C ends a run early; it still prints its report.";
  bench.run = [given, run = std::move(run)](config::settings&) {
    given->plan();
    return run(given->a);
  };
}

}  // namespace gamehub::tools::bench
