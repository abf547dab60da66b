// Plugins that lie, crash, hang or end the program, and files that are no plugins, all in one
// folder: what the hub says of each, and that it starts, plays and takes others all the same.
#include "tests/support/catch.hpp"
#include "tests/support/plugin_folder.hpp"
#include "tests/system/last_cell.hpp"
#include "tests/system/runbook.hpp"
#include "tests/system/whole_game.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace gamehub::tests::system {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string broken = "it breaks the contract of engines: ";

// By the name of its file: what the hub says of a plugin, or as much of it as is the same each
// time.
const std::map<std::string, std::string> breaches{
    // Not loaded: what the file or its description shows.
    {"no_library", "file too short"},
    {"no_symbol", "it is no engine: it exports no function gamehub_engine"},
    {"null_table", "there is no engine: the plugin returned nothing"},
    {"wrong_magic", "it is no engine: its magic number is 0x1234, that of engines is 0x47485542"},
    {"later_major", "it is for ABI 2.0, this hub speaks 1.2: build it against this hub's abi.h"},
    {"short_table", "its description is 64 bytes long, that of any engine is "},
    {"null_function", "engine bad leaves out a function that every engine must have"},
    {"half_board", "engine bad has the extension cells, but only a part of it"},
    {"icon_with_script", "engine bad has a face whose icon is an image with the element script"},
    {"face_too_long", "engine bad has a face that does not end after 16384 bytes"},
    {"id_with_blank", "the engine has no id of the letters a-z, 0-9 and -"},
    {"id_without_end", "the engine has no id of the letters a-z, 0-9 and -"},
    {"title_without_end", "engine bad has a title that does not end after 128 bytes"},
    {"title_with_control", "engine bad has a title that is no line of UTF-8"},
    {"impossible_players", "engine bad is for 2 to 63 players, possible are 1 to 62"},
    {"twin_of_built_in", "engine tictactoe is already there in version 1.0.0"},
    // Lies about its bounds.
    {"plies_too_few", broken + "a match is longer than plies_max"},
    {"actions_too_few", broken + "there are more actions than actions_max"},
    {"state_too_small", broken + "save needs more than state_bytes_max"},
    // Breaks the rules of the border.
    {"impossible_board", broken + "the engine failed: the engine's board has an impossible size"},
    {"forgets_a_move", broken + "an action leaves the hash as it was"},
    {"growing_view", broken + "the engine failed: the engine failed to show its state"},
    {"endless_view", broken + "the engine failed: the engine failed to show its state"},
    {"throws", broken + "an exception left the engine: thrown across the border"},
    // Would have taken the hub down, or stood in its way.
    {"crashes_in_entry", broken + "the engine crashes: while it was loaded"},
    {"crashes_in_create", broken + "the engine crashes: in create"},
    {"crashes_in_apply", broken + "the engine crashes: in apply"},
    {"spins_in_create", broken + "a call does not come back: create still ran after 2 seconds"},
    {"spins_in_apply", broken + "a call does not come back: apply"},
    {"sleeps_in_apply", broken + "a call does not come back: apply"},
#ifndef __SANITIZE_THREAD__
    // The thread sanitizer takes all addresses there are, so there a trial has no limit of memory.
    {"eats_memory", broken + "the engine"},
#endif
    {"exits_in_constructor", broken + "the engine ends the program: while it was loaded"},
    {"exits_in_apply", broken + "the engine ends the program: in apply"},
};

// All bad ones and a good one.
void fill(const plugin_folder& files) {
  for (const auto& each : fs::directory_iterator{plugin_folder::original("bad")})
    if (breaches.contains(each.path().stem()))
      files.put("bad/" + each.path().filename().string(), each.path().filename().string());
  files.put("good/last_cell_1.0.so", "last_cell.so");
}

TEST_CASE("plugins: the hub says of every bad one what is wrong with it") {
  const plugin_folder files;
  fill(files);
  const auto listed = run({{hub_program(), "engines", "--plugins", files.path().string(), "--json"},
                           {},
                           {},
                           3 * patience});
  INFO(listed.output << listed.errors);
  REQUIRE(listed.exit_code == 0);
  CHECK(listed.errors.empty());
  std::map<std::string, std::string> refused;
  const auto told = json::parse(listed.output);
  for (const auto& each : told.at("refused"))
    refused[fs::path{each.at("file").get<std::string>()}.stem()] = each.at("why");
  CHECK(refused.size() == breaches.size());
  for (const auto& [name, why] : breaches) {
    INFO(name << ": " << refused[name]);
    // A sanitizer tells of crashes, and takes memory, in its own way.
    if (sanitized && (name.starts_with("crashes_") || name == "eats_memory"))
      CHECK(refused[name].starts_with("it breaks the contract of engines: the engine "));
    else
      CHECK(refused[name].starts_with(why));
  }
}

TEST_CASE(
    "plugins: one that loads as slowly as on a busy machine is not taken for an endless call") {
  const plugin_folder files;
  files.put("slow/loads_slowly.so", "loads_slowly.so");
  const auto listed = run(
      {{hub_program(), "engines", "--plugins", files.path().string(), "--json"}, {}, {}, patience});
  INFO(listed.output << listed.errors);
  REQUIRE(listed.exit_code == 0);
  const auto told = json::parse(listed.output);
  CHECK(told.at("refused").empty());
  CHECK(std::any_of(told.at("engines").begin(), told.at("engines").end(),
                    [](const auto& each) { return each.at("id") == "bad"; }));
}

TEST_CASE("plugins: with every bad one in its folder the hub starts, plays, and takes a new one") {
  const plugin_folder files;
  fill(files);
  hub at{{"--plugins", files.path().string()}};
  at.await_count("gamehub_plugins", {{"state", "loaded"}}, 1);
  at.await_count("gamehub_plugins", {{"state", "refused"}}, static_cast<double>(breaches.size()));
  const auto status = nlohmann::json::parse(at.get("/status.json").body);
  CHECK(std::count_if(status["plugins"].begin(), status["plugins"].end(), [](const auto& each) {
          return each["state"] == "refused" && !each["why"].template get<std::string>().empty();
        }) == static_cast<std::ptrdiff_t>(breaches.size()));
  pair_of_players::sit_down(at).play_out();
  const auto game = open_game(at, wire::turns, wire::opcodes);
  files.put("later/last_cell_1.1.so", "newer.so");
  at.process().signal(SIGHUP);
  // Meanwhile the bad ones are tried again; the hub plays on.
  check_others_play(at);
  // As at the start, all of them are tried.
  at.await_count("gamehub_plugins", {{"state", "loaded"}}, 2, 3 * patience);
  pair_of_players::sit_down(at).play_out();
  play_out(*game.x, *game.o, game.board, {0, 1, 7, 3, 5, 2, 6, 8}, '-');
  const auto line = promised("plugin refused") + " file=";
  const auto log = at.process().errors();
  for (const auto& [name, why] : breaches) {
    INFO(name);
    CHECK(log.find(line + files / (name + ".so")) != std::string::npos);
  }
}

}  // namespace
}  // namespace gamehub::tests::system
