#include "gateways/http/client_game_state.hpp"

#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::gateways::http {
namespace {

constexpr game_id game{17};

placed waiting() {
  placed p;
  p.engine = "tictactoe";
  p.marks = "XO";
  p.seat = 0;
  p.rows = p.columns = 3;
  p.start = "---------";
  return p;
}

started begun(seat_index seat = 0) {
  started s;
  s.engine = "tictactoe";
  s.marks = "XO";
  s.players = {"stan", "kyle"};
  s.seat = seat;
  s.visits = {base::wall_time{}, base::wall_time{std::chrono::milliseconds{1'000}}};
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

nlohmann::json as_json(const client_game_state& p) {
  std::string out;
  p.append_members(out);
  return nlohmann::json::parse(out + "}");
}

std::optional<error_code> code(const std::optional<error>& e) {
  return e ? std::optional{e->code} : std::nullopt;
}

TEST_CASE("client_game_state: has no game at first") {
  const client_game_state p;
  CHECK(p.is() == client_game_state::status::none);
  CHECK(code(p.why_not("")) == error_code::unknown_game);
}

TEST_CASE("client_game_state: a waiting player has a game and a seat, and no opponent") {
  client_game_state p;
  p.apply(game, waiting());
  const auto now = as_json(p);
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

TEST_CASE("client_game_state: a waiting player sees the position that the game begins with") {
  client_game_state p;
  auto w = waiting();
  w.engine = "othello";
  w.marks = "#O";
  w.start = "-O#--#O-";
  p.apply(game, w);
  CHECK(as_json(p)["board"] == "_OX__XO_");
  w.marks = w.start = {};
  p.apply(game, w);
  CHECK(as_json(p)["board"] == "");
}

TEST_CASE("client_game_state: a private game has an invitation") {
  client_game_state p;
  auto w = waiting();
  w.invitation = "abc";
  p.apply(game, w);
  CHECK(as_json(p)["invitation"] == "abc");
}

TEST_CASE("client_game_state: a running game has an opponent and a turn") {
  client_game_state p;
  p.apply(game, waiting());
  p.apply(game, begun());
  CHECK_FALSE(p.shown());
  p.apply(game, board("X--------", only(1)));
  CHECK(p.shown());
  const auto now = as_json(p);
  CHECK(now["board"] == "X________");
  CHECK(now["turn"] == "O");
  CHECK(now["opponent_name"] == "kyle");
  CHECK(now["opponent_last_visit"] == "1970-01-01T00:00:01.000000");
  CHECK_FALSE(now.contains("status"));
  CHECK_FALSE(p.why_idle());
  p.apply(game, board("X--------", 0b11));
  CHECK_FALSE(as_json(p).contains("turn"));
}

TEST_CASE("client_game_state: an ended game has its winner, if there is one") {
  client_game_state p;
  p.apply(game, begun(1));
  outcome how;
  how.winner = 1;
  p.apply(game, board("OOO------", 0, how));
  CHECK(p.is() == client_game_state::status::ended);
  CHECK(as_json(p)["winner"] == "O");
  CHECK(as_json(p)["player"] == "O");
  CHECK(as_json(p)["opponent_name"] == "stan");
  CHECK(code(p.why_idle()) == error_code::invalid_move);
  p.apply(game, board("OOO------", 0, outcome{}));
  CHECK(as_json(p)["winner"] == "D");
  how = {};
  how.reason = end_reason::drained;
  p.apply(game, board("OO-------", 0, how));
  CHECK_FALSE(as_json(p).contains("winner"));
  CHECK_FALSE(as_json(p).contains("turn"));
}

TEST_CASE("client_game_state: ignores events of another game") {
  client_game_state p;
  p.apply(game, begun());
  p.apply(game, board("X--------", only(1)));
  p.apply(game_id{3}, board("OOO------", 0, outcome{}));
  CHECK(p.is() == client_game_state::status::running);
}

TEST_CASE("client_game_state: shows the new name of an opponent") {
  client_game_state p;
  p.apply(game, begun());
  const auto opponent = 1 - p.seat();
  p.apply(game_id{3}, renamed{opponent, "Other", "Old"});
  p.apply(game, renamed{opponent, "New", "Old"});
  CHECK(as_json(p)["opponent_name"] == "New");
}

TEST_CASE("client_game_state: has the hub's public URL and the URL of an invitation") {
  client_game_state p;
  placed at;
  at.engine = "tictactoe";
  at.seat = 0;
  at.rows = at.columns = 3;
  at.invitation = "secret";
  p.apply(game, at);
  CHECK_FALSE(as_json(p).contains("hub"));
  std::string out;
  p.append_members(out, "https://hub-1.example");
  const auto result = nlohmann::json::parse(out + "}");
  CHECK(result["hub"] == "https://hub-1.example");
  CHECK(result["invitation_url"] == "https://hub-1.example/#/invite/secret");
}

TEST_CASE("client_game_state: says how urgent its game is") {
  using std::chrono::milliseconds;
  const base::instant then{std::chrono::hours{1}};
  const auto playing = [&](seat_set to_move, std::int64_t left) {
    client_game_state p;
    p.apply(game, begun());
    position at;
    at.to_move = to_move;
    at.clock = {then, {milliseconds{left}, milliseconds{left + 1}}, to_move};
    p.apply(game, std::make_shared<const position>(std::move(at)));
    return p;
  };
  client_game_state waits;
  waits.apply(game, waiting());
  auto over = playing(only(0), 5);
  over.apply(game, board("X--------", 0, outcome{end_reason::left, 0, {}}));
  const std::vector<client_game_state> all{playing(only(0), 3'000),
                                           playing(only(0), 9'000),
                                           playing(only(0), 9'001),
                                           playing(only(1), 2'000),
                                           waits,
                                           over};
  const auto now = then + milliseconds{1'000};
  for (std::size_t i = 1; i < all.size(); ++i) {
    CAPTURE(i);
    CHECK(all[i - 1].how_urgent(now) < all[i].how_urgent(now));
  }
  std::string out;
  base::json_writer to{out};
  all[3].append_listed(to, now, base::wall_time{std::chrono::seconds{60}});
  const auto shown = nlohmann::json::parse(out);
  CHECK(shown["your_turn"] == false);
  CHECK(shown["turn"] == "O");
  CHECK(shown["milliseconds_left"] == 1'001);
  CHECK(shown["turn_until"] == "1970-01-01T00:01:01.001000");
  CHECK(shown["opponents"][0]["name"] == "kyle");
}

TEST_CASE("client_game_state: the id of a game is its number") { CHECK(game_json(game) == "17"); }

TEST_CASE("client_game_state: the offers of an ended game stand until they are answered") {
  client_game_state p;
  const offer_update mine{offer_step::offered, 0, "stan"}, theirs{offer_step::offered, 1, "kyle"};
  p.apply(game, waiting());
  p.apply(game, begun());
  CHECK_FALSE(p.apply(game, theirs));
  p.apply(game, board("X--------", 0, outcome{end_reason::left, 0, {}}));
  CHECK_FALSE(p.apply(game_id{3}, theirs));
  CHECK(p.apply(game, mine));
  CHECK(p.offers().size() == 1);
  CHECK_FALSE(p.is_offered());
  // One offer stands, and the answers of those of many players who have accepted it.
  CHECK(p.apply(game, theirs));
  CHECK(p.apply(game, {offer_step::accepted, 2, "cartman"}));
  CHECK(p.offers().size() == 2);
  CHECK(p.is_offered());
  CHECK(p.apply(game, {offer_step::declined, 0, "stan"}));
  CHECK(p.offers().empty());
  p.apply(game, mine);
  CHECK(p.apply(game, {offer_step::accepted, 1, "kyle", offer_cause::request, game_id{18}}));
  CHECK(p.offers().empty());
}

}  // namespace
}  // namespace gamehub::gateways::http
