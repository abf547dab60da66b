// Solves small games of an engine by trying all of it, to compare with what is known of them. Used
// by one thread.
#pragma once

#include "engines/host/engine.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <unordered_map>
#include <vector>

namespace gamehub::tests {

// A game of two whose scores add up to 0, without chance and secrets.
class solver {
 public:
  // Returns the score of seat 0 if both play as well as possible.
  double value(const engines::host::match& m) {
    if (m.over()) {
      double scores[2];
      m.scores(scores);
      return scores[0];
    }
    auto key = m.save();
    if (const auto at = known_.find(key); at != known_.end()) return at->second;
    const int mover = std::countr_zero(m.to_move());
    std::vector<engines::action> legal;
    m.legal_actions(mover, legal);
    double best = mover == 0 ? -1e9 : 1e9;
    for (const auto a : legal) {
      auto next = m.clone();
      next.apply(mover, a);
      best = mover == 0 ? std::max(best, value(next)) : std::min(best, value(next));
    }
    return known_[std::move(key)] = best;
  }

  // The number of positions that were solved and were not over.
  std::size_t positions() const { return known_.size(); }

 private:
  std::unordered_map<std::string, double> known_;
};

}  // namespace gamehub::tests
