// How far the hub is with the games of its last life. Written by the program's first thread; any
// may ask.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

#include "actors/runtime.hpp"
#include "hub/app/log.hpp"

namespace gamehub::app {

class recovery_progress final : public actors::recovery_listener {
 public:
  void progress(std::size_t done, std::size_t of) override {
    of_ = of;
    done_ = done;
  }
  void left_out(game_id game, const std::string& why) override {
    log::warning("a logged game does not go on", {{"game", game.value}, {"why", why}});
  }

  std::string words() const {
    return "recovering: " + std::to_string(done_) + " of " + std::to_string(of_) + " games";
  }

 private:
  std::atomic<std::size_t> done_{0}, of_{0};
};

}  // namespace gamehub::app
