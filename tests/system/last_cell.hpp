// Games of Last Cell, the engine of tests/plugins, over turns: what its players must hear is
// checked at every move. One thread.
#pragma once

#include "tests/support/catch.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/turns_client.hpp"

#include <algorithm>
#include <memory>
#include <string>

namespace gamehub::tests::system {

// A player of Last Cell over turns, who says its moves by cell.
class cell_player {
 public:
  explicit cell_player(hub& at) : client_(at.turns()) {
    client_.connect(nullptr, "last-cell");
    REQUIRE(client_.next().starts_with("name "));
  }
  cell_player(hub& at, const std::string& secret) : client_(at.turns()) {
    client_.resume(secret);
    REQUIRE(client_.next().starts_with("name "));
  }

  std::string next() {
    auto said = client_.next();
    if (client_.payload().contains("release"))
      release_ = client_.payload().at("release").get<int>();
    return said;
  }
  void take(int cell) { client_.move(0, cell / 2, cell % 2); }
  // Which release of the rules made the latest state.
  int release() const { return release_; }
  std::string secret() const { return client_.secret(); }

 private:
  turns_client client_;
  int release_ = -1;
};

// Two players of Last Cell, and the board as both have been told.
struct pair_of_players {
  std::unique_ptr<cell_player> x, o;
  std::string board;

  // Both are told that their game begins.
  static pair_of_players sit_down(hub& at) {
    pair_of_players p{std::make_unique<cell_player>(at), nullptr, "--/--"};
    at.await_waiting("last-cell", 1);
    p.o = std::make_unique<cell_player>(at);
    for (auto* each : {p.x.get(), p.o.get()}) REQUIRE(each->next() == "start 0");
    p.hear(*p.x, true);
    p.hear(*p.o, false);
    return p;
  }

  void hear(cell_player& who, bool prompted, const std::string& winner = "null") {
    REQUIRE(who.next() == "0 state " + board + " " + winner);
    if (prompted) REQUIRE(who.next() == "0 turn");
  }

  // Requires: it is its turn.
  void take(int cell, bool last = false) {
    const auto x_moves = std::count(board.begin(), board.end(), '-') % 2 == 0;
    auto& mover = x_moves ? *x : *o;
    auto& other = x_moves ? *o : *x;
    board[static_cast<std::size_t>(cell + cell / 2)] = x_moves ? 'X' : 'O';
    mover.take(cell);
    hear(mover, false, last ? "\"O\"" : "null");
    hear(other, !last, last ? "\"O\"" : "null");
  }
  void play_out() {
    for (int cell = 0; cell < 4; ++cell)
      if (board[static_cast<std::size_t>(cell + cell / 2)] == '-')
        take(cell, std::count(board.begin(), board.end(), '-') == 1);
  }
  // Both are back at a hub that was away.
  void come_back(hub& at) {
    x = std::make_unique<cell_player>(at, x->secret());
    o = std::make_unique<cell_player>(at, o->secret());
    const auto x_moves = std::count(board.begin(), board.end(), '-') % 2 == 0;
    for (auto* each : {x.get(), o.get()}) REQUIRE(each->next() == "start 0");
    hear(*x, x_moves);
    hear(*o, !x_moves);
  }
  int release() const { return x->release(); }
};

}  // namespace gamehub::tests::system
