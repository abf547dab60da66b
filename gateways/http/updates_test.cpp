#include "gateways/http/updates.hpp"

#include "gateways/http/schemas.hpp"
#include "hub/base/time.hpp"
#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

#include <limits>
#include <set>

using namespace gamehub;
using namespace gamehub::gateways::http;
using namespace std::chrono_literals;

namespace {

// The time of the examples in the protocol document, in the resolution of the hub's clock.
const base::wall_time document_time{std::chrono::sys_days{std::chrono::year{2011} / 6 / 5} + 6h +
                                    26min + 27s + 88ms};
const std::string stamp = R"("timestamp":"2011-06-05T06:26:27.088000")";

using update_kind = game_update::kind;

position_ref standing(const std::string& cells, seat_set to_move,
                      std::optional<outcome> how = std::nullopt, std::string document = {}) {
  position p;
  p.cells = cells;
  p.document = std::move(document);
  p.to_move = to_move;
  p.outcome = std::move(how);
  return std::make_shared<const position>(std::move(p));
}

game_update numbered(std::uint64_t number, update_kind what, std::optional<seat_index> seat,
                     position_ref then = nullptr) {
  static const auto game = [] {
    game_metadata made;
    made.players = {"stan", "kyle"};
    return std::make_shared<const game_metadata>(made);
  }();
  game_update u;
  u.game = game;
  u.number = number;
  u.at = document_time;
  u.what = what;
  u.seat = seat;
  if (seat) u.name = game->players[static_cast<std::size_t>(*seat)];
  u.then = std::move(then);
  return u;
}

game_update move_to(std::int64_t cell, position_ref then) {
  auto u = numbered(3, update_kind::moved, 0, std::move(then));
  u.cell = cell;
  return u;
}

game_update message(std::uint64_t number, std::string name, std::string text) {
  auto u = numbered(number, update_kind::said, 1);
  u.name = std::move(name);
  u.text = std::move(text);
  return u;
}

game_update new_name(std::uint64_t number, seat_index seat, std::string old, std::string name) {
  auto u = numbered(number, update_kind::renamed, seat);
  u.name = std::move(name);
  u.text = std::move(old);
  return u;
}

game_update offered(std::uint64_t number, offer_update what) {
  auto u = numbered(number, update_kind::offer_changed, {});
  u.offer = std::move(what);
  return u;
}

game_update taken_back(std::uint64_t number, std::uint64_t from) {
  auto u = numbered(number, update_kind::taken_back, 0, standing("---------", only(0)));
  u.back_to = from;
  return u;
}

game_update change_of_player(std::uint64_t number, update_kind what, std::string cause = {}) {
  auto u = numbered(number, what, 1);
  u.name = "kyle";
  u.text = std::move(cause);
  return u;
}

const std::vector<game_update> one_of_each{
    numbered(1, update_kind::opened, {}, standing("---------", only(0))),
    numbered(2, update_kind::joined, 0),
    move_to(2, standing("--X------", only(1))),
    message(4, "kyle", "hi"),
    numbered(5, update_kind::left, 1),
    numbered(6, update_kind::ended, 0,
             standing("--X------", 0, outcome{end_reason::left, 0, {1, -1}})),
    new_name(7, 1, "kyle", "ike"),
    offered(8, {offer_step::offered, 0, "stan", {}, {}, offer_kind::draw}),
    offered(9, {offer_step::declined, 1, "kyle", offer_cause::moved, {}, offer_kind::draw}),
    taken_back(10, 3),
    change_of_player(11, update_kind::substituted, "clock"),
    change_of_player(12, update_kind::returned),
};

const base::instant noon{12h};
const live_stamp at_noon{7, document_time, noon};
const game_present two_minutes{3,
                               {noon, {60s, 120s}, only(0)},
                               {},
                               std::make_shared<const std::vector<legal_action>>(
                                   std::vector<legal_action>{{"a1", 0}, {"b1", 1}})};

const std::vector<offer_update> answers{
    {offer_step::accepted, 1, "kyle", offer_cause::request, game_id{18}},
    {offer_step::declined, 1, "kyle", offer_cause::elsewhere},
    {offer_step::withdrawn, 0, "stan"},
};

}  // namespace

