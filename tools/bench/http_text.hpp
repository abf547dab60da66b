// The HTTP wire as the load speaks it: requests out, answers and updates in. Written against the
// protocol's document alone. Functions without state, any thread; what they tell refers to the
// bytes it was read from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hub/app/bench/board.hpp"

namespace gamehub::app::bench {

void append_play(std::string_view client_id, std::string& out);
void append_position(std::string_view client_id, int cell, std::string& out);
void append_quit(std::string_view client_id, std::string& out);
// A stream of all updates of the game, as its player reads it.
void append_reading(std::string_view game, std::string_view client_id, std::string& out);

// The beginning of an answer.
struct answer_head {
  int status = 0;  // 0: this is no HTTP
  std::size_t bytes = 0;
  std::size_t body_bytes = 0;  // where they are told at once
  bool in_chunks = false;
};

// Nothing: it is not there whole.
std::optional<answer_head> read_head(std::string_view bytes);

struct chunk {
  std::string_view text;
  std::size_t bytes = 0;  // with what is around it
  bool last = false;
  bool wrong = false;
};

// Nothing: it is not there whole.
std::optional<chunk> read_chunk(std::string_view bytes);

// Where a player sits, from the answer to play.
struct seat_answer {
  std::string_view game;
  bool plays_x = false;
};

// Nothing: it is no place at an empty board.
std::optional<seat_answer> read_place(std::string_view json);

struct update_message {
  enum class kind : std::uint8_t { status, move, end, other };

  kind what = kind::other;
  std::int64_t number = 0;
  bench::board board;
  ending end = ending::none;
};

// Nothing: it is none, or its board is none.
std::optional<update_message> read_update(std::string_view json);

}  // namespace gamehub::app::bench
