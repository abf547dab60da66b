// Requests over HTTP at any hub of a cluster: the hub of the client's player, or of the game,
// answers them.
#include "tests/support/catch.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/linked_hubs.hpp"
#include "tests/system/turns_client.hpp"

#include <csignal>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

// A client with the secret of a player, connected to any hub.
struct far_client {
  far_client(hub& at, std::string secret) : http(at.http()), id(std::move(secret)) {}
  api_answer post(const std::string& path, const std::string& more = {}) {
    return http.post(path, "client_id=" + id + more);
  }
  api_answer get(const std::string& path) { return http.get(path + "?client_id=" + id); }
  api_answer move(int position) {
    return post("/api/move", "&position=" + std::to_string(position));
  }

  api_client http;
  std::string id;
};

// {"players":3}
const std::string for_three = "&engine=dots-and-boxes&options=%7B%22players%22%3A3%7D";

TEST_CASE("cluster requests: each one of a game goes through another hub, to the win") {
  linked_hubs h{3};
  http_table t{h[0]};
  t.begin();
  std::vector<std::unique_ptr<far_client>> xs, os;
  for (auto& each : h.hubs) {
    xs.push_back(std::make_unique<far_client>(*each, t.x.id));
    os.push_back(std::make_unique<far_client>(*each, t.o.id));
  }
  far_client reader{h[2], t.x.id}, guest{h[1], {}};
  REQUIRE(reader.http.follow(t.path + "?client_id=" + t.x.id).status == 200);
  REQUIRE(guest.http.follow(t.path).status == 200);
  for (std::size_t i = 0; i < std::size(moves); ++i)
    REQUIRE((i % 2 == 0 ? xs : os)[(i + 1) % 3]->move(moves[i]).status == 200);
  CHECK(numbers_of(rest_of(reader.http)) == from_to(1, last_update));
  CHECK(numbers_of(rest_of(guest.http)) == from_to(1, last_update));
  for (auto& each : xs) {
    const auto mine = each->get("/api/games/" + t.game).json();
    CHECK(mine["status"] == "ended");
    CHECK(mine["player"] == "X");
    CHECK(mine == t.x.http.get("/api/games/" + t.game + "?client_id=" + t.x.id).json());
  }
  CHECK(h[1].count("gamehub_relay_requests_total", {{"side", "entry"}}) == 3);
  CHECK(h[0].count("gamehub_relay_requests_total", {{"side", "home"}}) == 7);
  CHECK(h[1].count("gamehub_relay_watched_games", {{"side", "entry"}}) == 1);
}

TEST_CASE("cluster requests: a client finds its player, name and games at any hub") {
  linked_hubs h{2};
  http_table t{h[0]};
  t.begin();
  far_client far{h[1], t.x.id};
  const auto who = far.post("/api/connect").json();
  CHECK(who["client_id"] == t.x.id);
  CHECK(who["name"] == "stan");
  CHECK(far.get("/api/me/games").json()["games"].size() == 1);
  CHECK(far.post("/api/chat", "&message=hello").status == 200);
  CHECK(far.move(9).code() == 103);
  CHECK(far.move(0).status == 200);
  CHECK(far.move(1).json() == t.x.move(1).json());  // it is not its turn
  const auto game = far.get("/api/games/" + t.game).json();
  CHECK(game["player"] == "X");
  CHECK(game["board"] == "X________");
  far_client guest{h[1], {}};
  CHECK(guest.http.get("/api/games/" + t.game).json()["board"] == "X________");
  CHECK(far.post("/api/rename", "&name=stanley").json()["name"] == "stanley");
  CHECK(t.x.post("/api/connect").json()["name"] == "stanley");
  CHECK(far.post("/api/quit").status == 200);
}

TEST_CASE("cluster requests: a hub that has just started knows the players and games of others") {
  linked_hubs h{1};
  http_table t{h[0]};
  t.begin();
  // Its first request comes as soon as it accepts clients.
  hub late{{"--cluster", h.server.target()}};
  far_client far{late, t.x.id};
  CHECK(far.post("/api/connect").json()["name"] == "stan");
  CHECK(far.get("/api/games/" + t.game).json()["player"] == "X");
  CHECK(far.move(0).status == 200);
  CHECK(far.post("/api/quit").status == 200);
}

