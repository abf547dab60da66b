// A bot in a game whose calls have more than a board, at a table of three seats or more and in a
// game for two: what its calls tell, and what its errors end.
#include "gateways/bots/bot_session.hpp"
#include "tests/support/bot_world.hpp"
#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::gateways;
using namespace gamehub::gateways::bots;

namespace {

struct table_world : bot_world {
  void sits_down(seat_index seat = 2, std::optional<clock_rule> clock = {}) {
    goes_online();
    auto terms = std::make_shared<game_terms>();
    terms->options = R"({"players":4})";
    terms->clock = clock;
    receives({{}, {7}, started{"dots-and-boxes", "", {"a", "b", "Ann", "d"}, seat, {}, terms}});
    if (calls(call::method::ping)) answers(well);
  }
  static std::shared_ptr<position> view(std::string document, seat_set prompted) {
    auto p = std::make_shared<position>();
    p->document = std::move(document);
    p->to_move = p->prompted = prompted;
    return p;
  }
  void is_asked(std::string actions = R"(["h:0:0","h:0:1"])") {
    auto p = view(R"({"lines":1})", only(2));
    p->actions.push_back({2, std::move(actions)});
    receives({{}, {7}, position_ref{p}});
  }
  bool says(std::string_view words) const {
    return calling && calling->body.find(words) != std::string::npos;
  }
};

// A game for two without a board; the bot has the second seat.
struct pair_world : table_world {
  explicit pair_world(bool hidden = false) {
    call_options how{"Nim"};
    how.board_calls = false;
    how.hidden = how.simultaneous = hidden;
    goes_online(std::move(how));
    receives({{}, {7}, started{"nim", "", {"Bob", "Ann"}, 1}});
    if (calls(call::method::ping)) answers(well);
  }
  void is_asked() {
    auto p = view(R"({"heaps":[1,3]})", only(1));
    p->actions.push_back({1, R"(["0:1","1:1"])"});
    receives({{}, {7}, position_ref{p}});
  }
  void ends(outcome how) {
    auto p = view(R"({"heaps":[0,0]})", 0);
    p->outcome = std::move(how);
    receives({{}, {7}, position_ref{p}});
  }
};

}  // namespace

TEST_CASE("bot_session: at a table a call has the bot's own view and what it may do") {
  table_world w;
  w.sits_down();
  w.receives({{}, {7}, position_ref{w.view(R"({"lines":0})", only(0))}});
  CHECK_FALSE(w.calling);
  w.is_asked();
  REQUIRE(w.calls(call::method::next_move));
  CHECK(w.says(R"("gameid":7,"mark":"3","gamestate":{"lines":1},"seat":2,"seats":4,)"));
  CHECK(w.says(R"("players":["a","b","Ann","d"],"options":{"players":4})"));
  CHECK(w.says(R"("actions":["h:0:0","h:0:1"])"));
  w.answers(replies(R"({"result":{"move":"h:0:1"}})"));
  CHECK(w.last_order<play>().move.as == move::form::document);
  CHECK(w.last_order<play>().move.text == R"("h:0:1")");
}

TEST_CASE("bot_session: at a table a call has the latest names and substitutes") {
  table_world w;
  w.sits_down();
  w.receives({{}, {7}, renamed{1, "Bea", "b"}});
  auto p = w.view("{}", only(2));
  p->substituted = only(3);
  w.receives({{}, {7}, position_ref{p}});
  CHECK(w.says(R"("players":["a","Bea","Ann","d"])"));
  CHECK(w.says(R"("substitutes":[3])"));
}

TEST_CASE("bot_session: the end of a table tells places, and the winner whether it is the bot") {
  table_world w;
  w.sits_down();
  auto p = w.view(R"({"lines":9})", 0);
  p->outcome = won_by(0);
  p->outcome->scores = {1, 0, 0, -1};
  p->outcome->forfeits = only(3);
  w.receives({{}, {7}, position_ref{p}});
  REQUIRE(w.calls(call::method::complete));
  CHECK(w.says(R"("winner":false,"mark":"3","gamestate":{"lines":9})"));
  CHECK(w.says(R"("ranks":[1,2,2,4],"forfeits":[3])"));
  CHECK(w.bot.online());
}

TEST_CASE("bot_session: a refused move of a table is named to the bot, which leaves the game") {
  table_world w;
  w.sits_down();
  w.is_asked();
  w.answers(replies(R"({"result":{"move":"h:9:9"}})"));
  w.receives({w.answering(w.last_ticket()),
              {7},
              refused{refusal::illegal_move, "line-is-drawn", {move::form::document, 0, {}}}});
  CHECK(w.last_order<leave>().game.value == 7);
  CHECK(w.last_order<leave>().why == leave_cause::bot_error);
  REQUIRE(w.calls(call::method::error));
  CHECK(w.says(R"(\"h:9:9\" can't be played now (line-is-drawn).)"));
  CHECK(w.last_report<report::failed>()->code == bot_error_code::occupied);
}

TEST_CASE("bot_session: a bot that a substitute replaces because of the clock has failed") {
  table_world w;
  w.sits_down();
  w.is_asked();
  auto p = w.view("{}", only(3));
  p->substituted = only(2);
  w.receives({{}, {7}, position_ref{p}});
  REQUIRE(w.last_report<report::failed>() != nullptr);
  CHECK(w.last_report<report::failed>()->code == bot_error_code::timeout);
  CHECK(w.last_order<leave>().game.value == 7);
  // Its late answer is no move of a later turn.
  const auto played = w.count_orders<play>();
  w.answers(replies(R"({"result":{"move":"h:0:1"}})"));
  CHECK(w.count_orders<play>() == played);
}

