#include "gateways/udp/machine.hpp"

#include <chrono>
#include <string>

#include "gateways/udp/udp_limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/udp_machine.hpp"

using namespace gamehub;
using namespace std::chrono_literals;
using tests::driven_machine;

namespace {

// X is the client, and moved 4; O, the other side, moved 0. The client has to echo that.
driven_machine after_first_turn() {
  driven_machine m;
  m.hear("A4");
  m.start(0);
  m.hear("E");
  m.moves(0, 4);
  m.moves(1, 0);
  return m;
}

// The same, and it is X's turn again.
driven_machine in_second_turn() {
  auto m = after_first_turn();
  m.hear("0");
  return m;
}

// X has three in a row, and was told.
driven_machine won() {
  driven_machine m;
  m.hear("A");
  m.hear("4");
  m.start(0);
  m.hear("E");
  m.moves_and_ends(0, 4, 0);
  return m;
}

// The other side opened with 4, and its move was told.
driven_machine opened() {
  driven_machine m;
  m.hear("BE");
  m.start(1);
  m.moves(0, 4);
  return m;
}

driven_machine played_to(std::string_view name) {
  driven_machine m;
  if (name == "OPEN") m.hear("B");
  if (name == "TURN") m.hear("A");
  if (name == "INVALID") m.hear("A9");
  if (name == "PENDING") m.hear("A4");
  if (name == "THINK") m.hear("A4E");
  if (name == "MOVED") m = after_first_turn();
  if (name == "FINAL") m = won();
  return m;
}

}  // namespace

TEST_CASE("udp machine: an unknown address opens a game with A or B, and nothing else") {
  driven_machine m;
  CHECK(m.hear("E049CSDIWQ") == "         ");
  CHECK(m.at() == "none");
  CHECK(m.hear("A") == "A");
  CHECK(m.at() == "TURN");
  CHECK(m.it.seat() == 0);
  driven_machine second;
  CHECK(second.hear("B") == "B");
  CHECK(second.at() == "OPEN");
  CHECK(second.it.seat() == 1);
}

TEST_CASE("udp machine: plays a whole game as the table says") {
  driven_machine m;
  CHECK(m.hear("A") == "A");
  CHECK(m.hear("4") == "4[seek]");
  CHECK(m.at() == "PENDING");
  CHECK(m.start(0) == "");
  CHECK(m.hear("E") == "[play 4]");
  CHECK(m.at() == "THINK");
  CHECK(m.moves(0, 4) == "");
  CHECK(m.moves(1, 0) == "0");
  CHECK(m.at() == "MOVED");
  CHECK(m.hear("0") == "E");
  CHECK(m.at() == "TURN");
  CHECK(m.hear("3E") == "3 [play 3]");
  m.moves(0, 3);
  CHECK(m.moves(1, 1) == "1");
  CHECK(m.hear("15E") == "E 5 [play 5]");
  CHECK(m.moves_and_ends(0, 5, 0) == "C");
  CHECK(m.at() == "FINAL");
  CHECK(m.hear("C") == "Q");
  CHECK(m.at() == "ENDED");
}

TEST_CASE("udp machine: none, with a hub that looks for opponents at once") {
  driven_machine m;
  m.on.seek_at_once = true;
  CHECK(m.hear("A") == "A[seek]");
  CHECK(m.hear("A4") == "A 4");
}

TEST_CASE("udp machine: OPEN answers E with the opening move as soon as there is one") {
  driven_machine m;
  CHECK(m.hear("B") == "B");
  CHECK(m.hear("E") == "[seek]");
  CHECK(m.at() == "OPEN");
  CHECK(m.start(1) == "");
  CHECK(m.moves(0, 4) == "4");
  CHECK(m.at() == "MOVED");
}

TEST_CASE("udp machine: OPEN answers B with B and, as soon as there is one, the opening move") {
  driven_machine m;
  CHECK(m.hear("B") == "B");
  CHECK(m.hear("B") == "B[seek]");
  m.start(1);
  CHECK(m.moves(0, 4) == "4");
  CHECK(m.at() == "MOVED");
  driven_machine early;
  early.on.seek_at_once = true;
  early.hear("B");
  early.start(1);
  CHECK(early.moves(0, 4) == "");
  CHECK(early.hear("B") == "B4");
  CHECK(early.at() == "MOVED");
  CHECK(early.hear("4") == "E");
}

