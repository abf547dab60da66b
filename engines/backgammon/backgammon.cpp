// Backgammon, without a doubling cube. The example of dice, which the host draws in public, and of
// a turn of several actions, each of which moves one checker by one die.
#include "engines/plugin.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace gamehub::engines::backgammon {

namespace {

constexpr int checkers = 15;
constexpr int points = 24;
constexpr int faces = 6;

// Each player numbers the points in the own direction of play: 24 to 1, then the checkers are borne
// off. A place is a point, or one of these.
constexpr int off = 0;
constexpr int bar = points + 1;
constexpr int home = 6;

// The same point as the other player numbers it.
constexpr int from_other_side(int point) { return points + 1 - point; }

// A roll of two dice has the numbers 0 to 35, the move of a checker those from 36 on: a number for
// each place and die.
constexpr action moves_begin = faces * faces;
constexpr action actions_end = moves_begin + (bar + 1) * faces;

constexpr action roll_of(int first, int second) { return (first - 1) * faces + second - 1; }

struct step {
  int from;
  int die;

  // The point where the checker lands, or `off`.
  int to() const { return from == bar ? bar - die : std::max(from - die, off); }
};
constexpr action action_of(step s) { return moves_begin + s.from * faces + s.die - 1; }
constexpr step step_of(action a) {
  const auto i = static_cast<int>(a - moves_begin);
  return {i / faces, i % faces + 1};
}

// A match has a bound, which is far beyond what players need: it ends there without a winner.
constexpr int turns_max = 2'000;
constexpr int actions_per_turn = 1 + 4;

}  // namespace

class game {
 public:
  static constexpr description about{.id = "backgammon",
                                     .title = "Backgammon",
                                     .has_chance = true,
                                     .actions_max = faces * faces,
                                     .plies_max = turns_max * actions_per_turn};
  static constexpr face_description face{
      .blurb = "Race home, hit what stands alone.",
      .rules =
          {"Each player has fifteen checkers on the 24 points and moves them from the own point 24 "
           "to the own point 1. The point 24 of one player is the point 1 of the other.",
           "Each player rolls a die; the higher number begins with both numbers. From then on the "
           "players roll two dice in turn. Each die moves one checker by its number; two equal "
           "dice are played four times.",
           "A point with two or more checkers of the other player is blocked. A single checker is "
           "hit: it goes to the bar and has to enter again from there before any other checker of "
           "its player moves.",
           "A player must use as many dice as possible, and the higher one if only one can be "
           "used. A player who can use none passes; the hub does that.",
           "A player with all checkers on the own points 1 to 6 may bear them off, with a higher "
           "number than needed only from the highest point that has a checker. The first one "
           "without checkers wins: a game; a gammon, which counts two, if the other has borne off "
           "none; a backgammon, which counts three, if the other also has one on the bar or on the "
           "winner's points 1 to 6. There is no doubling cube."},
      .board = "points",
      .pieces = {"disc", "ringed-disc"},
      .marks = {"First", "Second"},
      .score_label = "pips to go",
      .icon = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" )"
              R"(fill="none" stroke="currentColor" stroke-width="1.5">)"
              R"(<rect x="3" y="3" width="18" height="18" rx="1"/><path d="M12 3v18"/>)"
              R"(<path d="M4 4l2 8 2-8zM16 20l2-8 2 8z" fill="currentColor"/>)"
              R"(<path d="M8 4l2 8 1.5-8M12.5 20l1.5-8 2 8"/></svg>)"};

  seats to_move() const noexcept {
    if (is_over()) return 0;
    return dice_[0] == 0 ? only(chance) : only(mover_);
  }

  // Chance begins with one die of each player, which differ. Later rolls are two dice, the higher
  // one first.
  void legal_actions(int seat, action_list& out) const {
    if (seat != chance) {
      const int most = most_steps();
      for (int from = 1; from <= bar; ++from)
        for (int die = 1; die <= faces; ++die)
          if (is_legal({from, die}, most)) out.add(action_of({from, die}));
      return;
    }
    for (int first = 1; first <= faces; ++first)
      for (int second = 1; second <= faces; ++second)
        if (is_roll(first, second)) out.add(roll_of(first, second), first == second ? 1 : 2);
  }

  reason apply(int seat, action a) noexcept {
    if (seat == chance) {
      if (a < 0 || a >= moves_begin) return reasons::out_of_bounds;
      const int first = static_cast<int>(a) / faces + 1;
      const int second = static_cast<int>(a) % faces + 1;
      if (!is_roll(first, second)) return "not-a-roll";
      take_dice(first, second);
      return nullptr;
    }
    if (a < moves_begin + faces || a >= actions_end) return reasons::out_of_bounds;
    const step s = step_of(a);
    if (!has_die(s.die)) return "no-such-die";
    if (!can_step(s)) return "can-not-move";
    if (!is_legal(s, most_steps())) return "must-use-the-dice";
    move(s);
    if (dice_[0] == 0 || most_steps() == 0) end_turn();
    return nullptr;
  }

