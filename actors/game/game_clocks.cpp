// The clock of a game: its timer, what is the hub's fault, and what is left.
#include "actors/game/game.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gamehub::actors::game {

namespace {

// A turn that can't end by the clock now is looked at again after this time.
constexpr std::chrono::milliseconds turn_retry{100};

// The part of a turn at its end that passes only while the hub runs, in games whose players need
// not be connected.
constexpr std::chrono::hours passes_only_here{12};

}  // namespace

clock_rule clock_of(const std::vector<journal::record>& log, const clock_rule& otherwise) {
  if (log.front().text.empty()) return otherwise;
  // Only another version has written another text: its game goes on with the clock of this hub.
  return find_clock(log.front().text).value_or(otherwise);
}

std::chrono::milliseconds with_time_left(const clock_rule& clock,
                                         std::chrono::milliseconds lasted) {
  const auto all = clock.turn_time();
  return std::clamp<std::chrono::milliseconds>(
      lasted, std::chrono::milliseconds{0},
      all - std::min<std::chrono::milliseconds>(all, least_after_restart));
}

std::chrono::milliseconds lasted_over_restart(const clock_rule& clock, base::wall_time began,
                                              base::wall_time down_since, base::wall_time now) {
  using std::chrono::milliseconds;
  const auto all = clock.turn_time();
  const auto least = all - std::min<milliseconds>(all, passes_only_here);
  return std::min(std::max(now - began, milliseconds{0}), std::max(down_since - began, least));
}

base::wall_time due_after(const std::vector<journal::pause>& pauses, base::wall_time due) {
  if (due == base::wall_time::max()) return due;
  for (const auto& p : pauses) {
    const auto left = std::max<std::chrono::milliseconds>(due - p.began, least_after_restart);
    due = std::max(due, p.ended + std::min<std::chrono::milliseconds>(left, passes_only_here));
  }
  return due;
}

void game::update_turn_timer(std::chrono::milliseconds lasted) {
  if (!clock_ || interruption_) return;
  if (table_.over()) {
    owning_loop().timers().cancel(std::exchange(turn_timer_, {}));
    return;
  }
  if (table_.turn() == timed_turn_) return;
  timed_turn_ = table_.turn();
  prompt_held_ = gate_.has_pending();
  find_deadline(lasted);
  // One timer per game: it is set again when it expires early, not at every move. A store of time
  // may end before the time that it was set for.
  if (table_.clocks() != nullptr) owning_loop().timers().cancel(std::exchange(turn_timer_, {}));
  if (!turn_timer_) arm_turn_timer();
}

void game::find_deadline(std::chrono::milliseconds lasted) {
  const auto now = owning_loop().now();
  const auto* const clocks = table_.clocks();
  deadline_ = clocks != nullptr ? clocks->due(lateness(), now).value_or(base::instant::max())
                                : now + clock_.turn_time() - std::min(lasted, clock_.turn_time());
}

table::transition::clock_reading game::read_clock() const {
  using std::chrono::milliseconds;
  // The clock of a turn that begins runs from this very moment on.
  if (table_.clocks() != nullptr)
    return {owning_loop().clock(), milliseconds{0}, milliseconds{0}, 0, true, lateness()};
  const auto all = clock_.turn_time();
  if (all.count() == 0) return {};
  const auto now = owning_loop().now();
  if (interruption_)
    return {now, all, all - std::min(interruption_->turn_lasted, all), interruption_->turn, false};
  const auto left = std::chrono::duration_cast<milliseconds>(deadline_ - now);
  return {now, all, std::clamp(left, milliseconds{0}, all), timed_turn_, true};
}

std::chrono::milliseconds game::lasted_at(base::instant ends, base::instant now) const {
  using std::chrono::milliseconds;
  const auto all = clock_.turn_time();
  return all -
         std::clamp(std::chrono::duration_cast<milliseconds>(ends - now), milliseconds{0}, all);
}

void game::arm_turn_timer() {
  if (deadline_ != base::instant::max()) turn_timer_ = arm_timer(deadline_, turn_timer);
}

