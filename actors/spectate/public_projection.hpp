// Projects the records of a game log to public updates for spectators. It applies the records to a
// separate match, so live updates and updates of an old log are the same by construction. A plain
// value, owned by the reader or the writer of the log.
#pragma once

#include "engines/host/engine.hpp"
#include "hub/core/game_update.hpp"
#include "hub/journal/journal.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gamehub::actors::spectate {

// Returns the metadata of a game that has started. The engine is null if the hub no longer has it.
std::shared_ptr<const game_metadata> metadata_of(const journal::game_log&,
                                                 const engines::host::engine*);

class public_projection {
 public:
  // The match has applied every record before the first one to project. Without a match, updates
  // contain no positions, and actions are numbers.
  public_projection(std::shared_ptr<const game_metadata> game, bool has_cells,
                    std::optional<engines::host::match> match)
      : game_(std::move(game)), has_cells_(has_cells), match_(std::move(match)) {}

  // Returns the public update of the next record. Throws engine_failure if the engine fails or
  // refuses the record.
  update_ref project(const journal::record&);

  // Continues without a match, because the match has failed.
  void drop_match() { match_.reset(); }

  const std::shared_ptr<const game_metadata>& game() const { return game_; }

  // Returns the current position with cells and document. There is a match. Throws engine_failure.
  public_position position() const;
  const std::optional<engines::host::match>& match() const { return match_; }

 private:
  std::optional<public_position> view(bool whole = false) const;
  void take_action(const journal::record&, int seat, game_update&);
  outcome end_of(const journal::record&) const;

  std::shared_ptr<const game_metadata> game_;
  bool has_cells_;
  std::optional<engines::host::match> match_;
  std::optional<seat_index> leaver_;
  std::optional<outcome> end_;
};

}  // namespace gamehub::actors::spectate
