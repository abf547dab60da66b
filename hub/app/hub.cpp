#include "hub/app/hub.hpp"

#include <sys/resource.h>

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
#include "hub/app/log.hpp"
#include "hub/app/loop_threads.hpp"
#include "hub/app/offer.hpp"
#include "hub/core/limits.hpp"
#include "hub/journal/journal.hpp"
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
  return {s.turn, s.handshake, s.idle, s.connections_max, s.games_max};
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

class hub {
 public:
  explicit hub(const settings& s)
      : settings_(s),
        offer_(make_offer(registry_, s)),
        journal_(journal::make_memory_journal(limits::memory_journal_ended_kept)),
        runtime_(offer_.catalog, *journal_, runtime_settings_of(s),
                 [] { return std::make_unique<system_entropy>(); }),
        loops_(runtime_, s.loops, offer_.catalog.engines.size(), offer_.wires.size()),
        addresses_(s.connections_per_address_max, s.limit_loopback),
        exposition_(exposition_catalog(offer_.catalog)),
        signals_(control_, SIGTERM, SIGINT),
        deadline_(control_) {
    for (std::size_t i = 0; i < loops_.count(); ++i) exposition_.attach(&loops_.cells(i));
    runtime_.start();
    try {
      for (std::size_t w = 0; w < offer_.wires.size(); ++w) listen(w);
      open_admin();
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
    sources.healthy = [this] { return health{loops_.find_stuck()}; };
    sources.unready = [this] {
      return runtime_.draining() ? std::optional<std::string>{"draining"} : std::nullopt;
    };
    admin_ =
        std::make_unique<admin>(settings_.admin_listen, *settings_.admin_port, std::move(sources));
    ready_ += " admin=" + std::to_string(admin_->port());
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
  std::unique_ptr<journal::journal> journal_;
  actors::runtime runtime_;
  loop_threads loops_;
  net::address_book addresses_;
  metrics::exposition exposition_;
  std::vector<bound> listeners_;
  std::unique_ptr<admin> admin_;
  std::string ready_;

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

void check(const settings& s) { make_offer(engines::registry::built_in(), s); }

}  // namespace gamehub::app