TEST_CASE("http updates: are written as the document has them") {
  const std::vector<std::string> wanted{
      R"({"type":"status","board":"_________","turn":"X","playerX":"stan","playerO":"kyle","update_id":1,"cursor":1,)",
      R"({"type":"connect","name":"stan","player":"X","update_id":2,"cursor":2,)",
      R"({"type":"move","board":"__X______","turn":"O","player":"X","position":2,"update_id":3,"cursor":3,)",
      R"({"type":"chat","name":"kyle","message":"hi","update_id":4,"cursor":4,)",
      R"({"type":"disconnect","name":"kyle","player":"O","update_id":5,"cursor":5,)",
      R"({"type":"end","reason":"kyle quit the game","code":"left","winner":"X","scores":[1.0,-1.0],"update_id":6,"cursor":6,)",
      R"({"type":"rename","player":"O","name":"ike","old_name":"kyle","update_id":7,"cursor":7,)",
      R"({"type":"offer","what":"draw","player":"X","name":"stan","update_id":8,"cursor":8,)",
      R"({"type":"answer","what":"draw","answer":"declined","player":"O","name":"kyle","cause":"moved","update_id":9,"cursor":9,)",
      R"({"type":"status","board":"_________","turn":"X","playerX":"stan","playerO":"kyle","taken_back":3,"player":"X","name":"stan","update_id":10,"cursor":10,)",
      R"({"type":"substitute","name":"kyle","player":"O","cause":"clock","update_id":11,"cursor":11,)",
      R"({"type":"return","name":"kyle","player":"O","update_id":12,"cursor":12,)",
  };
  for (std::size_t i = 0; i < wanted.size(); ++i)
    CHECK(to_line(one_of_each[i]) == wanted[i] + stamp + "}\n");
}

TEST_CASE("http updates: of three seats or more they have seats, substitutes, ranks and forfeits") {
  auto game = std::make_shared<game_metadata>(*one_of_each[0].game);
  game->players = {"stan", "kyle", "cleo"};
  position p;
  p.to_move = only(2);
  p.substituted = only(0) | only(2);
  auto u = numbered(1, update_kind::opened, {}, std::make_shared<const position>(p));
  u.game = game;
  const auto status = nlohmann::json::parse(to_line(u));
  CHECK(status["seats"] == 3);
  CHECK(status["players"] == nlohmann::json{"stan", "kyle", "cleo"});
  CHECK(status["turn"] == "3");
  CHECK(status["substitutes"] == nlohmann::json{"X", "3"});
  outcome how{end_reason::rules, 1, {-1, 0.5, 0.5}};
  how.forfeits = only(0);
  p.outcome = how;
  u = numbered(2, update_kind::ended, 1, std::make_shared<const position>(p));
  u.game = game;
  const auto end = nlohmann::json::parse(to_line(u));
  CHECK(end["ranks"] == nlohmann::json{3, 1, 1});
  CHECK(end["forfeits"] == nlohmann::json{"X"});
  p.outcome->reason = end_reason::drained;
  u.then = std::make_shared<const position>(p);
  CHECK(nlohmann::json::parse(to_line(u))["ranks"].empty());
  const auto quit = change_of_player(3, update_kind::substituted);
  CHECK(nlohmann::json::parse(to_line(quit))["cause"] == "quit");
}

TEST_CASE("http updates: a position has score and summary where its engine has them") {
  position p;
  p.cells = "X--------";
  p.to_move = only(1);
  p.score = {2, std::numeric_limits<double>::quiet_NaN(), -0.5};
  p.summary = "Black \"leads\".";
  const auto then = std::make_shared<const position>(p);
  const auto move = nlohmann::json::parse(to_line(move_to(0, then)));
  CHECK(move["score"] == nlohmann::json{2.0, nullptr, -0.5});
  CHECK(to_line(move_to(0, then)).find(R"("score":[2,null,-0.5])") != std::string::npos);
  CHECK(move["summary"] == "Black \"leads\".");
  const auto status = nlohmann::json::parse(to_line(numbered(1, update_kind::opened, {}, then)));
  CHECK(status["score"] == move["score"]);
  CHECK(status["summary"] == move["summary"]);
  const auto none = nlohmann::json::parse(to_line(move_to(0, standing("X--------", only(1)))));
  CHECK(!none.contains("score"));
  CHECK(!none.contains("summary"));
}

