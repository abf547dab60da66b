// The state of a player in its session: its seats, its seek, and which requests are valid. A plain
// value without runtime, owned by a session and used on its loop.
#pragma once

#include "hub/core/event.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/reasons.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gamehub::actors::session {

// One seat of a player. Game is the handle of the game actor.
template <class Game>
struct seat_of {
  game_id id;
  Game game;
  seat_index seat = 0;
  std::uint16_t engine = 0;
  // The client that gets nothing of the game until the game was shown to it; none: it was.
  attachment_id unseen_by = {};
  // As of runtime::seated; zero: nothing.
  std::chrono::seconds away_time{0};

  bool lasts() const { return away_time.count() != 0; }
};

template <class Game>
class player {
 public:
  using seat_entry = seat_of<Game>;

  bool playing() const { return !seats_.empty(); }
  bool waiting() const { return waiting_; }
  // True if the player has a seek that stays after a game.
  bool has_standing_seek() const { return has_standing_seek_; }
  // True if the player neither plays nor waits for a game.
  bool idle() const { return !playing() && !waiting(); }
  const std::vector<seat_entry>& seats() const { return seats_; }
  // The number of seats that the player has, or will have by its seek.
  std::uint32_t seats_wanted() const {
    const auto taken = static_cast<std::uint32_t>(seats_.size());
    return waiting_ || has_standing_seek_ ? std::max(taken, games_max_) : taken;
  }

  // Returns the seat in this game, or null. Game zero means the only seat.
  seat_entry* find(game_id id) {
    if (!id) return seats_.size() == 1 ? &seats_.front() : nullptr;
    const auto at = std::find_if(seats_.begin(), seats_.end(),
                                 [id](const seat_entry& p) { return p.id == id; });
    return at == seats_.end() ? nullptr : &*at;
  }

  // The games are to be shown to this client, which has come back. What they sent before that was
  // for the former client: the new one would receive it twice.
  void show_games_to(attachment_id client) {
    for (auto& p : seats_) p.unseen_by = client;
    shows_games_ = playing();
  }
  // Returns true if the client may receive an event of this game. `shown_to` is the client to which
  // the event shows the game; none: to none.
  bool may_receive(game_id id, attachment_id shown_to) {
    auto* const at = shows_games_ && id ? find(id) : nullptr;
    if (at == nullptr || !at->unseen_by) return true;
    if (at->unseen_by != shown_to) return false;
    at->unseen_by = {};
    shows_games_ = std::any_of(seats_.begin(), seats_.end(),
                               [](const seat_entry& p) { return static_cast<bool>(p.unseen_by); });
    return true;
  }

  // Returns why there is no seat in this game. find(id) has returned null.
  refusal why_no_seat(game_id id) {
    if (awaits(id) && (id || !playing())) return refusal::not_your_turn;
    if (id) return refusal::not_in_game;
    if (playing()) return refusal::malformed;
    // Only one move can have crossed the end of the game.
    return std::exchange(move_crossed_end_, false) ? refusal::opponent_left : refusal::not_in_game;
  }

  // The client was told the id of the game that it waits for.
  void set_awaited_game(game_id id) {
    if (waiting_) awaited_game_ = id;
  }
  // True if a request for this game means the game that the player waits for.
  bool awaits(game_id id) const { return waiting_ && (!id || id == awaited_game_); }

  // The table refused the move that crossed the end of the game.
  void clear_crossed_move() { move_crossed_end_ = false; }

  // Returns why the player may not seek a game now, or nothing.
  std::optional<refusal> why_no_seek(const seek& what) const {
    const bool joins = what.join || !what.invitation.empty();
    if (has_standing_seek_ || withdrawing_ || replacing_) return refusal::already_in_game;
    if (waiting_ && !what.replaces) return refusal::already_in_game;
    const bool has_seat = playing() || released_count() != 0;
    if (has_seat && !(what.again && seek_lost_) && !has_room_beside(what))
      return refusal::already_in_game;
    if (what.engines.empty() && !joins) return refusal::unknown_engine;
    return std::nullopt;
  }

  // The seek was sent to the lobby.
  void on_seek_sent(const seek& what) {
    replacing_ = what.replaces;
    kept_game_ = waiting_ ? awaited_game_ : game_id{};
    games_max_ = what.games_max + (what.keeps ? static_cast<std::uint32_t>(seats_.size()) : 0);
    waiting_ = replacing_ || seats_.size() < games_max_;
    has_standing_seek_ = what.again;
    stays_ = !what.may_leave;
    if (!kept_game_) awaited_game_ = {};
    seek_lost_ = false;
    move_crossed_end_ = false;
  }
  // The lobby has accepted the seek.
  void on_seek_accepted() {
    replacing_ = false;
    kept_game_ = {};
  }
  // The player was restored after a restart. Its standing seek, if any, was lost.
  void set_seek_lost() { seek_lost_ = true; }
  // What the seek was to replace is still there.
  void on_seek_refused() {
    has_standing_seek_ = replacing_ = false;
    waiting_ = static_cast<bool>(std::exchange(kept_game_, game_id{}));
  }

