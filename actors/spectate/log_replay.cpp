#include "actors/spectate/log_replay.hpp"

#include "actors/runtime/engine_call_scope.hpp"
#include "actors/table/engine_output.hpp"
#include "actors/table/public_projection.hpp"
#include "actors/table/replay.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

namespace gamehub::actors::spectate {

using journal::record;

log_replay::log_replay(const table::engine_directory& directory, journal::game_log log,
                       std::optional<seat_index> as)
    : log_(std::move(log)), as_(as) {
  const auto engine = directory.find_engine(log_.header.engine, log_.header.engine_version);
  if (!engine) return;
  engine_ = *engine;
  rules_ = directory.engines[*engine].rules.least_loaded();
}

// There is an engine.
void log_replay::report_failure(runtime::loop& where) const {
  where.report(*rules_, log_.header.id, engines::host::current_failure());
}

void log_replay::begin(runtime::loop& where) {
  result_.game = table::metadata_of(log_, rules_ ? &*rules_ : nullptr, table::names_as::of_start);
  result_.ended = log_.records.back().what == record::kind::ended;
  substitutes_ = table::substitutes::at_start(log_.records);
  const auto seats = static_cast<seat_index>(result_.game->players.size());
  if (as_ && (*as_ < 0 || *as_ >= seats)) as_.reset();
  try {
    // Watching a game does not start the process of its engine.
    if (!rules_ || (host() != nullptr && !host()->up())) return;
    auto created = rules_->create(log_.header.options);
    if (auto* fresh = std::get_if<engines::host::match>(&created))
      match_.emplace(std::move(*fresh));
    else if (std::get<std::string>(created) == engines::reasons::engine_failure)
      throw rules_->failure("create");
  } catch (const engines::host::engine_failure&) {
    report_failure(where);
  }
}

legal_action log_replay::apply(const record& r) {
  auto out = r.hidden ? legal_action{} : table::describe_action(*match_, r.action);
  const auto seat = r.what == record::kind::drawn ? engines::chance : int{r.seat};
  const char* why = match_->apply(seat, r.action);
  if (why != nullptr && std::string_view{why} == engines::reasons::engine_failure)
    throw match_->failure("apply");
  if (why != nullptr)
    throw engines::host::engine_failure{"the engine refuses what was logged", "apply"};
  return out;
}

std::shared_ptr<position> log_replay::render(const record& r) const {
  auto p = std::make_shared<position>();
  p->number = r.number;
  const auto viewer = as_.value_or(engines::spectator);
  if (as_) table::render_position(*match_, viewer, view_form::document, *p);
  if (!as_ || rules_->has_cells())
    table::render_position(*match_, viewer, table::public_form(*rules_), *p);
  table::render_score(*match_, *p);
  p->substituted = substitutes_.now();
  if (match_->over())
    substitutes_.settle(p->outcome.emplace(table::outcome_by_rules(*match_)));
  else if (!match_->at_chance())
    p->to_move = match_->to_move();
  return p;
}

seat_set log_replay::losers_of(const record& end) const {
  const auto everyone = only(static_cast<seat_index>(result_.game->players.size())) - 1;
  const auto gone = substitutes_.now();
  if (leaver_) return only(*leaver_) | gone;
  if (end.seat >= 0) return everyone & ~only(end.seat);
  // Of more than two players the late ones lose, and the others have no single winner.
  const auto late = end.why == end_reason::clock && match_ ? match_->to_move() : 0;
  return late == everyone || end.why != end_reason::clock ? 0 : late | gone;
}

outcome log_replay::outcome_of(const record& end) const {
  outcome o{end.why, std::nullopt, {}};
  if (end.why == end_reason::rules && match_ && match_->over()) {
    o = table::outcome_by_rules(*match_);
    substitutes_.settle(o);
    return o;
  }
  if (end.seat >= 0) o.winner = end.seat;
  const auto losers = losers_of(end);
  if (result_.game->players.size() > 2) o.forfeits = losers;
  for (seat_index seat = 0; seat < static_cast<seat_index>(result_.game->players.size()); ++seat)
    o.scores.push_back(losers == 0 ? 0.0 : holds(losers, seat) ? -1.0 : 1.0);
  return o;
}

// Continues without the match if the engine fails.
void log_replay::append_update(const record& r, runtime::loop& where) {
  using kind = record::kind;
  const bool is_action = r.what == kind::moved || r.what == kind::drawn;
  const bool is_end = r.what == kind::ended;
  const bool is_takeback = r.what == kind::taken_back;
  legal_action action;
  std::shared_ptr<position> then;
  try {
    if (match_ && is_action) action = apply(r);
    if (match_ && is_takeback)
      *match_ =
          table::match_before(*rules_, log_.header.options, std::span{log_.records}.first(next_),
                              static_cast<journal::record_number>(r.action));
    // An engine that has failed is not called again.
    if (match_ && (is_action || is_takeback || r.what == kind::opened ||
                   (is_end && r.why != end_reason::failed)))
      then = render(r);
  } catch (const engines::host::engine_failure&) {
    report_failure(where);
    match_.reset();
  }
  if (!match_) action = {std::to_string(r.action), {}};
  if (r.what == kind::left) leaver_ = r.seat;
  substitutes_.follow(r);
  if (is_end) {
    if (!then) then = std::make_shared<position>();
    then->to_move = 0;
    then->outcome = outcome_of(r);
  }
  auto update = table::project(result_.game, r, std::move(action), std::move(then));
  update->as = as_;
  result_.game = update->game;
  result_.updates.push_back(std::move(update));
}

bool log_replay::run(std::size_t records, runtime::loop& where) {
  const runtime::engine_call_scope it{where.cells().loop, engine_};
  if (next_ == 0) begin(where);
  const auto end = std::min(log_.records.size(), next_ + records);
  for (; next_ < end; ++next_) append_update(log_.records[next_], where);
  if (next_ < log_.records.size()) return true;
  const auto& last = result_.updates.back();
  if (last->then) result_.position = *last->then;
  if (!match_) return false;
  try {
    result_.position = *render(log_.records.back());
    if (rules_->has_cells() && !as_)
      table::render_position(*match_, engines::spectator, view_form::document, result_.position);
    if (result_.ended) result_.position.to_move = 0, result_.position.outcome = last->then->outcome;
  } catch (const engines::host::engine_failure&) {
    report_failure(where);
  }
  return false;
}

}  // namespace gamehub::actors::spectate
