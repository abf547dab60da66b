#include "metrics/metrics.hpp"

#include "metrics/family.hpp"
#include "metrics/gateway_metrics.hpp"
#include "metrics/process.hpp"

#include <prometheus/collectable.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <mutex>
#include <sstream>
#include <utility>

namespace gamehub::metrics {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

std::string_view to_string(result r) {
  switch (r) {
    case result::first: return "first";
    case result::second: return "second";
    case result::other: return "other";
    case result::draw: return "draw";
    case result::none: return "none";
  }
  return "unknown";
}

std::string_view to_string(effort how) {
  switch (how) {
    case effort::at_once: return "at-once";
    case effort::full: return "full";
    case effort::hurried: return "hurried";
    case effort::random: return "random";
  }
  return "unknown";
}

// True for results that are exported at zero from the start, so that a rate includes the first one.
// Other pairs appear when they occur.
bool is_usual(result r, end_reason why) {
  switch (why) {
    case end_reason::rules: return r == result::first || r == result::second || r == result::draw;
    case end_reason::agreed: return r == result::draw;
    case end_reason::left:
    case end_reason::clock: return r == result::first || r == result::second;
    case end_reason::drained:
    case end_reason::operator_:
    case end_reason::failed:
    case end_reason::interrupted: return r == result::none;
  }
  return false;
}

const char* compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

}  // namespace

class exposition::collector : public prometheus::Collectable {
 public:
  explicit collector(catalog names) : names_(std::move(names)), engines_(names_.engines) {}

  void attach(const cells* loop) { loops_.push_back(loop); }
  void attach_journal(std::function<journal_numbers()> ask) { journal_ = std::move(ask); }
  void attach_thinking(std::function<thinking_numbers()> ask) { thinking_ = std::move(ask); }
  void attach_engines(std::function<engine_numbers()> ask) { engine_numbers_ = std::move(ask); }

  void attach_addresses(const address_ledger& all) { addresses_ = &all; }
  void attach_admin(std::function<admin_numbers()> ask) { admin_ = std::move(ask); }
  void attach_arena(std::function<arena_numbers()> ask) { arena_ = std::move(ask); }
  void attach_cluster(std::function<cluster_numbers()> ask) { cluster_ = std::move(ask); }
  void attach_links(std::function<link_numbers()> ask) { links_ = std::move(ask); }
  void attach_webhooks(std::function<webhook_numbers()> ask) { webhooks_ = std::move(ask); }

  void add_engine(std::string id) {
    const std::lock_guard lock{engines_guard_};
    engines_.push_back(std::move(id));
  }

  std::vector<MetricFamily> Collect() const override {
    std::vector<MetricFamily> out;
    const auto engines = engines_now();
    const auto journal = journal_ ? journal_() : journal_numbers{};
    collect_hub(ready && journal.ok, out);
    collect_journal(journal, out);
    collect_cluster(cluster_ ? std::optional{cluster_()} : std::nullopt, out);
    collect_links(links_ ? std::optional{links_()} : std::nullopt, out);
    collect_arena(arena_ ? arena_() : arena_numbers{}, out);
    collect_webhooks(webhooks_ ? std::optional{webhooks_()} : std::nullopt, out);
    collect_engines(engine_numbers_ ? engine_numbers_() : engine_numbers{}, out);
    collect_games(engines, out);
    collect_moves(engines, out);
    collect_engine_moves(engines, out);
    collect_sessions(out);
    collect_connections(out);
    collect_addresses(out);
    collect_bots(loops_, out);
    collect_datagrams(names_, loops_, out);
    collect_requests(names_, loops_, out);
    collect_loops(out);
    collect_admin(admin_ ? admin_() : admin_numbers{}, out);
    collect_process(out);
    return out;
  }

  std::atomic<bool> ready{false}, draining{false};
  std::atomic<std::size_t> plugins_loaded{0}, plugins_refused{0};

 private:
  using engine_names = std::vector<std::string>;

