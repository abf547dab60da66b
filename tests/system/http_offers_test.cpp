// Offers of a rematch over HTTP: what the other player hears of them, and what becomes of them.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/hub.hpp"

#include <optional>
#include <string>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

// An ended game of stan (X) and kyle (O), each of whom reads its offers.
struct rematch_table : http_table {
  explicit rematch_table(hub& at) : http_table(at), hub_(at) {
    begin();
    REQUIRE(o.post("/api/quit").status == 200);
    read(to_x, x);
    read(to_o, o);
  }

  // Follows the ended game, from its end on.
  void read(std::optional<api_client>& by, const api_player& who) {
    by.emplace(hub_.http());
    REQUIRE(by->follow(path + "?offers=true&client_id=" + who.id).status == 200);
    REQUIRE(next_of(*by, "end")["type"] == "end");
  }
  // What both read next.
  json heard() {
    auto one = to_x->update(), other = to_o->update();
    for (auto* each : {&one, &other})
      for (const auto* live : {"update_id", "cursor", "timestamp", "what"}) each->erase(live);
    CHECK(one == other);
    return one;
  }
  json offers(const api_player& who) {
    api_client reader{hub_.http()};
    return reader.get("/api/games/" + game + "?client_id=" + who.id).json().value("offers", json{});
  }
  void offer() {
    REQUIRE(x.post("/api/rematch").json()["status"] == "waiting");
    CHECK(heard() == json{{"type", "offer"}, {"player", "X"}, {"name", "stan"}});
  }

  hub& hub_;
  std::optional<api_client> to_x, to_o;
};

json answer(const std::string& how, const std::string& player, const std::string& name) {
  return {{"type", "answer"}, {"answer", how}, {"player", player}, {"name", name}};
}

TEST_CASE("http offers: the other side hears of a rematch, and accepts it by asking, too (B4)") {
  hub at;
  rematch_table t{at};
  CHECK(t.offers(t.o).is_null());
  t.offer();
  for (const auto* who : {&t.x, &t.o})
    CHECK(t.offers(*who) == json::parse(R"([{"what":"rematch","player":"X","name":"stan"}])"));
  // Who comes later hears of it, too.
  t.read(t.to_o, t.o);
  CHECK(t.to_o->update()["type"] == "offer");
  const auto seat = t.o.post("/api/rematch").json();
  CHECK(seat["player"] == "X");
  auto accepted = answer("accepted", "O", "kyle");
  accepted["game_id"] = seat["game_id"];
  CHECK(t.heard() == accepted);
  // Nothing follows.
  CHECK(t.to_x->update().is_null());
  CHECK(t.to_o->update().is_null());
  CHECK(t.x.post("/api/play", "&resume=true").json()["game_id"] == seat["game_id"]);
  CHECK(t.x.post("/api/quit").status == 200);
}

TEST_CASE("http offers: a rematch is declined or taken back, and who asked may ask again (B4)") {
  hub at;
  rematch_table t{at};
  CHECK(t.o.post("/api/decline").code() == 102);
  t.offer();
  CHECK(t.o.post("/api/decline", "&game_id=4711").code() == 102);
  CHECK(t.o.post("/api/decline", "&game_id=" + t.game).body == "{}");
  CHECK(t.heard() == answer("declined", "O", "kyle"));
  CHECK(t.o.post("/api/decline").code() == 102);
  CHECK(t.offers(t.x).is_null());
  t.offer();
  CHECK(t.x.post("/api/quit").status == 200);
  CHECK(t.heard() == answer("withdrawn", "X", "stan"));
  CHECK(t.offers(t.o).is_null());
}

TEST_CASE("http offers: a rematch ends when one of the two sits down elsewhere (B4)") {
  hub at;
  rematch_table t{at};
  t.offer();
  SECTION("who was asked") {
    REQUIRE(t.o.play("&opponent=engine")["opponent_name"].is_string());
    const auto got = t.to_x->update();
    CHECK(got["answer"] == "declined");
    CHECK(got["cause"] == "elsewhere");
    // Its seat was given back.
    CHECK(t.x.post("/api/quit").code() == 102);
    CHECK(t.x.post("/api/rematch").json()["status"] == "waiting");
    CHECK(t.o.post("/api/quit").status == 200);
  }
  SECTION("who asked") {
    api_player host{at.http(), "host"};
    const auto open = host.play("&engine=nim")["game_id"].get<std::string>();
    REQUIRE(t.x.play("&game_id=" + open)["game_id"] == open);
    const auto got = t.to_o->update();
    CHECK(got["answer"] == "withdrawn");
    CHECK(got["cause"] == "elsewhere");
    CHECK(t.x.post("/api/quit").status == 200);
  }
}

TEST_CASE("http offers: a rematch ends when one of the two reads the game no more (B4)") {
  hub at;
  rematch_table t{at};
  t.offer();
  SECTION("who was asked") {
    t.to_o.reset();
    const auto got = t.to_x->update();
    CHECK(got["answer"] == "declined");
    CHECK(got["cause"] == "left");
    // An offer to who is not there is declined at once.
    CHECK(t.x.post("/api/rematch").json()["status"] == "waiting");
    CHECK(t.to_x->update()["type"] == "offer");
    CHECK(t.to_x->update()["cause"] == "left");
    // Until it is back.
    t.read(t.to_o, t.o);
    t.offer();
  }
  SECTION("who asked") {
    t.to_x.reset();
    const auto got = t.to_o->update();
    CHECK(got["answer"] == "withdrawn");
    CHECK(t.offers(t.o).is_null());
  }
}

TEST_CASE("http offers: clients that ask for none see no change") {
  hub at;
  http_table t{at};
  t.begin();
  t.o.post("/api/quit");
  api_client old{at.http()};
  old.follow(t.path + "?client_id=" + t.o.id);
  CHECK(next_of(old, "end")["type"] == "end");
  CHECK(old.update().is_null());
  // Whether they read anything or not, the offer stands.
  const auto seat = t.x.post("/api/rematch").json();
  CHECK(t.o.post("/api/rematch").json()["game_id"] == seat["game_id"]);
  CHECK(t.o.post("/api/quit").status == 200);
  // A guest's stream ends as well.
  api_client guest{at.http()};
  guest.follow(t.path + "?offers=true");
  CHECK(next_of(guest, "end")["type"] == "end");
  CHECK(guest.update().is_null());
}

TEST_CASE("http offers: a player that offers too many is refused") {
  hub at;
  http_table t{at};
  t.begin();
  t.o.post("/api/quit");
  int refused = 0;
  for (int i = 0; i < 8; ++i) {
    const auto got = t.x.post("/api/rematch");
    refused += got.code() == 105 ? 1 : 0;
    if (got.status == 200) CHECK(t.x.post("/api/quit").status == 200);
  }
  CHECK(refused == 3);
}

}  // namespace
}  // namespace gamehub::tests::system
