#include "gateways/bots/bot_session.hpp"

#include "gateways/bots/bot_limits.hpp"
#include "tests/support/bot_world.hpp"
#include "tests/support/catch.hpp"

#include <utility>

using namespace gamehub;
using namespace gamehub::gateways;
using namespace gamehub::gateways::bots;
using namespace std::chrono_literals;

TEST_CASE("bot_session: pings a registered bot, then seeks players") {
  bot_world w;
  w.registers();
  REQUIRE(w.calls(call::method::ping));
  CHECK(w.calling->body == R"({"jsonrpc":"2.0","method":"Status.Ping","params":null,"id":1})");
  CHECK(w.calling->deadline == w.now + 5s);
  CHECK(w.orders.empty());
  w.answers(well);
  CHECK(w.last_report<report::online>() == nullptr);
  CHECK(w.last_order<sign_in>().name == "Ann");
  CHECK(w.last_order<sign_in>().proposes_secret);
  w.receives({w.answering(w.last_ticket()), {}, signed_in{"Ann-1", "secret"}});
  CHECK(w.last_report<report::name_assigned>()->name == "Ann-1");
  const auto& sent = w.last_order<seek>();
  CHECK(sent.engines == std::vector<std::string>{"tictactoe"});
  CHECK(sent.only_by_name);
  CHECK(sent.again);
  CHECK(sent.games_max == 2);
  CHECK_FALSE(w.bot.online());
  w.receives({w.answering(w.last_ticket()), {}, placed{"tictactoe", "XO", std::nullopt}});
  CHECK(w.last_report<report::online>() != nullptr);
  CHECK(w.bot.online());
}

TEST_CASE("bot_session: repeats the first ping for ten seconds") {
  bot_world w;
  const auto begin = w.now;
  w.registers();
  int pings = 0;
  while (w.last_report<report::failed>() == nullptr) {
    REQUIRE(w.calls(call::method::ping));
    ++pings;
    w.answers(unreachable);
    if (w.bot.next() != base::instant::max()) w.passes(w.bot.next() - w.now);
  }
  CHECK(pings == 8);
  CHECK(w.now - begin <= limits::bot_trial_max);
  CHECK(w.now - begin >= limits::bot_trial_max - limits::bot_trial_pause_max);
  CHECK(w.last_report<report::failed>()->code == bot_error_code::transport);
  CHECK_FALSE(w.last_report<report::failed>()->game);
  CHECK(w.orders.empty());
  CHECK_FALSE(w.calling);
  CHECK(w.bot.next() == base::instant::max());
  // The next ping succeeds.
  w.goes_online();
}

TEST_CASE("bot_session: a ping requires the status 200 and ignores the body") {
  bot_world w;
  w.registers();
  w.answers(http_client::response{404, false, ""});
  CHECK_FALSE(w.inside);
  w.passes(limits::bot_trial_pause_min);
  w.answers(http_client::response{204, false, ""});
  w.passes(2 * limits::bot_trial_pause_min);
  w.answers(http_client::response{200, true, "\x1f\x8b"});
  CHECK(w.inside);
}

TEST_CASE("bot_session: a bot that answers its pings with another status than 200 has failed") {
  bot_world w;
  w.registers();
  while (w.last_report<report::failed>() == nullptr) {
    w.answers(http_client::response{204, false, ""});
    if (w.bot.next() != base::instant::max()) w.passes(w.bot.next() - w.now);
  }
  CHECK(w.last_report<report::failed>()->code == bot_error_code::transport);
  CHECK(w.last_report<report::failed>()->text ==
        "You did not answer Status.Ping within 10 seconds. You answered with the HTTP status 204.");
}

TEST_CASE("bot_session: a hanging ping ends after ten seconds") {
  bot_world w;
  w.registers();
  w.passes(w.calling->deadline - w.now);
  w.answers(too_late);
  w.passes(limits::bot_trial_pause_min);
  CHECK(w.calling->deadline <= w.now + 5s);
  w.passes(w.calling->deadline - w.now);
  w.answers(too_late);
  REQUIRE(w.last_report<report::failed>() != nullptr);
  CHECK(w.last_report<report::failed>()->code == bot_error_code::timeout);
}

