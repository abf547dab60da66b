// The running clocks of a game whose players have a store of time. Every moment is given by the
// caller; nothing here reads a clock. A plain value: the table owns it, and its game actor uses it
// on its loop.
//
// A seat's clock runs from start() to stop() or drop(). stop() charges the time of the turn, less
// the time in which the hub was late; drop() charges nothing.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/clock_rule.hpp"
#include "hub/core/game_clock.hpp"
#include "hub/core/ids.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub {

// The time between two moments in which the hub was late for a seat: it is not the player's. At
// most the time between them. Without a function: none.
struct hub_lateness {
  const void* of = nullptr;
  std::chrono::microseconds (*between)(const void* of, seat_index, base::instant from,
                                       base::instant to) = nullptr;

  std::chrono::microseconds operator()(seat_index seat, base::instant from,
                                       base::instant to) const {
    return between == nullptr || to <= from ? std::chrono::microseconds{0}
                                            : between(of, seat, from, to);
  }
};

class player_clocks {
 public:
  using microseconds = std::chrono::microseconds;

  // No clock has more than this, however often it is added to.
  static constexpr microseconds store_max = clock_rule::main_max;

  // Requires: the rule has a store.
  player_clocks(const clock_rule&, std::size_t seats);

  // The turns of these seats begin. The clock of a seat that runs already goes on.
  void start(seat_set, base::instant now);
  // The turns that began last begin now: their prompts were held back. Returns for how long.
  microseconds postpone(base::instant now);
  // The seat has moved at that moment. Returns how much of its turn was not charged because the hub
  // was late. A clock that does not run is not charged.
  microseconds stop(seat_index, base::instant at, const hub_lateness& = {});
  // The turns of all seats but these are over, without a move.
  void drop_all_but(seat_set);

  // The clocks of turns that begin run only from resume() on. Requires: no clock runs.
  void pause();
  void resume(base::instant now);
  bool paused() const { return paused_; }
  // Charges the running clocks for a turn that has lasted already, but leaves each `least`, or what
  // it had if that is less. Requires: the clocks are paused.
  void charge(microseconds lasted, microseconds least);

  // Returns when the first clock that runs is up; nothing: none runs.
  std::optional<base::instant> due(const hub_lateness&, base::instant now) const;
  // Returns the seats whose time was up at that moment.
  seat_set fallen(base::instant at, const hub_lateness&) const;

  // Returns what the clocks show.
  game_clock read(base::instant now, const hub_lateness&) const;

  // What is left to a seat whose clock does not run, as text, for the log.
  std::string stored(seat_index) const;
  // Sets what is left to a seat from such a text. Returns false, and changes nothing, if the text
  // has another form.
  bool restore(seat_index, std::string_view);

  const clock_rule& rule() const { return rule_; }
  seat_set running() const { return running_; }

 private:
  struct one {
    microseconds left{0};  // of the main time
    int periods = 0;       // of byo-yomi, that are left
    microseconds used{0};  // of this turn, before `since`
    base::instant since{};
  };

  one& at(seat_index seat) { return all_[static_cast<std::size_t>(seat)]; }
  const one& at(seat_index seat) const { return all_[static_cast<std::size_t>(seat)]; }
  // All that a seat has for its turn.
  microseconds store_of(const one& of) const { return of.left + of.periods * rule_.step; }
  microseconds used(seat_index, base::instant now, const hub_lateness&) const;

  clock_rule rule_;
  std::vector<one> all_;
  seat_set running_ = 0;
  seat_set latest_ = 0;  // those whose turns began last
  bool paused_ = false;
};

}  // namespace gamehub