  engine_names engines_now() const {
    const std::lock_guard lock{engines_guard_};
    return engines_;
  }

  // Returns the sum of a cell over all loops.
  template <class Pick>
  std::int64_t sum(Pick pick) const {
    std::int64_t total = 0;
    for (const auto* loop : loops_) total += pick(*loop).value();
    return total;
  }

  void collect_hub(bool takes_players, std::vector<MetricFamily>& out) const {
    family{out, "gamehub_build_info", "Version, compiler and CAF version of the build; always 1.",
           MetricType::Gauge}
        .add({{"version", names_.version},
              {"compiler", compiler()},
              {"caf_version", names_.caf_version}},
             1.0);
    family{out, "gamehub_ready", "1 while the hub accepts players.", MetricType::Gauge}.add(
        {}, takes_players ? 1.0 : 0.0);
    family{out, "gamehub_draining", "1 while the hub is stopping.", MetricType::Gauge}.add(
        {}, draining ? 1.0 : 0.0);
    family plugins{out, "gamehub_plugins", "Files in the plugin folder, by result of loading.",
                   MetricType::Gauge};
    plugins.add({{"state", "loaded"}}, static_cast<std::int64_t>(plugins_loaded.load()));
    plugins.add({{"state", "refused"}}, static_cast<std::int64_t>(plugins_refused.load()));
    family{out, "gamehub_journal_commits_total", "Journal commits that were reported to loops.",
           MetricType::Counter}
        .add({}, sum([](const cells& c) -> auto& { return c.loop.journal_commits; }));
    family presence{out, "gamehub_presence_changes_total",
                    "Players of running games who were reported as away, and as back.",
                    MetricType::Counter};
    presence.add({{"change", "away"}},
                 sum([](const cells& c) -> auto& { return c.loop.players_gone; }));
    presence.add({{"change", "back"}},
                 sum([](const cells& c) -> auto& { return c.loop.players_back; }));
    family{
        out, "gamehub_lasting_games",
        "Open games whose players may be away as long as the clock says, and that are not asleep.",
        MetricType::Gauge}
        .add({}, sum([](const cells& c) -> auto& { return c.loop.lasting_games; }));
    family{out, "gamehub_lasting_games_refused_total",
           "Requests for such a game that were refused because as many are in memory as may be.",
           MetricType::Counter}
        .add({}, sum([](const cells& c) -> auto& { return c.loop.lasting_games_refused; }));
    collect_sleep(out);
    family substitutions{out, "gamehub_substitutions_total",
                         "Seats of running games that an engine began to play, by why the player "
                         "did not play on.",
                         MetricType::Counter};
    for (std::size_t i = 0; i < leave_cause_count; ++i) {
      const auto why = static_cast<leave_cause>(i);
      const auto word = why == leave_cause::quit ? "quit" : gamehub::to_string(why);
      substitutions.add({{"cause", word}},
                        sum([=](const cells& c) -> auto& { return c.loop.substitutions[i]; }));
    }
    family credits{
        out, "gamehub_clock_credit_seconds_total",
        "Time of turns that was not charged to players because the hub was late, by why.",
        MetricType::Counter};
    constexpr std::array causes{"loop", "journal", "restart"};
    static_assert(causes.size() == credit_cause_count);
    for (std::size_t i = 0; i < causes.size(); ++i)
      credits.add({{"cause", causes[i]}}, 1e-6 * static_cast<double>(sum([=
      ](const cells& c) -> auto& { return c.loop.clock_credits[i]; })));
  }

