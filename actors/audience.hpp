// Those who watch one game, as the game sees them: a line to each loop where somebody does. Makes
// each record's public form once, and tells it when it is committed. A plain value; a game that was
// ever watched has one, on its loop.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actors/line.hpp"
#include "actors/narrator.hpp"

namespace gamehub::actors {

class audience {
 public:
  // What is to be done once all records are committed, as for now it would tell too much.
  void when_safe(std::function<void()> what) { waiting_.push_back(std::move(what)); }

  bool has_narrator() const { return narrator_.has_value(); }
  // Requires: the narrator is where the log is.
  void narrate_by(narrator n) { narrator_.emplace(std::move(n)); }

  // Requires: a narrator, and that all up to `last` is committed.
  void admit(std::shared_ptr<line>, journal::record_number last);

  // What was appended just now. An engine that fails at it ends the watching, not the game.
  void hear(std::span<const journal::record>);

  // All up to that number is committed. Whether it is all that was heard.
  void release(journal::record_number committed, bool all);

  // The game has ended, and everything was released.
  void end();

  bool waits() const { return !pending_.empty() || !waiting_.empty(); }

 private:
  std::optional<narrator> narrator_;
  std::vector<std::shared_ptr<line>> lines_;
  std::vector<update_ref> pending_;
  std::vector<std::function<void()>> waiting_;
  bool ended_ = false;
};

}  // namespace gamehub::actors
