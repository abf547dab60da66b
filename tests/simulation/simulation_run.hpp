// One whole evening in the hub, drawn from a seed: guests on both wires and several loops who join,
// move, leave, misbehave, fall silent, vanish and come back, in an order of the loops' turns that
// is drawn too. Used by one test, on one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/simulation/guest.hpp"
#include "tests/simulation/referee.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/onlooker.hpp"
#include "tests/support/test_hub.hpp"

namespace gamehub::tests {

class evening {
 public:
  explicit evening(std::uint64_t seed);
  ~evening();
  evening(const evening&) = delete;
  evening& operator=(const evening&) = delete;

  // Plays it to its end. What was wrong, or nothing.
  std::string play();

  // What kind of evening it was, for whoever looks at a failure.
  std::string describe() const;
  std::size_t games() const { return referee_.games(); }
  std::size_t moves() const { return static_cast<std::size_t>(referee_.count().moves); }

 private:
  // What may happen tonight.
  struct plan {
    int loops = 1;
    std::size_t guests = 2;
    int actions = 0;
    bool late = false, disconnects = false, come_back = false, drain = false, house = false;
    std::chrono::seconds grace{0}, turn{0}, handshake{0}, idle{0};
    std::uint32_t connections_max = 0, games_max = 0;
    std::size_t thoughts_max = 0;
  };

  static plan draw_plan(dice&);
  test_hub_options options(std::uint64_t seed);

  void act();
  void speak(guest&);
  intent any_seek(std::size_t wire);
  intent any_place(std::size_t wire);
  intent nonsense(const guest&);
  void connect_client() { connect_client(dice_() % 2); }
  void connect_client(std::size_t wire);
  void come_back();
  void run_a_little();
  void commit_a_little();
  void watch();
  void check_watchers();
  void listen();
  void settle();
  void check_settled();
  void close();
  void check_end();

  guest& random_client() { return *clients_[dice_() % clients_.size()]; }
  bool chance(unsigned in_a_thousand) { return dice_() % 1'000 < in_a_thousand; }

  dice dice_;
  plan plan_;
  late_journal log_;
  test_hub hub_;
  referee referee_;
  std::vector<std::unique_ptr<guest>> clients_;
  std::vector<std::size_t> wires_;  // by guest
  std::map<std::string, identity> secrets_;
  std::vector<std::string> invitations_;
  struct watching_one {
    game_id game;
    std::uint64_t after = 0;
    bool was_there = false;  // the game had begun
    std::shared_ptr<onlooker> who;
  };
  std::vector<watching_one> watchers_;
  std::int64_t admitted_ = 0;
  std::uint64_t now_ = 0;
  int drained_ = 0;
  bool draining_ = false;
};

}  // namespace gamehub::tests
