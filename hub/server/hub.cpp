#include "hub/server/hub.hpp"

#include "actors/runtime/search_pool.hpp"
#include "actors/system/runtime.hpp"
#include "gateways/http/server.hpp"
#include "hub/admin/admin.hpp"
#include "hub/admin/league_pages.hpp"
#include "hub/base/address.hpp"
#include "hub/base/log.hpp"
#include "hub/base/random.hpp"
#include "hub/base/token_file.hpp"
#include "hub/core/limits.hpp"
#include "hub/league/league_registry.hpp"
#include "hub/plugins/plugin_set.hpp"
#include "hub/server/address_log.hpp"
#include "hub/server/admin_commands.hpp"
#include "hub/server/cluster_links.hpp"
#include "hub/server/cluster_members.hpp"
#include "hub/server/cluster_orders.hpp"
#include "hub/server/engine_call_watchdog.hpp"
#include "hub/server/engine_catalog.hpp"
#include "hub/server/engine_sandbox.hpp"
#include "hub/server/fault_log.hpp"
#include "hub/server/fenced_entry.hpp"
#include "hub/server/hub_status.hpp"
#include "hub/server/isolated_engines.hpp"
#include "hub/server/journal_service.hpp"
#include "hub/server/journal_wait.hpp"
#include "hub/server/league_service.hpp"
#include "hub/server/listeners.hpp"
#include "hub/server/loop_threads.hpp"
#include "hub/server/plugin_reloader.hpp"
#include "hub/server/recovery_progress.hpp"
#include "hub/server/replay_trials.hpp"
#include "hub/server/sanction_service.hpp"
#include "hub/server/slow_moves.hpp"
#include "hub/server/webhook_service.hpp"
#include "metrics/metrics.hpp"
#include "metrics/process.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace gamehub::server {

namespace asio = boost::asio;