TEST_CASE("bot_session: a table that the clock of another player ends is no error of the bot") {
  table_world w;
  w.sits_down();
  auto p = w.view("{}", 0);
  p->outcome = won_by(2, end_reason::clock);
  p->outcome->forfeits = only(0) | only(1) | only(3);
  w.receives({{}, {7}, position_ref{p}});
  CHECK(w.calls(call::method::complete));
  CHECK(w.bot.online());
}

TEST_CASE("bot_session: a table that the bot's own clock ends is its error") {
  table_world w;
  w.sits_down();
  auto p = w.view("{}", 0);
  p->outcome = won_by(0, end_reason::clock);
  p->outcome->forfeits = only(1) | only(2) | only(3);
  w.receives({{}, {7}, position_ref{p}});
  REQUIRE(w.last_report<report::failed>() != nullptr);
  CHECK(w.last_report<report::failed>()->code == bot_error_code::timeout);
}

TEST_CASE("bot_session: who is late by a clock that people chose has lost, and has not failed") {
  table_world w;
  w.sits_down(2, per_move_clock(std::chrono::milliseconds{100}));
  SECTION("the game ends") {
    auto p = w.view("{}", 0);
    p->outcome = won_by(0, end_reason::clock);
    p->outcome->forfeits = only(1) | only(2) | only(3);
    w.receives({{}, {7}, position_ref{p}});
    CHECK(w.calls(call::method::complete));
  }
  SECTION("an engine plays its seat on") {
    w.is_asked();
    CHECK(w.says(R"("clock_rule":"move:0.1")"));
    auto p = w.view("{}", only(3));
    p->substituted = only(2);
    w.receives({{}, {7}, position_ref{p}});
    CHECK(w.last_order<leave>().game.value == 7);
    CHECK(w.last_order<leave>().why == leave_cause::quit);
  }
  CHECK(w.last_report<report::failed>() == nullptr);
  CHECK(w.bot.online());
}

TEST_CASE("bot_session: in a game for two without a board calls have the view and the actions") {
  pair_world w;
  w.is_asked();
  REQUIRE(w.calls(call::method::next_move));
  CHECK(w.says(R"("params":{"gameid":7,"mark":"O","gamestate":{"heaps":[1,3]},"seat":1,"seats":2,)"
               R"("marks":["X","O"],"players":["Bob","Ann"],"options":{},"hidden":false,)"
               R"("simultaneous":false,"substitutes":[],"actions":["0:1","1:1"]})"));
  w.answers(replies(R"({"result":{"move":"1:1"}})"));
  CHECK(w.last_order<play>().move.text == R"("1:1")");
  w.ends(won_by(1));
  REQUIRE(w.calls(call::method::complete));
  CHECK(w.says(R"("winner":true,"mark":"O","gamestate":{"heaps":[0,0]},"seat":1,)"));
  CHECK(w.says(R"("reason":"rules")"));
}

TEST_CASE("bot_session: calls of a game with hidden information say so, also with a board") {
  pair_world w{true};
  auto p = w.view("{}", only(1));
  p->cells = "-~-O";
  w.receives({{}, {7}, position_ref{p}});
  CHECK(w.says(R"("gamestate":["","~","","O"],"seat":1,)"));
  CHECK(w.says(R"("hidden":true,"simultaneous":true,)"));
  w.answers(plays(2));
  CHECK(w.last_order<play>().move.as == move::form::cell);
  CHECK(w.last_order<play>().move.cell == 2);
}

TEST_CASE("bot_session: a game for two that the clock ends is an error of who was late") {
  pair_world late, well_in_time, both;
  late.ends(won_by(0, end_reason::clock));
  both.ends(outcome{end_reason::clock, std::nullopt, {0, 0}});
  for (const auto* w : {&late, &both}) {
    REQUIRE(w->last_report<report::failed>() != nullptr);
    CHECK(w->last_report<report::failed>()->code == bot_error_code::timeout);
  }
  well_in_time.ends(won_by(1, end_reason::clock));
  CHECK(well_in_time.calls(call::method::complete));
  CHECK(well_in_time.bot.online());
}

TEST_CASE("bot_session: on a board a move that is no cell is given in the engine's JSON") {
  bot_world w;
  w.goes_online();
  w.game_begins(7);
  w.answers(well);
  REQUIRE(w.calls(call::method::next_move));
  w.answers(replies(R"({"result":{"move":"pass"}})"));
  CHECK(w.last_order<play>().move.as == move::form::document);
  CHECK(w.last_order<play>().move.text == R"("pass")");
  w.receives({w.answering(w.last_ticket()),
              {7},
              refused{refusal::illegal_move, "", {move::form::document, 0, {}}}});
  REQUIRE(w.calls(call::method::error));
  CHECK(w.calling->body.find(R"(\"pass\" can't be played now)") != std::string::npos);
}

TEST_CASE("bot_session: of an engine for one or more a bot seeks the games of two") {
  bot_world w;
  call_options how{"FromOne"};
  how.options = R"({"players":2})";
  w.goes_online(std::move(how));
  CHECK(w.last_order<seek>().options == std::vector<std::string>{R"({"players":2})"});
}
