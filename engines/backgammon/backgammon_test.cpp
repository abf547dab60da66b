#include "engines/dice.hpp"
#include "engines/host/engine.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/played_match.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::engines::backgammon {
namespace {

using tests::legal;
using tests::mover;
using tests::play;
using tests::view;

host::match start() { return std::get<host::match>(tests::built_in("backgammon").create("")); }

// The checkers of both players as the view has them.
std::string checkers_of(const host::match& m) {
  const auto text = view(m);
  return text.substr(0, text.find(",\"dice\""));
}

// Checkers by place of their player: 0 is off, 25 the bar.
using side = std::map<int, int>;

std::string saved(const side& first, const side& second, int moves, std::array<int, 4> dice = {}) {
  std::string out;
  for (const auto* each : {&first, &second})
    for (int place = 0; place <= 25; ++place)
      out += static_cast<char>(each->contains(place) ? each->at(place) : 0);
  for (const int die : dice) out += static_cast<char>(die);
  return out + static_cast<char>(moves) + std::string(3, '\0');
}

host::match position(const side& first, const side& second, int moves) {
  auto m = tests::built_in("backgammon").load(saved(first, second, moves));
  REQUIRE(m);
  return std::move(*m);
}

TEST_CASE("backgammon: keeps the engine contract") {
  tests::check_engine_contract(tests::built_in("backgammon"), {.playouts = 3});
}

TEST_CASE("backgammon: the opening roll is one die of each, and each later roll two dice") {
  auto m = start();
  std::vector<action> rolls;
  std::vector<std::uint32_t> weights;
  m.chance_outcomes(rolls, weights);
  CHECK(rolls.size() == 30);
  CHECK(std::count(weights.begin(), weights.end(), weights[0]) == 30);
  CHECK(play(m, "4-4") == "4-4: not-a-roll");
  auto second = m.clone();
  CHECK(play(m, "6-1") == "");
  CHECK(m.to_move() == only(0));
  CHECK(play(second, "1-6") == "");
  CHECK(second.to_move() == only(1));
  CHECK(view(second) ==
        R"({"checkers":[{"6":5,"8":3,"13":5,"24":2,"bar":0,"off":0},)"
        R"({"6":5,"8":3,"13":5,"24":2,"bar":0,"off":0}],"dice":[6,1],"turn":1,"winner":null})");
  CHECK(play(m, "13/7 8/7") == "");
  m.chance_outcomes(rolls, weights);
  CHECK(rolls.size() == 21);
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < rolls.size(); ++i) {
    sum += weights[i];
    const auto text = m.to_text(rolls[i]);
    CHECK(weights[i] == (text[0] == text[2] ? 1 : 2));
  }
  CHECK(sum == 36);
  CHECK(play(m, "3-5") == "3-5: not-a-roll");
  CHECK(play(m, "5-3") == "");
  CHECK(m.to_move() == only(1));
}

TEST_CASE("backgammon: a checker moves by a die to a point that is not blocked") {
  auto m = start();
  CHECK(play(m, "6-5") == "");
  // The checkers of the other player on 24, 13, 8 and 6 are on 1, 12, 17 and 19 here.
  CHECK(legal(m) == "8/3 8/2 13/8 13/7 24/18");
  CHECK(play(m, "24/19") == "24/19: can-not-move");
  CHECK(play(m, "24/20") == "24/20: no-such-die");
  CHECK(play(m, "24/18") == "");
  CHECK(m.to_move() == only(0));
  CHECK(play(m, "18/13") == "");
  CHECK(checkers_of(m).starts_with(R"({"checkers":[{"6":5,"8":3,"13":6,"24":1,"bar":0,"off":0},)"));
  CHECK(m.at_chance());
}

TEST_CASE("backgammon: a single checker is hit, and enters before any other moves") {
  auto m = position({{8, 1}, {6, 14}}, {{20, 1}, {1, 14}}, 0);
  std::vector<double> pips(2);
  m.score(pips);
  CHECK(pips == std::vector<double>{92, 34});
  CHECK(play(m, "3-1 8/5") == "");
  CHECK(checkers_of(m).ends_with(R"({"1":14,"bar":1,"off":0}])"));
  m.score(pips);
  CHECK(pips == std::vector<double>{89, 39});
  CHECK(play(m, "5/4") == "");
  CHECK(play(m, "5-2") == "");
  CHECK(legal(m) == "bar/23 bar/20");
  CHECK(play(m, "6/1") == "6/1: can-not-move");
  CHECK(play(m, "bar/20") == "");
  CHECK(legal(m) == "20/18");
}

