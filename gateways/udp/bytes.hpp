// The alphabet of the UDP wire: one byte a datagram, most of which both sides say. Plain functions,
// any thread.
#pragma once

namespace gamehub::gateways::udp::bytes {

inline constexpr char client_first = 'A';  // a game in which the client is X
inline constexpr char hub_first = 'B';     // a game in which the hub's side is X
inline constexpr char client_won = 'C';    // from the client: it has heard that
inline constexpr char draw = 'D';          // from the client: it has heard that
inline constexpr char end_of_turn = 'E';   // your turn; from the client: the move stands
inline constexpr char invalid = 'I';       // that move can't be; from the client: it has heard that
inline constexpr char quit = 'Q';          // it is all over; from the client: it gives up
inline constexpr char hub_won = 'S';       // from the client: it has heard that
inline constexpr char waiting = 'W';       // for a move, after an invalid one
inline constexpr char none = '\0';         // no byte at all

// '0' to '8' name cells; '9' is a digit that never does.
constexpr bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
constexpr char digit(int cell) { return static_cast<char>('0' + cell); }
constexpr int cell(char digit) { return digit - '0'; }

constexpr bool opens(char byte) { return byte == client_first || byte == hub_first; }
constexpr bool is_status(char byte) {
  return byte == client_won || byte == draw || byte == hub_won;
}

// What a client says in the course of a game.
constexpr bool in_game(char byte) {
  return is_digit(byte) || is_status(byte) || byte == end_of_turn || byte == invalid ||
         byte == quit;
}

}  // namespace gamehub::gateways::udp::bytes
