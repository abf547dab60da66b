#include "gateways/http/updates.hpp"

#include "gateways/http/schemas.hpp"
#include "hub/base/time.hpp"
#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

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

const std::vector<game_update> one_of_each{
    numbered(1, update_kind::opened, {}, standing("---------", only(0))),
    numbered(2, update_kind::joined, 0),
    move_to(2, standing("--X------", only(1))),
    message(4, "kyle", "hi"),
    numbered(5, update_kind::left, 1),
    numbered(6, update_kind::ended, 0, standing("--X------", 0, outcome{end_reason::left, 0, {}})),
};

}  // namespace

TEST_CASE("http updates: are written as the document has them") {
  const std::vector<std::string> wanted{
      R"({"type":"status","board":"_________","turn":"X","playerX":"stan","playerO":"kyle","update_id":1,"cursor":1,)",
      R"({"type":"connect","name":"stan","player":"X","update_id":2,"cursor":2,)",
      R"({"type":"move","board":"__X______","turn":"O","player":"X","position":2,"update_id":3,"cursor":3,)",
      R"({"type":"chat","name":"kyle","message":"hi","update_id":4,"cursor":4,)",
      R"({"type":"disconnect","name":"kyle","player":"O","update_id":5,"cursor":5,)",
      R"({"type":"end","reason":"kyle quit the game","update_id":6,"cursor":6,)",
  };
  for (std::size_t i = 0; i < wanted.size(); ++i)
    CHECK(to_line(one_of_each[i]) == wanted[i] + stamp + "}\n");
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
}

TEST_CASE("http updates: blanks are underscores") {
  CHECK(board_of("X-O------") == "X_O______");
  CHECK(board_of("") == "");
}

TEST_CASE("http updates: have exactly the members that are documented") {
  std::set<std::string> seen;
  for (const auto& u : one_of_each) {
    const auto written = nlohmann::json::parse(to_line(u));
    for (const auto& shape : shapes::updates) {
      if (written["type"] != shape.type_word) continue;
      seen.insert(written["type"].get<std::string>());
      std::set<std::string> wanted{"type"}, have;
      for (const auto& each : shapes::of_every_update) wanted.emplace(each.name);
      for (const auto& each : shape.members)
        if (each.is != member::presence::sometimes || written.contains(each.name))
          wanted.emplace(each.name);
      for (const auto& [name, value] : written.items()) have.insert(name);
      INFO(written.dump());
      CHECK(have == wanted);
    }
  }
  CHECK(seen.size() == shapes::updates.size());
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
