// The seats of a game of three or more that an engine plays on, because their players left, were
// banned or ran out of time: the others finish their game. A plain value: the table decides by it,
// and each reader of a log follows it record by record. Used by one thread at a time.
#pragma once

#include "hub/core/event.hpp"
#include "hub/core/ids.hpp"
#include "hub/journal/record.hpp"

#include <span>

namespace gamehub::actors::table {

class substitutes {
 public:
  substitutes() = default;
  // `engines` are the seats that an engine plays from the beginning.
  substitutes(std::size_t seats, seat_set engines);
  // Of the seats in a log; only its `joined` records are read.
  static substitutes at_start(std::span<const journal::record>);

  // True if the game goes on without these players: at least two seats remain that no substitute
  // plays, one of them with a player. A game of two seats never goes on.
  bool can_replace(seat_set leaving) const;

  // An engine plays the seat from now on. A seat that is replaced for good stays so.
  void replace(seat_index, bool for_good);
  // The player of the seat plays it again. Requires: may_return().
  void bring_back(seat_index);
  // Follows the records `substituted` and `returned`. Returns false if the record cannot come now.
  bool follow(const journal::record&);

  // The seats that an engine plays on now, and those of them whose players do not come back.
  seat_set now() const { return now_; }
  seat_set gone() const { return gone_; }
  // The seats from the beginning that no player has.
  seat_set engines() const { return engines_; }
  bool may_return(seat_index seat) const { return holds(now_ & ~gone_, seat); }
  // A player who came back once, and is late again, does not come back any more.
  bool has_returned(seat_index seat) const { return holds(returned_, seat); }

  // The seats that an engine plays on have lost: they have the lowest score, and the best of the
  // others wins if there is only one.
  void settle(outcome&) const;

 private:
  std::size_t seats_ = 0;
  seat_set engines_ = 0, now_ = 0, gone_ = 0, returned_ = 0;
};

}  // namespace gamehub::actors::table
