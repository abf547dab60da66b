// Whole games of TicTacToe between any two wires, every message of which is checked on both sides.
#pragma once

#include "tests/system/hub.hpp"
#include "tests/system/opcodes_client.hpp"
#include "tests/system/turns_client.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests::system {

enum class wire { opcodes, turns };
inline constexpr wire wires[] = {wire::opcodes, wire::turns};
std::string_view to_string(wire);

// The cells of X and O in turn, and how it ends: the winner's mark, or '-' for a draw.
struct script {
  std::string_view name;
  std::vector<int> cells;
  char winner;
};
const std::vector<script>& scripts();

// One side of a game, on some wire. Each member checks what this side must hear.
class player {
 public:
  virtual ~player() = default;

  virtual void join() = 0;
  // The game began, and this is its mark. Of X nothing more is heard until the opponent came.
  virtual void begins(char mark) = 0;
  // The opponent moved, or there is nothing on the board yet.
  virtual void sees(const std::string& board) = 0;
  virtual void is_prompted(const std::string& board) = 0;
  virtual void moves(int cell) = 0;
  virtual void is_answered(const std::string& board, bool game_goes_on) = 0;
  // The winner on the board, or '-': none.
  virtual void sees_end(const std::string& board, char winner) = 0;
  // The opponent is gone, and this one won.
  virtual void wins_alone(const std::string& board, char mark) = 0;
  // The hub ended the game without a result.
  virtual void sees_no_contest(const std::string& board) = 0;
  // Nothing more comes but the end of the connection.
  virtual void is_sent_away() = 0;
  virtual tcp_client& socket() = 0;
};
std::unique_ptr<player> make_player(hub&, wire);

// A game in the middle: both sides are seated, X has moved to cell 4 and O is prompted.
struct opened_game {
  std::unique_ptr<player> x, o;
  std::string board;
};
opened_game open_game(hub&, wire x, wire o);

// Plays the cells on. Both sides hear all, the end included.
void play_out(player& x, player& o, std::string board, const std::vector<int>& cells, char winner);

// Two new players come, play a whole game and go. Requires: no player waits, and the hub has
// accepted all who connected before.
void play_whole_game(hub&, wire x, wire o, const script&);

// The same between two hubs of a cluster.
void play_across(hub& at_x, hub& at_o, wire x, wire o, const script&);

// That the hub goes on: one such game across wires. Requires: players that wait leave soon.
void check_others_play(hub&);

}  // namespace gamehub::tests::system
