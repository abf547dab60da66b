// Tells a game's log to those who do not play: makes the public form of one record after the other,
// with a match of its own that it plays along. So what is told live and what is told of a log years
// later are the same by construction. A plain value; whoever reads or writes the log owns it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engines/engine.hpp"
#include "hub/core/update.hpp"
#include "hub/journal/journal.hpp"

namespace gamehub::actors {

// The card of a game that has begun. The engine is null where it is not known any more.
std::shared_ptr<const game_metadata> metadata_of(const journal::game_log&, const engines::engine*);

class public_projection {
 public:
  // Requires: the match is as it was after the last record that is told elsewhere. Without one it
  // tells no positions, and actions by their numbers.
  public_projection(std::shared_ptr<const game_metadata> game, bool has_cells,
           std::optional<engines::match> match)
      : game_(std::move(game)), has_cells_(has_cells), match_(std::move(match)) {}

  // Throws engine_failure where the engine does not follow.
  update_ref tell(const journal::record&);

  // Goes on without the match that has failed.
  void give_up_match() { match_.reset(); }

  const std::shared_ptr<const game_metadata>& game() const { return game_; }

  // Where it is by now, cells and document. Throws engine_failure. Requires: a match.
  public_position position() const;
  const std::optional<engines::match>& match() const { return match_; }

 private:
  std::optional<public_position> view(bool whole = false) const;
  void take_action(const journal::record&, int seat, game_update&);
  outcome end_of(const journal::record&) const;

  std::shared_ptr<const game_metadata> game_;
  bool has_cells_;
  std::optional<engines::match> match_;
  std::optional<seat_index> leaver_;
  std::optional<outcome> end_;
};

}  // namespace gamehub::actors
