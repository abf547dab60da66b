#include "engines/host/secret_search.hpp"

#include "engines/plugin.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/spoiled_engine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gamehub::engines::host {
namespace {

template <class Class>
engine engine_of() {
  return std::get<engine>(engine::adopt(&abi_adapter<Class>::table));
}

// A built-in engine without its player.
engine without_player(const std::string& id) {
  return tests::spoiled_engine(id, id + "-alone", [](gamehub_engine_abi& abi) {
    abi.extension = [](const char*) -> const void* { return nullptr; };
  });
}

action chosen_by(const observation& of, std::uint64_t seed, std::uint64_t playouts = 300,
                 level skill = level::perfect) {
  return search_secrets(of, {skill, seed, {}}, {playouts, {}});
}

// How often each action is chosen with these seeds.
std::map<action, int> choices(const observation& of, int seeds, std::uint64_t playouts) {
  std::map<action, int> out;
  for (int seed = 0; seed < seeds; ++seed)
    ++out[chosen_by(of, static_cast<std::uint64_t>(seed), playouts)];
  return out;
}

// Of the cards 1 to 5 one is dealt to each player, which sees it alone, and one is turned up. The
// first player says whether the card of the other is lower (6) or higher (7) than its card.
class guess {
 public:
  static constexpr description about{.id = "guess",
                                     .title = "Guess",
                                     .perfect_information = false,
                                     .has_chance = true,
                                     .actions_max = 5,
                                     .plies_max = 4,
                                     .actions_end = 8};
  static constexpr action lower = 6, higher = 7;

  seats to_move() const noexcept {
    if (dealt() < 3) return only(chance);
    return said_ == 0 ? only(0) : 0;
  }
  void legal_actions(int seat, action_list& out) const {
    if (seat == chance) {
      for (std::uint8_t card = 1; card <= 5; ++card)
        if (!is_dealt(card)) out.add(card);
    } else {
      out.add(lower);
      out.add(higher);
    }
  }
  reason apply(int seat, action a) noexcept {
    if (seat == chance) {
      if (a < 1 || a > 5) return reasons::out_of_bounds;
      if (is_dealt(static_cast<std::uint8_t>(a))) return "card-is-dealt";
      cards_[static_cast<std::size_t>(dealt())] = static_cast<std::uint8_t>(a);
    } else {
      if (a != lower && a != higher) return reasons::out_of_bounds;
      said_ = static_cast<std::uint8_t>(a);
    }
    return nullptr;
  }
  seats audience(int seat, action) const {
    return seat == chance && dealt() < 2 ? only(dealt()) : everyone;
  }
  void scores(std::span<double> out) const {
    out[0] = (said_ == lower) == (cards_[1] < cards_[0]) ? 1 : -1;
    out[1] = -out[0];
  }
  void view(int viewer, writer& out) const {
    out << R"({"card":)" << (viewer == spectator ? 0 : cards_[static_cast<std::size_t>(viewer)] + 0)
        << R"(,"up":)" << cards_[2] << R"(,"said":)" << said_ << '}';
  }
  bool valid() const {
    for (std::size_t i = 0; i < 3; ++i) {
      if (cards_[i] > 5 || (i > 0 && cards_[i] != 0 && cards_[i - 1] == 0)) return false;
      for (std::size_t j = 0; j < i; ++j)
        if (cards_[i] != 0 && cards_[i] == cards_[j]) return false;
    }
    return said_ == 0 || (dealt() == 3 && (said_ == lower || said_ == higher));
  }

 private:
  int dealt() const noexcept {
    int count = 0;
    for (const auto card : cards_) count += card != 0;
    return count;
  }
  bool is_dealt(std::uint8_t card) const noexcept {
    return card == cards_[0] || card == cards_[1] || card == cards_[2];
  }

