#include "gateways/jsonrpc/caller.hpp"

#include <utility>

#include "gateways/jsonrpc/jsonrpc_limits.hpp"
#include "tests/support/bot_world.hpp"
#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::gateways::jsonrpc;
using namespace std::chrono_literals;

TEST_CASE("caller: pings who has registered, and then lets people find it") {
  bot_world w;
  w.registers();
  REQUIRE(w.calls(call::method::ping));
  CHECK(w.calling->body == R"({"jsonrpc":"2.0","method":"Status.Ping","params":null,"id":1})");
  CHECK(w.calling->deadline == w.now + 5s);
  CHECK(w.orders.empty());
  w.answers(well);
  CHECK(w.last_report<report::came_online>() == nullptr);
  CHECK(w.last_order<sign_in>().name == "Ann");
  CHECK(w.last_order<sign_in>().proposes_secret);
  w.hears({w.answering(w.last_ticket()), {}, signed_in{"Ann-1", "secret"}});
  CHECK(w.last_report<report::named>()->name == "Ann-1");
  const auto& wish = w.last_order<seek>();
  CHECK(wish.engines == std::vector<std::string>{"tictactoe"});
  CHECK(wish.only_by_name);
  CHECK(wish.again);
  CHECK(wish.games_max == 2);
  CHECK_FALSE(w.bot.online());
  w.hears({w.answering(w.last_ticket()), {}, placed{"tictactoe", "XO", std::nullopt}});
  CHECK(w.last_report<report::came_online>() != nullptr);
  CHECK(w.bot.online());
}

TEST_CASE("caller: tries for ten seconds to reach who may not listen yet") {
  bot_world w;
  const auto begin = w.now;
  w.registers();
  int pings = 0;
  while (w.last_report<report::went_wrong>() == nullptr) {
    REQUIRE(w.calls(call::method::ping));
    ++pings;
    w.answers(unreachable);
    if (w.bot.next() != instant::max()) w.passes(w.bot.next() - w.now);
  }
  CHECK(pings == 8);
  CHECK(w.now - begin <= limits::bot_trial_max);
  CHECK(w.now - begin >= limits::bot_trial_max - limits::bot_trial_pause_max);
  CHECK(w.last_report<report::went_wrong>()->code == bot_fault_code::transport);
  CHECK_FALSE(w.last_report<report::went_wrong>()->game);
  CHECK(w.orders.empty());
  CHECK_FALSE(w.calling);
  CHECK(w.bot.next() == instant::max());
  // Once more, and it is there.
  w.goes_online();
}

TEST_CASE("caller: a ping needs the status 200, and of its body nothing") {
  bot_world w;
  w.registers();
  w.answers(answered{404, false, ""});
  CHECK_FALSE(w.inside);
  w.passes(limits::bot_trial_pause_min);
  w.answers(answered{204, false, ""});
  w.passes(2 * limits::bot_trial_pause_min);
  w.answers(answered{200, true, "\x1f\x8b"});
  CHECK(w.inside);
}

TEST_CASE("caller: a bot that hangs at its ping keeps no more than its ten seconds") {
  bot_world w;
  w.registers();
  w.passes(w.calling->deadline - w.now);
  w.answers(too_late);
  w.passes(limits::bot_trial_pause_min);
  CHECK(w.calling->deadline <= w.now + 5s);
  w.passes(w.calling->deadline - w.now);
  w.answers(too_late);
  REQUIRE(w.last_report<report::went_wrong>() != nullptr);
  CHECK(w.last_report<report::went_wrong>()->code == bot_fault_code::timeout);
}

TEST_CASE("caller: plays a game: ping, move for move, and the end") {
  bot_world w;
  w.goes_online();
  w.game_begins(7);
  REQUIRE(w.calls(call::method::ping));
  w.answers(well);
  REQUIRE(w.calls(call::method::next_move));
  CHECK(w.calling->body.find(R"("method":"TicTacToe.NextMove","params":{"gameid":7,"mark":"X",)") !=
        std::string::npos);
  w.answers(plays(4));
  CHECK(w.last_order<play>().game.value == 7);
  CHECK(w.last_order<play>().move.as == move::form::cell);
  CHECK(w.last_order<play>().move.cell == 4);
  // Its own move is shown and the other is asked: there is nothing to call.
  w.hears({w.answering(w.last_ticket()), {7}, bot_world::board("----X----", only(1))});
  CHECK_FALSE(w.calling);
  w.hears({{}, {7}, bot_world::board("O---X----", only(0))});
  REQUIRE(w.calls(call::method::next_move));
  CHECK(w.calling->body.find(R"("gamestate":["O","","","","X","","","",""])") != std::string::npos);
  w.answers(plays(0));
  w.game_ends(7, won_by(0));
  REQUIRE(w.calls(call::method::complete));
  CHECK(w.calling->body.find(R"("winner":true,"mark":"X","gamestate":["X","X","X","O","O")") !=
        std::string::npos);
  CHECK(w.last_report<report::game_over>()->how.winner == 0);
  w.answers(says("null"));
  CHECK_FALSE(w.calling);
  CHECK(w.bot.online());
}