void game::on_turn_timeout() {
  // It may be that of a turn that ended meanwhile, and the present one has another timer.
  owning_loop().timers().cancel(std::exchange(turn_timer_, {}));
  if (table_.over() || suspended_) return;
  const auto now = owning_loop().now();
  // A turn whose prompt waits for the journal does not expire.
  if (gate_.has_pending() && table_.clocks() == nullptr) deadline_ = now + clock_.turn_time();
  if (now < deadline_) return arm_turn_timer();
  // Nor does one whose move waits for it.
  if (gate_.has_pending() || awaits_announcement()) {
    turn_timer_ = arm_timer(now + turn_retry, turn_timer);
    return;
  }
  confirm_turn_timeout();
}

void game::confirm_turn_timeout() {
  std::vector<runtime::loop*> loops{&owning_loop()};
  for (const auto& p : players_)
    if (p) loops.push_back(&runtime::actor_of(p)->owning_loop());
  // By index and not by address, so that a simulation repeats.
  std::sort(loops.begin(), loops.end(),
            [](const auto* a, const auto* b) { return a->index() < b->index(); });
  loops.erase(std::unique(loops.begin(), loops.end()), loops.end());
  // Each loop reads, in the first of its next two iterations, what its clients had sent by now.
  struct question {
    std::vector<runtime::loop*> loops;
    runtime::game_actor game;
  };
  struct step {
    static void run(const std::shared_ptr<question>& q, std::size_t at) {
      if (at == 2 * q->loops.size())
        return caf::anon_send(q->game, runtime::timer_up{confirmed_timer});
      q->loops[at / 2]->post([q, at] { run(q, at + 1); });
    }
  };
  step::run(std::make_shared<question>(question{std::move(loops), self()}), 0);
}

void game::on_turn_timeout_confirmed() {
  // A move has come, and its turn has a timer.
  if (turn_timer_ || table_.over() || suspended_ || interruption_) return;
  const auto now = owning_loop().now();
  if (is_out_of_time(now)) return end_turn_by_clock();
  // The hub was late, or the journal is now.
  const auto* const clocks = table_.clocks();
  const auto due = clocks != nullptr ? clocks->due(lateness(), now)
                                     : std::optional{deadline_ + late_in_turn(now)};
  // Without one all who had a clock have moved, and an engine is to move.
  if (due) turn_timer_ = arm_timer(std::max(*due, now + std::chrono::milliseconds{1}), turn_timer);
}

bool game::is_out_of_time(base::instant at) const {
  if (at < deadline_ || !runs_out()) return false;
  if (const auto* clocks = table_.clocks()) return clocks->fallen(at, lateness()) != 0;
  return at >= deadline_ + late_in_turn(at);
}

void game::check_time(base::instant received) {
  // A move of the very last moment is in time.
  if (is_out_of_time(received - std::chrono::microseconds{1})) return end_turn_by_clock();
  if (runs_out() && table_.clocks() == nullptr)
    count_credit(metrics::credit_cause::loop,
                 std::chrono::duration_cast<std::chrono::microseconds>(received - deadline_));
}

bool game::runs_out() const {
  return clock_ && !interruption_ && !table_.over() && !suspended_ && !gate_.has_pending() &&
         !awaits_announcement() && table_.turn() == timed_turn_;
}

std::chrono::microseconds game::late(seat_index seat, base::instant from, base::instant to) const {
  const auto here = owning_loop().late().between(from, to);
  const auto& player = players_[static_cast<std::size_t>(seat)];
  if (!player) return here;
  const auto& there = runtime::actor_of(player)->owning_loop();
  return &there == &owning_loop() ? here : here + there.late().between(from, to);
}

hub_lateness game::lateness() const {
  return {this, [](const void* of, seat_index seat, base::instant from, base::instant to) {
            return static_cast<const game*>(of)->late(seat, from, to);
          }};
}

std::chrono::microseconds game::late_in_turn(base::instant to) const {
  const auto from = deadline_ - clock_.turn_time();
  std::chrono::microseconds longest{0};
  for (seat_index seat = 0; seat < static_cast<seat_index>(players_.size()); ++seat)
    longest = std::max(longest, late(seat, from, to));
  return longest;
}

void game::count_credit(metrics::credit_cause why, std::chrono::microseconds time) {
  if (time.count() > 0)
    owning_loop().cells().loop.clock_credits[static_cast<std::size_t>(why)].add(time.count());
}

}  // namespace gamehub::actors::game
