// Games over the HTTP wire: sessions, places at tables, moves and errors.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/whole_game.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

struct table {
  explicit table(hub& at) : x(at.http(), "stan"), o(at.http(), "kyle") {
    first = x.play();
    second = o.play();
  }
  api_player x, o;
  json first, second;
};

TEST_CASE("http games: two who connect and play meet, and play to the end") {
  hub at;
  table t{at};
  INFO(t.first.dump() << t.second.dump());
  CHECK(t.first["status"] == "waiting");
  CHECK(t.first["player"] == "X");
  CHECK(t.first["board"] == "_________");
  CHECK(t.first["opponent_name"].is_null());
  CHECK(t.second["player"] == "O");
  CHECK(t.second["game_id"] == t.first["game_id"]);
  CHECK(t.second["opponent_name"] == "stan");
  CHECK(t.second["opponent_last_visit"].is_string());
  CHECK(t.second["turn"] == "X");
  CHECK_FALSE(t.second.contains("status"));

  for (const int cell : {0, 3, 1, 4}) {
    auto& who = cell < 3 ? t.x : t.o;
    const auto said = who.move(cell);
    CHECK(said.status == 200);
    CHECK(said.body == "{}");
  }
  const auto stands = t.x.play("&resume=true");
  CHECK(stands["board"] == "XX_OO____");
  CHECK(stands["opponent_name"] == "kyle");
  CHECK(t.x.move(2).status == 200);
  CHECK(t.o.move(5).code() == 103);
  CHECK(t.o.post("/api/quit").code() == 102);
  CHECK(t.x.post("/api/play", "&resume=true").code() == 110);
  at.await_count("gamehub_games_running", {}, 0);
  at.await_count("gamehub_moves_total", {{"gateway", "http"}, {"outcome", "accepted"}}, 5);
}

TEST_CASE("http games: a player of requests meets one of any other wire") {
  hub at;
  api_player web{at.http(), "web"};
  REQUIRE(web.play()["status"] == "waiting");
  at.await_waiting("tictactoe", 1);
  opcodes_client bytes{at.opcodes()};
  bytes.ask();
  CHECK(bytes.next() == "ACK O");
  CHECK(web.move(4).status == 200);
  CHECK(bytes.next().starts_with("STATE"));
  CHECK(web.post("/api/quit").body == "{}");
}

TEST_CASE("http games: any number of seats, and any letters on the board, are played (H5)") {
  hub at{{"--plugins", std::string{GAMEHUB_TEST_PLUGINS} + "/seats"}};
  const std::string letters = "XOCDEFGH";
  for (const auto seats : {std::size_t{1}, std::size_t{3}, std::size_t{8}}) {
    INFO(seats << " seats");
    const auto engine = "seats-" + std::to_string(seats);
    std::vector<std::unique_ptr<api_player>> players;
    json seat;
    for (std::size_t i = 0; i < seats; ++i) {
      players.push_back(
          std::make_unique<api_player>(at.http(), engine + " player " + std::to_string(i)));
      seat = players.back()->play("&engine=" + engine);
      INFO(seat.dump());
      REQUIRE(seat["seats"] == seats);
    }
    const auto id = seat["game_id"].get<std::string>();
    const auto look = [&] { return players[0]->http.get("/api/games/" + id).json(); };
    for (std::size_t i = 0; i < seats; ++i) {
      CHECK(look()["turn"] == std::vector<std::string>{"X", "O", "3", "4", "5", "6", "7", "8"}[i]);
      CHECK(players[i]->move(static_cast<int>(i)).status == 200);
    }
    const auto ended = look();
    CHECK(ended["status"] == "ended");
    CHECK(ended["board"] == letters.substr(0, seats));
    CHECK(ended["winner"] == (seats == 1 ? "X" : std::to_string(seats)));
  }
  std::size_t listed = 0;
  const auto engines = api_client{at.http()}.get("/api/engines").json()["engines"];
  for (const auto& each : engines) {
    if (!each["engine"].get<std::string>().starts_with("seats-")) continue;
    ++listed;
    CHECK(letters.starts_with(each["marks"].get<std::string>()));
  }
  CHECK(listed == 3);
}

