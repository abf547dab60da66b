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
#include "gateways/net/listener.hpp"
#include "hub/app/admin/admin.hpp"
#include "hub/app/kept_journal.hpp"
#include "hub/app/log.hpp"
#include "hub/app/loop_threads.hpp"
#include "hub/app/offer.hpp"
#include "hub/core/limits.hpp"
#include "metrics/metrics.hpp"

namespace gamehub::app {

namespace asio = boost::asio;
namespace net = gateways::net;

namespace {

// Every client is a descriptor: take as many as we may.
void raise_descriptor_limit() {
  rlimit most{};
  if (getrlimit(RLIMIT_NOFILE, &most) != 0) return;
  most.rlim_cur = most.rlim_max;
  setrlimit(RLIMIT_NOFILE, &most);
}

actors::runtime_settings runtime_settings_of(const settings& s) {
  return {s.turn, s.handshake, s.idle, s.connections_max, s.games_max, s.rejoin};
}

metrics::catalog exposition_catalog(const actors::catalog& offered) {
  metrics::catalog c;
  for (const auto& e : offered.engines) c.engines.push_back(e.traits.id);
  for (const auto& w : offered.wires) c.wires.push_back(w.name);
  for (int i = 0; i < gateways::protocol_error_count; ++i)
    c.protocol_errors.emplace_back(to_string(static_cast<gateways::protocol_error>(i)));
  c.version = GAMEHUB_VERSION;
  c.caf_version = CAF_VERSION_TEXT;
  return c;
}

// How far the hub is with the games of its last life. Written by the program's first thread; any
// may ask.
class recovery_progress final : public actors::recovery_listener {
 public:
  void progress(std::size_t done, std::size_t of) override {
    of_ = of;
    done_ = done;
  }
  void left_out(game_id game, const std::string& why) override {
    log::warning("a logged game does not go on", {{"game", game.value}, {"why", why}});
  }

  std::string words() const {
    return "recovering: " + std::to_string(done_) + " of " + std::to_string(of_) + " games";
  }

 private:
  std::atomic<std::size_t> done_{0}, of_{0};
};

class hub {
 public:
  explicit hub(const settings& s)
      : settings_(s),
        offer_(make_offer(registry_, s)),
        journal_(s),
        runtime_(offer_.catalog, journal_.log(), runtime_settings_of(s),
                 [] { return std::make_unique<system_entropy>(); }),
        loops_(runtime_, journal_.log(), s.loops, offer_.catalog.engines.size(),
               offer_.wires.size()),
        addresses_(s.connections_per_address_max, s.limit_loopback),
        exposition_(exposition_catalog(offer_.catalog)),
        signals_(control_, SIGTERM, SIGINT),
        deadline_(control_) {
    for (std::size_t i = 0; i < loops_.count(); ++i) exposition_.attach(&loops_.cells(i));
    exposition_.attach_journal([this] { return journal_numbers(); });
    runtime_.start();
    try {
      for (std::size_t w = 0; w < offer_.wires.size(); ++w) listen(w);
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
    for (auto& l : listeners_) asio::post(l.io->io(), [&l] { l.socket->start(); });
    wait_for_signal();
    announce();
    recovered_ = true;
    exposition_.mark_ready(true);
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
  struct bound {
    net::loop_io* io = nullptr;
    std::unique_ptr<net::listener> socket;
  };

  void listen(std::size_t wire) {
    const auto& w = offer_.wires[wire];
    auto where = net::tcp::endpoint{asio::ip::make_address(settings_.listen), *w.settings.port};
    for (std::size_t i = 0; i < loops_.count(); ++i) {
      auto& io = loops_.io(i);
      try {
        auto acceptor = net::listener::bind(io.io(), where, i == 0);
        where.port(acceptor.local_endpoint().port());
        net::wire_io shared{&io, static_cast<std::uint16_t>(wire), &runtime_.door_to(wire, i)};
        listeners_.push_back(
            {&io, std::make_unique<net::listener>(shared, *w.protocol, w.engine,
                                                  std::move(acceptor), addresses_)});
      } catch (const net::listen_failed& e) {
        const auto flag = "--" + std::string{w.protocol->name} + "-port";
        throw operator_mistake{"can't listen on " + settings_.listen + " port " +
                               std::to_string(where.port()) + " for " +
                               std::string{w.protocol->name} + ": " + e.what() +
                               "; choose another port with " + flag + " (0 picks a free one)."};
      }
    }
    ready_ += " " + std::string{w.protocol->name} + "=" + std::to_string(where.port());
    log::info("listening", {{"wire", w.protocol->name}, {"port", where.port()}});
  }

  void open_admin() {
    if (!settings_.admin_port) return;
    admin_sources sources;
    sources.metrics = [this] { return exposition_.text(); };
    // Loops turn when the recovery is through.
    sources.healthy = [this] { return recovered_ ? health{loops_.find_stuck()} : health{}; };
    sources.unready = [this] { return unready(); };
    sources.end_game = [this](game_id game, std::string reason, admin_sources::found found) {
      log::info("an operator ends a game", {{"game", game.value}, {"reason", reason}});
      runtime_.end_game(game, std::move(reason), std::move(found));
    };
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

  metrics::journal_numbers journal_numbers() const {
    auto out = journal_.numbers();
    out.restored = restored_;
    out.quarantined = quarantined_;
    out.engine_missing = engine_missing_;
    out.mismatches = mismatches_;
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
      if (signals_seen_++ == 0)
        begin_drain();
      else
        insist();
      wait_for_signal();
    });
  }

  // Accept nobody, tell those who wait, let games end for the time of the drain.
  void begin_drain() {
    log::info("draining", {{"seconds", settings_.drain.count()}});
    exposition_.mark_draining(true);
    exposition_.mark_ready(false);
    // The gateways' actors, and every listener.
    still_open_ = 1 + listeners_.size();
    const auto one_gone = [this] {
      asio::post(control_, [this] {
        if (--still_open_ == 0) finish();
      });
    };
    runtime_.begin_drain(one_gone);
    for (auto& l : listeners_) asio::post(l.io->io(), [&l, one_gone] { l.socket->stop(one_gone); });
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
    runtime_.stop_actors();
    runtime_.wait_until_gone();
    loops_.stop();
    listeners_.clear();
  }

  const settings& settings_;
  engines::registry registry_ = engines::registry::built_in();
  offer offer_;
  kept_journal journal_;
  actors::runtime runtime_;
  loop_threads loops_;
  net::address_book addresses_;
  metrics::exposition exposition_;
  std::vector<bound> listeners_;
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
  std::size_t still_open_ = 0;
  int signals_seen_ = 0;
  bool insisted_ = false;
  bool forced_ = false;
};

}  // namespace

int serve(const settings& s) {
  raise_descriptor_limit();
  return hub{s}.run();
}

void check(const settings& s) {
  make_offer(engines::registry::built_in(), s);
  check_journal(s);
}

}  // namespace gamehub::app
