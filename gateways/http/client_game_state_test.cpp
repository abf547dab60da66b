#include "gateways/http/server/place.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/catch.hpp"

namespace gamehub::gateways::http::server {
namespace {

constexpr game_id game{17};

placed waiting() {
  placed p;
  p.engine = "tictactoe";
  p.marks = "XO";
  p.seat = 0;
  p.rows = p.columns = 3;
  return p;
}

started begun(seat_index seat = 0) {
  started s;
  s.engine = "tictactoe";
  s.marks = "XO";
  s.players = {"stan", "kyle"};
  s.seat = seat;
  s.visits = {wall_time{}, wall_time{std::chrono::milliseconds{1'000}}};
  return s;
}

position_ref board(const std::string& cells, seat_set to_move,
                   std::optional<outcome> how = std::nullopt) {
  position p;
  p.cells = cells;
  p.to_move = to_move;
  p.outcome = std::move(how);
  return std::make_shared<const position>(std::move(p));
}

nlohmann::json told(const place& p) {
  std::string out;
  p.append_members(out);
  return nlohmann::json::parse(out + "}");
}

std::optional<error_code> code(const std::optional<error>& e) {
  return e ? std::optional{e->code} : std::nullopt;
}

TEST_CASE("place: nobody is anywhere at first") {
  const place p;
  CHECK(p.is() == place::status::none);
  CHECK(code(p.why_not("")) == error_code::unknown_game);
}

TEST_CASE("place: who waits has a game and a seat, and no opponent") {
  place p;
  p.take(game, waiting());
  const auto now = told(p);
  CHECK(now["game_id"] == "17");
  CHECK(now["player"] == "X");
  CHECK(now["board"] == "_________");
  CHECK(now["turn"] == "X");
  CHECK(now["opponent_name"].is_null());
  CHECK(now["opponent_last_visit"].is_null());
  CHECK(now["status"] == "waiting");
  CHECK_FALSE(now.contains("invitation"));
  CHECK_FALSE(p.why_not("17"));
  CHECK(code(p.why_not("18")) == error_code::unknown_game);
  CHECK(code(p.why_idle()) == error_code::invalid_move);
}

TEST_CASE("place: a closed game has an invitation") {
  place p;
  auto w = waiting();
  w.invitation = "abc";
  p.take(game, w);
  CHECK(told(p)["invitation"] == "abc");
}

TEST_CASE("place: a game that runs says who sits opposite and who moves") {
  place p;
  p.take(game, waiting());
  p.take(game, begun());
  CHECK_FALSE(p.shown());
  p.take(game, board("X--------", only(1)));
  CHECK(p.shown());
  const auto now = told(p);
  CHECK(now["board"] == "X________");
  CHECK(now["turn"] == "O");
  CHECK(now["opponent_name"] == "kyle");
  CHECK(now["opponent_last_visit"] == "1970-01-01T00:00:01.000000");
  CHECK_FALSE(now.contains("status"));
  CHECK_FALSE(p.why_idle());
  p.take(game, board("X--------", 0b11));
  CHECK_FALSE(told(p).contains("turn"));
}

TEST_CASE("place: a game that has ended says who won, if anybody did") {
  place p;
  p.take(game, begun(1));
  outcome how;
  how.winner = 1;
  p.take(game, board("OOO------", 0, how));
  CHECK(p.is() == place::status::ended);
  CHECK(told(p)["winner"] == "O");
  CHECK(told(p)["player"] == "O");
  CHECK(told(p)["opponent_name"] == "stan");
  CHECK(code(p.why_idle()) == error_code::invalid_move);
  p.take(game, board("OOO------", 0, outcome{}));
  CHECK(told(p)["winner"] == "D");
  how = {};
  how.reason = end_reason::drained;
  p.take(game, board("OO-------", 0, how));
  CHECK_FALSE(told(p).contains("winner"));
  CHECK_FALSE(told(p).contains("turn"));
}

TEST_CASE("place: what is told of another game changes nothing") {
  place p;
  p.take(game, begun());
  p.take(game, board("X--------", only(1)));
  p.take(game_id{3}, board("OOO------", 0, outcome{}));
  CHECK(p.is() == place::status::running);
}

TEST_CASE("place: where the hub has a URL of its own, it is told, with the way to a private game") {
  place p;
  placed at;
  at.engine = "tictactoe";
  at.seat = 0;
  at.rows = at.columns = 3;
  at.invitation = "secret";
  p.take(game, at);
  CHECK_FALSE(told(p).contains("hub"));
  std::string out;
  p.append_members(out, "https://hub-1.example");
  const auto said = nlohmann::json::parse(out + "}");
  CHECK(said["hub"] == "https://hub-1.example");
  CHECK(said["invitation_url"] == "https://hub-1.example/#/invite/secret");
}

TEST_CASE("place: games are called by their numbers") {
  CHECK(game_json(game) == "17");
  CHECK(read_game("17") == game);
  for (const auto* text : {"", "0", "017", "-1", "+1", "1a", " 1", "18446744073709551616"})
    CHECK_FALSE(read_game(text));
}

}  // namespace
}  // namespace gamehub::gateways::http::server
