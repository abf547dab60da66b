#include "engines/host/description.hpp"

#include "engines/host/registry.hpp"
#include "tests/support/catch.hpp"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace gamehub::engines::host {
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

TEST_CASE("description: refuses what is no engine, and names both values") {
  CHECK(std::get<std::string>(engine::adopt(nullptr)) ==
        "there is no engine: the plugin returned nothing");
  CHECK(complaint([](auto& abi) { abi.magic = 7; }) ==
        "it is no engine: its magic number is 0x7, that of engines is 0x47485542");
  CHECK(complaint([](auto& abi) { abi.abi_major = 2, abi.abi_minor = 3; }) ==
        "it is for ABI 2.3, this hub speaks 1.2: build it against this hub's abi.h");
  CHECK(complaint([](auto& abi) { abi.struct_size = 8; }) ==
        "its description is 8 bytes long, that of any engine is " +
            std::to_string(sizeof(gamehub_engine_abi)) +
            " at least: build it against this hub's abi.h");
}

TEST_CASE("description: takes a description of a later minor version, which is longer") {
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

TEST_CASE("description: refuses what lacks something") {
  const std::string long_text(65, 'a');
  for (const char* id :
       {static_cast<const char*>(nullptr), "", "Tic", "tic tac", "tic_tac", long_text.c_str()})
    CHECK(complaint([&](auto& abi) { abi.id = id; }) ==
          "the engine has no id of the letters a-z, 0-9 and -, up to 64 of them");
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

TEST_CASE("description: refuses half an extension, and reads no further than it goes") {
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

TEST_CASE("description: reads no text beyond its bound") {
  static const std::string endless(options_schema_bytes_max + 1, 'a');
  CHECK(complaint([](auto& abi) { abi.title = endless.c_str(); }) ==
        "engine tictactoe has a title that does not end after 128 bytes");
  CHECK(complaint([](auto& abi) { abi.options_schema = endless.c_str(); }) ==
        "engine tictactoe has a schema of options that does not end after 65536 bytes");
}

TEST_CASE("description: refuses a title that lists and logs can't show") {
  for (const char* title : {"Tic\nTac", "\x1b[2J", "\xff", "Tic\x7f", "\xed\xa0\x80"})
    CHECK(complaint([&](auto& abi) { abi.title = title; }) ==
          "engine tictactoe has a title that is no line of UTF-8");
  for (const char* title : {"", "\"Tic\" \\ Tac", "Mühle", "五目並べ"})
    CHECK(complaint([&](auto& abi) { abi.title = title; }).empty());
}

// A board with other marks.
template <const char* marks>
const void* board_marked(const char* id) {
  static gamehub_cells cells;
  if (std::string_view{id} != GAMEHUB_CELLS) return nullptr;
  cells = *static_cast<const gamehub_cells*>(tictactoe().extension(GAMEHUB_CELLS));
  cells.marks = marks;
  return &cells;
}
constexpr char one_mark[] = "X", odd_mark[] = "X\x01", unended_marks[] = {'X', 'O'};

TEST_CASE(
    "description: refuses marks that are too few or unprintable, and reads no more than needed") {
  CHECK(complaint([](auto& abi) { abi.extension = board_marked<one_mark>; }) ==
        "engine tictactoe has fewer marks than players");
  CHECK(complaint([](auto& abi) { abi.extension = board_marked<odd_mark>; }) ==
        "engine tictactoe has a mark that is not printable");
  CHECK(complaint([](auto& abi) { abi.extension = board_marked<unended_marks>; }).empty());
}

}  // namespace
}  // namespace gamehub::engines::host
