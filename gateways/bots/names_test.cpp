#include "gateways/bots/names.hpp"

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

TEST_CASE("names: method and game names follow the engine's title") {
  CHECK(method_prefix(titled("tictactoe", "Tic-Tac-Toe")) == "TicTacToe");
  CHECK(game_name(titled("tictactoe", "Tic-Tac-Toe")) == "TICTACTOE");
  CHECK(method_prefix(titled("connect-four", "Connect Four")) == "ConnectFour");
  CHECK(game_name(titled("connect-four", "Connect Four")) == "CONNECTFOUR");
  CHECK(method_prefix(titled("go-9", "\xE5\x9B\xB2\xE7\xA2\x81")) == "go9");
}

TEST_CASE("names: a game matches in any case, or by the engine's id") {
  const auto four = titled("connect-four", "Connect Four");
  CHECK(names_game("CONNECTFOUR", four));
  CHECK(names_game("ConnectFour", four));
  CHECK(names_game("connect-four", four));
  CHECK_FALSE(names_game("CONNECT FOUR", four));
  CHECK_FALSE(names_game("", four));
}
