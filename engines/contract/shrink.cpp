#include "engines/contract/shrink.hpp"

#include "engines/contract/questions.hpp"
#include "engines/contract/random_game.hpp"
#include "engines/contract/report.hpp"
#include "engines/dice.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::engines::contract {

namespace {

using std::chrono::steady_clock;

class shrinking {
 public:
  shrinking(const engine& rules, finding begun, std::chrono::nanoseconds time_max)
      : rules_(rules), best_(std::move(begun)), end_(steady_clock::now() + time_max) {}

  finding shortest() {
    if (!best_.where.in_game || best_.other_seed != 0) return best_;
    // Where the state that was reached does not show it by itself, fewer turns will not either.
    if (!adopt(best_.where.turns)) return best_;
    for (auto size = std::max<std::size_t>(best_.where.turns.size() / 2, 1); size > 0; size /= 2)
      while (without_some(size)) continue;
    return best_;
  }

 private:
  bool late() const { return steady_clock::now() > end_; }

  // Whether it breaks without so many turns in a row, the last ones first. Takes that over.
  bool without_some(std::size_t size) {
    const auto count = best_.where.turns.size();
    for (std::size_t end = count; end >= size && !late(); --end) {
      auto turns = best_.where.turns;
      const auto from = turns.begin() + static_cast<std::ptrdiff_t>(end - size);
      turns.erase(from, from + static_cast<std::ptrdiff_t>(size));
      if (adopt(turns)) return true;
    }
    return false;
  }

  bool adopt(const std::vector<turn>& turns) {
    auto found = broken_after(turns);
    if (!found) return false;
    best_ = std::move(*found);
    return true;
  }

  // The same promise, if it breaks after these turns, as far as they are possible.
  std::optional<finding> broken_after(const std::vector<turn>& turns) {
    report out;
    out.now() = {true, best_.where.seed, best_.where.with, {}, {}};
    try {
      play(turns, out);
    } catch (const engine_failure& failure) {
      out.expect(false, "the engine failed", failure.what());
    }
    for (auto& each : out.found())
      if (each.promise == best_.promise) return std::move(each);
    return std::nullopt;
  }

  void play(const std::vector<turn>& turns, report& out) {
    const auto& with = best_.where.with;
    auto made = rules_.create(with.options_json, with.players);
    auto* m = std::get_if<match>(&made);
    if (m == nullptr) return;
    auto& here = out.now();
    for (auto next : turns) {
      // Who is to move may be another now.
      const auto movers = seats_to_move(*m);
      if (movers.size() == 1) next.seat = movers.front();
      m->legal_actions(next.seat, legal_);
      if (!std::binary_search(legal_.begin(), legal_.end(), next.value)) return;
      next.text = m->to_text(next.value);
      if (m->apply(next.seat, next.value) != nullptr) return;
      here.turns.push_back(std::move(next));
    }
    m->view_json(spectator, here.state);
    dice trials{best_.where.seed ^ trial_seed};
    questions ask{rules_, out, trials};
    m->over() ? ask.ask_over(*m) : ask.ask_running(*m);
  }

  const engine& rules_;
  finding best_;
  const steady_clock::time_point end_;
  std::vector<action> legal_;
};

}  // namespace

finding shrunk(const engine& rules, finding found, std::chrono::nanoseconds time_max) {
  return shrinking{rules, std::move(found), time_max}.shortest();
}

}  // namespace gamehub::engines::contract
