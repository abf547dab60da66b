// Rematches between clients of HTTP, JSON turns and WebSockets, of two and of three seats; and a
// takeback of three.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/socket_client.hpp"
#include "tests/system/turns_client.hpp"

#include <memory>
#include <string>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

// {"players":3,"rows":2,"columns":2}
const std::string three =
    "&engine=dots-and-boxes&options=%7B%22players%22%3A3%2C%22rows%22%3A2%2C%22columns%22%3A2%7D";
const json three_json{{"dots-and-boxes", {{"players", 3}, {"rows", 2}, {"columns", 2}}}};

// A client of JSON turns, over TCP or a WebSocket, that wants offers.
class offering_client {
 public:
  offering_client(hub& at, const std::string& name, bool socket, const json& options = json{}) {
    json connect{{"type", "connect"},
                 {"name", name},
                 {"supported_games", {options.empty() ? "tictactoe" : options.begin().key()}},
                 {"wants", {"offers"}}};
    if (!options.empty()) connect["options"] = options;
    if (socket)
      ws_ = std::make_unique<socket_client>(at.http());
    else
      tcp_ = std::make_unique<turns_client>(at.turns());
    say(connect);
    REQUIRE(next("name")["name"] == name);
  }

  void say(const json& line) { ws_ ? ws_->say(line.dump()) : tcp_->say(line.dump()); }
  void offer(int game, const std::string& step = {}) {
    json asked{{"type", "offer"}, {"game_id", game}, {"what", "rematch"}};
    if (!step.empty()) asked["step"] = step;
    say(asked);
  }
  void leave(int game) { say({{"type", "close"}, {"game_id", game}}); }

  // The next line of this type.
  json next(const std::string& type) {
    for (;;) {
      auto said = line();
      if (said["type"] == type) return said;
    }
  }
  // The next offer in this game, as words.
  std::string offered(int game) {
    const auto o = next("offer");
    CHECK(o["game_id"] == game);
    if (o.contains("error")) return o["error"].get<std::string>() + " " + o.value("detail", "");
    CHECK(o["what"] == "rematch");
    return o["name"].get<std::string>() + " " + o["step"].get<std::string>() +
           (o.contains("cause") ? " " + o["cause"].get<std::string>() : "");
  }

 private:
  json line() {
    if (ws_) {
      const auto text = ws_->next();
      INFO(text);
      REQUIRE(text.starts_with("{"));
      return json::parse(text);
    }
    const auto said = tcp_->next();
    INFO(said);
    REQUIRE(tcp_->line().is_object());
    REQUIRE(tcp_->closed_because().empty());
    return tcp_->line();
  }

  std::unique_ptr<turns_client> tcp_;
  std::unique_ptr<socket_client> ws_;
};

json offers_of(const api_player& who, hub& at, const std::string& game) {
  api_client reader{at.http()};
  return reader.get("/api/games/" + game + "?client_id=" + who.id).json().value("offers", json{});
}

