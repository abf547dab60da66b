// A bot at a table of three seats or more: what its calls tell, and what its errors end.
#include "gateways/bots/bot_session.hpp"
#include "tests/support/bot_world.hpp"
#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::gateways;
using namespace gamehub::gateways::bots;

namespace {

struct table_world : bot_world {
  void sits_down(seat_index seat = 2) {
    goes_online();
    auto terms = std::make_shared<game_terms>();
    terms->options = R"({"players":4})";
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
