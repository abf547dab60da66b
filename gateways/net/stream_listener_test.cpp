#include "gateways/net/stream_listener.hpp"

#include "tests/support/catch.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <deque>
#include <utility>
#include <vector>

namespace gamehub::gateways::net {
namespace {

namespace asio = boost::asio;

// A listener on a loop whose iterations the test runs. Its clients are connected as soon as the
// kernel has them, before the listener accepts them.
struct listening {
  asio::io_context io;
  base::timers clock{std::chrono::steady_clock::now()};
  metrics::cells cells{1, 1};
  id_source<attachment_id> ids;
  loop_io loop{io, clock, cells, ids, 1};
  hub_services hub;
  address_ledger addresses{{}, {1, 2}};
  std::uint16_t port = 0;
  std::vector<accepted_stream> accepted;
  bool fails = false;  // the next client can't be served
  std::unique_ptr<stream_listener> listener;
  std::deque<tcp::socket> clients;

  listening() {
    hub.settings.address = "127.0.0.1";
    listener_context context;
    context.hub = &hub;
    context.loops = {{&loop}};
    auto acceptor = stream_listener::bind(context, 0, port);
    listener = std::make_unique<stream_listener>(context.on(0), std::move(acceptor), addresses,
                                                 [this](const loop_context&, accepted_stream from) {
                                                   if (std::exchange(fails, false)) throw 1;
                                                   accepted.push_back(std::move(from));
                                                 });
    listener->start();
  }
  ~listening() { accepted.clear(); }
  listening(const listening&) = delete;
  listening& operator=(const listening&) = delete;

  void connect(int count) {
    for (int i = 0; i < count; ++i)
      clients.emplace_back(io).connect({asio::ip::address_v4::loopback(), port});
  }
  // Runs an iteration: all handlers that are ready, also those that they make ready.
  void turn() {
    io.restart();
    io.poll();
    loop.end_turn(false);
  }
};

TEST_CASE("stream listener: accepts a bounded number of clients in one iteration") {
  listening at;
  at.connect(40);
  at.turn();
  CHECK(at.accepted.size() == 16);
  at.turn();
  CHECK(at.accepted.size() == 32);
  at.turn();
  CHECK(at.accepted.size() == 40);
  at.connect(1);
  at.turn();
  CHECK(at.accepted.size() == 41);
}

TEST_CASE("stream listener: goes on after a client that could not be served") {
  listening at;
  at.connect(3);
  at.fails = true;
  CHECK_THROWS_AS(at.turn(), int);
  // The loop ends the iteration nevertheless.
  at.loop.end_turn(false);
  at.turn();
  CHECK(at.accepted.size() == 2);
}

}  // namespace
}  // namespace gamehub::gateways::net