TEST_CASE("rematch: a client of JSON turns accepts that of a client of HTTP, and offers one") {
  const bool socket = GENERATE(false, true);
  CAPTURE(socket);
  hub at;
  api_player ann{at.http(), "ann"};
  const auto first = ann.play()["game_id"].get<std::string>();
  offering_client bob{at, "bob", socket};
  CHECK_FALSE(bob.next("start").contains("rematch_of"));
  REQUIRE(ann.post("/api/quit").status == 200);
  REQUIRE(bob.next("close")["reason"] == "left");
  bob.offer(0, "accepted");
  CHECK(bob.offered(0) == "no-offer there is no such offer");
  REQUIRE(ann.post("/api/rematch").json()["status"] == "waiting");
  CHECK(bob.offered(0) == "ann offered");
  bob.offer(0, "accepted");
  CHECK(bob.offered(0) == "bob accepted");
  const auto again = bob.next("start");
  CHECK(again["game_id"] == 1);
  CHECK(again["rematch_of"] == 0);
  CHECK(again["seat"] == 0);
  const auto second = ann.play("&resume=true")["game_id"].get<std::string>();
  bob.leave(1);
  REQUIRE(bob.next("close")["game_id"] == 1);
  bob.offer(1);
  CHECK(bob.offered(1) == "bob offered");
  const auto by_bob = json::parse(R"([{"what":"rematch","player":"X","name":"bob"}])");
  at.await("tells ann of it", [&] { return offers_of(ann, at, second) == by_bob; });
  bob.offer(1, "withdrawn");
  CHECK(bob.offered(1) == "bob withdrawn");
  at.await("tells ann of its end", [&] { return offers_of(ann, at, second).is_null(); });
  bob.offer(1);
  CHECK(bob.offered(1) == "bob offered");
  REQUIRE(ann.post("/api/decline").status == 200);
  CHECK(bob.offered(1) == "ann declined");
  bob.offer(1);
  CHECK(bob.offered(1) == "bob offered");
  CHECK(ann.post("/api/rematch").json()["player"] == "X");
  CHECK(bob.offered(1) == "ann accepted");
  CHECK(bob.next("start")["seat"] == 1);
  CHECK(ann.post("/api/quit").status == 200);
}

TEST_CASE("rematch: a client without words for it is offered none, and sees no new line") {
  hub at;
  api_player ann{at.http(), "ann"};
  ann.play();
  turns_client old{at.turns()};
  old.connect("old");
  while (old.next() != "0 state ---/---/--- null") continue;
  REQUIRE(ann.post("/api/quit").status == 200);
  CHECK(old.next() == "0 state ---/---/--- \"O\"");
  CHECK(old.next() == "close 0");
  const auto refused = ann.post("/api/rematch");
  CHECK(refused.code() == 103);
  CHECK(refused.json()["error"]["message"] == "the client of old can't answer offers");
  // It is still seated by its seek.
  CHECK(ann.play()["engine"] == "tictactoe");
  CHECK(old.next() == "start 1");
}

TEST_CASE("rematch: an unknown word in an offer is named, with those that there are") {
  hub at;
  api_player ann{at.http(), "ann"};
  ann.play();
  offering_client bob{at, "bob", false};
  bob.next("start");
  bob.say({{"type", "offer"}, {"game_id", 0}, {"what", "cake"}});
  CHECK(bob.offered(0) == R"(malformed "what" must be "draw", "takeback" or "rematch")");
  bob.say({{"type", "offer"}, {"game_id", 0}, {"what", "draw"}, {"step", "maybe"}});
  CHECK(bob.offered(0) ==
        R"(malformed "step" must be "offered", "accepted", "declined" or "withdrawn")");
  bob.offer(0);
  CHECK(bob.offered(0) == "no-offer a rematch can be offered once the game has ended");
  CHECK(ann.post("/api/quit").status == 200);
}

// Players of HTTP, JSON turns and a WebSocket at a table of three.
struct table_of_three {
  explicit table_of_three(hub& at) : at_(at), ann(at.http(), "ann") {
    game = ann.play(three)["game_id"].get<std::string>();
    at.await_waiting("dots-and-boxes", 1);
    bob = std::make_unique<offering_client>(at, "bob", false, three_json);
    at.await_waiting("dots-and-boxes", 2);
    cleo = std::make_unique<offering_client>(at, "cleo", true, three_json);
    for (auto* each : {bob.get(), cleo.get()}) each->next("start");
  }
  void end() {
    REQUIRE(ann.post("/api/quit").status == 200);
    bob->leave(0);
    for (auto* each : {bob.get(), cleo.get()}) REQUIRE(each->next("close")["reason"] == "left");
  }
  void both_hear(const std::string& what) {
    for (auto* each : {bob.get(), cleo.get()}) CHECK(each->offered(0) == what);
  }

  hub& at_;
  api_player ann;
  std::unique_ptr<offering_client> bob, cleo;
  std::string game;
};

