// One simulation run of a cluster, determined by a seed: several hubs share a log, and clients play
// at all of them. Hubs are killed, pause and wake up, also while they take over games; statements
// have unknown outcomes, the database is away, its standby is promoted. Clients whose hub is gone
// come back at any other one with their secret. Used by one test, on one thread.
#pragma once

#include "tests/simulation/durable_log.hpp"
#include "tests/simulation/invariant_checker.hpp"
#include "tests/simulation/simulated_client.hpp"
#include "tests/simulation/simulated_member.hpp"
#include "tests/support/onlooker.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::tests {

class cluster_run {
 public:
  explicit cluster_run(std::uint64_t seed);
  ~cluster_run();
  cluster_run(const cluster_run&) = delete;
  cluster_run& operator=(const cluster_run&) = delete;

  // Executes the run. Returns the violated invariant, or nothing.
  std::string play();

  // Describes the parameters of the run, for the report of a failure.
  std::string describe() const;

  // What has happened, so that a test can show that runs test something.
  struct tally {
    std::size_t moves = 0, told = 0, kills = 0, kills_in_adoptions = 0, pauses = 0, fenced = 0,
                adoptions = 0, promotions = 0, unknown = 0, outages = 0, seated = 0, names_lost = 0,
                handed_on = 0, cuts = 0, moved = 0, came_back = 0, went_on = 0, watched_far = 0,
                read_far = 0, drains = 0, slept = 0, woken = 0, followed = 0;

    tally& operator+=(const tally&);
    std::string text() const;
  };
  const tally& count() const { return tally_; }

 private:
  struct plan {
    int loops = 1;
    bool some_lack_engine = false;
    std::size_t members = 3, clients = 2;
    int actions = 0;
    // In a thousand.
    unsigned faults = 0, kills = 0, pauses = 0, outages = 0, promotions = 0, cuts = 0, drains = 0;
    bool secrets = true;  // record format 2
    bool sleeps = false;
    std::chrono::seconds grace{0}, turn{0}, rejoin{0};
    std::uint64_t redo_bytes_max = 0;
  };
  struct guest {
    std::unique_ptr<simulated_client> client;
    simulated_member* at = nullptr;
    std::size_t wire = 0;
  };
  struct spectator {
    std::shared_ptr<onlooker> who;
    simulated_member* at = nullptr;
    game_id game;
    std::uint64_t after = 0;
    bool far = false;      // watches a game of another hub
    std::size_t read = 0;  // updates
  };
  struct person {
    identity who = 0;
    std::size_t wire = 0;
  };

  static plan random_plan(generator&);

  void start_member(bool with_all_engines = false);
  void end_member(simulated_member&);
  log_fault fault_of(std::string_view step);
  void act();
  void begin_or_end_outage();
  void act_on_members();
  void act_on_links();
  void link_members();
  // Members that have left by themselves are gone.
  void end_leaving();
  void set_link(simulated_member&, simulated_member&, bool up);
  void count_crossing(simulated_member&);
  void run_some(simulated_member&);
  void act_as_client();
  void connect_client();
  void come_back();
  void read_log();
  guest* connect(simulated_member&, std::size_t wire);
  void submit_random(guest&);
  intent random_seek(std::size_t wire);
  void leave(guest&);
  void watch();
  const simulated_member* owner_of(game_id) const;
  void read_events();
  void read_updates();
  static bool is_archived(const spectator&, journal::record_number upto);
  void check_ids(const guest&, const event&);
  void check_name(const guest&, const signed_in&) const;
  sign_in random_sign_in(std::size_t wire);

  // The end: nothing fails any more.
  void be_quiet(int rounds);
  using games_by_secret = std::map<std::string, std::set<game_id>>;
  void ask_for_seats(const games_by_secret& of, games_by_secret& seated);
  void check_seated();
  void check_far_spectators() const;
  void check_owners() const;
  bool is_one_complete() const;
  bool check_names();
  void play_on();
  std::set<game_id> games_of(const std::string& secret) const;

  simulated_member* random_member();
  bool chance(unsigned in_a_thousand) { return random_() % 1'000 < in_a_thousand; }

  generator random_;
  const plan plan_;
  const std::uint64_t seed_;
  actors::table::engine_directory directory_;
  simulated_cluster cluster_;
  durable_log log_;
  invariant_checker checker_;
  std::vector<std::unique_ptr<simulated_member>> members_;
  std::vector<guest> guests_;
  std::vector<spectator> spectators_;
  std::map<std::string, person> secrets_;
  std::map<std::pair<game_id, std::uint64_t>, std::string> updates_;  // what was told of records
  std::map<game_id, journal::member_id> given_;  // ids that clients received in `placed`
  std::set<std::pair<journal::member_id, journal::member_id>> linked_;
  std::set<journal::member_id> silent_;  // members that ended, paused or were cut off
  identity last_identity_ = 0;
  std::uint64_t now_ = 0, started_ = 0;
  base::instant last_change_ = cluster_.now;  // an outage began or ended, or a pause
  bool quiet_ = false;
  tally tally_;
};

}  // namespace gamehub::tests