  void collect_sleep(std::vector<MetricFamily>& out) const {
    family{
        out, "gamehub_games_asleep",
        "Open games that are in the journal alone, because nothing is due in them. With --cluster "
        "those that this hub has not stored yet.",
        MetricType::Gauge}
        .add({}, sum([](const cells& c) -> auto& { return c.loop.games_asleep; }));
    family wakes{out, "gamehub_wakes_total",
                 "Games that were asleep and were read and replayed, by what needed them.",
                 MetricType::Counter};
    constexpr std::array causes{"player", "clock", "spectator", "operator"};
    static_assert(causes.size() == wake_cause_count);
    for (std::size_t i = 0; i < causes.size(); ++i)
      wakes.add({{"cause", causes[i]}},
                sum([=](const cells& c) -> auto& { return c.loop.wakes[i]; }));
    family{out, "gamehub_wakes_failed_total",
           "Of these, games whose log could not be read or does not replay.", MetricType::Counter}
        .add({}, sum([](const cells& c) -> auto& { return c.loop.wakes_failed; }));
    family{out, "gamehub_wake_duration_seconds",
           "From the request that needs a game that is asleep until the game is replayed.",
           MetricType::Histogram}
        .add(histogram(
            labels{}, [](const cells& c) -> auto& { return c.loop.wake_duration; }));
  }

  void collect_games(const engine_names& engines, std::vector<MetricFamily>& out) const {
    family started{out, "gamehub_games_started_total", "Games that started.", MetricType::Counter};
    family finished{out, "gamehub_games_finished_total",
                    "Games that ended, by winner (the seat, a draw, or none) and reason.",
                    MetricType::Counter};
    family running{out, "gamehub_games_running",
                   "Games that have started and not ended, and are not asleep.", MetricType::Gauge};
    family waiting{out, "gamehub_players_waiting", "Players that wait for an opponent.",
                   MetricType::Gauge};
    for (std::size_t e = 0; e < engines.size(); ++e) {
      const auto& engine = engines[e];
      const auto ended = add_finished(finished, engine, e);
      // Read after the ended games, so that a game that ends meanwhile is not counted as ended but
      // not started.
      std::atomic_thread_fence(std::memory_order_acquire);
      const auto begun = sum([=](const cells& c) -> auto& { return c.engines[e].games_started; });
      const auto slept = sum([=](const cells& c) -> auto& { return c.engines[e].games_slept; });
      started.add({{"engine", engine}}, begun);
      running.add({{"engine", engine}}, std::max<std::int64_t>(0, begun - ended - slept));
      waiting.add({{"engine", engine}},
                  sum([=](const cells& c) -> auto& { return c.engines[e].players_waiting; }));
    }
    family{out, "gamehub_games_failed_total", "Games that an error of the hub or an engine ended.",
           MetricType::Counter}
        .add({}, sum([](const cells& c) -> auto& { return c.loop.games_failed; }));
    family{out, "gamehub_internal_errors_total",
           "Exceptions that left an actor or a task of a loop.", MetricType::Counter}
        .add({}, sum([](const cells& c) -> auto& { return c.loop.faults; }));
  }

  // Adds the samples of one engine; returns the number of its ended games.
  std::int64_t add_finished(family& finished, const std::string& engine, std::size_t e) const {
    std::int64_t ended = 0;
    for (std::size_t r = 0; r < result_count; ++r)
      for (std::size_t w = 0; w < end_reason_count; ++w) {
        const auto n =
            sum([=](const cells& c) -> auto& { return c.engines[e].games_finished[r][w]; });
        const auto won = static_cast<result>(r);
        const auto why = static_cast<end_reason>(w);
        if (n > 0 || is_usual(won, why))
          finished.add(
              {{"engine", engine}, {"result", to_string(won)}, {"reason", gamehub::to_string(why)}},
              n);
        ended += n;
      }
    return ended;
  }

  void collect_moves(const engine_names& engines, std::vector<MetricFamily>& out) const {
    family moves{out, "gamehub_moves_total", "Moves that players submitted, by outcome.",
                 MetricType::Counter};
    family duration{out, "gamehub_move_duration_seconds",
                    "Time from receiving a move to writing its reply to the socket; for bots, from "
                    "their reply to its acknowledgement.",
                    MetricType::Histogram};
    for (std::size_t w = 0; w < names_.wires.size(); ++w) {
      for (std::size_t e = 0; e < engines.size(); ++e) {
        const auto add = [&](const char* outcome, auto cell) {
          moves.add({{"engine", engines[e]}, {"gateway", names_.wires[w]}, {"outcome", outcome}},
                    sum([=](const cells& c) -> auto& { return c.wires[w].moves[e].*cell; }));
        };
        add("accepted", &move_cells::accepted);
        add("refused", &move_cells::refused);
      }
      duration.add(histogram(
          {"gateway", names_.wires[w]}, [w](const cells& c) -> auto& {
            return c.wires[w].move_duration;
          }));
    }
  }

