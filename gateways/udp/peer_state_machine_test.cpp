#include "gateways/udp/peer_state_machine.hpp"

#include "gateways/udp/udp_limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/udp_machine.hpp"

#include <chrono>
#include <string>

using namespace gamehub;
using namespace std::chrono_literals;
using tests::driven_machine;

namespace {

// X is the client and moved 4; the opponent O moved 0, which the client has to echo.
driven_machine after_first_turn() {
  driven_machine m;
  m.send("A4");
  m.start(0);
  m.send("E");
  m.moves(0, 4);
  m.moves(1, 0);
  return m;
}

// The same, and it is X's turn again.
driven_machine in_second_turn() {
  auto m = after_first_turn();
  m.send("0");
  return m;
}

// The same, and the opponent moved once more.
driven_machine after_second_turn() {
  auto m = in_second_turn();
  m.send("1E");
  m.moves(0, 1);
  m.moves(1, 2);
  return m;
}

// X has three in a row, and was sent the result.
driven_machine won() {
  auto m = in_second_turn();
  m.send("3E");
  m.moves_and_ends(0, 3, 0);
  return m;
}

// A proven address plays its second game, as O.
driven_machine reopened() {
  auto m = won();
  m.send("CB");
  m.cells = "---------";
  return m;
}

// The opponent opened with 4, and its move was sent.
driven_machine opened() {
  driven_machine m;
  m.send("BE");
  m.start(1);
  m.moves(0, 4);
  return m;
}

driven_machine played_to(std::string_view name) {
  driven_machine m;
  if (name == "OPEN") m.send("B");
  if (name == "TURN") m.send("A");
  if (name == "INVALID") m.send("A9");
  if (name == "PENDING") m.send("A4");
  if (name == "THINK") m.send("A4E");
  if (name == "MOVED") m = after_first_turn();
  if (name == "FINAL") m = won();
  return m;
}

}  // namespace

TEST_CASE("udp machine: an unknown address opens a game with A or B, and nothing else") {
  driven_machine m;
  CHECK(m.send("E049CSDIWQ") == "         ");
  CHECK(m.at() == "none");
  CHECK(m.send("A") == "A");
  CHECK(m.at() == "TURN");
  CHECK(m.it.seat() == 0);
  driven_machine second;
  CHECK(second.send("B") == "B");
  CHECK(second.at() == "OPEN");
  CHECK(second.it.seat() == 1);
}

TEST_CASE("udp machine: plays a whole game as the table says") {
  driven_machine m;
  CHECK(m.send("A") == "A");
  CHECK(m.send("4") == "4[seek]");
  CHECK(m.at() == "PENDING");
  CHECK(m.start(0) == "");
  CHECK(m.send("E") == "[play 4]");
  CHECK(m.at() == "THINK");
  CHECK(m.moves(0, 4) == "");
  CHECK(m.moves(1, 0) == "0");
  CHECK(m.at() == "MOVED");
  CHECK(m.send("0") == "E");
  CHECK(m.at() == "TURN");
  CHECK(m.send("3E") == "3 [play 3]");
  m.moves(0, 3);
  CHECK(m.moves(1, 1) == "1");
  CHECK(m.send("15E") == "E 5 [play 5]");
  CHECK(m.moves_and_ends(0, 5, 0) == "C");
  CHECK(m.at() == "FINAL");
  CHECK(m.send("C") == "Q");
  CHECK(m.at() == "ENDED");
}

TEST_CASE(
    "udp machine: against other players the first E seeks, which shows that it hears the hub") {
  driven_machine x;
  x.on.against_players = true;
  CHECK(x.send("AA4454") == "A A 4 4 5 4");
  CHECK(x.at() == "PENDING");
  CHECK(x.send("E") == "[seek]");
  CHECK(x.at() == "THINK");
  CHECK(x.start(0) == "[play 4]");
  driven_machine o;
  o.on.against_players = true;
  CHECK(o.send("BBBBBBBB") == "B B B B B B B B");
  CHECK(o.send("E") == "[seek]");
  CHECK(o.start(1) == "");
  CHECK(o.moves(0, 4) == "4");
  driven_machine quits;
  quits.on.against_players = true;
  CHECK(quits.send("A4Q") == "A 4 S");
}

