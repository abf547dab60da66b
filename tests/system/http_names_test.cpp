// Names over HTTP: a reason for each cause of a refused one, and a new name in a running game.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/program.hpp"

#include <csignal>
#include <map>
#include <set>
#include <string>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

TEST_CASE("http names: each cause of a refused name has a different word and sentence (M11)") {
  hub at;
  api_player ann{at.http(), "ann"};
  const std::map<std::string, std::string> refused{
      {"ann", "name-taken"},
      {"ANN", "name-taken"},
      {std::string(65, 'a'), "name-too-long"},
      {"operator", "name-reserved"},
      {"client-7", "name-reserved"},
      {"a%E2%80%8Bb", "name-hidden-characters"},
      {"%EF%BC%A1%EF%BC%A4", "name-compatibility-form"},
      {"p%D0%B0ypal", "name-mixed-scripts"},
      {"a++b", "name-spaces"},
  };
  std::map<std::string, std::set<std::string>> messages;
  for (const auto& [name, cause] : refused) {
    CAPTURE(name);
    for (const std::string path : {"/api/connect", "/api/play", "/api/rename"}) {
      CAPTURE(path);
      // One may write one's own name as one likes.
      if (path == "/api/rename" && cause == "name-taken") continue;
      const auto got = ann.http.post(
          path, (path == "/api/rename" ? "client_id=" + ann.id + "&" : "") + "name=" + name);
      CHECK(got.code() == 104);
      const auto e = got.json()["error"];
      CHECK(e.value("cause", "") == cause);
      messages[cause].insert(e["message"].get<std::string>());
    }
  }
  std::set<std::string> all;
  for (const auto& [cause, texts] : messages) {
    CHECK(texts.size() == 1);
    CHECK(all.insert(*texts.begin()).second);
  }
}

TEST_CASE("http names: a new name keeps seat and secret, and the other side reads it (B3)") {
  const temporary_folder folder;
  const std::vector<std::string> flags{"--journal", "sqlite:" + folder.path() + "/journal.db"};
  std::string path, game, x, o;
  {
    hub at{flags};
    http_table t{at};
    t.begin();
    game = t.game, path = t.path, x = t.x.id, o = t.o.id;
    api_client reader{at.http()};
    CHECK(reader.follow(path + "?client_id=" + o).status == 200);
    for (int i = 0; i < 3; ++i) next_numbered(reader);
    CHECK(t.x.move(0).status == 200);
    CHECK(next_numbered(reader)["type"] == "move");
    const auto done = t.x.post("/api/rename", "&name=Stanley");
    CHECK(done.status == 200);
    CHECK(done.json() == json{{"name", "Stanley"}});
    const auto told = next_numbered(reader);
    INFO(told.dump());
    CHECK(told["type"] == "rename");
    CHECK(told["player"] == "X");
    CHECK(told["name"] == "Stanley");
    CHECK(told["old_name"] == "stan");
    CHECK(told["update_id"] == 5);
    CHECK(t.x.http.get("/api/games/" + game).json()["players"] == json{"Stanley", "kyle"});
    CHECK(t.x.http.get("/api/games").json()["games"][0]["players"] == json{"Stanley", "kyle"});
    CHECK(t.o.play("&resume=true")["opponent_name"] == "Stanley");
    CHECK(t.x.post("/api/connect").json()["name"] == "Stanley");
    // The old name is kept for its player.
    CHECK(t.o.post("/api/rename", "&name=stan").json()["error"]["cause"] == "name-taken");
    CHECK(t.o.move(3).status == 200);
    at.process().signal(SIGTERM);
    CHECK(at.wait() == 0);
  }
  {
    hub at{flags};
    api_client one{at.http()}, other{at.http()};
    CHECK(one.get("/api/games/" + game).json()["players"] == json{"Stanley", "kyle"});
    CHECK(other.post("/api/play", "resume=true&client_id=" + o).json()["opponent_name"] ==
          "Stanley");
    CHECK(one.post("/api/connect", "client_id=" + x).json()["name"] == "Stanley");
    CHECK(one.post("/api/move", "position=1&client_id=" + x).status == 200);
    CHECK(one.post("/api/quit", "client_id=" + x).status == 200);
    const auto replay = one.get("/api/replays/" + game).json();
    CHECK(replay["players"] == json{"Stanley", "kyle"});
    CHECK(replay["updates"][0]["playerX"] == "stan");
    CHECK(replay["updates"][4]["type"] == "rename");
  }
}

TEST_CASE("http names: a client takes three new names in a minute") {
  hub at;
  api_player ann{at.http(), "ann"};
  for (const std::string name : {"a1", "a2", "a3"})
    CHECK(ann.post("/api/rename", "&name=" + name).status == 200);
  const auto no = ann.post("/api/rename", "&name=a4");
  CHECK(no.status == 429);
  CHECK(no.fields.at("retry-after") == "60");
  CHECK(ann.http.post("/api/rename", "name=x&client_id=an-unknown-client-id").code() == 101);
  CHECK(ann.post("/api/rename").code() == 100);
}

}  // namespace
}  // namespace gamehub::tests::system
