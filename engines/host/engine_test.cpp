#include "engines/host/engine.hpp"

#include "engines/host/registry.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
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

// TicTacToe, whose function throws at the next calls: an exception or a number.
enum class thrown { nothing, exception, number };
thrown throws_now = thrown::nothing;

void throw_if_told() {
  if (throws_now == thrown::exception) throw std::runtime_error{"a test"};
  if (throws_now == thrown::number) throw 42;
}

template <auto Table, auto Member, class Result, class... Args>
void make_throw(Result (*&of)(Args...)) {
  of = [](Args... args) -> Result {
    throw_if_told();
    return (Table().*Member)(args...);
  };
}

const gamehub_cells& tictactoe_cells() {
  return *static_cast<const gamehub_cells*>(tictactoe().extension(GAMEHUB_CELLS));
}
const gamehub_player& tictactoe_player() {
  return *static_cast<const gamehub_player*>(tictactoe().extension(GAMEHUB_PLAYER));
}

engine throwing_engine() {
  using abi = gamehub_engine_abi;
  static abi to = tictactoe();
  static gamehub_cells cells = tictactoe_cells();
  static gamehub_player player = tictactoe_player();
  to.id = "throwing";
#define THROWS(function) make_throw<tictactoe, &abi::function>(to.function)
  THROWS(create), THROWS(clone), THROWS(players), THROWS(to_move);
  THROWS(legal_actions), THROWS(apply), THROWS(chance_outcomes), THROWS(audience), THROWS(scores);
  THROWS(action_from_text), THROWS(action_from_json), THROWS(action_to_text);
  THROWS(action_to_json), THROWS(view_json), THROWS(save), THROWS(load), THROWS(hash);
#undef THROWS
  // It destroys the match first, so that none is leaked.
  to.destroy = [](gamehub_match* m) {
    tictactoe().destroy(m);
    throw_if_told();
  };
  make_throw<tictactoe_cells, &gamehub_cells::size>(cells.size);
  make_throw<tictactoe_cells, &gamehub_cells::glyphs>(cells.glyphs);
  make_throw<tictactoe_cells, &gamehub_cells::action_at>(cells.action_at);
  make_throw<tictactoe_cells, &gamehub_cells::cell_of>(cells.cell_of);
  make_throw<tictactoe_player, &gamehub_player::choose>(player.choose);
  if (player.choose_in_style != nullptr)
    make_throw<tictactoe_player, &gamehub_player::choose_in_style>(player.choose_in_style);
  to.extension = [](const char* id) -> const void* {
    const std::string_view wanted{id};
    if (wanted == GAMEHUB_CELLS) return &cells;
    return wanted == GAMEHUB_PLAYER ? &player : nullptr;
  };
  return std::get<engine>(engine::adopt(&to));
}

TEST_CASE("engine: whatever a function throws is an engine_failure with its name and text") {
  const auto rules = throwing_engine();
  auto m = std::get<match>(rules.create(""));
  const auto saved = m.save();
  std::string text;
  std::vector<action> actions;
  std::vector<std::uint32_t> weights;
  std::vector<double> scores(2);
  const std::vector<std::pair<std::string, std::function<void()>>> calls{
      {"create", [&] { static_cast<void>(rules.create("")); }},
      {"load", [&] { static_cast<void>(rules.load(saved)); }},
      {"clone", [&] { static_cast<void>(m.clone()); }},
      {"players", [&] { static_cast<void>(m.players()); }},
      {"to_move", [&] { static_cast<void>(m.over()); }},
      {"legal_actions", [&] { m.legal_actions(0, actions); }},
      {"apply", [&] { static_cast<void>(m.apply(0, 0)); }},
      {"chance_outcomes", [&] { m.chance_outcomes(actions, weights); }},
      {"audience", [&] { static_cast<void>(m.audience(0, 0)); }},
      {"players", [&] { m.scores(scores); }},
      {"action_from_text", [&] { static_cast<void>(m.from_text(0, "0")); }},
      {"action_from_json", [&] { static_cast<void>(m.from_json(0, "{}")); }},
      {"action_to_text", [&] { static_cast<void>(m.to_text(0)); }},
      {"action_to_json", [&] { static_cast<void>(m.to_json(0)); }},
      {"view_json", [&] { m.view_json(spectator, text); }},
      {"save", [&] { static_cast<void>(m.save()); }},
      {"hash", [&] { static_cast<void>(m.hash()); }},
      {"size", [&] { static_cast<void>(m.cells()); }},
      {"glyphs", [&] { m.glyphs(spectator, text); }},
      {"action_at", [&] { static_cast<void>(m.at_cell(0, 0)); }},
      {"cell_of", [&] { static_cast<void>(m.cell_of(0)); }},
      {"choose", [&] { static_cast<void>(m.choose(0, {})); }},
      {"destroy",
       [&] {
         throws_now = thrown::nothing;
         auto other = m.clone();
         throws_now = thrown::exception;
         other.destroy();
       }},
  };
  for (const auto& [function, call] : calls)
    for (const auto what : {thrown::exception, thrown::number}) {
      INFO(function << (what == thrown::number ? ", a number" : ""));
      throws_now = what;
      try {
        call();
        FAIL_CHECK("nothing was thrown");
      } catch (const engine_failure& failure) {
        CHECK(failure.function() == function);
        const auto number = what == thrown::number && function != "destroy";
        CHECK(failure.what() == std::string{number ? "it threw a value of type int" : "a test"});
      }
      throws_now = thrown::nothing;
    }
}

TEST_CASE("engine: a match whose destruction throws ends nothing, and is reported") {
  const auto rules = throwing_engine();
  std::vector<std::string> reported;
  report_destroy_failures([&](const engine& of, const engine_failure& failure) {
    reported.push_back(std::string{of.id()} + ' ' + failure.function() + ' ' + failure.what());
  });
  {
    const auto m = std::get<match>(rules.create(""));
    throws_now = thrown::exception;
  }
  throws_now = thrown::nothing;
  report_destroy_failures({});
  CHECK(reported == std::vector<std::string>{"throwing destroy a test"});
}

static_assert(sizeof(match) <= 2 * sizeof(void*), "a million games keep a million of these");

}  // namespace
}  // namespace gamehub::engines::host
