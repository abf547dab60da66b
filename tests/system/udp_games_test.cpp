// Whole games over UDP, on real sockets and in real time: on a bad network, with the habits that
// real clients have, and against people of other wires.
#include "tests/support/catch.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/linked_hubs.hpp"
#include "tests/system/turns_client.hpp"
#include "tests/system/udp_crowd.hpp"
#include "tests/system/udp_lab_process.hpp"
#include "tests/system/udp_socket.hpp"
#include "tests/system/whole_game.hpp"

#include <array>
#include <chrono>
#include <map>
#include <string>
#include <utility>

namespace gamehub::tests::system {
namespace {

using namespace std::chrono_literals;

// A second for each datagram that gets lost, and twenty of a game may be.
constexpr auto crowd_patience = 120s * slowness;

bool has_line(const std::string& board, char mark) {
  constexpr std::array<std::array<std::size_t, 3>, 8> lines{
      {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}};
  for (const auto& line : lines)
    if (board[line[0]] == mark && board[line[1]] == mark && board[line[2]] == mark) return true;
  return false;
}

// How a game ended as the hub counts it, by what its client heard: who moved first won, or lost.
std::string result_of(const udp_crowd::member& who) {
  const auto heard = who.client.result();
  if (heard == 'D') return "draw";
  if (heard != 'C' && heard != 'S') return "none";
  return (heard == 'C') != who.habits.hub_first ? "first" : "second";
}

// The client's own board ends as it was told.
void check_board(const udp_crowd::member& who) {
  const char own = who.habits.hub_first ? 'O' : 'X';
  const char other = who.habits.hub_first ? 'X' : 'O';
  const auto& board = who.client.board();
  CAPTURE(board, who.client.result());
  CHECK(has_line(board, own) == (who.client.result() == 'C'));
  CHECK(has_line(board, other) == (who.client.result() == 'S'));
  if (who.client.result() == 'D') CHECK(board.find('-') == board.npos);
}

// Who gives up before its first byte but A has not been found an opponent yet.
bool has_game(const udp_crowd::member& who) {
  return who.habits.hub_first || who.habits.resigns_at != 0;
}

// What the clients heard is what the hub counted.
void check_results(hub& at, const udp_crowd& crowd) {
  std::map<std::string, double> heard;
  for (const auto& each : crowd.members())
    if (has_game(each)) ++heard[result_of(each)];
  CHECK(heard["none"] == 0);
  for (const std::string result : {"first", "second", "draw"}) {
    INFO(result);
    at.await_count("gamehub_games_finished_total", {{"result", result}}, heard[result]);
  }
}

}  // namespace

TEST_CASE("udp games: 200 over a network that loses a tenth end alike on both sides") {
  hub at;
  udp_lab_process lab{at.udp(), {"--drop", "0.1"}};
  INFO("udp-lab --seed " << lab.seed());
  udp_crowd crowd;
  for (int i = 0; i < 200; ++i) {
    udp_habits habits;
    habits.hub_first = i % 2 == 0;
    crowd.add(lab.port(), "client " + std::to_string(i), habits);
  }
  REQUIRE(crowd.play(crowd_patience) == 0);
  for (const auto& each : crowd.members()) {
    INFO(each.name);
    check_board(each);
  }
  check_results(at, crowd);
  at.await_count("gamehub_games_finished_total", {{"reason", "rules"}}, 200);
  const auto said = lab.end();
  CAPTURE(said);
  CHECK(said.find(" clients=200 ") != said.npos);
  CHECK(said.find(" dropped=0 ") == said.npos);
}

TEST_CASE("udp games: clients with the habits of real ones all get to the end") {
  hub at;
  // No copies: a late one of a digit that a client said first and then changed looks like the echo
  // of the hub's move to that cell, to anybody.
  udp_lab_process lab{at.udp(), {"--drop", "0.1"}};
  INFO("udp-lab --seed " << lab.seed());
  udp_crowd crowd;
  // On a good network and on a bad one, with both openings where it is not about one.
  const auto add = [&](const std::string& name, udp_habits habits, bool only_hub_first = false) {
    for (const bool hub_first : {true, false}) {
      if (only_hub_first && !hub_first) continue;
      habits.hub_first = hub_first;
      for (const auto port : {at.udp(), lab.port()})
        crowd.add(port, name + (hub_first ? ", B" : ", A"), habits);
    }
  };
  udp_habits h;
  h.ignores_repeats = true;
  add("ignores a byte equal to the one before", h);
  h = {};
  h.strict_opening = true;
  add("accepts only B after B", h, true);
  h.opens_again = true;
  add("says B again after a lost opening E", h, true);
  h = {};
  h.leaves_after_draw = true;
  add("answers D with its last byte and is gone", h);
  h = {};
  h.waits_for_quit = true;
  add("waits for Q", h);
  add("never waits for Q", {});
  h = {};
  h.resigns_at = 0;
  add("gives up at once, with Q each second", h);
  h.resigns_at = 1;
  add("gives up after a move", h);
  h = {};
  h.thinks_max = 4s;
  add("thinks for long", h);
  h = {};
  h.tries_bad_moves = 0.5;
  add("tries moves that can't be", h);
  h = {};
  h.changes_its_mind = 0.5;
  add("changes its mind", h);

  std::size_t resigned = 0;
  const auto late = crowd.play(crowd_patience);
  for (const auto& each : crowd.members()) {
    INFO(each.name);
    CHECK(each.client.gone());
    if (!each.habits.resigns_at) {
      check_board(each);
      continue;
    }
    CHECK(each.client.result() == 'S');
    if (has_game(each)) ++resigned;
  }
  REQUIRE(late == 0);
  check_results(at, crowd);
  at.await_count("gamehub_games_finished_total", {{"reason", "left"}},
                 static_cast<double>(resigned));
}

namespace {

// One side of a game against a person of another wire. Each member checks what this side hears.
class udp_person {
 public:
  explicit udp_person(hub& at) : socket_(at.udp()) {}