TEST_CASE(
    "udp machine: an address that waits for an opponent in silence for half a minute is gone") {
  for (const auto* bytes : {"A4E", "BE"}) {
    INFO(bytes);
    driven_machine m;
    m.on.against_players = true;
    m.send(bytes);
    for (int i = 0; i < 100; ++i) {
      CHECK(m.pass(1s) == "");
      CHECK(m.send("E") == "");
    }
    CHECK(m.it.waits_for_seat());
    CHECK(m.pass(limits::udp_waiting_kept - 1ms) == "");
    CHECK(m.it.waits_for_seat());
    CHECK(m.pass(1ms) == "");
    CHECK(m.at() == "ENDED");
    CHECK(m.send("E") == "Q");
  }
  auto proven = won();
  proven.on.against_players = true;
  proven.send("CBE");
  CHECK(proven.it.next() == proven.now + limits::udp_waiting_kept);
  CHECK(proven.pass(limits::udp_waiting_kept) == "Q");
  auto seated = won();
  seated.on.against_players = true;
  seated.send("CBE");
  seated.start(1);
  CHECK(seated.it.next() == base::instant::max());
}

TEST_CASE("udp machine: tells which byte begins a game of an unproven address") {
  const auto begins = [](const driven_machine& m) {
    std::string out;
    for (int byte = 0; byte < 256; ++byte)
      if (m.it.begins_unproven_game(static_cast<char>(byte), m.on)) out += static_cast<char>(byte);
    return out;
  };
  CHECK(begins({}) == "");
  CHECK(begins(played_to("TURN")) == "012345678");
  CHECK(begins(played_to("OPEN")) == "BE");
  CHECK(begins(played_to("PENDING")) == "");
  CHECK(begins(reopened()) == "");
  driven_machine m;
  m.on.against_players = true;
  m.send("A");
  CHECK(begins(m) == "");
  m.send("4");
  CHECK(begins(m) == "E");
  m.send("E");
  CHECK(begins(m) == "");
  driven_machine o;
  o.on.against_players = true;
  o.send("B");
  CHECK(begins(o) == "E");
}

TEST_CASE("udp machine: OPEN answers E with the opening move as soon as there is one") {
  driven_machine m;
  CHECK(m.send("B") == "B");
  CHECK(m.send("E") == "[seek]");
  CHECK(m.at() == "OPEN");
  CHECK(m.start(1) == "");
  CHECK(m.moves(0, 4) == "4");
  CHECK(m.at() == "MOVED");
}

TEST_CASE("udp machine: OPEN answers B with B and, as soon as there is one, the opening move") {
  driven_machine m;
  CHECK(m.send("B") == "B");
  CHECK(m.send("B") == "B[seek]");
  m.start(1);
  CHECK(m.moves(0, 4) == "");
  CHECK(m.send("B") == "4");
  CHECK(m.at() == "MOVED");
  auto proven = reopened();
  CHECK(proven.send("B") == "B[seek]");
  proven.start(1);
  CHECK(proven.moves(0, 4) == "4");
  CHECK(proven.at() == "MOVED");
}

TEST_CASE("udp machine: TURN echoes a free digit and keeps it") {
  driven_machine m;
  CHECK(m.send("A8") == "A 8[seek]");
  CHECK(m.at() == "PENDING");
}

TEST_CASE("udp machine: TURN calls every other digit invalid, 9 included") {
  auto m = in_second_turn();
  CHECK(m.send("4") == "I");
  CHECK(m.at() == "INVALID");
  CHECK(driven_machine{}.send("A9") == "A I");
}

