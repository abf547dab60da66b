// The load of the UDP protocol: many players, each against the opponent that the hub chooses, on
// one thread. A player sends its next byte when the last one was answered, and repeats a byte after
// a second. The number of unanswered bytes is bounded, so that the sockets do not overflow, however
// many games run. Owned by the bench, used on its thread.
#pragma once

#include "hub/base/random.hpp"
#include "tools/bench/any_load.hpp"
#include "tools/bench/udp_player.hpp"
#include "tools/bench/udp_sockets.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace gamehub::tools::bench {

class udp_load final : public any_load {
 public:
  // `idle`: players send nothing after their games have begun.
  udp_load(std::unique_ptr<udp_sockets>, std::size_t games, bool idle);

  bool open(const stop_requested&) override;
  void play(clock::time_point until, const stop_requested&) override;
  void find_stalled(std::chrono::seconds) override;
  // All players resign, as far as the hub answers in a short time.
  void leave() override;
  std::size_t running() const override { return playing_; }

 private:
  struct place {
    udp_player player;
    bool unanswered = false;  // the last sent byte
    bool queued = false;
    bool opened = false;                           // a game has begun since the start
    clock::time_point first_sent_at{}, sent_at{};  // the first and the last time of a byte
  };

  void step();
  void on_data(udp_byte);
  void enqueue(std::uint32_t player);
  void send_byte(std::uint32_t player);
  void send_queued();
  void repeat_late();
  void follow_game(place&, bool played_before);

  std::unique_ptr<udp_sockets> sockets_;
  std::vector<place> places_;
  std::deque<std::uint32_t> queue_;  // players with a byte to send, in order
  base::seeded_entropy dice_{1};
  std::size_t unanswered_ = 0;
  std::size_t opened_ = 0;
  std::size_t playing_ = 0;
  bool idle_;
  bool leaving_ = false;
  clock::time_point now_, checked_at_;
};

}  // namespace gamehub::tools::bench