  void join(char opening) {
    opening_ = opening;
    REQUIRE(socket_.ask(opening, opening));
  }
  // Asks for a place among those who wait: as X with the first move, as O by waiting for one.
  void waits_as_x(int cell) {
    moves(cell);
    moved_ = cell;
  }
  void waits_as_o() { socket_.send("E"); }
  void moves(int cell) {
    if (std::exchange(moved_, -1) == cell) return;
    const auto digit = static_cast<char>('0' + cell);
    REQUIRE(socket_.ask(digit, digit));
    socket_.send("E");
  }
  // The other one's move, and that it is this one's turn.
  void sees(int cell) {
    hears(cell);
    REQUIRE(socket_.ask(static_cast<char>('0' + cell), 'E'));
  }
  // Which is the last one.
  void sees_last(int cell, char status) {
    hears(cell);
    REQUIRE(socket_.ask(static_cast<char>('0' + cell), status));
    leaves(status);
  }
  // Its own was the last one.
  void has_ended(char status) {
    REQUIRE(socket_.ask('E', status));
    leaves(status);
  }
  void gives_up() {
    REQUIRE(socket_.ask('Q', 'S'));
    leaves('S');
  }

 private:
  void hears(int cell) { REQUIRE(socket_.ask('E', static_cast<char>('0' + cell))); }
  void leaves(char status) { REQUIRE(socket_.ask(status, 'Q')); }