// X plays at its hub, and O by another one.
void play_out(api_player& x, far_client& o) {
  for (std::size_t i = 0; i < std::size(moves); ++i)
    REQUIRE((i % 2 == 0 ? x.move(moves[i]) : o.move(moves[i])).status == 200);
}

TEST_CASE("cluster requests: players of different hubs meet over HTTP, and stay at theirs") {
  linked_hubs h{2};
  for (const std::size_t first : {0u, 1u}) {
    auto &here = h[first], &there = h[1 - first];
    const std::string host = first == 0 ? "stan" : "wendy", guest = first == 0 ? "kyle" : "eric";
    api_player x{here.http(), host};
    const auto waits = x.play();
    REQUIRE(waits["status"] == "waiting");
    // It opens its session with this request, and knows its secret from the answer alone.
    far_client o{there, {}};
    const auto plays = o.http.post("/api/play", "name=" + guest).json();
    CHECK(plays["game_id"] == waits["game_id"]);
    CHECK(plays["opponent_name"] == host);
    CHECK(plays["name"] == guest);
    o.id = plays["client_id"];
    REQUIRE(
        o.http.follow("/api/updates/" + plays["game_id"].get<std::string>() + "?client_id=" + o.id)
            .status == 200);
    far_client by{there, o.id};
    play_out(x, by);
    CHECK(numbers_of(rest_of(o.http)) == from_to(1, last_update));
    // And once more, from where each one is.
    CHECK(x.play()["status"] == "waiting");
    CHECK(by.post("/api/play").json()["opponent_name"] == host);
    play_out(x, by);
    CHECK(by.post("/api/connect").json()["name"] == guest);
  }
  for (auto& each : h.hubs) CHECK(each->count("gamehub_relay_moves_total") == 1);
}

TEST_CASE("cluster requests: a game is joined from any hub, by its id and by invitation") {
  linked_hubs h{2};
  for (const bool closed : {false, true}) {
    CAPTURE(closed);
    api_player x{h[0].http(), closed ? "wendy" : "stan"};
    const auto waits = x.play(closed ? "&private=true" : "");
    const auto by = closed ? "invitation=" + waits["invitation"].get<std::string>()
                           : "game_id=" + waits["game_id"].get<std::string>();
    far_client o{h[1], {}};
    if (closed) {
      const auto leads_to = o.http.get("/api/invitation?" + by).json();
      CHECK(leads_to["status"] == "waiting");
      CHECK(leads_to["host"] == "wendy");
    }
    // It has a session at its own hub already.
    api_player known{h[1].http(), closed ? "eric" : "kyle"};
    const auto plays = known.play("&" + by);
    CHECK(plays["game_id"] == waits["game_id"]);
    o.id = known.id;
    play_out(x, o);
    CHECK(o.http.get("/api/invitation?invitation=of-no-game").json()["status"] == "gone");
    CHECK(o.post("/api/play", "&game_id=77").code() == 102);
  }
}

TEST_CASE("cluster requests: one stream follows games of all hubs") {
  linked_hubs h{2};
  http_table here{h[0], "stan", "kyle"};
  here.begin();
  http_table there{h[1], "wendy", "eric"};
  there.begin();
  far_client reader{h[0], here.x.id};
  REQUIRE(reader.http
              .follow("/api/updates?games=" + here.game + "," + there.game +
                      ".2&client_id=" + here.x.id)
              .status == 200);
  here.play(0, std::size(moves));
  there.play(0, std::size(moves));
  std::map<std::string, std::vector<std::uint64_t>> numbers;
  std::size_t done = 0;
  for (auto u = reader.http.update(); !u.is_null(); u = reader.http.update()) {
    if (u["type"] == "done") ++done;
    if (u.contains("update_id") && is_numbered(u))
      numbers[u["game"]].push_back(u["update_id"].get<std::uint64_t>());
  }
  CHECK(done == 2);
  CHECK(numbers[here.game] == from_to(1, last_update));
  CHECK(numbers[there.game] == from_to(3, last_update));
}