namespace {

// A fenced hub that is no member again by then leaves its clients.
constexpr std::chrono::seconds entry_joins_within{5};

// Each client needs a descriptor: raise the limit to the maximum of the account.
void raise_descriptor_limit() {
  rlimit most{};
  if (getrlimit(RLIMIT_NOFILE, &most) != 0) return;
  most.rlim_cur = most.rlim_max;
  setrlimit(RLIMIT_NOFILE, &most);
}

void log_quarantined_sleeper(game_id game, const std::string& why) {
  base::log::warning("a game that was asleep does not replay, and is in quarantine",
                     {{"game", game.value}, {"why", why}});
}

void log_unreadable_sleeper(game_id game) {
  base::log::error(
      "the log of a game that is asleep can't be read: its players can't come back until it can",
      {{"game", game.value}});
}

actors::system::runtime_settings runtime_settings_of(const config::settings& s,
                                                     const ban_list& bans, fault_listener& faults,
                                                     cluster_journal* cluster,
                                                     actors::relay::exchange* hubs,
                                                     absence_listener* absences) {
  return {s.turn,
          s.handshake,
          s.idle,
          s.connections_max,
          s.games_max,
          s.rejoin,
          &bans,
          &faults,
          s.claim,
          cluster != nullptr ? &cluster->game_ids() : nullptr,
          cluster != nullptr ? &cluster->player_ids() : nullptr,
          cluster != nullptr ? cluster->key_changer() : nullptr,
          hubs,
          s.clocks,
          absences,
          s.sleep_after,
          log_quarantined_sleeper,
          log_unreadable_sleeper};
}

address_limits address_limits_of(const config::settings& s) {
  return {.connections = s.connections_per_address_max,
          .sessions = s.sessions_per_address_max,
          .seats = s.seats_per_address_max,
          .unsent = s.unsent_kib_per_address_max,
          .arrivals = s.arrivals_per_address,
          .games = s.games_per_address,
          .guesses = s.guesses_per_address,
          .requests = s.http_address_rate,
          .messages = s.messages_per_address,
          .count_loopback = s.limit_loopback,
          .proxies = networks_of(s.http_trusted_proxies)};
}

base::child_limits isolation_limits_of(const config::settings& s) {
  return {.memory_bytes = s.isolate_memory_mib * 1024 * 1024,
          .cpu = {},
          .files_max = limits::isolate_files_max};
}

base::hash_key random_key() {
  base::system_entropy random;
  return {random.next(), random.next()};
}

metrics::catalog exposition_catalog(const actors::table::engine_directory& directory) {
  metrics::catalog c;
  for (const auto& e : directory.engines)
    if (e.kind == c.engines.size()) c.engines.push_back(e.traits.id);
  for (const auto& w : directory.wires) {
    c.wires.push_back(w.name);
    for (const auto* p : gateways::protocols()) {
      if (p->name != w.name) continue;
      if (p->counts == gateways::wire_counters::datagrams) c.datagram_wires.push_back(w.name);
      if (p->counts == gateways::wire_counters::requests) c.request_wires.push_back(w.name);
    }
  }
  c.routes = gateways::http::routes_description();
  for (int i = 0; i < gateways::protocol_error_count; ++i)
    c.protocol_errors.emplace_back(gateways::to_string(static_cast<gateways::protocol_error>(i)));
  c.version = GAMEHUB_VERSION;
  c.caf_version = CAF_VERSION_TEXT;
  return c;
}

class hub {
 public:
  // `token` is that of the operator, or empty; `sandbox` that of engines, if any runs in one.
  hub(const config::settings& s, std::string token,
      const std::optional<base::sandbox_parts>& sandbox)
      : settings_(s),
        token_(std::move(token)),
        address_log_(random_key()),
        addresses_(address_limits_of(s), random_key(),
                   [this](address_limit what, const base::address_bytes& who) {
                     address_log_.on_refusal(what, who);
                   }),
        isolated_(s.isolate, s.programs, s.engine_processes, s.isolate_call,
                  isolation_limits_of(s)),
        plugins_(s.plugins, s.programs, isolated_.among(engines::host::registry::built_in()),
                 [this](const auto& file) { return isolated_.open(file); }),
        engines_(make_engine_catalog(checked(plugins_.engines(), s), s, plugins_.plugins())),
        journal_(s),
        members_(begin_heartbeats()),
        sanctions_(s, bans_),
        league_(s, journal_.cluster()),
        bot_registry_(league_.live(), journal_.cluster() == nullptr),
        webhooks_(make_webhooks(s)),
        search_pool_(
            {static_cast<std::size_t>(s.think_threads), s.think, limits::thoughts_waiting_max},
            &faults_),
        exchange_(journal_.cluster() != nullptr && s.links.port ? make_exchange() : nullptr),
        runtime_(engines_.catalog, journal_.log(),
                 runtime_settings_of(s, bans_, faults_, journal_.cluster(), exchange_.get(),
                                     webhooks_.get()),
                 [] { return std::make_unique<base::system_entropy>(); }),
        slow_moves_(engines_),
        loops_(runtime_, journal_.log(), s.loops, isolated_.hosts(!s.plugins.empty()),
               limits::engines_max, engines_.wires.size()),
        listeners_(
            s, engines_, runtime_, loops_, &bot_registry_,
            [this](std::string_view engine, std::size_t limit) {
              return league_.live().leaderboard(engine, limit);
            },
            bans_, addresses_, exchange_.get(), webhooks_.get()),
        commands_(sanctions_, runtime_, listeners_, loops_, league_.live()),
        exposition_(exposition_catalog(engines_.catalog)),
        signals_(control_, SIGTERM, SIGINT),
        deadline_(control_),
        join_deadline_(control_),
        fault_exit_(control_),
        unused_engines_(control_),
        reloader_(plugins_, engines_, exposition_, control_),
        engine_watchdog_(control_, loops_, engines_.catalog, s.engine_slow) {
    log_start();
    if (sandbox) log_sandbox(*sandbox);
    reloader_.report();
    for (std::size_t i = 0; i < loops_.all_count(); ++i) {
      exposition_.attach(&loops_.cells(i));
      loops_.io(i).report_slow_moves(slow_moves_, s.slow_move);
      loops_.io(i).report_protocol_errors([this](std::uint16_t number,
                                                 gateways::protocol_error what,
                                                 const base::address_bytes& who) {
        address_log_.on_protocol_error(number, engines_.wires[number].protocol->name, what, who);
      });
    }
    exposition_.attach_journal([this] { return journal_numbers(); });
    exposition_.attach_arena([this] { return league_.numbers(); });
    exposition_.attach_addresses(addresses_);
    if (webhooks_) exposition_.attach_webhooks([this] { return numbers_of(*webhooks_); });
    exposition_.attach_thinking([this] { return thinking_numbers(); });
    exposition_.attach_admin([this] { return admin_numbers(); });
    runtime_.use_search_executor(search_pool_);
    runtime_.use_trials([this](auto games) {
      return try_replays({base::this_program, isolation_limits_of(settings_)}, games,
                         [this](const auto& header) { return reloader_.what_of(header); });
    });
    exposition_.attach_engines([this] { return engine_numbers(); });
    if (auto* const cluster = journal_.cluster()) {
      try {
        if (s.links.port) open_links(*cluster);
      } catch (...) {
        // Its threads run already, and no search does.
        search_pool_.stop(limits::think_default);
        throw;
      }
      cluster->log().at_fencing([this](const std::string& why) {
        asio::post(control_, [this, why] { on_fenced(why); });
      });
      members_->on_sanctions([this](auto changes) { sanctions_.notice(changes); });
      if (links_) members_->on_members([this](const auto& rows) { links_->on_members(rows); });
      exposition_.attach_cluster([this] { return members_->numbers(); });
      runtime_.expect_players([this](base::instant at) { return members_->may_take_over(at); });
    }
    faults_.at_loss([this] { asio::post(control_, [this] { exit_by_fault(); }); });
    runtime_.start();
    try {
      ready_ = listeners_.open();
      start_admin();
      if (links_) ready_ += " link=" + std::to_string(links_->port());
      // Each restored game of days reports the turns that wait.
      if (webhooks_) webhooks_->start();
      recover();
    } catch (...) {
      // The actors exist already, and only running loops can end them.
      loops_.run();
      close();
      throw;
    }
  }