TEST_CASE("http updates: a guest and an operator have no seat and no game") {
  auto u = numbered(7, update_kind::joined, {});
  u.game = nullptr;
  u.name = "guest1";
  CHECK(to_line(u).starts_with(R"({"type":"connect","name":"guest1","player":"G","update_id":7,)"));
  u.what = update_kind::left;
  CHECK(to_line(u).starts_with(R"({"type":"disconnect","name":"guest1","player":"G",)"));
}

TEST_CASE("http updates: a move has the next turn, the winner, or neither") {
  const auto write = [](seat_set to_move, std::optional<outcome> how) {
    return nlohmann::json::parse(to_line(move_to(0, standing("X--------", to_move, how))));
  };
  CHECK(write(only(1), {})["turn"] == "O");
  CHECK(!write(only(1), {}).contains("winner"));
  const auto won = write(only(1), outcome{end_reason::rules, 0, {}});
  CHECK(won["winner"] == "X");
  CHECK(!won.contains("turn"));
  CHECK(write(0, outcome{end_reason::rules, {}, {}})["winner"] == "D");
  for (const auto& neither :
       {write(0, {}), write(0b11, {}), write(0, outcome{end_reason::drained, {}, {}})}) {
    CHECK(!neither.contains("turn"));
    CHECK(!neither.contains("winner"));
  }
}

TEST_CASE("http updates: without a board a move has the engine's text") {
  auto choice = numbered(9, update_kind::moved, 0, standing("", 0, {}, R"({"round":1})"));
  choice.text = "rock";
  const auto as_text = nlohmann::json::parse(to_line(choice));
  CHECK(as_text["position"].is_null());
  CHECK(as_text["action"] == "rock");
  CHECK(as_text["view"]["round"] == 1);
  const auto status = nlohmann::json::parse(
      to_line(numbered(4, update_kind::drawn, {}, standing("", 0, {}, R"({"pot":2})"))));
  CHECK(status["view"]["pot"] == 2);
  CHECK(!status.contains("turn"));
  CHECK(!status.contains("action"));
}

TEST_CASE("http updates: what chance drew is told if everyone may know it (M3)") {
  auto drawn = numbered(4, update_kind::drawn, {}, standing("", 0, {}, R"({"pot":2})"));
  drawn.text = "six";
  const auto told = nlohmann::json::parse(to_line(drawn));
  CHECK(told["type"] == "status");
  CHECK(told["action"] == "six");
}

TEST_CASE("http updates: blanks are underscores") {
  CHECK(board_of("X-O------", "XO") == "X_O______");
  CHECK(board_of("", "") == "");
}

TEST_CASE("http updates: the first two seats are X and O on every board (H5)") {
  CHECK(board_of("W-B#", "WB") == "X_O#");
  CHECK(board_of("OX-C", "OXC") == "XO_C");
  // Letters that an engine has for another purpose stay different from those of the seats.
  CHECK(board_of("ABXO", "AB") == "XOAB");
  CHECK(board_of("ABX", "ABX") == "XOA");
  CHECK(board_of("P-P", "P") == "X_X");
  auto u = move_to(0, standing("W--------", only(1)));
  auto game = *u.game;
  game.marks = "WB";
  u.game = std::make_shared<const game_metadata>(game);
  CHECK(nlohmann::json::parse(to_line(u))["board"] == "X________");
}

