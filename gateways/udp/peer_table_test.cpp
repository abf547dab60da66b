#include "gateways/udp/peers.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "hub/core/entropy.hpp"
#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::gateways::udp;
using namespace std::chrono_literals;

namespace {

endpoint from(std::uint32_t address, std::uint16_t port = 9'000) {
  endpoint e;
  e.address[10] = e.address[11] = 0xFF;
  for (std::size_t i = 0; i < 4; ++i)
    e.address[12 + i] = static_cast<std::uint8_t>(address >> (24 - 8 * i));
  e.port = port;
  return e;
}

constexpr std::uint32_t home = 0x0A000001;
constexpr std::uint32_t loopback = 0x7F000001;

peers_setup small_setup() {
  peers_setup s;
  s.engine = "tictactoe";
  s.key = {1, 2};
  return s;
}

// Peers with what they did last.
struct driven_peers {
  explicit driven_peers(peers_setup s = small_setup()) : it(std::move(s)) {}

  peers it;
  peers_output out;
  instant now{std::chrono::hours{1}};

  // The bytes said to whoever, one datagram after the other.
  std::string hear(const endpoint& e, std::string_view bytes) {
    out.clear();
    for (const char byte : bytes) it.receive(e, {&byte, 1}, now, out);
    return said();
  }
  std::string said() const {
    std::string all;
    for (const auto& each : out.datagrams) all += each.byte;
    return all;
  }
  // Who says A and 4, and so is in a game.
  peer_id join(const endpoint& e) {
    hear(e, "A4");
    REQUIRE(out.orders.size() == 1);
    return out.orders[0].from;
  }
  std::string tell(peer_id to, decltype(event::what) what) {
    out.clear();
    event e;
    e.what = std::move(what);
    it.deliver(to, e, now, out);
    return said();
  }
  std::string end(peer_id who, std::optional<seat_index> winner) {
    position p;
    p.cells = "---------";
    p.outcome = outcome{end_reason::clock, winner, {}};
    return tell(who, std::make_shared<const position>(p));
  }
  std::string pass(duration time) {
    out.clear();
    const auto until = now + time;
    while (it.next() <= until) {
      now = std::max(now, it.next());
      it.advance(now, out);
    }
    now = until;
    return said();
  }
};

}  // namespace