  // Returns a histogram over all loops.
  template <class Pick>
  ClientMetric histogram(label of, Pick pick) const {
    return histogram(labels{of}, pick);
  }
  template <class Pick>
  ClientMetric histogram(labels of, Pick pick) const {
    auto out = labelled(of);
    auto& sums = out.histogram;
    for (std::size_t b = 0; b <= duration_cells::bucket_count; ++b) {
      for (const auto* loop : loops_)
        sums.sample_count += static_cast<std::uint64_t>(pick(*loop).bucket(b));
      const auto last = b == duration_cells::bucket_count;
      sums.bucket.push_back({sums.sample_count, last ? std::numeric_limits<double>::infinity()
                                                     : duration_cells::bound_seconds(b)});
    }
    for (const auto* loop : loops_) sums.sample_sum += pick(*loop).sum_seconds();
    return out;
  }

  // Collects the moves of engine players.
  void collect_engine_moves(const engine_names& engines, std::vector<MetricFamily>& out) const {
    family moves{out, "gamehub_engine_moves_total",
                 "Moves of engine players, by how they were found.", MetricType::Counter};
    family thinking{out, "gamehub_engine_thinking_seconds",
                    "Duration of engine searches on the search threads.", MetricType::Histogram};
    for (std::size_t e = 0; e < engines.size(); ++e) {
      for (std::size_t how = 0; how < effort_count; ++how)
        moves.add({{"engine", engines[e]}, {"effort", to_string(static_cast<effort>(how))}},
                  sum([=](const cells& c) -> auto& { return c.engines[e].engine_moves[how]; }));
      thinking.add(histogram(
          {"engine", engines[e]}, [e](const cells& c) -> auto& {
            return c.engines[e].thinking_duration;
          }));
    }
    const auto now = thinking_ ? thinking_() : thinking_numbers{};
    const auto gauge = [&](const char* name, const char* help, std::size_t n) {
      family{out, name, help, MetricType::Gauge}.add({}, static_cast<double>(n));
    };
    gauge("gamehub_thinking_threads", "Threads for engine searches.", now.threads);
    gauge("gamehub_thinking_threads_busy", "Search threads that are busy.", now.thinking);
    gauge("gamehub_thinking_waiting", "Moves that wait for a search thread.", now.waiting);
  }

  // Adds a metric with one sample per protocol.
  void each_wire(std::vector<MetricFamily>& out, const char* name, const char* help,
                 MetricType type, cell wire_cells::*what) const {
    family to{out, name, help, type};
    for (std::size_t w = 0; w < names_.wires.size(); ++w)
      to.add({{"gateway", names_.wires[w]}},
             sum([=](const cells& c) -> auto& { return c.wires[w].*what; }));
  }

  // Adds a metric with one sample per protocol and reason; `word` names the reasons.
  template <class Cells, class Word>
  void each_reason(std::vector<MetricFamily>& out, const char* name, const char* help, Cells what,
                   std::size_t count, Word word) const {
    family to{out, name, help, MetricType::Counter};
    for (std::size_t w = 0; w < names_.wires.size(); ++w)
      for (std::size_t r = 0; r < count; ++r)
        to.add({{"gateway", names_.wires[w]}, {"reason", word(r)}},
               sum([=](const cells& c) -> auto& { return (c.wires[w].*what)[r]; }));
  }

