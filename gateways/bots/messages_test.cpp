#include "gateways/jsonrpc/messages.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::gateways::jsonrpc;

TEST_CASE("messages: a ping has no parameters") {
  CHECK(ping_call(7) == R"({"jsonrpc":"2.0","method":"Status.Ping","params":null,"id":7})");
}

TEST_CASE("messages: a move is asked for with three parameters and no more") {
  CHECK(next_move_call("TicTacToe", {{78}, 'X', "OXO-O--X-"}, 1) ==
        R"({"jsonrpc":"2.0","method":"TicTacToe.NextMove","params":{"gameid":78,"mark":"X",)"
        R"("gamestate":["O","X","O","","O","","","X",""]},"id":1})");
}

TEST_CASE("messages: who wants to know is told the opponent, too") {
  CHECK(next_move_call("TicTacToe", {{78}, 'X', "-O", "Bob \"1\""}, 1) ==
        R"({"jsonrpc":"2.0","method":"TicTacToe.NextMove","params":{"gameid":78,"mark":"X",)"
        R"("gamestate":["","O"],"opponent":"Bob \"1\""},"id":1})");
}

TEST_CASE("messages: the end shows the last board, and who won") {
  CHECK(complete_call("TicTacToe", {{21}, 'O', "XO-"}, true, 2) ==
        R"({"jsonrpc":"2.0","method":"TicTacToe.Complete","params":{"gameid":21,"winner":true,)"
        R"("mark":"O","gamestate":["X","O",""]},"id":2})");
  CHECK(complete_call("TicTacToe", {{21}, 'O', ""}, false, 2) ==
        R"({"jsonrpc":"2.0","method":"TicTacToe.Complete","params":{"gameid":21,"winner":false,)"
        R"("mark":"O","gamestate":[]},"id":2})");
}

TEST_CASE("messages: an error says what, and by which number") {
  CHECK(error_call("ConnectFour", {21}, bot_fault_code::occupied, "\"X\" is there", 3) ==
        R"({"jsonrpc":"2.0","method":"ConnectFour.Error","params":{"gameid":21,)"
        R"("message":"\"X\" is there","errorcode":1548},"id":3})");
}

TEST_CASE("messages: glyphs that JSON escapes are escaped") {
  CHECK(next_move_call("Odd", {{1}, '"', "\"\\-"}, 1) ==
        R"({"jsonrpc":"2.0","method":"Odd.NextMove","params":{"gameid":1,"mark":"\"",)"
        R"("gamestate":["\"","\\",""]},"id":1})");
}
