#include "tools/engine/play.hpp"

#include "engines/host/registry.hpp"
#include "engines/host/search.hpp"
#include "hub/base/usage_error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/spoiled_engine.hpp"

#include <functional>
#include <sstream>
#include <string>
#include <string_view>

namespace gamehub::tools::engine {
namespace {

engines::host::engine rules_of(std::string_view id) {
  return *engines::host::registry::built_in().find(id);
}

bool shows(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string play(std::string_view id, const std::string& lines, play_request with = {},
                 bool terminal = false) {
  std::istringstream in{lines};
  std::ostringstream out;
  play_game(rules_of(id), with, in, out, terminal);
  return out.str();
}

std::string mistake(std::string_view id, const play_request& with) {
  try {
    play(id, "", with);
  } catch (const base::usage_error& wrong) {
    return wrong.what();
  }
  return "no mistake";
}

play_request watched(std::uint64_t seed = 1) {
  play_request out;
  out.persons.clear();
  out.seed = seed;
  out.skill = engines::level::random;
  return out;
}

TEST_CASE("play: the engine plays all seats of every built-in engine to the end") {
  const auto built_in = engines::host::registry::built_in();
  for (const auto& rules : built_in.all()) {
    CAPTURE(rules.id());
    const auto with = watched();
    const auto text = play(rules.id(), "", with);
    CHECK((text.ends_with(" won.\n") || text.ends_with(" draw.\n") || shows(text, "is over: ")));
    CHECK_FALSE(shows(text, "your move"));
    CHECK(play(rules.id(), "", with) == text);
  }
}

TEST_CASE("play: chance is drawn from the seed") {
  CHECK(play("backgammon", "", watched(1)) != play("backgammon", "", watched(2)));
  CHECK(shows(play("backgammon", "", watched(1)), "\nchance: "));
}

TEST_CASE(
    "play: several persons play a whole game, whose moves are not told to those who made them") {
  play_request with;
  with.all_persons = true;
  const auto text = play("tictactoe", "0\n3\n1\n4\n2\n", with);
  CHECK(shows(text, "player 1 (X): a person\nplayer 2 (O): a person\n"));
  CHECK(shows(text, "> 2\n\n   0 1 2\n0  X X X\n3  O O -\n6  - - -\nplayer 1 (X) has won.\n"));
}

TEST_CASE("play: the person has the seat that was asked for") {
  play_request with;
  with.persons = {1};
  const auto text = play("tictactoe", "", with);
  CHECK(shows(text, "player 1 (X): engine (medium)\nplayer 2 (O): you\n"));
  CHECK(shows(text, "player 2 (O), your move:\n"));
  with.persons = {2};
  CHECK(mistake("tictactoe", with) ==
        "--seat is 3, and the game has 2 players: give a smaller number");
}

TEST_CASE("play: the end of the input and quit end the game with a sentence") {
  CHECK(play("tictactoe", "")
            .ends_with("8\nThe input has ended, and the game with it, after 0 moves.\n"));
  CHECK(play("tictactoe", "4")
            .ends_with("\nThe input has ended, and the game with it, after 2 moves.\n"));
  CHECK(play("tictactoe", "quit\n4\n")
            .ends_with("> quit\nThe game was ended by quit, after 0 moves.\n"));
}

TEST_CASE("play: empty lines and comments of a pipe are left out, mistakes are not the end") {
  const auto text = play("tictactoe", "# a comment\n\n4x\n4\n");
  CHECK(shows(text, "> 4x\n\"4x\" is no legal move here"));
  CHECK(shows(text, "> 4\nplayer 2 (O): "));
  CHECK_FALSE(shows(text, "comment"));
  CHECK(shows(play("tictactoe", std::string(100'000, 'x') + "\n4\n"), "> 4\nplayer 2 (O): "));
}

TEST_CASE("play: a terminal gets a prompt, and the typed lines are not repeated") {
  const auto text = play("tictactoe", "4\n", {}, true);
  CHECK(shows(text, "8\n> player 2 (O): "));
  CHECK(text.ends_with("> \nThe input has ended, and the game with it, after 2 moves.\n"));
}

TEST_CASE("play: a person sees what its seat sees, and the others' secrets are hidden") {
  const auto text = play("kuhn-poker", "pass\n");
  CHECK(shows(text, "chance: hidden\n"));
  const auto dealt = text.substr(text.find("{\"cards\""));
  CHECK(dealt.starts_with("{\"cards\":[\""));
  CHECK(shows(dealt.substr(0, dealt.find('\n')), "\",null],"));
  const auto watching = play("kuhn-poker", "", watched());
  CHECK(shows(watching, "chance: hidden\nchance: hidden\n"));
}

TEST_CASE("play: persons who share a terminal see their cards after Enter, on an empty screen") {
  play_request with;
  with.all_persons = true;
  const auto text = play("kuhn-poker", "\npass\n\npass\n", with, true);
  CHECK(shows(text, "chance: hidden\nchance: hidden\n\x1b[2J\x1b[Hplayer 1: press Enter"));
  CHECK(shows(text, "\x1b[2J\x1b[Hplayer 2: press Enter"));
  CHECK_FALSE(shows(play("kuhn-poker", "pass\npass\n", with), "\x1b"));
}

TEST_CASE("play: of simultaneous turns the person chooses without knowing the other choice") {
  const auto text = play("rock-paper-scissors", "paper\n");
  CHECK(shows(text, "{\"choices\":[null,null],\"chosen\":[false,false],"));
  CHECK(text.find("> paper") < text.rfind("player 2: "));
  play_request second;
  second.persons = {1};
  const auto after = play("rock-paper-scissors", "paper\n", second);
  CHECK(after.find("> paper") < after.find("player 1: r"));
}

TEST_CASE("play: undo takes back the person's move and the answer, which is the same again") {
  const auto text = play("tictactoe", "undo\n4\nundo\n4\n");
  CHECK(shows(text, "> undo\nThere is no move of yours to take back.\n> 4\n"));
  const auto first = text.find("player 2 (O): ", text.find("> 4"));
  const auto second = text.find("player 2 (O): ", first + 1);
  CHECK(text.substr(first, 16) == text.substr(second, 16));
  CHECK(shows(text, "> undo\n\n   0 1 2\n0  - - -\n3  - - -\n6  - - -\n"));
  CHECK(shows(play("kuhn-poker", "undo\n"), "> undo\nThis game has no undo: "));
}

TEST_CASE("play: help, moves and view answer without a move") {
  const auto text = play("gomoku", "help\nmoves\nview\n");
  CHECK(shows(text, "> help\nA move is one of the listed texts"));
  CHECK(shows(text, "… of 225 moves"));
  CHECK(shows(text, "  224\n"));
  CHECK(shows(text, "> view\n{\"board\":[["));
  CHECK(text.ends_with("after 0 moves.\n"));
}

TEST_CASE("play: a level, options or players that an engine does not have are a mistake") {
  play_request with;
  const auto is_long = tests::spoiled_engine("rock-paper-scissors", "long-secrets", [](auto& abi) {
    abi.plies_max = engines::host::played_plies_max + 1;
  });
  CHECK_THROWS_WITH(level_for(is_long, engines::level::perfect),
                    "long-secrets plays itself as random only: leave --level out, or give random");
  CHECK(level_for(is_long, {}) == engines::level::random);
  CHECK(level_for(rules_of("rock-paper-scissors"), {}) == engines::level::medium);
  CHECK(level_for(rules_of("tictactoe"), {}) == engines::level::medium);
  with.skill.reset();
  with.options = "{\"heaps\":9}";
  CHECK(mistake("nim", with).starts_with("--options: "));
  with.options.clear();
  with.players = 3;
  CHECK(mistake("nim", with) ==
        "nim refuses the options or the number of players: wrong-number-of-players; ask for "
        "others");
}

}  // namespace
}  // namespace gamehub::tools::engine
