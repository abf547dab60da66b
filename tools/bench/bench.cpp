#include "tools/bench/bench.hpp"

#include "hub/base/usage_error.hpp"
#include "tools/bench/arguments.hpp"
#include "tools/bench/report.hpp"
#include "tools/bench/server.hpp"
#include "tools/bench/server_counters.hpp"
#include "tools/bench/udp_load.hpp"
#include "tools/bench/udp_sockets.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <time.h>
#include <unistd.h>
#include <vector>

namespace gamehub::tools::bench {
namespace {

using std::chrono::seconds;

// A game without a message for this time is stalled.
constexpr seconds stalled_after{5};
// Before the memory of idle games is read.
constexpr seconds settling{2};
constexpr std::chrono::milliseconds counters_time{10'000};

volatile std::sig_atomic_t interrupted = 0;

bool stopped() { return interrupted != 0; }

double seconds_since(clock::time_point t) {
  return std::chrono::duration<double>(clock::now() - t).count();
}

double own_cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Prints the progress of a run to standard error; on a terminal in one line.
class progress {
 public:
  explicit progress(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}
  ~progress() {
    if (!quiet_ && terminal_) std::cerr << "\r\x1b[K" << std::flush;
  }
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void show(const std::string& text) const {
    if (quiet_) return;
    if (terminal_)
      std::cerr << "\r\x1b[K" << text << std::flush;
    else
      std::cerr << text << '\n';
  }
  // A log gets fewer lines than a terminal.
  seconds interval() const { return seconds{terminal_ ? 1 : 5}; }

 private:
  bool quiet_, terminal_;
};

class measurement {
 public:
  explicit measurement(const arguments& a) : args_(a), progress_(a.quiet) {
    switch (a.kind) {
      case load_kind::messages: prepare_messages(); break;
      case load_kind::requests: prepare_requests(); break;
      case load_kind::datagrams: prepare_datagrams(); break;
    }
    if (a.pid && !usage_of(*a.pid))
      throw base::usage_error{
          "--pid " + std::to_string(*a.pid) +
          ": there is no such process, or this user may not read its state; leave it out"};
  }

  figures run() {
    if (args_.admin_port) before_ = fetch_counters(args_.host, *args_.admin_port);
    found_.wire = args_.wire_name();
    found_.games = args_.plan.games;
    found_.connections = args_.plan.connections;
    found_.streams = streams();
    found_.fresh = args_.plan.fresh;
    found_.idle = args_.plan.idle;
    play();
    if (args_.admin_port) settle_counters();
    return std::move(found_);
  }

 private:
  int streams() const { return args_.streams ? 2 * args_.plan.games : 0; }

  void prepare_connections(int more) {
    auto ports = args_.more_ports;
    ports.insert(ports.begin(), args_.port);
    connector_.emplace(args_.host, ports);
    raise_descriptor_limit(static_cast<std::size_t>(args_.plan.connections + more));
    find_servers(connector_->loopback(), ports, transport::tcp);
    found_.where = connector_->where();
  }

  void prepare_messages() {
    prepare_connections(args_.hostile_clients);
    load_ = std::make_unique<load>(*args_.wire, *connector_, args_.plan);
  }

  void prepare_requests() {
    prepare_connections(streams());
    const auto& p = args_.plan;
    load_ = std::make_unique<http_load>(*connector_, http_plan{p.games, p.connections, args_.rate,
                                                               args_.streams, p.idle, args_.blind});
  }

  void prepare_datagrams() {
    const udp_target target{args_.host, args_.port};
    const auto games = static_cast<std::size_t>(args_.plan.games);
    find_servers(target.loopback(), {args_.port}, transport::udp);
    found_.where = target.where();
    load_ = std::make_unique<udp_load>(open_udp_sockets(target, games, args_.sources),
                                       udp_plan{games, args_.plan.idle, args_.plan.rate});
  }

  void find_servers(bool loopback, const std::vector<std::uint16_t>& ports, transport by) {
    if (args_.pid) pids_.push_back(*args_.pid);
    if (args_.pid || !loopback) return;
    for (const auto port : ports)
      if (const auto pid = listener_on(port, by)) pids_.push_back(*pid);
  }

  // Of all servers together.
  std::optional<server_usage> usage() const {
    std::optional<server_usage> all;
    for (const auto pid : pids_) {
      const auto each = usage_of(pid);
      if (!each) return std::nullopt;
      if (!all) all.emplace();
      all->cpu_seconds += each->cpu_seconds;
      all->resident_kib += each->resident_kib;
      all->descriptors += each->descriptors;
    }
    return all;
  }

  void play() {
    const auto empty = usage();
    auto& load = *load_;
    progress_.show("opening " + std::to_string(args_.plan.games) + " games");
    const auto start = clock::now();
    const auto opened = load.open(stopped);
    found_.opening_seconds = seconds_since(start);
    found_.opening_most_us = load.counts().latency.most_us();
    if (opened) {
      std::unique_ptr<hostile_clients> hostile;
      if (args_.hostile)
        hostile = std::make_unique<hostile_clients>(*args_.wire, *connector_, *args_.hostile,
                                                    args_.hostile_clients);
      const auto quiet_time = args_.plan.idle ? std::max(settling, args_.warm_up) : args_.warm_up;
      load.play(clock::now() + quiet_time, stopped);
      measure(load, empty);
      if (hostile) {
        const auto tally = hostile->so_far();
        found_.hostile = {std::string{to_string(*args_.hostile)}, args_.hostile_clients,
                          tally.connections, tally.bytes};
      }
    }
    load.leave();
    found_.errors = load.faults().count();
    found_.errors_by_text = load.faults().by_text();
    // Closing the connections ends the games.
    load_.reset();
  }

  void measure(any_load& load, const std::optional<server_usage>& empty) {
    load.reset_counts();
    const auto before = usage();
    const auto own_before = own_cpu_seconds();
    const auto start = clock::now();
    const auto end = start + args_.seconds;
    std::uint64_t moves_told = 0;
    for (auto next = start; !stopped() && next < end;) {
      next = std::min(end, next + progress_.interval());
      load.play(next, stopped);
      const auto moves = load.counts().moves;
      std::ostringstream line;
      line << static_cast<int>(seconds_since(start) + 0.5) << " of " << args_.seconds.count()
           << " s: " << load.running() << " games run, "
           << (moves - moves_told) / static_cast<std::uint64_t>(progress_.interval().count())
           << " moves/s, " << load.faults().count() << " errors";
      progress_.show(line.str());
      moves_told = moves;
    }
    found_.seconds = seconds_since(start);
    found_.load_cpu_seconds = own_cpu_seconds() - own_before;
    const auto after = usage();
    if (args_.admin_port)
      found_.running_at_hub =
          fetch_counters(args_.host, *args_.admin_port).running - before_.running;
    if (!args_.plan.idle) load.find_stalled(stalled_after);
    found_.games_running = load.running();
    const auto& counted = load.counts();
    found_.games_played = counted.games();
    found_.walkovers = counted.walkovers;
    found_.moves = counted.moves;
    found_.moves_timed = counted.latency.count();
    found_.p50_us = counted.latency.at_us(0.5);
    found_.p99_us = counted.latency.at_us(0.99);
    found_.p999_us = counted.latency.at_us(0.999);
    found_.most_us = counted.latency.most_us();
    found_.starts = {counted.starts.count(), counted.starts.at_us(0.5), counted.starts.at_us(0.99),
                     counted.starts.most_us()};
    if (args_.kind == load_kind::requests) found_.requests = counted.requests;
    if (args_.kind == load_kind::datagrams)
      found_.datagrams = {counted.datagrams_sent, counted.datagrams_received,
                          counted.datagrams_repeated};
    if (empty && before && after)
      found_.server = {pids_.front(),       after->cpu_seconds - before->cpu_seconds,
                       empty->resident_kib, after->resident_kib,
                       empty->descriptors,  after->descriptors};
  }

  void settle_counters() {
    progress_.show("reading the hub's own counts");
    auto counted = fetch_settled_counters(args_.host, *args_.admin_port, counters_time);
    // Games of other players are in both counts.
    counted.started -= before_.started;
    counted.finished -= before_.finished;
    counted.running -= before_.running;
    found_.counters = counted;
  }

  const arguments& args_;
  progress progress_;
  std::optional<connector> connector_;  // over TCP
  std::unique_ptr<any_load> load_;
  std::vector<pid_t> pids_;  // of the servers on this machine
  server_counters before_;
  figures found_;
};

}  // namespace

int run(const arguments& args) {
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  const auto found = measurement{args}.run();
  std::cout << (args.json ? json(found) : text(found)) << std::flush;
  return found.passed() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace gamehub::tools::bench
