#include "engines/host/engine.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace gamehub::engines::kuhn_poker {
namespace {

host::match start() { return std::get<host::match>(tests::built_in("kuhn-poker").create("")); }

int mover(const host::match& m) { return m.at_chance() ? chance : m.to_move() == only(0) ? 0 : 1; }

host::match after(const std::vector<const char*>& words) {
  host::match m = start();
  for (const char* word : words) {
    const auto a = m.from_text(mover(m), word);
    REQUIRE(a.reason == nullptr);
    REQUIRE(m.apply(mover(m), a.value) == nullptr);
  }
  return m;
}

std::string view(const host::match& m, int viewer) {
  std::string out;
  m.view_json(viewer, out);
  return out;
}

double chips_of_first(const host::match& m) {
  REQUIRE(m.over());
  double scores[2];
  m.scores(scores);
  CHECK(scores[0] + scores[1] == 0);
  return scores[0];
}

void count_endings(const host::match& m, int& endings, double& chips) {
  if (m.over()) {
    ++endings;
    chips += chips_of_first(m);
    return;
  }
  std::vector<action> legal;
  m.legal_actions(mover(m), legal);
  for (const auto a : legal) {
    host::match next = m.clone();
    next.apply(mover(m), a);
    count_endings(next, endings, chips);
  }
}

TEST_CASE("kuhn_poker: keeps the engine contract") {
  tests::check_engine_contract(tests::built_in("kuhn-poker"), {.playouts = 200});
}

TEST_CASE("kuhn_poker: the engine player bets as often as an equilibrium does") {
  struct decision {
    std::vector<const char*> after;
    double bets;
  };
  const std::vector<decision> table{
      {{"jack", "queen"}, 1.0 / 3},
      {{"queen", "jack"}, 0},
      {{"king", "jack"}, 1},
      {{"queen", "jack", "pass"}, 1.0 / 3},
      {{"jack", "queen", "pass"}, 0},
      {{"jack", "king", "pass"}, 1},
      {{"queen", "jack", "bet"}, 0},
      {{"jack", "queen", "bet"}, 1.0 / 3},
      {{"jack", "king", "bet"}, 1},
      {{"jack", "king", "pass", "bet"}, 0},
      {{"queen", "king", "pass", "bet"}, 2.0 / 3},
      {{"king", "queen", "pass", "bet"}, 1},
  };
  constexpr int seeds = 3'000;
  for (const auto& each : table) {
    const auto m = after(each.after);
    const auto bets = [&](level skill) {
      double out = 0;
      for (std::uint64_t seed = 0; seed < seeds; ++seed)
        out += static_cast<double>(*m.choose(mover(m), {skill, seed, {}})) / seeds;
      return out;
    };
    INFO(each.after[0] << ' ' << each.after[1] << ", " << each.after.size() - 2 << " actions");
    CHECK(bets(level::perfect) == Approx(each.bets).margin(0.03));
    CHECK(bets(level::medium) == Approx((each.bets + 0.5) / 2).margin(0.03));
    CHECK(bets(level::random) == Approx(0.5).margin(0.03));
  }
}

TEST_CASE("kuhn_poker: has six deals of five endings each") {
  int endings = 0;
  double chips = 0;
  count_endings(start(), endings, chips);
  CHECK(endings == 30);
  // Each showdown has a deal that turns it around; of the two folds one goes to each player.
  CHECK(chips == 0);
}

// A strategy: the probability of a bet for what a seat sees.
using strategy = std::map<std::string, double>;

// The expected chips of the first player.
double expected(const host::match& m, const std::array<strategy, 2>& play) {
  if (m.over()) return chips_of_first(m);
  std::vector<action> legal;
  m.legal_actions(mover(m), legal);
  double out = 0;
  for (const auto a : legal) {
    const int seat = mover(m);
    double p = 1 / static_cast<double>(legal.size());
    if (seat != chance) {
      const double bets = play[static_cast<std::size_t>(seat)].at(view(m, seat));
      p = m.to_text(a) == "bet" ? bets : 1 - bets;
    }
    if (p == 0) continue;
    host::match next = m.clone();
    next.apply(seat, a);
    out += p * expected(next, play);
  }
  return out;
}

// Adds what the seats see where they move, with the bets of an equilibrium: those of Harold Kuhn,
// "A simplified two-person poker" (1950), where the first player bluffs with a third of its jacks.
void read_equilibrium(const host::match& m, std::array<strategy, 2>& out) {
  if (m.over()) return;
  const int seat = mover(m);
  std::vector<action> legal;
  m.legal_actions(seat, legal);
  if (seat != chance) {
    const auto shown = view(m, seat);
    const auto has = [&](const char* part) { return shown.find(part) != std::string::npos; };
    const bool answers = has(R"("bet"],)");
    double bets = has("king") ? 1 : 0;
    if (has("jack")) bets = answers ? 0 : 1.0 / 3;
    if (has("queen") && answers) bets = seat == 0 ? 2.0 / 3 : 1.0 / 3;
    out[static_cast<std::size_t>(seat)][shown] = bets;
  }
  for (const auto a : legal) {
    host::match next = m.clone();
    next.apply(seat, a);
    read_equilibrium(next, out);
  }
}

TEST_CASE("kuhn_poker: is worth a chip in 18 games to the second player, against any play") {
  std::array<strategy, 2> equilibrium;
  read_equilibrium(start(), equilibrium);
  constexpr double worth = -1.0 / 18;
  CHECK(expected(start(), equilibrium) == Approx(worth));
  for (const std::size_t seat : {0U, 1U}) {
    auto play = equilibrium;
    REQUIRE(play[seat].size() == 6);
    for (unsigned pure = 0; pure < 1U << 6; ++pure) {
      unsigned i = 0;
      for (auto& [shown, bets] : play[seat]) bets = (pure >> i++ & 1U) != 0 ? 1 : 0;
      const double found = expected(start(), play);
      CHECK((seat == 0 ? found < worth + 1e-9 : found > worth - 1e-9));
    }
  }
}

TEST_CASE("kuhn_poker: loads exactly the states that the rules reach") {
  const auto rules = tests::built_in("kuhn-poker");
  int loaded = 0;
  for (int bytes = 0; bytes < 16 * 16 * 8 * 16; ++bytes) {
    const char saved[4] = {static_cast<char>(bytes & 15), static_cast<char>(bytes >> 4 & 15),
                           static_cast<char>(bytes >> 8 & 7), static_cast<char>(bytes >> 11 & 15)};
    loaded += rules.load({saved, sizeof saved}).has_value();
  }
  // No card, one card, and six deals after nothing, one action, two, and the third after pass and
  // bet.
  CHECK(loaded == 1 + 3 + 6 * (1 + 2 + 4 + 2));
}

TEST_CASE("kuhn_poker: draws two cards without putting the first back") {
  host::match m = start();
  std::vector<action> cards;
  std::vector<std::uint32_t> weights;
  m.chance_outcomes(cards, weights);
  CHECK(cards == std::vector<action>{11, 12, 13});
  CHECK(weights == std::vector<std::uint32_t>{1, 1, 1});
  CHECK(m.audience(chance, 12) == only(0));
  REQUIRE(m.apply(chance, 12) == nullptr);
  m.chance_outcomes(cards, weights);
  CHECK(cards == std::vector<action>{11, 13});
  CHECK(weights == std::vector<std::uint32_t>{1, 1});
  CHECK(m.apply(chance, 12) == std::string{"card-is-dealt"});
  CHECK(m.apply(0, 1) == std::string{"not-your-turn"});
  REQUIRE(m.apply(chance, 11) == nullptr);
  m.chance_outcomes(cards, weights);
  CHECK(cards.empty());
  CHECK(m.to_move() == only(0));
}

TEST_CASE("kuhn_poker: pays one chip without a bet, two after a call, the ante after a fold") {
  CHECK(chips_of_first(after({"king", "jack", "pass", "pass"})) == 1);
  CHECK(chips_of_first(after({"jack", "queen", "pass", "pass"})) == -1);
  CHECK(chips_of_first(after({"king", "jack", "bet", "bet"})) == 2);
  CHECK(chips_of_first(after({"queen", "king", "bet", "bet"})) == -2);
  CHECK(chips_of_first(after({"jack", "king", "bet", "pass"})) == 1);
  CHECK(chips_of_first(after({"king", "jack", "pass", "bet", "pass"})) == -1);
  CHECK(chips_of_first(after({"king", "jack", "pass", "bet", "bet"})) == 2);
}

TEST_CASE("kuhn_poker: shows each player the own card alone until the showdown") {
  const host::match m = after({"king", "jack", "pass"});
  CHECK(view(m, 0) == R"({"cards":["king",null],"actions":["pass"],"pot":2,"winner":null})");
  CHECK(view(m, 1) == R"({"cards":[null,"jack"],"actions":["pass"],"pot":2,"winner":null})");
  CHECK(view(m, spectator) == R"({"cards":[null,null],"actions":["pass"],"pot":2,"winner":null})");
  CHECK(view(after({"king", "jack", "bet", "bet"}), spectator) ==
        R"({"cards":["king","jack"],"actions":["bet","bet"],"pot":4,"winner":0})");
}

TEST_CASE("kuhn_poker: keeps the cards hidden after a fold") {
  const host::match m = after({"king", "jack", "bet", "pass"});
  CHECK(view(m, spectator) ==
        R"({"cards":[null,null],"actions":["bet","pass"],"pot":3,"winner":0})");
  CHECK(view(m, 1) == R"({"cards":[null,"jack"],"actions":["bet","pass"],"pot":3,"winner":0})");
}

TEST_CASE("kuhn_poker: reads actions by their word") {
  const host::match m = after({"king", "jack"});
  CHECK(m.from_json(0, R"({"type":"move","action":"bet"})").value == 1);
  CHECK(m.to_json(1) == R"({"type":"move","action":"bet"})");
  CHECK(m.from_json(0, R"({"action":1})").reason == std::string{"malformed"});
  CHECK(m.from_text(0, "raise").reason == std::string{"malformed"});
}

TEST_CASE("kuhn_poker: plays the game that is kept beside it") {
  const auto now = tests::playthrough(tests::built_in("kuhn-poker"), 1);
  CHECK(tests::kept_playthrough(GAMEHUB_ENGINES_DIR "/kuhn_poker/playthrough.txt", now) == now);
}

}  // namespace
}  // namespace gamehub::engines::kuhn_poker
