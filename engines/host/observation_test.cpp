#include "engines/host/observation.hpp"

#include "engines/host/registry.hpp"
#include "engines/plugin.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

namespace gamehub::engines::host {
namespace {

// Plays at random until the condition holds for who is to move, which it returns.
struct random_play {
  random_play(std::string_view id, std::string options, int players, std::uint64_t seed)
      : rules(tests::built_in(id)),
        game{std::move(options), players, {}},
        now(std::get<match>(rules.create(game.options, players))),
        dice(seed) {}

  bool step() {
    if (now.over()) return false;
    const int mover = std::countr_zero(now.to_move());
    std::vector<action> legal;
    now.legal_actions(mover, legal);
    const auto a = mover == chance ? draws.draw(now, dice) : dice.one_of(legal);
    REQUIRE(now.apply(mover, a) == nullptr);
    game.plies.push_back({mover, a});
    return true;
  }

  engine rules;
  played_game game;
  match now;
  rng dice;
  draw_source draws;
};

// Finds matches for the seat to move at many moments of random games. Returns how many actions it
// applied in replays for one, on average.
std::size_t effort(std::string_view id, const std::string& options, int players, int games,
                   std::size_t every, std::size_t plies_max) {
  std::size_t calls = 0, found = 0, others = 0;
  constexpr std::size_t each_call = 256;
  for (int i = 0; i < games; ++i) {
    random_play play{id, options, players, static_cast<std::uint64_t>(i)};
    for (std::size_t ply = 0; play.step() && ply < plies_max; ++ply) {
      if (play.now.over() || play.now.at_chance() || ply % every != 0) continue;
      const int seat = std::countr_zero(play.now.to_move());
      const auto of = observe(play.rules, play.game, seat);
      sampler from{of, ply};
      for (int tries = 0; tries < 400; ++tries) {
        ++calls;
        const auto m = from.find(each_call);
        if (!m) continue;
        ++found;
        others += m->hash() != play.now.hash();
        CHECK(digest_of_view(*m, seat) == digest_of_view(play.now, seat));
        CHECK(m->to_move() == play.now.to_move());
        break;
      }
    }
  }
  INFO(id << ": " << found << " found, " << others << " other than the truth, in " << calls);
  CHECK(found > 0);
  CHECK(others > found / 2);
  return calls * each_call / std::max<std::size_t>(found, 1);
}

// Two rounds in which both players choose one of ten numbers. A view has the numbers of the rounds
// that have ended, so that it tells the first choice of a round, which only its player saw.
class two_rounds {
 public:
  static constexpr description about{.id = "two-rounds",
                                     .title = "Two Rounds",
                                     .perfect_information = false,
                                     .simultaneous = true,
                                     .actions_max = 10,
                                     .plies_max = 4,
                                     .actions_end = 10};
  seats to_move() const noexcept {
    seats out = 0;
    for (int seat = 0; seat < 2; ++seat)
      if (chosen(seat) == rounds() && rounds() < 2) out |= only(seat);
    return out;
  }
  void legal_actions(int, action_list& out) const {
    for (action a = 0; a < 10; ++a) out.add(a);
  }
  reason apply(int seat, action a) noexcept {
    if (a < 0 || a > 9) return reasons::out_of_bounds;
    choices_[static_cast<std::size_t>(seat * 2 + chosen(seat))] = static_cast<std::uint8_t>(a + 1);
    return nullptr;
  }
  seats audience(int seat, action) const {
    return chosen(1 - seat) > chosen(seat) ? everyone : only(seat);
  }
  void scores(std::span<double> out) const {
    out[0] = choices_[0] > choices_[2] ? 1 : -1;
    out[1] = -out[0];
  }
  void view(int viewer, writer& out) const {
    out << R"({"rounds":[)";
    for (int round = 0; round < 2; ++round)
      for (int seat = 0; seat < 2; ++seat) {
        const auto choice = choices_[static_cast<std::size_t>(seat * 2 + round)];
        out << (round + seat > 0 ? "," : "");
        out << (round < rounds() || seat == viewer ? choice : std::uint8_t{0});
      }
    out << "]}";
  }

 private:
  int chosen(int seat) const noexcept {
    const auto* own = &choices_[static_cast<std::size_t>(seat * 2)];
    return (own[0] != 0) + (own[1] != 0);
  }
  int rounds() const noexcept { return std::min(chosen(0), chosen(1)); }

  std::array<std::uint8_t, 4> choices_{};  // of the first player, then of the second; 0: none
};

TEST_CASE("observation: what a view shows later of a hidden action is the same in each match") {
  const auto rules = std::get<engine>(engine::adopt(&abi_adapter<two_rounds>::table));
  const played_game game{{}, 0, {{0, 3}, {1, 5}}};
  const auto of = observe(rules, game, 1);
  REQUIRE(of.events.size() == 2);
  CHECK(of.events.front().hidden);
  sampler from{of, 1};
  for (int i = 0; i < 10; ++i) {
    const auto m = from.find(10'000);
    REQUIRE(m);
    std::string view;
    m->view_json(1, view);
    CHECK(view == R"({"rounds":[4,6,0,0]})");
  }
}

TEST_CASE("observation: a sampler finds matches that the seat can't tell from the true one") {
  CHECK(effort("kuhn-poker", "", 0, 40, 1, 100) <= 256);
  CHECK(effort("battleship", "", 0, 2, 7, 60) < 5'000);
  CHECK(effort("oh-hell", "", 3, 2, 7, 200) < 20'000);
}

}  // namespace
}  // namespace gamehub::engines::host
