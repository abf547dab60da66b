#include "actors/system/recovery.hpp"

#include "actors/table/replay.hpp"
#include "hub/base/waiting.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

namespace gamehub::actors::system {

using journal::record;

namespace {

// The pause between two questions whether the journal can write again.
constexpr std::chrono::milliseconds journal_poll{50};

// A takeover can end after this many trials.
constexpr std::size_t trials_at_once = 64;

// Games that a loop restores before it serves its clients again: less than a millisecond, if they
// are short.
constexpr std::size_t replays_an_iteration = 64;

}  // namespace

recovery_report recovery::run(recovery_listener& listener) {
  listener_ = &listener;
  down_since_ = log_.last_written();
  auto others = log_.open_games();
  of_ = others.size();
  auto suspects = take_suspects(others);
  probe_isolated_games(suspects);
  probe_isolated_games(others);
  restore_all(std::move(suspects), others);
  report_.asleep = log_.asleep();
  return report_;
}

recovery_report recovery::take_over(const headers& games, base::wall_time down_since,
                                    recovery_listener& listener,
                                    const std::function<bool()>& goes_on) {
  listener_ = &listener;
  down_since_ = down_since;
  goes_on_ = &goes_on;
  report_ = {};
  done_ = 0;
  of_ = games.size();
  auto others = games;
  std::erase_if(others, [this](const journal::game_header& h) {
    const auto has = directory_.find_engine(h.engine, h.engine_version).has_value();
    if (!has) report_.without_engine.push_back(h.id);
    return !has;
  });
  auto suspects = take_suspects(others);
  restore_all(std::move(suspects), others);
  return report_;
}

recovery::headers recovery::take_suspects(headers& all) const {
  headers suspects, others;
  for (auto& h : all) (log_.suspicions(h.id) == 0 ? others : suspects).push_back(std::move(h));
  all = std::move(others);
  return suspects;
}

recovery::headers recovery::try_suspects(headers& suspects) {
  headers survived, untried;
  for (std::size_t i = 0; i < suspects.size(); i += trials_at_once) {
    const auto lot = std::span{suspects}.subspan(i, std::min(trials_at_once, suspects.size() - i));
    if (goes_on_ != nullptr && !(*goes_on_)()) break;
    const auto outcomes = try_lot(lot);
    for (std::size_t k = 0; k < lot.size(); ++k) {
      const auto& h = lot[k];
      if (outcomes[k].how == trial_outcome::way::survived)
        survived.push_back(h);
      else if (outcomes[k].how == trial_outcome::way::died)
        report_suspect(h.id,
                       "the hub went down while this game was replayed, and so did another "
                       "process, which " +
                           outcomes[k].why);
      else if (log_.suspicions(h.id) >= limits::replay_suspicions_max)
        report_suspect(h.id, "the hub went down twice while this game was replayed");
      else
        untried.push_back(h);
    }
  }
  suspects = std::move(untried);
  return survived;
}

std::vector<trial_outcome> recovery::try_lot(std::span<const journal::game_header> lot) const {
  std::vector<suspect> games;
  // A game without its engine is not replayed.
  const auto can_try = [&](const journal::game_header& h) {
    return trials_ && directory_.find_engine(h.engine, h.engine_version);
  };
  for (const auto& h : lot)
    if (can_try(h)) games.push_back({h, log_.read(h.id, 0)});
  const auto tried = games.empty() ? std::vector<trial_outcome>{} : trials_(games);
  std::vector<trial_outcome> all(lot.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < lot.size(); ++i)
    if (can_try(lot[i])) all[i] = tried.at(next++);
  return all;
}

void recovery::report_suspect(game_id id, const std::string& why) {
  report_quarantined(id, why);
  listener_->on_progress(++done_, of_);
}

void recovery::restore_all(headers suspects, const headers& others) {
  done_ = of_ - suspects.size() - others.size();
  // Others do not wait for a trial that takes long.
  if (trials_) restore_lots(others, limits::replays_at_once);
  if (goes_on_ != nullptr && !(*goes_on_)()) return;
  const auto survived = try_suspects(suspects);
  restore_lots(survived, limits::replays_at_once);
  restore_lots(suspects, 1);
  if (!trials_) restore_lots(others, limits::replays_at_once);
}

void recovery::restore_lots(const headers& all, std::size_t at_once) {
  for (std::size_t i = 0; i < all.size(); i += at_once) {
    const auto lot = std::span{all}.subspan(i, std::min(at_once, all.size() - i));
    if (goes_on_ != nullptr && !(*goes_on_)()) return;
    restore(lot);
    listener_->on_progress(done_ += lot.size(), of_);
  }
}

void recovery::restore(std::span<const journal::game_header> lot) {
  std::vector<game_id> ids;
  for (const auto& h : lot) ids.push_back(h.id);
  log_.announce_replay(ids);
  if (goes_on_ == nullptr) {
    restore_here(lot);
  } else {
    // What is not announced is not replayed.
    while (log_.trouble()) {
      if (!wait_for_journal()) return;
      log_.announce_replay(ids);
    }
    restore_on_loops(lot);
  }
  log_.replayed(ids);
}

// While the database is away, the announcement is not in the log.
bool recovery::wait_for_journal() const {
  while (log_.trouble()) {
    if (!(*goes_on_)()) return false;
    base::sleep_for(journal_poll);
  }
  return true;
}

void recovery::restore_here(std::span<const journal::game_header> lot) {
  for (const auto& h : lot) {
    const auto f = restore(h);
    f ? report(h, *f) : void(++report_.restored);
  }
}

// The games of a lot by loop, and what became of them.
struct recovery::running_lot {
  struct part {
    actors::runtime::loop* where = nullptr;
    headers games;
  };
  recovery* of = nullptr;
  std::vector<part> parts;

