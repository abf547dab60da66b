// This hub as a member of its cluster: its heartbeats, the takeover of games of members that died
// or left, and its own leaving. Owned by the composition; any thread, unless a function says
// otherwise.
#pragma once

#include "actors/system/runtime.hpp"
#include "actors/table/engine_directory.hpp"
#include "hub/cluster/membership.hpp"
#include "hub/journal/record_format.hpp"
#include "hub/server/cluster_journal.hpp"
#include "metrics/cluster_numbers.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::server {

class cluster_members {
 public:
  // The journal and the engines of this hub outlive it.
  cluster_members(cluster_journal&, const actors::table::engine_directory&);
  // With any heartbeats, for simulations.
  cluster_members(cluster_journal&, std::unique_ptr<cluster::member_table>,
                  const actors::table::engine_directory&);

  // Begins the heartbeats: other hubs adopt a member that has none.
  void start() { members_.start(); }

  // The function gets the number of changes of the cluster's bans and mutes with each heartbeat,
  // and nothing after heartbeats have failed. Called before start_adopting(); it is called on the
  // beating thread, from then on.
  void on_sanctions(std::function<void(std::optional<std::uint64_t> changes)> f) {
    on_sanctions_ = std::move(f);
  }
  // The function gets the members of each heartbeat that was answered. Called as on_sanctions(),
  // and likewise.
  void on_members(std::function<void(const std::vector<cluster::member_row>&)> f) {
    on_members_ = std::move(f);
  }
  // The link to another member is up, or broke.
  void on_link(cluster::member_id who, bool up) {
    up ? members_.on_link_up(who) : members_.on_link_broken(who);
  }
  // Calls the function unless games are being taken over; none will be until it returns.
  void if_idle(const std::function<void()>&);
  // Takes over the games of members that died or left from now on, unless this hub drains already.
  // The runtime outlives the heartbeats; `listener` is told about games that can't be continued.
  // Called once, when the loops run.
  void start_adopting(actors::system::runtime&, actors::system::recovery_listener& listener);
  // Takes over no further logs. Waits for the end of a takeover for a limited time, then only until
  // the lot of games that is under way is there. Called before the runtime drains.
  void stop_adopting();
  // True if games of other logs are not taken over yet, or their logs are not released.
  bool takes_over() const { return journal_.log().has_other_logs(); }
  // Ends the heartbeats, and says that this hub has left: others take over its games at once.
  // Called when no game runs here any more and everything is written.
  void leave();
  // Ends the heartbeats without a word, because another member owns the games.
  void stop() { members_.stop(); }

  // As membership::may_take_over().
  bool may_take_over(base::instant since) const { return members_.may_take_over(since); }
  // True if another member lives, as of the latest heartbeat.
  bool has_others() const { return members_.others() != 0; }
  // The format of records that all members write, as of the latest heartbeat.
  std::uint64_t record_format() const { return record_format_; }
  std::vector<cluster::member_state> members() const;
  metrics::cluster_numbers numbers() const;
  // For simulations, which do not call start().
  cluster::membership& membership() { return members_; }

 private:
  std::set<std::string> engine_names() const;
  void adopt(cluster::member_id);
  void on_heartbeats(const std::string& why);
  void on_rows(const std::vector<cluster::member_row>&);
  // Called at each beat: the takeover whose end was uncertain has ended.
  void look_for_released();
  // The other logs are gone. These two require that the caller has `taking_over_`.
  void begin_hand_over();
  void end_takeover();

  cluster_journal& journal_;
  const actors::table::engine_directory& engines_;
  // From start_adopting() on, as the two functions of the heartbeats:
  std::atomic<bool> has_begun_{false};
  actors::system::runtime* runtime_ = nullptr;
  actors::system::recovery_listener* listener_ = nullptr;
  std::atomic<bool> takes_over_{true};
  std::atomic<std::uint64_t> record_format_{journal::record_format_least};
  std::atomic<bool> has_ends_{false};  // look_for_released() has something to do
  // Guarded by `taking_over_`: members whose release may have succeeded, games whose engine this
  // hub lacks until they are handed over, and whether a takeover ends when they are.
  std::set<cluster::member_id> maybe_released_;
  std::vector<journal::log_writer::unplayed_game> without_engine_;
  bool ends_takeover_ = false;
  std::atomic<std::uint64_t> adoptions_{0}, games_{0};
  std::atomic<std::chrono::nanoseconds> adopting_{std::chrono::nanoseconds{0}};
  std::function<void(std::optional<std::uint64_t>)> on_sanctions_;
  std::function<void(const std::vector<cluster::member_row>&)> on_members_;
  bool recovered_ = false;  // of the beating thread: heartbeats had failed, since on_sanctions_
  std::timed_mutex taking_over_;  // held while games are taken over
  cluster::membership members_;
};

}  // namespace gamehub::server
