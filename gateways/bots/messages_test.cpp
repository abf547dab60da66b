#include "gateways/bots/messages.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::gateways::bots;

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
