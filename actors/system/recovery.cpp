#include "actors/system/recovery.hpp"

#include "actors/table/engine_opponent.hpp"
#include "actors/table/replay.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

namespace gamehub::actors::system {

using journal::record;

namespace {

std::optional<std::uint16_t> wire_of(const table::engine_directory& directory,
                                     const record& joined) {
  if (joined.secret.empty()) return std::nullopt;
  for (std::size_t w = 0; w < directory.wires.size(); ++w)
    if (directory.wires[w].name == joined.wire) return static_cast<std::uint16_t>(w);
  return std::nullopt;
}

std::vector<table::table_seat> seats_of(const table::engine_directory& directory,
                                        std::span<const record> log) {
  std::vector<table::table_seat> seats;
  for (const auto& r : log) {
    if (r.what != record::kind::joined) continue;
    const auto skill = table::engine_opponent::level_of_wire(r.wire);
    seats.push_back({player_id{static_cast<std::uint64_t>(r.action)}, r.text, view_form::cells,
                     skill || wire_of(directory, r), skill});
  }
  return seats;
}

}  // namespace

recovery_report recovery::run(recovery_listener& listener) {
  listener_ = &listener;
  const auto open = log_.open_games();
  headers suspects, others;
  for (const auto& h : open) {
    const auto times = log_.suspicions(h.id);
    if (times >= limits::replay_suspicions_max)
      report_quarantined(h.id, "the hub went down twice while this game was replayed");
    else
      (times == 0 ? others : suspects).push_back(h);
  }
  probe_isolated_games(suspects);
  probe_isolated_games(others);
  std::size_t done = open.size() - suspects.size() - others.size();
  const auto restore_batches = [&](const headers& all, std::size_t at_once) {
    for (std::size_t i = 0; i < all.size(); i += at_once) {
      const auto batch = std::span{all}.subspan(i, std::min(at_once, all.size() - i));
      restore(batch);
      listener.on_progress(done += batch.size(), open.size());
    }
  };
  // One by one, so that a crash identifies the game.
  restore_batches(suspects, 1);
  restore_batches(others, limits::replays_at_once);
  return report_;
}

void recovery::restore(std::span<const journal::game_header> batch) {
  std::vector<game_id> ids;
  for (const auto& h : batch) ids.push_back(h.id);
  log_.announce_replay(ids);
  for (const auto& h : batch) restore(h);
  log_.replayed(ids);
}

void recovery::restore(const journal::game_header& h) {
  const auto engine = directory_.find_engine(h.engine, h.engine_version);
  if (!engine) return quarantine(h, "there is no engine");
  auto records = log_.read(h.id, 0);
  auto replayed = table::replay(directory_.engines[*engine].rules, h, records);
  if (const auto* fault = std::get_if<table::replay_fault>(&replayed))
    return report_quarantined(h, *fault);
  game::restored_game_state was{
      std::move(std::get<engines::host::match>(replayed)), seats_of(directory_, records), {}, {}};
  was.turn_lasted = std::max(down_since_ - records.back().at, std::chrono::milliseconds{0});
  was.records = records;
  auto& at = loop_of(h.id, directory_.engines[*engine].rules);
  actors::runtime::game_actor table;
  try {
    table = actors::runtime::spawn_on<game::game>(at, games_[static_cast<std::size_t>(at.index())],
                                                  h.id, *engine, std::move(was));
  } catch (const engines::host::engine_failure& failure) {
    return report_quarantined(h, {records.back().number, "the engine failed", failure});
  }
  caf::anon_send(table, actors::runtime::begin_game{});
  // Sessions run on client loops.
  restore_seats(h.id, table, *engine, h.id.value % loops_.size(), records);
  const bool closed = records.front().action != 0;
  caf::anon_send(lobby_, actors::runtime::restored_game{std::move(table), h.id, *engine, closed});
  ++report_.restored;
}

void recovery::restore_seats(game_id id, const actors::runtime::game_actor& table,
                             std::uint16_t engine, std::size_t where, std::span<const record> log) {
  for (const auto& r : log) {
    if (r.what != record::kind::joined) continue;
    const auto wire = wire_of(directory_, r);
    if (!wire) continue;
    const player_id who{static_cast<std::uint64_t>(r.action)};
    auto& known = sessions_[who];
    if (!known) {
      known = make_restored_session(*wire, where, who, r.text);
      caf::anon_send(lobby_, actors::runtime::restored_player{known, who, r.text, r.secret});
    }
    caf::anon_send(known, actors::runtime::seated{table, id, engine, r.seat});
    caf::anon_send(table, actors::runtime::reserve_seat{r.seat, known});
  }
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
    report_quarantined(h, *fault);
    return true;
  });
  // The probe may have ended a process; start it for the restore.
  for (const auto& h : all)
    if (const auto engine = directory_.find_engine(h.engine, h.engine_version))
      if (auto* host = directory_.engines[*engine].rules.host()) host->bring_up();
}

actors::runtime::loop& recovery::loop_of(game_id id, const engines::host::engine& rules) const {
  if (rules.host() != nullptr) return *engine_loops_[rules.host()->number()];
  return *loops_[id.value % loops_.size()];
}

void recovery::quarantine(const journal::game_header& h, const std::string& why) {
  ++report_.engine_missing;
  listener_->on_quarantined(h.id,
                            why + " " + h.engine + " " + h.engine_version + "; its log is kept");
}

void recovery::report_quarantined(const journal::game_header& h, const table::replay_fault& fault) {
  const auto engine = directory_.find_engine(h.engine, h.engine_version);
  if (fault.failure && engine)
    loops_.front()->report(directory_.engines[*engine].rules, h.id, *fault.failure);
  ++report_.mismatches;
  report_quarantined(h.id, "record " + std::to_string(fault.at) + " " + fault.what);
}

void recovery::report_quarantined(game_id id, const std::string& why) {
  log_.quarantine(id, why);
  ++report_.quarantined;
  listener_->on_quarantined(id, why);
}

}  // namespace gamehub::actors::system
