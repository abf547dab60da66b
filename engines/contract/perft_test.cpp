#include "engines/contract/perft.hpp"

#include "engines/plugin.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <vector>

namespace gamehub::engines::contract {
namespace {

using numbers = std::vector<std::uint64_t>;

TEST_CASE("perft: counts the ways to play tic-tac-toe, of which 255,168 end") {
  const auto rows = perft(tests::built_in("tictactoe"), {}, 9);
  numbers found;
  std::uint64_t ended = 0;
  for (const auto& row : rows) {
    found.push_back(row.nodes);
    ended += row.ended;
  }
  CHECK(found == numbers{1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872});
  CHECK(ended == 255168);
}

TEST_CASE("perft: counts with options") {
  // Two heaps of 1 and 3 stones: 4 ways to begin.
  CHECK(tests::games_of_each_length(tests::built_in("nim"), 1, {R"({"heaps":2})", 0}) ==
        numbers{1, 4});
}

// Throws a coin and then says yes or no, twice.
class coin {
 public:
  static constexpr description about{.id = "coin",
                                     .title = "Coin",
                                     .players_min = 1,
                                     .players_max = 1,
                                     .has_chance = true,
                                     .actions_max = 3,
                                     .plies_max = 4,
                                     .actions_end = 3};
  seats to_move() const noexcept {
    if (plies_ == 4) return 0;
    return plies_ % 2 == 0 ? only(chance) : only(0);
  }
  void legal_actions(int seat, action_list& out) const {
    for (action a = 0; a < (seat == chance ? 3 : 2); ++a) out.add(a);
  }
  reason apply(int seat, action a) noexcept {
    if (a < 0 || a >= (seat == chance ? 3 : 2)) return reasons::out_of_bounds;
    ++plies_;
    return nullptr;
  }
  void scores(std::span<double> out) const { out[0] = 0; }
  void view(int, writer& out) const { out << "{\"plies\":" << plies_ << '}'; }
  bool valid() const { return plies_ <= 4; }

 private:
  std::uint8_t plies_ = 0;
};

TEST_CASE("perft: counts each draw of chance as one") {
  const auto rules = std::get<host::engine>(host::engine::adopt(&abi_adapter<coin>::table));
  CHECK_FALSE(uncountable(rules));
  CHECK(tests::games_of_each_length(rules, 4) == numbers{1, 3, 6, 18, 36});
}

TEST_CASE("perft: says why it can't count") {
  CHECK(uncountable(tests::built_in("rock-paper-scissors")) == "its players move at the same time");
  CHECK(uncountable(tests::built_in("kuhn-poker")) == "it has hidden information");
}

}  // namespace
}  // namespace gamehub::engines::contract
