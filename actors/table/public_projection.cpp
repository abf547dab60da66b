#include "actors/table/public_projection.hpp"

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
  }
  return kind::opened;
}

}  // namespace

std::shared_ptr<const game_metadata> metadata_of(const journal::game_log& log,
                                                 const engines::host::engine* rules) {
  auto metadata = std::make_shared<game_metadata>();
  metadata->id = log.header.id;
  metadata->engine = log.header.engine;
  metadata->engine_version = log.header.engine_version;
  metadata->options = log.header.options;
  metadata->opened = log.header.opened;
  for (const auto& r : log.records) {
    if (r.what == record::kind::opened) metadata->closed = r.action != 0;
    if (r.what == record::kind::joined) metadata->players.push_back(r.text);
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
      if (const auto seat = static_cast<std::size_t>(r.seat); seat < game->players.size())
        u->name = game->players[seat];
      if (r.what == record::kind::said) u->text = r.text;
      break;
    case record::kind::ended:
      u->text = r.text;
      u->then = std::move(then);
      break;
  }
  u->game = std::move(game);
  return u;
}

}  // namespace gamehub::actors::table