TEST_CASE("udp machine: TURN repeats a free digit and holds it") {
  driven_machine m;
  CHECK(m.hear("A8") == "A 8[seek]");
  CHECK(m.at() == "PENDING");
}

TEST_CASE("udp machine: TURN calls every other digit invalid, 9 included") {
  auto m = in_second_turn();
  CHECK(m.hear("4") == "I");
  CHECK(m.at() == "INVALID");
  CHECK(driven_machine{}.hear("A9") == "A I");
}

TEST_CASE("udp machine: TURN takes the first two repeats of its own move for late duplicates") {
  auto m = in_second_turn();
  CHECK(m.hear("00") == "E E");
  CHECK(m.at() == "TURN");
  CHECK(m.hear("0") == "I");
  CHECK(m.at() == "INVALID");
}

TEST_CASE("udp machine: TURN says A, E and W again, each while it is the last byte") {
  driven_machine m;
  CHECK(m.hear("AAEIW") == "A A   ");
  auto later = in_second_turn();
  CHECK(later.hear("AEIW") == " E  ");
  CHECK(later.hear("9IIAEW") == "I W W   ");
}

TEST_CASE("udp machine: INVALID waits for I, whatever else comes") {
  driven_machine m;
  CHECK(m.hear("A9") == "A I");
  CHECK(m.hear("09EA") == "I I  ");
  CHECK(m.at() == "INVALID");
  CHECK(m.hear("I") == "W");
  CHECK(m.at() == "TURN");
}

TEST_CASE("udp machine: PENDING changes its digit as often as the client does") {
  driven_machine m;
  CHECK(m.hear("A44") == "A 4[seek] 4");
  CHECK(m.hear("05") == "0 5");
  m.start(0);
  CHECK(m.hear("E") == "[play 5]");
}

TEST_CASE("udp machine: PENDING drops its digit for one that is not free") {
  auto m = in_second_turn();
  CHECK(m.hear("14") == "1 I");
  CHECK(m.at() == "INVALID");
  CHECK(m.hear("EI2E") == " W 2 [play 2]");
}

TEST_CASE("udp machine: THINK absorbs E and says nothing by itself, however long it takes") {
  driven_machine m;
  m.hear("A4");
  m.start(0);
  m.hear("E");
  m.moves(0, 4);
  CHECK(m.hear("EEE4IAB") == "      ");
  CHECK(m.pass(24h) == "");
  CHECK(m.moves(1, 0) == "0");
}

TEST_CASE("udp machine: THINK holds a move until there is an opponent") {
  driven_machine m;
  CHECK(m.hear("A4E") == "A 4[seek] ");
  CHECK(m.at() == "THINK");
  CHECK(m.start(0) == "[play 4]");
}

TEST_CASE("udp machine: THINK tells the client that the rules refuse its move") {
  driven_machine m;
  m.hear("A4");
  m.start(0);
  m.hear("E");
  CHECK(m.refuse(refusal::illegal_move) == "I");
  CHECK(m.at() == "INVALID");
  CHECK(m.hear("I4E") == "W 4 [play 4]");
  CHECK(m.refuse(refusal::opponent_left) == "");
  CHECK(m.at() == "THINK");
}

TEST_CASE("udp machine: MOVED takes only its own digit for an echo") {
  auto m = after_first_turn();
  CHECK(m.hear("E4918") == "0 0 0 0 0");
  CHECK(m.hear("ABISCDW") == "      ");
  CHECK(m.hear("0") == "E");
  CHECK(m.at() == "TURN");
}

TEST_CASE("udp machine: MOVED answers B before the client's first move") {
  auto m = opened();
  CHECK(m.hear("B") == "B4");
  CHECK(m.at() == "MOVED");
  CHECK(m.hear("4") == "E");
  m.hear("0E");
  m.moves(1, 0);
  CHECK(m.moves(0, 8) == "8");
  CHECK(m.hear("B") == "");
}