  std::array<std::uint8_t, 3> cards_{};  // 0: not dealt
  std::uint8_t said_ = 0;
};

played_game dealt(action own, action other, action up) {
  return {{}, 0, {{chance, own}, {chance, other}, {chance, up}}};
}

TEST_CASE("secret_search: the game of hidden cards keeps the engine contract") {
  tests::check_engine_contract(engine_of<guess>());
}

TEST_CASE("secret_search: takes what is best for what the seat knows, whatever is hidden") {
  const auto rules = engine_of<guess>();
  for (action own = 1; own <= 5; ++own)
    for (action up = 1; up <= 5; ++up) {
      if (up == own) continue;
      int below = 0, above = 0;
      for (action other = 1; other <= 5; ++other)
        if (other != own && other != up) ++(other < own ? below : above);
      for (action other = 1; other <= 5; ++other) {
        if (other == own || other == up) continue;
        const auto of = observe(rules, dealt(own, other, up), 0);
        INFO(own << ' ' << other << ' ' << up);
        CHECK(chosen_by(of, 1) == (below > above ? guess::lower : guess::higher));
      }
    }
}

TEST_CASE("secret_search: an observation of two games that the seat can't tell apart is the same") {
  const auto rules = engine_of<guess>();
  const auto same = [](const observation& a, const observation& b) {
    if (a.legal != b.legal || a.events.size() != b.events.size()) return false;
    for (std::size_t i = 0; i < a.events.size(); ++i) {
      const auto &x = a.events[i], &y = b.events[i];
      if (x.mover != y.mover || x.hidden != y.hidden || x.what != y.what || x.view != y.view)
        return false;
    }
    return true;
  };
  const auto one = observe(rules, dealt(3, 1, 2), 0);
  CHECK(one.events[1].hidden);
  CHECK(one.events[1].what == 0);
  CHECK(same(one, observe(rules, dealt(3, 4, 2), 0)));
  CHECK(same(one, observe(rules, dealt(3, 5, 2), 0)));
  CHECK_FALSE(same(one, observe(rules, dealt(3, 4, 1), 0)));
  CHECK_FALSE(same(one, observe(rules, dealt(4, 1, 2), 0)));
}

// The first round of Oh Hell for three: a card for each, the first one of seat 1, which bids first.
played_game round_of_oh_hell(action second, action third) {
  return {{}, 3, {{chance, 20}, {chance, second}, {chance, third}, {chance, 7}}};
}

TEST_CASE("secret_search: the choice does not depend on the secrets of the others") {
  const auto cards = without_player("oh-hell");
  const auto battle = without_player("battleship");
  const auto guesses = engine_of<guess>();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto bid = chosen_by(observe(cards, round_of_oh_hell(1, 2), 1), seed, 30);
    CHECK(bid == chosen_by(observe(cards, round_of_oh_hell(2, 1), 1), seed, 30));
    CHECK(bid == chosen_by(observe(cards, round_of_oh_hell(51, 33), 1), seed, 30));
    const auto said = chosen_by(observe(guesses, dealt(3, 1, 2), 0), seed, 5);
    CHECK(said == chosen_by(observe(guesses, dealt(3, 4, 2), 0), seed, 5));
    CHECK(said == chosen_by(observe(guesses, dealt(3, 5, 2), 0), seed, 5));
  }
  // The second player begins to place its ships, and the first has placed all in either way.
  const auto placed = [&](bool last) {
    played_game game;
    match m = std::get<match>(battle.create({}));
    std::vector<action> legal;
    while (m.to_move() == only(0)) {
      m.legal_actions(0, legal);
      game.plies.push_back({0, last ? legal.back() : legal.front()});
      REQUIRE(m.apply(0, game.plies.back().what) == nullptr);
    }
    return game;
  };
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    CHECK(chosen_by(observe(battle, placed(false), 1), seed, 10) ==
          chosen_by(observe(battle, placed(true), 1), seed, 10));
}

TEST_CASE("secret_search: the choice is the same for a seed, and varies with it") {
  const auto of = observe(without_player("kuhn-poker"), {{}, 0, {{chance, 12}, {chance, 11}}}, 0);
  std::set<action> seen;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto a = chosen_by(of, seed, 10);
    CHECK(a == chosen_by(of, seed, 10));
    seen.insert(a);
  }
  CHECK(seen.size() == 2);
}

TEST_CASE("secret_search: rock, paper and scissors are chosen about equally often") {
  const auto rules = tests::built_in("rock-paper-scissors");
  for (const int seat : {0, 1}) {
    // The choice of the other, which is hidden, changes nothing.
    const auto of =
        observe(rules, {{}, 0, seat == 0 ? std::vector<ply>{} : std::vector<ply>{{0, 2}}}, seat);
    CHECK(of.events.empty());
    for (const auto& [a, times] : choices(of, 300, 200)) {
      INFO(seat << ": " << a << ' ' << times);
      CHECK(times > 70);
      CHECK(times < 130);
    }
  }
}

// Rock, paper, scissors where rock wins two points. In the only equilibrium half of the choices are
// paper: it is worth p - 2s, so that with r, p, s the worths 2s - p, r - s and p - 2r are all 0.
class heavy_rock {
 public:
  static constexpr description about{.id = "heavy-rock",
                                     .title = "Heavy Rock",
                                     .perfect_information = false,
                                     .simultaneous = true,
                                     .actions_max = 3,
                                     .plies_max = 2,
                                     .actions_end = 3};
  seats to_move() const noexcept {
    return (choices_[0] == none ? only(0) : 0) | (choices_[1] == none ? only(1) : 0);
  }
  void legal_actions(int, action_list& out) const {
    for (action a = 0; a < 3; ++a) out.add(a);
  }
  reason apply(int seat, action a) noexcept {
    if (a < 0 || a > 2) return reasons::out_of_bounds;
    choices_[static_cast<std::size_t>(seat)] = static_cast<std::uint8_t>(a);
    return nullptr;
  }
  seats audience(int seat, action) const {
    return choices_[1U - static_cast<unsigned>(seat)] == none ? only(seat) : everyone;
  }
  void scores(std::span<double> out) const {
    const int lead = (choices_[0] - choices_[1] + 3) % 3;
    const auto winner = lead == 1 ? 0U : 1U;
    out[winner] = lead == 0 ? 0 : choices_[winner] == 0 ? 2 : 1;
    out[1 - winner] = -out[winner];
  }
  void view(int viewer, writer& out) const {
    out << R"({"own":)"
        << (viewer == spectator ? none + 0 : choices_[static_cast<std::size_t>(viewer)] + 0) << '}';
  }
  bool valid() const { return choices_[0] <= none && choices_[1] <= none; }