TEST_CASE("udp machine: TURN takes the first two repeats of its move for late duplicates") {
  auto m = in_second_turn();
  CHECK(m.send("00") == "E E");
  CHECK(m.at() == "TURN");
  CHECK(m.send("0") == "I");
  CHECK(m.at() == "INVALID");
}

TEST_CASE("udp machine: TURN repeats A, E and W, each while it is the last byte") {
  driven_machine m;
  CHECK(m.send("AAEIW") == "A A   ");
  auto later = in_second_turn();
  CHECK(later.send("AEIW") == " E  ");
  CHECK(later.send("9IIAEW") == "I W W   ");
}

TEST_CASE("udp machine: INVALID waits for I") {
  driven_machine m;
  CHECK(m.send("A9") == "A I");
  CHECK(m.send("09EA") == "I I  ");
  CHECK(m.at() == "INVALID");
  CHECK(m.send("I") == "W");
  CHECK(m.at() == "TURN");
}

TEST_CASE("udp machine: PENDING changes its digit as often as the client does") {
  driven_machine m;
  CHECK(m.send("A44") == "A 4[seek] 4");
  CHECK(m.send("05") == "0 5");
  m.start(0);
  CHECK(m.send("E") == "[play 5]");
}

TEST_CASE("udp machine: PENDING drops its digit for one that is not free") {
  auto m = in_second_turn();
  CHECK(m.send("14") == "1 I");
  CHECK(m.at() == "INVALID");
  CHECK(m.send("EI2E") == " W 2 [play 2]");
}

TEST_CASE("udp machine: THINK absorbs E and sends nothing") {
  driven_machine m;
  m.send("A4");
  m.start(0);
  m.send("E");
  m.moves(0, 4);
  CHECK(m.send("EEE4IAB") == "      ");
  CHECK(m.pass(24h) == "");
  CHECK(m.moves(1, 0) == "0");
}

TEST_CASE("udp machine: THINK holds a move until there is an opponent") {
  driven_machine m;
  CHECK(m.send("A4E") == "A 4[seek] ");
  CHECK(m.at() == "THINK");
  CHECK(m.start(0) == "[play 4]");
}

TEST_CASE("udp machine: THINK reports a move that the rules refuse") {
  driven_machine m;
  m.send("A4");
  m.start(0);
  m.send("E");
  CHECK(m.refuse(refusal::illegal_move) == "I");
  CHECK(m.at() == "INVALID");
  CHECK(m.send("I4E") == "W 4 [play 4]");
  CHECK(m.refuse(refusal::opponent_left) == "");
  CHECK(m.at() == "THINK");
}

TEST_CASE("udp machine: MOVED takes only its own digit for an echo") {
  auto m = after_first_turn();
  CHECK(m.send("E4918") == "0 0 0 0 0");
  CHECK(m.send("ABISCDW") == "      ");
  CHECK(m.send("0") == "E");
  CHECK(m.at() == "TURN");
}

TEST_CASE(
    "udp machine: MOVED prompts a client that confirms again and again, which may choose again") {
  auto m = after_first_turn();
  CHECK(m.send("EEE") == "0 0 0");
  CHECK(m.send("E") == "E");
  CHECK(m.at() == "MOVED");
  // A client that did not receive the move goes on confirming, and gets it.
  CHECK(m.send("EEEE") == "0 0 0 E");
  CHECK(m.send("0") == "E");
  CHECK(m.at() == "TURN");
  // A late copy of the move was taken for the echo of the client's next digit.
  auto misled = after_second_turn();
  CHECK(misled.send("EEEE3") == "2 2 2 E 3");
  CHECK(misled.at() == "PENDING");
  CHECK(misled.send("E") == "[play 3]");
  // Digits in between start the count again.
  auto digits = after_second_turn();
  CHECK(digits.send("EEE7EEE") == "2 2 2 2 2 2 2");
}

