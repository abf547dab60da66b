// The updates of several games over one connection.
#include "tests/support/catch.hpp"
#include "tests/system/http_table.hpp"

#include <csignal>
#include <map>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

// The numbered updates of each game until all are done.
std::map<std::string, std::vector<json>> read_all(api_client& reader) {
  std::map<std::string, std::vector<json>> all;
  for (auto u = reader.update(); !u.is_null(); u = reader.update())
    if (is_numbered(u)) all[u["game"].get<std::string>()].push_back(u);
  return all;
}

TEST_CASE("combined streams: each game has the lines of a stream of one game, and its id") {
  hub at{{"--http-guests-max", "0"}};
  http_table one{at};
  one.begin();
  http_table two{at, "eric", "kenny"};
  api_client reader{at.http()};
  const auto head = reader.follow("/api/updates?games=" + one.game + "," + two.game);
  CHECK(head.status == 200);
  CHECK(head.fields.at("content-type") == "application/x-ndjson");
  two.begin();
  for (auto* each : {&one, &two}) each->play(0, 5);
  auto all = read_all(reader);
  for (auto* each : {&one, &two}) {
    auto& lines = all.at(each->game);
    CHECK(lines.back()["type"] == "done");
    lines.pop_back();
    CHECK(numbers_of(lines) == from_to(1, last_update));
    api_client alone{at.http()};
    alone.follow(each->path);
    for (auto& line : lines) {
      line.erase("game"), line.erase("clock");
      CHECK(line == next_numbered(alone));
    }
  }
  // The connection is as good as before, and what is there is not told again.
  reader.follow("/api/updates?games=" + one.game + ".9," + two.game + ".7");
  all = read_all(reader);
  CHECK(all.at(one.game).size() == 1);
  CHECK(all.at(two.game).size() == 3);
  CHECK(reader.get("/api/engines").status == 200);
}

TEST_CASE("combined streams: a player is present in its game, and a guest in the others") {
  hub at;
  http_table mine{at};
  mine.begin();
  http_table other{at, "eric", "kenny"};
  other.begin();
  api_client watcher{at.http()};
  watcher.follow(mine.path + "?last_update_id=3");
  {
    api_client reader{at.http()};
    reader.follow("/api/updates?offers=true&games=" + mine.game + ".3," + other.game +
                  ".3&client_id=" + mine.x.id);
    auto state = reader.update();
    while (state["game"] != mine.game) state = reader.update();
    CHECK(state["type"] == "state");
    CHECK(state["positions"].size() == 9);
    mine.play(0, 1);
    auto move = reader.update();
    while (move["type"] != "move") move = reader.update();
    CHECK(move["game"] == mine.game);
  }
  const auto away = next_of(watcher, "away");
  CHECK(away["player"] == "X");
  for (auto* each : {&mine, &other}) CHECK(each->x.post("/api/quit").status == 200);
}

TEST_CASE("combined streams: a game that can't be read is told, and the others go on") {
  hub at{{"--http-guests-max", "0"}};
  http_table t{at};
  api_client reader{at.http()};
  reader.follow("/api/updates?games=999999," + t.game);
  const auto error = reader.update();
  CHECK(error["game"] == "999999");
  CHECK(error["error"]["code"] == 102);
  CHECK(reader.update() == json{{"game", "999999"}, {"type", "done"}});
  t.begin();
  CHECK(reader.update()["type"] == "status");
  // A number that does not exist yet is an error of its game, too.
  api_client ahead{at.http()};
  ahead.follow("/api/updates?games=" + t.game + ".77");
  CHECK(ahead.update()["error"]["code"] == 100);
  CHECK(ahead.update()["type"] == "done");
  CHECK(ahead.update().is_null());
  CHECK(ahead.get("/api/updates?games=1,1").code() == 100);
  CHECK(ahead.get("/api/updates").code() == 100);
  CHECK(t.x.post("/api/quit").status == 200);
}

TEST_CASE("combined streams: a hub that drains ends them with its games") {
  hub at{{"--drain-seconds", "1"}};
  http_table runs{at};
  runs.begin();
  const http_table waits{at, "eric", "kenny"};
  api_client reader{at.http()};
  reader.follow("/api/updates?games=" + waits.game + "," + runs.game);
  CHECK(next_numbered(reader)["game"] == runs.game);
  at.process().signal(SIGTERM);
  auto last = json{};
  for (auto u = reader.update(); !u.is_null(); u = reader.update()) last = u;
  CHECK(last["type"] == "done");
  CHECK(at.wait() == 0);
}

}  // namespace
}  // namespace gamehub::tests::system