 private:
  static constexpr std::uint8_t none = 3;
  std::array<std::uint8_t, 2> choices_{none, none};
};

TEST_CASE("secret_search: a simultaneous choice is drawn from the mixture of the equilibrium") {
  auto found = choices(observe(engine_of<heavy_rock>(), {}, 0), 400, 500);
  INFO(found[0] << ' ' << found[1] << ' ' << found[2]);
  CHECK(found[1] > 160);
  CHECK(found[1] < 240);
  CHECK(found[0] > 60);
  CHECK(found[0] < 140);
}

TEST_CASE("secret_search: ends when its time is up, also while it looks for a match") {
  const auto of = observe(without_player("oh-hell"), round_of_oh_hell(1, 2), 1);
  for (const int enough : {0, 1, 30}) {
    int asked = 0;
    const auto a = search_secrets(of, {}, {1'000'000, [&] { return ++asked > enough; }});
    CHECK(asked == enough + 1);
    CHECK(std::count(of.legal.begin(), of.legal.end(), a) == 1);
  }
  // The level medium has fewer playouts than are allowed.
  int asked = 0;
  search_secrets(of, {level::medium, 1, {}}, {1'000'000, [&] { return ++asked, false; }});
  CHECK(asked == medium_playouts_max);
}

// Two hidden draws of 1,000, and a view that shows their product to all: no replay has the same.
class product {
 public:
  static constexpr int draws = 1'000;
  static constexpr description about{.id = "product",
                                     .title = "Product",
                                     .perfect_information = false,
                                     .has_chance = true,
                                     .actions_max = draws,
                                     .plies_max = 3,
                                     .actions_end = draws};
  seats to_move() const noexcept {
    if (second_ == 0) return only(chance);
    return chosen_ == 0 ? only(0) : 0;
  }
  void legal_actions(int seat, action_list& out) const {
    for (action a = 0; a < (seat == chance ? draws : 4); ++a) out.add(a);
  }
  reason apply(int seat, action a) noexcept {
    if (a < 0 || a >= (seat == chance ? draws : 4)) return reasons::out_of_bounds;
    auto& to = seat != chance ? chosen_ : first_ == 0 ? first_ : second_;
    to = static_cast<std::uint32_t>(a + 1);
    return nullptr;
  }
  seats audience(int seat, action) const { return seat == chance ? only(1) : everyone; }
  void scores(std::span<double> out) const { out[0] = out[1] = 0; }
  void view(int, writer& out) const {
    out << R"({"product":)" << first_ * 1'000'003ULL * second_ << R"(,"chosen":)" << chosen_ << '}';
  }

 private:
  std::uint32_t first_ = 0, second_ = 0, chosen_ = 0;
};

TEST_CASE("secret_search: plays at random where no match agrees with what the seat sees") {
  const played_game game{{}, 0, {{chance, 345}, {chance, 234}}};
  auto found = choices(observe(engine_of<product>(), game, 0), 60, 1);
  CHECK(found.size() == 4);
  for (const auto& each : found) CHECK(each.second > 5);
}

TEST_CASE("search: which engines it plays, and which need the game from its start") {
  const auto all = registry::built_in();
  for (const auto& rules : all.all()) {
    INFO(rules.id());
    CHECK(can_search(rules));
    CHECK(levels_of(rules).size() == 3);
    CHECK(needs_played_game(rules) == (rules.id() == "rock-paper-scissors"));
  }
  CHECK(needs_played_game(without_player("oh-hell")));
  CHECK_FALSE(needs_played_game(without_player("tictactoe")));
  const auto is_long = tests::spoiled_engine(
      "rock-paper-scissors", "long", [](auto& abi) { abi.plies_max = played_plies_max + 1; });
  CHECK(levels_of(is_long).size() == 1);
  CHECK_FALSE(needs_played_game(is_long));
  // Without the game it plays at random.
  std::set<action> seen;
  const auto rules = tests::built_in("rock-paper-scissors");
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    seen.insert(
        choose_action(rules, std::get<match>(rules.create({})), 0, {level::perfect, seed, {}}));
  CHECK(seen.size() == 3);
}

}  // namespace
}  // namespace gamehub::engines::host
