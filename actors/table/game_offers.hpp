// The offers of a draw and of a takeback in one running game: who offers what, whose answer it
// waits for, and what each request changes. At most one offer of each kind stands. A plain value
// without clock and runtime; a table owns it, one thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/offer.hpp"
#include "hub/core/reasons.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace gamehub::actors::table {

class game_offers {
 public:
  struct standing {
    offer_kind what = offer_kind::draw;
    seat_index by = 0;
    seat_set awaits = 0;    // the players who have not answered
    seat_set accepted = 0;  // those who have accepted it

    friend bool operator==(const standing&, const standing&) = default;
  };
  // A change, for the log and for the players.
  struct change {
    offer_step step = offer_step::offered;
    offer_kind what = offer_kind::draw;
    seat_index seat = 0;
    offer_cause cause = offer_cause::request;

    friend bool operator==(const change&, const change&) = default;
  };
  struct result {
    std::optional<refusal> why;  // refused: nothing has changed
    std::string_view detail = {};
    std::optional<change> changed = {};
    std::optional<standing> granted = {};  // all have accepted it: it is to be carried out
  };

  // Returns why the player can't take this step now, or a result without a refusal.
  result check(offer_kind, seat_index, offer_step, base::instant now);
  // The player offers something to the others; without others it is granted. A draw that another
  // player has offered to this one is accepted.
  result offer(offer_kind, seat_index by, seat_set others, base::instant now);
  // The player accepts or declines what is offered to it, or withdraws its own offer.
  result answer(offer_kind, seat_index, offer_step);

  // A player has moved: a takeback is out of date, and a draw is declined by who was to answer it.
  std::vector<change> on_move(seat_index);
  // A player leaves, or its client can't answer: its offers are withdrawn, those to it declined.
  std::vector<change> on_left(seat_index);

  // Repeats a logged change. `others` are the players who are to answer an offer.
  void restore(const change&, seat_set others);

  const std::vector<standing>& open() const { return open_; }

 private:
  struct maker {
    std::size_t count = 0;
    std::deque<base::instant> times;  // of the latest offers, at most offers_max
  };

  std::vector<standing>::iterator find(offer_kind);
  result accept(std::vector<standing>::iterator, seat_index);

  std::vector<standing> open_;  // at most one of each kind
  std::map<seat_index, maker> makers_;
};

}  // namespace gamehub::actors::table