TEST_CASE("cluster requests: the list of games at any hub is that of all hubs") {
  linked_hubs h{3};
  std::vector<std::unique_ptr<http_table>> tables;
  const char* const names[] = {"stan", "kyle", "wendy", "eric"};
  for (const std::size_t i : {0u, 1u}) {
    tables.push_back(std::make_unique<http_table>(h[i], names[2 * i], names[2 * i + 1]));
    tables.back()->begin();
  }
  api_player waits{h[1].http(), "butters"};
  const std::string waiting = waits.play()["game_id"];
  tables[0]->play(0, std::size(moves));
  const auto ids = [](const nlohmann::json& page) {
    std::vector<std::string> out;
    for (const auto& each : page["games"]) out.push_back(each["game_id"]);
    return out;
  };
  const auto all = std::vector{waiting, tables[1]->game, tables[0]->game};
  for (auto& each : h.hubs) {
    api_client guest{each->http()};
    each->await("lists the end", [&] {
      const auto ended = guest.get("/api/games?status=ended").json();
      return ids(ended) == std::vector{tables[0]->game};
    });
    CHECK(ids(guest.get("/api/games").json()) == all);
    CHECK(ids(guest.get("/api/games?status=waiting").json()) == std::vector{waiting});
    CHECK(ids(guest.get("/api/games?status=running").json()) == std::vector{tables[1]->game});
    // Page by page.
    std::vector<std::string> found;
    for (std::string after; found.size() < 9;) {
      const auto page = guest.get("/api/games?limit=1" + after).json();
      REQUIRE(ids(page).size() <= 1);
      for (const auto& game : ids(page)) found.push_back(game);
      if (page["next"].is_null()) break;
      after = "&after=" + page["next"].get<std::string>();
    }
    CHECK(found == all);
  }
  // One that does not answer is left out.
  h[1].process().signal(SIGSTOP);
  CHECK(ids(api_client{h[2].http()}.get("/api/games?limit=1").json()).size() == 1);
  h[1].process().signal(SIGKILL);
  CHECK(h[1].wait() == 128 + SIGKILL);
  far_client x{h[0], tables[1]->x.id};
  h[0].await("has the game of the dead hub", [&] { return x.post("/api/quit").status == 200; });
}

TEST_CASE("cluster requests: players over HTTP and JSON turns of different hubs meet") {
  linked_hubs h{2};
  const std::string sits = R"(,"supported_games":["tictactoe"],"max_games":1})";
  SECTION("HTTP waits") {
    api_player x{h[0].http(), "stan"};
    REQUIRE(x.play()["status"] == "waiting");
    turns_client o{h[1].turns()};
    o.say(R"({"type":"connect","name":"kyle")" + sits);
    while (o.next() != "0 state ---/---/--- null") continue;
    for (const int cell : {0, 1}) {
      h[0].await("is X's turn", [&] { return x.move(cell).status == 200; });
      while (o.next() != "0 turn") continue;
      o.move(0, 1, cell);
    }
    h[0].await("has O's move", [&] { return x.move(2).status == 200; });
    while (o.next() != "close 0") continue;
  }
  SECTION("JSON turns waits") {
    turns_client x{h[0].turns()};
    x.say(R"({"type":"connect","name":"stan")" + sits);
    REQUIRE(x.next() == "name stan");
    h[0].await_waiting("tictactoe", 1);
    api_player o{h[1].http(), "kyle"};
    CHECK(o.play()["opponent_name"] == "stan");
    while (x.next() != "0 turn") continue;
    x.say(R"({"type":"close","game_id":0})");
    while (x.next() != "close 0") continue;
    far_client by{h[1], o.id};
    h[1].await("has won", [&] { return by.move(0).code() == 103; });
  }
}

