#include "gateways/bots/messages.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::gateways::bots;

namespace {

table_view table_of_three() {
  table_view out{{78}, 2};
  out.marks = marks_of("", 3);
  out.players = {"Ann", "engine:random", "Dot"};
  out.document = R"({"hand":["2C"]})";
  return out;
}

}  // namespace

TEST_CASE("messages: a ping has no parameters") {
  CHECK(ping_call(7) == R"({"jsonrpc":"2.0","method":"Status.Ping","params":null,"id":7})");
}

TEST_CASE("messages: NextMove has exactly three parameters") {
  CHECK(next_move_call("TicTacToe", {{78}, 'X', "OXO-O--X-"}, 1) ==
        R"({"jsonrpc":"2.0","method":"TicTacToe.NextMove","params":{"gameid":78,"mark":"X",)"
        R"("gamestate":["O","X","O","","O","","","X",""]},"id":1})");
}

TEST_CASE("messages: NextMove can name the opponent") {
  CHECK(next_move_call("TicTacToe", {{78}, 'X', "-O", "Bob \"1\""}, 1) ==
        R"({"jsonrpc":"2.0","method":"TicTacToe.NextMove","params":{"gameid":78,"mark":"X",)"
        R"("gamestate":["","O"],"opponent":"Bob \"1\""},"id":1})");
}

TEST_CASE("messages: Complete has the last board and the winner") {
  CHECK(complete_call("TicTacToe", {{21}, 'O', "XO-"}, true, 2) ==
        R"({"jsonrpc":"2.0","method":"TicTacToe.Complete","params":{"gameid":21,"winner":true,)"
        R"("mark":"O","gamestate":["X","O",""]},"id":2})");
  CHECK(complete_call("TicTacToe", {{21}, 'O', ""}, false, 2) ==
        R"({"jsonrpc":"2.0","method":"TicTacToe.Complete","params":{"gameid":21,"winner":false,)"
        R"("mark":"O","gamestate":[]},"id":2})");
}

TEST_CASE("messages: Error has a message and a code") {
  CHECK(error_call("ConnectFour", {bot_error_code::occupied, "\"X\" is there", {21}}, 3) ==
        R"({"jsonrpc":"2.0","method":"ConnectFour.Error","params":{"gameid":21,)"
        R"("message":"\"X\" is there","errorcode":1548},"id":3})");
}

TEST_CASE("messages: glyphs that JSON escapes are escaped") {
  CHECK(next_move_call("Odd", {{1}, '"', "\"\\-"}, 1) ==
        R"({"jsonrpc":"2.0","method":"Odd.NextMove","params":{"gameid":1,"mark":"\"",)"
        R"("gamestate":["\"","\\",""]},"id":1})");
}

TEST_CASE("messages: the marks of a table are those of the engine, or X, O and numbers") {
  CHECK(marks_of("", 4) == std::vector<std::string>{"X", "O", "3", "4"});
  CHECK(marks_of("RGB", 3) == std::vector<std::string>{"R", "G", "B"});
}

TEST_CASE("messages: NextMove of a table has the clock that its players chose") {
  using std::chrono::milliseconds;
  auto table = table_of_three();
  table.left = {milliseconds{1}, milliseconds{200}, milliseconds{30'000}};
  CHECK(next_move_call("OhHell", table, 5).find("clock") == std::string::npos);
  table.clock_rule = "fischer:180+2";
  CHECK(next_move_call("OhHell", table, 5)
            .find(R"("clock_rule":"fischer:180+2","milliseconds_left":[1,200,30000]},"id":5})") !=
        std::string::npos);
  table.clock_rule = "byoyomi:180+3x30";
  table.periods = {3, 3, 1};
  CHECK(next_move_call("OhHell", table, 5)
            .find(R"("milliseconds_left":[1,200,30000],"periods":[3,3,1]},"id":5})") !=
        std::string::npos);
}

TEST_CASE("messages: NextMove of a table has the bot's own view, all seats and its actions") {
  auto table = table_of_three();
  table.hidden = true;
  table.options = R"({"players":3})";
  table.substituted = only(1);
  table.actions = R"(["2C"])";
  CHECK(next_move_call("OhHell", table, 5) ==
        R"({"jsonrpc":"2.0","method":"OhHell.NextMove","params":{"gameid":78,"mark":"3",)"
        R"("gamestate":{"hand":["2C"]},"seat":2,"seats":3,"marks":["X","O","3"],)"
        R"("players":["Ann","engine:random","Dot"],"options":{"players":3},"hidden":true,)"
        R"("simultaneous":false,"substitutes":[1],"actions":["2C"]},"id":5})");
  table.more_actions = true;
  CHECK(next_move_call("OhHell", table, 5).find(R"("more_actions":true})") != std::string::npos);
}

TEST_CASE("messages: NextMove of a game for two that has no board has the members of a table") {
  table_view pair{{77}, 1};
  pair.marks = marks_of("", 2);
  pair.players = {"Ann", "Dot"};
  pair.document = R"({"cards":[null,"queen"]})";
  pair.hidden = true;
  pair.actions = R"([{"type":"move","action":"pass"}])";
  CHECK(next_move_call("KuhnPoker", pair, 4) ==
        R"({"jsonrpc":"2.0","method":"KuhnPoker.NextMove","params":{"gameid":77,"mark":"O",)"
        R"("gamestate":{"cards":[null,"queen"]},"seat":1,"seats":2,"marks":["X","O"],)"
        R"("players":["Ann","Dot"],"options":{},"hidden":true,"simultaneous":false,)"
        R"("substitutes":[],"actions":[{"type":"move","action":"pass"}]},"id":4})");
}

TEST_CASE("messages: a table of an engine with cells has them as a game for two has") {
  auto table = table_of_three();
  table.marks = marks_of("RGB", 3);
  table.cells = "R-B";
  const auto body = next_move_call("Hex", table, 5);
  CHECK(body.find(R"("mark":"B","gamestate":["R","","B"],"seat":2)") != std::string::npos);
}

TEST_CASE("messages: Complete of a table has the result of all seats") {
  outcome how;
  how.winner = 2;
  how.scores = {0.5, -1, 1};
  how.forfeits = only(1);
  CHECK(complete_call("OhHell", table_of_three(), how, 6) ==
        R"({"jsonrpc":"2.0","method":"OhHell.Complete","params":{"gameid":78,"winner":true,)"
        R"("mark":"3","gamestate":{"hand":["2C"]},"seat":2,"seats":3,"marks":["X","O","3"],)"
        R"("players":["Ann","engine:random","Dot"],"options":{},"hidden":false,)"
        R"("simultaneous":false,"substitutes":[],"reason":"rules","scores":[0.5,-1.0,1.0],)"
        R"("ranks":[2,3,1],"forfeits":[1]},"id":6})");
}