  void scores(std::span<double> out) const {
    out[0] = out[1] = 0;
    if (winner() < 0) return;
    const int loser = 1 - winner();
    const auto& left = of(loser);
    int stake = 1;
    if (left[off] == 0) {
      const bool is_far =
          std::any_of(left.end() - 1 - home, left.end(), [](int n) { return n > 0; });
      stake = is_far ? 3 : 2;
    }
    out[static_cast<std::size_t>(winner())] = stake;
    out[static_cast<std::size_t>(loser)] = -stake;
  }

  // The pips that each player has to go.
  void score(std::span<double> out) const {
    for (int seat = 0; seat < 2; ++seat) {
      int pips = 0;
      for (int place = 1; place <= bar; ++place) pips += place * of(seat)[index(place)];
      out[static_cast<std::size_t>(seat)] = pips;
    }
  }

  void summary(writer& out) const {
    if (is_over() || dice_[0] == 0) return;
    out << "The dice that are left: ";
    write_dice(out, ", ");
    out << '.';
  }

  // "6-5" is a roll. "13/8" moves a checker from the point 13 of the player to the point 8;
  // "bar/20" enters one, "5/off" bears one off. "5/off:6" does that with a die that is higher.
  reason from_text(int, std::string_view text, action& out) const {
    if (const auto dash = text.find('-'); dash == 1 && text.size() == 3) {
      const int first = text[0] - '0', second = text[2] - '0';
      if (!is_face(first) || !is_face(second)) return reasons::malformed;
      out = roll_of(first, second);
      return nullptr;
    }
    const auto slash = text.find('/');
    if (slash == text.npos) return reasons::malformed;
    const int from = text.substr(0, slash) == "bar" ? bar : number(text.substr(0, slash));
    auto rest = text.substr(slash + 1);
    int die = 0;
    if (rest.starts_with("off")) {
      rest.remove_prefix(3);
      die = from;
      if (!rest.empty()) die = rest[0] == ':' ? number(rest.substr(1)) : 0;
      if (!rest.empty() && die <= from) return reasons::malformed;
    } else {
      const int to = number(rest);
      die = to == 0 ? 0 : from - to;
    }
    if (from == 0 || !is_face(die)) return reasons::malformed;
    out = action_of({from, die});
    return nullptr;
  }

  void to_text(action a, writer& out) const {
    if (a < moves_begin) {
      out << a / faces + 1 << '-' << a % faces + 1;
      return;
    }
    const step s = step_of(a);
    if (s.from == bar)
      out << "bar";
    else
      out << s.from;
    out << '/';
    if (s.to() != off)
      out << s.to();
    else
      out << "off";
    if (s.die > s.from) out << ':' << s.die;
  }