  int run() {
    loops_.run();
    wait_for_signal();
    reloader_.begin();
    // Players of lost games are notified at once, not at their next move.
    isolated_.at_end([this](const std::string& engine, const engines::host::host& of) {
      runtime_.end_games(end_reason::failed, &of, [engine](std::size_t games) {
        base::log::warning("games of an isolated engine ended with its process",
                           {{"engine", engine}, {"games", games}});
      });
    });
    engine_watchdog_.start();
    stop_unused_engines();
    sanctions_.start([this] { commands_.apply_bans(); });
    if (links_) links_->start();
    if (members_) {
      members_->start_adopting(runtime_, recovery_);
      league_.join(*members_, journal_.log(), bot_registry_, exchange_.get());
    }
    if (links_ && !links_->wait_for_all(links_up_within,
                                        [this] { return journal_.cluster()->log().fenced(); }))
      base::log::warning("clients are accepted although not all other hubs can be asked");
    listeners_.start();
    // Set the flags before printing "ready".
    recovered_ = true;
    exposition_.mark_ready(true);
    announce();
    run_control();
    if (forced_) {
      base::log::error(
          "not all clients disconnected in time; the process ends without waiting for them",
          {{"left", clients_by_wire(status_of(counts_of(engines_.wires, loops_)))}});
      // Running threads still use their sockets and actors: an orderly destruction is impossible.
      std::_Exit(fenced_ ? exit_code_of_fenced_hub : 1);
    }
    close();
    if (fenced_) return exit_code_of_fenced_hub;
    base::log::info("drained");
    return 0;
  }

 private:
  // The first line of the log.
  void log_start() {
    const auto numbers = journal_.numbers();
    const auto journal = journal_.place();
    std::uint64_t open = 0, ended = 0;
    if (numbers.file) open = numbers.file->games_open, ended = numbers.file->games_ended;
    std::size_t loaded = 0, refused = 0;
    for (const auto& p : plugins_.plugins()) ++(p.engine ? loaded : refused);
    base::log::info("starting", {{"version", GAMEHUB_VERSION},
                                 {"journal", journal},
                                 {"games_open", open},
                                 {"games_ended", ended},
                                 {"engines", engines_.catalog.engines.size()},
                                 {"plugins", loaded},
                                 {"plugins_refused", refused},
                                 {"loops", settings_.loops}});
    if (journal_.left_open())
      base::log::warning("the previous run did not shut down; it crashed or was killed",
                         {{"journal", journal}});
  }