TEST_CASE("backgammon: a player who cannot enter passes") {
  auto m = position({{25, 1}, {1, 14}}, {{6, 2}, {5, 2}, {4, 2}, {3, 2}, {2, 2}, {1, 5}}, 0);
  CHECK(play(m, "6-5") == "");
  CHECK(m.at_chance());
  CHECK(play(m, "6-5") == "");
  CHECK(m.to_move() == only(1));
}

TEST_CASE("backgammon: both dice are used if that is possible, and else the higher one") {
  // Only 13/7 leaves a use of the 5.
  auto both = position({{20, 1}, {13, 1}, {0, 13}}, {{17, 2}, {16, 2}, {10, 2}, {24, 9}}, 0);
  CHECK(play(both, "6-5") == "");
  CHECK(legal(both) == "13/7");
  CHECK(play(both, "20/14") == "20/14: must-use-the-dice");
  CHECK(play(both, "13/7") == "");
  CHECK(legal(both) == "7/2");
  // After either die the other one is blocked.
  auto higher = position({{13, 1}, {0, 14}}, {{23, 2}, {24, 13}}, 0);
  CHECK(play(higher, "6-5") == "");
  CHECK(legal(higher) == "13/7");
  CHECK(play(higher, "13/8") == "13/8: must-use-the-dice");
  CHECK(play(higher, "13/7") == "");
  CHECK(higher.at_chance());
  auto lower = position({{13, 1}, {0, 14}}, {{23, 2}, {18, 2}, {24, 11}}, 0);
  CHECK(play(lower, "6-5") == "");
  CHECK(legal(lower) == "13/8");
}

TEST_CASE("backgammon: two equal dice are played four times") {
  auto m = start();
  CHECK(play(m, "6-1 13/7 8/7 3-3") == "");
  CHECK(view(m).find(R"("dice":[3,3,3,3])") != std::string::npos);
  CHECK(play(m, "24/21 24/21 13/10") == "");
  CHECK(m.to_move() == only(1));
  std::string summary;
  m.summary(summary);
  CHECK(summary == "The dice that are left: 3.");
  CHECK(play(m, "13/10") == "");
  CHECK(m.at_chance());
}

TEST_CASE("backgammon: checkers are borne off from home, and by a higher number from the highest") {
  auto m = position({{5, 2}, {2, 1}, {0, 12}}, {{1, 2}, {0, 13}}, 0);
  CHECK(play(m, "6-2") == "");
  CHECK(legal(m) == "2/off 5/3 5/off:6");
  CHECK(play(m, "2/off:6") == "2/off:6: can-not-move");
  CHECK(play(m, "5/off") == "5/off: no-such-die");
  for (const char* text :
       {"5",   "5/",   "/5",   "5/off:", "5/off:5", "5/off:7", "0/1",  "26/25", "bar/25", "bar/off",
        "5/0", "5/05", "05/1", "13/off", "7-1",     "6-0",     "6-11", "x",     "offf",   "5/offf"})
    CHECK(m.from_text(0, text).reason == std::string{"malformed"});
  CHECK(play(m, "5/off:6 2/off") == "");
  auto outside = position({{7, 1}, {5, 1}, {0, 13}}, {{1, 2}, {0, 13}}, 0);
  CHECK(play(outside, "5-4") == "");
  CHECK(legal(outside) == "5/1 7/3 7/2");
}

double stake_of(const side& loser) {
  auto m = position({{1, 1}, {0, 14}}, loser, 0);
  REQUIRE(play(m, "2-1 1/off:2") == "");
  REQUIRE(m.over());
  double scores[2];
  m.scores(scores);
  CHECK(scores[0] == -scores[1]);
  CHECK(view(m).ends_with(R"("turn":null,"winner":0})"));
  return scores[0];
}

TEST_CASE("backgammon: a gammon counts two, a backgammon three") {
  CHECK(stake_of({{23, 1}, {0, 14}}) == 1);
  CHECK(stake_of({{18, 1}, {1, 14}}) == 2);
  CHECK(stake_of({{19, 1}, {1, 14}}) == 3);
  CHECK(stake_of({{25, 1}, {1, 14}}) == 3);
}