  void collect_sessions(std::vector<MetricFamily>& out) const {
    each_wire(out, "gamehub_sessions", "Open sessions, by protocol.", MetricType::Gauge,
              &wire_cells::sessions_open);
    each_wire(out, "gamehub_sessions_opened_total", "Sessions that were opened.",
              MetricType::Counter, &wire_cells::sessions_opened);
    each_wire(out, "gamehub_sessions_failed_total", "Sessions that an internal error ended.",
              MetricType::Counter, &wire_cells::sessions_failed);
    each_wire(out, "gamehub_sessions_evicted_total",
              "Sessions without a game that made room for new clients in a full hub.",
              MetricType::Counter, &wire_cells::sessions_evicted);
    each_reason(out, "gamehub_refusals_total", "Valid requests that were refused.",
                &wire_cells::refusals, refusal_count,
                [](std::size_t r) { return gamehub::to_string(static_cast<refusal>(r)); });
  }

  void collect_connections(std::vector<MetricFamily>& out) const {
    each_wire(out, "gamehub_connections", "Open connections.", MetricType::Gauge,
              &wire_cells::connections_open);
    each_wire(out, "gamehub_connections_opened_total", "Connections that were opened.",
              MetricType::Counter, &wire_cells::connections_opened);
    each_reason(out, "gamehub_connections_closed_total", "Connections that were closed, by reason.",
                &wire_cells::connections_closed, close_reason_count,
                [](std::size_t r) { return gamehub::to_string(static_cast<close_reason>(r)); });
    each_wire(out, "gamehub_connections_slowed_total",
              "Connections that were slowed down because too many requests in a row were refused.",
              MetricType::Counter, &wire_cells::connections_slowed);
    const auto& errors = names_.protocol_errors;
    each_reason(out, "gamehub_protocol_errors_total", "Connections that violated their protocol.",
                &wire_cells::protocol_errors,
                std::min(errors.size(), std::tuple_size_v<decltype(wire_cells::protocol_errors)>),
                [&](std::size_t r) -> std::string_view { return errors[r]; });
    each_wire(out, "gamehub_received_bytes_total", "Bytes received from clients.",
              MetricType::Counter, &wire_cells::bytes_received);
    each_wire(out, "gamehub_sent_bytes_total", "Bytes sent to clients.", MetricType::Counter,
              &wire_cells::bytes_sent);
  }

  // Adds a metric with one sample per loop.
  void each_loop(std::vector<MetricFamily>& out, const char* name, const char* help,
                 MetricType type, cell loop_cells::*what, double unit = 1) const {
    family to{out, name, help, type};
    for (std::size_t l = 0; l < loops_.size(); ++l)
      to.add({{"loop", std::to_string(l)}},
             unit * static_cast<double>((loops_[l]->loop.*what).value()));
  }

  void collect_loops(std::vector<MetricFamily>& out) const {
    constexpr auto nanosecond = 1e-9;
    each_loop(out, "gamehub_loop_run_queue_length",
              "Actors left to run after the latest iteration.", MetricType::Gauge,
              &loop_cells::run_queue_length);
    each_loop(out, "gamehub_loop_longest_stall_seconds", "Longest iteration since the start.",
              MetricType::Gauge, &loop_cells::stall_nanoseconds_max, nanosecond);
    each_loop(out, "gamehub_loop_busy_seconds_total", "Time in iterations, without waiting.",
              MetricType::Counter, &loop_cells::busy_nanoseconds, nanosecond);
    each_loop(out, "gamehub_loop_turns_total", "Iterations of the loop.", MetricType::Counter,
              &loop_cells::turns);
    each_loop(out, "gamehub_loop_actors_resumed_total", "Times that an actor was run.",
              MetricType::Counter, &loop_cells::actors_resumed);
    each_loop(out, "gamehub_loop_posts_total", "Batches of messages received from other loops.",
              MetricType::Counter, &loop_cells::posts);
    each_loop(out, "gamehub_loop_timers", "Armed timers.", MetricType::Gauge,
              &loop_cells::timers_pending);
  }

