// A player as its session knows it: seats, whether it waits, and what it may ask for. A plain
// value without runtime; a session owns it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "hub/core/event.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/reasons.hpp"

namespace gamehub::actors {

// Where a player sits. Game is the handle that leads to the table.
template <class Game>
struct seat_of {
  game_id id;
  Game game;
  seat_index seat = 0;
  std::uint16_t engine = 0;
};

template <class Game>
class player {
 public:
  using place = seat_of<Game>;

  bool playing() const { return !places_.empty(); }
  bool waiting() const { return waits_; }
  // Has an offer that stays after a game.
  bool stands() const { return has_standing_seek_; }
  // Neither plays nor waits for a game.
  bool idle() const { return !playing() && !waiting(); }
  const std::vector<place>& places() const { return places_; }

  // The seat that a play or leave is about; game zero is the only one there is.
  place* find(game_id id) {
    if (!id) return places_.size() == 1 ? &places_.front() : nullptr;
    const auto at =
        std::find_if(places_.begin(), places_.end(), [id](const place& p) { return p.id == id; });
    return at == places_.end() ? nullptr : &*at;
  }

  // Why there is no seat for it. Requires: find(id) found none.
  refusal why_no_seat(game_id id) {
    if (awaits(id) && (id || !playing())) return refusal::not_your_turn;
    if (id) return refusal::not_in_game;
    if (playing()) return refusal::malformed;
    // Only the first move can have been under way when the opponent left.
    return std::exchange(move_crossed_end_, false) ? refusal::opponent_left : refusal::not_in_game;
  }

  // It was told that it waits for this game.
  void waits_for(game_id id) {
    if (waits_) awaited_game_ = id;
  }
  // Whether a request about that game is about the one it waits for.
  bool awaits(game_id id) const { return waits_ && (!id || id == awaited_game_); }

  // The table itself refused the move that was under way.
  void clear_crossed_move() { move_crossed_end_ = false; }

  // Why it may not wait for a game now, if it may not.
  std::optional<refusal> why_no_seek(const seek& what) const {
    if (waits_ || has_standing_seek_ || withdrawing_) return refusal::already_in_game;
    if (playing() && !(what.again && seek_lost_)) return refusal::already_in_game;
    if (what.engines.empty() && what.invitation.empty()) return refusal::unknown_engine;
    return std::nullopt;
  }

  void sought(const seek& what) {
    games_max_ = what.games_max;
    waits_ = places_.size() < games_max_;
    has_standing_seek_ = what.again;
    awaited_game_ = {};
    seek_lost_ = false;
    move_crossed_end_ = false;
  }
  // It comes from before the hub was away. If it had an offer, that went with the hub.
  void offer_was_lost() { seek_lost_ = true; }
  void on_seek_refused() { waits_ = has_standing_seek_ = false; }

  // It asked the lobby to take its offer back; until it hears of that it may have been seated.
  void on_withdraw_sent() {
    waits_ = has_standing_seek_ = false;
    withdrawing_ = true;
  }
  // It has heard. The seat that it was given meanwhile, if any, which it did not want any more.
  place* on_withdrawn() {
    waits_ = has_standing_seek_ = withdrawing_ = false;
    const auto late = std::exchange(late_, {});
    return late ? find(late) : nullptr;
  }

  void sit(place p) {
    if (withdrawing_) late_ = p.id;
    places_.push_back(std::move(p));
    waits_ = has_standing_seek_ && places_.size() < games_max_;
    move_crossed_end_ = false;
  }

  // A game rests until the hub is up again.
  void leave_behind(game_id id) {
    std::erase_if(places_, [id](const place& p) { return p.id == id; });
  }

  // A game ended. True if a standing offer has a free place again.
  bool remove_seat(game_id id, const outcome& how) {
    const auto by_other = how.reason == end_reason::left || how.reason == end_reason::clock;
    move_crossed_end_ = false;
    if (const auto* at = find(id)) move_crossed_end_ = by_other && how.winner == at->seat;
    std::erase_if(places_, [id](const place& p) { return p.id == id; });
    if (has_standing_seek_) waits_ = places_.size() < games_max_;
    return has_standing_seek_;
  }

 private:
  std::vector<place> places_;
  std::uint32_t games_max_ = 1;
  bool waits_ = false;      // the lobby has an offer with a free place
  bool has_standing_seek_ = false;     // which stays after a game
  bool withdrawing_ = false;  // and has not heard that it is out of the queue
  bool seek_lost_ = false;
  game_id awaited_game_;       // which the wire had to tell
  game_id late_;          // a seat given while it withdrew
  bool move_crossed_end_ = false;  // the latest game ended by the opponent's leaving or its clock
};

}  // namespace gamehub::actors
