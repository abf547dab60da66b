#include "actors/system/restore.hpp"

#include "actors/table/engine_opponent.hpp"
#include "actors/table/substitutes.hpp"
#include "hub/base/crash_log.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gamehub::actors::system {

using journal::record;

namespace {

// Returns null if this hub lacks the protocol.
const table::wire_entry* wire_of(const table::engine_directory& directory, const record& joined) {
  const auto& all = directory.wires;
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const auto& w) { return w.name == joined.wire; });
  return at == all.end() ? nullptr : &*at;
}

std::vector<table::table_seat> seats_of(const table::engine_directory& directory,
                                        const engines::host::engine& rules,
                                        std::span<const record> log) {
  std::vector<table::table_seat> seats;
  for (const auto& r : journal::seats_of(log)) {
    const auto skill = table::engine_opponent::level_of_wire(r.wire);
    const auto* const wire = wire_of(directory, r);
    // The end of the game may be kept for a client that has not come back.
    const auto form = wire != nullptr ? wire->form_of(rules) : view_form::cells;
    const bool can_return = wire != nullptr && !r.secret.empty();
    seats.push_back({.player = player_id{static_cast<std::uint64_t>(r.action)},
                     .name = r.text,
                     .form = form,
                     .can_return = skill || can_return,
                     .can_follow = wire != nullptr && wire->crossing != hub_crossing::none,
                     .engine_level = skill});
  }
  return seats;
}

}  // namespace

actors::runtime::loop& game_places::loop_of(game_id id, const engines::host::engine& rules) const {
  if (rules.host() != nullptr) return *engine_loops[rules.host()->number()];
  return *loops[id.value % loops.size()];
}

base::wall_time began_turn(std::span<const record> log) {
  return std::find_if(log.rbegin(), log.rend(),
                      [](const record& r) { return journal::begins_turn(r.what); })
      ->at;
}

std::vector<actors::runtime::restored_game::seat> returning_seats(
    const table::engine_directory& directory, std::span<const record> log, std::size_t home) {
  std::vector<actors::runtime::restored_game::seat> found;
  std::vector<std::vector<std::string>> former;
  auto left = table::substitutes::at_start(log);
  for (const auto& r : log) left.follow(r);
  for (const auto& r : journal::seats_of(log, &former)) {
    const auto* const wire = wire_of(directory, r);
    if (wire == nullptr || r.secret.empty() || holds(left.gone(), r.seat)) continue;
    const auto number = static_cast<std::uint16_t>(wire - directory.wires.data());
    found.push_back({r.seat, player_id{static_cast<std::uint64_t>(r.action)}, r.text, r.secret,
                     std::move(former[static_cast<std::size_t>(r.seat)]), number, home});
  }
  return found;
}

std::variant<actors::runtime::game_actor, table::replay_fault> restore_game(
    const game_places& places, std::uint16_t engine, const journal::game_header& h,
    std::span<const record> records, const restored_from& from) {
  const base::crash_log::scope activity{{engine + 1u, h.id.value}};
  const auto rules = places.directory.engines[engine].rules.in_process(h.id.value);
  auto replayed = table::replay(rules, h, records);
  if (auto* wrong = std::get_if<table::replay_fault>(&replayed)) return std::move(*wrong);
  game::restored_game_state was{std::move(std::get<engines::host::match>(replayed)),
                                seats_of(places.directory, rules, records),
                                {records.begin(), records.end()},
                                {},
                                from.down_since,
                                began_turn(records),
                                from.proven,
                                from.slept_until,
                                h.options};
  was.turn_lasted = std::max(from.down_since - was.turn_began, std::chrono::milliseconds{0});
  auto& at = places.loop_of(h.id, rules);
  try {
    return actors::runtime::spawn_on<game::game>(
        at, places.games[static_cast<std::size_t>(at.index())], h.id, engine, std::move(was));
  } catch (const engines::host::engine_failure& failure) {
    return table::replay_fault{records.back().number, "the engine failed", failure};
  }
}

std::optional<actors::runtime::restored_game> sleeping_game(
    const table::engine_directory& directory, const journal::journal& log, game_id id,
    std::size_t homes) {
  const auto found = log.find_asleep(id);
  return found ? sleeping_game(directory, *found, homes) : std::nullopt;
}

std::optional<actors::runtime::restored_game> sleeping_game(
    const table::engine_directory& directory, const journal::sleeping_game& found,
    std::size_t homes) {
  const auto& [header, records] = found.log;
  if (records.empty()) return std::nullopt;
  const auto engine = directory.find_engine(header.engine, header.engine_version);
  if (!engine) return std::nullopt;
  actors::runtime::restored_game out{{}, header.id, *engine};
  out.closed = journal::is_closed(records);
  out.seats = returning_seats(directory, records, header.id.value % homes);
  out.due_at = game::due_after(found.pauses, found.due);
  return out;
}

std::string sentence_of(const table::replay_fault& fault) {
  return "record " + std::to_string(fault.at) + " " + fault.what;
}

}  // namespace gamehub::actors::system