  // The game that the player waits for will not begin, by no request of it.
  void on_waiting_ended() {
    if (replacing_)
      kept_game_ = {};
    else
      on_seek_refused();
  }

  // The withdrawal was sent to the lobby. Until the reply arrives, the lobby may assign a seat.
  void on_withdraw_sent() {
    waiting_ = has_standing_seek_ = replacing_ = false;
    kept_game_ = {};
    withdrawing_ = true;
  }
  // The withdrawal was confirmed. Returns the seat that the lobby assigned meanwhile, or null; the
  // player leaves that game.
  seat_entry* on_withdrawn() {
    waiting_ = has_standing_seek_ = withdrawing_ = false;
    const auto late = std::exchange(late_seat_, {});
    return late ? find(late) : nullptr;
  }

  void add_seat(seat_entry p) {
    if (p.unseen_by) shows_games_ = true;
    if (withdrawing_) late_seat_ = p.id;
    // The game that a pending seek was to replace begins; its answer is still to come.
    const bool began = replacing_ && p.id == kept_game_;
    seats_.push_back(std::move(p));
    if (began)
      kept_game_ = {};
    else
      waiting_ = has_standing_seek_ && seats_.size() < games_max_;
    move_crossed_end_ = false;
  }

  // The game may fall asleep while the player is here: the seat is removed, and counts still, until
  // the player has it again.
  void release(game_id id) {
    std::erase_if(seats_, [id](const seat_entry& p) { return p.id == id; });
    if (!released_) released_ = std::make_unique<std::vector<game_id>>();
    released_->push_back(id);
  }
  // Returns true if the player had released its seat in this game.
  bool forget_released(game_id id) { return released_ && std::erase(*released_, id) != 0; }

  // Removes seats of games that go on: a game was suspended, or the player has left it.
  template <class Is>
  void drop_if(Is is) {
    std::erase_if(seats_, is);
  }

  // A game ended. Returns true if a standing seek has a free seat again.
  bool remove_seat(game_id id, const outcome& how) {
    const auto by_other = how.reason == end_reason::left || how.reason == end_reason::clock;
    move_crossed_end_ = false;
    if (const auto* at = find(id)) {
      move_crossed_end_ = by_other && how.winner == at->seat;
      const bool played_on = how.reason == end_reason::rules && holds(how.forfeits, at->seat);
      const bool late =
          played_on || (how.reason == end_reason::clock && (!how.winner || how.winner != at->seat));
      clock_losses_ = late ? clock_losses_ + 1 : 0;
    }
    std::erase_if(seats_, [id](const seat_entry& p) { return p.id == id; });
    if (has_standing_seek_) waiting_ = seats_.size() < games_max_;
    return has_standing_seek_;
  }

  // True after the first game of a client that may leave without a word. A client that stays once
  // is not paused again, so that those who play many games in a row lose no time.
  bool take_pause() { return has_standing_seek_ && !playing() && !std::exchange(stays_, true); }

  // True if the player lets the clock run out in one game after the other. Its standing seek only
  // makes others wait.
  bool is_absent() const { return has_standing_seek_ && clock_losses_ >= clock_losses_max; }

 private:
  // True if the seek may be made while the player plays: in the place of one game, beside games of
  // days.
  bool has_room_beside(const seek& what) const {
    const auto by_second =
        std::count_if(seats_.begin(), seats_.end(), [](const seat_entry& p) { return !p.lasts(); });
    if (what.keeps)
      return by_second == 0 && seats_.size() + released_count() < limits::games_kept_max;
    return what.replaces && (seats_.size() == 1 || by_second <= 1);
  }

  std::size_t released_count() const { return released_ ? released_->size() : 0; }

  static constexpr int clock_losses_max = 2;

  std::vector<seat_entry> seats_;
  std::unique_ptr<std::vector<game_id>> released_;  // null: none
  std::uint32_t games_max_ = 1;
  int clock_losses_ = 0;            // of the latest games, without one between them
  bool waiting_ = false;            // the lobby has a seek with a free seat
  bool has_standing_seek_ = false;  // the seek stays after a game
  bool withdrawing_ = false;        // the withdrawal is not confirmed yet
  bool seek_lost_ = false;
  bool stays_ = true;
  bool shows_games_ = false;       // some seats are unseen
  bool replacing_ = false;         // a seek is pending that replaces what there is
  bool move_crossed_end_ = false;  // the opponent left or ran out of time in the latest game
  game_id kept_game_;              // the game that the player waits for until then
  game_id awaited_game_;           // the id that was reported to the client
  game_id late_seat_;              // a seat that was assigned during the withdrawal
};

}  // namespace gamehub::actors::session
