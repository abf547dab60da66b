#include "hub/app/hub.hpp"

#include <sys/resource.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "actors/runtime.hpp"
#include "actors/thinking.hpp"
#include "gateways/http/server/server.hpp"
#include "hub/app/admin/admin.hpp"
#include "hub/app/arena/arena_pages.hpp"
#include "hub/app/arena/kept_arena.hpp"
#include "hub/app/bots/arena_registrar.hpp"
#include "hub/app/engine_watch.hpp"
#include "hub/app/entrances.hpp"
#include "hub/app/isolation/isolated_engines.hpp"
#include "hub/app/kept_journal.hpp"
#include "hub/app/log.hpp"
#include "hub/app/loop_threads.hpp"
#include "hub/app/moderation/book.hpp"
#include "hub/app/moderation/desk.hpp"
#include "hub/app/moderation/token.hpp"
#include "hub/app/offer.hpp"
#include "hub/app/plugins/supply.hpp"
#include "hub/app/plugins/watch.hpp"
#include "hub/app/recovery_progress.hpp"
#include "hub/app/slow_moves.hpp"
#include "hub/core/entropy.hpp"
#include "hub/core/limits.hpp"
#include "metrics/metrics.hpp"

namespace gamehub::app {

namespace asio = boost::asio;

namespace {

// Every client is a descriptor: take as many as we may.
void raise_descriptor_limit() {
  rlimit most{};
  if (getrlimit(RLIMIT_NOFILE, &most) != 0) return;
  most.rlim_cur = most.rlim_max;
  setrlimit(RLIMIT_NOFILE, &most);
}

actors::runtime_settings runtime_settings_of(const settings& s, const moderation& rules) {
  return {s.turn, s.handshake, s.idle, s.connections_max, s.games_max, s.rejoin, &rules};
}

// Beside the journal's file, unless another place is said.
std::filesystem::path moderation_file_of(const settings& s) {
  if (!s.moderation_file.empty() || s.journal_in == journal_kind::memory) return s.moderation_file;
  auto out = s.journal_file;
  return out += ".moderation";
}

metrics::catalog exposition_catalog(const actors::catalog& directory) {
  metrics::catalog c;
  for (const auto& e : directory.engines)
    if (e.kind == c.engines.size()) c.engines.push_back(e.traits.id);
  for (const auto& w : directory.wires) {
    c.wires.push_back(w.name);
    for (const auto* p : gateways::protocols()) {
      if (p->name != w.name) continue;
      if (p->over_datagrams()) c.datagram_wires.push_back(w.name);
      if (p->over_requests) c.request_wires.push_back(w.name);
    }
  }
  c.routes = gateways::http::server::route_words();
  for (int i = 0; i < gateways::protocol_error_count; ++i)
    c.protocol_errors.emplace_back(to_string(static_cast<gateways::protocol_error>(i)));
  c.version = GAMEHUB_VERSION;
  c.caf_version = CAF_VERSION_TEXT;
  return c;
}

class hub {
 public:
  explicit hub(const settings& s)
      : settings_(s),
        isolated_(s.isolate, s.isolate_call,
                  {.memory_bytes = s.isolate_memory_mib * 1024 * 1024,
                   .cpu = {},
                   .files_max = limits::isolate_files_max}),
        plugins_(s.plugins, isolated_.among(engines::registry::built_in()),
                [this](const auto& file) { return isolated_.open(file); }),
        offer_(make_engine_catalog(process::checked(plugins_.engines(), s), s)),
        journal_(s),
        sanctions_(moderation_file_of(s), rules_),
        arena_(s),
        bots_(arena_.live()),
        search_pool_(
            {static_cast<std::size_t>(s.think_threads), s.think, limits::thoughts_waiting_max}),
        runtime_(offer_.catalog, journal_.log(), runtime_settings_of(s, rules_),
                 [] { return std::make_unique<system_entropy>(); }),
        slow_moves_(offer_),
        loops_(runtime_, journal_.log(), s.loops, s.isolate.size(), limits::engines_max,
               offer_.wires.size()),
        listeners_(
            s, offer_, runtime_, loops_, &bots_,
            [this](std::string_view engine, std::size_t limit) {
              return arena_.live().leaderboard(engine, limit);
            },
            rules_),
        commands_(sanctions_, runtime_, listeners_, loops_),
        exposition_(exposition_catalog(offer_.catalog)),
        signals_(control_, SIGTERM, SIGINT),
        deadline_(control_),
        reloader_(plugins_, offer_, exposition_, control_),
        engine_watchdog_(control_, loops_, offer_.catalog, s.engine_slow) {
    for (std::size_t i = 0; i < loops_.all_count(); ++i) {
      exposition_.attach(&loops_.cells(i));
      loops_.io(i).report_slow_moves(slow_moves_, s.slow_move);
    }
    exposition_.attach_journal([this] { return journal_numbers(); });
    exposition_.attach_arena([this] { return arena_.numbers(); });
    exposition_.attach_thinking([this] { return thinking_numbers(); });
    runtime_.use_search_executor(search_pool_);
    exposition_.attach_engines([this] { return engine_numbers(); });
    runtime_.start();
    try {
      ready_ = listeners_.open();
      open_admin();
      recover();
    } catch (...) {
      // The actors stand already, and only loops that run can take them down.
      loops_.run();
      close();
      throw;
    }
  }

