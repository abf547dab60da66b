// Tells a log anew, from its beginning: what those get who come late. In pieces, so that a long
// game keeps nobody waiting. A plain value, used by one thread at a time: that of a gallery, or
// where the engine runs in a process of its own the one that may wait for it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "actors/catalog.hpp"
#include "actors/narrator.hpp"
#include "metrics/cells.hpp"

namespace gamehub::actors {

// A game as far as it was committed.
struct replayed_game {
  std::shared_ptr<const game_metadata> game;
  std::vector<update_ref> updates;
  bool ended = false;
  public_position position;  // the latest, whole
};

class log_replay {
 public:
  log_replay(const catalog&, journal::game_log);

  // Of an engine in a process of its own; else null.
  const engines::host* host() const { return rules_ == nullptr ? nullptr : rules_->host(); }

  // Tells so many records more. Whether any are left.
  bool go_on(std::size_t records, metrics::loop_cells&);

  // Requires: none are left.
  replayed_game take() { return std::move(done_); }

 private:
  void begin();
  void tell(const journal::record&);

  journal::game_log log_;
  std::uint16_t engine_ = 0;
  const engines::engine* rules_ = nullptr;  // null: this version is not here any more
  std::optional<public_projection> projection_;
  std::size_t next_ = 0;
  replayed_game done_;
};

}  // namespace gamehub::actors
