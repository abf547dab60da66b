// Part of the codec contract: gives bytes to a new codec in pieces, as a connection does, and
// records the result, so that two ways of cutting can be compared. Plain functions, any thread.
#pragma once

#include "gateways/codec.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests {

// The behaviour of a connection after it received a piece.
enum class pace : std::uint8_t {
  all,     // takes all intents that the codec reads from it
  pauses,  // pauses after each intent
  behind,  // takes one intent and receives the next piece before it takes another
};

struct reading_plan {
  std::vector<std::size_t> cuts;  // where pieces end, ascending
  pace at = pace::all;
  // A game runs before the first byte arrives, and every intent is answered.
  bool in_game = false;
};

struct reading {
  std::vector<std::string> said;  // by the client, one line each
  std::string written;            // to the client
  bool ended = false;             // by an error or a goodbye
  bool endless = false;           // produces more intents than its bytes can contain
  bool kept_too_much = false;     // more bytes than an unfinished message, or bytes after the end
  bool spoke_on = false;          // produced intents after the end
};

// One line of text: all fields of the intent, or the error.
std::string line_of(const gateways::decoded&);

// True if nothing may follow it.
bool is_last(const gateways::decoded&);

reading read(gateways::codec&, std::string_view bytes, const reading_plan&);

}  // namespace gamehub::tests
