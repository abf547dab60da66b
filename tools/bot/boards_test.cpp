#include "tools/bot/boards.hpp"

#include "engines/host/registry.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>

using namespace gamehub;
using namespace gamehub::tools::bot;

TEST_CASE("boards: of every engine with a board are the first, some later, and a last move") {
  const auto all = engines::host::registry::built_in();
  for (const auto& rules : all.all()) {
    if (!rules.has_cells()) continue;
    INFO(rules.id());
    const auto boards = boards_of(rules, 1);
    REQUIRE(boards.size() >= 4);
    CHECK(boards.front().moves == 0);
    CHECK(boards[1].moves == 1);
    CHECK(std::any_of(boards.begin(), boards.end(),
                      [&](const auto& each) { return each.seat != boards[0].seat; }));
    CHECK(boards.back().moves > 2);
    for (const auto& each : boards) {
      CHECK_FALSE(each.at.over());
      std::vector<engines::action> legal;
      each.at.legal_actions(each.seat, legal);
      REQUIRE_FALSE(legal.empty());
      CHECK(why_no_move(each, -1).find("has no position -1") != std::string::npos);
    }
  }
}

TEST_CASE("boards: the same seed makes the same ones") {
  const auto rules = *engines::host::registry::built_in().find("tictactoe");
  const auto once = boards_of(rules, 7), again = boards_of(rules, 7);
  REQUIRE(once.size() == again.size());
  for (std::size_t i = 0; i < once.size(); ++i) CHECK(once[i].cells == again[i].cells);
}

TEST_CASE("boards: an illegal move is described as in calls to bots") {
  const auto rules = *engines::host::registry::built_in().find("tictactoe");
  const auto boards = boards_of(rules, 1);
  const auto& last = boards.back();
  CHECK(std::count(last.cells.begin(), last.cells.end(), '-') == 1);
  const auto free = static_cast<std::int64_t>(last.cells.find('-'));
  CHECK(why_no_move(last, free).empty());
  CHECK(why_no_move(last, (free + 1) % 9).find("is taken") != std::string::npos);
  CHECK(why_no_move(last, 9).find("has no position 9") != std::string::npos);
}

TEST_CASE("boards: of an engine for three or more they have the view and the moves of the seat") {
  const auto all = engines::host::registry::built_in();
  for (const auto* id : {"dots-and-boxes", "oh-hell"}) {
    INFO(id);
    for (const auto& each : boards_of(*all.find(id), 1, 5)) {
      CHECK(each.at.players() == 5);
      CHECK(each.cells.empty());
      CHECK(each.document.starts_with('{'));
      std::vector<engines::action> legal;
      each.at.legal_actions(each.seat, legal);
      gamehub::move first;
      first.as = move::form::document;
      first.text = each.at.to_json(legal.at(0));
      CHECK(actions_of(each).starts_with("[" + first.text));
      CHECK(why_no_move(each, first).empty());
      first.text = R"("no such move")";
      CHECK(why_no_move(each, first).starts_with("You played an invalid move ("));
    }
  }
}

TEST_CASE("boards: of a game with chance and hidden cards they have the own card of each seat") {
  const auto boards = boards_of(*engines::host::registry::built_in().find("kuhn-poker"), 1);
  REQUIRE(boards.size() >= 2);
  // The hub draws the cards: the first move of a player is number 0.
  for (const int seat : {0, 1}) {
    const auto& each = boards[static_cast<std::size_t>(seat)];
    INFO(each.document);
    CHECK(each.moves == seat);
    CHECK(each.seat == seat);
    CHECK(each.document.starts_with(seat == 0 ? R"({"cards":[")" : R"({"cards":[null,")"));
    CHECK(actions_of(each) ==
          R"([{"type":"move","action":"pass"},{"type":"move","action":"bet"}])");
  }
}
