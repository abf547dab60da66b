// The alphabet of the UDP protocol: one byte per datagram (README.md, "Bytes"). Plain functions,
// any thread.
#pragma once

namespace gamehub::gateways::udp::bytes {

inline constexpr char client_first = 'A';  // starts a game in which the client plays X
inline constexpr char hub_first = 'B';     // starts a game in which the hub's side plays X
inline constexpr char client_won = 'C';    // result; from the client: acknowledged
inline constexpr char draw = 'D';          // result; from the client: acknowledged
inline constexpr char end_of_turn = 'E';   // the client's turn; from the client: confirms the move
inline constexpr char invalid = 'I';       // invalid move; from the client: acknowledged
inline constexpr char quit = 'Q';          // the session is over; from the client: resigns
inline constexpr char hub_won = 'S';       // result; from the client: acknowledged
inline constexpr char waiting = 'W';       // the client's turn, after an invalid move
inline constexpr char none = '\0';         // no byte

// Conversion of digits: '0' to '8' name cells, '9' names none.
constexpr bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
constexpr char digit(int cell) { return static_cast<char>('0' + cell); }
constexpr int cell(char digit) { return digit - '0'; }

// True for the bytes that start a game, and for the results of a game.
constexpr bool opens(char byte) { return byte == client_first || byte == hub_first; }
constexpr bool is_status(char byte) {
  return byte == client_won || byte == draw || byte == hub_won;
}

// True for a byte that a client sends during a game.
constexpr bool in_game(char byte) {
  return is_digit(byte) || is_status(byte) || byte == end_of_turn || byte == invalid ||
         byte == quit;
}

// True for a byte that only a client in a game sends. Q is not among them: two hubs that got it
// from each other's forged address would answer it for ever.
constexpr bool needs_game(char byte) { return in_game(byte) && byte != quit; }

}  // namespace gamehub::gateways::udp::bytes
