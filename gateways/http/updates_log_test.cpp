#include "gateways/http/updates.hpp"
#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

#include <memory>

namespace gamehub::gateways::http {
namespace {

using kind = game_update::kind;

game_update of_kind(kind what, std::uint64_t number = 4) {
  static const auto card = [] {
    game_metadata c;
    c.id = {7};
    c.engine = "tictactoe";
    c.marks = "XO";
    c.players = {"stan", "kyle"};
    return std::make_shared<const game_metadata>(c);
  }();
  game_update u;
  u.game = card;
  u.number = number;
  u.what = what;
  return u;
}

position_ref board(std::string cells, seat_set to_move, std::optional<outcome> how = std::nullopt) {
  position p;
  p.rows = p.columns = 3;
  p.cells = std::move(cells);
  p.to_move = to_move;
  p.outcome = std::move(how);
  return std::make_shared<const position>(p);
}

outcome won_by(std::optional<seat_index> who, end_reason why) {
  outcome o;
  o.winner = who;
  o.reason = why;
  return o;
}

nlohmann::json as_json(const game_update& u) { return nlohmann::json::parse(to_line(u)); }

TEST_CASE("http log updates: a start, two players and a move") {
  auto u = of_kind(kind::opened, 1);
  u.then = board("---------", only(0));
  const auto begun = as_json(u);
  CHECK(begun["type"] == "status");
  CHECK(begun["board"] == "_________");
  CHECK(begun["turn"] == "X");
  CHECK(begun["playerX"] == "stan");
  CHECK(begun["playerO"] == "kyle");
  CHECK(begun["update_id"] == 1);

  u = of_kind(kind::joined, 2);
  u.seat = 0;
  u.name = "stan";
  CHECK(as_json(u)["type"] == "connect");
  CHECK(as_json(u)["player"] == "X");

  u = of_kind(kind::moved);
  u.seat = 0;
  u.cell = 2;
  u.text = "2";
  u.then = board("--X------", only(1));
  const auto moved = as_json(u);
  CHECK(moved["type"] == "move");
  CHECK(moved["position"] == 2);
  CHECK(moved["turn"] == "O");
  CHECK_FALSE(moved.contains("action"));
  CHECK_FALSE(moved.contains("view"));
}

TEST_CASE("http log updates: the last move has the winner") {
  auto u = of_kind(kind::moved);
  u.seat = 1;
  u.cell = 8;
  u.then = board("O_X_OXX_O", 0, won_by(1, end_reason::rules));
  CHECK(as_json(u)["winner"] == "O");
  CHECK_FALSE(as_json(u).contains("turn"));
  u.then = board("O_X_OXX_O", 0, won_by({}, end_reason::rules));
  CHECK(as_json(u)["winner"] == "D");
}

TEST_CASE("http log updates: hidden choices and chance are status updates") {
  auto u = of_kind(kind::moved);
  u.hidden = true;
  position without_board;
  without_board.document = R"({"round":1})";
  without_board.to_move = only(1);
  u.then = std::make_shared<const position>(without_board);
  CHECK(as_json(u)["type"] == "status");
  CHECK(as_json(u)["board"] == "");
  CHECK(as_json(u)["turn"] == "O");
  CHECK(as_json(u)["view"]["round"] == 1);
  u = of_kind(kind::drawn);
  u.then = board("---------", 0b11);
  CHECK(as_json(u)["type"] == "status");
  CHECK_FALSE(as_json(u).contains("turn"));
}

TEST_CASE("http log updates: every end has a reason, and names the loser") {
  auto u = of_kind(kind::ended);
  const auto reason = [&](std::optional<seat_index> winner, end_reason why) {
    u.then = board("---------", 0, won_by(winner, why));
    return as_json(u)["reason"].get<std::string>();
  };
  CHECK(reason(0, end_reason::rules) == "the game is complete");
  CHECK(reason(0, end_reason::left) == "kyle quit the game");
  CHECK(reason(1, end_reason::left) == "stan quit the game");
  CHECK(reason(1, end_reason::clock) == "stan ran out of time");
  for (int i = 0; i < end_reason_count; ++i)
    CHECK_FALSE(reason({}, static_cast<end_reason>(i)).empty());
  u.text = to_string(leave_cause::disconnected);
  CHECK(reason(1, end_reason::left) == "stan disconnected");
  u.text = to_string(leave_cause::bot_error);
  CHECK(reason(0, end_reason::left) == "kyle made an error");
  u.text = to_string(leave_cause::banned);
  CHECK(reason(0, end_reason::left) == "kyle was banned");
  u.text = "enough for today";
  CHECK(reason({}, end_reason::operator_) == "enough for today");
}

TEST_CASE("http log updates: departures and chat messages") {
  auto u = of_kind(kind::left);
  u.seat = 1;
  u.name = "kyle";
  CHECK(as_json(u)["type"] == "disconnect");
  CHECK(as_json(u)["player"] == "O");
  u.what = kind::said;
  u.text = "hi";
  CHECK(as_json(u)["type"] == "chat");
  CHECK(as_json(u)["message"] == "hi");
}

}  // namespace
}  // namespace gamehub::gateways::http
