#include "tools/engine/play_text.hpp"

#include "engines/host/registry.hpp"
#include "engines/plugin.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <variant>
#include <vector>

namespace gamehub::tools::engine {
namespace {

using engines::host::match;

engines::host::engine engine_of(std::string_view id) {
  return *engines::host::registry::built_in().find(id);
}

match begin(const engines::host::engine& rules, std::string_view options = {}) {
  return std::get<match>(rules.create(options));
}

TEST_CASE("play text: nothing of an engine moves the cursor of a terminal") {
  CHECK(terminal_text("two words") == "two words");
  CHECK(terminal_text("Dame de cœur ♥") == "Dame de cœur ♥");
  CHECK(terminal_text("{\n\t\"a\": 1\r\n}") == "{  \"a\": 1  }");
  CHECK(terminal_text("\x1b[2Jœ") == "?[2J??");
  CHECK(terminal_text("\x7f") == "?");
  CHECK(terminal_text("\xc2\x9b") == "??");         // CSI in one character
  CHECK(terminal_text("a\xe2\x80\xae") == "a???");  // right to left
  CHECK(terminal_text("\xff") == "?");
  CHECK(terminal_text(std::string{"a\0b", 3}) == "a?b");
  CHECK(terminal_text("1234567", 4) == "1234 …");
  CHECK(terminal_text("12œ4", 3) == "12 …");
}

TEST_CASE("play text: a board has the number of each row's first cell") {
  const auto rules = engine_of("gomoku");
  auto m = begin(rules, R"({"rows":3,"columns":4,"in_a_row":3})");
  REQUIRE(m.apply(0, 5) == nullptr);
  CHECK(position_text(rules, m, 0) ==
        "     0  1  2  3\n"
        " 0   -  -  -  -\n"
        " 4   -  X  -  -\n"
        " 8   -  -  -  -\n");
}

TEST_CASE("play text: a game without a board is its view, its score and its summary") {
  const auto rules = engine_of("kuhn-poker");
  CHECK(position_text(rules, begin(rules), 0) ==
        R"({"cards":[null,null],"actions":[],"pot":2,"winner":null})"
        "\nscore -1 -1\nThe pot has 2 chips.\n");
}

TEST_CASE("play text: seats and moves have the words of the face") {
  const labels poker{engine_of("kuhn-poker")}, hex{engine_of("hex")};
  CHECK(poker.seat(1) == "player 2");
  CHECK(poker.move("bet") == "bet (Bet a chip)");
  CHECK(poker.move("fold") == "fold");
  CHECK(poker.move("\x1b") == "?");
  CHECK(labels{engine_of("rock-paper-scissors")}.move("rock") == "rock");
  CHECK(hex.seat(0) == "player 1 (X, Red)");
  CHECK(labels{engine_of("tictactoe")}.seat(1) == "player 2 (O)");
}

TEST_CASE("play text: moves have numbers unless a move is a number, and long lists end") {
  const auto rock = engine_of("rock-paper-scissors"), gomoku = engine_of("gomoku");
  const auto words = legal_moves(begin(rock), 0), cells = legal_moves(begin(gomoku), 0);
  CHECK(numbered(words));
  CHECK(list_of(words, labels{rock}, 60) == "  1.rock  2.paper  3.scissors\n");
  CHECK_FALSE(numbered(cells));
  CHECK(list_of(cells, labels{gomoku}, 3) == "  0  1  2\n  … of 225 moves; moves lists all\n");
  const auto all = list_of(cells, labels{gomoku}, cells.size());
  CHECK(all.find("  224\n") != std::string::npos);
  for (std::size_t at = 0; at < all.size(); at = all.find('\n', at) + 1)
    CHECK(all.find('\n', at) - at <= shown_columns_max + 2);
}

TEST_CASE("play text: a line is a text, a word of the face, a number, JSON or a command") {
  const auto rules = engine_of("kuhn-poker");
  auto m = begin(rules);
  for (std::vector<engines::action> draws; m.at_chance();) {
    m.legal_actions(engines::chance, draws);
    REQUIRE(m.apply(engines::chance, draws.front()) == nullptr);
  }
  const auto legal = legal_moves(m, 0);
  const labels with{rules};
  const auto read = [&](std::string_view line) { return read_move(line, m, 0, legal, with); };
  const auto bet = m.from_text(0, "bet").value;
  for (const auto* line : {"bet", " bet\r", "Bet a chip", "2", R"({"type":"move","action":"bet"})"})
    CHECK(std::get<engines::action>(read(line)) == bet);
  CHECK(std::get<command>(read("help")) == command::help);
  CHECK(std::get<command>(read(" quit ")) == command::quit);
  for (const auto* line : {"moves", "view", "undo"})
    CHECK(std::holds_alternative<command>(read(line)));
  CHECK(std::get<std::string>(read("3")) ==
        "\"3\" is no legal move here (malformed): give one of the list; help says more");
  CHECK(std::get<std::string>(read("{\x1b")).starts_with("\"{?\" is no legal move here ("));
  for (const auto* line : {"", "0", "-1", "bets", "{}", "[]"})
    CHECK(std::holds_alternative<std::string>(read(line)));
}

TEST_CASE("play text: a mistake has the reason of the engine") {
  const auto rules = engine_of("tictactoe");
  auto m = begin(rules);
  REQUIRE(m.apply(0, 4) == nullptr);
  const auto legal = legal_moves(m, 1);
  const labels with{rules};
  CHECK(std::get<std::string>(read_move("4", m, 1, legal, with)).find("(space-not-empty)") !=
        std::string::npos);
  CHECK(std::get<std::string>(read_move("9", m, 1, legal, with)).find("(out-of-bounds)") !=
        std::string::npos);
  CHECK(std::get<engines::action>(read_move("1", m, 1, legal, with)) == 1);
}

// Three players share a result, and one plays for a score.
template <int Players>
class ends {
 public:
  static constexpr engines::description about{.id = "ends",
                                              .title = "Ends",
                                              .players_min = Players,
                                              .players_max = Players,
                                              .actions_max = 1,
                                              .plies_max = 1,
                                              .actions_end = 1};
  engines::seats to_move() const noexcept { return over_ != 0 ? 0 : engines::only(0); }
  void legal_actions(int, engines::action_list& out) const { out.add(0); }
  engines::reason apply(int, engines::action) noexcept {
    over_ = 1;
    return nullptr;
  }
  void scores(std::span<double> out) const {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = i == 1 ? -1 : 0.5;
  }
  void view(int, engines::writer& out) const { out << "{}"; }
  bool valid() const { return over_ <= 1; }

 private:
  std::uint8_t over_ = 0;
};

template <int Players>
std::string result_of_ends() {
  const auto rules = std::get<engines::host::engine>(
      engines::host::engine::adopt(&engines::abi_adapter<ends<Players>>::table));
  auto m = begin(rules);
  REQUIRE(m.apply(0, 0) == nullptr);
  return result_text(m, labels{rules});
}

TEST_CASE("play text: a result names the winners, and the scores of one and of many players") {
  CHECK(result_of_ends<1>() == "The game is over: player 1 0.5.\n");
  CHECK(result_of_ends<2>() == "player 1 has won.\n");
  CHECK(result_of_ends<3>() ==
        "player 1 and player 3 have won.\n"
        "The game is over: player 1 0.5, player 2 -1 and player 3 0.5.\n");
}

}  // namespace
}  // namespace gamehub::tools::engine
