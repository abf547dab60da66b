// What goes along with the calls of bots, and what the hub's log says of them.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/bot_server.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/runbook.hpp"

#include <csignal>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

void enter_any(bot_server& bots, hub& at, const std::string& kind, const std::string& name) {
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
  bot_server bots;
  hub at{with_bots({"--isolate", "tictactoe", "--isolate-call-milliseconds", "5000",
                    "--engine-slow-milliseconds", "10", "--slow-move-milliseconds", "50",
                    "--log-format", "json"})};
  enter_any(bots, at, "held", "Ann");
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
  const auto entry = logged(at, promised("a move was slow"), named(asked).trace);
  CHECK(entry["gateway"] == "jsonrpc");
  CHECK(entry["game"] == asked["params"]["gameid"]);
  CHECK(entry["deciding_seconds"].get<double>() > 0.05);
  for (const std::string stage :
       {"reaching_seconds", "committing_seconds", "telling_seconds", "bucket_seconds"})
    CHECK(entry.contains(promised(stage)));
  at.await("logs the end of the call", [&, line = promised("a long engine call returned")] {
    return at.process().errors().find('"' + line + '"') != std::string::npos;
  });
  CHECK(person.post("/api/quit").status == 200);
  bots.await_call("Ann", "TicTacToe.Complete");
}

TEST_CASE("bots: a mistake has the trace of the call that was answered with it, in the log, too") {
  bot_server bots;
  hub at{with_bots({"--log-format", "json", "--log-level", "debug"})};
  for (const std::string kind : {"prose", "occupied"}) {
    CAPTURE(kind);
    enter_any(bots, at, kind, kind);
    at.await_count("gamehub_bots_online", {}, 1);
    api_player person{at.http(), "person " + kind};
    REQUIRE(person.play("&opponent=bot:" + kind).contains("game_id"));
    REQUIRE(person.move(4).status == 200);
    const auto asked = bots.await_call(kind, "TicTacToe.NextMove");
    const auto told = bots.await_call(kind, "TicTacToe.Error");
    CHECK(named(told).trace == named(asked).trace);
    CHECK(named(told).span != named(asked).span);
    const auto entry =
        logged(at, promised("calls to a bot stop until it registers again"), named(asked).trace);
    CHECK(entry["bot"] == kind);
    CHECK(entry["game"] == asked["params"]["gameid"]);
    const auto reply = logged(at, "a bot replied", named(asked).trace);
    CHECK(reply["method"] == "error");
    CHECK(reply["detail"] == R"(200 {"result":null})");
    at.await_count("gamehub_bots_online", {}, 0);
  }
}

// All calls of that bot until the game is over.
std::vector<json> calls_of_a_game(bot_server& bots, const std::string& name) {
  std::vector<json> out;
  do {
    out.push_back(bots.await("a call for " + name, [&](const json& each) {
      return each.value("name", "") == name && each.contains("method");
    }));
  } while (!out.back()["method"].get<std::string>().ends_with("Complete"));
  return out;
}

std::size_t connections(const std::vector<json>& calls) {
  std::set<int> all;
  for (const auto& each : calls) all.insert(each["connection"].get<int>());
  return all.size();
}

TEST_CASE("bots: calls are signed for the bots that gave a secret, and for no other") {
  bot_server bots;
  hub at{with_bots({})};
  enter_any(bots, at, "strict", "Ann");
  const auto answer =
      bots.enter(at.http(), "strict", "Bob", {{"signingsecret", "0123456789abcdef"}});
  REQUIRE_FALSE(answer["result"].is_null());
  static const std::regex form{"t=[0-9]{10},v1=[0-9a-f]{64}"};
  for (const auto& each : calls_of_a_game(bots, "Bob"))
    CHECK(std::regex_match(each["signature"].get<std::string>(), form));
  for (const auto& each : calls_of_a_game(bots, "Ann")) CHECK(each["signature"].is_null());
  CHECK(bots.violations().empty());
}

TEST_CASE("bots: each call opens a connection, unless the operator keeps connections") {
  bot_server bots;
  hub at{with_bots({"--bot-keep-alive", "Bob,Cat [2]"})};
  enter_any(bots, at, "strict", "Ann");
  enter_any(bots, at, "strict", "Bob");
  const auto each_its_own = calls_of_a_game(bots, "Ann");
  CHECK(connections(each_its_own) == each_its_own.size());
  const auto kept = calls_of_a_game(bots, "Bob");
  CHECK(connections(kept) < kept.size());
  CHECK(bots.violations().empty());
}

TEST_CASE("bots: a kept connection that the bot has closed is opened again without a loss") {
  bot_server bots;
  hub at{with_bots({"--bot-keep-alive", "Fickle"})};
  enter_any(bots, at, "fickle", "Fickle");
  enter_any(bots, at, "strict", "Ann");
  for (int game = 0; game < 2; ++game) {
    const auto calls = calls_of_a_game(bots, "Fickle");
    CHECK(connections(calls) == calls.size());
  }
  at.await_count("gamehub_games_finished_total", {{"reason", "rules"}}, 2);
  CHECK(at.count("gamehub_bot_faults_total") == 0);
}

TEST_CASE("bots: only bots that ask for it are told the opponent's name") {
  bot_server bots;
  hub at{with_bots({"--bot-tell-opponent", "Bob"})};
  enter_any(bots, at, "strict", "Ann");
  enter_any(bots, at, "plain", "Bob");
  const auto bob = bots.await_call("Bob", "TicTacToe.NextMove")["params"];
  CHECK(bob["opponent"] == "Ann");
  const auto ann = bots.await_call("Ann", "TicTacToe.NextMove")["params"];
  CHECK_FALSE(ann.contains("opponent"));
  for (int game = 0; game < 2; ++game) bots.await_call("Ann", "TicTacToe.Complete");
  CHECK(bots.violations().empty());
}

}  // namespace
}  // namespace gamehub::tests::system