  udp_socket socket_;
  char opening_ = 'A';
  int moved_ = -1;  // its move that was made before the game began
};

const std::vector<std::string> with_others{"--udp-opponent", "lobby"};

// Plays the script on; the person over UDP is X or O.
void play_script(udp_person& one, bool one_is_x, player& other, const script& how) {
  std::string board = "---------";
  for (std::size_t i = 0; i < how.cells.size(); ++i) {
    const auto cell = how.cells[i];
    const bool last = i + 1 == how.cells.size();
    const char mark = i % 2 == 0 ? 'X' : 'O';
    const bool over_udp = (mark == 'X') == one_is_x;
    if (!over_udp) {
      other.is_prompted(board);
      other.moves(cell);
    } else {
      one.moves(cell);
    }
    board[static_cast<std::size_t>(cell)] = mark;
    const char status = how.winner == '-' ? 'D' : over_udp ? 'C' : 'S';
    if (over_udp) {
      if (last) one.has_ended(status);
      if (!last) other.sees(board);
    } else {
      other.is_answered(board, !last);
      if (last)
        one.sees_last(cell, status);
      else
        one.sees(cell);
    }
    if (last) other.sees_end(board, how.winner);
  }
}

}  // namespace

TEST_CASE("udp games: a person over UDP plays one of another wire, with both openings") {
  hub at{with_others};
  const auto w = GENERATE(wire::turns, wire::opcodes);
  for (const auto& how : scripts()) {
    INFO(to_string(w) << ", " << how.name);
    {
      INFO("A: over UDP is X, and waits first");
      udp_person one{at};
      const auto other = make_player(at, w);
      one.join('A');
      one.waits_as_x(how.cells.front());
      at.await_waiting("tictactoe", 1);
      other->join();
      other->begins('O');
      play_script(one, true, *other, how);
    }
    at.await_waiting("tictactoe", 0);
    {
      INFO("B: over UDP is O, and comes second");
      udp_person one{at};
      const auto other = make_player(at, w);
      other->join();
      at.await_waiting("tictactoe", 1);
      one.join('B');
      one.waits_as_o();
      other->begins('X');
      play_script(one, false, *other, how);
    }
    at.await_waiting("tictactoe", 0);
    {
      INFO("B: over UDP is O, and waits first");
      udp_person one{at};
      const auto other = make_player(at, w);
      one.join('B');
      one.waits_as_o();
      at.await_waiting("tictactoe", 1);
      other->join();
      other->begins('X');
      play_script(one, false, *other, how);
    }
    at.await_waiting("tictactoe", 0);
  }
}

TEST_CASE("udp games: a person over UDP plays one of another hub of the cluster") {
  linked_hubs h{2, with_others};
  const auto w = GENERATE(wire::turns, wire::opcodes);
  const auto still = [&] {
    for (auto& each : h.hubs) each->await_waiting("tictactoe", 0);
  };
  for (const auto& how : scripts()) {
    INFO(to_string(w) << ", " << how.name);
    for (const std::size_t at : {0u, 1u}) {
      {
        INFO("A: over UDP is X, and the other one comes");
        udp_person one{h[at]};
        const auto other = make_player(h[1 - at], w);
        one.join('A');
        one.waits_as_x(how.cells.front());
        h[at].await_waiting("tictactoe", 1);
        other->join();
        other->begins('O');
        play_script(one, true, *other, how);
      }
      still();
      {
        INFO("B: over UDP is O, and its player moves to the other one");
        udp_person one{h[at]};
        const auto other = make_player(h[1 - at], w);
        other->join();
        h[1 - at].await_waiting("tictactoe", 1);
        one.join('B');
        one.waits_as_o();
        other->begins('X');
        play_script(one, false, *other, how);
      }
      still();
    }
  }
  for (auto& each : h.hubs) {
    CHECK(each->count("gamehub_relay_moves_total") > 0);
    each->await_count("gamehub_relay_clients", {{"side", "entry"}}, 0);
  }
}

TEST_CASE("udp games: an address keeps its game when the hub of its opponent is killed") {
  linked_hubs h{2, with_others};
  turns_client other{h[1].turns()};
  other.say(R"({"type":"connect","name":"ann","supported_games":["tictactoe"],"max_games":1,)"
            R"("wants":["resume"]})");
  REQUIRE(other.next() == "name ann");
  h[1].await_waiting("tictactoe", 1);
  udp_person one{h[0]};
  one.join('B');
  one.waits_as_o();
  while (other.next() != "0 turn") continue;
  other.move(0, 1, 1);
  one.sees(4);
  h[1].process().signal(SIGKILL);
  CHECK(h[1].wait() == 128 + SIGKILL);
  one.moves(0);
  turns_client back{h[0].turns()};
  back.resume(other.secret());
  while (back.next() != "0 state O--/-X-/--- null") continue;
  REQUIRE(back.next() == "0 turn");
  back.move(0, 0, 2);
  one.sees(2);
  one.gives_up();
  CHECK(h[0].count("gamehub_relay_returned_total") == 1);
}

TEST_CASE("udp games: A never joins a player that was told X already, and B does") {
  hub at{with_others};
  const auto x = make_player(at, wire::opcodes);
  x->join();
  at.await_waiting("tictactoe", 1);
  udp_person first{at}, second{at};
  first.join('A');
  first.waits_as_x(4);
  at.await_waiting("tictactoe", 2);
  second.join('B');
  second.waits_as_o();
  x->begins('X');
  x->is_prompted("---------");
  at.await_waiting("tictactoe", 1);
  first.gives_up();
  second.gives_up();
  x->wins_alone("---------", 'X');
}

TEST_CASE("udp games: no player is seated opposite an address that does not hear the hub") {
  hub at{with_others};
  const auto x = make_player(at, wire::opcodes);
  x->join();
  at.await_waiting("tictactoe", 1);
  double sent = 0;
  for (const auto* bytes : {"B", "A", "BBBBBB", "AAAAAA", "A4", "A44444", "AB"}) {
    udp_socket deaf{at.udp()};
    for (; *bytes != '\0'; ++bytes, ++sent) deaf.send({bytes, 1});
  }
  at.await_count("gamehub_datagrams_received_total", {}, sent);
  CHECK(at.count("gamehub_games_started_total", {{"engine", "tictactoe"}}) == 0);
  CHECK(at.count("gamehub_connections", {{"gateway", "udp"}}) == 0);
  at.await_waiting("tictactoe", 1);
  // One that hears it is.
  udp_person second{at};
  second.join('B');
  second.waits_as_o();
  x->begins('X');
  x->is_prompted("---------");
  second.gives_up();
  x->wins_alone("---------", 'X');
}

TEST_CASE("udp games: moves that the protocol refuses are counted") {
  hub at;
  udp_socket s{at.udp()};
  REQUIRE(s.ask('A', 'A'));
  REQUIRE(s.ask('9', 'I'));
  REQUIRE(s.ask('I', 'W'));
  at.await_count("gamehub_refusals_total", {{"gateway", "udp"}, {"reason", "out-of-bounds"}}, 1);
  REQUIRE(s.ask('Q', 'S'));
  REQUIRE(s.ask('S', 'Q'));
}

}  // namespace gamehub::tests::system