  // By seat: the checkers on each place, as its player numbers the points; then the dice that are
  // left.
  void view(int, writer& out) const {
    out << R"({"checkers":[)";
    for (int seat = 0; seat < 2; ++seat) {
      out << (seat == 0 ? "{" : ",{");
      for (int point = 1; point <= points; ++point)
        if (const int count = of(seat)[index(point)]; count > 0)
          out << '"' << point << R"(":)" << count << ',';
      out << R"("bar":)" << of(seat)[bar] << R"(,"off":)" << of(seat)[off] << '}';
    }
    out << R"(],"dice":[)";
    write_dice(out, ",");
    out << R"(],"turn":)";
    if (is_over() || dice_[0] == 0)
      out << "null";
    else
      out << mover_;
    out << R"(,"winner":)";
    if (winner() < 0)
      out << "null";
    else
      out << winner();
    out << '}';
  }

  bool valid() const {
    if (mover_ > 1 || opens_ > 1 || turns_ > turns_max) return false;
    for (int seat = 0; seat < 2; ++seat) {
      int sum = 0;
      for (const int count : of(seat)) sum += count;
      if (sum != checkers) return false;
    }
    if (of(0)[off] == checkers && of(1)[off] == checkers) return false;
    for (int point = 1; point <= points; ++point)
      if (of(0)[index(point)] > 0 && of(1)[index(from_other_side(point))] > 0) return false;
    if (opens_ != 0 && (turns_ != 0 || dice_[0] != 0)) return false;
    return has_valid_dice() && (dice_[0] == 0 || (!is_over() && most_steps() > 0));
  }

 private:
  // The number of checkers on each place, from `off` to `bar`, as their player numbers them.
  using places = std::array<std::uint8_t, bar + 1>;

  static std::size_t index(int place) { return static_cast<std::size_t>(place); }
  const places& of(int seat) const noexcept { return places_[index(seat)]; }

  static bool is_face(int n) { return n >= 1 && n <= faces; }
  // The number of a text of one or two digits without a leading 0, else 0.
  static int number(std::string_view text) {
    int out = 0;
    if (text.empty() || text.size() > 2 || text[0] == '0') return 0;
    const auto end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, out);
    return read.ec == std::errc{} && read.ptr == end && out > 0 && out <= points ? out : 0;
  }

  int winner() const noexcept {
    return of(0)[off] == checkers ? 0 : of(1)[off] == checkers ? 1 : -1;
  }
  bool is_over() const noexcept { return winner() >= 0 || turns_ == turns_max; }

  bool is_roll(int first, int second) const {
    return opens_ != 0 ? first != second : first >= second;
  }

  void take_dice(int first, int second) {
    if (opens_ != 0) mover_ = first > second ? 0 : 1;
    opens_ = 0;
    const auto high = static_cast<std::uint8_t>(std::max(first, second));
    const auto low = static_cast<std::uint8_t>(std::min(first, second));
    dice_ = {high, low, 0, 0};
    if (high == low) dice_ = {high, high, high, high};
    if (most_steps() == 0) end_turn();
  }

  void end_turn() {
    dice_ = {};
    ++turns_;
    mover_ = static_cast<std::uint8_t>(1 - mover_);
  }

  // True if the player to move can move a checker by a die, whatever the dice are.
  bool can_step(step s) const {
    const auto& own = of(mover_);
    if (own[index(s.from)] == 0 || (own[bar] > 0 && s.from != bar)) return false;
    if (s.to() != off) return of(1 - mover_)[index(from_other_side(s.to()))] <= 1;
    for (int place = home + 1; place <= bar; ++place)
      if (own[index(place)] > 0) return false;
    for (int place = s.from + 1; place <= home && s.die > s.from; ++place)
      if (own[index(place)] > 0) return false;
    return true;
  }

  // Requires: can_step(), and the die is left.
  void move(step s) {
    auto& own = places_[mover_];
    auto& other = places_[1U - mover_];
    --own[index(s.from)];
    ++own[index(s.to())];
    if (s.to() != off) {
      auto& hit = other[index(from_other_side(s.to()))];
      other[bar] = static_cast<std::uint8_t>(other[bar] + hit);
      hit = 0;
    }
    const auto used = std::find(dice_.begin(), dice_.end(), s.die);
    std::copy(used + 1, dice_.end(), used);
    dice_.back() = 0;
  }

  bool has_die(int die) const { return std::find(dice_.begin(), dice_.end(), die) != dice_.end(); }
  int dice_left() const {
    return static_cast<int>(std::find(dice_.begin(), dice_.end(), 0) - dice_.begin());
  }

  // Returns how many of the dice can be used, if no checker above `highest` moves. Equal dice are
  // tried from the highest place down only, because each order of the same steps is as good.
  int most_steps(int highest = bar) const {
    const int left = dice_left();
    int most = 0;
    for (int i = 0; i < left; ++i) {
      const int die = dice_[index(i)];
      if (i > 0 && dice_[index(i - 1)] == die) continue;
      for (int from = highest; from >= 1; --from) {
        if (!can_step({from, die})) continue;
        game next{*this};
        next.move({from, die});
        most = std::max(most, 1 + next.most_steps(dice_[0] == dice_[1] ? from : bar));
        if (most == left) return most;
      }
    }
    return most;
  }

  // A step must leave the use of as many other dice as possible, and use the higher one of two if
  // only one can be used. `most` is most_steps().
  bool is_legal(step s, int most) const {
    if (!has_die(s.die) || !can_step(s)) return false;
    game next{*this};
    next.move(s);
    if (1 + next.most_steps() < most) return false;
    if (most > 1 || dice_left() != 2 || s.die == dice_[0]) return true;
    for (int from = 1; from <= bar; ++from)
      if (can_step({from, dice_[0]})) return false;
    return true;
  }

  void write_dice(writer& out, std::string_view between) const {
    for (int i = 0; i < dice_left(); ++i)
      out << (i == 0 ? std::string_view{} : between) << dice_[index(i)];
  }

  // Descending, unused dice are 0. Three dice or more are equal.
  bool has_valid_dice() const {
    const int left = dice_left();
    for (int i = 0; i < 4; ++i) {
      const int die = dice_[index(i)];
      if (i >= left ? die != 0 : die > faces) return false;
      if (i > 0 && i < left && (die > dice_[index(i - 1)] || (left > 2 && die != dice_[0])))
        return false;
    }
    return true;
  }

  static constexpr places begun = [] {
    places out{};
    out[24] = 2, out[13] = 5, out[8] = 3, out[6] = 5;
    return out;
  }();

  std::array<places, 2> places_{begun, begun};
  std::array<std::uint8_t, 4> dice_{};  // Those that are left to use, descending; 0: none.
  std::uint8_t mover_ = 0;
  std::uint8_t opens_ = 1;  // 1: the roll that decides who begins comes next.
  std::uint16_t turns_ = 0;
};

}  // namespace gamehub::engines::backgammon

GAMEHUB_ENGINE(gamehub::engines::backgammon::game);