// The rules once more, in another way: whole turns on an array, every order of the dice, and the
// longest ones counted.
struct table {
  std::array<std::array<int, 26>, 2> at{};
  auto operator<=>(const table&) const = default;
};

std::optional<table> stepped(table t, std::size_t seat, int from, int die) {
  auto& own = t.at[seat];
  auto& other = t.at[1 - seat];
  const auto f = static_cast<std::size_t>(from);
  if (own[f] == 0 || (own[25] > 0 && from != 25)) return std::nullopt;
  const int to = from - die;
  if (to <= 0) {
    int highest = 25;
    while (own[static_cast<std::size_t>(highest)] == 0) --highest;
    if (highest > 6 || (to < 0 && highest != from)) return std::nullopt;
    --own[f], ++own[0];
    return t;
  }
  auto& there = other[static_cast<std::size_t>(25 - to)];
  if (there > 1) return std::nullopt;
  other[25] += there;
  there = 0;
  --own[f], ++own[static_cast<std::size_t>(to)];
  return t;
}

struct turn {
  table end;
  std::vector<int> used;
  auto operator<=>(const turn&) const = default;
};

void all_turns(const turn& begun, std::size_t seat, std::vector<int> dice, std::set<turn>& out) {
  if (!out.insert(begun).second) return;
  if (dice.empty() || begun.end.at[seat][0] == 15) return;
  const int die = dice.front();
  dice.erase(dice.begin());
  for (int from = 1; from <= 25; ++from)
    if (const auto next = stepped(begun.end, seat, from, die)) {
      auto used = begun.used;
      used.push_back(die);
      all_turns({*next, used}, seat, dice, out);
    }
}

std::set<table> ends_of(const table& begun, std::size_t seat, int high, int low) {
  std::set<turn> all;
  if (high == low) {
    all_turns({begun, {}}, seat, {high, high, high, high}, all);
  } else {
    std::set<turn> other;
    all_turns({begun, {}}, seat, {high, low}, all);
    all_turns({begun, {}}, seat, {low, high}, other);
    all.merge(other);
  }
  std::size_t most = 0;
  int highest = 0;
  for (const auto& each : all) most = std::max(most, each.used.size());
  for (const auto& each : all)
    if (each.used.size() == most && most == 1) highest = std::max(highest, each.used[0]);
  std::set<table> out;
  for (const auto& each : all)
    if (each.used.size() == most && (most != 1 || each.used[0] == highest)) out.insert(each.end);
  return out;
}

table table_of(const host::match& m) {
  const auto bytes = m.save();
  table out;
  for (std::size_t seat = 0; seat < 2; ++seat)
    for (std::size_t place = 0; place <= 25; ++place)
      out.at[seat][place] = bytes[seat * 26 + place];
  return out;
}

void engine_ends(const host::match& m, int seat, std::set<std::string>& seen,
                 std::set<table>& out) {
  if (m.to_move() != only(seat)) {
    out.insert(table_of(m));
    return;
  }
  if (!seen.insert(m.save()).second) return;
  std::vector<action> all;
  m.legal_actions(seat, all);
  for (const auto a : all) {
    host::match next = m.clone();
    REQUIRE(next.apply(seat, a) == nullptr);
    engine_ends(next, seat, seen, out);
  }
}

TEST_CASE("backgammon: allows the turns that every order of the dice gives, and no other") {
  rng d{tests::seed_of_this_run()};
  INFO("GAMEHUB_SEED=" << tests::seed_of_this_run());
  int compared = 0;
  for (int game = 0; game < (tests::sanitized ? 2 : 10); ++game) {
    host::match m = start();
    std::vector<action> all;
    while (!m.over()) {
      const auto before = table_of(m);
      m.legal_actions(mover(m), all);
      const auto a = d.one_of(all);
      const bool rolls = m.at_chance();
      REQUIRE(m.apply(mover(m), a) == nullptr);
      if (!rolls || m.over() || m.at_chance()) continue;
      const auto text = m.to_text(a);
      const int seat = mover(m);
      std::set<std::string> seen;
      std::set<table> found;
      engine_ends(m, seat, seen, found);
      const int high = std::max(text[0], text[2]) - '0', low = std::min(text[0], text[2]) - '0';
      INFO(view(m));
      REQUIRE(found == ends_of(before, static_cast<std::size_t>(seat), high, low));
      ++compared;
    }
  }
  CHECK(compared > 50);
}