TEST_CASE("cluster requests: players over HTTP of different hubs gather for a game of three") {
  linked_hubs h{3};
  // One waits at each hub in turn; each next one comes to the first.
  for (const std::size_t first : {0u, 1u, 2u}) {
    CAPTURE(first);
    std::vector<std::unique_ptr<far_client>> all;
    std::string game;
    for (std::size_t i = 0; i < 3; ++i) {
      all.push_back(std::make_unique<far_client>(h[(first + i) % 3], ""));
      const auto name = "p" + std::to_string(first) + std::to_string(i);
      const auto seat = all.back()->http.post("/api/play", "name=" + name + for_three).json();
      INFO(seat);
      all.back()->id = seat["client_id"];
      if (i == 0) game = seat["game_id"];
      REQUIRE(seat["game_id"] == game);
      CHECK(seat["seats"] == 3);
    }
    for (auto& each : all) {
      const auto seen = each->get("/api/games/" + game).json();
      CHECK(seen["status"] == "running");
      CHECK(seen.contains("player"));
    }
    for (auto& each : all) each->post("/api/quit");
  }
}

TEST_CASE("cluster requests: players of JSON turns come to a table of HTTP for three") {
  linked_hubs h{2};
  for (const std::size_t at : {0u, 1u}) {
    CAPTURE(at);
    // It was told its game, and can't move.
    api_player who{h[at].http(), "curl" + std::to_string(at)};
    REQUIRE(who.play(for_three)["status"] == "waiting");
    std::vector<std::unique_ptr<turns_client>> others;
    for (int i = 0; i < 2; ++i) {
      others.push_back(std::make_unique<turns_client>(h[1 - at].turns()));
      others.back()->say(R"({"type":"connect","name":"t)" + std::to_string(i) +
                         R"(","supported_games":["dots-and-boxes"],"max_games":1,)" +
                         R"("options":{"dots-and-boxes":{"players":3}}})");
    }
    for (auto& each : others) {
      REQUIRE(each->next().starts_with("name t"));
      REQUIRE(each->next() == "start 0");
    }
    CHECK(who.http.get("/api/me/games?client_id=" + who.id).json()["games"][0]["status"] ==
          "running");
    for (auto& each : others) each->say(R"({"type":"close","game_id":0})");
    who.post("/api/quit");
  }
}

TEST_CASE("cluster requests: a secret that no hub knows is refused at each one") {
  linked_hubs h{2};
  far_client far{h[1], "a-secret-of-no-player"};
  CHECK(far.move(0).code() == 101);
  CHECK(far.http.get("/api/games/77").code() == 102);
  // With it a session can be opened, here.
  CHECK(far.post("/api/play").json()["client_id"] == far.id);
  CHECK(far.post("/api/quit").status == 200);
  CHECK(h[0].count("gamehub_relay_requests_total", {{"side", "home"}}) == 0);
}