TEST_CASE(
    "udp machine: MOVED gives the result after ten confirmations if its move ended the game") {
  auto m = in_second_turn();
  m.send("3E");
  m.moves(0, 3);
  CHECK(m.moves_and_ends(1, 1, 1) == "1");
  CHECK(m.send("EEEEEEEEE") == "1 1 1 1 1 1 1 1 1");
  CHECK(m.send("E") == "S");
  CHECK(m.at() == "FINAL");
  CHECK(m.send("S") == "Q");
}

TEST_CASE("udp machine: MOVED answers B before the client's first move") {
  auto proven = reopened();
  proven.send("E");
  proven.start(1);
  proven.moves(0, 4);
  CHECK(proven.send("B") == "B4");
  auto m = opened();
  CHECK(m.send("BB") == "B 4");
  CHECK(m.at() == "MOVED");
  CHECK(m.send("4") == "E");
  m.send("0E");
  m.moves(1, 0);
  CHECK(m.moves(0, 8) == "8");
  CHECK(m.send("B") == "");
}

TEST_CASE("udp machine: MOVED sends the result after the echo of the last move") {
  auto lost = in_second_turn();
  lost.send("3E");
  lost.moves(0, 3);
  CHECK(lost.moves_and_ends(1, 1, 1) == "1");
  CHECK(lost.at() == "MOVED");
  CHECK(lost.send("E1") == "1 S");
  CHECK(lost.at() == "FINAL");
  auto drawn = in_second_turn();
  drawn.send("3E");
  drawn.moves(0, 3);
  drawn.moves_and_ends(1, 1, std::nullopt);
  CHECK(drawn.send("1") == "D");
  CHECK(drawn.at() == "FINAL");
}

TEST_CASE("udp machine: FINAL is acknowledged by the status alone") {
  auto m = won();
  CHECK(m.send("SD4Q0I") == "     ");
  CHECK(m.send("EE") == "C C");
  CHECK(m.at() == "FINAL");
  CHECK(m.send("C") == "Q");
  CHECK(m.at() == "ENDED");
}

TEST_CASE("udp machine: FINAL repeats the result five times and ends") {
  auto m = won();
  CHECK(m.pass(1s + 4 * 1300ms) == "CCCCC");
  CHECK(m.at() == "FINAL");
  CHECK(m.pass(1300ms) == "");
  CHECK(m.at() == "ENDED");
  auto asked = won();
  std::string out;
  for (int i = 0; i < 16; ++i) out += asked.pass(500ms) + asked.send("E") + ' ';
  CHECK(out == "C CC C C CC C C CC C CC C C CC C C C ");
  CHECK(asked.at() == "ENDED");
}

TEST_CASE("udp machine: ENDED answers every result with Q, and starts a game for A and B") {
  auto m = won();
  m.send("C");
  CHECK(m.send("CSDE40I") == "Q Q Q    ");
  CHECK(m.send("B") == "B");
  CHECK(m.at() == "OPEN");
}

TEST_CASE("udp machine: ENDED repeats a result that was not acknowledged") {
  auto m = won();
  m.pass(1s + 5 * 1300ms);
  CHECK(m.at() == "ENDED");
  CHECK(m.send("E4CX") == "C C Q ");
  CHECK(m.pass(limits::udp_status_kept - 1ms) == "");
  CHECK(m.send("E") == "C");
  m.pass(1ms);
  CHECK(m.at() == "none");
}

TEST_CASE("udp machine: ENDED is kept for ten seconds") {
  auto m = won();
  m.send("C");
  CHECK(m.pass(9999ms) == "");
  CHECK(m.send("C") == "Q");
  m.pass(1ms);
  CHECK(m.at() == "none");
  CHECK(m.it.next() == base::instant::max());
  CHECK(m.send("C") == "");
}

