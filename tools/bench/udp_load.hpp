// The load of the UDP protocol: many players, each against the opponent that the hub chooses, on
// one thread. A player sends its next byte when the last one was answered, and repeats a byte after
// a second. The number of unanswered bytes is bounded, so that the sockets do not overflow, however
// many games run. Moves may wait, for a rate or for ever; all other bytes are sent at once, as a
// hub expects it. Owned by the bench, used on its thread.
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

struct udp_plan {
  std::size_t games = 0;
  bool idle = false;  // a player makes one move, and stops when the next one is its own
  int rate = 0;       // moves per second of all games, those of the hub included; 0: no limit
};

class udp_load final : public any_load {
 public:
  udp_load(std::unique_ptr<udp_sockets>, const udp_plan&);

  bool open(const stop_requested&) override;
  void play(clock::time_point until, const stop_requested&) override;
  void find_stalled(std::chrono::seconds) override;
  // All players resign, as far as the hub answers in a short time.
  void leave() override;
  std::size_t running() const override { return playing_; }

 private:
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  enum class place_in : std::uint8_t { nothing, moves, bytes };
  struct place {
    udp_player player;
    place_in queued = place_in::nothing;
    bool opened = false;               // a game has begun since the start
    std::uint32_t waits_at = nowhere;  // in unanswered_
  };
  // There may be millions.
  static_assert(sizeof(place) <= 16);

  struct unanswered_byte {
    std::uint32_t player;
    clock::time_point first_sent_at, sent_at;
  };

  void step();
  void on_data(udp_byte);
  void enqueue(std::uint32_t player);
  void enqueue_move(std::uint32_t player);
  void send_byte(std::uint32_t player);
  void release_moves();
  void send_queued();
  void repeat_late();
  void take_answer(place&);
  void follow_game(place&, bool played_before);
  std::chrono::milliseconds wait_time() const;
  // For the rate.
  void count_moves(int more);

  std::unique_ptr<udp_sockets> sockets_;
  const udp_plan plan_;
  std::vector<place> places_;
  std::deque<std::uint32_t> queue_;  // players with a byte to send, in order
  std::deque<std::uint32_t> moves_;  // players with a move to make, in order
  std::vector<unanswered_byte> unanswered_;
  base::seeded_entropy dice_{1};
  std::size_t opened_ = 0;
  std::size_t playing_ = 0;
  bool holds_moves_ = true;  // until all games have begun
  bool leaving_ = false;
  clock::time_point now_, checked_at_, next_move_at_;
};

}  // namespace gamehub::tools::bench
