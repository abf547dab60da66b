// The HTTP protocol of the load: writes requests, reads the bodies of answers, and updates. Written
// from the protocol's documentation, without code of the HTTP gateway. Functions without state, any
// thread; their results refer to the input.
#pragma once

#include "tools/bench/board.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::tools::bench {

void append_play(std::string_view client_id, std::string& out);
void append_position(std::string_view client_id, int cell, std::string& out);
void append_quit(std::string_view client_id, std::string& out);
// Requests a stream of all updates of the game, as its player sees them.
void append_reading(std::string_view game, std::string_view client_id, std::string& out);

// The seat of a player, from the answer to play.
struct seat_answer {
  std::string_view game;
  bool plays_x = false;
};

// Returns nothing if the answer has no seat in a game with an empty board.
std::optional<seat_answer> read_seat_answer(std::string_view json);

struct update_message {
  // live: not numbered.
  enum class kind : std::uint8_t { status, move, end, live, other };

  kind what = kind::other;
  std::int64_t number = 0;
  tools::bench::board board;
  ending end = ending::none;
};

// Returns nothing if the update or its board is invalid.
std::optional<update_message> read_update(std::string_view json);

}  // namespace gamehub::tools::bench
