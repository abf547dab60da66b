// Progress of the recovery of games at the start. Owned by the composition; written by the
// program's first thread, read by any.
#pragma once

#include "actors/system/runtime.hpp"
#include "hub/base/log.hpp"

#include <atomic>
#include <cstddef>
#include <string>

namespace gamehub::server {

class recovery_progress final : public actors::system::recovery_listener {
 public:
  void on_progress(std::size_t done, std::size_t of) override {
    of_ = of;
    done_ = done;
  }
  void on_quarantined(game_id game, const std::string& why) override {
    base::log::warning("a game of the journal was not restored",
                       {{"game", game.value}, {"why", why}});
  }

  // Returns the progress as text for the readiness probe.
  std::string text() const {
    return "recovering: " + std::to_string(done_) + " of " + std::to_string(of_) + " games";
  }

 private:
  std::atomic<std::size_t> done_{0}, of_{0};
};

}  // namespace gamehub::server