TEST_CASE("udp peers: the first byte of a datagram counts, and an empty one does not") {
  driven_peers p;
  p.it.receive(from(home), "", p.now, p.out);
  CHECK(p.it.sessions() == 0);
  p.it.receive(from(home), "A4E", p.now, p.out);
  CHECK(p.said() == "A");
  p.it.receive(from(home), std::string(65'507, '4'), p.now, p.out);
  CHECK(p.said() == "A4");
  CHECK(p.it.counts().received == 3);
  CHECK(p.it.counts().ignored == 1);
}

TEST_CASE("udp peers: a session is an address with a port, and is born of A and B alone") {
  driven_peers p;
  for (int byte = 0; byte < 256; ++byte)
    if (byte != 'A' && byte != 'B')
      CHECK(p.hear(from(home), std::string(1, static_cast<char>(byte))) == "");
  CHECK(p.it.sessions() == 0);
  CHECK(p.hear(from(home, 1), "A") == "A");
  CHECK(p.hear(from(home, 2), "B") == "B");
  CHECK(p.out.datagrams[0].to == from(home, 2));
  CHECK(p.it.sessions() == 2);
  CHECK(p.it.knows(from(home, 1)));
  CHECK(!p.it.knows(from(home, 3)));
}

TEST_CASE("udp peers: asks the hub for what the machine wishes, with tickets of its own") {
  driven_peers p;
  p.hear(from(home), "A4E");
  REQUIRE(p.out.orders.size() == 1);
  const auto& order = p.out.orders[0];
  CHECK(order.ticket == 1);
  const auto& wish = std::get<seek>(order.intent);
  CHECK(wish.engines == std::vector<std::string>{"tictactoe"});
  CHECK(wish.seat == 0);
  CHECK(wish.against_engine);
  const auto id = order.from;
  position begin;
  begin.cells = "---------";
  begin.to_move = only(0);
  p.tell(id, started{});
  p.tell(id, std::make_shared<const position>(begin));
  REQUIRE(p.out.orders.size() == 1);
  CHECK(p.out.orders[0].ticket == 2);
  const auto& move = std::get<play>(p.out.orders[0].intent).move;
  CHECK(move.as == move::form::cell);
  CHECK(move.cell == 4);
  CHECK(p.hear(from(home), "Q") == "S");
  REQUIRE(p.out.orders.size() == 1);
  CHECK(std::holds_alternative<leave>(p.out.orders[0].intent));
}

TEST_CASE("udp peers: tells what comes for a session, and nothing once it is released") {
  driven_peers p;
  const auto id = p.join(from(home));
  CHECK(p.end({id.slot, id.generation + 1}, 0) == "");
  CHECK(p.end({id.slot + 1, id.generation}, 0) == "");
  CHECK(p.end(id, 0) == "C");
  CHECK(p.hear(from(home), "C") == "Q");
  REQUIRE(p.out.orders.size() == 1);
  CHECK(p.out.orders[0].what == order::kind::release);
  CHECK(p.out.orders[0].from == id);
  CHECK(p.end(id, 1) == "");
  CHECK(p.hear(from(home), "4") == "C");
}

TEST_CASE(
    "udp peers: a new game of the same address is another player's if the old one still runs") {
  driven_peers p;
  const auto first = p.join(from(home));
  p.hear(from(home), "QS");
  p.hear(from(home), "B");
  p.hear(from(home), "E");
  REQUIRE(p.out.orders.size() == 1);
  const auto second = p.out.orders[0].from;
  CHECK(!(second == first));
  CHECK(std::get<seek>(p.out.orders[0].intent).seat == 1);
  CHECK(p.end(first, 0) == "");
  CHECK(p.end(second, 1) == "C");
}

TEST_CASE("udp peers: a hub that takes nobody is told of with Q") {
  driven_peers p;
  const auto id = p.join(from(home));
  p.out.clear();
  p.it.closed(id, p.now, p.out);
  CHECK(p.said() == "Q");
  REQUIRE(p.out.orders.size() == 1);
  CHECK(p.out.orders[0].what == order::kind::release);
  CHECK(p.hear(from(home), "E") == "Q");
}

TEST_CASE("udp peers: sends again what is due, each at its time, and forgets what is over") {
  driven_peers p;
  std::vector<peer_id> ids;
  for (std::uint32_t i = 0; i < 100; ++i) {
    ids.push_back(p.join(from(home + i)));
    p.pass(1ms);
  }
  CHECK(p.pass(899ms) == "");
  for (int i = 0; i < 100; ++i) {
    p.pass(1ms);
    REQUIRE(p.out.datagrams.size() == 1);
    REQUIRE(p.out.datagrams[0].to == from(home + static_cast<std::uint32_t>(i)));
  }
  // A byte that is ignored moves nothing.
  p.hear(from(home), "X");
  p.pass(900ms);
  p.pass(1ms);
  REQUIRE(p.out.datagrams.size() == 1);
  CHECK(p.out.datagrams[0].to == from(home));
  CHECK(p.pass(60s).size() == 100 * 30 - 101);
  for (const auto id : ids) p.end(id, 1);
  CHECK(p.pass(700s).size() == 500);
  CHECK(p.it.sessions() == 0);
  CHECK(p.it.next() == instant::max());
  CHECK(p.it.counts().resent == 100 * 30 + 500);
}

TEST_CASE("udp peers: many deadlines at once are met a part at a time") {
  auto s = small_setup();
  driven_peers p{s};
  constexpr std::uint32_t many = 3 * limits::udp_timed_per_turn_max;
  for (std::uint32_t i = 0; i < many; ++i) p.join(from(home + i));
  p.now += 1s;
  p.out.clear();
  p.it.advance(p.now, p.out);
  CHECK(p.out.datagrams.size() == limits::udp_timed_per_turn_max);
  CHECK(p.it.next() <= p.now);
  p.it.advance(p.now, p.out);
  p.it.advance(p.now, p.out);
  CHECK(p.out.datagrams.size() == many);
  CHECK(p.it.next() == p.now + 1s);
}

TEST_CASE("udp peers: a flood from one address has no more games than it may") {
  driven_peers p;
  std::uint64_t answered = 0;
  for (int port = 1; port < 50'000; ++port)
    answered += p.hear(from(home, static_cast<std::uint16_t>(port)), "A").size();
  CHECK(answered == limits::connections_per_address_default);
  CHECK(p.it.sessions() == limits::connections_per_address_default);
  CHECK(p.it.counts().refused == 49'999 - limits::connections_per_address_default);
  CHECK(p.hear(from(home + 1), "A") == "A");
  // What has ended makes room, though it is kept in mind.
  for (int port = 1; port <= 10; ++port)
    CHECK(p.hear(from(home, static_cast<std::uint16_t>(port)), "QS") == "SQ");
  for (int port = 60'001; port <= 60'010; ++port)
    CHECK(p.hear(from(home, static_cast<std::uint16_t>(port)), "A") == "A");
  CHECK(p.hear(from(home, 1), "A") == "");
  CHECK(p.hear(from(home, 60'011), "A") == "");
}

TEST_CASE("udp peers: sockets that admit at the same time share one bound of a sender") {
  for (int round = 0; round < 50; ++round) {
    auto s = small_setup();
    s.per_address_max = 8;
    s.senders = std::make_shared<source_quota>();
    driven_peers one{s}, other{s};
    const auto flood = [](driven_peers& p, std::uint16_t first) {
      for (std::uint16_t port = 0; port < 200; ++port)
        p.hear(from(home, static_cast<std::uint16_t>(first + port)), "A");
    };
    std::thread beside{[&] { flood(other, 10'000); }};
    flood(one, 20'000);
    beside.join();
    REQUIRE(one.it.sessions() + other.it.sessions() <= 8);
    // Whoever was refused for the other's sake gets a place the next time.
    flood(one, 20'000);
    REQUIRE(one.it.sessions() + other.it.sessions() == 8);
  }
}

TEST_CASE("udp peers: loopback is bound per address only where it was asked for") {
  auto s = small_setup();
  s.per_address_max = 4;
  for (const bool bound : {false, true}) {
    s.bound_loopback = bound;
    driven_peers p{s};
    for (std::uint16_t port = 1; port <= 100; ++port) p.hear(from(loopback, port), "A");
    CHECK(p.it.sessions() == (bound ? 4u : 100u));
  }
}

TEST_CASE("udp peers: a flood of newcomers takes bounded memory and no byte more than it sent") {
  driven_peers p;
  std::vector<peer_id> playing;
  for (std::uint32_t i = 0; i < 1'000; ++i) playing.push_back(p.join(from(home + i)));
  std::uint64_t answered = 0;
  for (std::uint32_t i = 0; i < 300'000; ++i)
    answered += p.hear(from(0x0B000000 + i), i % 2 == 0 ? "A" : "B").size();
  CHECK(answered == 300'000);
  CHECK(p.it.newcomers() == limits::udp_newcomers_max);
  CHECK(p.it.sessions() == limits::udp_newcomers_max + 1'000);
  CHECK(p.it.bytes() < 110 * p.it.sessions());
  for (std::uint32_t i = 0; i < 1'000; ++i) REQUIRE(p.it.knows(from(home + i)));
  // The first ones made room, the last ones are still there, and none is spoken to by itself.
  CHECK(!p.it.knows(from(0x0B000000)));
  CHECK(p.it.knows(from(0x0B000000 + 299'999)));
  for (const auto id : playing) p.end(id, 0);
  CHECK(p.pass(2h) == std::string(5'000, 'C'));
  CHECK(p.it.sessions() == 0);
}

TEST_CASE("udp peers: newcomers for whom the hub plays already have a bound of their own") {
  auto s = small_setup();
  s.guests_max = 10;
  driven_peers p{s};
  std::uint64_t released = 0, said = 0;
  const auto id = p.join(from(home));
  for (std::uint32_t i = 1; i <= 100; ++i) {
    said += p.hear(from(home + i), "BB").size();
    for (const auto& each : p.out.orders) released += each.what == order::kind::release ? 1u : 0u;
  }
  CHECK(said == 200);
  CHECK(p.it.guests() == 10);
  CHECK(released == 90);
  CHECK(p.end(id, 0) == "C");
}

TEST_CASE("udp peers: a full table takes newcomers instead of newcomers, and of nobody in a game") {
  auto s = small_setup();
  s.sessions_max = 20;
  s.newcomers_max = 15;
  driven_peers p{s};
  for (std::uint32_t i = 0; i < 10; ++i) p.join(from(home + i));
  for (std::uint32_t i = 0; i < 50; ++i) CHECK(p.hear(from(0x0B000000 + i), "A") == "A");
  CHECK(p.it.sessions() == 20);
  CHECK(p.it.newcomers() == 10);
  for (std::uint32_t i = 40; i < 50; ++i) p.hear(from(0x0B000000 + i), "4");
  CHECK(p.it.newcomers() == 0);
  CHECK(p.hear(from(0x0C000000), "A") == "");
  for (std::uint32_t i = 0; i < 10; ++i) CHECK(p.it.knows(from(home + i)));
  // Who has ended makes room before anybody is sent away.
  CHECK(p.hear(from(home), "QS") == "SQ");
  CHECK(p.hear(from(0x0C000000), "A") == "A");
  CHECK(!p.it.knows(from(home)));
}

TEST_CASE("udp peers: ended games are remembered within a bound") {
  auto s = small_setup();
  s.statuses_max = 5;
  driven_peers p{s};
  for (std::uint32_t i = 0; i < 20; ++i) {
    CHECK(p.end(p.join(from(home + i)), 1) == "S");
    CHECK(p.hear(from(home + i), "S") == "Q");
  }
  CHECK(p.it.sessions() == 5);
  CHECK(p.hear(from(home + 19), "4") == "S");
}

TEST_CASE("udp peers: who is at certain addresses can be sent away, and is told its game is over") {
  driven_peers p;
  const auto ann = p.join(from(home)), bob = p.join(from(home + 1));
  p.hear(from(home + 2), "A");
  p.out.clear();
  p.it.close_where([](const endpoint& e) { return e.address[15] != 1; }, p.now, p.out);
  REQUIRE(p.out.orders.size() == 1);
  CHECK(p.out.orders[0].what == order::kind::release);
  CHECK(p.out.orders[0].from == bob);
  CHECK(p.tell(bob, done{}).empty());
  CHECK(p.end(ann, 0) == "C");
}
