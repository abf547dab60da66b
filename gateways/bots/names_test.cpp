#include "gateways/jsonrpc/names.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::gateways::bots;

namespace {

engine_traits titled(std::string id, std::string title) {
  engine_traits t;
  t.id = std::move(id);
  t.title = std::move(title);
  return t;
}

}  // namespace

TEST_CASE("names: methods and games are called as the engine's title") {
  CHECK(method_prefix(titled("tictactoe", "Tic-Tac-Toe")) == "TicTacToe");
  CHECK(game_name(titled("tictactoe", "Tic-Tac-Toe")) == "TICTACTOE");
  CHECK(method_prefix(titled("connect-four", "Connect Four")) == "ConnectFour");
  CHECK(game_name(titled("connect-four", "Connect Four")) == "CONNECTFOUR");
  CHECK(method_prefix(titled("go-9", "\xE5\x9B\xB2\xE7\xA2\x81")) == "go9");
}

TEST_CASE("names: a bot may mean the game in any case, or the engine by its id") {
  const auto four = titled("connect-four", "Connect Four");
  CHECK(names_game("CONNECTFOUR", four));
  CHECK(names_game("ConnectFour", four));
  CHECK(names_game("connect-four", four));
  CHECK_FALSE(names_game("CONNECT FOUR", four));
  CHECK_FALSE(names_game("", four));
}

TEST_CASE("names: of bots have 1 to 64 printable characters, blanks and brackets too") {
  CHECK(acceptable_name("Minimax (deep) [v2]"));
  CHECK(acceptable_name(std::string(64, 'x')));
  CHECK(acceptable_name("b\xC3\xB6t"));
  CHECK_FALSE(acceptable_name(""));
  CHECK_FALSE(acceptable_name(std::string(65, 'x')));
  CHECK_FALSE(acceptable_name(" x"));
  CHECK_FALSE(acceptable_name("x "));
  CHECK_FALSE(acceptable_name("a\nb"));
  CHECK_FALSE(
      acceptable_name("a\xE2\x80\xAE"
                      "b"));
  CHECK_FALSE(acceptable_name("\xFF"));
}
