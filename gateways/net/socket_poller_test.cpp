#include "gateways/net/socket_poller.hpp"

#include "gateways/net/stream_socket.hpp"
#include "tests/support/catch.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <utility>
#include <vector>

namespace gamehub::gateways::net {
namespace {

class counting final : public socket_poller::listener {
 public:
  explicit counting(stream_socket of) : socket(std::move(of)) {}

  void on_ready(socket_poller::readiness what) override {
    told.push_back(what);
    if (then) then();
  }
  bool has_input() const { return !told.empty() && told.back().input; }

  stream_socket socket;
  std::vector<socket_poller::readiness> told;
  std::function<void()> then;
};

// Sockets of a poller, and their other ends.
struct polled {
  boost::asio::io_context io;
  socket_poller poller{io};
  std::vector<stream_socket> ends;
  std::vector<std::shared_ptr<counting>> ours;
  std::vector<socket_poller::token> tokens;

  std::size_t connect() {
    std::array<int, 2> both{};
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, both.data()) == 0);
    ends.emplace_back(both[0]);
    ours.push_back(std::make_shared<counting>(stream_socket{both[1]}));
    tokens.push_back(poller.add(both[1], ours.back()));
    return ours.size() - 1;
  }
  void turn() {
    io.restart();
    io.poll();
    poller.wait();
  }
  // Runs the handlers that are ready now.
  void settle() {
    turn();
    turn();
    for (auto& each : ours) each->told.clear();
  }
};

TEST_CASE("socket poller: tells input, and the end behind it, once each") {
  polled at;
  const auto one = at.connect(), other = at.connect();
  at.settle();
  CHECK(at.ends[one].send("ab").bytes == 2);
  at.turn();
  REQUIRE(at.ours[one]->told.size() == 1);
  CHECK(at.ours[one]->has_input());
  CHECK_FALSE(at.ours[one]->told[0].ended);
  CHECK(at.ours[other]->told.empty());
  at.turn();
  CHECK(at.ours[one]->told.size() == 1);
  at.ends[one].shut_down_output();
  at.turn();
  REQUIRE(at.ours[one]->told.size() == 2);
  CHECK(at.ours[one]->told[1].input);
  CHECK(at.ours[one]->told[1].ended);
}

TEST_CASE("socket poller: tells that a full socket takes bytes again") {
  polled at;
  const auto one = at.connect();
  at.settle();
  const std::string many(1 << 20, 'x');
  while (at.ours[one]->socket.send(many).what == stream_socket::status::done) continue;
  at.turn();
  CHECK(at.ours[one]->told.empty());
  std::string taken(many.size(), ' ');
  while (at.ends[one].receive(taken).what == stream_socket::status::done) continue;
  at.turn();
  REQUIRE(at.ours[one]->told.size() == 1);
  CHECK(at.ours[one]->told[0].output);
}

TEST_CASE("socket poller: calls later those that ask for it, and none that was removed") {
  polled at;
  const auto one = at.connect(), other = at.connect();
  at.settle();
  // One asks again each time, and is called once a turn.
  at.ours[one]->then = [&] { at.poller.call_later(at.tokens[one]); };
  at.poller.call_later(at.tokens[one]);
  at.poller.call_later(at.tokens[other]);
  at.poller.remove(at.tokens[other]);
  CHECK(at.ours[other].use_count() == 1);
  at.ends[other].send("x");
  for (int i = 0; i < 3; ++i) at.turn();
  const auto calls = at.ours[one]->told.size();
  CHECK(calls >= 2);
  CHECK(calls <= 3);
  CHECK_FALSE(at.ours[one]->has_input());
  CHECK(at.ours[other]->told.empty());
  // The slot is used again, and the old name means nothing.
  const auto next = at.connect();
  at.poller.call_later(at.tokens[other]);
  at.settle();
  at.ends[next].send("y");
  at.turn();
  CHECK(at.ours[next]->has_input());
  CHECK(at.ours[other]->told.empty());
}

TEST_CASE("socket poller: a listener that throws keeps no other from its turn") {
  polled at;
  for (int i = 0; i < 3; ++i) at.connect();
  at.settle();
  at.ours[0]->then = [] { throw 1; };
  for (auto& each : at.ends) each.send("x");
  CHECK_THROWS_AS(at.turn(), int);
  at.ours[0]->then = nullptr;
  at.poller.wait();
  at.turn();
  for (const auto& each : at.ours) CHECK(each->told.size() == 1);
}

TEST_CASE("socket poller: one that stays open goes on elsewhere with its bytes") {
  polled at;
  const auto one = at.connect();
  at.settle();
  at.ends[one].send("x");
  at.poller.release(at.tokens[one], at.ours[one]->socket.descriptor());
  at.turn();
  CHECK(at.ours[one]->told.empty());
  at.poller.add(at.ours[one]->socket.descriptor(), at.ours[one]);
  at.turn();
  at.turn();
  CHECK(at.ours[one]->has_input());
  at.poller.clear();
  CHECK(at.ours[one].use_count() == 1);
}

}  // namespace
}  // namespace gamehub::gateways::net