TEST_CASE("rematch: of three on three wires it begins once all have accepted, seats rotated") {
  hub at;
  table_of_three t{at};
  t.end();
  api_client reader{at.http()};
  reader.follow("/api/updates/" + t.game + "?offers=true&client_id=" + t.ann.id);
  REQUIRE(next_of(reader, "end").is_object());
  REQUIRE(t.ann.post("/api/rematch").json()["status"] == "waiting");
  t.both_hear("ann offered");
  CHECK(next_of(reader, "offer")["name"] == "ann");
  t.bob->offer(0, "accepted");
  t.both_hear("bob accepted");
  const auto yes = next_of(reader, "answer");
  CHECK(yes["name"] == "bob");
  CHECK(yes["player"] == "O");
  CHECK_FALSE(yes.contains("game_id"));
  // Who has accepted is named.
  CHECK(offers_of(t.ann, at, t.game) == json::parse(R"([{"what":"rematch","player":"X","name":"ann",
                         "accepted":[{"player":"O","name":"bob"}]}])"));
  SECTION("all accept") {
    t.cleo->offer(0, "accepted");
    t.both_hear("cleo accepted");
    const auto last = next_of(reader, "answer");
    CHECK(last["player"] == "3");
    CHECK(last["game_id"].is_string());
    CHECK(reader.update().is_null());
    CHECK(t.bob->next("start")["seat"] == 0);
    CHECK(t.cleo->next("start")["players"] == json{"bob", "cleo", "ann"});
    CHECK(t.ann.play("&resume=true")["game_id"] == last["game_id"]);
    CHECK(t.ann.post("/api/quit").status == 200);
  }
  SECTION("the third one declines") {
    t.cleo->offer(0, "declined");
    t.both_hear("cleo declined");
    CHECK(next_of(reader, "answer")["answer"] == "declined");
    CHECK(t.ann.post("/api/quit").code() == 102);
  }
  SECTION("who has accepted goes") {
    t.bob.reset();
    CHECK(t.cleo->offered(0) == "bob declined left");
    const auto no = next_of(reader, "answer");
    CHECK(no["name"] == "bob");
    CHECK(no["cause"] == "left");
  }
  SECTION("who offers it takes it back") {
    CHECK(t.ann.post("/api/quit").status == 200);
    t.both_hear("ann withdrawn");
  }
}

TEST_CASE("game offers: of three, a takeback names who has accepted, and brings the move back") {
  hub at;
  table_of_three t{at};
  const auto now = [&] {
    return t.ann.http.get("/api/games/" + t.game + "?client_id=" + t.ann.id).json();
  };
  const auto before = now();
  REQUIRE(before["turn"] == "X");
  const auto action = before["actions"][0].get<std::string>();
  REQUIRE(t.ann.post("/api/move", "&action=" + action).status == 200);
  REQUIRE(now()["turn"] == "O");
  REQUIRE(t.ann.post("/api/offer", "&what=takeback").status == 200);
  const json accepts{{"type", "offer"}, {"game_id", 0}, {"what", "takeback"}, {"step", "accepted"}};
  for (auto* each : {t.bob.get(), t.cleo.get()}) {
    const auto asked = each->next("offer");
    CHECK(asked["what"] == "takeback");
    CHECK(asked["name"] == "ann");
  }
  t.cleo->say(accepts);
  CHECK(t.bob->next("offer")["name"] == "cleo");
  CHECK(now()["turn"] == "O");
  CHECK(now()["offers"] == json::parse(R"([{"what":"takeback","player":"X","name":"ann",
                                           "accepted":[{"player":"3","name":"cleo"}]}])"));
  t.bob->say(accepts);
  CHECK(t.bob->next("offer")["name"] == "bob");
  at.await("takes the move back", [&] { return now()["turn"] == "X"; });
  CHECK_FALSE(now().contains("offers"));
  CHECK(now()["actions"] == before["actions"]);
  CHECK(t.ann.post("/api/quit").status == 200);
}

}  // namespace
}  // namespace gamehub::tests::system
