// The state of a client's latest game, from the hub's events: the response of `play`, and the
// checks of requests about the game. A plain value; an http_player owns it, one thread.
#pragma once

#include "gateways/http/errors.hpp"
#include "hub/base/json.hpp"
#include "hub/core/event.hpp"
#include "hub/core/game_clock.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::gateways::http {

class client_game_state {
 public:
  enum class status : std::uint8_t { none, waiting, running, ended };

  // Apply an event of the hub.
  void apply(game_id, const placed&);
  void apply(game_id, const started&);
  void apply(game_id, const position_ref&);
  void apply(game_id, const renamed&);
  // Returns true if it is an offer in this game.
  bool apply(game_id, const offer_update&);
  // Resets the state after a seek that failed or was withdrawn.
  void leave() { *this = {}; }

  // Returns the clock, if it is another one than the hub's time for a turn.
  const std::optional<clock_rule>& clock() const { return clock_; }

  // How urgent a game is for its player: the own turn first, then by the time that is left.
  struct urgency {
    int rank = 0;  // 0: the own turn; 1: another one's; 2: waits for players; 3: has ended
    base::instant until = base::instant::max();  // the end of the turn

    friend auto operator<=>(const urgency&, const urgency&) = default;
  };
  urgency how_urgent(base::instant now) const;
  // Appends the game as GET /api/me/games lists it. `wall` is the same moment as `now`.
  void append_listed(base::json_writer&, base::instant now, base::wall_time wall) const;

  // Return the status, the game and the seat.
  status is() const { return status_; }
  game_id id() const { return id_; }
  seat_index seat() const { return seat_; }
  bool has_seat() const { return status_ == status::waiting || status_ == status::running; }
  // Returns the invitation of a private game of this player; empty: it has none.
  const std::string& invitation() const { return invitation_; }
  // Returns the offer that stands, followed by the answers of the players who have accepted it.
  const std::vector<offer_update>& offers() const { return offers_; }
  // True if another player offers something.
  bool is_offered() const;
  // True if the position is known or the player waits.
  bool shown() const { return status_ == status::waiting || position_ != nullptr; }

  // Returns the error of a request that names another game, or nothing. An empty id names no game.
  std::optional<error> why_not(std::string_view game_id) const;
  // Returns why no move or chat message is possible now, or nothing.
  std::optional<error> why_idle() const;

  // Appends the members of the response of `play` to a JSON object that is left open. `public_url`
  // is this hub's URL if it has its own; the clock is that of the running game.
  void append_members(std::string& out, std::string_view public_url = {}, const game_clock& = {},
                      base::instant now = {}) const;

 private:
  void append_opponents(base::json_writer&) const;

  status status_ = status::none;
  game_id id_;
  seat_index seat_ = 0;
  std::string engine_, marks_;
  std::string invitation_;
  std::size_t seats_ = 2;
  std::optional<clock_rule> clock_;  // of game_terms
  std::string start_;                // the cells that a game which has not begun begins with
  std::vector<std::string> players_;
  std::vector<base::wall_time> visits_;
  position_ref position_;
  std::vector<offer_update> offers_;
};

// Returns the text of a game id in this protocol.
std::string game_json(game_id);

}  // namespace gamehub::gateways::http
