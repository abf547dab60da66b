// The updates of a game as text. Numbered updates are the public form of the game's log. A guest's
// arrival, a guest's departure and an operator's message are updates without a game; they get no
// number in the log and are published live only. Plain functions, any thread.
#pragma once

#include "gateways/http/player_symbols.hpp"
#include "hub/base/json.hpp"
#include "hub/core/game_update.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gamehub::gateways::http {

// The mark of a guest, in place of a seat's mark.
inline constexpr player_symbol guest_mark = 'G';
// The mark of a draw, in place of the winner's mark.
inline constexpr player_symbol draw_mark = 'D';

// Returns the board in this protocol's form, in which a blank is '_'.
std::string board_of(std::string_view cells);

// Appends who is to move or who won; nothing after a game without a winner.
void append_turn_or_winner(const position&, base::json_writer&);

// Appends the update as one JSON object without a line feed. An update without a game has the
// number of the last update before it.
void append_json(const game_update&, std::string& out);

// Returns the update as a line of a stream, or the body of a long poll.
std::string to_line(const game_update&);

// Returns the line of an update as a server-sent event.
std::string to_event(std::uint64_t number, std::string_view line);

// Keep-alive output of an idle stream.
inline constexpr std::string_view line_heartbeat = "\n";
inline constexpr std::string_view event_heartbeat = ":\n\n";

inline constexpr std::string_view line_content_type = "application/x-ndjson";
inline constexpr std::string_view event_content_type = "text/event-stream";

}  // namespace gamehub::gateways::http
