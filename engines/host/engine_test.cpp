#include "engines/host/engine.hpp"

#include "engines/host/registry.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace gamehub::engines::host {
namespace {

const gamehub_engine_abi& tictactoe() {
  for (const auto* abi : built_in_engines())
    if (std::string{abi->id} == "tictactoe") return *abi;
  throw std::out_of_range("tictactoe");
}

// A player as ABI 1.0 had it, followed by bytes that are not its own.
struct old_player {
  std::uint32_t struct_size;
  std::uint32_t immediate;
  gamehub_reason (*choose)(const gamehub_match*, std::int32_t, std::uint64_t, std::int64_t*);
  std::uintptr_t not_its_own;
};

TEST_CASE("engine: asks a player of ABI 1.0, which knows no style") {
  static const old_player player{
      .struct_size = offsetof(old_player, not_its_own),
      .immediate = 1,
      .choose = [](const gamehub_match*, std::int32_t, std::uint64_t,
                   std::int64_t* out) -> gamehub_reason { return *out = 7, nullptr; },
      .not_its_own = 1};
  static gamehub_engine_abi abi = tictactoe();
  abi.abi_minor = 0;
  abi.extension = [](const char* id) -> const void* {
    return std::string_view{id} == GAMEHUB_PLAYER ? &player : nullptr;
  };
  const auto rules = std::get<engine>(engine::adopt(&abi));
  const match m = std::get<match>(rules.create(""));
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    CHECK(m.choose(0, {level::perfect, seed, {}}) == action{7});
  CHECK(m.choose(0, {level::random, 1, {}}).has_value());
}

TEST_CASE("engine: says what it was told by the description") {
  const auto rules = tests::built_in("tictactoe");
  CHECK(rules.title() == "Tic-Tac-Toe");
  CHECK(rules.version_text() == "1.0.0");
  CHECK(rules.players_min() == 2);
  CHECK(rules.players_max() == 2);
  CHECK(rules.perfect_information());
  CHECK_FALSE(rules.simultaneous());
  CHECK_FALSE(rules.has_chance());
  CHECK(rules.options_schema().empty());
  CHECK(rules.mark(0) == 'X');
  CHECK(rules.mark(1) == 'O');
  CHECK(rules.mark(2) == '-');
  CHECK(rules.mark(-1) == '-');
}

TEST_CASE("engine: refuses options that there are not") {
  const auto rules = tests::built_in("tictactoe");
  CHECK(std::holds_alternative<match>(rules.create("")));
  CHECK(std::holds_alternative<match>(rules.create(" {} ")));
  CHECK(std::get<std::string>(rules.create(R"({"side":4})")) == "unknown-option");
  CHECK(std::get<std::string>(rules.create("side")) == "malformed");
  CHECK(std::get<std::string>(rules.create("", 3)) == "wrong-number-of-players");
}

TEST_CASE("engine: a match can be moved, and an engine without cells has an empty board") {
  match a = std::get<match>(tests::built_in("tictactoe").create(""));
  a.apply(0, 4);
  const auto hash = a.hash();
  match b = std::move(a);
  CHECK(b.hash() == hash);
  match c = b.clone();
  c.apply(1, 0);
  b = std::move(c);
  CHECK(b.to_move() == only(0));
  CHECK(b.cells() == grid{3, 3});

  const match no_board = std::get<match>(tests::built_in("kuhn-poker").create(""));
  CHECK(no_board.cells() == grid{});
  CHECK(no_board.at_cell(0, 0).reason == std::string{"out-of-bounds"});
  CHECK(no_board.cell_of(11) == -1);
  std::string glyphs = "left over";
  no_board.glyphs(0, glyphs);
  CHECK(glyphs.empty());
  CHECK_FALSE(no_board.choose(0, {.budget = std::chrono::seconds{1}}));
}

TEST_CASE("engine: different matches can be played by different threads") {
  const auto known = registry::built_in();
  std::vector<std::uint64_t> ends(4);
  std::vector<std::thread> players;
  for (auto& end : ends)
    players.emplace_back([&known, &end] {
      for (int game = 0; game < 20; ++game) {
        match m = std::get<match>(known.find("tictactoe")->create(""));
        while (!m.over()) {
          const int seat = m.to_move() == only(0) ? 0 : 1;
          m.apply(seat, *m.choose(seat, {}));
        }
        end = m.hash();
      }
    });
  for (auto& player : players) player.join();
  for (const auto end : ends) CHECK(end == ends[0]);
}

static_assert(sizeof(match) <= 2 * sizeof(void*), "a million games keep a million of these");

}  // namespace
}  // namespace gamehub::engines::host
