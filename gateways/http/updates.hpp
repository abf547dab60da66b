// The updates of a game as text. Numbered updates are the public form of the game's log. A guest's
// arrival, a guest's departure and an operator's message are updates without a game; they get no
// number in the log and are published live only. So are the present state of a game, and the
// players that are away. Plain functions, any thread.
#pragma once

#include "gateways/http/player_symbols.hpp"
#include "hub/base/json.hpp"
#include "hub/core/offer.hpp"
#include "hub/core/spectator_service.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::gateways::http {

// The mark of a guest, in place of a seat's mark.
inline constexpr player_symbol guest_mark = 'G';
// The mark of a draw, in place of the winner's mark.
inline constexpr player_symbol draw_mark = 'D';

// Returns the requests that reading a game costs its address besides the one that it is.
std::uint32_t extra_requests_of(const game_progress&);

// Returns the board in this protocol's form: a blank is '_', and the first two seats have their
// marks of this protocol. The letters of the engine, by seat, change places with them, so that no
// two cells become alike. Without a board the letters are empty.
std::string board_of(std::string_view cells, std::string_view of_engine);

// Appends the symbols of a set of seats.
void append_seats(std::string_view name, seat_set, base::json_writer&);
// Appends the places and the forfeited seats of a game of more than two seats.
void append_ranks(const outcome&, base::json_writer&);
// Appends who is to move or who won; nothing after a game without a winner.
void append_turn_or_winner(const position&, base::json_writer&);

// Appends the score and the summary of a position that has them.
void append_score(const position&, base::json_writer&);

// Appends `clock`, as it stands at that moment; nothing if the game has no clock.
void append_clock(const game_clock&, base::instant now, base::json_writer&);

// Appends `actions`, and `positions` if each of them is a cell of the board.
void append_actions(const std::vector<legal_action>&, base::json_writer&);

// Returns the scores as a JSON array.
std::string scores_text(std::span<const double>);

// The present state of the game, for its latest update. Null: the update is not the latest one.
struct shown_present {
  const game_present* state = nullptr;
  base::instant now{};
};

// Appends the update as one JSON object without a line feed. An update without a game has the
// number of the last update before it.
void append_json(const game_update&, const shown_present&, std::string& out);

// Returns the update as a line of a stream, or the body of a long poll.
std::string to_line(const game_update&, const shown_present& = {});

// True if the line of the update has the legal actions of its reader, which is to move.
bool has_actions(const game_update&);

// The number of the last update before a line without an own number, and the times of the line.
struct live_stamp {
  std::uint64_t number = 0;
  base::wall_time at{};
  base::instant now{};
};

// Return the line of a state without an update, and of a player that is away or back. Position
// null: it is not known; `of_engine` are the engine's letters of the seats. `own`: the position is
// what the reader sees of its game.
std::string to_state_line(const live_stamp&, const game_present&, const position_ref&,
                          std::string_view of_engine, bool own);
// The same of a waiting game: its players so far.
std::string to_players_line(const live_stamp&, const game_metadata&);
std::string to_away_line(const live_stamp&, const game_metadata&, const absence&);
std::string to_back_line(const live_stamp&, const game_metadata&, seat_index);
// Returns the last line of a stream of a waiting game whose player has left.
std::string to_withdrawn_line(const live_stamp&);

// Returns the line of an offer, or of its answer.
std::string to_offer_line(const live_stamp&, const offer_update&);

// Returns the word for how a game ended.
std::string_view end_code_of(const outcome&);

// Appends what is left of the time for which the seat is kept, and until the win may be claimed;
// nothing if there is no limit.
void append_time_kept(const absence&, base::instant now, base::json_writer&);

// Returns the line of an update as a server-sent event.
std::string to_event(std::uint64_t number, std::string_view line);

// Keep-alive output of an idle stream.
inline constexpr std::string_view line_heartbeat = "\n";
inline constexpr std::string_view event_heartbeat = ":\n\n";

inline constexpr std::string_view line_content_type = "application/x-ndjson";
inline constexpr std::string_view event_content_type = "text/event-stream";

}  // namespace gamehub::gateways::http