TEST_CASE("caller: who is to know is told the opponent, from its next registration on") {
  bot_world w;
  w.goes_online();
  w.game_begins(7, 1);
  w.hears({{}, {7}, bot_world::board("X--------", only(1))});
  w.answers(well);
  CHECK(w.calling->body.find("opponent") == std::string::npos);
  w.answers(plays(4));
  auto who = ann();
  who.knows_opponents = true;
  w.registers(who);
  w.answers(well);
  w.hears({{}, {7}, bot_world::board("X---OX---", only(1))});
  CHECK(w.calling->body.find(R"("opponent":"a"})") != std::string::npos);
}

TEST_CASE("caller: a draw is nobody's win, and a reply to the end is never required") {
  bot_world w;
  w.goes_online();
  w.game_begins(7, 1);
  w.answers(well);
  w.game_ends(7, {});
  CHECK(w.calling->body.find(R"("winner":false,"mark":"O")") != std::string::npos);
  w.answers(unreachable);
  CHECK(w.bot.online());
  CHECK(w.last_report<report::went_wrong>() == nullptr);
}

TEST_CASE("caller: makes one call at a time, in the order of need") {
  bot_world w;
  w.goes_online();
  w.game_begins(1);
  w.game_begins(2);
  const call::method order[] = {call::method::ping, call::method::next_move, call::method::ping,
                                call::method::next_move};
  for (const auto each : order) {
    REQUIRE(w.calls(each));
    w.answers(each == call::method::ping ? well : plays(1));
  }
  CHECK_FALSE(w.calling);
  CHECK(w.count_orders<play>() == 2);
}

TEST_CASE(
    "caller: what is wrong with an answer ends the game by the bot's fault, with its number") {
  struct fault {
    call_outcome said;
    bot_fault_code code;
  };
  const fault faults[] = {
      {too_late, bot_fault_code::timeout},
      {unreachable, bot_fault_code::transport},
      {answered{500, false, R"({"result":{"position":4}})"}, bot_fault_code::transport},
      {answered{302, false, ""}, bot_fault_code::transport},
      {answered{200, true, "x"}, bot_fault_code::unparsable},
      {says(R"({"result":null})"), bot_fault_code::unparsable},
      {says("<html>"), bot_fault_code::unparsable},
      {says(R"({"result":{"position":4.5}})"), bot_fault_code::unparsable},
  };
  for (const auto& each : faults) {
    bot_world w;
    w.goes_online();
    w.game_begins(7);
    w.answers(well);
    w.answers(each.said);
    INFO(to_string(each.code));
    const auto* wrong = w.last_report<report::went_wrong>();
    REQUIRE(wrong != nullptr);
    CHECK(wrong->code == each.code);
    CHECK(wrong->game.value == 7);
    CHECK_FALSE(w.bot.online());
    CHECK(w.count_orders<leave>() == 2);
    // It is told so, once, and hears no other end of that game.
    REQUIRE(w.calls(call::method::error));
    CHECK(w.calling->body.find(R"("errorcode":)" + std::to_string(static_cast<int>(each.code)) +
                               "}") != std::string::npos);
    w.hears({w.answering(w.orders[w.orders.size() - 2].number), {}, done{}});
    w.game_ends(7, won_by(1, end_reason::left));
    CHECK(w.last_report<report::game_over>()->how.winner == 1);
    CHECK(w.inside);
    w.answers(well);
    CHECK_FALSE(w.calling);
    CHECK_FALSE(w.inside);
    CHECK(w.bot.next() == instant::max());
  }
}

TEST_CASE("caller: who is away when its game begins has lost it, and is told why") {
  struct silence {
    call_outcome said;
    bot_fault_code code;
  };
  const silence silences[] = {
      {answered{503, false, ""}, bot_fault_code::transport},
      {answered{204, false, ""}, bot_fault_code::transport},
      {unreachable, bot_fault_code::transport},
      {too_late, bot_fault_code::timeout},
  };
  for (const auto& each : silences) {
    bot_world w;
    w.goes_online();
    w.game_begins(7);
    REQUIRE(w.calls(call::method::ping));
    w.answers(each.said);
    const auto* wrong = w.last_report<report::went_wrong>();
    REQUIRE(wrong != nullptr);
    CHECK(wrong->code == each.code);
    CHECK(wrong->game.value == 7);
    CHECK(wrong->text.starts_with("Before the game you were asked by Status.Ping. "));
    CHECK(w.last_order<leave>().game.value == 7);
    CHECK(w.calls(call::method::error));
  }
}