  int run() {
    loops_.run();
    listeners_.start();
    wait_for_signal();
    reloader_.begin();
    // Whose games are lost is told so at once, not when they next move.
    isolated_.at_end(
        [this](const engines::host& of) { runtime_.end_games(end_reason::failed, &of); });
    engine_watchdog_.start();
    // Whoever reads the ready line finds it true.
    recovered_ = true;
    exposition_.mark_ready(true);
    announce();
    control_.run();
    if (forced_) {
      log::error("not all clients left in time; giving up on them");
      // Their sockets and actors are in use on running threads: nothing can be taken down in order.
      std::_Exit(1);
    }
    close();
    log::info("drained");
    return 0;
  }

 private:
  void open_admin() {
    if (!settings_.admin_port) return;
    admin_sources sources;
    sources.metrics = [this] { return exposition_.text(); };
    // Loops turn when the recovery is through.
    sources.healthy = [this] {
      return recovered_ ? health{loops_.find_stuck(offer_.catalog)} : health{};
    };
    sources.unready = [this] { return unready(); };
    sources.end_game = [this](game_id game, std::string reason, admin_sources::found found) {
      log::info("an operator ends a game", {{"game", game.value}, {"reason", reason}});
      runtime_.end_game(game, std::move(reason), std::move(found));
    };
    sources.starting = [this] {
      return recovered_ ? std::nullopt : std::optional{recovery_.words()};
    };
    sources.token = read_token(settings_.admin_token_file);
    sources.carry_out = [this](const operator_command& command, const admin_commands::done& done) {
      commands_.carry_out(command, done);
    };
    sources.arena = [this](std::string_view method, std::string_view target) {
      return arena_page(arena_.live(), method, target, wall_now());
    };
    sources.drain = [this] { asio::post(control_, [this] { obey(); }); };
    admin_ =
        std::make_unique<admin>(settings_.admin_listen, *settings_.admin_port, std::move(sources));
    ready_ += " admin=" + std::to_string(admin_->port());
  }

  std::optional<std::string> unready() const {
    if (runtime_.draining()) return "draining";
    if (!recovered_) return recovery_.words();
    if (const auto why = journal_.trouble()) return "journal: " + *why;
    return std::nullopt;
  }

  metrics::thinking_numbers thinking_numbers() const {
    const auto n = search_pool_.count();
    return {n.threads, n.thinking, n.waiting};
  }

  metrics::journal_numbers journal_numbers() const {
    auto out = journal_.numbers();
    out.restored = restored_;
    out.quarantined = quarantined_;
    out.engine_missing = engine_missing_;
    out.mismatches = mismatches_;
    return out;
  }

  metrics::engine_numbers engine_numbers() const {
    metrics::engine_numbers out;
    for (auto& each : isolated_.numbers()) out.isolated.push_back(std::move(each));
    engine_watchdog_.add_to(out);
    return out;
  }

  // The games of the last life go on before anyone is let in.
  void recover() {
    const auto begin = std::chrono::steady_clock::now();
    const auto came = runtime_.recover(recovery_);
    restored_ = came.restored;
    mismatches_ = came.mismatches;
    quarantined_ = came.quarantined;
    engine_missing_ = came.engine_missing;
    arena_.settle(journal_.log());
    if (came.restored + came.quarantined + came.engine_missing == 0) return;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    log::info("recovered", {{"games", came.restored},
                            {"quarantined", came.quarantined},
                            {"engine_missing", came.engine_missing},
                            {"seconds", took.count()}});
  }