  // Right after the journal: others adopt a member without heartbeats within about a second, and
  // what follows waits for the database several times.
  std::unique_ptr<cluster_members> begin_heartbeats() {
    if (journal_.cluster() == nullptr) return nullptr;
    auto out = std::make_unique<cluster_members>(*journal_.cluster(), engines_.catalog);
    out->start();
    journal_.cluster()->await_ids();
    return out;
  }

  std::unique_ptr<actors::relay::exchange> make_exchange() {
    return std::make_unique<actors::relay::exchange>(actors::relay::exchange_options{
        journal_.cluster()->self(),
        [this](cluster::member_id to, std::string message) {
          return links_ && links_in_use().send(to, std::move(message));
        },
        [this](const base::address_bytes& client) {
          return addresses_.account_of(base::endpoint{client, 0, 0});
        },
        [this](cluster::member_id to) { return links_ ? links_in_use().unanswered_bytes(to) : 0; },
        [this] {
          if (links_) links_in_use().flush();
        }});
  }

  // No link is up before start().
  void open_links(cluster_journal& cluster) {
    links_ = std::make_unique<cluster_links>(
        settings_,
        linked_member{cluster.cluster_id(), cluster.self(),
                      [&cluster](const auto& address) { return cluster.publish_link(address); }},
        *exchange_, [this](cluster::member_id who, bool up) { members_->on_link(who, up); });
    entry_ = std::make_unique<fenced_entry>(settings_, cluster, *exchange_);
    exposition_.attach_links([this] { return links_in_use().numbers(); });
    orders_ = std::make_unique<cluster_orders>(control_, *exchange_);
    commands_.join(*orders_, [this](const admin_commands::done& done) {
      admin_ ? admin_->list_orders(done) : done({200, R"({"orders":[]})"});
    });
  }

  // An exception of one handler must not keep the hub from draining.
  void run_control() {
    for (;;) {
      try {
        control_.run();
        return;
      } catch (...) {
        faults_.on_fault("the main thread", engines::host::current_failure().what());
      }
    }
  }

  // The loss of an actor can't be repaired. The next process continues the games of the journal.
  void exit_by_fault() {
    exposition_.mark_ready(false);
    fault_exit_.expires_after(exit_delay);
    fault_exit_.async_wait([](auto failed) {
      // Running threads still use their sockets and actors: an orderly destruction is impossible.
      if (!failed) std::_Exit(exit_code_of_lost_actor);
    });
  }

  // Those of the member that this hub is now. Requires: links_.
  cluster_links& links_in_use() {
    auto* const later = entry_ ? entry_->links() : nullptr;
    return later != nullptr ? *later : *links_;
  }

  // Another member of the cluster owns the games: this hub sends nothing more of them. It stays the
  // entry of clients that can follow them, and leaves the others as in a drain.
  void on_fenced(const std::string& why) {
    base::log::error("another member of the cluster owns the games of this hub, which ends",
                     {{"why", why}, {"exit_code", exit_code_of_fenced_hub}});
    fenced_ = true;
    const bool stays = may_stay_entry();
    runtime_.release_games(stays);
    if (links_) links_->on_members({});
    using actors::runtime::hand_over;
    if (!std::exchange(draining_, true))
      begin_drain(stays ? hand_over::of_following : hand_over::none);
    else if (!stays)
      runtime_.end_games(end_reason::drained);
    if (stays) return join_as_entry();
    aborted_ = true;
    after(limits::farewell_max, [this] {
      forced_ = true;
      finish();
    });
  }

  bool may_stay_entry() const {
    return links_ && recovered_ && !aborted_ && settings_.drain.count() > 0 &&
           members_->has_others() && runtime_.clients() > 0;
  }

  void join_as_entry() {
    join_deadline_.expires_after(entry_joins_within);
    join_deadline_.async_wait([this](auto failed) {
      if (!failed && entry_->links() == nullptr) abort_games();
    });
    entry_->join({[this] {
                    members_->stop();
                    // Its latest heartbeat may have said that it lives.
                    links_->on_members({});
                    links_->stop();
                  },
                  [this] { return runtime_.clients(); },
                  [this] { asio::post(control_, [this] { abort_games(); }); }});
  }