TEST_CASE("http updates: have exactly the members that are documented") {
  std::vector<std::string> lines;
  for (const auto& u : one_of_each) {
    lines.push_back(to_line(u));
    lines.push_back(to_line(u, {&two_minutes, noon}));
  }
  lines.push_back(to_state_line(at_noon, two_minutes, standing("--X------", only(0)), "XO", true));
  lines.push_back(to_away_line(at_noon, *one_of_each[0].game, {1, noon + 1min}));
  lines.push_back(to_back_line(at_noon, *one_of_each[0].game, 1));
  lines.push_back(to_withdrawn_line(at_noon));
  lines.push_back(to_offer_line(at_noon, {offer_step::offered, 0, "stan"}));
  for (const auto& each : answers) lines.push_back(to_offer_line(at_noon, each));
  std::set<std::string> seen;
  for (const auto& line : lines) {
    const auto written = nlohmann::json::parse(line);
    for (const auto& shape : shapes::updates) {
      if (written["type"] != shape.type_word) continue;
      seen.insert(written["type"].get<std::string>());
      std::set<std::string> wanted{"type"}, have;
      for (const auto members : {shapes::of_every_update, shape.members})
        for (const auto& each : members)
          if (each.is != member::presence::sometimes || written.contains(each.name))
            wanted.emplace(each.name);
      for (const auto& [name, value] : written.items()) have.insert(name);
      INFO(written.dump());
      CHECK(have == wanted);
    }
  }
  CHECK(seen.size() == shapes::updates.size());
}