TEST_CASE("udp machine: MOVED tells the end of the game after the echo of the move that made it") {
  auto lost = in_second_turn();
  lost.hear("3E");
  lost.moves(0, 3);
  CHECK(lost.moves_and_ends(1, 1, 1) == "1");
  CHECK(lost.at() == "MOVED");
  CHECK(lost.hear("E1") == "1 S");
  CHECK(lost.at() == "FINAL");
  auto drawn = in_second_turn();
  drawn.hear("3E");
  drawn.moves(0, 3);
  drawn.moves_and_ends(1, 1, std::nullopt);
  CHECK(drawn.hear("1") == "D");
  CHECK(drawn.at() == "FINAL");
}

TEST_CASE("udp machine: FINAL is acknowledged by the status alone") {
  auto m = won();
  CHECK(m.hear("SD4Q0I") == "     ");
  CHECK(m.hear("EE") == "C C");
  CHECK(m.at() == "FINAL");
  CHECK(m.hear("C") == "Q");
  CHECK(m.at() == "ENDED");
}

TEST_CASE("udp machine: FINAL is said five more times, whatever is asked meanwhile, and ends") {
  auto m = won();
  CHECK(m.pass(5s) == "CCCCC");
  CHECK(m.at() == "FINAL");
  CHECK(m.pass(1s) == "");
  CHECK(m.at() == "ENDED");
  auto asked = won();
  std::string out;
  for (int i = 0; i < 12; ++i) out += asked.pass(500ms) + asked.hear("E") + ' ';
  CHECK(out == "C CC C CC C CC C CC C CC C C ");
  CHECK(asked.at() == "ENDED");
}

TEST_CASE("udp machine: ENDED says Q to every status and starts anew for A and B") {
  auto m = won();
  m.hear("C");
  CHECK(m.hear("CSDE40I") == "Q Q Q    ");
  CHECK(m.hear("B") == "B");
  CHECK(m.at() == "OPEN");
}

TEST_CASE("udp machine: ENDED still says its status to who never acknowledged it") {
  auto m = won();
  m.pass(6s);
  CHECK(m.at() == "ENDED");
  CHECK(m.hear("E4CX") == "C C Q ");
  CHECK(m.pass(limits::udp_status_kept - 1ms) == "");
  CHECK(m.hear("E") == "C");
  m.pass(1ms);
  CHECK(m.at() == "none");
}

TEST_CASE("udp machine: ENDED is kept for ten seconds") {
  auto m = won();
  m.hear("C");
  CHECK(m.pass(9999ms) == "");
  CHECK(m.hear("C") == "Q");
  m.pass(1ms);
  CHECK(m.at() == "none");
  CHECK(m.it.next() == instant::max());
  CHECK(m.hear("C") == "");
}

TEST_CASE("udp machine: Q gives up in every state before FINAL") {
  for (const auto* name : {"OPEN", "TURN", "INVALID", "PENDING", "THINK", "MOVED"}) {
    INFO(name);
    auto m = played_to(name);
    REQUIRE(m.at() == name);
    // Before the hub was asked for a game there is none to leave.
    const bool has_game = std::string_view{"PENDING THINK MOVED"}.find(name) != std::string::npos;
    CHECK(m.hear("Q") == (has_game ? "S[leave]" : "S"));
    CHECK(m.at() == "FINAL");
    CHECK(m.hear("QQS") == "S S Q");
    CHECK(m.at() == "ENDED");
  }
  CHECK(played_to("FINAL").hear("Q") == "");
}

TEST_CASE("udp machine: the end that a resignation crossed is the one that stands") {
  auto m = in_second_turn();
  m.hear("3E");
  CHECK(m.hear("Q") == "S[leave]");
  CHECK(m.moves_and_ends(0, 3, 0) == "");
  CHECK(m.hear("Q") == "C");
  CHECK(m.hear("C") == "Q");
}

TEST_CASE("udp machine: an end off the board is told at once, and for ten minutes") {
  for (const auto* name : {"TURN", "INVALID", "PENDING", "THINK", "MOVED"}) {
    INFO(name);
    auto m = in_second_turn();
    if (name == std::string{"MOVED"}) m = after_first_turn();
    if (name == std::string{"INVALID"}) m.hear("9");
    if (name == std::string{"PENDING"}) m.hear("1");
    if (name == std::string{"THINK"}) m.hear("1E");
    REQUIRE(m.at() == name);
    CHECK(m.ends(end_reason::clock, 1) == "S");
    CHECK(m.at() == "FINAL");
    CHECK(m.pass(6s) == "SSSSS");
    CHECK(m.at() == "ENDED");
    CHECK(m.pass(590s) == "");
    CHECK(m.hear("E08IQX") == "S S S S S ");
    CHECK(m.hear("CSD") == "Q Q Q");
    m.pass(10s);
    CHECK(m.at() == "none");
    CHECK(m.hear("E") == "");
  }
  auto left = after_first_turn();
  CHECK(left.ends(end_reason::left, 0) == "C");
  CHECK(left.hear("A") == "");
  CHECK(left.hear("4SC") == "C C Q");
  CHECK(left.hear("A") == "A");
}

