#include "actors/spectate/log_replay.hpp"

#include "actors/runtime/engine_call_scope.hpp"

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

// Requires: called in a catch block, so there is an engine.
void log_replay::report_failure(runtime::loop& where) const {
  where.report(*rules_, log_.header.id, engines::host::current_failure());
}

void log_replay::begin(runtime::loop& where) {
  result_.game = metadata_of(log_, rules_);
  result_.ended = log_.records.back().what == record::kind::ended;
  std::optional<engines::host::match> match;
  try {
    // Watching a game does not start the process of its engine.
    if (rules_ != nullptr && (host() == nullptr || host()->up())) {
      auto created = rules_->create(log_.header.options);
      if (auto* fresh = std::get_if<engines::host::match>(&created))
        match.emplace(std::move(*fresh));
      else if (std::get<std::string>(created) == engines::reasons::engine_failure)
        throw rules_->failure("create");
    }
  } catch (const engines::host::engine_failure&) {
    report_failure(where);
  }
  const auto has_cells = rules_ != nullptr && rules_->has_cells();
  projection_.emplace(result_.game, has_cells, std::move(match));
}

// Continues without the match if the engine fails.
void log_replay::append_update(const record& r, runtime::loop& where) {
  try {
    result_.updates.push_back(projection_->project(r));
  } catch (const engines::host::engine_failure&) {
    report_failure(where);
    projection_->drop_match();
    result_.updates.push_back(projection_->project(r));
  }
}

bool log_replay::run(std::size_t records, runtime::loop& where) {
  const runtime::engine_call_scope it{where.cells().loop, engine_};
  if (!projection_) begin(where);
  const auto end = std::min(log_.records.size(), next_ + records);
  for (; next_ < end; ++next_) append_update(log_.records[next_], where);
  if (next_ < log_.records.size()) return true;
  if (projection_->match()) {
    try {
      result_.position = projection_->position();
    } catch (const engines::host::engine_failure&) {
      report_failure(where);
    }
  } else if (const auto& last = result_.updates.back(); last->then) {
    result_.position = *last->then;
  }
  return false;
}

}  // namespace gamehub::actors::spectate