TEST_CASE("bot_session: plays a game: ping, moves, and the end") {
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
  // Its own move does not cause a call.
  w.receives({w.answering(w.last_ticket()), {7}, bot_world::board("----X----", only(1))});
  CHECK_FALSE(w.calling);
  w.receives({{}, {7}, bot_world::board("O---X----", only(0))});
  REQUIRE(w.calls(call::method::next_move));
  CHECK(w.calling->body.find(R"("gamestate":["O","","","","X","","","",""])") != std::string::npos);
  w.answers(plays(0));
  w.game_ends(7, won_by(0));
  REQUIRE(w.calls(call::method::complete));
  CHECK(w.calling->body.find(R"("winner":true,"mark":"X","gamestate":["X","X","X","O","O")") !=
        std::string::npos);
  CHECK(w.last_report<report::game_over>()->how.winner == 0);
  w.answers(replies("null"));
  CHECK_FALSE(w.calling);
  CHECK(w.bot.online());
}

TEST_CASE("bot_session: names the opponent if set, from the next registration on") {
  bot_world w;
  w.goes_online();
  w.game_begins(7, 1);
  w.receives({{}, {7}, bot_world::board("X--------", only(1))});
  w.answers(well);
  CHECK(w.calling->body.find("opponent") == std::string::npos);
  w.answers(plays(4));
  w.registers(ann(), {"TicTacToe", false, true});
  w.answers(well);
  w.receives({{}, {7}, bot_world::board("X---OX---", only(1))});
  CHECK(w.calling->body.find(R"("opponent":"a"})") != std::string::npos);
}

TEST_CASE("bot_session: a draw has no winner, and no reply to Complete is required") {
  bot_world w;
  w.goes_online();
  w.game_begins(7, 1);
  w.answers(well);
  w.game_ends(7, {});
  CHECK(w.calling->body.find(R"("winner":false,"mark":"O")") != std::string::npos);
  w.answers(unreachable);
  CHECK(w.bot.online());
  CHECK(w.last_report<report::failed>() == nullptr);
}

