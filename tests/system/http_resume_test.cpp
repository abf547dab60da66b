// Readers of a game who come back: from every number, in each way that there is, while the game
// runs, after the hub was away, and after the end, they get exactly what they lack.
#include "hub/journal/sqlite_journal.hpp"
#include "tests/support/catch.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/whole_game.hpp"

#include <chrono>
#include <csignal>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::tests::system {
namespace {

using numbers = std::vector<std::uint64_t>;

std::string lines_from(std::uint64_t after) { return "?last_update_id=" + std::to_string(after); }

// The first updates of a stream, at most this many; the stream may go on.
numbers read_lines(hub& at, const std::string& target, std::size_t count) {
  api_client reader{at.http()};
  CHECK(reader.follow(target).status == 200);
  numbers out;
  while (out.size() < count) out.push_back(next_numbered(reader)["update_id"].get<std::uint64_t>());
  return out;
}

// The ids of events are those of their data.
numbers read_events(hub& at, const std::string& target, std::uint64_t after, std::size_t count) {
  api_client reader{at.http()};
  const auto head = reader.follow(
      target, "Accept: text/event-stream\r\nLast-Event-ID: " + std::to_string(after) + "\r\n");
  numbers out;
  if (head.status == 204) return out;
  CHECK(head.fields.at("content-type") == "text/event-stream");
  while (out.size() < count) {
    auto line = reader.line();
    REQUIRE(line);
    if (!line->starts_with("id: ")) continue;
    out.push_back(std::stoull(line->substr(4)));
    line = reader.line();
    REQUIRE(line);
    REQUIRE(line->starts_with("data: "));
    CHECK(nlohmann::json::parse(line->substr(6))["update_id"] == out.back());
  }
  return out;
}

// One poll after the other, each from where the last one was.
numbers read_polls(hub& at, const std::string& target, std::uint64_t after) {
  api_client reader{at.http()};
  numbers out;
  for (;;) {
    const auto got = reader.get(target + "?wait=0&last_update_id=" + std::to_string(after));
    REQUIRE(got.status == 200);
    if (got.body.empty()) return out;
    out.push_back(after = got.json()["update_id"].get<std::uint64_t>());
  }
}

void check_every_resume(hub& at, const std::string& path, std::uint64_t last) {
  for (std::uint64_t after = 0; after <= last; ++after) {
    CAPTURE(after, last);
    const auto wanted = from_to(after + 1, last);
    CHECK(read_lines(at, path + lines_from(after), wanted.size()) == wanted);
    // What the client had at last stands over what its first request said.
    CHECK(read_events(at, path + lines_from(0), after, wanted.size()) == wanted);
    CHECK(read_polls(at, path, after) == wanted);
  }
  api_client late{at.http()};
  CHECK(late.get(path + lines_from(last + 1)).code() == 100);
}

TEST_CASE("http resume: from every number, before and after the hub was away, to the end") {
  const temporary_folder folder;
  const std::vector<std::string> flags{"--journal", "sqlite:" + folder.path() + "/journal.db",
                                       "--http-guests-max", "0"};
  constexpr std::size_t before = 3;
  constexpr std::uint64_t known = 3 + before;
  std::string path, x, o;
  {
    hub at{flags};
    http_table t{at};
    t.begin();
    t.play(0, before);
    path = t.path, x = t.x.id, o = t.o.id;
    check_every_resume(at, path, known);
    // A reader that waits while the hub stops gets nothing twice and nothing false.
    api_client waiting{at.http()};
    waiting.follow(path + lines_from(known));
    at.process().signal(SIGTERM);
    CHECK(next_numbered(waiting).is_null());
    CHECK(at.wait() == 0);
  }
  {
    hub at{flags};
    check_every_resume(at, path, known);
    api_client first{at.http()}, second{at.http()};
    for (std::size_t i = before; i < std::size(moves); ++i) {
      auto& who = i % 2 == 0 ? first : second;
      const auto form =
          "client_id=" + (i % 2 == 0 ? x : o) + "&position=" + std::to_string(moves[i]);
      REQUIRE(who.post("/api/move", form).status == 200);
      check_every_resume(at, path, known + 1 + i - before + (i + 1 == std::size(moves) ? 1 : 0));
    }
    api_client done{at.http()};
    done.follow(path);
    CHECK(numbers_of(rest_of(done)) == from_to(1, last_update));
  }
  hub at{flags};
  check_every_resume(at, path, last_update);
}

// Leaves a journal with one game, which ended some days ago.
void write_old_game(const std::string& file, std::chrono::days ago) {
  using journal::record;
  struct deaf final : journal::commit_listener {
    void committed(std::span<const journal::commit>) override {}
  } nobody;
  const auto then = base::wall_now() - ago;
  std::vector<record> all;
  const auto add = [&](record::kind what, std::int16_t seat, std::int64_t action,
                       std::string text) {
    auto& r = all.emplace_back();
    r.number = all.size();
    r.at = then;
    r.what = what, r.seat = seat, r.action = action, r.text = std::move(text);
  };
  add(record::kind::opened, -1, 0, "");
  add(record::kind::joined, 0, 1, "ann");
  add(record::kind::joined, 1, 2, "bob");
  add(record::kind::moved, 0, 4, "");
  add(record::kind::left, 1, 0, "");
  add(record::kind::ended, 0, 0, "");
  all.back().why = end_reason::left;
  journal::sqlite_settings settings;
  settings.file = file;
  const auto log = journal::open_sqlite_journal(settings, [](std::string_view) {});
  log->open({game_id{1}, "tictactoe", "1.0.0", "", then});
  log->append(game_id{1}, all, nobody);
}

TEST_CASE("http resume: a replay opens for as long as the journal keeps its game (M10)") {
  const temporary_folder folder;
  const auto file = folder.path() + "/journal.db";
  write_old_game(file, std::chrono::days{20});
  hub at{{"--journal", "sqlite:" + file, "--http-guests-max", "0"}};
  api_client guest{at.http()};
  const auto replay = guest.get("/api/replays/1").json();
  INFO(replay.dump());
  REQUIRE(replay["updates"].size() == 6);
  CHECK(replay["updates"][3]["board"] == "____X____");
  CHECK(replay["updates"].back()["type"] == "end");
  CHECK(guest.get("/api/games?player=ann").json()["games"][0]["game_id"] == "1");
  CHECK(guest.get("/api/games/1").json()["board"] == "____X____");
  check_every_resume(at, "/api/updates/1", 6);
}

TEST_CASE("http resume: after a restart any request with its client_id is the player's return") {
  const temporary_folder folder;
  const std::vector<std::string> flags{"--journal", "sqlite:" + folder.path() + "/journal.db",
                                       "--turn-seconds", "600"};
  std::string game, x, o;
  {
    hub at{flags};
    http_table t{at};
    t.begin();
    t.play(0, 2);
    game = "/api/games/" + t.game, x = t.x.id, o = t.o.id;
    at.process().signal(SIGTERM);
    CHECK(at.wait() == 0);
  }
  hub at{flags};
  api_client client{at.http()};
  const auto guest = client.get(game).json();
  CHECK(guest["away"].size() == 2);
  CHECK_FALSE(guest.contains("player"));
  // A secret that no seat has is a guest's, and no guest brings a player back.
  const auto wrong = client.get(game + "?client_id=0123456789abcdef0123456789abcdef");
  CHECK(wrong.status == 200);
  CHECK_FALSE(wrong.json().contains("player"));
  CHECK(client.get("/api/invitation?invitation=none&client_id=0123456789abcdef0123456789abcdef")
            .json()["status"] == "gone");
  const auto mine = client.get(game + "?client_id=" + x).json();
  CHECK(mine["player"] == "X");
  CHECK(mine["positions"].size() == 7);
  at.await("has X back", [&] { return client.get(game).json()["away"].size() == 1; });
  CHECK(client.get(game).json()["clock"]["runs"].empty());
  // Not only a look at the game.
  CHECK(client.get("/api/invitation?invitation=none&client_id=" + o).json()["status"] == "gone");
  at.await("has O back", [&] { return client.get(game).json()["away"].empty(); });
  CHECK(client.get(game).json()["clock"]["runs"] == nlohmann::json{"X"});
  CHECK(client.post("/api/move", "position=8&client_id=" + x).status == 200);
  CHECK(client.post("/api/quit", "client_id=" + x).status == 200);
}

TEST_CASE("http resume: what makes no sense as a number is told") {
  hub at{{"--http-guests-max", "0"}};
  http_table t{at};
  t.begin();
  api_client late{at.http()};
  CHECK(late.get(t.path + "?last_update_id=10").code() == 100);
  CHECK(late.get(t.path + "?last_update_id=x").code() == 100);
  CHECK(late.get(t.path + "?last_update_id=1&cursor=2").code() == 100);
  CHECK(late.get(t.path, "Accept: text/event-stream\r\nLast-Event-ID: x\r\n").code() == 100);
  CHECK(late.get("/api/updates/4711?cursor=0").code() == 102);
  t.x.post("/api/quit");
}

}  // namespace
}  // namespace gamehub::tests::system
