#include "engines/check/play_check.hpp"

#include "engines/host/registry.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/direct_line.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace gamehub::engines::check {
namespace {

using process::reply;
using process::request;

struct spoiled_play {
  play_comparison result;
  int played = 0;  // requests `play`
  int marked = 0;  // of these, those that compare_play() announced
};

// Compares an engine whose replies to `play` are spoiled.
spoiled_play compare_spoiled(std::string_view id, std::function<void(reply&)> spoil = {}) {
  const tests::distant_engine it{*host::registry::built_in().find(id), 0, 1, 0};
  spoiled_play out;
  bool announced = false, is_play = false;
  it.by.before = [&](const request& r) {
    is_play = r.what == request::kind::play;
    out.played += is_play ? 1 : 0;
    out.marked += is_play && announced ? 1 : 0;
  };
  it.by.spoil = [&](reply& said) {
    if (is_play && spoil) spoil(said);
  };
  contract::settings with;
  with.playouts = 5;
  const process::opened_program program{it.rules, process::describe(it.at_home), &it.by};
  out.result = compare_play(program, with, [&](bool begins) { announced = begins; });
  CHECK(it.by.ended.empty());
  return out;
}

TEST_CASE("play_check: finds nothing where play is what its single requests are") {
  for (const auto* id : {"tictactoe", "connect-four", "othello", "kuhn-poker", "nim",
                         "rock-paper-scissors", "oh-hell", "battleship"}) {
    CAPTURE(id);
    const auto found = compare_spoiled(id);
    for (const auto& each : found.result.found) FAIL_CHECK(contract::describe(each));
    CHECK(found.result.games == 5);
    CHECK(found.played >= 10);
    CHECK(found.marked == found.played);
  }
}

TEST_CASE("play_check: finds what another play does, with the move and what differs") {
  struct defect {
    const char* found;
    std::function<void(reply&)> spoil;
  };
  const defect defects[]{
      {": it fails (boom) by play, makes the move by single requests",
       [](reply& said) {
         said = {};
         said.failed = true;
         said.failure.what = "boom";
       }},
      {": to move ",
       [](reply& said) {
         if (said.state) ++said.state->hash;
       }},
      {": view_json: 0 {\"board\":[] by play, 0 {",
       [](reply& said) {
         if (said.answers.size() > 1) said.answers[1].bytes = "{\"board\":[]";
       }},
      {": it refuses: out-of-bounds by play, refuses: space-not-empty by single requests",
       [](reply& said) {
         if (!said.reason.empty()) said.reason = "out-of-bounds";
       }},
      {": action_",
       [](reply& said) {
         if (!said.answers.empty() && said.answers[0].number != 0) ++said.answers[0].number;
       }},
  };
  for (const auto& each : defects) {
    const auto found = compare_spoiled("tictactoe", each.spoil).result.found;
    CAPTURE(each.found);
    REQUIRE(found.size() == 1);
    CHECK(found[0].promise == "a move by play is not that of single requests");
    CHECK(found[0].where.in_game);
    CAPTURE(found[0].detail);
    CHECK(found[0].detail.find("a move") == 0);
    CHECK(found[0].detail.find(each.found) != std::string::npos);
  }
}

}  // namespace
}  // namespace gamehub::engines::check