TEST_CASE("cluster requests: a long answer and a slow reader take nothing from others") {
  linked_hubs h{2};
  http_table t{h[0]};
  t.begin();
  // It never reads its stream of chat messages.
  tcp_options small;
  small.receive_buffer_bytes = 4'096;
  api_client deaf{h[1].http(), small};
  deaf.send("GET " + t.path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  far_client far{h[1], t.x.id};
  for (std::size_t i = 0; i < std::size(moves); ++i)
    REQUIRE((i % 2 == 0 ? far.move(moves[i]) : t.o.move(moves[i])).status == 200);
  const auto whole = far.get("/api/replays/" + t.game);
  CHECK(whole.status == 200);
  CHECK(whole.body == t.x.http.get("/api/replays/" + t.game + "?client_id=" + t.x.id).body);
}

TEST_CASE("cluster requests: a hub that drains does not wait long for the answer of another one") {
  linked_hubs h{2, {"--drain-seconds", "1"}};
  http_table t{h[0]};
  t.begin();
  far_client x{h[1], t.x.id};
  REQUIRE(x.move(0).status == 200);
  const auto passed = h[1].count("gamehub_relay_requests_total", {{"side", "entry"}});
  h[0].process().signal(SIGSTOP);
  const auto form = "client_id=" + t.x.id + "&position=1";
  x.http.send(
      "POST /api/move HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
      "application/x-www-form-urlencoded\r\nContent-Length: " +
      std::to_string(form.size()) + "\r\n\r\n" + form);
  h[1].await_count("gamehub_relay_requests_total", {{"side", "entry"}}, passed + 1);
  h[1].process().signal(SIGTERM);
  const auto late = x.http.answer();
  REQUIRE(late);
  CHECK(late->status == 503);
  x.http.socket().close();
  CHECK(h[1].wait() == 0);
  h[0].process().signal(SIGKILL);
  CHECK(h[0].wait() == 128 + SIGKILL);
}

TEST_CASE("cluster requests: when the hub of the player is killed, the next one goes to its heir") {
  linked_hubs h{3};
  http_table t{h[0]};
  t.begin();
  far_client x{h[1], t.x.id}, o{h[2], t.o.id}, reader{h[1], t.x.id};
  REQUIRE(x.move(0).status == 200);
  REQUIRE(reader.http.follow(t.path + "?client_id=" + t.x.id).status == 200);
  while (next_numbered(reader.http)["update_id"] != 4) continue;
  h[0].process().signal(SIGKILL);
  CHECK(h[0].wait() == 128 + SIGKILL);
  // The stream ends, and the client reads on from its last update.
  CHECK(next_numbered(reader.http).is_null());
  const auto wins = [&](far_client& at, int position) {
    auto got = at.move(position);
    for (int i = 0; i < 100 && got.status == 503; ++i) got = at.move(position);
    CHECK(got.status == 200);
  };
  wins(o, 3);
  wins(x, 1);
  wins(o, 4);
  wins(x, 2);
  REQUIRE(reader.http.follow(t.path + "?client_id=" + t.x.id + "&after=4").status == 200);
  const auto rest = numbers_of(rest_of(reader.http));
  CHECK(rest.back() == last_update);
}

TEST_CASE("cluster requests: a move that counts once is answered though its hub is killed") {
  linked_hubs h{3};
  http_table t{h[0]};
  t.begin();
  far_client x{h[1], t.x.id}, o{h[2], t.o.id};
  const auto once = [](int position, int after) {
    return "&position=" + std::to_string(position) + "&last_update_id=" + std::to_string(after);
  };
  // It is answered each time, and made once: so is another one in its place.
  for (const int position : {0, 0, 8}) CHECK(x.post("/api/move", once(position, 3)).status == 200);
  CHECK(x.move(8).code() == 103);
  CHECK(o.get("/api/games/" + t.game).json()["board"] == "X________");
  h[0].process().signal(SIGSTOP);
  const auto send = [](far_client& by, const std::string& path, const std::string& more) {
    const auto form = "client_id=" + by.id + more;
    by.http.send("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
                 std::to_string(form.size()) + "\r\n\r\n" + form);
  };
  send(o, "/api/move", once(3, 4));
  send(x, "/api/chat", "&message=hello");
  h[0].process().signal(SIGKILL);
  CHECK(h[0].wait() == 128 + SIGKILL);
  const auto moved = o.http.answer(), said = x.http.answer();
  REQUIRE((moved && said));
  CHECK(moved->status == 200);
  // It may have been said.
  CHECK(said->status == 503);
  CHECK(said->code() == 106);
  CHECK(x.post("/api/move", once(1, 5)).status == 200);
  CHECK(o.post("/api/move", once(4, 6)).status == 200);
  CHECK(x.post("/api/move", once(2, 7)).status == 200);
  far_client reader{h[1], t.x.id};
  REQUIRE(reader.http.follow(t.path + "?client_id=" + t.x.id).status == 200);
  CHECK(numbers_of(rest_of(reader.http)) == from_to(1, last_update));
}

}  // namespace
}  // namespace gamehub::tests::system
