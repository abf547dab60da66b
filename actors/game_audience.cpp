// What a game has to do with those who only watch it.
#include <algorithm>
#include <chrono>

#include "actors/game.hpp"
#include "actors/inside.hpp"
#include "actors/look.hpp"

namespace gamehub::actors {

audience& game::audience_here() {
  if (!audience_) audience_ = std::make_unique<audience>();
  return *audience_;
}

// The journal has it all: nothing of it is kept for games that nobody watches.
std::shared_ptr<const game_card> game::card() const {
  const auto log = setup_.log->find(table_.id());
  return log ? card_of(*log, &setup_.offered->engines[engine_].rules) : nullptr;
}

void game::meet(watch_request& m) {
  if (!begun_) return after_begin([this, m]() mutable { meet(m); });
  if (parked_) return;
  // What is not committed can't be read in the log yet, and will not be told a second time.
  if (!gate_.open()) return audience_here().when_safe([this, m] { admit(m.by); });
  admit(std::move(m.by));
}

// Who can't be admitted is dropped, and hears of that.
void game::admit(std::shared_ptr<line> who) {
  auto& here = audience_here();
  if (!here.has_narrator()) {
    auto about = card();
    if (!about) return;
    const auto& rules = setup_.offered->engines[engine_].rules;
    try {
      const inside it{home().cells().loop, engine_};
      here.narrate_by({std::move(about), rules.has_cells(), table_.match().clone()});
    } catch (...) {
      return;
    }
  }
  here.admit(std::move(who), gate_.appended());
  if (table_.over()) here.end();
}

void game::tell_audience() {
  audience_->release(gate_.committed(), gate_.open());
  if (table_.over() && gate_.open()) audience_->end();
}

void game::look(look_request& m) {
  if (!begun_) return after_begin([this, m]() mutable { look(m); });
  if (parked_) return;
  if (!gate_.open()) return audience_here().when_safe([this, m] { answer(*m.by); });
  answer(*m.by);
}

void game::answer(look_inquiry& asked) {
  auto about = card();
  if (!about) return;
  const inside it{home().cells().loop, engine_};
  auto found = look_at(table_, std::move(about), gate_.appended(), asked.as());
  if (!table_.over()) found.turn_time = setup_.turn_time;
  if (clock_)
    found.turn_left =
        std::max(std::chrono::milliseconds{0},
                 std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - home().now()));
  asked.answer(std::move(found));
}

}  // namespace gamehub::actors
