#include "gateways/udp/peer_table.hpp"

#include "hub/base/random.hpp"
#include "tests/support/catch.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

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

// The first true echo proves an address, whatever it is worth.
peers_setup small_setup() {
  peers_setup s;
  s.engine = "tictactoe";
  s.key = {1, 2};
  s.settings.proof = 0;
  return s;
}

position_ref shown(std::string cells, std::optional<seat_index> by, seat_index to_move) {
  position p;
  p.cells = std::move(cells);
  p.by = by;
  p.to_move = only(to_move);
  return std::make_shared<const position>(p);
}

// A peer_table with its latest output.
struct driven_peers {
  explicit driven_peers(peers_setup s = small_setup()) : it(std::move(s)) {}

  peer_table it;
  peers_output out;
  base::instant now{std::chrono::hours{1}};

  // Sends each byte as one datagram; returns the answers.
  std::string send(const endpoint& e, std::string_view bytes) {
    out.clear();
    for (const char byte : bytes) it.receive(e, {&byte, 1}, now, out);
    return sent();
  }
  std::string sent() const {
    std::string all;
    for (const auto& each : out.datagrams) all += each.byte;
    return all;
  }
  // Sends A and 4: a guest with a player.
  peer_id ask(const endpoint& e) {
    send(e, "A4");
    REQUIRE(out.commands.size() == 1);
    return out.commands[0].from;
  }
  // Plays the first turn: a proven address in a game.
  peer_id join(const endpoint& e) {
    send(e, "A");
    return prove(e);
  }
  peer_id prove(const endpoint& e) {
    send(e, "4");
    REQUIRE(out.commands.size() == 1);
    const auto id = out.commands[0].from;
    deliver(id, started{});
    deliver(id, shown("---------", std::nullopt, 0));
    send(e, "E");
    deliver(id, shown("----X----", 0, 1));
    REQUIRE(deliver(id, shown("O---X----", 1, 0)) == "0");
    REQUIRE(send(e, "0") == "E");
    return id;
  }
  std::string deliver(peer_id to, decltype(event::what) what) {
    out.clear();
    event e;
    e.what = std::move(what);
    it.deliver(to, e, now, out);
    return sent();
  }
  std::string end(peer_id who, std::optional<seat_index> winner) {
    position p;
    p.cells = "---------";
    p.outcome = outcome{end_reason::clock, winner, {}};
    return deliver(who, std::make_shared<const position>(p));
  }
  std::string pass(base::duration time) {
    out.clear();
    const auto until = now + time;
    while (it.next() <= until) {
      now = std::max(now, it.next());
      it.advance(now, out);
    }
    now = until;
    return sent();
  }
};

}  // namespace

