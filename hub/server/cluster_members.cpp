#include "hub/server/cluster_members.hpp"

#include "actors/session/player_registry.hpp"
#include "hub/base/log.hpp"
#include "hub/cluster/postgres/postgres_members.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace gamehub::server {

namespace {

using actors::session::player_registry;
using cluster::member_id;
using clock = std::chrono::steady_clock;

// A hub that drains takes over for so long what it has begun to: its games can be handed over
// afterwards. 100,000 games take a second.
constexpr std::chrono::seconds takeover_ends_within{3};

}  // namespace

cluster_members::cluster_members(cluster_journal& journal,
                                 const actors::table::engine_directory& engines)
    : cluster_members(
          journal,
          cluster::postgres::make_postgres_members(journal.settings().target, journal.self()),
          engines) {}

cluster_members::cluster_members(cluster_journal& journal,
                                 std::unique_ptr<cluster::member_table> heartbeats,
                                 const actors::table::engine_directory& engines)
    : journal_(journal),
      engines_(engines),
      members_(std::move(heartbeats), journal.self(),
               {.games =
                    [this] {
                      look_for_released();
                      return journal_.log().report().games_open;
                    },
                .engines = [this] { return engine_names(); },
                .adopt = [this](member_id other) { adopt(other); },
                .on_fenced =
                    [this] {
                      journal_.log().fence(
                          "Another member has adopted the games of this hub, which was away for "
                          "too long: it must start again.");
                    },
                .on_trouble = [this](const std::string& why) { on_heartbeats(why); },
                .on_rows = [this](const auto& rows) { on_rows(rows); }}) {}

void cluster_members::start_adopting(actors::system::runtime& runtime,
                                     actors::system::recovery_listener& listener) {
  runtime_ = &runtime;
  listener_ = &listener;
  has_begun_ = true;
  members_.start_adopting();
}

std::set<std::string> cluster_members::engine_names() const {
  std::set<std::string> all;
  for (const auto& e : engines_.engines)
    all.insert(journal::engine_name(e.rules.id(), e.rules.version_text()));
  return all;
}

void cluster_members::if_idle(const std::function<void()>& call) {
  const std::unique_lock idle{taking_over_, std::try_to_lock};
  if (idle) call();
}

// Called on both threads of the membership; that heartbeats work again, on the beating one.
void cluster_members::on_heartbeats(const std::string& why) {
  if (!why.empty()) {
    base::log::warning("the heartbeats of the cluster fail", {{"why", why}});
    return;
  }
  base::log::info("the heartbeats of the cluster work again");
  recovered_ = true;
}

void cluster_members::on_rows(const std::vector<cluster::member_row>& rows) {
  if (!rows.empty()) record_format_ = rows.front().record_format;
  journal_.log().allow_sleep(record_format_ >= journal::record_format_with_sleepers);
  if (!has_begun_) return;
  // A standby may have been promoted, which lacks a change that was seen.
  if (on_sanctions_ && !rows.empty()) {
    if (std::exchange(recovered_, false)) on_sanctions_(std::nullopt);
    on_sanctions_(rows.front().sanctions);
  }
  if (on_members_) on_members_(rows);
}

void cluster_members::stop_adopting() {
  members_.stop_adopting();
  std::unique_lock wait{taking_over_, takeover_ends_within};
  takes_over_ = false;
  if (!wait) wait.lock();
}

void cluster_members::leave() {
  members_.stop();
  if (!members_.leave())
    base::log::warning("the other hubs were not told that this one leaves: they will notice");
}

void cluster_members::adopt(member_id other) {
  const std::lock_guard taking{taking_over_};
  if (!takes_over_) return;
  const auto begun = clock::now();
  const auto logs = journal_.log().adopt(other);
  if (!logs) return;
  std::vector<actors::system::adopted_games> all;
  std::size_t games = 0;
  for (const auto& each : *logs) {
    if (each.damage)
      base::log::error("the log of a hub is damaged; its other games are taken over",
                       {{"member", each.member.value}, {"damage", *each.damage}});
    games += each.games.size();
    all.push_back({each.games, each.last_written});
  }
  if (!logs->empty())
    base::log::info("taking over the games of another hub",
                    {{"member", other.value}, {"games", games}});
  const auto found = runtime_->take_over(all, *listener_, [this] { return takes_over_.load(); });
  games_ += found.restored;
  // A part is left: this hub drains, or the database is away.
  if (!takes_over_) return;
  journal_.log().keep_adopted(found.without_engine);
  for (const auto id : found.without_engine)
    without_engine_.push_back({id, player_registry::keys_of(journal_.log().read(id, 0))});
  const auto released = journal_.log().release_adopted();
  if (!released) {
    maybe_released_.insert(other);
    has_ends_ = true;
    return;
  }
  maybe_released_.erase(other);
  begin_hand_over();
  ++adoptions_;
  const auto took = clock::now() - begun;
  adopting_ = adopting_.load() + took;
  base::log::info("took over the games of another hub",
                  {{"member", other.value},
                   {"games", found.restored},
                   {"quarantined", found.quarantined},
                   {"engine_missing", found.without_engine.size()},
                   {"seconds", std::chrono::duration<double>{took}.count()}});
}

// No heartbeat waits for a takeover.
void cluster_members::look_for_released() {
  if (!has_ends_) return;
  const std::unique_lock idle{taking_over_, std::try_to_lock};
  if (!idle) return;
  end_takeover();
  // Old members without heartbeats are not in the list.
  const auto all = members();
  const auto is_gone = [&](member_id id) {
    return std::none_of(all.begin(), all.end(),
                        [id](const auto& m) { return m.row.id == id && !m.row.taken; });
  };
  if (std::erase_if(maybe_released_, is_gone) == 0) return;
  begin_hand_over();
}

void cluster_members::begin_hand_over() {
  ends_takeover_ = true;
  journal_.log().note_other_logs(!maybe_released_.empty());
  journal_.log().hand_over_unplayed(without_engine_);
  end_takeover();
}

// The names of players are freed when the games are in the other log: until then they are theirs.
void cluster_members::end_takeover() {
  const auto is_here = [this](const auto& g) { return journal_.log().is_open(g.id); };
  if (ends_takeover_ && std::none_of(without_engine_.begin(), without_engine_.end(), is_here)) {
    ends_takeover_ = false;
    without_engine_.clear();
    runtime_->takeover_ended();
  }
  has_ends_ = ends_takeover_ || !maybe_released_.empty();
}

std::vector<cluster::member_state> cluster_members::members() const {
  return members_.members(clock::now());
}

metrics::cluster_numbers cluster_members::numbers() const {
  const auto keys = journal_.count_key_changes();
  return {members_.others() + 1,
          adoptions_,
          games_,
          journal_.log().report().games_released,
          adopting_,
          keys.changes,
          keys.failed,
          keys.changing};
}

}  // namespace gamehub::server