TEST_CASE("udp machine: Q resigns in every state before FINAL") {
  for (const auto* name : {"OPEN", "TURN", "INVALID", "PENDING", "THINK", "MOVED"}) {
    INFO(name);
    auto m = played_to(name);
    REQUIRE(m.at() == name);
    // Before the seek there is no game to leave.
    const bool has_game = std::string_view{"PENDING THINK MOVED"}.find(name) != std::string::npos;
    CHECK(m.send("Q") == (has_game ? "S[leave]" : "S"));
    CHECK(m.at() == "FINAL");
    CHECK(m.send("QQS") == "S S Q");
    CHECK(m.at() == "ENDED");
  }
  CHECK(played_to("FINAL").send("Q") == "");
}

TEST_CASE("udp machine: a result that crosses a resignation stands") {
  auto m = in_second_turn();
  m.send("3E");
  CHECK(m.send("Q") == "S[leave]");
  CHECK(m.moves_and_ends(0, 3, 0) == "");
  CHECK(m.send("Q") == "C");
  CHECK(m.send("C") == "Q");
}

TEST_CASE("udp machine: an end without a move is sent immediately, and for ten minutes") {
  for (const auto* name : {"TURN", "INVALID", "PENDING", "THINK", "MOVED"}) {
    INFO(name);
    auto m = in_second_turn();
    if (name == std::string{"MOVED"}) m = after_second_turn();
    if (name == std::string{"INVALID"}) m.send("9");
    if (name == std::string{"PENDING"}) m.send("1");
    if (name == std::string{"THINK"}) m.send("1E");
    REQUIRE(m.at() == name);
    CHECK(m.ends(end_reason::clock, 1) == "S");
    CHECK(m.at() == "FINAL");
    CHECK(m.pass(8s) == "SSSSS");
    CHECK(m.at() == "ENDED");
    CHECK(m.pass(590s) == "");
    CHECK(m.send("E08IQX") == "S S S S S ");
    CHECK(m.send("CSD") == "Q Q Q");
    m.pass(10s);
    CHECK(m.at() == "none");
    CHECK(m.send("E") == "");
  }
  auto left = after_second_turn();
  CHECK(left.ends(end_reason::left, 0) == "C");
  CHECK(left.send("A") == "");
  CHECK(left.send("4SC") == "C C Q");
  CHECK(left.send("A") == "A");
}

TEST_CASE("udp machine: a game without a result ends with Q") {
  for (const auto why : {end_reason::drained, end_reason::operator_, end_reason::failed}) {
    auto m = in_second_turn();
    CHECK(m.ends(why, std::nullopt) == "Q");
    CHECK(m.at() == "ENDED");
    CHECK(m.pass(60s) == "");
    CHECK(m.send("3E") == "Q Q");
  }
  auto closed = in_second_turn();
  CHECK(tests::output_text(closed.it.hub_closed(closed.now)) == "Q");
  CHECK(closed.at() == "ENDED");
  driven_machine full;
  full.send("A4");
  CHECK(full.refuse(refusal::hub_full) == "");
  CHECK(full.at() == "ENDED");
  CHECK(full.send("E") == "Q");
}

TEST_CASE("udp machine: leaves a game whose moves are no digits") {
  auto m = in_second_turn();
  m.send("3E");
  m.moves(0, 3);
  CHECK(m.show(1, 0) == "S[leave]");
}

TEST_CASE("udp machine: repeats its last byte each second, thirty times") {
  for (const auto* name : {"INVALID", "PENDING", "MOVED", "TURN"}) {
    INFO(name);
    auto m = name == std::string{"MOVED"} ? after_second_turn() : in_second_turn();
    if (name == std::string{"INVALID"}) m.send("9");
    if (name == std::string{"PENDING"}) m.send("1");
    REQUIRE(m.at() == name);
    const auto last = m.it.last();
    CHECK(m.pass(999ms) == "");
    CHECK(m.pass(1ms) == std::string(1, last));
    CHECK(m.pass(1299ms) == "");
    CHECK(m.pass(1ms) == std::string(1, last));
    CHECK(m.pass(28 * 1300ms) == std::string(28, last));
    CHECK(m.pass(24h) == "");
    CHECK(m.at() == name);
  }
}

