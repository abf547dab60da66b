#include "tests/support/bot_world.hpp"
#include "tests/support/catch.hpp"

#include <set>

using namespace gamehub;
using namespace gamehub::gateways;
using namespace gamehub::gateways::bots;

namespace {

// A bot in game 7 with an active NextMove call.
struct asked_bot : bot_world {
  asked_bot() {
    goes_online();
    game_begins(7);
    answers(well);
  }
};

}  // namespace

TEST_CASE("bot_session: a move has the trace of its call, and each turn a new one") {
  bot_world w;
  w.goes_online();
  w.game_begins(7);
  std::set<std::uint64_t> traces{w.calling->trace.value};
  w.answers(well);
  REQUIRE(w.calls(call::method::next_move));
  const auto first = w.calling->trace;
  CHECK(traces.insert(first.value).second);
  w.answers(plays(4));
  CHECK(w.orders.back().trace == first);
  w.receives({w.answering(w.last_ticket()), {7}, bot_world::board("----X----", only(1))});
  w.receives({{}, {7}, bot_world::board("O---X----", only(0))});
  REQUIRE(w.calls(call::method::next_move));
  CHECK(traces.insert(w.calling->trace.value).second);
  CHECK(traces.count(0) == 0);
}

TEST_CASE("bot_session: an error has the trace of its call") {
  SECTION("in the answer") {
    asked_bot w;
    const auto asked = *w.calling;
    w.answers(replies("rubbish"));
    CHECK(w.last_report<report::failed>()->trace == asked.trace);
    REQUIRE(w.calls(call::method::error));
    CHECK(w.calling->trace == asked.trace);
    CHECK(w.calling->span != asked.span);
    CHECK(w.orders.back().trace == asked.trace);
  }
  SECTION("in the game") {
    asked_bot w;
    const auto asked = w.calling->trace;
    w.answers(plays(4));
    w.receives({w.answering(w.last_ticket()), {7}, refused{refusal::space_not_empty, {}, {}}});
    CHECK(w.last_report<report::failed>()->trace == asked);
    CHECK(w.calling->trace == asked);
  }
  SECTION("by the hub's clock, while it thinks") {
    asked_bot w;
    const auto asked = w.calling->trace;
    w.game_ends(7, won_by(1, end_reason::clock));
    CHECK(w.last_report<report::failed>()->trace == asked);
  }
  SECTION("by its silence before any game") {
    bot_world w;
    w.registers();
    trace_id last;
    while (w.last_report<report::failed>() == nullptr) {
      last = w.calling->trace;
      w.answers(unreachable);
      if (w.bot.next() != base::instant::max()) w.passes(w.bot.next() - w.now);
    }
    CHECK(w.last_report<report::failed>()->trace == last);
  }
}

TEST_CASE("bot_session: Complete has the trace of the move that ended the game") {
  asked_bot w;
  const auto asked = w.calling->trace;
  w.answers(plays(4));
  w.receives({w.answering(w.last_ticket()), {7}, bot_world::board("XXXOO----", 0, won_by(0))});
  REQUIRE(w.calls(call::method::complete));
  CHECK(w.calling->trace == asked);
  w.answers(http_client::response{404, false, "who asks?"});
  const auto* reply = w.last_report<report::replied>();
  REQUIRE(reply != nullptr);
  CHECK(reply->to == call::method::complete);
  CHECK(reply->game.value == 7);
  CHECK(reply->trace == asked);
  CHECK(reply->text == "404 who asks?");
}

TEST_CASE("bot_session: a repeated call has the same trace and a new span") {
  asked_bot w;
  const auto asked = *w.calling;
  w.registers();
  w.answers(unreachable);
  REQUIRE(w.calls(call::method::ping));
  w.answers(well);
  REQUIRE(w.calls(call::method::next_move));
  CHECK(w.calling->trace == asked.trace);
  CHECK(w.calling->span != asked.span);
}