TEST_CASE("caller: what the hub does not take is told by its number, too") {
  const std::pair<refusal, bot_fault_code> cases[] = {
      {refusal::space_not_empty, bot_fault_code::occupied},
      {refusal::out_of_bounds, bot_fault_code::out_of_bounds},
      {refusal::illegal_move, bot_fault_code::occupied},
  };
  for (const auto& [why, code] : cases) {
    bot_world w;
    w.goes_online();
    w.game_begins(7);
    w.answers(well);
    w.answers(plays(4));
    w.hears({w.answering(w.last_ticket()), {7}, refused{why, {}, {}}});
    REQUIRE(w.last_report<report::went_wrong>() != nullptr);
    CHECK(w.last_report<report::went_wrong>()->code == code);
    CHECK(w.calls(call::method::error));
  }
}

TEST_CASE("caller: a move that crossed the end of its game is nobody's fault") {
  for (const auto why : {refusal::game_over, refusal::opponent_left, refusal::not_in_game}) {
    bot_world w;
    w.goes_online();
    w.game_begins(7);
    w.answers(well);
    w.answers(plays(4));
    w.hears({w.answering(w.last_ticket()), {7}, refused{why, {}, {}}});
    w.game_ends(7, won_by(0, end_reason::left));
    CHECK(w.bot.online());
    CHECK(w.calls(call::method::complete));
  }
}

TEST_CASE("caller: an answer that comes after the end of its game is nobody's concern") {
  bot_world w;
  w.goes_online();
  w.game_begins(7);
  w.answers(well);
  w.game_ends(7, won_by(0, end_reason::left));
  w.answers(says("rubbish"));
  CHECK(w.bot.online());
  CHECK(w.calls(call::method::complete));
}

TEST_CASE("caller: who loses on the hub's clock was too slow") {
  bot_world w;
  w.goes_online();
  w.game_begins(7);
  w.answers(well);
  w.game_ends(7, won_by(1, end_reason::clock));
  REQUIRE(w.last_report<report::went_wrong>() != nullptr);
  CHECK(w.last_report<report::went_wrong>()->code == bot_fault_code::timeout);
  w.answers(plays(4));
  CHECK(w.calls(call::method::error));
  CHECK(w.count_orders<play>() == 0);
}

TEST_CASE("caller: a fault in one game loses the others, and their ends are told who can hear") {
  for (const bool alive : {true, false}) {
    bot_world w;
    w.goes_online();
    w.game_begins(1);
    w.answers(well);
    w.answers(plays(4));
    w.hears({w.answering(w.last_ticket()), {1}, bot_world::board("----X----", only(1))});
    w.game_begins(2);
    w.answers(well);
    w.answers(alive ? says("rubbish") : unreachable);
    CHECK(w.count_orders<leave>() == 3);
    REQUIRE(w.calls(call::method::error));
    w.game_ends(2, won_by(1, end_reason::left));
    w.game_ends(1, won_by(1, end_reason::left));
    w.answers(alive ? well : unreachable);
    CHECK(w.calls(call::method::complete) == alive);
  }
}

TEST_CASE("caller: a bot that started anew goes on with its games, its old process is forgiven") {
  bot_world w;
  w.goes_online();
  w.game_begins(7);
  w.answers(well);
  REQUIRE(w.calls(call::method::next_move));
  w.registers();
  CHECK(w.calls(call::method::next_move));
  w.answers(unreachable);
  REQUIRE(w.calls(call::method::ping));
  w.answers(well);
  CHECK(w.bot.online());
  REQUIRE(w.calls(call::method::next_move));
  w.answers(plays(4));
  CHECK(w.last_order<play>().move.cell == 4);
  CHECK(w.count_orders<sign_in>() == 1);
}

TEST_CASE("caller: a bot that can't be reached after it registered anew loses what it plays") {
  bot_world w;
  w.goes_online();
  w.game_begins(7, 1);
  w.answers(well);
  w.registers();
  while (w.calling) {
    w.answers(unreachable);
    if (w.bot.next() != instant::max()) w.passes(w.bot.next() - w.now);
  }
  CHECK(w.last_report<report::went_wrong>() != nullptr);
  CHECK(w.count_orders<leave>() == 2);
}