  std::mutex mutex;
  std::condition_variable finished;
  // Guarded by the mutex:
  std::size_t parts_left = 0;
  std::vector<std::pair<journal::game_header, restore_fault>> faults;
};

void recovery::restore_on_loops(std::span<const journal::game_header> games) {
  const auto all = std::make_shared<running_lot>();
  all->of = this;
  for (const auto& h : games) {
    auto& where = loop_of(h);
    auto at = std::find_if(all->parts.begin(), all->parts.end(),
                           [&](const auto& p) { return p.where == &where; });
    if (at == all->parts.end()) at = all->parts.insert(at, {&where, {}});
    at->games.push_back(h);
  }
  all->parts_left = all->parts.size();
  for (std::size_t i = 0; i < all->parts.size(); ++i)
    all->parts[i].where->post([all, i] { restore_next(all, i, 0); });
  std::unique_lock lock{all->mutex};
  base::wait(all->finished, lock, [&] { return all->parts_left == 0; });
  lock.unlock();
  for (const auto& [header, f] : all->faults) report(header, f);
  report_.restored += games.size() - all->faults.size();
}

// On the loop: some games, then a pause for the clients.
void recovery::restore_next(const std::shared_ptr<running_lot>& all, std::size_t of_loop,
                            std::size_t from) {
  auto& part = all->parts[of_loop];
  const auto until = std::min(part.games.size(), from + replays_an_iteration);
  for (auto i = from; i < until; ++i) {
    std::optional<restore_fault> f;
    try {
      f = all->of->restore(part.games[i]);
    } catch (...) {
      part.where->report_fault("the replay of a game");
      f = restore_fault{false, {0, "the replay failed", {}}};
    }
    if (!f) continue;
    if (const auto e =
            all->of->directory_.find_engine(part.games[i].engine, part.games[i].engine_version);
        f->what.failure && e)
      part.where->report(all->of->directory_.engines[*e].rules, part.games[i].id, *f->what.failure);
    const std::lock_guard lock{all->mutex};
    all->faults.emplace_back(part.games[i], *std::move(f));
  }
  if (until < part.games.size())
    return part.where->post([all, of_loop, until] { restore_next(all, of_loop, until); });
  const std::lock_guard lock{all->mutex};
  if (--all->parts_left == 0) all->finished.notify_all();
}

std::optional<recovery::restore_fault> recovery::restore(const journal::game_header& h) {
  const auto engine = directory_.find_engine(h.engine, h.engine_version);
  if (!engine) return restore_fault{true, {}};
  const auto records = log_.read(h.id, 0);
  auto restored = restore_game(places_, *engine, h, records, {down_since_});
  if (auto* fault = std::get_if<table::replay_fault>(&restored))
    return restore_fault{false, std::move(*fault)};
  auto& table = std::get<actors::runtime::game_actor>(restored);
  const auto rules = directory_.engines[*engine].rules.in_process(h.id.value);
  const auto& setup = games_.front();
  // Sessions run on client loops.
  caf::anon_send(lobby_,
                 actors::runtime::restored_game{
                     std::move(table), h.id, *engine, rules.host(), journal::is_closed(records),
                     returning_seats(directory_, records, h.id.value % loops_.size()),
                     setup.clocks->away_time(game::clock_of(records, setup.clock))});
  return std::nullopt;
}

void recovery::probe_isolated_games(headers& all) {
  std::erase_if(all, [this](const journal::game_header& h) {
    const auto engine = directory_.find_engine(h.engine, h.engine_version);
    if (!engine) return false;
    const auto& rules = directory_.engines[*engine].rules;
    if (rules.host() == nullptr) return false;
    if (!rules.host()->bring_up()) {
      quarantine(h, "there is no process of engine");
      return true;
    }
    const auto tried = table::replay(rules, h, log_.read(h.id, 0));
    const auto* fault = std::get_if<table::replay_fault>(&tried);
    if (fault == nullptr) return false;
    report_mismatch(h, *fault);
    return true;
  });
  // The probe may have ended a process; start it for the restore.
  for (const auto& h : all)
    if (const auto engine = directory_.find_engine(h.engine, h.engine_version))
      if (auto* host = directory_.engines[*engine].rules.in_process(h.id.value).host())
        host->bring_up();
}

actors::runtime::loop& recovery::loop_of(const journal::game_header& h) const {
  const auto engine = directory_.find_engine(h.engine, h.engine_version);
  if (!engine) return *loops_.front();
  return places_.loop_of(h.id, directory_.engines[*engine].rules.in_process(h.id.value));
}

void recovery::quarantine(const journal::game_header& h, const std::string& why) {
  report_.without_engine.push_back(h.id);
  listener_->on_quarantined(h.id,
                            why + " " + h.engine + " " + h.engine_version + "; its log is kept");
}

void recovery::report(const journal::game_header& h, const restore_fault& f) {
  f.engine_missing ? quarantine(h, "there is no engine") : report_mismatch(h, f.what);
}

void recovery::report_mismatch(const journal::game_header& h, const table::replay_fault& fault) {
  const auto engine = directory_.find_engine(h.engine, h.engine_version);
  // While loops run, the game's loop has reported it.
  if (fault.failure && engine && goes_on_ == nullptr)
    loops_.front()->report(directory_.engines[*engine].rules, h.id, *fault.failure);
  ++report_.mismatches;
  report_quarantined(h.id, sentence_of(fault));
}

void recovery::report_quarantined(game_id id, const std::string& why) {
  log_.quarantine(id, why);
  ++report_.quarantined;
  listener_->on_quarantined(id, why);
}

}  // namespace gamehub::actors::system
