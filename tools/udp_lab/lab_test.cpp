#include "tools/udp_lab/lab.hpp"

#include "tests/support/catch.hpp"

#include <boost/asio/buffer.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

using namespace gamehub;
using namespace gamehub::tools::udp_lab;
using namespace std::chrono_literals;

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr auto patience = 20s;

udp::endpoint any_port() { return {asio::ip::address_v4::loopback(), 0}; }

fault_rates quick() {
  fault_rates f;
  f.delay = 0ms;
  f.late_max = 1ms;
  return f;
}

// A lab before a socket that plays the hub, and clients, all on this thread.
struct bench {
  explicit bench(const fault_rates& faults = quick(), const lab_bounds& bounds = {})
      : hub(io, any_port()), it(io, any_port(), hub.local_endpoint(), faults, 1, bounds) {
    hub.non_blocking(true);
  }
  ~bench() { it.stop(); }

  std::unique_ptr<udp::socket> client() {
    auto out = std::make_unique<udp::socket>(io, any_port());
    out->connect(it.local_endpoint());
    out->non_blocking(true);
    return out;
  }
  // What comes next to that socket, and from where. Nothing within the patience fails the test.
  std::string next(udp::socket& at, udp::endpoint& from) {
    std::string out(70'000, '\0');
    for (const auto until = std::chrono::steady_clock::now() + patience;
         std::chrono::steady_clock::now() < until;) {
      error_code failed;
      const auto size = at.receive_from(asio::buffer(out), from, 0, failed);
      if (!failed) return out.substr(0, size);
      io.run_one_for(10ms);
    }
    FAIL("nothing came");
    return {};
  }
  std::string next(udp::socket& at) {
    udp::endpoint from;
    return next(at, from);
  }
  void run_until(const std::function<bool()>& is_so) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!is_so() && std::chrono::steady_clock::now() < until) io.run_one_for(10ms);
    REQUIRE(is_so());
  }

  asio::io_context io;
  udp::socket hub;
  lab it;
};

}  // namespace

TEST_CASE("udp lab: each client has a separate address at the hub, and receives its datagrams") {
  bench b;
  const auto one = b.client(), other = b.client();
  udp::endpoint one_there, other_there, again;
  one->send(asio::buffer("1", 1));
  CHECK(b.next(b.hub, one_there) == "1");
  other->send(asio::buffer("2", 1));
  CHECK(b.next(b.hub, other_there) == "2");
  CHECK(one_there != other_there);
  b.hub.send_to(asio::buffer("for the other", 13), other_there);
  b.hub.send_to(asio::buffer("for one", 7), one_there);
  CHECK(b.next(*one) == "for one");
  CHECK(b.next(*other) == "for the other");
  one->send(asio::buffer("3", 1));
  CHECK(b.next(b.hub, again) == "3");
  CHECK(again == one_there);
  CHECK(b.it.clients() == 2);
  CHECK(b.it.counts().taken == 5);
  CHECK(b.it.counts().given == 5);
}

TEST_CASE("udp lab: empty and long datagrams pass whole") {
  bench b;
  const auto one = b.client();
  udp::endpoint there;
  one->send(asio::buffer("", 0));
  CHECK(b.next(b.hub, there) == "");
  const std::string much(60'000, 'x');
  b.hub.send_to(asio::buffer(much), there);
  CHECK(b.next(*one) == much);
}

TEST_CASE("udp lab: loses in both directions, and doubles") {
  auto faults = quick();
  SECTION("loses") {
    faults.drop = 1;
    bench b{faults};
    const auto one = b.client();
    for (int i = 0; i < 10; ++i) one->send(asio::buffer("1", 1));
    b.run_until([&] { return b.it.counts().dropped == 10; });
    CHECK(b.it.counts().given == 0);
  }
  SECTION("doubles") {
    faults.duplicate = 1;
    bench b{faults};
    const auto one = b.client();
    udp::endpoint there;
    one->send(asio::buffer("1", 1));
    CHECK(b.next(b.hub, there) == "1");
    CHECK(b.next(b.hub, there) == "1");
    b.hub.send_to(asio::buffer("2", 1), there);
    CHECK(b.next(*one) == "2");
    CHECK(b.next(*one) == "2");
  }
}

TEST_CASE("udp lab: clients are bounded, and idle ones are removed") {
  lab_bounds bounds;
  bounds.clients_max = 2;
  SECTION("no client is idle") {
    bench b{quick(), bounds};
    const auto one = b.client(), other = b.client(), third = b.client();
    one->send(asio::buffer("1", 1));
    CHECK(b.next(b.hub) == "1");
    other->send(asio::buffer("2", 1));
    CHECK(b.next(b.hub) == "2");
    third->send(asio::buffer("3", 1));
    b.run_until([&] { return b.it.refused() == 1; });
    one->send(asio::buffer("4", 1));
    CHECK(b.next(b.hub) == "4");
    CHECK(b.it.clients() == 2);
  }
  SECTION("all are") {
    bounds.idle_max = 0ms;
    bench b{quick(), bounds};
    const auto one = b.client(), other = b.client();
    udp::endpoint first, second;
    one->send(asio::buffer("1", 1));
    CHECK(b.next(b.hub, first) == "1");
    other->send(asio::buffer("2", 1));
    CHECK(b.next(b.hub, second) == "2");
    // For the one that was forgotten.
    b.hub.send_to(asio::buffer("3", 1), first);
    b.hub.send_to(asio::buffer("4", 1), second);
    CHECK(b.next(*other) == "4");
    one->send(asio::buffer("5", 1));
    CHECK(b.next(b.hub, second) == "5");
    CHECK(second != first);
    CHECK(b.it.clients() == 3);
  }
}

TEST_CASE("udp lab: waiting datagrams are bounded") {
  auto faults = quick();
  faults.delay = 1h;
  lab_bounds bounds;
  bounds.waiting_max = 5;
  bench b{faults, bounds};
  const auto one = b.client();
  for (int i = 0; i < 8; ++i) one->send(asio::buffer("1", 1));
  b.run_until([&] { return b.it.refused() == 3; });
  CHECK(b.it.counts().taken == 5);
}

TEST_CASE("udp lab: a hub that is not there yet is no reason to stop") {
  asio::io_context io;
  udp::socket absent{io, any_port()};
  const auto where = absent.local_endpoint();
  absent.close();
  lab it{io, any_port(), where, quick(), 1};
  udp::socket client{io, any_port()};
  client.connect(it.local_endpoint());
  const auto until = std::chrono::steady_clock::now() + patience;
  for (std::uint64_t i = 1; i <= 3; ++i) {
    client.send(asio::buffer("1", 1));
    while (it.counts().given < i && std::chrono::steady_clock::now() < until) io.run_one_for(10ms);
  }
  udp::socket hub{io, where};
  hub.non_blocking(true);
  client.send(asio::buffer("2", 1));
  std::string received(10, '\0');
  error_code failed = asio::error::would_block;
  while (failed && std::chrono::steady_clock::now() < until) {
    hub.receive(asio::buffer(received), 0, failed);
    if (failed) io.run_one_for(10ms);
  }
  CHECK(received.front() == '2');
  it.stop();
}