TEST_CASE("udp machine: a game without a result ends with Q") {
  for (const auto why : {end_reason::drained, end_reason::operator_, end_reason::failed}) {
    auto m = in_second_turn();
    CHECK(m.ends(why, std::nullopt) == "Q");
    CHECK(m.at() == "ENDED");
    CHECK(m.pass(60s) == "");
    CHECK(m.hear("3E") == "Q Q");
  }
  auto closed = in_second_turn();
  CHECK(tests::output_text(closed.it.hub_closed(closed.now)) == "Q");
  CHECK(closed.at() == "ENDED");
  driven_machine full;
  full.hear("A4");
  CHECK(full.refuse(refusal::hub_full) == "Q");
}

TEST_CASE("udp machine: leaves a game whose moves are no digits") {
  auto m = in_second_turn();
  m.hear("3E");
  m.moves(0, 3);
  CHECK(m.show(1, 0) == "S[leave]");
}

TEST_CASE("udp machine: says its last byte each second, thirty times, and then no more") {
  for (const auto* name : {"INVALID", "PENDING", "MOVED", "TURN"}) {
    INFO(name);
    auto m = name == std::string{"TURN"} ? in_second_turn() : played_to(name);
    REQUIRE(m.at() == name);
    const auto last = m.it.last();
    CHECK(m.pass(999ms) == "");
    CHECK(m.pass(1ms) == std::string(1, last));
    CHECK(m.pass(29s) == std::string(29, last));
    CHECK(m.pass(24h) == "");
    CHECK(m.at() == name);
  }
}

TEST_CASE("udp machine: a byte that is answered begins the thirty seconds anew") {
  auto m = in_second_turn();
  CHECK(m.pass(20s) == std::string(20, 'E'));
  CHECK(m.hear("E") == "E");
  CHECK(m.pass(24h) == std::string(30, 'E'));
  CHECK(m.hear("8") == "8");
}

TEST_CASE("udp machine: says nothing by itself to an address that has answered nothing") {
  driven_machine a;
  a.hear("A");
  CHECK(a.pass(limits::udp_newcomer_kept - 1ms) == "");
  CHECK(a.at() == "TURN");
  CHECK(a.pass(1ms) == "");
  CHECK(a.at() == "none");
  driven_machine b;
  b.hear("B");
  CHECK(b.pass(1h) == "");
  driven_machine quits;
  // Bytes that came to nothing are not paid back by the clock.
  quits.hear("AXXXXXXQ");
  CHECK(quits.pass(6s) == "");
  CHECK(quits.at() == "ENDED");
}

TEST_CASE("udp machine: silence ends no game, even that of a client who never answered") {
  driven_machine m;
  m.on.seek_at_once = true;
  m.hear("A");
  m.start(0);
  CHECK(m.pass(24h) == "");
  CHECK(m.at() == "TURN");
  // The clock's end can wait until something comes.
  CHECK(m.ends(end_reason::clock, 1) == "");
  CHECK(m.hear("4") == "S");
}

TEST_CASE(
    "udp machine: an address that answers nothing gets a byte for a byte, and one ahead once") {
  driven_machine m;
  m.hear("BB");
  m.start(1);
  CHECK(m.moves(0, 4) == "4");
  CHECK(m.pass(1h) == "");
  // The byte ahead is paid back, then B and the move take turns.
  CHECK(m.hear("BBBBBB") == " B 4 B 4 B");
  CHECK(m.hear("4") == "E");
  CHECK(m.pass(1s) == "E");
}

TEST_CASE("udp machine: cells beyond a smaller board are never free") {
  driven_machine m;
  m.on.cells = 4;
  CHECK(m.hear("A4I3") == "A I W 3[seek]");
}
