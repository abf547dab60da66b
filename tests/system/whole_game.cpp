#include "tests/system/whole_game.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::tests::system {

namespace {

const std::string empty_board = "---------";

// As turns_client says it.
std::string by_rows(const std::string& board) {
  return board.substr(0, 3) + "/" + board.substr(3, 3) + "/" + board.substr(6);
}

std::string quoted(char mark) { return mark == '-' ? "null" : std::string{'"', mark, '"'}; }

class opcodes_player final : public player {
 public:
  explicit opcodes_player(hub& at) : client_(at.opcodes()) {}

  void join() override { client_.ask(); }
  void begins(char mark) override {
    mark_ = mark;
    REQUIRE(client_.next() == ack());
  }
  void sees(const std::string&) override {}
  void is_prompted(const std::string& board) override {
    REQUIRE(client_.next() == "STATE " + board + " -");
  }
  void moves(int cell) override { client_.move(cell); }
  void is_answered(const std::string&, bool) override { REQUIRE(client_.next() == ack()); }
  void sees_end(const std::string& board, char winner) override {
    REQUIRE(client_.next() == "STATE " + board + " " + winner);
  }
  void wins_alone(const std::string& board, char mark) override { sees_end(board, mark); }
  void sees_no_contest(const std::string&) override { REQUIRE(client_.next() == "ERROR 7"); }
  void is_sent_away() override {
    // Words for people may come before the end.
    const auto last = client_.next();
    if (last == "ERROR 7")
      REQUIRE(client_.next() == "end");
    else
      REQUIRE(last == "end");
  }
  tcp_client& socket() override { return client_.socket(); }

 private:
  std::string ack() const { return std::string{"ACK "} + mark_; }

  opcodes_client client_;
  char mark_ = '-';
};

class turns_player final : public player {
 public:
  explicit turns_player(hub& at) : client_(at.turns()) {}

  void join() override {
    client_.connect();
    const auto named = client_.next();
    CAPTURE(named);
    REQUIRE(named.starts_with("name client-"));
  }
  void begins(char) override {
    REQUIRE(client_.next() == "start 0");
    sees(empty_board);
  }
  void sees(const std::string& board) override {
    REQUIRE(client_.next() == "0 state " + by_rows(board) + " null");
  }
  void is_prompted(const std::string&) override { REQUIRE(client_.next() == "0 turn"); }
  void moves(int cell) override { client_.move(0, cell / 3, cell % 3); }
  void is_answered(const std::string& board, bool game_goes_on) override {
    if (game_goes_on) sees(board);
  }
  void sees_end(const std::string& board, char winner) override {
    REQUIRE(client_.next() == "0 state " + by_rows(board) + " " + quoted(winner));
    REQUIRE(client_.next() == "close 0");
  }
  void wins_alone(const std::string& board, char mark) override { sees_end(board, mark); }
  void sees_no_contest(const std::string& board) override { sees_end(board, '-'); }
  void is_sent_away() override { REQUIRE(client_.next() == "end"); }
  tcp_client& socket() override { return client_.socket(); }

 private:
  turns_client client_;
};

void seat(hub& at, player& x, player& o) {
  x.join();
  at.await_waiting("tictactoe", 1);
  o.join();
  x.begins('X');
  o.begins('O');
}

}  // namespace

std::string_view to_string(wire w) { return w == wire::opcodes ? "opcodes" : "turns"; }

const std::vector<script>& scripts() {
  static const std::vector<script> all{
      {"X wins", {0, 3, 1, 4, 2}, 'X'},
      {"X loses", {0, 3, 1, 4, 8, 5}, 'O'},
      {"a draw", {0, 1, 2, 4, 3, 5, 7, 6, 8}, '-'},
  };
  return all;
}

std::unique_ptr<player> make_player(hub& at, wire w) {
  if (w == wire::opcodes) return std::make_unique<opcodes_player>(at);
  return std::make_unique<turns_player>(at);
}

opened_game open_game(hub& at, wire x, wire o) {
  opened_game out{make_player(at, x), make_player(at, o), empty_board};
  seat(at, *out.x, *out.o);
  out.x->is_prompted(out.board);
  out.x->moves(4);
  out.board[4] = 'X';
  out.x->is_answered(out.board, true);
  out.o->sees(out.board);
  out.o->is_prompted(out.board);
  return out;
}

void play_out(player& x, player& o, std::string board, const std::vector<int>& cells, char winner) {
  bool prompted = board != empty_board;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto taken = 9 - std::count(board.begin(), board.end(), '-');
    const bool x_moves = taken % 2 == 0;
    auto& mover = x_moves ? x : o;
    auto& other = x_moves ? o : x;
    if (!std::exchange(prompted, false)) mover.is_prompted(board);
    mover.moves(cells[i]);
    board[static_cast<std::size_t>(cells[i])] = x_moves ? 'X' : 'O';
    const bool goes_on = i + 1 < cells.size();
    mover.is_answered(board, goes_on);
    if (goes_on) other.sees(board);
  }
  x.sees_end(board, winner);
  o.sees_end(board, winner);
}

void play_whole_game(hub& at, wire x, wire o, const script& how) {
  INFO("X on " << to_string(x) << ", O on " << to_string(o) << ", " << how.name);
  const auto others = at.count("gamehub_sessions");
  {
    const auto first = make_player(at, x);
    const auto second = make_player(at, o);
    seat(at, *first, *second);
    play_out(*first, *second, empty_board, how.cells, how.winner);
  }
  // Players of turns wait again when a game is over: until they are gone, another may meet them.
  at.await("forgets two players who left", [&] { return at.count("gamehub_sessions") <= others; });
  at.await_waiting("tictactoe", 0);
}

void play_across(hub& at_x, hub& at_o, wire x, wire o, const script& how) {
  INFO("X on " << to_string(x) << ", O on " << to_string(o) << " of another hub, " << how.name);
  const auto others = at_x.count("gamehub_sessions") + at_o.count("gamehub_sessions");
  {
    const auto first = make_player(at_x, x);
    const auto second = make_player(at_o, o);
    seat(at_x, *first, *second);
    play_out(*first, *second, empty_board, how.cells, how.winner);
  }
  at_x.await("forgets two players who left", [&] {
    return at_x.count("gamehub_sessions") + at_o.count("gamehub_sessions") <= others;
  });
  for (auto* at : {&at_x, &at_o}) at->await_waiting("tictactoe", 0);
}

void check_others_play(hub& at) {
  at.await_waiting("tictactoe", 0);
  play_whole_game(at, wire::opcodes, wire::turns, scripts().front());
}

}  // namespace gamehub::tests::system