TEST_CASE("udp machine: an answer restarts the thirty repeats") {
  auto m = in_second_turn();
  CHECK(m.pass(1s + 19 * 1300ms) == std::string(20, 'E'));
  CHECK(m.send("E") == "E");
  CHECK(m.pass(24h) == std::string(30, 'E'));
  CHECK(m.send("8") == "8");
}

TEST_CASE("udp machine: repeats nothing to an address that is not proven") {
  for (const auto* name : {"INVALID", "PENDING", "THINK", "MOVED"}) {
    INFO(name);
    auto m = played_to(name);
    REQUIRE(m.at() == name);
    const auto sent = m.pass(24h);
    CHECK((sent == "" || sent == "[leave]"));
    if (m.at() == "ENDED") CHECK(m.send("4") == "S");
  }
  driven_machine a;
  a.send("A");
  CHECK(a.pass(limits::udp_newcomer_kept - 1ms) == "");
  CHECK(a.at() == "TURN");
  CHECK(a.pass(1ms) == "");
  CHECK(a.at() == "none");
  driven_machine b;
  b.send("B");
  CHECK(b.pass(1h) == "");
  driven_machine quits;
  // Ignored bytes are not paid back by timeouts.
  quits.send("AXXXXXXQ");
  CHECK(quits.pass(6s) == "");
  CHECK(quits.at() == "ENDED");
}

TEST_CASE("udp machine: silence does not end a game") {
  driven_machine m;
  m.information = 0;
  m.send("A8");
  m.start(0);
  m.send("E");
  m.moves(0, 8);
  m.moves(1, 0);
  CHECK(m.send("0") == "E");
  CHECK(m.pass(24h) == "");
  CHECK(m.at() == "TURN");
  // The result of a turn timeout is sent when a byte arrives.
  CHECK(m.ends(end_reason::clock, 1) == "");
  CHECK(m.send("4") == "S");
}

TEST_CASE("udp machine: an address that is not proven gets at most one byte for each byte") {
  driven_machine m;
  m.send("BB");
  m.start(1);
  CHECK(m.moves(0, 4) == "");
  CHECK(m.pass(1h) == "");
  CHECK(m.send("BBBBBB") == "4 B 4 B 4 B");
  CHECK(m.send("4") == "E");
  CHECK(m.it.proven());
  CHECK(m.pass(1s) == "E");
}

TEST_CASE("udp machine: a byte without an answer stands for a repeat to an unproven address") {
  auto m = after_first_turn();
  CHECK(m.send("12340") == "0 0 0 0 E");
  // The hub's W was lost, and the client repeats an E of before.
  REQUIRE(m.send("9I") == "I W");
  m.pass(999ms);
  CHECK(m.send("E") == "");
  m.pass(1ms);
  CHECK(m.send("EEE") == "W  ");
  m.send("9");
  // The bytes before paid for this one, too.
  CHECK(m.ends(end_reason::clock, 1) == "S");
  CHECK(m.send("A") == "");
  m.pass(1s);
  CHECK(m.send("A") == "S");
  auto proven = in_second_turn();
  proven.send("9I");
  CHECK(proven.pass(1s) == "W");
  CHECK(proven.send("A") == "");
}

TEST_CASE("udp machine: an unproven address gets a result that answers no byte at its next byte") {
  auto m = after_first_turn();
  CHECK(m.ends(end_reason::clock, 1) == "");
  CHECK(m.pass(60s) == "");
  CHECK(m.send("E4S") == "S S Q");
}

