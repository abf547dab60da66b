// The load of the UDP wire: many players at once, each against whoever the hub gives it, on one
// thread. A player says its next byte when the last one was answered, and says that again after a
// second. Not more than a bounded number of bytes is unanswered at any time, so that neither side's
// socket overflows however many games there are. Owned by the bench, used on its thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "hub/app/bench/any_load.hpp"
#include "hub/app/bench/udp_player.hpp"
#include "hub/app/bench/udp_sockets.hpp"
#include "hub/core/entropy.hpp"

namespace gamehub::app::bench {

class udp_load final : public any_load {
 public:
  // `idle`: nobody says anything once the games have begun.
  udp_load(std::unique_ptr<udp_sockets>, std::size_t games, bool idle);

  bool open(const stop_requested&) override;
  void play(clock::time_point until, const stop_requested&) override;
  void find_stalled(std::chrono::seconds) override;
  // All give up, as far as the hub hears it within a moment.
  void leave() override;
  std::size_t running() const override { return playing_; }

 private:
  struct place {
    udp_player player;
    bool unanswered = false;  // what was said last
    bool queued = false;
    bool opened = false;                      // a game has begun since the start
    clock::time_point asked_at{}, sent_at{};  // first, and last
  };

  void step();
  void hear(udp_byte);
  void enqueue(std::uint32_t player);
  void say(std::uint32_t player);
  void send_queued();
  void repeat_late();
  void follow_game(place&, bool played_before);

  std::unique_ptr<udp_sockets> sockets_;
  std::vector<place> places_;
  std::deque<std::uint32_t> wanted_;  // who has something to say, the first one first
  seeded_entropy dice_{1};
  std::size_t unanswered_ = 0;
  std::size_t opened_ = 0;
  std::size_t playing_ = 0;
  bool idle_;
  bool leaving_ = false;
  clock::time_point now_, looked_at_;
};

}  // namespace gamehub::app::bench
