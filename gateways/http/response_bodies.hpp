// The JSON bodies of responses that list games, engines and ratings, or describe one game. Plain
// functions, any thread. `now` is the moment for which clocks are shown.
#pragma once

#include "gateways/http/server.hpp"
#include "hub/core/clock_policy.hpp"
#include "hub/core/leaderboard.hpp"
#include "hub/core/spectator_service.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gamehub::gateways::http {

// What an operator has said to all.
struct notice {
  std::string message;
  base::wall_time at{};
};

// The updates of a game as JSON. Those of a long game are appended in several iterations of a loop.
class update_list {
 public:
  void append(const game_update&);
  // Returns the array.
  std::string text() const { return "[" + members_ + "]"; }
  // The number of the last one, or zero.
  std::uint64_t last() const { return last_; }

 private:
  std::string members_;
  std::uint64_t last_ = 0;
};

// Returns the body of GET /api/games. Without a notice it has none.
std::string game_list(const game_page&, base::instant now, const notice* = nullptr);

// Returns a notice as a line of a combined stream, with the time for which it is still shown.
std::string to_notice_line(const notice&, std::chrono::milliseconds left);

// Returns one game as the player of `seat` sees it, or as a guest sees it if there is no seat, with
// its updates so far, and the offers that stand.
std::string game_standing(const game_snapshot&, std::optional<seat_index> seat,
                          const update_list& history, base::instant now,
                          std::span<const offer_update> offers = {});

// Returns the replay of a game that has ended, with its updates as text.
std::string game_replay_text(const game_replay&, const update_list&);

// Returns the body of GET /api/invitation. `yours`: the asking client is the host.
std::string invitation_text(const std::optional<invitation_state>&, bool yours);

// Returns the body of GET /api/engines: the engines that can be played over HTTP.
// The clocks are those that players may choose.
std::string engine_list(std::span<const engine_account>, const clock_policy& clocks = {});

// Returns the body of GET /api/engines/{engine}, with examples of moves, or nothing for an engine
// that is not in the list.
std::optional<std::string> engine_text(std::span<const engine_account>, std::string_view id);

// Returns the body of GET /api/leaderboard: the rows in the given order.
std::string leaderboard(std::string_view engine, std::span<const leaderboard_row>);

}  // namespace gamehub::gateways::http