TEST_CASE("caller: who registers while its mistake is settled comes back after that") {
  bot_world w;
  w.goes_online();
  w.game_begins(7);
  w.answers(well);
  w.answers(says("rubbish"));
  REQUIRE(w.calls(call::method::error));
  w.registers();
  w.answers(well);
  REQUIRE(w.calls(call::method::ping));
  w.answers(well);
  CHECK_FALSE(w.bot.online());
  CHECK(w.count_orders<sign_in>() == 1);
  w.hears({w.answering(w.orders[w.orders.size() - 2].number), {}, done{}});
  w.game_ends(7, won_by(1, end_reason::left));
  CHECK(w.count_orders<sign_in>() == 2);
  CHECK(w.inside);
}

TEST_CASE("caller: a game that comes while it leaves is left at once") {
  bot_world w;
  w.goes_online();
  w.game_begins(7);
  w.answers(well);
  w.answers(says("rubbish"));
  w.game_begins(8);
  CHECK(w.last_order<leave>().game.value == 8);
  CHECK(w.bot.games() == 2);
}

TEST_CASE("caller: with another engine it leaves the games of the former") {
  bot_world w;
  w.goes_online();
  w.game_begins(7);
  w.answers(well);
  auto four = ann();
  four.engine = "connect-four";
  four.prefix = "ConnectFour";
  w.registers(four);
  CHECK(w.count_orders<leave>() == 2);
  w.hears({w.answering(w.orders[w.orders.size() - 2].number), {}, done{}});
  w.game_ends(7, won_by(1, end_reason::left));
  w.answers(plays(4));
  REQUIRE(w.calls(call::method::ping));
  w.answers(well);
  REQUIRE(w.calls(call::method::complete));
  CHECK(w.calling->body.find("TicTacToe.Complete") != std::string::npos);
  w.answers(well);
  w.hears({w.answering(w.last_ticket()), {}, signed_in{"Ann", "secret"}});
  CHECK(w.last_order<seek>().engines == std::vector<std::string>{"connect-four"});
}

TEST_CASE("caller: two bots meet in two steps") {
  bot_world w;
  w.goes_online();
  w.bot.challenge(5, "Bob", w.now, w.out), w.take();
  CHECK(w.last_order<challenge>().opponent == "Bob");
  CHECK_FALSE(w.last_order<challenge>().game);
  w.hears({w.answering(w.last_ticket()), {9}, placed{}});
  REQUIRE(w.last_report<report::reserved>() != nullptr);
  CHECK(w.last_report<report::reserved>()->request == 5);
  CHECK(w.last_report<report::reserved>()->game.value == 9);
  w.bot.begin(5, "Bob", {9}, w.out), w.take();
  CHECK(w.last_order<challenge>().game.value == 9);
  w.hears({w.answering(w.last_ticket()), {}, refused{refusal::already_in_game, {}, {}}});
  REQUIRE(w.last_report<report::not_met>() != nullptr);
  CHECK(w.last_report<report::not_met>()->request == 5);
  CHECK(w.bot.online());
}

TEST_CASE("caller: who is not there meets nobody") {
  bot_world w;
  w.bot.challenge(5, "Bob", w.now, w.out), w.take();
  CHECK(w.last_report<report::not_met>() != nullptr);
}

TEST_CASE("caller: what the hub has no room for is asked for again") {
  bot_world w;
  w.goes_online();
  w.hears({{}, {}, refused{refusal::unfit_engine, {}, {}}});
  CHECK_FALSE(w.bot.online());
  CHECK(w.count_orders<seek>() == 1);
  w.passes(1s);
  CHECK(w.count_orders<seek>() == 2);
  w.hears({w.answering(w.last_ticket()), {}, placed{}});
  CHECK(w.bot.online());
  CHECK(w.last_report<report::came_online>() != nullptr);
  w.bot.closed(false, w.now, w.out), w.take();
  CHECK_FALSE(w.inside);
  w.passes(1s);
  CHECK(w.count_orders<sign_in>() == 2);
  w.bot.closed(true, w.now, w.out), w.take();
  CHECK(w.bot.next() == instant::max());
}

TEST_CASE("caller: last words do not pile up before a bot that is slow to hear them") {
  bot_world w;
  w.goes_online();
  for (std::uint64_t id = 1; id <= 100; ++id) {
    w.game_begins(id, 1);
    w.game_ends(id, won_by(1, end_reason::left));
  }
  int calls = 0;
  for (; w.calling; ++calls) w.answers(well);
  CHECK(calls <= 6);
  CHECK(w.bot.online());
}
