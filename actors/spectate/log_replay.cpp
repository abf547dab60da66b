#include "actors/retelling.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "actors/inside.hpp"

namespace gamehub::actors {

using journal::record;

retelling::retelling(const catalog& offered, journal::game_log log) : log_(std::move(log)) {
  const auto engine = offered.find_engine(log_.header.engine, log_.header.engine_version);
  if (!engine) return;
  engine_ = *engine;
  rules_ = &offered.engines[*engine].rules;
}

void retelling::begin() {
  done_.game = card_of(log_, rules_);
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
  narrator_.emplace(done_.game, has_cells, std::move(match));
}

// What the engine can't follow is told without it.
void retelling::tell(const record& r) {
  try {
    done_.updates.push_back(narrator_->tell(r));
  } catch (const engines::engine_failure&) {
    narrator_->give_up_match();
    done_.updates.push_back(narrator_->tell(r));
  }
}

bool retelling::go_on(std::size_t records, metrics::loop_cells& cells) {
  const inside it{cells, engine_};
  if (!narrator_) begin();
  const auto end = std::min(log_.records.size(), next_ + records);
  for (; next_ < end; ++next_) tell(log_.records[next_]);
  if (next_ < log_.records.size()) return true;
  if (narrator_->match()) {
    try {
      done_.position = narrator_->position();
    } catch (const engines::engine_failure&) {
    }
  } else if (const auto& last = done_.updates.back(); last->then) {
    done_.position = *last->then;
  }
  return false;
}

}  // namespace gamehub::actors
