#include "hub/app/arena/kept_arena.hpp"

#include <chrono>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "hub/app/arena/logged_bots.hpp"
#include "hub/app/log.hpp"
#include "hub/arena/file.hpp"
#include "hub/arena/file_store.hpp"
#include "hub/core/entropy.hpp"
#include "hub/journal/sqlite_journal.hpp"

namespace gamehub::app {
namespace {

// Ended games in the journal that may have been the arena's without its having written that: more
// than can end in the moment that a transaction takes.
constexpr std::size_t ended_looked_at = 2'000;

// On the store's thread.
void log_trouble(std::string_view why) {
  if (why.empty())
    log::warning("the arena's file is written again");
  else
    log::warning("the arena's file can't be written: bots can't register until it can",
                 {{"why", why}});
}

std::unique_ptr<arena::store> open_store(const settings& s) {
  if (s.arena_file.empty()) return arena::make_memory_store();
  try {
    return arena::open_file_store(
        {s.arena_file, s.durability == journal::durability::power, wall_now(), log_trouble});
  } catch (const journal::unusable_file& unusable) {
    throw usage_error{unusable.what()};
  }
}

arena::arena_settings arena_settings_of(const settings& s) {
  return {{s.arena_repeat, s.arena_games_per_bot}, s.open_registration};
}

}  // namespace

wall_time wall_now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

league_service::league_service(const settings& s)
    : store_(open_store(s)),
      arena_(*store_, std::make_unique<system_entropy>(), arena_settings_of(s), wall_now()) {}

void league_service::settle(const journal::journal& log) {
  std::vector<arena::journal_game> lately;
  const auto add = [&](game_id id) {
    const auto found = log.find(id);
    if (!found) return;
    if (auto game = game_of_bots(*found)) lately.push_back(std::move(*game));
  };
  if (!arena_.bots().empty()) {
    for (const auto& each : log.open_games()) add(each.id);
    constexpr game_id past_all{~std::uint64_t{0} >> 1};
    for (const auto id : log.ended_before(past_all, ended_looked_at)) add(id);
  }
  arena_.settle(
      [&](game_id id) {
        const auto found = log.find(id);
        return found ? outcome_of(*found) : arena::match_outcome{};
      },
      std::move(lately), wall_now());
}

metrics::arena_numbers league_service::numbers() const {
  const auto now = arena_.count();
  metrics::arena_numbers out;
  out.ok = !trouble();
  for (int i = 0; i < arena::bot_state_count; ++i)
    out.bots.emplace_back(to_string(static_cast<arena::bot_state>(i)),
                          now.bots.at(static_cast<std::size_t>(i)));
  out.waiting = now.waiting;
  out.running = now.running;
  out.runs_active = now.runs_active;
  for (int i = 0; i < arena::loss_reason_count; ++i)
    out.ended.emplace_back(to_string(static_cast<arena::loss_reason>(i)),
                           now.ended.at(static_cast<std::size_t>(i)));
  out.ended.emplace_back("draw", now.ended.at(arena::loss_reason_count));
  out.ended.emplace_back("none", now.ended.at(arena::loss_reason_count + 1));
  return out;
}

void check_arena(const settings& s) {
  std::error_code ignored;
  if (s.arena_file.empty() || !std::filesystem::exists(s.arena_file, ignored)) return;
  try {
    static_cast<void>(arena::file{s.arena_file, arena::file::access::read});
  } catch (const journal::unusable_file& unusable) {
    throw usage_error{unusable.what()};
  } catch (const journal::sqlite::error& e) {
    throw usage_error{arena::why_unusable(s.arena_file, e)};
  }
}

}  // namespace gamehub::app
