#include "actors/retelling.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "actors/inside.hpp"

namespace gamehub::actors {

using journal::record;

log_replay::log_replay(const catalog& directory, journal::game_log log) : log_(std::move(log)) {
  const auto engine = directory.find_engine(log_.header.engine, log_.header.engine_version);
  if (!engine) return;
  engine_ = *engine;
  rules_ = &directory.engines[*engine].rules;
}

void log_replay::begin() {
  done_.game = metadata_of(log_, rules_);
  done_.ended = log_.records.back().what == record::kind::ended;
  std::optional<engines::match> match;
  try {
    // Its process may be gone for good; who only watches does not bring it up.
    if (rules_ != nullptr && (host() == nullptr || host()->up())) {
      auto created = rules_->create(log_.header.options);
      if (auto* fresh = std::get_if<engines::match>(&created)) match.emplace(std::move(*fresh));
    }
  } catch (const engines::engine_failure&) {
  }
  const auto has_cells = rules_ != nullptr && rules_->has_cells();
  projection_.emplace(done_.game, has_cells, std::move(match));
}

// What the engine can't follow is told without it.
void log_replay::tell(const record& r) {
  try {
    done_.updates.push_back(projection_->tell(r));
  } catch (const engines::engine_failure&) {
    projection_->give_up_match();
    done_.updates.push_back(projection_->tell(r));
  }
}

bool log_replay::go_on(std::size_t records, metrics::loop_cells& cells) {
  const inside it{cells, engine_};
  if (!projection_) begin();
  const auto end = std::min(log_.records.size(), next_ + records);
  for (; next_ < end; ++next_) tell(log_.records[next_]);
  if (next_ < log_.records.size()) return true;
  if (projection_->match()) {
    try {
      done_.position = projection_->position();
    } catch (const engines::engine_failure&) {
    }
  } else if (const auto& last = done_.updates.back(); last->then) {
    done_.position = *last->then;
  }
  return false;
}

}  // namespace gamehub::actors
