// Floods of datagrams with forged senders, who receive nothing but know the protocol, the engine
// and what it has played before: against a hub whose side plays perfectly, with simulated time.
#include "gateways/udp/peer_table.hpp"
#include "hub/base/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/endpoints.hpp"
#include "tests/support/udp_engine_hub.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

using namespace gamehub;
using namespace gamehub::gateways::udp;
using namespace std::chrono_literals;
using gamehub::tests::engine_hub;
using gamehub::tests::ipv4;

namespace {

constexpr std::uint32_t innocent = 0x0A000001;
constexpr std::uint32_t forged = 0x7F0A0000;

// A client that receives, and plays the first free cell.
class honest_client {
 public:
  honest_client(engine_hub& hub, std::uint32_t address) : hub_(hub), from_(ipv4(address, 9'000)) {}

  // Plays until the result. Returns it.
  char play(char opening) {
    std::string board(9, '-');
    const auto take = [&](char digit) { board[static_cast<std::size_t>(digit - '0')] = 'x'; };
    auto heard = say(opening);
    REQUIRE(heard == opening);
    if (opening == 'B') heard = say('E');
    while (true) {
      if (bytes::is_digit(heard)) {
        take(heard);
        heard = say(heard);
      }
      if (bytes::is_status(heard)) break;
      const auto digit = static_cast<char>('0' + board.find('-', preferred(board)) % 9);
      take(digit);
      REQUIRE(say(digit) == digit);
      heard = say('E');
      if (bytes::is_status(heard)) break;
    }
    REQUIRE(say(heard) == 'Q');
    return heard;
  }
  char say(char byte) {
    const auto heard = hub_.send(from_, {&byte, 1});
    REQUIRE(heard.size() == 1);
    return heard[0];
  }

 private:
  static std::size_t preferred(const std::string& board) { return board[4] == '-' ? 4 : 0; }

  engine_hub& hub_;
  endpoint from_;
};

std::uint64_t proven_by(const engine_hub& hub) { return hub.peers.counts().proven; }

peers_setup setup_of(std::size_t guests, std::size_t players) {
  peers_setup s;
  s.guests_max = guests;
  s.players = std::make_shared<player_quota>(players);
  return s;
}

// Enough games for the statistics of moves, over both openings.
void play_many(engine_hub& hub) {
  for (std::uint32_t i = 0; i < 400; ++i) {
    honest_client each{hub, innocent + 0x10000 + i};
    each.play(i % 2 == 0 ? 'A' : 'B');
    each.play(i % 3 == 0 ? 'A' : 'B');
  }
  hub.pass(1h);
}

}  // namespace

TEST_CASE("udp forged: 44,000 datagrams hold the places of guests and no other") {
  engine_hub hub{setup_of(90, 1'000)};
  play_many(hub);
  honest_client ann{hub, innocent};
  const auto by_then = proven_by(hub);
  while (proven_by(hub) == by_then) ann.play('B');
  const auto before = proven_by(hub);
  REQUIRE(ann.say('A') == 'A');
  REQUIRE(ann.say('4') == '4');
  const auto heard = ann.say('E');
  // The answer to a corner is known beforehand: the engine has one cell that does not lose.
  std::uint64_t sent = 0, received = 0;
  for (std::uint32_t i = 0; i < 11'000; ++i) {
    const auto from = ipv4(forged + i % 5'000, static_cast<std::uint16_t>(1'000 + i));
    sent += hub.send(from, "A0E4").size();
    received += 4;
    REQUIRE(hub.peers.guests() <= 90);
    REQUIRE(hub.peers.players() <= 91);
    REQUIRE(hub.games() <= 91);
  }
  sent += hub.pass(33s).size();
  CHECK(sent <= received + 30);  // Ann's byte is repeated meanwhile.
  CHECK(proven_by(hub) == before);
  CHECK(hub.peers.counts().refused == 0);
  // Ann is still there, and a new client plays to its end.
  CHECK(ann.say(heard) == 'E');
  honest_client bob{hub, innocent + 1};
  CHECK(bytes::is_status(bob.play('A')));
  CHECK(bytes::is_status(bob.play('B')));
}

TEST_CASE("udp forged: 2,000 datagrams from addresses that never receive cause at most 2,000") {
  for (const bool at_once : {false, true}) {
    for (const auto* bytes : {"A0", "BE", "BB", "AQ", "A9", "BQ", "AA", "AX"}) {
      INFO(bytes << (at_once ? ", against players" : ""));
      auto s = setup_of(4'096, 5'000);
      s.settings.against_players = at_once;
      engine_hub hub{s};
      std::uint64_t sent = 0;
      for (std::uint32_t i = 0; i < 1'000; ++i)
        sent += hub.send(ipv4(forged + i, 1'000), bytes).size();
      sent += hub.pass(33s).size();
      CHECK(hub.received == 2'000);
      CHECK(sent <= 2'000);
      CHECK(sent == hub.peers.counts().sent);
      CHECK(proven_by(hub) == 0);
    }
  }
}

TEST_CASE(
    "udp forged: unproven games end half a minute after the last datagram, and leave no player") {
  engine_hub hub{setup_of(4'096, 5'000)};
  for (std::uint32_t i = 0; i < 1'000; ++i) hub.send(ipv4(forged + i, 1'000), "A0");
  CHECK(hub.games() == 1'000);
  CHECK(hub.peers.players() == 1'000);
  hub.pass(limits::udp_guest_kept);
  CHECK(hub.games() == 0);
  CHECK(hub.peers.players() == 0);
}

TEST_CASE(
    "udp forged: who guesses the hub's moves is taken for a player once in 32 times at most") {
  engine_hub hub{setup_of(4'096, 100'000)};
  play_many(hub);
  const auto before = proven_by(hub);
  base::seeded_entropy dice{11};
  constexpr std::uint32_t attempts = 3'000;
  std::uint64_t sent = 0;
  const auto received = hub.received;
  for (std::uint32_t i = 0; i < attempts; ++i) {
    const auto from = ipv4(forged + i, 1'000);
    // The hub opens anywhere; then every cell in turn is played and echoed as if guessed right.
    const auto guess = dice.below(9);
    std::string bytes = "BE" + std::to_string(guess);
    for (int turn = 0; turn < 3; ++turn)
      bytes += std::to_string(dice.below(9)) + "E" + std::to_string(dice.below(9)) + "E";
    sent += hub.send(from, bytes).size();
  }
  sent += hub.pass(33s).size();
  CHECK(proven_by(hub) - before <= attempts / 32);
  CHECK(sent <= hub.received - received);
}

TEST_CASE("udp forged: a client is proven by its true echoes, and no flood of guests removes it") {
  engine_hub hub{setup_of(30, 100)};
  play_many(hub);
  for (const char opening : {'A', 'B'}) {
    INFO(opening);
    honest_client ann{hub, innocent + static_cast<std::uint32_t>(opening)};
    const auto before = proven_by(hub);
    int played = 0;
    for (; proven_by(hub) == before && played < 20; ++played) ann.play(opening);
    CHECK(played <= (opening == 'B' ? 4 : 8));
    REQUIRE(ann.say(opening) == opening);
    char heard = opening == 'A' ? ann.say('4') : ann.say('E');
    for (std::uint32_t i = 0; i < 10'000; ++i)
      hub.send(ipv4(forged + i, 1'000), i % 3 == 0 ? "A0E4" : i % 3 == 1 ? "BE4" : "A4Q");
    CHECK(hub.peers.guests() <= 30);
    if (opening == 'A') heard = ann.say('E');
    CHECK(ann.say(heard) == 'E');
    ann.say('Q');
  }
}

TEST_CASE(
    "udp forged: a port that is full of proven players refuses guests, and no proven player") {
  auto s = setup_of(30, 5);
  s.settings.proof = 0;
  engine_hub hub{s};
  for (std::uint32_t i = 0; i < 5; ++i) {
    honest_client each{hub, innocent + i};
    for (const char byte : {'A', '4'}) REQUIRE(each.say(byte) == byte);
    REQUIRE(each.say(each.say('E')) == 'E');
  }
  CHECK(hub.peers.players() == 5);
  CHECK(hub.send(ipv4(forged, 1'000), "A4E") == "A4Q");
  CHECK(hub.peers.counts().refused == 1);
  for (std::uint32_t i = 0; i < 5; ++i) CHECK(honest_client{hub, innocent + i}.say('E') == 'E');
  // A guest makes room for the next.
  honest_client{hub, innocent}.say('Q');
  honest_client{hub, innocent}.say('S');
  CHECK(hub.send(ipv4(forged, 1'001), "A4") == "A4");
  CHECK(hub.send(ipv4(forged, 1'002), "A4") == "A4");
  CHECK(hub.peers.guests() == 1);
  CHECK(hub.peers.counts().evicted == 1);
}
