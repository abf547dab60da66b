#include "engines/engine.hpp"

#include "engines/registry.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace gamehub::engines {
namespace {

const gamehub_engine_abi& tictactoe() {
  for (const auto* abi : built_in_engines())
    if (std::string{abi->id} == "tictactoe") return *abi;
  throw std::out_of_range("tictactoe");
}

// What adopt says of a description in which one thing was changed.
template <class Change>
std::string complaint(Change change) {
  // Never freed while in use: a description lives as long as the program.
  static std::vector<std::unique_ptr<gamehub_engine_abi>> kept;
  kept.push_back(std::make_unique<gamehub_engine_abi>(tictactoe()));
  change(*kept.back());
  const auto adopted = engine::adopt(kept.back().get());
  const auto* wrong = std::get_if<std::string>(&adopted);
  return wrong == nullptr ? "" : *wrong;
}

TEST_CASE("engine: refuses what is no engine, and names both values") {
  CHECK(std::get<std::string>(engine::adopt(nullptr)) ==
        "there is no engine: the plugin returned nothing");
  CHECK(complaint([](auto& abi) { abi.magic = 7; }) ==
        "not an engine: the magic number is 7, this hub needs 1195922754");
  CHECK(complaint([](auto& abi) { abi.abi_major = 2; }) ==
        "the engine's major ABI version is 2, this hub needs 1");
  CHECK(complaint([](auto& abi) { abi.struct_size = 8; }) ==
        "the size of the engine's description is 8, this hub needs " +
            std::to_string(sizeof(gamehub_engine_abi)) + " at least");
}

TEST_CASE("engine: takes a description of a later minor version, which is longer") {
  struct later {
    gamehub_engine_abi known;
    void (*unknown)();
  };
  static later longer{tictactoe(), nullptr};
  longer.known.abi_minor = 9;
  longer.known.struct_size = sizeof longer;
  const auto adopted = engine::adopt(&longer.known);
  REQUIRE(std::holds_alternative<engine>(adopted));
  CHECK(std::get<engine>(adopted).id() == "tictactoe");
}

TEST_CASE("engine: refuses a description that lacks something") {
  for (const char* id : {static_cast<const char*>(nullptr), "", "Tic", "tic tac", "tic_tac"})
    CHECK(complaint([&](auto& abi) { abi.id = id; }) ==
          "the engine has no id of the letters a-z, 0-9 and -");
  CHECK(complaint([](auto& abi) { abi.title = nullptr; }) == "engine tictactoe has no title");
  CHECK(complaint([](auto& abi) { abi.players_min = 0; }) ==
        "engine tictactoe is for 0 to 2 players, possible are 1 to 62");
  CHECK(complaint([](auto& abi) { abi.players_max = 63; }) ==
        "engine tictactoe is for 2 to 63 players, possible are 1 to 62");
  CHECK(complaint([](auto& abi) { abi.audience = nullptr; }) ==
        "engine tictactoe leaves out a function that every engine must have");
}

const gamehub_cells half_cells{.struct_size = sizeof(gamehub_cells),
                               .reserved = 0,
                               .marks = "XO",
                               .size = nullptr,
                               .glyphs = nullptr,
                               .action_at = nullptr,
                               .cell_of = nullptr};

// As an older engine would have it: what comes after these bytes is not its own.
const gamehub_player short_player{
    .struct_size = 8, .immediate = 1, .choose = nullptr, .choose_in_style = nullptr};

TEST_CASE("engine: refuses half an extension, and reads no further than it goes") {
  CHECK(complaint([](auto& abi) {
          abi.extension = [](const char* id) -> const void* {
            return std::string_view{id} == GAMEHUB_CELLS ? &half_cells : nullptr;
          };
        }) == "engine tictactoe has the extension cells, but only a part of it");
  CHECK(complaint([](auto& abi) {
          abi.extension = [](const char* id) -> const void* {
            return std::string_view{id} == GAMEHUB_PLAYER ? &short_player : nullptr;
          };
        }) == "engine tictactoe has the extension player, but only a part of it");
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
}  // namespace gamehub::engines