  // Returns a sentence for each reason why the hub is not healthy.
  std::vector<std::string> failures() {
    auto out = loops_.find_stuck(engines_.catalog);
    if (auto why = faults_.loss()) out.push_back(*std::move(why));
    return out;
  }

  void start_admin() {
    if (!settings_.admin_port) return;
    admin::admin_sources sources;
    sources.metrics = [this] { return exposition_.text(); };
    // The loops run only after the recovery.
    sources.healthy = [this] { return recovered_ ? admin::health{failures()} : admin::health{}; };
    sources.unready = [this] { return unready(); };
    sources.unserved = [this] { return unserved(); };
    sources.end_game = [this](game_id game, const std::string& reason,
                              const admin_commands::ended& found) {
      commands_.end_game(game, reason, found);
    };
    if (orders_)
      sources.list_orders = [this](const auto& own, const admin_commands::done& done) {
        commands_.list_orders(own, done);
      };
    sources.starting = [this] {
      return recovered_ ? std::nullopt : std::optional{recovery_.text()};
    };
    sources.hosts = settings_.admin_hosts;
    sources.token = token_;
    sources.carry_out = [this](const admin::operator_command& command,
                               const admin_commands::done& done) {
      commands_.carry_out(command, done);
    };
    sources.on_refused = [this](admin::admin_refusal why) { ++refused_[static_cast<int>(why)]; };
    sources.on_wrong_token = [](const base::endpoint& from, std::uint64_t left_out) {
      base::log::warning("a wrong operator token came to the admin port",
                         {{"address", base::to_text(from)}, {"left_out", left_out}});
    };
    sources.on_order = [](const admin::order& o) {
      base::log::info("an order came to the admin port", {{"order", o.verb},
                                                          {"target", o.target},
                                                          {"address", o.address},
                                                          {"page", o.by_page},
                                                          {"status", o.status}});
    };
    sources.arena = [this](std::string_view method, std::string_view target) {
      return admin::arena_page(league_.live(), method, target, base::wall_now());
    };
    sources.arena_is_elsewhere = [this] { return commands_.arena_is_elsewhere(); };
    sources.ask_arena = [this](const auto& what, const auto& done) {
      commands_.ask_arena(what, done);
    };
    sources.status = [this] { return status(); };
    sources.drain = [this] { asio::post(control_, [this] { on_drain_request(); }); };
    admin_ = std::make_unique<admin::admin>(settings_.admin_listen, *settings_.admin_port,
                                            std::move(sources));
    ready_ += " admin=" + std::to_string(admin_->port());
  }

  std::optional<std::string> unready() const {
    if (auto why = faults_.loss()) return why;
    if (fenced_) return "journal: " + journal_.trouble().value_or("");
    if (runtime_.draining()) return "draining";
    if (!recovered_) return recovery_.text();
    if (const auto why = journal_.trouble()) return "journal: " + *why;
    return std::nullopt;
  }

  // A load balancer that gives a hub up leads its datagrams to another hub at once, which does not
  // know their games: so a drain keeps the way to this one while such clients play.
  std::optional<std::string> unserved() const {
    auto why = unready();
    if (!why || fenced_ || !runtime_.draining() || !plays_over_datagrams()) return why;
    return faults_.loss();
  }

  bool plays_over_datagrams() const {
    for (std::size_t w = 0; w < engines_.wires.size(); ++w) {
      if (engines_.wires[w].protocol->counts != gateways::wire_counters::datagrams) continue;
      std::int64_t players = 0;
      for (std::size_t i = 0; i < loops_.all_count(); ++i)
        players += loops_.cells(i).wires[w].connections_open.value();
      if (players > 0) return true;
    }
    return false;
  }

  // On the admin server's thread, as all sources.
  admin::hub_status status() {
    auto from = counts_of(engines_.wires, loops_);
    from.version = GAMEHUB_VERSION;
    from.journal = journal_numbers();
    from.league = league_.numbers();
    from.process = metrics::usage_of_this_process();
    from.now_seconds =
        std::chrono::duration<double>{std::chrono::system_clock::now().time_since_epoch()}.count();
    from.unready = unready();
    if (recovered_) from.failing = failures();
    from.plugins = reloader_.states();
    if (members_) {
      const bool joined = entry_ && entry_->links() != nullptr;
      from.cluster = joined ? entry_->members() : members_->members();
      from.self = joined ? entry_->self() : journal_.cluster()->self();
      if (links_) from.links = links_in_use().status();
    }
    return status_of(from);
  }