// The table of every book, such as Paul Magriel's "Backgammon" (1976): of the 36 rolls, how many
// hit a single checker at a distance where no point is blocked.
TEST_CASE("backgammon: as many of 36 rolls hit at each distance as are known") {
  const std::array<int, 25> known{0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3,
                                  0, 0,  1,  1,  0,  1,  0,  1, 0, 0, 0, 1};
  for (int distance = 1; distance < 25; ++distance) {
    // From the bar, with all others borne off.
    const auto m = position({{25, 1}, {0, 14}}, {{distance, 1}, {0, 14}}, 0);
    std::vector<action> rolls;
    std::vector<std::uint32_t> weights;
    m.chance_outcomes(rolls, weights);
    REQUIRE(rolls.size() == 21);
    int hits = 0;
    for (std::size_t i = 0; i < rolls.size(); ++i) {
      auto rolled = m.clone();
      REQUIRE(rolled.apply(chance, rolls[i]) == nullptr);
      std::set<std::string> seen;
      std::set<table> ends;
      engine_ends(rolled, 0, seen, ends);
      const auto is_hit = [](const table& t) { return t.at[1][25] == 1; };
      if (std::any_of(ends.begin(), ends.end(), is_hit)) hits += static_cast<int>(weights[i]);
    }
    INFO(distance);
    CHECK(hits == known[static_cast<std::size_t>(distance)]);
  }
}

TEST_CASE("backgammon: a roll moves by eight pips and a sixth on average") {
  // Two numbers of 3 1/2 each, and four in place of two for the six equal pairs.
  const auto m = position({{8, 1}, {6, 14}}, {{20, 1}, {1, 14}}, 0);
  std::vector<action> rolls;
  std::vector<std::uint32_t> weights;
  m.chance_outcomes(rolls, weights);
  double pips = 0;
  for (std::size_t i = 0; i < rolls.size(); ++i) {
    const auto text = m.to_text(rolls[i]);
    const double sum = text[0] + text[2] - 2 * '0';
    pips += weights[i] * (text[0] == text[2] ? 2 * sum : sum) / 36.0;
  }
  CHECK(pips == Approx(8 + 1.0 / 6));
}

TEST_CASE("backgammon: loads no position that breaks the rules") {
  const auto rules = tests::built_in("backgammon");
  const side first{{24, 2}, {13, 5}, {8, 3}, {6, 5}};
  const auto loads = [&](const std::string& bytes) { return rules.load(bytes).has_value(); };
  CHECK(loads(saved(first, first, 0)));
  CHECK(loads(saved(first, first, 1, {6, 5, 0, 0})));
  CHECK(loads(saved(first, first, 1, {3, 3, 3, 0})));
  CHECK_FALSE(loads(saved(first, first, 2)));
  CHECK_FALSE(loads(saved(first, first, 0, {5, 6, 0, 0})));
  CHECK_FALSE(loads(saved(first, first, 0, {7, 6, 0, 0})));
  CHECK_FALSE(loads(saved(first, first, 0, {0, 6, 0, 0})));
  CHECK_FALSE(loads(saved(first, first, 0, {6, 5, 4, 0})));
  CHECK_FALSE(loads(saved({{24, 2}, {13, 5}, {8, 3}, {6, 6}}, first, 0)));  // Sixteen.
  CHECK_FALSE(loads(saved({{24, 2}, {12, 5}, {8, 3}, {6, 5}}, first, 0)));  // Both on a point.
  CHECK_FALSE(loads(saved({{0, 15}}, {{0, 15}}, 0)));
  CHECK_FALSE(loads(saved({{0, 15}}, first, 1, {6, 5, 0, 0})));  // Dice after the end.
  // Dice that can't be used.
  CHECK_FALSE(loads(saved({{25, 1}, {1, 14}}, {{6, 2}, {5, 2}, {4, 2}, {3, 2}, {2, 2}, {1, 5}}, 0,
                          {6, 5, 0, 0})));
}

TEST_CASE("backgammon: plays the game that is kept beside it") {
  const auto now = tests::playthrough(tests::built_in("backgammon"), 1);
  CHECK(tests::kept_playthrough(GAMEHUB_ENGINES_DIR "/backgammon/playthrough.txt", now) == now);
}

}  // namespace
}  // namespace gamehub::engines::backgammon