  void announce() { std::cout << "ready" << ready_ << std::endl; }

  void wait_for_signal() {
    signals_.async_wait([this](auto failed, int) {
      if (failed) return;
      if (!std::exchange(draining_, true))
        begin_drain();
      else
        insist();
      wait_for_signal();
    });
  }

  // An operator says go. Unlike a second signal, a second word does not hurry.
  void obey() {
    log::info("an operator drains the hub");
    if (!std::exchange(draining_, true)) begin_drain();
  }

  // Accept nobody, tell those who wait, let games end for the time of the drain.
  void begin_drain() {
    log::info("draining", {{"seconds", settings_.drain.count()}});
    exposition_.mark_draining(true);
    exposition_.mark_ready(false);
    // The gateways' actors, and every entrance.
    open_count_ = 1 + listeners_.count();
    const auto one_gone = [this] {
      asio::post(control_, [this] {
        if (--open_count_ == 0) finish();
      });
    };
    // Games end the sooner.
    search_pool_.cancel_searches();
    runtime_.begin_drain(one_gone);
    listeners_.stop(one_gone);
    after(settings_.drain, [this] { insist(); });
  }

  // What still plays is ended, its players told. Then there is a moment for them to hear it.
  void insist() {
    if (std::exchange(insisted_, true)) return;
    log::info("ending the games that still run");
    runtime_.end_games(end_reason::drained);
    after(limits::farewell_max, [this] {
      forced_ = true;
      finish();
    });
  }

  void finish() {
    deadline_.cancel();
    signals_.cancel();
    reloader_.stop();
    control_.stop();
  }

  template <class What>
  void after(std::chrono::seconds time, What what) {
    deadline_.expires_after(time);
    deadline_.async_wait([what](auto failed) {
      if (!failed) what();
    });
  }

  // No client is left: the actors go, then the threads.
  void close() {
    if (admin_) admin_->stop();
    if (!search_pool_.stop(limits::farewell_max)) {
      log::error("an engine does not come back from thinking about a move; giving up on it");
      std::_Exit(1);
    }
    isolated_.at_end({});
    runtime_.stop_actors();
    runtime_.wait_until_gone();
    loops_.stop();
    // From here on nobody is called back who is about to go.
    arena_.close();
    listeners_.close();
  }

  const settings& settings_;
  process::isolated_engines isolated_;
  plugins::plugin_set plugins_;
  offer offer_;
  journal_service journal_;
  moderation rules_;
  sanction_store sanctions_;
  league_service arena_;
  bots::league_registry bots_;
  actors::search_pool search_pool_;
  actors::runtime runtime_;
  slow_moves slow_moves_;
  loop_threads loops_;
  listeners listeners_;
  admin_commands commands_;
  metrics::exposition exposition_;
  std::unique_ptr<admin> admin_;
  std::string ready_;

  // Read by the admin server's thread, too.
  recovery_progress recovery_;
  std::atomic<bool> recovered_{false};
  std::atomic<std::size_t> restored_{0}, mismatches_{0}, quarantined_{0}, engine_missing_{0};

  // The program's first thread: signals and the order of going down.
  asio::io_context control_;
  asio::signal_set signals_;
  asio::steady_timer deadline_;
  plugins::watch reloader_;
  engine_call_watchdog engine_watchdog_;
  std::size_t open_count_ = 0;
  bool draining_ = false;
  bool insisted_ = false;
  bool forced_ = false;
};

}  // namespace

int serve(const settings& s) {
  raise_descriptor_limit();
  return hub{s}.run();
}

std::vector<std::string> check(const settings& s) {
  const plugins::plugin_set all{s.plugins};
  make_engine_catalog(process::checked(all.engines(), s), s);
  check_journal(s);
  read_token(s.admin_token_file);
  moderation rules;
  const sanction_store book{moderation_file_of(s), rules};
  check_arena(s);
  std::vector<std::string> remarks;
  for (const auto& p : all.plugins())
    if (!p.engine) remarks.push_back(plugins::refusal_of(p));
  return remarks;
}

}  // namespace gamehub::app