  static void collect_process(std::vector<MetricFamily>& out) {
    const auto usage = usage_of_this_process();
    family{out, "gamehub_process_cpu_seconds_total", "Processor time of the process.",
           MetricType::Counter}
        .add({}, usage.cpu_seconds);
    const auto known = [&](const char* name, const char* help, const auto& value) {
      family to{out, name, help, MetricType::Gauge};
      if (value) to.add({}, *value);
    };
    known("gamehub_process_resident_memory_bytes", "Resident memory of the process.",
          usage.resident_bytes);
    known("gamehub_process_open_fds", "Open file descriptors.", usage.open_fds);
    known("gamehub_process_max_fds", "Limit of open file descriptors.", usage.max_fds);
    known("gamehub_process_start_time_seconds", "Start time of the process in seconds since 1970.",
          usage.start_seconds);
  }

  void collect_addresses(std::vector<MetricFamily>& out) const {
    const auto* all = addresses_;
    family{out, "gamehub_addresses", "Addresses of clients that hold something.", MetricType::Gauge}
        .add({}, all == nullptr ? 0.0 : static_cast<double>(all->accounts()));
    family to{out, "gamehub_address_refusals_total",
              "What was refused because an address had reached a limit, by limit.",
              MetricType::Counter};
    for (int i = 0; i < address_limit_count; ++i) {
      const auto what = static_cast<address_limit>(i);
      to.add({{"limit", to_string(what)}},
             all == nullptr ? 0.0 : static_cast<double>(all->refusals(what)));
    }
  }

  const catalog names_;
  mutable std::mutex engines_guard_;
  engine_names engines_;
  std::vector<const cells*> loops_;
  std::function<journal_numbers()> journal_;
  std::function<arena_numbers()> arena_;
  std::function<cluster_numbers()> cluster_;
  std::function<link_numbers()> links_;
  std::function<webhook_numbers()> webhooks_;
  std::function<thinking_numbers()> thinking_;
  const address_ledger* addresses_ = nullptr;
  std::function<engine_numbers()> engine_numbers_;
  std::function<admin_numbers()> admin_;
};

exposition::exposition(catalog names) : collector_(std::make_unique<collector>(std::move(names))) {}
exposition::~exposition() = default;

void exposition::add_engine(std::string id) { collector_->add_engine(std::move(id)); }
void exposition::attach(const cells* loop) { collector_->attach(loop); }
void exposition::attach_journal(std::function<journal_numbers()> ask) {
  collector_->attach_journal(std::move(ask));
}
void exposition::attach_admin(std::function<admin_numbers()> ask) {
  collector_->attach_admin(std::move(ask));
}
void exposition::attach_arena(std::function<arena_numbers()> ask) {
  collector_->attach_arena(std::move(ask));
}
void exposition::attach_cluster(std::function<cluster_numbers()> ask) {
  collector_->attach_cluster(std::move(ask));
}

void exposition::attach_links(std::function<link_numbers()> ask) {
  collector_->attach_links(std::move(ask));
}
void exposition::attach_webhooks(std::function<webhook_numbers()> ask) {
  collector_->attach_webhooks(std::move(ask));
}
void exposition::attach_addresses(const address_ledger& all) { collector_->attach_addresses(all); }
void exposition::attach_thinking(std::function<thinking_numbers()> ask) {
  collector_->attach_thinking(std::move(ask));
}

void exposition::attach_engines(std::function<engine_numbers()> ask) {
  collector_->attach_engines(std::move(ask));
}

void exposition::mark_ready(bool yes) { collector_->ready = yes; }
void exposition::mark_draining(bool yes) { collector_->draining = yes; }
void exposition::mark_plugins(std::size_t loaded, std::size_t refused) {
  collector_->plugins_loaded = loaded;
  collector_->plugins_refused = refused;
}

std::string exposition::text() const {
  std::ostringstream out;
  prometheus::TextSerializer{}.Serialize(out, collector_->Collect());
  return out.str();
}

}  // namespace gamehub::metrics