  metrics::admin_numbers admin_numbers() const {
    using admin::admin_refusal;
    const auto of = [this](admin_refusal why) { return refused_[static_cast<int>(why)].load(); };
    return {of(admin_refusal::foreign_host), of(admin_refusal::web_page),
            of(admin_refusal::no_token), of(admin_refusal::wrong_token),
            of(admin_refusal::limited)};
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

  // Once a second.
  void stop_unused_engines() {
    isolated_.stop_unused(std::chrono::steady_clock::now(), [this](const auto& rules) {
      const auto newest = engines_.catalog.find_engine(rules.id());
      return newest && older(rules, engines_.catalog.engines[*newest].rules);
    });
    unused_engines_.expires_after(std::chrono::seconds{1});
    unused_engines_.async_wait([this](auto failed) {
      if (!failed) stop_unused_engines();
    });
  }

  // Restores the games of the previous process before any client is accepted.
  void recover() {
    const auto begin = std::chrono::steady_clock::now();
    const auto found = runtime_.recover(recovery_);
    restored_ = found.restored;
    mismatches_ = found.mismatches;
    quarantined_ = found.quarantined;
    engine_missing_ = found.without_engine.size();
    league_.record_results(journal_.log());
    if (found.restored + found.quarantined + found.without_engine.size() == 0) return;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    base::log::info("recovered", {{"games", found.restored},
                                  {"quarantined", found.quarantined},
                                  {"engine_missing", found.without_engine.size()},
                                  {"seconds", took.count()}});
  }

  void announce() { std::cout << "ready" << ready_ << std::endl; }

  void wait_for_signal() {
    signals_.async_wait([this](auto failed, int) {
      if (failed) return;
      if (!std::exchange(draining_, true))
        begin_drain(what_to_hand_over());
      else
        abort_games();
      wait_for_signal();
    });
  }

  // The operator's request to drain. Unlike a second signal, a second request does not end the
  // games.
  void on_drain_request() {
    base::log::info("an operator drains the hub");
    if (!std::exchange(draining_, true)) begin_drain(what_to_hand_over());
  }

  // Which games other hubs continue at once.
  actors::runtime::hand_over what_to_hand_over() {
    using actors::runtime::hand_over;
    if (!members_ || !members_->has_others()) return hand_over::none;
    // If a takeover is not complete, all games wait until this hub has left: no client may delay
    // that.
    if (!exchange_ || exchange_->others().empty() || members_->takes_over())
      return hand_over::of_returning;
    return members_->record_format() >= journal::record_format_with_secrets
               ? hand_over::of_all
               : hand_over::of_following;
  }

  // Accepts no more clients, refuses the waiting ones, and gives games the drain time to end.
  void begin_drain(actors::runtime::hand_over what) {
    if (members_) members_->stop_adopting();
    if (webhooks_) webhooks_->drain();
    base::log::info("draining", {{"seconds", settings_.drain.count()}});
    exposition_.mark_draining(true);
    exposition_.mark_ready(false);
    // The gateway actors count as one, and each part of a listener as one.
    open_count_ = 1 + listeners_.count();
    const auto on_stopped = [this] {
      asio::post(control_, [this] {
        if (--open_count_ == 0) finish();
      });
    };
    // Shorter searches let games end sooner.
    search_pool_.cancel_searches();
    runtime_.begin_drain(on_stopped, what);
    listeners_.stop(on_stopped);
    after(settings_.drain, [this] { abort_games(); });
  }

  // Ends the games that still run, then waits for the last messages to reach the clients.
  void abort_games() {
    if (std::exchange(aborted_, true)) return;
    base::log::info("ending the games that still run");
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

  // Called when no client is left: ends the actors, then the threads.
  void close() {
    if (auto* const cluster = journal_.cluster()) {
      cluster->log().at_fencing({});
      cluster->log().stop_reading();
    }
    if (admin_) admin_->stop();
    sanctions_.stop();
    if (!search_pool_.stop(limits::farewell_max)) {
      base::log::error("an engine search does not end; the process ends without waiting for it");
      std::_Exit(1);
    }
    isolated_.at_end({});
    runtime_.stop_actors();
    runtime_.wait_until_gone();
    if (webhooks_) webhooks_->stop();
    loops_.stop();
    // After this the league calls back no object that is about to be destroyed, and another hub may
    // have it.
    league_.close();
    if (entry_) entry_->leave();
    // No game runs here any more. What is suspended goes on at another hub.
    if (members_) fenced_ ? members_->stop() : members_->leave();
    if (links_) links_->stop();
    listeners_.close();
  }

  const config::settings& settings_;
  const std::string token_;
  fault_log faults_;
  address_log address_log_;
  address_ledger addresses_;
  isolated_engines isolated_;
  plugins::plugin_set plugins_;
  engine_catalog engines_;
  journal_service journal_;
  std::unique_ptr<cluster_members> members_;  // null: there is no cluster
  ban_list bans_;
  sanction_service sanctions_;
  league_service league_;
  league::league_registry bot_registry_;
  std::unique_ptr<webhook::service> webhooks_;  // null: they are off
  actors::runtime::search_pool search_pool_;
  std::unique_ptr<actors::relay::exchange> exchange_;  // null: no cluster, or no links
  actors::system::runtime runtime_;
  slow_moves slow_moves_;
  loop_threads loops_;
  listeners listeners_;
  admin_commands commands_;
  metrics::exposition exposition_;
  // Requests that the admin server refused, by reason.
  std::array<std::atomic<std::uint64_t>, admin::admin_refusal_count> refused_{};
  std::unique_ptr<cluster_links> links_;  // null: no cluster, or no links
  std::unique_ptr<fenced_entry> entry_;   // null: likewise
  std::unique_ptr<admin::admin> admin_;
  std::string ready_;

  // Also read by the admin server's thread.
  recovery_progress recovery_;
  std::atomic<bool> recovered_{false}, fenced_{false};
  std::atomic<std::size_t> restored_{0}, mismatches_{0}, quarantined_{0}, engine_missing_{0};

  // Used by the program's first thread: signals and the steps of the shutdown.
  asio::io_context control_;
  asio::signal_set signals_;
  asio::steady_timer deadline_;
  asio::steady_timer join_deadline_;
  asio::steady_timer fault_exit_;
  asio::steady_timer unused_engines_;
  std::unique_ptr<cluster_orders> orders_;  // null: no cluster, or no links
  plugin_reloader reloader_;
  engine_call_watchdog engine_watchdog_;
  std::size_t open_count_ = 0;
  bool draining_ = false;
  bool aborted_ = false;
  bool forced_ = false;
};

// Asio restores the default action of signals with the last signal set. A signal that arrives while
// the hub is destroyed would then end the process, and its exit code would be lost.
void ignore_signals_until_exit() {
  static auto& unused = *new asio::io_context;
  static const auto& signals = *new asio::signal_set{unused, SIGTERM, SIGINT};
  static_cast<void>(signals);
}

}  // namespace

int serve(const config::settings& s) {
  raise_descriptor_limit();
  const auto token = base::read_token(s.admin_token_file);
  // Before any code of an engine runs.
  const auto sandbox = check_sandbox(s);
  if (sandbox) base::hide_from_other_processes();
  if (!wait_for_journal(s, token)) return 0;
  hub running{s, token, sandbox};
  const auto exit_code = running.run();
  ignore_signals_until_exit();
  return exit_code;
}

std::vector<std::string> check(const config::settings& s) {
  check_sandbox(s);
  const plugins::plugin_set all{s.plugins, s.programs};
  make_engine_catalog(checked(all.engines(), s), s, all.plugins());
  check_journal(s);
  check_link_files(s);
  base::read_token(s.admin_token_file);
  check_sanctions(s);
  check_arena(s);
  check_webhooks(s);
  std::vector<std::string> remarks;
  for (const auto& p : all.plugins())
    if (!p.engine) remarks.push_back(plugins::refusal_of(p));
  return remarks;
}

}  // namespace gamehub::server
