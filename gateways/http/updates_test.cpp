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

update numbered(std::uint64_t number, decltype(update::what) what) {
  update u;
  u.number = number;
  u.at = document_time;
  u.what = std::move(what);
  return u;
}

const std::vector<update> one_of_each{
    numbered(1, status_update{"_________", {'X', '\0'}, "stan", "kyle", ""}),
    numbered(2, joined{"stan", 'X'}),
    numbered(3, moved{"__X______", 'X', 2, {'O', '\0'}, "", ""}),
    numbered(4, chat_message{"kyle", "hi"}),
    numbered(5, left{"kyle", 'O'}),
    numbered(6, game_ended{"kyle quit the game"}),
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
    CHECK(to_json(one_of_each[i]) == wanted[i] + stamp + "}");
}

TEST_CASE("http updates: a move has the next turn, the winner, or neither") {
  const auto write = [](turn_or_winner then) {
    return nlohmann::json::parse(to_json(numbered(9, moved{"X________", 'X', 0, then, "", ""})));
  };
  CHECK(write({'O', '\0'})["turn"] == "O");
  CHECK(!write({'O', '\0'}).contains("winner"));
  CHECK(write({'O', 'X'})["winner"] == "X");
  CHECK(!write({'O', 'X'}).contains("turn"));
  CHECK(write({'\0', draw_mark})["winner"] == "D");
  CHECK(!write({}).contains("turn"));
  CHECK(!write({}).contains("winner"));
}

TEST_CASE("http updates: without a board a move has the engine's text") {
  const moved choice{"", 'X', std::nullopt, {}, "rock", R"({"round":1})"};
  const auto as_text = nlohmann::json::parse(to_json(numbered(9, choice)));
  CHECK(as_text["position"].is_null());
  CHECK(as_text["action"] == "rock");
  CHECK(as_text["view"]["round"] == 1);
  const status_update after_chance{"", {}, "stan", "kyle", R"({"pot":2})"};
  const auto status = nlohmann::json::parse(to_json(numbered(4, after_chance)));
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
    const auto written = nlohmann::json::parse(to_json(u));
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
  auto u = numbered(7, chat_message{"a\"\\", "line\nbreak\r\ndata: x\n\nid: 9\n"});
  CHECK(to_line(u).find('\n') == to_line(u).size() - 1);
  const auto event = to_event(u);
  CHECK(event.starts_with("id: 7\ndata: {"));
  CHECK(event.ends_with("}\n\n"));
  CHECK(std::count(event.begin(), event.end(), '\n') == 3);
  CHECK(event.find('\r') == event.npos);
  CHECK(nlohmann::json::parse(to_json(u))["message"] == "line\nbreak\r\ndata: x\n\nid: 9\n");
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
  CHECK(quit_reason("stan") == "stan quit the game");
}

TEST_CASE("http updates: readers ignore a heartbeat") {
  CHECK(line_heartbeat == "\n");
  CHECK(event_heartbeat == ":\n\n");
}
