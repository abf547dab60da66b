#include "actors/spectate/public_projection.hpp"

#include "actors/table/engine_output.hpp"
#include "hub/base/require.hpp"

#include <utility>

namespace gamehub::actors::spectate {

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

update_ref public_projection::project(const record& r) {
  auto u = std::make_shared<game_update>();
  u->game = game_;
  u->number = r.number;
  u->at = r.at;
  u->what = kind_of(r.what);
  u->hidden = r.hidden;
  if (r.seat >= 0 && !r.hidden) u->seat = r.seat;
  const auto name_seat = [&] {
    const auto seat = static_cast<std::size_t>(r.seat);
    if (r.seat >= 0 && seat < game_->players.size()) u->name = game_->players[seat];
  };
  switch (r.what) {
    case record::kind::opened: u->then = view(); break;
    case record::kind::joined: name_seat(); break;
    case record::kind::moved: take_action(r, r.seat, *u); break;
    case record::kind::drawn: take_action(r, engines::chance, *u); break;
    case record::kind::said:
      name_seat();
      u->text = r.text;
      break;
    case record::kind::left:
      name_seat();
      leaver_ = r.seat;
      break;
    case record::kind::ended:
      u->text = r.text;
      end_ = end_of(r);
      // An engine that has failed is not called again.
      if (r.why != end_reason::failed) u->then = view();
      if (!u->then) u->then.emplace();
      u->then->to_move = 0;
      u->then->outcome = end_;
      break;
  }
  return u;
}

void public_projection::take_action(const record& r, int seat, game_update& u) {
  if (!match_) {
    if (!r.hidden) u.text = std::to_string(r.action);
    return;
  }
  if (!r.hidden) {
    u.text = match_->to_text(r.action);
    if (const auto cell = has_cells_ ? match_->cell_of(r.action) : -1; cell >= 0) u.cell = cell;
  }
  const char* why = match_->apply(seat, r.action);
  if (why != nullptr && std::string_view{why} == engines::reasons::engine_failure)
    throw match_->failure("apply");
  if (why != nullptr)
    throw engines::host::engine_failure{"the engine refuses what was logged", "apply"};
  u.then = view();
}

outcome public_projection::end_of(const record& r) const {
  outcome o;
  if (r.why == end_reason::rules && match_ && match_->over())
    return table::outcome_by_rules(*match_);
  o.reason = r.why;
  if (r.seat >= 0) o.winner = r.seat;
  for (seat_index seat = 0; seat < static_cast<seat_index>(game_->players.size()); ++seat) {
    const auto won = leaver_ ? seat != *leaver_ : seat == r.seat;
    o.scores.push_back(!leaver_ && r.seat < 0 ? 0.0 : won ? 1.0 : -1.0);
  }
  return o;
}

std::optional<public_position> public_projection::view(bool whole) const {
  if (!match_) return std::nullopt;
  public_position p;
  if (has_cells_) table::render_board(*match_, engines::spectator, p.rows, p.columns, p.cells);
  if (!has_cells_ || whole) table::render_view(*match_, engines::spectator, p.document);
  if (match_->over())
    p.outcome = table::outcome_by_rules(*match_);
  else if (!match_->at_chance())
    p.to_move = match_->to_move();
  if (end_) {
    p.to_move = 0;
    p.outcome = end_;
  }
  return p;
}

public_position public_projection::position() const {
  GAMEHUB_REQUIRE(match_.has_value());
  return *view(true);
}

}  // namespace gamehub::actors::spectate
