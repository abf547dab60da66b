// Replays a game log to public updates, for spectators who need earlier updates. It works in steps,
// so that a long log does not block the loop. A plain value, used by one thread at a time: the loop
// of the spectator service, or the loop of the engine process.
#pragma once

#include "actors/runtime/loop.hpp"
#include "actors/spectate/public_projection.hpp"
#include "actors/table/engine_directory.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace gamehub::actors::spectate {

// The committed part of a game.
struct replayed_game {
  std::shared_ptr<const game_metadata> game;
  std::vector<update_ref> updates;
  bool ended = false;
  public_position position;  // the latest position, with cells and document
};

class log_replay {
 public:
  log_replay(const table::engine_directory&, journal::game_log);

  // The process of the engine, or null if the engine runs in this process.
  const engines::host::host* host() const { return rules_ == nullptr ? nullptr : rules_->host(); }

  // Replays at most `records` records. Returns true if records remain.
  // `where` is the calling thread's loop, which reports failures of the engine.
  bool run(std::size_t records, runtime::loop& where);

  // Returns the result. run() has returned false.
  replayed_game take() { return std::move(result_); }

 private:
  void begin(runtime::loop&);
  void append_update(const journal::record&, runtime::loop&);
  void report_failure(runtime::loop&) const;

  journal::game_log log_;
  std::uint16_t engine_ = 0;
  const engines::host::engine* rules_ = nullptr;  // null: the hub does not have this version
  std::optional<public_projection> projection_;
  std::size_t next_ = 0;
  replayed_game result_;
};

}  // namespace gamehub::actors::spectate
