// The packets of the opcode protocol as bytes: numbers in network order, text in ASCII with a
// terminating zero (README.md, "Packets"). Plain functions that append to an output buffer; any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gamehub::gateways::opcodes {

enum class opcode : std::uint16_t { sgr = 1, move = 2, state = 3, ack = 4, error = 5 };

enum class error_code : std::uint16_t {
  malformed = 1,
  not_in_game = 2,
  not_your_turn = 3,
  out_of_bounds = 4,
  space_not_empty = 5,
  already_in_game = 6,
  unavailable = 7,  // the hub is full or stopping, or the game ended without a result
  opponent_left = 8,
  rate_limited = 9,
};

inline constexpr std::size_t opcode_bytes = 2;
inline constexpr std::size_t move_bytes = 3;

// The maximum length of an error text in bytes, without the terminating zero (README.md, "Errors").
inline constexpr std::size_t error_text_bytes_max = 255;

inline constexpr char blank = '-';

// Reads an opcode. Requires: bytes holds opcode_bytes.
std::uint16_t read_opcode(std::string_view bytes);

// Appends an ACK packet with the client's token.
void append_ack(char mark, std::string& out);

// Appends a STATE packet. The board is cut or filled with blanks to `cells` bytes, because clients
// rely on the length.
void append_state(std::string_view board, std::size_t cells, char status, std::string& out);

// Appends an ERROR packet. Bytes of the text that are not printable ASCII become '?'.
void append_error(error_code, std::string_view text, std::string& out);

}  // namespace gamehub::gateways::opcodes