TEST_CASE("http updates: the latest one has the clock of the moment, and its reader's moves") {
  const auto line = [](const game_update& u, base::instant now) {
    return nlohmann::json::parse(to_line(u, {&two_minutes, now}));
  };
  const auto& moved = one_of_each[2];
  auto got = line(moved, noon + 15'600ms);
  CHECK(got["clock"] ==
        nlohmann::json::parse(R"({"milliseconds_left":[44400,120000],"runs":["X"]})"));
  CHECK(got["actions"] == nlohmann::json{"a1", "b1"});
  CHECK(got["positions"] == nlohmann::json{0, 1});
  CHECK(line(moved, noon + 10min)["clock"]["milliseconds_left"][0] == 0);
  // Chat changes no position.
  got = line(one_of_each[3], noon);
  CHECK(got.contains("clock"));
  CHECK_FALSE(got.contains("actions"));
  auto without = two_minutes;
  without.clock = {};
  without.actions = nullptr;
  CHECK(to_line(moved, {&without, noon}) == to_line(moved));
}

TEST_CASE("http updates: a state has a view for a player alone") {
  const auto stands = standing("--X------", only(0), {}, R"({"cards":["queen",null]})");
  const auto own = nlohmann::json::parse(to_state_line(at_noon, two_minutes, stands, "XO", true));
  CHECK(own["update_id"] == 7);
  CHECK(own["turn"] == "X");
  CHECK(own["board"] == "__X______");
  CHECK(own["view"]["cards"][0] == "queen");
  CHECK(own["actions"].size() == 2);
  CHECK_FALSE(nlohmann::json::parse(to_state_line(at_noon, two_minutes, stands, "XO", false))
                  .contains("view"));
  CHECK(nlohmann::json::parse(to_state_line(at_noon, two_minutes, nullptr, {}, false))["board"] ==
        "");
}

TEST_CASE("http updates: who is away is told with the time for which its seat is kept") {
  const auto& game = *one_of_each[0].game;
  const auto away = nlohmann::json::parse(to_away_line(at_noon, game, {1, noon + 1min}));
  CHECK(away["player"] == "O");
  CHECK(away["name"] == "kyle");
  CHECK(away["milliseconds_left"] == 60'000);
  CHECK(away["update_id"] == 7);
  CHECK(nlohmann::json::parse(to_away_line(at_noon, game, {1, noon - 1min}))["milliseconds_left"] ==
        0);
  CHECK_FALSE(nlohmann::json::parse(to_away_line(at_noon, game, {1, base::instant::max()}))
                  .contains("milliseconds_left"));
  const auto claimable =
      nlohmann::json::parse(to_away_line(at_noon, game, {1, noon + 1min, noon + 20s}));
  CHECK(claimable["claim_milliseconds"] == 20'000);
  CHECK_FALSE(away.contains("claim_milliseconds"));
  CHECK(
      to_back_line(at_noon, game, 0).starts_with(R"({"type":"back","player":"X","name":"stan",)"));
}

TEST_CASE("http updates: an offer names who offers, its answer who answers and why") {
  const auto line = [](const offer_update& o) {
    auto text = to_offer_line(at_noon, o);
    return text.substr(0, text.find(R"(,"update_id":7)"));
  };
  CHECK(line({offer_step::offered, 0, "stan"}) ==
        R"({"type":"offer","what":"rematch","player":"X","name":"stan")");
  const std::string begin = R"({"type":"answer","what":"rematch","answer":)";
  CHECK(line(answers[0]) == begin + R"("accepted","player":"O","name":"kyle","game_id":"18")");
  CHECK(line(answers[1]) == begin + R"("declined","player":"O","name":"kyle","cause":"elsewhere")");
  CHECK(line(answers[2]) == begin + R"("withdrawn","player":"X","name":"stan")");
}

TEST_CASE("http updates: an end has a code, the winner or none, and the scores") {
  const auto end = [](outcome how) {
    return nlohmann::json::parse(
        to_line(numbered(9, update_kind::ended, how.winner, standing("", 0, how))));
  };
  const auto won = end({end_reason::rules, 0, {1, -1}});
  CHECK(won["code"] == "rules");
  CHECK(won["winner"] == "X");
  CHECK(won["scores"] == nlohmann::json{1.0, -1.0});
  const auto draw = end({end_reason::rules, {}, {0.0, -0.0}});
  CHECK(draw["code"] == "draw");
  CHECK(draw["winner"] == "D");
  CHECK(draw["scores"].dump() == "[0.0,0.0]");
  const std::pair<end_reason, const char*> without_result[] = {
      {end_reason::operator_, "operator"},
      {end_reason::failed, "failed"},
      {end_reason::interrupted, "interrupted"},
      {end_reason::drained, "drained"}};
  for (const auto& [why, code] : without_result) {
    const auto none = end({why, {}, {0, 0}});
    CHECK(none["code"] == code);
    CHECK(none["winner"].is_null());
  }
  CHECK(end({end_reason::clock, 1, {-1, 1}})["code"] == "clock");
  const auto agreed = end({end_reason::agreed, {}, {0, 0}});
  CHECK(agreed["code"] == "agreed");
  CHECK(agreed["winner"] == "D");
}

TEST_CASE("http updates: chat text cannot break a line or an event") {
  const auto line = to_line(message(7, "a\"\\", "line\nbreak\r\ndata: x\n\nid: 9\n"));
  CHECK(line.find('\n') == line.size() - 1);
  const auto event = to_event(7, line);
  CHECK(event.starts_with("id: 7\ndata: {"));
  CHECK(event.ends_with("}\n\n"));
  CHECK(std::count(event.begin(), event.end(), '\n') == 3);
  CHECK(event.find('\r') == event.npos);
  CHECK(nlohmann::json::parse(line)["message"] == "line\nbreak\r\ndata: x\n\nid: 9\n");
}

TEST_CASE("http updates: times are UTC in six digits") {
  const auto at = [](auto since) { return base::iso_time(base::wall_time{since}); };
  CHECK(at(0ms) == "1970-01-01T00:00:00.000000");
  CHECK(at(999ms) == "1970-01-01T00:00:00.999000");
  CHECK(at(-1ms) == "1969-12-31T23:59:59.999000");
  CHECK(base::iso_time(document_time) == "2011-06-05T06:26:27.088000");
  const auto leap_day = std::chrono::sys_days{std::chrono::year{2024} / 2 / 29} + 23h + 59min + 59s;
  CHECK(base::iso_time(leap_day) == "2024-02-29T23:59:59.000000");
}

TEST_CASE("http updates: a resignation names the player") {
  const auto end = numbered(9, update_kind::ended, 1,
                            standing("---------", 0, outcome{end_reason::left, 1, {}}));
  CHECK(nlohmann::json::parse(to_line(end))["reason"] == "stan quit the game");
}

TEST_CASE("http updates: readers ignore a heartbeat") {
  CHECK(line_heartbeat == "\n");
  CHECK(event_heartbeat == ":\n\n");
}

TEST_CASE(
    "http updates: an ended game costs its reader the replay of its log, a running one nothing") {
  CHECK(extra_requests_of({nullptr, game_status::waiting, 0}) == 0);
  CHECK(extra_requests_of({nullptr, game_status::running, 700}) == 0);
  CHECK(extra_requests_of({nullptr, game_status::ended, 8}) == 1);
  CHECK(extra_requests_of({nullptr, game_status::ended, 344}) == 22);
}