TEST_CASE("udp machine: the echo of an unpredictable move proves the address, and no other byte") {
  driven_machine m;
  for (const auto* bytes : {"A", "49I", "4", "E"}) {
    m.send(bytes);
    CHECK_FALSE(m.it.proven());
    if (bytes == std::string{"4"}) m.start(0);
  }
  m.moves(0, 4);
  m.moves(1, 0);
  // The client's own digit may be a late copy, and E a repeat: neither is a guess.
  CHECK(m.send("E4E") == "0 0 0");
  CHECK_FALSE(m.it.proven());
  CHECK(m.send("0") == "E");
  CHECK(m.it.proven());
  CHECK(won().it.proven());
  CHECK(reopened().it.proven());
}

TEST_CASE("udp machine: only the first digit that could be the echo of a move counts") {
  auto m = after_first_turn();
  CHECK(m.send("1230") == "0 0 0 E");
  CHECK_FALSE(m.it.proven());
  CHECK(m.pass(1h) == "");
}

TEST_CASE("udp machine: echoes prove together what one does not, until a wrong one") {
  driven_machine m;
  m.information = limits::udp_proof / 2;
  const auto turn = [&m](const char* digit, int cell, int answer) {
    m.send(std::string{digit} + "E");
    m.moves(0, cell);
    m.moves(1, answer);
  };
  m.send("A4");
  m.start(0);
  turn("4", 4, 0);
  m.send("0");
  CHECK(m.it.has_evidence());
  CHECK_FALSE(m.it.proven());
  turn("1", 1, 2);
  m.send("5");
  CHECK_FALSE(m.it.has_evidence());
  m.send("2");
  turn("3", 3, 7);
  m.send("7");
  CHECK(m.it.has_evidence());
  CHECK_FALSE(m.it.proven());
  turn("5", 5, 6);
  m.send("6");
  CHECK(m.it.proven());
}

TEST_CASE("udp machine: the echo of a move that could not be another proves nothing") {
  driven_machine m;
  m.information = 0;
  m.send("A0");
  m.start(0);
  m.send("E");
  m.moves(0, 0);
  m.moves(1, 4);
  CHECK(m.send("4") == "E");
  CHECK_FALSE(m.it.has_evidence());
  CHECK_FALSE(m.it.proven());
}

TEST_CASE(
    "udp machine: an unproven address that owes an acknowledgement resigns after half a minute") {
  for (const auto* name : {"INVALID", "PENDING", "MOVED"}) {
    INFO(name);
    auto m = played_to(name);
    if (name == std::string{"INVALID"}) m = played_to("PENDING"), m.send("9");
    REQUIRE(m.at() == name);
    CHECK(m.pass(limits::udp_guest_kept - 1ms) == "");
    CHECK(m.at() == name);
    CHECK(m.pass(1ms) == "[leave]");
    CHECK(m.at() == "ENDED");
    CHECK(m.send("EQS") == "S S Q");
  }
  // A byte is a sign of life.
  auto moved = after_first_turn();
  moved.pass(limits::udp_guest_kept - 1ms);
  CHECK(moved.send("E") == "0");
  CHECK(moved.pass(limits::udp_guest_kept - 1ms) == "");
  CHECK(moved.at() == "MOVED");
  auto proven = after_second_turn();
  CHECK(proven.pass(24h) == std::string(30, '2'));
  CHECK(proven.at() == "MOVED");
}

TEST_CASE("udp machine: an unproven client may think for as long as it likes") {
  driven_machine thinks;
  thinks.information = 0;
  thinks.send("A4");
  thinks.start(0);
  thinks.send("E");
  thinks.moves(0, 4);
  thinks.moves(1, 0);
  CHECK(thinks.send("0") == "E");
  CHECK(thinks.pass(24h) == "");
  CHECK(thinks.send("8") == "8");
}

TEST_CASE("udp machine: cells beyond a smaller board are never free") {
  driven_machine m;
  m.on.cells = 4;
  CHECK(m.send("A4I3") == "A I W 3[seek]");
}
