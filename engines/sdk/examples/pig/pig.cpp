// Pig: the player to move rolls a die as often as wished, and loses the points of the turn with a
// one; or holds, and keeps them. Who has 50 points wins. The example of public chance, of a game
// without a natural end, and of a face with score and summary.
#include "engines/plugin.hpp"

#include <array>
#include <cstdint>

namespace gamehub::engines {
namespace {

constexpr int goal = 50;
constexpr int faces = 6;
constexpr action roll = 0;
constexpr action hold = 1;

// Two players who always roll a one would play for ever. A match needs a bound: after that many
// actions the leader wins. It is far beyond what players do, and short enough for a journal.
constexpr int actions_before_the_end = 1'000;

constexpr int points_max = goal + faces * actions_before_the_end;

class game {
 public:
  static constexpr description about{.id = "pig",
                                     .title = "Pig",
                                     .has_chance = true,
                                     .actions_max = faces,
                                     .plies_max = actions_before_the_end + 1,
                                     .actions_end = faces + 1};
  static constexpr face_description face{
      .blurb = "Roll once more, or hold what you have.",
      .rules = {"The player to move rolls a die as often as wished. Each roll adds its number to "
                "the points of the turn. With a one the turn ends, and its points are lost.",
                "A player who holds keeps the points of the turn; then the other one is to move.",
                "The first player with 50 points wins."},
      .marks = {"First", "Second"},
      .actions = {{"0", "Roll"}, {"1", "Hold"}},
      .score_label = "points",
      .icon =
          R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="currentColor">)"
          R"(<rect x="4" y="4" width="16" height="16" rx="3" fill="none" stroke="currentColor"/>)"
          R"(<circle cx="8" cy="8" r="1.5"/><circle cx="12" cy="12" r="1.5"/>)"
          R"(<circle cx="16" cy="16" r="1.5"/></svg>)"};

  seats to_move() const noexcept {
    if (is_over()) return 0;
    return rolling_ != 0 ? only(chance) : only(mover_);
  }

  // The draws of chance are the numbers of the die.
  void legal_actions(int seat, action_list& out) const {
    if (seat == chance) {
      for (action number = 1; number <= faces; ++number) out.add(number);
      return;
    }
    out.add(roll);
    out.add(hold);
  }

  reason apply(int seat, action a) noexcept {
    if (seat == chance ? a < 1 || a > faces : a != roll && a != hold) return reasons::out_of_bounds;
    ++actions_;
    if (seat != chance) {
      if (a == roll)
        rolling_ = 1;
      else
        end_turn(turn_);
      return nullptr;
    }
    rolling_ = 0;
    if (a == 1)
      end_turn(0);
    else
      turn_ = static_cast<std::uint16_t>(turn_ + a);
    return nullptr;
  }

  void scores(std::span<double> out) const {
    out[0] = points_[0] > points_[1] ? 1 : points_[0] < points_[1] ? -1 : 0;
    out[1] = -out[0];
  }

  void view(int, writer& out) const {
    out << R"({"points":[)" << points_[0] << ',' << points_[1] << R"(],"turn":)" << turn_
        << R"(,"actions":)" << actions_ << '}';
  }

  // What people see beside the view: everyone may know it.
  void score(std::span<double> out) const {
    out[0] = points_[0];
    out[1] = points_[1];
  }
  void summary(writer& out) const {
    if (!is_over()) out << "This turn has " << turn_ << " points.";
  }

  bool valid() const {
    return points_[0] <= points_max && points_[1] <= points_max && turn_ <= faces * actions_ &&
           actions_ <= actions_before_the_end + 1 && mover_ <= 1 && rolling_ <= 1;
  }

 private:
  bool is_over() const noexcept {
    const bool has_winner = points_[0] >= goal || points_[1] >= goal;
    // A die that is rolled falls first.
    return has_winner || (actions_ >= actions_before_the_end && rolling_ == 0);
  }
  void end_turn(int points) {
    auto& mine = points_[mover_];
    mine = static_cast<std::uint16_t>(mine + points);
    turn_ = 0;
    mover_ = static_cast<std::uint8_t>(1 - mover_);
  }

  std::array<std::uint16_t, 2> points_{};
  std::uint16_t turn_ = 0;
  std::uint16_t actions_ = 0;
  std::uint8_t mover_ = 0;
  std::uint8_t rolling_ = 0;  // 1: chance is to move. No bool: its saved byte could be forged.
};

}  // namespace
}  // namespace gamehub::engines

GAMEHUB_ENGINE(gamehub::engines::game);