TEST_CASE("bot_session: makes one call at a time, in order") {
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

TEST_CASE("bot_session: an invalid reply loses the game with its error code") {
  struct fault {
    call_outcome answer;
    bot_error_code code;
  };
  const fault faults[] = {
      {too_late, bot_error_code::timeout},
      {unreachable, bot_error_code::transport},
      {http_client::response{500, false, R"({"result":{"position":4}})"},
       bot_error_code::transport},
      {http_client::response{302, false, ""}, bot_error_code::transport},
      {http_client::response{200, true, "x"}, bot_error_code::unparsable},
      {replies(R"({"result":null})"), bot_error_code::unparsable},
      {replies("<html>"), bot_error_code::unparsable},
      {replies(R"({"result":{"position":4.5}})"), bot_error_code::unparsable},
  };
  for (const auto& each : faults) {
    bot_world w;
    w.goes_online();
    w.game_begins(7);
    w.answers(well);
    w.answers(each.answer);
    INFO(to_string(each.code));
    const auto* wrong = w.last_report<report::failed>();
    REQUIRE(wrong != nullptr);
    CHECK(wrong->code == each.code);
    CHECK(wrong->game.value == 7);
    CHECK_FALSE(w.bot.online());
    CHECK(w.count_orders<leave>() == 2);
    // It gets one Error call, and no Complete call for that game.
    REQUIRE(w.calls(call::method::error));
    CHECK(w.calling->body.find(R"("errorcode":)" + std::to_string(static_cast<int>(each.code)) +
                               "}") != std::string::npos);
    w.receives({w.answering(w.orders[w.orders.size() - 2].number), {}, done{}});
    w.game_ends(7, won_by(1, end_reason::left));
    CHECK(w.last_report<report::game_over>()->how.winner == 1);
    CHECK(w.inside);
    w.answers(well);
    CHECK_FALSE(w.calling);
    CHECK_FALSE(w.inside);
    CHECK(w.bot.next() == base::instant::max());
  }
}

TEST_CASE("bot_session: a bot that misses the ping before a game loses it") {
  struct silence {
    call_outcome answer;
    bot_error_code code;
  };
  const silence silences[] = {
      {http_client::response{503, false, ""}, bot_error_code::transport},
      {http_client::response{204, false, ""}, bot_error_code::transport},
      {unreachable, bot_error_code::transport},
      {too_late, bot_error_code::timeout},
  };
  for (const auto& each : silences) {
    bot_world w;
    w.goes_online();
    w.game_begins(7);
    REQUIRE(w.calls(call::method::ping));
    w.answers(each.answer);
    const auto* wrong = w.last_report<report::failed>();
    REQUIRE(wrong != nullptr);
    CHECK(wrong->code == each.code);
    CHECK(wrong->game.value == 7);
    CHECK(wrong->text.starts_with("Before the game you were asked by Status.Ping. "));
    CHECK(w.last_order<leave>().game.value == 7);
    CHECK(w.calls(call::method::error));
  }
}

TEST_CASE("bot_session: a refused move has its error code") {
  const std::pair<refusal, bot_error_code> cases[] = {
      {refusal::space_not_empty, bot_error_code::occupied},
      {refusal::out_of_bounds, bot_error_code::out_of_bounds},
      {refusal::illegal_move, bot_error_code::occupied},
  };
  for (const auto& [why, code] : cases) {
    bot_world w;
    w.goes_online();
    w.game_begins(7);
    w.answers(well);
    w.answers(plays(4));
    w.receives({w.answering(w.last_ticket()), {7}, refused{why, {}, {}}});
    REQUIRE(w.last_report<report::failed>() != nullptr);
    CHECK(w.last_report<report::failed>()->code == code);
    CHECK(w.calls(call::method::error));
  }
}

TEST_CASE("bot_session: a move that crosses the end of its game is no error") {
  for (const auto why : {refusal::game_over, refusal::opponent_left, refusal::not_in_game}) {
    bot_world w;
    w.goes_online();
    w.game_begins(7);
    w.answers(well);
    w.answers(plays(4));
    w.receives({w.answering(w.last_ticket()), {7}, refused{why, {}, {}}});
    w.game_ends(7, won_by(0, end_reason::left));
    CHECK(w.bot.online());
    CHECK(w.calls(call::method::complete));
  }
}

TEST_CASE("bot_session: a reply after the end of its game is ignored") {
  bot_world w;
  w.goes_online();
  w.game_begins(7);
  w.answers(well);
  w.game_ends(7, won_by(0, end_reason::left));
  w.answers(replies("rubbish"));
  CHECK(w.bot.online());
  CHECK(w.calls(call::method::complete));
}

TEST_CASE("bot_session: a turn timeout is an error of the bot") {
  bot_world w;
  w.goes_online();
  w.game_begins(7);
  w.answers(well);
  w.game_ends(7, won_by(1, end_reason::clock));
  REQUIRE(w.last_report<report::failed>() != nullptr);
  CHECK(w.last_report<report::failed>()->code == bot_error_code::timeout);
  w.answers(plays(4));
  CHECK(w.calls(call::method::error));
  CHECK(w.count_orders<play>() == 0);
}

TEST_CASE("bot_session: an error in one game loses all games, and a reachable bot gets Complete") {
  for (const bool alive : {true, false}) {
    bot_world w;
    w.goes_online();
    w.game_begins(1);
    w.answers(well);
    w.answers(plays(4));
    w.receives({w.answering(w.last_ticket()), {1}, bot_world::board("----X----", only(1))});
    w.game_begins(2);
    w.answers(well);
    w.answers(alive ? replies("rubbish") : unreachable);
    CHECK(w.count_orders<leave>() == 3);
    REQUIRE(w.calls(call::method::error));
    w.game_ends(2, won_by(1, end_reason::left));
    w.game_ends(1, won_by(1, end_reason::left));
    w.answers(alive ? well : unreachable);
    CHECK(w.calls(call::method::complete) == alive);
  }
}

TEST_CASE("bot_session: a restarted bot continues its games without an error") {
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

TEST_CASE("bot_session: a bot that is unreachable after a new registration loses its games") {
  bot_world w;
  w.goes_online();
  w.game_begins(7, 1);
  w.answers(well);
  w.registers();
  while (w.calling) {
    w.answers(unreachable);
    if (w.bot.next() != base::instant::max()) w.passes(w.bot.next() - w.now);
  }
  CHECK(w.last_report<report::failed>() != nullptr);
  CHECK(w.count_orders<leave>() == 2);
}

TEST_CASE("bot_session: a registration during an error takes effect after it") {
  bot_world w;
  w.goes_online();
  w.game_begins(7);
  w.answers(well);
  w.answers(replies("rubbish"));
  REQUIRE(w.calls(call::method::error));
  w.registers();
  w.answers(well);
  REQUIRE(w.calls(call::method::ping));
  w.answers(well);
  CHECK_FALSE(w.bot.online());
  CHECK(w.count_orders<sign_in>() == 1);
  w.receives({w.answering(w.orders[w.orders.size() - 2].number), {}, done{}});
  w.game_ends(7, won_by(1, end_reason::left));
  CHECK(w.count_orders<sign_in>() == 2);
  CHECK(w.inside);
}

TEST_CASE("bot_session: resigns a game that starts while it leaves") {
  bot_world w;
  w.goes_online();
  w.game_begins(7);
  w.answers(well);
  w.answers(replies("rubbish"));
  w.game_begins(8);
  CHECK(w.last_order<leave>().game.value == 8);
  CHECK(w.bot.games() == 2);
}

TEST_CASE("bot_session: leaves its games with the cause that the log tells") {
  for (const bool error : {false, true}) {
    bot_world w;
    w.goes_online();
    w.game_begins(7);
    w.answers(well);
    if (error)
      w.answers(replies("rubbish"));
    else
      w.take(w.bot.remove(w.now));
    CHECK(w.last_order<leave>().game.value == 7);
    CHECK(w.last_order<leave>().why == (error ? leave_cause::bot_error : leave_cause::quit));
  }
}

TEST_CASE("bot_session: a new engine resigns the games of the former") {
  bot_world w;
  w.goes_online();
  w.game_begins(7);
  w.answers(well);
  auto four = ann();
  four.engine = "connect-four";
  w.registers(four, {"ConnectFour"});
  CHECK(w.count_orders<leave>() == 2);
  w.receives({w.answering(w.orders[w.orders.size() - 2].number), {}, done{}});
  w.game_ends(7, won_by(1, end_reason::left));
  w.answers(plays(4));
  REQUIRE(w.calls(call::method::ping));
  w.answers(well);
  REQUIRE(w.calls(call::method::complete));
  CHECK(w.calling->body.find("TicTacToe.Complete") != std::string::npos);
  w.answers(well);
  w.receives({w.answering(w.last_ticket()), {}, signed_in{"Ann", "secret"}});
  CHECK(w.last_order<seek>().engines == std::vector<std::string>{"connect-four"});
}

TEST_CASE("bot_session: a match of two bots is reserved, then started") {
  bot_world w;
  w.goes_online();
  w.take(w.bot.challenge({5}, "Bob", w.now));
  CHECK(w.last_order<challenge>().opponent == "Bob");
  CHECK_FALSE(w.last_order<challenge>().game);
  w.receives({w.answering(w.last_ticket()), {9}, placed{}});
  REQUIRE(w.last_report<report::reserved>() != nullptr);
  CHECK(w.last_report<report::reserved>()->match.value == 5);
  CHECK(w.last_report<report::reserved>()->game.value == 9);
  w.take(w.bot.begin({5}, "Bob", {9}));
  CHECK(w.last_order<challenge>().game.value == 9);
  w.receives({w.answering(w.last_ticket()), {}, refused{refusal::already_in_game, {}, {}}});
  REQUIRE(w.last_report<report::challenge_failed>() != nullptr);
  CHECK(w.last_report<report::challenge_failed>()->match.value == 5);
  CHECK(w.bot.online());
}

TEST_CASE("bot_session: a bot that is offline refuses a match") {
  bot_world w;
  w.take(w.bot.challenge({5}, "Bob", w.now));
  CHECK(w.last_report<report::challenge_failed>() != nullptr);
}

TEST_CASE("bot_session: retries what a full hub refuses") {
  bot_world w;
  w.goes_online();
  w.receives({{}, {}, refused{refusal::unfit_engine, {}, {}}});
  CHECK_FALSE(w.bot.online());
  CHECK(w.count_orders<seek>() == 1);
  w.passes(1s);
  CHECK(w.count_orders<seek>() == 2);
  w.receives({w.answering(w.last_ticket()), {}, placed{}});
  CHECK(w.bot.online());
  CHECK(w.last_report<report::online>() != nullptr);
  w.take(w.bot.closed(false, w.now));
  CHECK_FALSE(w.inside);
  w.passes(1s);
  CHECK(w.count_orders<sign_in>() == 2);
  w.take(w.bot.closed(true, w.now));
  CHECK(w.bot.next() == base::instant::max());
}

TEST_CASE("bot_session: limits the queue of Complete calls") {
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

TEST_CASE("bot_session: a removed bot leaves its games and its session, without an error") {
  bot_world w;
  w.goes_online();
  w.game_begins(7);
  REQUIRE(w.calls(call::method::ping));
  w.take(w.bot.remove(w.now));
  CHECK_FALSE(w.bot.online());
  CHECK(w.last_report<report::failed>() == nullptr);
  CHECK(w.count_orders<leave>() == 2);
  const auto leaves = w.orders;
  w.answers(well);
  CHECK_FALSE(w.calling);
  for (const auto& each : leaves)
    if (const auto* l = std::get_if<leave>(&each.what); l != nullptr && !l->game)
      w.receives({w.answering(each.number), {}, placed{}});
  w.game_ends(7, won_by(1, end_reason::left));
  while (w.calling) w.answers(well);
  CHECK_FALSE(w.inside);
  CHECK(w.bot.next() == base::instant::max());
}

TEST_CASE("bot_session: answers offers at once, as the latest move said; by default it declines") {
  bot_world w;
  w.goes_online();
  w.game_begins(7);
  const auto offers = [&](offer_kind what) {
    w.receives({{}, {7}, offer_update{offer_step::offered, 1, "b", {}, {}, what}});
    const auto& answer = w.last_order<offer>();
    CHECK(answer.game == game_id{7});
    CHECK(answer.what == what);
    return answer.step;
  };
  w.answers(well);
  CHECK(offers(offer_kind::draw) == offer_step::declined);
  w.answers(replies(R"({"result":{"position":4,"accepts":["draw","takeback"]}})"));
  CHECK(offers(offer_kind::draw) == offer_step::accepted);
  CHECK(offers(offer_kind::takeback) == offer_step::accepted);
  // Not while it is asked for a move.
  w.receives({{}, {7}, bot_world::board("O---X----", only(0))});
  CHECK(offers(offer_kind::takeback) == offer_step::declined);
  w.answers(plays(8));
  CHECK(offers(offer_kind::draw) == offer_step::declined);
  const auto before = w.count_orders<offer>();
  w.receives({{}, {7}, offer_update{offer_step::declined, 0, "a", {}, {}, offer_kind::draw}});
  w.receives({{}, {7}, offer_update{offer_step::offered, 1, "b"}});
  CHECK(w.count_orders<offer>() == before);
}
