#include "actors/spectate/log_replay.hpp"

#include "actors/runtime/engine_call_scope.hpp"
#include "actors/table/engine_output.hpp"
#include "actors/table/public_projection.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace gamehub::actors::spectate {

using journal::record;

log_replay::log_replay(const table::engine_directory& directory, journal::game_log log)
    : log_(std::move(log)) {
  const auto engine = directory.find_engine(log_.header.engine, log_.header.engine_version);
  if (!engine) return;
  engine_ = *engine;
  rules_ = &directory.engines[*engine].rules;
}

// There is an engine.
void log_replay::report_failure(runtime::loop& where) const {
  where.report(*rules_, log_.header.id, engines::host::current_failure());
}

void log_replay::begin(runtime::loop& where) {
  result_.game = table::metadata_of(log_, rules_);
  result_.ended = log_.records.back().what == record::kind::ended;
  try {
    // Watching a game does not start the process of its engine.
    if (rules_ == nullptr || (host() != nullptr && !host()->up())) return;
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
  table::render_position(*match_, engines::spectator, table::public_form(*rules_), *p);
  if (match_->over())
    p->outcome = table::outcome_by_rules(*match_);
  else if (!match_->at_chance())
    p->to_move = match_->to_move();
  return p;
}

outcome log_replay::outcome_of(const record& end) const {
  if (end.why == end_reason::rules && match_ && match_->over())
    return table::outcome_by_rules(*match_);
  outcome o{end.why, std::nullopt, {}};
  if (end.seat >= 0) o.winner = end.seat;
  for (seat_index seat = 0; seat < static_cast<seat_index>(result_.game->players.size()); ++seat) {
    const auto won = leaver_ ? seat != *leaver_ : seat == end.seat;
    o.scores.push_back(!leaver_ && end.seat < 0 ? 0.0 : won ? 1.0 : -1.0);
  }
  return o;
}

// Continues without the match if the engine fails.
void log_replay::append_update(const record& r, runtime::loop& where) {
  using kind = record::kind;
  const bool is_action = r.what == kind::moved || r.what == kind::drawn;
  const bool is_end = r.what == kind::ended;
  legal_action action;
  std::shared_ptr<position> then;
  try {
    if (match_ && is_action) action = apply(r);
    // An engine that has failed is not called again.
    if (match_ && (is_action || r.what == kind::opened || (is_end && r.why != end_reason::failed)))
      then = render(r);
  } catch (const engines::host::engine_failure&) {
    report_failure(where);
    match_.reset();
  }
  if (!match_) action = {std::to_string(r.action), {}};
  if (r.what == kind::left) leaver_ = r.seat;
  if (is_end) {
    if (!then) then = std::make_shared<position>();
    then->to_move = 0;
    then->outcome = outcome_of(r);
  }
  result_.updates.push_back(table::project(result_.game, r, std::move(action), std::move(then)));
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
    if (rules_->has_cells())
      table::render_position(*match_, engines::spectator, view_form::document, result_.position);
    if (result_.ended) result_.position.to_move = 0, result_.position.outcome = last->then->outcome;
  } catch (const engines::host::engine_failure&) {
    report_failure(where);
  }
  return false;
}

}  // namespace gamehub::actors::spectate