TEST_CASE("udp peers: the first byte of a datagram counts, and an empty one does not") {
  driven_peers p;
  p.it.receive(from(home), "", p.now, p.out);
  CHECK(p.it.sessions() == 0);
  p.it.receive(from(home), "A4E", p.now, p.out);
  CHECK(p.sent() == "A");
  p.it.receive(from(home), std::string(65'507, '4'), p.now, p.out);
  CHECK(p.sent() == "A4");
  CHECK(p.it.counts().received == 3);
  CHECK(p.it.counts().ignored == 1);
}

TEST_CASE(
    "udp peers: an unknown address in a game is told that the game is over, also in a drain") {
  driven_peers p;
  CHECK(p.send(from(home), "3E49IWCSDX") == "QQQQQQQQ");
  CHECK(p.it.sessions() == 0);
  CHECK(p.it.counts().sent == 8);
  CHECK(p.it.counts().ignored == 2);
  p.it.drain();
  CHECK(p.send(from(home), "4A") == "Q");
  // Two hubs must not answer each other.
  CHECK(p.send(from(home), "Q") == "");
}

TEST_CASE("udp peers: a session is an address with a port, and only A and B start one") {
  driven_peers p;
  for (int byte = 0; byte < 256; ++byte)
    if (byte != 'A' && byte != 'B')
      CHECK(p.send(from(home), std::string(1, static_cast<char>(byte))) ==
            (bytes::needs_game(static_cast<char>(byte)) ? "Q" : ""));
  CHECK(p.it.sessions() == 0);
  CHECK(p.send(from(home, 1), "A") == "A");
  CHECK(p.send(from(home, 2), "B") == "B");
  CHECK(p.out.datagrams[0].to == from(home, 2));
  CHECK(p.it.sessions() == 2);
  CHECK(p.it.knows(from(home, 1)));
  CHECK(!p.it.knows(from(home, 3)));
}

TEST_CASE("udp peers: passes the machine's requests to the hub with tickets") {
  driven_peers p;
  p.send(from(home), "A4E");
  REQUIRE(p.out.commands.size() == 1);
  const auto& peer_command = p.out.commands[0];
  CHECK(peer_command.ticket == 1);
  const auto& request = std::get<seek>(peer_command.intent);
  CHECK(request.engines == std::vector<std::string>{"tictactoe"});
  CHECK(request.seat == 0);
  CHECK(request.against_engine);
  const auto id = peer_command.from;
  position begin;
  begin.cells = "---------";
  begin.to_move = only(0);
  p.deliver(id, started{});
  p.deliver(id, std::make_shared<const position>(begin));
  REQUIRE(p.out.commands.size() == 1);
  CHECK(p.out.commands[0].ticket == 2);
  const auto& move = std::get<play>(p.out.commands[0].intent).move;
  CHECK(move.as == move::form::cell);
  CHECK(move.cell == 4);
  CHECK(p.send(from(home), "Q") == "S");
  REQUIRE(p.out.commands.size() == 1);
  CHECK(std::holds_alternative<leave>(p.out.commands[0].intent));
}

TEST_CASE("udp peers: delivers events of a session until it is released") {
  driven_peers p;
  const auto id = p.join(from(home));
  CHECK(p.end({id.slot, id.generation + 1}, 0) == "");
  CHECK(p.end({id.slot + 1, id.generation}, 0) == "");
  CHECK(p.end(id, 0) == "C");
  CHECK(p.send(from(home), "C") == "Q");
  REQUIRE(p.out.commands.size() == 1);
  CHECK(p.out.commands[0].what == peer_command::kind::release);
  CHECK(p.out.commands[0].from == id);
  CHECK(p.end(id, 1) == "");
  CHECK(p.send(from(home), "4") == "C");
}

TEST_CASE("udp peers: a new game of an address has a new player while the old game runs") {
  driven_peers p;
  const auto first = p.join(from(home));
  p.send(from(home), "QS");
  p.send(from(home), "B");
  p.send(from(home), "E");
  REQUIRE(p.out.commands.size() == 1);
  const auto second = p.out.commands[0].from;
  CHECK(!(second == first));
  CHECK(std::get<seek>(p.out.commands[0].intent).seat == 1);
  CHECK(p.end(first, 0) == "");
  CHECK(p.end(second, 1) == "C");
}

TEST_CASE("udp peers: a hub that accepts no player is reported by Q") {
  driven_peers p;
  const auto id = p.ask(from(home));
  p.out.clear();
  p.it.closed(id, p.now, p.out);
  CHECK(p.sent() == "");
  REQUIRE(p.out.commands.size() == 1);
  CHECK(p.out.commands[0].what == peer_command::kind::release);
  CHECK(p.send(from(home), "E") == "Q");
}

TEST_CASE("udp peers: repeats due bytes, and removes ended sessions") {
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
  // An ignored byte changes no deadline.
  p.send(from(home), "X");
  p.pass(1200ms);
  p.pass(1ms);
  REQUIRE(p.out.datagrams.size() == 1);
  CHECK(p.out.datagrams[0].to == from(home));
  CHECK(p.pass(60s).size() == 100 * 30 - 101);
  for (const auto id : ids) p.end(id, 1);
  CHECK(p.pass(700s).size() == 500);
  CHECK(p.it.sessions() == 0);
  CHECK(p.it.next() == base::instant::max());
  CHECK(p.it.counts().resent == 100 * 30 + 500);
}

TEST_CASE("udp peers: many simultaneous deadlines are handled in parts") {
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
  CHECK(p.it.next() == p.now + 1300ms);
}

TEST_CASE("udp peers: a flood from one address has no more games than it may") {
  driven_peers p;
  std::uint64_t answered = 0;
  for (int port = 1; port < 50'000; ++port)
    answered += p.send(from(home, static_cast<std::uint16_t>(port)), "A").size();
  CHECK(answered == limits::connections_per_address_default);
  CHECK(p.it.sessions() == limits::connections_per_address_default);
  CHECK(p.it.counts().refused == 49'999 - limits::connections_per_address_default);
  CHECK(p.send(from(home + 1), "A") == "A");
  // An ended game makes room, although it is kept.
  for (int port = 1; port <= 10; ++port)
    CHECK(p.send(from(home, static_cast<std::uint16_t>(port)), "QS") == "SQ");
  for (int port = 60'001; port <= 60'010; ++port)
    CHECK(p.send(from(home, static_cast<std::uint16_t>(port)), "A") == "A");
  CHECK(p.send(from(home, 1), "A") == "");
  CHECK(p.send(from(home, 60'011), "A") == "");
}

TEST_CASE("udp peers: sockets share the limit of a sender") {
  for (int round = 0; round < 50; ++round) {
    auto s = small_setup();
    s.per_address_max = 8;
    s.senders = std::make_shared<source_quota>();
    driven_peers one{s}, other{s};
    const auto flood = [](driven_peers& p, std::uint16_t first) {
      for (std::uint16_t port = 0; port < 200; ++port)
        p.send(from(home, static_cast<std::uint16_t>(first + port)), "A");
    };
    std::thread beside{[&] { flood(other, 10'000); }};
    flood(one, 20'000);
    beside.join();
    REQUIRE(one.it.sessions() + other.it.sessions() <= 8);
    // A sender that was refused because of a concurrent one succeeds the next time.
    flood(one, 20'000);
    REQUIRE(one.it.sessions() + other.it.sessions() == 8);
  }
}

TEST_CASE("udp peers: loopback is limited only if set") {
  auto s = small_setup();
  s.per_address_max = 4;
  for (const bool bound : {false, true}) {
    s.bound_loopback = bound;
    driven_peers p{s};
    for (std::uint16_t port = 1; port <= 100; ++port) p.send(from(loopback, port), "A");
    CHECK(p.it.sessions() == (bound ? 4u : 100u));
  }
}

TEST_CASE("udp peers: a flood of newcomers takes bounded memory and no byte more than it sent") {
  driven_peers p;
  std::vector<peer_id> playing;
  for (std::uint32_t i = 0; i < 1'000; ++i) playing.push_back(p.join(from(home + i)));
  std::uint64_t answered = 0;
  for (std::uint32_t i = 0; i < 300'000; ++i)
    answered += p.send(from(0x0B000000 + i), i % 2 == 0 ? "A" : "B").size();
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

TEST_CASE("udp peers: guests have a separate limit, and the oldest makes room") {
  auto s = small_setup();
  s.guests_max = 10;
  driven_peers p{s};
  std::uint64_t released = 0, sent_bytes = 0;
  const auto id = p.join(from(home));
  for (std::uint32_t i = 1; i <= 100; ++i) {
    sent_bytes += p.send(from(home + i), "BB").size();
    for (const auto& each : p.out.commands)
      released += each.what == peer_command::kind::release ? 1u : 0u;
  }
  CHECK(sent_bytes == 200);
  CHECK(p.it.guests() == 10);
  CHECK(released == 90);
  CHECK(p.end(id, 0) == "C");
}

TEST_CASE("udp peers: a full table replaces newcomers, never games") {
  auto s = small_setup();
  s.sessions_max = 20;
  s.newcomers_max = 15;
  driven_peers p{s};
  for (std::uint32_t i = 0; i < 10; ++i) p.join(from(home + i));
  for (std::uint32_t i = 0; i < 50; ++i) CHECK(p.send(from(0x0B000000 + i), "A") == "A");
  CHECK(p.it.sessions() == 20);
  CHECK(p.it.newcomers() == 10);
  for (std::uint32_t i = 40; i < 50; ++i) p.prove(from(0x0B000000 + i));
  CHECK(p.it.newcomers() == 0);
  CHECK(p.send(from(0x0C000000), "A") == "");
  for (std::uint32_t i = 0; i < 10; ++i) CHECK(p.it.knows(from(home + i)));
  // Ended games are removed before any other.
  CHECK(p.send(from(home), "QS") == "SQ");
  CHECK(p.send(from(0x0C000000), "A") == "A");
  CHECK(!p.it.knows(from(home)));
}

TEST_CASE("udp peers: kept results have a limit") {
  auto s = small_setup();
  s.statuses_max = 5;
  driven_peers p{s};
  for (std::uint32_t i = 0; i < 20; ++i) {
    CHECK(p.end(p.join(from(home + i)), 1) == "S");
    CHECK(p.send(from(home + i), "S") == "Q");
  }
  CHECK(p.it.sessions() == 5);
  CHECK(p.send(from(home + 19), "4") == "S");
}

TEST_CASE("udp peers: close_where ends the games of matching addresses") {
  driven_peers p;
  const auto ann = p.join(from(home)), bob = p.join(from(home + 1));
  p.send(from(home + 2), "A");
  p.out.clear();
  p.it.close_where([](const endpoint& e) { return e.address[15] != 1; }, p.now, p.out);
  REQUIRE(p.out.commands.size() == 1);
  CHECK(p.out.commands[0].what == peer_command::kind::release);
  CHECK(p.out.commands[0].from == bob);
  CHECK(p.deliver(bob, done{}).empty());
  CHECK(p.end(ann, 0) == "C");
}

TEST_CASE("udp peers: unproven addresses begin no more games than their rate allows") {
  auto s = small_setup();
  s.guest_games = {100ms, 20};
  driven_peers p{s};
  const auto proven = p.join(from(home));
  std::size_t games = 0;
  const auto ask = [&](std::uint32_t i, std::string_view bytes) {
    const auto answers = p.send(from(0x0B000000 + i), bytes);
    for (const auto& each : p.out.commands)
      games += each.what == peer_command::kind::submit && std::holds_alternative<seek>(each.intent);
    return answers;
  };
  // The game of the proven address took one.
  for (std::uint32_t i = 0; i < 1'000; ++i) {
    const bool in_time = i < 19;
    CHECK(ask(i, i % 2 == 0 ? "A4" : "BE") == (i % 2 == 1 ? "B" : in_time ? "A4" : "A"));
  }
  CHECK(games == 19);
  CHECK(p.it.guests() == 19);
  CHECK(p.it.counts().throttled == 981);
  CHECK(p.it.counts().ignored == 981);
  CHECK(p.it.counts().refused == 0);
  // As if the datagram was lost: the client repeats it.
  p.now += 99ms;
  CHECK(ask(500, "4") == "");
  p.now += 1ms;
  CHECK(ask(500, "4") == "4");
  CHECK(ask(502, "4") == "");
  CHECK(games == 20);
  // Bytes of games that run take none, nor do new games of proven addresses.
  CHECK(ask(500, "454") == "454");
  CHECK(p.end(proven, 0) == "C");
  CHECK(p.send(from(home), "CA4") == "QA4");
  CHECK(p.out.commands.size() == 2);
  p.now += 10s;
  games = 0;
  for (std::uint32_t i = 2'000; i < 2'100; ++i) ask(i, "A4");
  CHECK(games == 20);
}

TEST_CASE("udp peers: an address that waits for an opponent in silence loses its place") {
  auto s = small_setup();
  s.settings.against_players = true;
  s.against_engine = false;
  driven_peers p{s};
  CHECK(p.send(from(home), "BBBBB") == "BBBBB");
  CHECK(p.out.commands.empty());
  CHECK(p.send(from(home), "E") == "");
  REQUIRE(p.out.commands.size() == 1);
  CHECK_FALSE(std::get<seek>(p.out.commands[0].intent).against_engine);
  CHECK(p.pass(limits::udp_waiting_kept - 1ms) == "");
  CHECK(p.it.players() == 1);
  CHECK(p.pass(1ms) == "");
  REQUIRE(p.out.commands.size() == 1);
  CHECK(p.out.commands[0].what == peer_command::kind::release);
  CHECK(p.it.players() == 0);
  CHECK(p.send(from(home), "E") == "Q");
}

TEST_CASE("udp peers: a proven address that waits for an opponent delays no repeats of others") {
  auto s = small_setup();
  s.settings.against_players = true;
  driven_peers p{s};
  const auto play = [&p](const endpoint& e) {
    p.send(e, "A4E");
    REQUIRE(p.out.commands.size() == 1);
    const auto id = p.out.commands[0].from;
    p.deliver(id, started{});
    p.deliver(id, shown("---------", std::nullopt, 0));
    p.deliver(id, shown("----X----", 0, 1));
    REQUIRE(p.deliver(id, shown("O---X----", 1, 0)) == "0");
    REQUIRE(p.send(e, "0") == "E");
    return id;
  };
  const auto first = play(from(home));
  p.end(first, 0);
  REQUIRE(p.send(from(home), "CBE") == "QB");
  play(from(home + 1));
  CHECK(p.pass(3s) == "EE");
  CHECK(p.it.players() == 2);
}

TEST_CASE("udp peers: counts the moves that it refuses itself") {
  driven_peers p;
  p.join(from(home));
  CHECK(p.send(from(home), "94I") == "IIW");
  CHECK(p.send(from(home), "4I") == "IW");
  CHECK(p.it.counts().out_of_bounds == 1);
  CHECK(p.it.counts().space_not_empty == 1);
}
