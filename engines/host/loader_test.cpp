#include "engines/host/loader.hpp"

#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::engines::host {
namespace {

std::string refused(const char* file) {
  const auto loaded = load(file);
  REQUIRE(std::holds_alternative<std::string>(loaded));
  return std::get<std::string>(loaded);
}

TEST_CASE("loader: makes an engine of a plugin, and the same one when asked again") {
  const auto first = load(GAMEHUB_TICTACTOE_PLUGIN);
  REQUIRE(std::holds_alternative<engine>(first));
  CHECK(std::get<engine>(first).id() == "tictactoe");
  CHECK(std::get<engine>(load(GAMEHUB_TICTACTOE_PLUGIN)) == std::get<engine>(first));
}

engine loaded(const std::string& name) {
  const auto made = load(std::string{GAMEHUB_TEST_PLUGINS} + '/' + name);
  if (const auto* why = std::get_if<std::string>(&made)) FAIL(*why);
  return std::get<engine>(made);
}

TEST_CASE("loader: takes the oldest plugin that was released, in C and of ABI 1.0") {
  const auto oldest = loaded("good/last_cell_1.0.so");
  CHECK(oldest.id() == "last-cell");
  CHECK(oldest.has_cells());
  CHECK(oldest.player_immediate());
  tests::check_engine_contract(oldest);
  auto game = std::get<match>(oldest.create(""));
  for (const auto cell : {3, 0, 2})
    REQUIRE(game.apply(game.to_move() == only(0) ? 0 : 1, cell) == nullptr);
  // Its player is of the 1.0 kind, which knows no levels.
  REQUIRE(game.choose(1, {level::perfect, 1, {}}) == action{1});
  REQUIRE(game.apply(1, 1) == nullptr);
  CHECK(game.over());
  std::string view;
  game.view_json(spectator, view);
  CHECK(view == R"({"board":[["O","O"],["X","X"]],"winner":"O","release":0})");
}

TEST_CASE("loader: has two releases of an engine side by side") {
  const auto one = loaded("good/last_cell_1.0.so");
  const auto other = loaded("later/last_cell_1.1.so");
  CHECK(one.version_text() == "1.0.0");
  CHECK(other.version_text() == "1.1.0");
  CHECK(older(one, other));
  std::string view;
  std::get<match>(other.create("")).view_json(spectator, view);
  CHECK(view.ends_with(R"("release":1})"));
  std::get<match>(one.create("")).view_json(spectator, view);
  CHECK(view.ends_with(R"("release":0})"));
}

TEST_CASE("loader: takes a plugin of a later minor version, and leaves out what it does not know") {
  const auto later = loaded("later/later_minor.so");
  CHECK(later.id() == "later-minor");
  CHECK(later.perfect_information());
  tests::check_engine_contract(later);
}

std::string view_of(const engine& rules) {
  std::string view;
  std::get<match>(rules.create("")).view_json(spectator, view);
  return view;
}

TEST_CASE("loader: tells releases apart that were built without any flag for visibility") {
  for (const std::string release : {"1", "2"}) {
    const auto rules = loaded("plain/plain_" + release + ".so");
    CHECK(rules.version_text() == release + ".0.0");
    CHECK(view_of(rules) == R"({"release":)" + release + R"(,"stones":3})");
    tests::check_engine_contract(rules);
  }
}

TEST_CASE("loader: refuses a plugin to which the linker would give the data of another") {
  CHECK(loaded("plain/shares_1.so").version_text() == "1.0.0");
  CHECK(loaded("plain/shares_1.so").version_text() == "1.0.0");
  const auto file = std::string{GAMEHUB_TEST_PLUGINS} + "/plain/shares_2.so";
  CHECK(refused(file.c_str()) ==
        file +
            ": it would share data (plain::constants<plain::game>::release) with shares_1.so, "
            "which was loaded before: build it with -fvisibility=hidden, as gamehub_add_engine "
            "does");
}

TEST_CASE("loader: says what is wrong with a plugin, and names both values") {
  const auto size = std::to_string(sizeof(gamehub_engine_abi));
  const std::vector<std::pair<std::string, std::string>> table{
      {"later_major", "it is for ABI 2.0, this hub speaks 1.2: build it against this hub's abi.h"},
      {"wrong_magic", "it is no engine: its magic number is 0x1234, that of engines is 0x47485542"},
      {"short_table", "its description is 64 bytes long, that of any engine is " + size +
                          " at least: build it against this hub's abi.h"},
      {"no_symbol", "it is no engine: it exports no function gamehub_engine"},
      {"null_table", "there is no engine: the plugin returned nothing"},
      {"null_function", "engine bad leaves out a function that every engine must have"},
      {"half_board", "engine bad has the extension cells, but only a part of it"},
      {"impossible_players", "engine bad is for 2 to 63 players, possible are 1 to 62"},
      {"id_with_blank", "the engine has no id of the letters a-z, 0-9 and -, up to 64 of them"},
      {"id_without_end", "the engine has no id of the letters a-z, 0-9 and -, up to 64 of them"},
      {"title_with_control", "engine bad has a title that is no line of UTF-8"},
      {"title_without_end", "engine bad has a title that does not end after 128 bytes"},
  };
  for (const auto& [name, why] : table) {
    const auto file = std::string{GAMEHUB_TEST_PLUGINS} + "/bad/" + name + ".so";
    CHECK(refused(file.c_str()) == file + ": " + why);
  }
}

TEST_CASE("loader: says what is wrong with a file that is no engine") {
  CHECK(refused("/nowhere/at-all.so") == "/nowhere/at-all.so: there is no such file");
  const auto no_library = std::string{GAMEHUB_TEST_PLUGINS} + "/bad/no_library.so";
  CHECK(refused(no_library.c_str()) == no_library + ": file too short");
  CHECK(refused("/dev/null").find("/dev/null") != std::string::npos);
  CHECK(refused("libm.so.6") == "libm.so.6: there is no such file");
}

}  // namespace
}  // namespace gamehub::engines::host
