// What goes along with the calls of bots, and what the hub's log says of them.
#include <csignal>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/bot_house.hpp"
#include "tests/system/hub.hpp"

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

std::vector<std::string> with_bots(std::vector<std::string> more) {
  std::vector<std::string> out{"--open-registration", "--bot-allow", "127.0.0.0/8"};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

void enter(bot_house& bots, hub& at, const std::string& kind, const std::string& name) {
  const auto answer = bots.enter(at.http(), kind, name);
  INFO(answer.dump());
  REQUIRE_FALSE(answer["result"].is_null());
}

// What the hub's log has as the trace of the call, and what names this call alone.
struct named_call {
  std::string trace, span;
};
named_call named(const json& call) {
  static const std::regex form{"00-0{16}([0-9a-f]{16})-([0-9a-f]{16})-01"};
  const auto text = call["traceparent"].get<std::string>();
  std::smatch parts;
  INFO(text);
  REQUIRE(std::regex_match(text, parts, form));
  return {parts[1], parts[2]};
}

// The entry of the hub's log with that message and trace, once it is there.
json logged(hub& at, const std::string& message, const std::string& trace) {
  std::optional<json> found;
  at.await("\"" + message + "\" with the trace " + trace, [&] {
    std::istringstream lines{at.process().errors()};
    for (std::string line; std::getline(lines, line);) {
      auto entry = json::parse(line, nullptr, false);
      if (entry.is_object() && entry.value("message", "") == message &&
          entry.value("trace", "") == trace)
        found = std::move(entry);
    }
    return found.has_value();
  });
  return *found;
}

TEST_CASE("bots: a slow move has the trace by which its bot was asked for it") {
  bot_house bots;
  hub at{with_bots({"--isolate", "tictactoe", "--isolate-call-milliseconds", "5000",
                    "--engine-slow-milliseconds", "10", "--slow-move-milliseconds", "50",
                    "--log-format", "json"})};
  enter(bots, at, "held", "Ann");
  at.await_count("gamehub_bots_online", {}, 1);
  api_player person{at.http(), "person"};
  REQUIRE(person.play("&opponent=bot:Ann").contains("game_id"));
  REQUIRE(person.move(4).status == 200);
  const auto asked = bots.await_call("Ann", "TicTacToe.NextMove");
  std::vector<pid_t> engine;
  at.await("has one child", [&] {
    engine = at.process().children();
    return engine.size() == 1;
  });
  // Its move comes to a game that has to wait for its rules.
  ::kill(engine.front(), SIGSTOP);
  bots.let_move("Ann");
  at.await("the game waits", [&] { return at.count("gamehub_engine_longest_call_seconds") > 0.1; });
  ::kill(engine.front(), SIGCONT);
  const auto entry = logged(at, "a move was slow", named(asked).trace);
  CHECK(entry["gateway"] == "jsonrpc");
  CHECK(entry["game"] == asked["params"]["gameid"]);
  CHECK(entry["deciding_seconds"].get<double>() > 0.05);
  CHECK(person.post("/api/quit").status == 200);
  bots.await_call("Ann", "TicTacToe.Complete");
}

TEST_CASE("bots: a mistake has the trace of the call that was answered with it, in the log, too") {
  bot_house bots;
  hub at{with_bots({"--log-format", "json", "--log-level", "debug"})};
  for (const std::string kind : {"prose", "occupied"}) {
    CAPTURE(kind);
    enter(bots, at, kind, kind);
    at.await_count("gamehub_bots_online", {}, 1);
    api_player person{at.http(), "person " + kind};
    REQUIRE(person.play("&opponent=bot:" + kind).contains("game_id"));
    REQUIRE(person.move(4).status == 200);
    const auto asked = bots.await_call(kind, "TicTacToe.NextMove");
    const auto told = bots.await_call(kind, "TicTacToe.Error");
    CHECK(named(told).trace == named(asked).trace);
    CHECK(named(told).span != named(asked).span);
    const auto entry =
        logged(at, "a bot is called no more until it registers again", named(asked).trace);
    CHECK(entry["bot"] == kind);
    CHECK(entry["game"] == asked["params"]["gameid"]);
    const auto reply = logged(at, "a bot replied", named(asked).trace);
    CHECK(reply["method"] == "error");
    CHECK(reply["detail"] == R"(200 {"result":null})");
    at.await_count("gamehub_bots_online", {}, 0);
  }
}

}  // namespace
}  // namespace gamehub::tests::system
