// One life of a hub in a simulated cluster: the parts of the product on manual loops, with a log
// and heartbeats in a database with faults. Its writer, heartbeats and adoptions run when the
// simulation says so. Owned by a simulation run and used on its thread.
#pragma once

#include "actors/relay/exchange.hpp"
#include "hub/journal/record_format.hpp"
#include "hub/server/cluster_journal.hpp"
#include "hub/server/cluster_members.hpp"
#include "tests/journal/fake_log.hpp"
#include "tests/simulation/turn_thread.hpp"
#include "tests/support/test_hub.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::tests {

// What all members share.
struct simulated_cluster {
  struct heartbeat {
    std::uint64_t beats = 0, games = 0;
    std::set<std::string> engines;
    bool left = false;
  };

  fake_database database;
  std::map<journal::member_id, heartbeat> heartbeats;
  std::uint64_t record_format = journal::record_format_newest();
  base::instant now{std::chrono::hours{1}};
  bool away = false;  // the database
  // What the members have sent each other, in order; and between which the link is cut: the two
  // in both orders.
  using way = std::pair<journal::member_id, journal::member_id>;
  std::map<way, std::deque<std::string>> links;
  std::set<way> cut;
  // Decides what happens to a statement. Called before each.
  std::function<log_fault(std::string_view step)> fault;
};

class simulated_member {
 public:
  simulated_member(simulated_cluster&, test_hub_options, std::uint64_t redo_bytes_max);
  // Its memory is gone, and what was not written.
  ~simulated_member();
  simulated_member(const simulated_member&) = delete;
  simulated_member& operator=(const simulated_member&) = delete;

  // Its number in the cluster: another one once it has joined as an entry.
  journal::member_id id() const { return entry_ ? entry_id_ : journal_->self(); }
  test_hub& hub() { return *hub_; }
  const journal::log_writer& log() const { return journal_->log(); }
  actors::relay::exchange& exchange() { return *exchange_; }

  // A member that pauses does nothing until it continues.
  bool paused = false;
  // It does not reach the database before this time, while others do.
  base::instant cut_off_until;
  // Another member has adopted it. It leaves as the product does, in leave_if_fenced().
  bool fenced() const { return fenced_; }
  // How long it stays the entry of its clients then, at most. Zero: it leaves them at once.
  std::chrono::milliseconds entry_time{6'000};
  // It is that of clients that go on at other hubs.
  bool is_fenced_entry() const { return entry_ != nullptr; }
  bool adopts() const { return members_->membership().adopting(); }
  // It has got SIGTERM. It leaves as the product does, in leave_if_drained().
  bool draining() const { return drain_ends_at_.has_value(); }
  // Requires: it takes no games over. `secrets`: all members know record format 2.
  void begin_drain(bool secrets, std::chrono::milliseconds time);

  // Each does one thing of one of its threads.
  void beat();  // if it is time
  bool step_loop(std::size_t loop);
  // A message of another member arrives. Returns false if none has come.
  bool receive();
  void on_link(journal::member_id other, bool up) { exchange_->on_link(other, up); }
  // The member lives, by the latest heartbeat.
  bool knows(journal::member_id other) const { return known_.contains(other); }
  bool can_watch(journal::member_id other) const { return exchange_->can_watch(other); }
  actors::relay::exchange::numbers count_crossing() const { return exchange_->count(); }
  bool step_writer() { return journal_->log().step(); }
  void step_adoption();
  // All of the above until nothing is left to do, except heartbeats.
  void settle();
  // Returns true if it has left its clients, or its time is over.
  bool leave_if_fenced();
  bool leave_if_drained();

 private:
  class store;
  class table;
  struct listener final : actors::system::recovery_listener {
    void on_progress(std::size_t, std::size_t) override {}
    void on_quarantined(game_id, const std::string&) override {}
  };

  void set_clock();
  void know(const std::vector<cluster::member_row>&);
  void begin_to_leave();
  void join_as_entry();
  void insist();
  bool is_cut_off() const { return dead_ || cluster_.away || cluster_.now < cut_off_until; }

  simulated_cluster& cluster_;
  listener nobody_;
  std::unique_ptr<server::cluster_journal> journal_;
  std::unique_ptr<actors::relay::exchange> exchange_;
  std::unique_ptr<test_hub> hub_;
  std::unique_ptr<server::cluster_members> members_;
  std::unique_ptr<turn_thread> adoption_;
  base::instant next_beat_, leaves_at_, joins_until_;
  std::optional<base::instant> drain_ends_at_;
  bool insists_ = false;  // the time of the drain is over
  std::set<journal::member_id> known_;
  bool dead_ = false, fenced_ = false, leaves_ = false, drained_ = false;
  bool stays_ = false;  // it is fenced, and has clients that go on
  journal::member_id entry_id_;
  std::unique_ptr<cluster::membership> entry_;  // null: it has not joined as one
};

}  // namespace gamehub::tests
