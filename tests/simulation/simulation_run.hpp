// One simulation run of a whole hub, determined by a seed: clients of both protocols on several
// loops seek, move, leave, send invalid intents, stop responding, disconnect and resume. The seed
// also determines the order of loop iterations and commits. Used by one test, on one thread.
#pragma once

#include "tests/simulation/invariant_checker.hpp"
#include "tests/simulation/simulated_client.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/onlooker.hpp"
#include "tests/support/test_hub.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::tests {

class simulation_run {
 public:
  explicit simulation_run(std::uint64_t seed);
  ~simulation_run();
  simulation_run(const simulation_run&) = delete;
  simulation_run& operator=(const simulation_run&) = delete;

  // Executes the run. Returns the violated invariant, or nothing.
  std::string play();

  // Describes the parameters of the run, for the report of a failure.
  std::string describe() const;
  std::size_t games() const { return checker_.games(); }
  std::size_t moves() const { return static_cast<std::size_t>(checker_.count().moves); }

 private:
  // The parameters of the run.
  struct plan {
    int loops = 1;
    std::size_t clients = 2;
    int actions = 0;
    bool late = false, disconnects = false, resume_client = false, drain = false,
         against_engine = false, sleeps = false;
    std::chrono::seconds grace{0}, turn{0}, handshake{0}, idle{0};
    std::uint32_t connections_max = 0, games_max = 0;
    std::size_t searches_max = 0;
  };

  static plan random_plan(generator&);
  test_hub_options options(std::uint64_t seed);

  void act();
  void submit_random(simulated_client&);
  intent random_seek(std::size_t wire);
  intent random_open_seek(std::size_t wire);
  intent invalid_intent(const simulated_client&);
  intent random_offer(simulated_client&);
  void connect_client() { connect_client(random_() % 2); }
  void connect_client(std::size_t wire);
  void resume_client();
  void run_some();
  void commit_some();
  void watch();
  void check_watchers();
  void read_events();
  void settle();
  void check_settled();
  void end_games_of_days();
  void close();
  void check_end();

  simulated_client& random_client() { return *clients_[random_() % clients_.size()]; }
  bool chance(unsigned in_a_thousand) { return random_() % 1'000 < in_a_thousand; }

  generator random_;
  plan plan_;
  late_journal log_;
  test_hub hub_;
  invariant_checker checker_;
  std::vector<std::unique_ptr<simulated_client>> clients_;
  std::vector<std::size_t> wires_;  // by client
  std::map<std::string, identity> secrets_;
  std::vector<std::string> invitations_;
  std::vector<game_id> reserved_;  // ids that clients received in `placed`
  struct spectator {
    game_id game;
    std::uint64_t after = 0;
    bool had_started = false;  // the game had started
    std::shared_ptr<onlooker> who;
  };
  std::vector<spectator> watchers_;
  std::int64_t connected_ = 0;
  std::uint64_t now_ = 0;
  int drained_ = 0;
  bool draining_ = false;
};

}  // namespace gamehub::tests
