// Inside the codec contract: gives bytes to a new codec in pieces, the way a connection does, and
// writes down what came of it, so that two ways of cutting can be compared. Plain functions, any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gateways/codec.hpp"

namespace gamehub::tests {

// How a connection may go on after it received a piece.
enum class pace : std::uint8_t {
  all,     // takes all that the codec reads from it
  pauses,  // pauses after each thing it took
  behind,  // takes one thing and receives the next piece before it takes another
};

struct reading_plan {
  std::vector<std::size_t> cuts;  // where pieces end, ascending
  pace at = pace::all;
  // A game is running before the first byte comes, and everything that was said is answered.
  bool in_game = false;
};

struct reading {
  std::vector<std::string> said;  // by the client, one line each
  std::string written;            // to the client
  bool ended = false;             // by an error or a goodbye
  bool endless = false;           // says more than its bytes can mean
  bool kept_too_much = false;     // more than an unfinished message, or after the end
  bool spoke_on = false;          // said more after the end
};

// What was said as one line: all fields of the intent, or the error.
std::string line_of(const gateways::decoded&);

// Whether nothing may come after it.
bool is_last(const gateways::decoded&);

reading read(gateways::codec&, std::string_view bytes, const reading_plan&);

}  // namespace gamehub::tests
