// The lines between a gallery and the games that are watched on its loop: what is handed to the
// lobby, and by it to a game, which answers there. Any loop calls; answers go to the gallery's own.
// A line that is dropped has no other end any more: the gallery hears of that, too.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "hub/core/gallery.hpp"
#include "hub/journal/record.hpp"

namespace gamehub::actors {

class game_query {
 public:
  virtual ~game_query() = default;

  // It is a game that waits for players.
  virtual void waits(std::shared_ptr<const game_metadata>) = 0;
};

// Follows a game to its end.
class line : public game_query {
 public:
  // Whether somebody listens (still).
  virtual bool open() const = 0;

  // From now on each update after that one is told.
  virtual void follow(journal::record_number after) = 0;
  virtual void tell(std::vector<update_ref>) = 0;
  virtual void ended() = 0;
};

// Asks once how a game stands.
class snapshot_query : public game_query {
 public:
  virtual std::optional<seat_index> as() const = 0;
  virtual void answer(game_snapshot) = 0;
};

}  // namespace gamehub::actors
