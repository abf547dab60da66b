#include "actors/table/public_projection.hpp"

#include "actors/table/engine_opponent.hpp"

#include <utility>

namespace gamehub::actors::table {

using journal::record;

namespace {

using kind = game_update::kind;

kind kind_of(record::kind what) {
  switch (what) {
    case record::kind::opened: return kind::opened;
    case record::kind::joined: return kind::joined;
    case record::kind::moved: return kind::moved;
    case record::kind::drawn: return kind::drawn;
    case record::kind::ended: return kind::ended;
    case record::kind::said: return kind::said;
    case record::kind::left: return kind::left;
    case record::kind::offered:
    case record::kind::accepted:
    case record::kind::declined:
    case record::kind::withdrawn: return kind::offer_changed;
    case record::kind::taken_back: return kind::taken_back;
    case record::kind::substituted: return kind::substituted;
    case record::kind::returned: return kind::returned;
  }
  return kind::opened;
}

offer_step step_of(record::kind what) {
  switch (what) {
    case record::kind::accepted: return offer_step::accepted;
    case record::kind::declined: return offer_step::declined;
    case record::kind::withdrawn: return offer_step::withdrawn;
    default: return offer_step::offered;
  }
}

// Follows a record that changes who plays a seat.
void set_kind(const record& r, game_metadata& in) {
  const auto seat = static_cast<std::size_t>(r.seat);
  if (seat >= in.kinds.size()) return;
  if (r.what == record::kind::substituted) in.kinds[seat] = seat_kind::substitute;
  if (r.what == record::kind::returned) in.kinds[seat] = seat_kind::player;
}

}  // namespace

std::optional<offer_update> offer_of(const record& r) {
  if (kind_of(r.what) != kind::offer_changed) return std::nullopt;
  offer_update out;
  out.step = step_of(r.what);
  out.seat = r.seat;
  out.what = static_cast<offer_kind>(r.action);
  for (int i = 0; i < offer_cause_count; ++i)
    if (const auto cause = static_cast<offer_cause>(i); r.text == to_string(cause))
      out.cause = cause;
  return out;
}

record::kind kind_of(offer_step step) {
  switch (step) {
    case offer_step::offered: return record::kind::offered;
    case offer_step::accepted: return record::kind::accepted;
    case offer_step::declined: return record::kind::declined;
    case offer_step::withdrawn: return record::kind::withdrawn;
  }
  return record::kind::offered;
}

seat_kind seat_kind_of(std::string_view wire) {
  if (engine_opponent::level_of_wire(wire)) return seat_kind::engine;
  return wire == bot_wire ? seat_kind::bot : seat_kind::player;
}

std::shared_ptr<const game_metadata> metadata_of(const journal::game_log& log,
                                                 const engines::host::engine* rules, names_as as) {
  auto metadata = std::make_shared<game_metadata>();
  metadata->id = log.header.id;
  metadata->engine = log.header.engine;
  metadata->engine_version = log.header.engine_version;
  metadata->options = log.header.options;
  metadata->opened = log.header.opened;
  for (const auto& r : log.records) {
    if (r.what == record::kind::opened) {
      metadata->closed = r.action != 0;
      metadata->clock = find_clock(r.text);
    }
    if (as == names_as::of_now) set_kind(r, *metadata);
    if (r.what != record::kind::joined) continue;
    if (const auto seat = static_cast<std::size_t>(r.seat); seat < metadata->players.size()) {
      if (as == names_as::of_now) metadata->players[seat] = r.text;
      continue;
    }
    metadata->players.push_back(r.text);
    metadata->kinds.push_back(seat_kind_of(r.wire));
  }
  if (rules != nullptr && rules->has_cells())
    for (int seat = 0; seat < static_cast<int>(metadata->players.size()); ++seat)
      metadata->marks.push_back(rules->mark(seat));
  return metadata;
}

std::shared_ptr<game_update> project(std::shared_ptr<const game_metadata> game, const record& r,
                                     legal_action action, position_ref then) {
  auto u = std::make_shared<game_update>();
  u->number = r.number;
  u->at = r.at;
  u->what = kind_of(r.what);
  // The records of the first names follow the opening.
  if (r.what == record::kind::joined && r.secret.empty() && r.number > game->players.size() + 1)
    u->what = kind::renamed;
  u->hidden = r.hidden;
  if (r.seat >= 0 && !r.hidden) u->seat = r.seat;
  switch (r.what) {
    case record::kind::moved:
    case record::kind::drawn:
      if (!r.hidden) u->text = std::move(action.text), u->cell = action.cell;
      [[fallthrough]];
    case record::kind::opened: u->then = std::move(then); break;
    case record::kind::joined:
    case record::kind::said:
    case record::kind::left:
    case record::kind::substituted:
    case record::kind::returned:
      if (const auto seat = static_cast<std::size_t>(r.seat); seat < game->players.size())
        u->name = game->players[seat];
      if (r.what == record::kind::said || r.what == record::kind::substituted) u->text = r.text;
      if (r.what == record::kind::substituted || r.what == record::kind::returned) {
        auto changed = std::make_shared<game_metadata>(*game);
        set_kind(r, *changed);
        game = std::move(changed);
      }
      if (u->what == kind::renamed) {
        auto changed = std::make_shared<game_metadata>(*game);
        changed->players.at(static_cast<std::size_t>(r.seat)) = r.text;
        u->text = std::exchange(u->name, r.text);
        game = std::move(changed);
      }
      break;
    case record::kind::ended:
      u->text = r.text;
      u->then = std::move(then);
      break;
    case record::kind::offered:
    case record::kind::accepted:
    case record::kind::declined:
    case record::kind::withdrawn:
      u->offer = offer_of(r);
      if (const auto seat = static_cast<std::size_t>(r.seat); seat < game->players.size())
        u->offer->name = game->players[seat];
      break;
    case record::kind::taken_back:
      if (const auto seat = static_cast<std::size_t>(r.seat); seat < game->players.size())
        u->name = game->players[seat];
      u->back_to = static_cast<std::uint64_t>(r.action);
      u->then = std::move(then);
      break;
  }
  u->game = std::move(game);
  return u;
}

}  // namespace gamehub::actors::table
