#include "hub/server/league_service.hpp"

#include "hub/base/log.hpp"
#include "hub/base/random.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/journal/sqlite_journal.hpp"
#include "hub/league/file.hpp"
#include "hub/league/file_store.hpp"
#include "hub/league/logged_bots.hpp"

#include <chrono>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace gamehub::server {
namespace {

// Ended games of the journal that are checked for results that the league did not write before a
// crash. More games than can end during one transaction.
constexpr std::size_t ended_checked_max = 2'000;

// Called on the store's thread.
void log_league_trouble(std::string_view why) {
  if (why.empty())
    base::log::warning("the arena's file can be written again");
  else
    base::log::warning(
        "the arena's file can't be written; bots can't register until a write succeeds",
        {{"why", why}});
}

void log_cluster_trouble(std::string_view why) {
  if (why.empty())
    base::log::warning("the arena in the cluster's database can be used again");
  else
    base::log::warning(
        "the arena in the cluster's database can't be used; bots can't register until it can",
        {{"why", why}});
}

std::unique_ptr<league::store> shared_store(const config::settings& s,
                                            const cluster_journal& cluster) {
  if (!s.arena_file.empty())
    base::log::warning("the bots of a file are not used: those of a cluster are in its database",
                       {{"file", s.arena_file.string()}});
  return league::postgres::make_cluster_store(
      {cluster.settings().target, cluster.self(), base::wall_now(), log_cluster_trouble});
}

std::unique_ptr<league::store> open_store(const config::settings& s, cluster_journal* cluster) {
  if (cluster != nullptr) return shared_store(s, *cluster);
  if (s.arena_file.empty()) return league::make_memory_store();
  try {
    return league::open_file_store({s.arena_file, s.durability != gamehub::durability::process,
                                    base::wall_now(), log_league_trouble});
  } catch (const journal::unusable_file& unusable) {
    throw base::usage_error{unusable.what()};
  }
}

league::arena_settings arena_settings_of(const config::settings& s) {
  return {{s.arena_repeat, s.arena_games_per_bot}, s.open_registration, s.bot_names_per_owner_max};
}

}  // namespace

league_service::league_service(const config::settings& s, cluster_journal* cluster)
    : store_(open_store(s, cluster)),
      shared_(dynamic_cast<league::postgres::cluster_store*>(store_.get())),
      here_(cluster == nullptr),
      arena_(*store_, std::make_unique<base::system_entropy>(), arena_settings_of(s),
             base::wall_now()) {}

void league_service::join(cluster_members& members, const journal::journal& log,
                          league::league_registry& registry, actors::relay::exchange* hubs) {
  const auto on_owner = [this, &log, &registry, hubs](std::optional<journal::member_id> owner,
                                                      bool is_here) {
    if (is_here) {
      arena_.begin(base::wall_now());
      record_results(log);
      here_ = true;
      registry.arrive();
      base::log::info("this hub has the arena of the cluster", {{"bots", arena_.bots().size()}});
    }
    if (hubs != nullptr) hubs->set_league(owner);
  };
  shared_->start({[&members](const auto& call) { members.if_idle(call); }, on_owner});
}

void league_service::record_results(const journal::journal& log) {
  std::vector<league::journal_game> lately;
  const auto add = [&](game_id id) {
    const auto found = log.find(id);
    if (!found) return;
    if (auto game = league::game_of_bots(*found)) lately.push_back(std::move(*game));
  };
  if (!arena_.bots().empty()) {
    for (const auto& each : log.open_games()) add(each.id);
    constexpr game_id greatest{~std::uint64_t{0} >> 1};
    for (const auto id : log.ended_before(greatest, ended_checked_max)) add(id);
  }
  arena_.record_result(
      [&](game_id id) {
        const auto found = log.find(id);
        return found ? league::outcome_of(*found) : league::match_outcome{};
      },
      std::move(lately), base::wall_now());
}

metrics::arena_numbers league_service::numbers() const {
  const auto now = arena_.count();
  metrics::arena_numbers out;
  out.ok = !trouble();
  out.here = here_;
  for (int i = 0; i < bot_state_count; ++i)
    out.bots.emplace_back(to_string(static_cast<bot_state>(i)),
                          now.bots.at(static_cast<std::size_t>(i)));
  out.waiting = now.waiting;
  out.running = now.running;
  out.runs_active = now.runs_active;
  for (int i = 0; i < loss_reason_count; ++i)
    out.ended.emplace_back(to_string(static_cast<loss_reason>(i)),
                           now.ended.at(static_cast<std::size_t>(i)));
  out.ended.emplace_back("draw", now.ended.at(loss_reason_count));
  out.ended.emplace_back("none", now.ended.at(loss_reason_count + 1));
  return out;
}

void check_arena(const config::settings& s) {
  std::error_code ignored;
  if (s.arena_file.empty() || !std::filesystem::exists(s.arena_file, ignored)) return;
  try {
    static_cast<void>(league::file{s.arena_file, league::file::access::read});
  } catch (const journal::unusable_file& unusable) {
    throw base::usage_error{unusable.what()};
  } catch (const journal::sqlite::error& e) {
    throw base::usage_error{league::why_unusable(s.arena_file, e)};
  }
}

}  // namespace gamehub::server