TEST_CASE("http games: against the engine a game begins at once") {
  hub at;
  api_player web{at.http(), "web"};
  const auto begun = web.play("&opponent=engine");
  CHECK(begun["opponent_name"].is_string());
  CHECK_FALSE(begun.contains("status"));
  CHECK(web.move(0).status == 200);
  CHECK(web.post("/api/quit").status == 200);
  CHECK(web.play("&opponent=engine%3Arandom")["opponent_name"] == "engine (random)");
  CHECK(web.post("/api/quit").status == 200);
  CHECK(web.post("/api/play", "&opponent=engine%3Agodlike").code() == 100);
}

TEST_CASE("http games: a game as it stands tells a player its moves and its time") {
  hub at{{"--turn-seconds", "60"}};
  api_player web{at.http(), "web"};
  const auto id = web.play("&engine=connect-four&opponent=engine")["game_id"].get<std::string>();
  const auto mine = web.http.get("/api/games/" + id + "?history=false&client_id=" + web.id).json();
  INFO(mine.dump());
  CHECK(mine["actions"].size() == 7);
  CHECK(mine["positions"] == json{35, 36, 37, 38, 39, 40, 41});
  CHECK(mine["rows"] == 6);
  CHECK(mine["columns"] == 7);
  CHECK(mine["turn_milliseconds"] == 60'000);
  CHECK(mine["turn_milliseconds_left"] <= 60'000);
  CHECK(mine["history"].empty());
  CHECK(mine["last_update_id"] == 3);
  const auto guest = web.http.get("/api/games/" + id).json();
  CHECK_FALSE(guest.contains("positions"));
  CHECK(guest["history"].size() == 3);
  CHECK(web.post("/api/quit").status == 200);
}

TEST_CASE("http games: a waiting game shows the position that it begins with (M13)") {
  hub at;
  api_player ann{at.http(), "ann"};
  const auto start_of = [&](const std::string& engine) {
    const auto seat = ann.play("&new_game=true&" + engine);
    const auto id = seat["game_id"].get<std::string>();
    const auto seen = api_client{at.http()}.get("/api/games/" + id).json();
    INFO(seen.dump());
    CHECK(seen["status"] == "waiting");
    // So does the answer of `play`, also if it is asked for again.
    CHECK(seat["board"] == seen["board"]);
    CHECK(ann.play()["board"] == seen["board"]);
    CHECK_FALSE(seen.contains("turn"));
    CHECK(seen["history"].empty());
    return seen;
  };
  const auto discs = start_of("engine=othello");
  CHECK(discs["board"] == std::string(27, '_') + "OX______XO" + std::string(27, '_'));
  CHECK(discs["rows"] == 8);
  CHECK(start_of("engine=gomoku&options=%7B%22rows%22%3A5%7D")["rows"] == 5);
  CHECK(start_of("engine=nim&options=%7B%22heaps%22%3A3%7D")["view"]["heaps"] == json{1, 3, 5});
  CHECK(ann.play("&new_game=true&private=true&engine=othello")["board"] == discs["board"]);
  CHECK(ann.post("/api/quit").status == 200);
}

TEST_CASE("http games: one step makes the session, and says who it is") {
  hub at;
  api_client one{at.http()};
  const auto seat = one.post("/api/play", "name=ann").json();
  CHECK(seat["name"] == "ann");
  REQUIRE(seat["client_id"].get<std::string>().size() >= 16);
  const auto id = "client_id=" + seat["client_id"].get<std::string>();
  const auto again = one.post("/api/play", id).json();
  CHECK(again["game_id"] == seat["game_id"]);
  CHECK_FALSE(again.contains("client_id"));
  CHECK(one.post("/api/quit", id).status == 200);
  CHECK(one.post("/api/quit", id).code() == 102);
  // A client may bring its secret, too.
  const auto brought = one.post("/api/play", "client_id=0123456789abcdef&name=bob").json();
  CHECK(brought["client_id"] == "0123456789abcdef");
  CHECK(one.post("/api/quit", "client_id=0123456789abcdef").status == 200);
}

TEST_CASE("http games: a session is found from any connection, however its secret comes") {
  hub at;
  api_player ann{at.http(), "ann"};
  for (int i = 0; i < 8; ++i) {
    api_client other{at.http()};
    const auto got = other.post("/api/connect", "client_id=" + ann.id).json();
    CHECK(got["name"] == "ann");
    CHECK(got["client_id"] == ann.id);
    CHECK(other.post("/api/quit", "", "Authorization: Bearer " + ann.id + "\r\n").code() == 102);
    CHECK(other
              .request("POST", "/api/quit", "Content-Type: application/json\r\n",
                       json{{"client_id", ann.id}}.dump())
              .code() == 102);
  }
  api_client other{at.http()};
  CHECK(other.post("/api/connect", "name=ann").code() == 104);
  CHECK(other.post("/api/connect", "name=%01").code() == 104);
  CHECK(other.post("/api/connect", "").json()["name"].get<std::string>().starts_with("Guest"));
}

TEST_CASE("http games: errors of moves and of games say which they are") {
  hub at;
  api_player ann{at.http(), "ann"}, bob{at.http(), "bob"};
  CHECK(ann.move(0).code() == 102);
  const auto first = ann.play();
  CHECK(ann.move(0).code() == 103);
  CHECK(ann.play()["game_id"] == first["game_id"]);
  bob.play();
  CHECK(bob.move(0).code() == 103);
  CHECK(ann.move(9).code() == 103);
  CHECK(ann.post("/api/move", "&position=-1").code() == 103);
  CHECK(ann.post("/api/move").code() == 100);
  CHECK(ann.post("/api/move", "&position=x").code() == 100);
  CHECK(ann.post("/api/move", "&position=0&position=0").code() == 100);
  CHECK(ann.post("/api/move", "&position=0&game_id=999").code() == 102);
  CHECK(ann.move(0).status == 200);
  CHECK(bob.move(0).code() == 103);
  CHECK(ann.move(1).code() == 103);
  CHECK(ann.http.post("/api/move", "client_id=nobody-knows-this-one&position=0").code() == 101);
  CHECK(ann.http.post("/api/move", "position=0").code() == 100);
  CHECK(ann.http.post("/api/play", "engine=chess").code() == 100);
  CHECK(bob.post("/api/quit").status == 200);
  CHECK(ann.move(1).code() == 103);
}

TEST_CASE("http games: who plays again gives its running game up") {
  hub at;
  table t{at};
  const auto next = t.x.play();
  CHECK(next["game_id"] != t.first["game_id"]);
  CHECK(next["status"] == "waiting");
  CHECK(t.o.move(0).code() == 103);
  CHECK(t.x.post("/api/quit").status == 200);
}

TEST_CASE("http games: other engines, with their options, on boards of their size") {
  hub at;
  api_player ann{at.http(), "ann"};
  const auto seat = ann.play("&engine=gomoku&options=%7B%22rows%22%3A5%2C%22columns%22%3A6%7D");
  INFO(seat.dump());
  CHECK(seat["engine"] == "gomoku");
  CHECK(seat["board"].get<std::string>().size() == 30);
  CHECK(ann.post("/api/quit").status == 200);
  CHECK(ann.post("/api/play", "&engine=gomoku&options=%7B%22legs%22%3A8%7D").code() == 100);
  const auto engines = ann.http.get("/api/engines").json();
  const auto& all = engines["engines"];
  CHECK(std::count_if(all.begin(), all.end(),
                      [](const auto& e) { return e["engine"] == "tictactoe"; }) == 1);
  for (const auto& e : all) {
    CHECK(e["levels"].size() == 3);
    CHECK(e["levels"][0] == "random");
    INFO(e["engine"]);
    CHECK(!e["face"]["blurb"].get<std::string>().empty());
    CHECK(!e["face"]["rules"].empty());
    CHECK(e["face"]["icon"].get<std::string>().starts_with("<svg "));
  }
  CHECK(ann.http.get("/api/openapi.json").json()["openapi"] == "3.1.0");
  CHECK(ann.http.request("HEAD", "/api/engines", "", "").body.empty());
}

TEST_CASE(
    "http games: score and summary are in games, updates and replays where engines have them") {
  hub at;
  api_player ann{at.http(), "ann"}, bob{at.http(), "bob"};
  const auto id = ann.play("&engine=othello")["game_id"].get<std::string>();
  REQUIRE(bob.play("&engine=othello")["game_id"] == id);
  REQUIRE(ann.move(19).status == 200);
  const auto check_position = [](const json& has) {
    INFO(has.dump());
    CHECK(has["score"] == json{4, 1});
    CHECK(has["summary"] == "Black leads by 3 discs.");
  };
  api_client guest{at.http()};
  check_position(guest.get("/api/games/" + id).json());
  check_position(ann.http.get("/api/games/" + id + "?client_id=" + ann.id).json());
  const auto last_move = [](const json& updates) {
    json found;
    for (const auto& each : updates)
      if (each["type"] == "move") found = each;
    return found;
  };
  check_position(last_move(guest.get("/api/games/" + id).json()["history"]));
  REQUIRE(ann.post("/api/quit").status == 200);
  check_position(last_move(guest.get("/api/replays/" + id).json()["updates"]));
  check_position(guest.get("/api/games/" + id).json());
}

TEST_CASE("http games: lists by status have a running game below newer ended ones (C1)") {
  hub at;
  table t{at};
  const auto first = t.first["game_id"];
  api_player eve{at.http(), "eve"};
  for (int i = 0; i < 60; ++i) {
    eve.play("&opponent=engine&engine=nim");
    REQUIRE(eve.post("/api/quit").status == 200);
  }
  at.await_count("gamehub_games_running", {}, 1);
  api_client guest{at.http()};
  const auto of = [&](const std::string& query) {
    return guest.get("/api/games?limit=50" + query).json()["games"];
  };
  const auto running = of("&status=running"), ended = of("&status=ended");
  REQUIRE(running.size() == 1);
  CHECK(running[0]["game_id"] == first);
  CHECK(ended.size() == 50);
  for (const auto& each : ended) CHECK(each["status"] == "ended");
  for (const auto& each : of("")) CHECK(each["game_id"] != first);
  REQUIRE(t.x.post("/api/quit").status == 200);
  at.await_count("gamehub_games_running", {}, 0);
  at.await("it has ended", [&] { return of("&status=running").empty(); });
}

TEST_CASE("http games: a secret is in no other client's answer, in no log and in no metric") {
  hub at{{"--log-level", "debug"}};
  table t{at};
  t.x.move(0);
  t.o.post("/api/chat", "&message=hi");
  api_client guest{at.http()};
  guest.get("/api/updates/" + t.first["game_id"].get<std::string>() + "?wait=0");
  guest.get("/api/engines?client_id=" + t.x.id);
  guest.post("/api/move", "client_id=" + t.o.id + "x&position=0");
  t.x.post("/api/quit");
  const auto metrics = at.metrics().text();
  for (const auto* id : {&t.x.id, &t.o.id}) {
    CHECK(metrics.find(*id) == std::string::npos);
    CHECK(at.process().errors().find(*id) == std::string::npos);
    CHECK(guest.everything().find(*id) == std::string::npos);
  }
  CHECK(t.o.http.everything().find(t.x.id) == std::string::npos);
  CHECK(t.x.http.everything().find(t.o.id) == std::string::npos);
}

}  // namespace
}  // namespace gamehub::tests::system
