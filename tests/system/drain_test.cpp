// Going down: SIGTERM in the middle of everything.
#include "tests/support/catch.hpp"
#include "tests/system/udp_socket.hpp"
#include "tests/system/whole_game.hpp"

#include <csignal>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace gamehub::tests::system {
namespace {

bool accepts(std::uint16_t port) {
  try {
    tcp_client{port};
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

void drain(hub& at) {
  CHECK(at.get("/readyz").status == 200);
  at.process().signal(SIGTERM);
  at.await("stops to be ready", [&] { return at.get("/readyz").status == 503; });
}

// Ends the last game of a hub that drains, by the rules. Its players are sent away, and the hub
// ends.
void play_out_the_drain(hub& at, opened_game& game) {
  play_out(*game.x, *game.o, game.board, {0, 3, 1, 5}, 'X');
  for (auto* side : {game.x.get(), game.o.get()}) {
    side->is_sent_away();
    side->socket().close();
  }
  CHECK(at.wait() == 0);
}

TEST_CASE("drain: waiting players go at once, a running game may end, then the hub does") {
  hub at{{"--drain-seconds", "60"}};
  auto game = open_game(at, wire::opcodes, wire::turns);
  opcodes_client waiting{at.opcodes()};
  waiting.ask();
  REQUIRE(waiting.next() == "ACK X");
  turns_client waiting_too{at.turns()}, idle{at.turns()};
  waiting_too.connect("waiting", "connect-four");
  REQUIRE(waiting_too.next() == "name waiting");
  at.await_waiting("connect-four", 1);
  idle.say(R"({"type":"connect","name":"idle","max_games":0})");
  REQUIRE(idle.next() == "name idle");
  tcp_client silent{at.turns()};
  at.await_count("gamehub_connections", {}, 6);

  drain(at);
  CHECK(at.get("/readyz").body.find("draining") != std::string::npos);
  CHECK(at.get("/healthz").status == 200);
  CHECK(at.count("gamehub_ready") == 0);
  at.await_count("gamehub_draining", {}, 1);
  CHECK(waiting.next() == "ERROR 7");
  CHECK(waiting.next() == "end");
  CHECK(waiting_too.next() == "end");
  CHECK(idle.next() == "end");
  CHECK(silent.rest() == "{\"type\":\"close\",\"error\":\"draining\"}\n");
  CHECK(waiting_too.closed_because() == "draining");
  CHECK(silent.ended());
  at.await("stops to accept opcodes", [&] { return !accepts(at.opcodes()); });
  at.await("stops to accept turns", [&] { return !accepts(at.turns()); });
  for (auto* each : {&waiting.socket(), &waiting_too.socket(), &idle.socket(), &silent})
    each->close();

  at.await_count("gamehub_games_running", {}, 1);
  play_out_the_drain(at, game);
}

TEST_CASE("drain: a player that plays on meanwhile is seated no more") {
  hub at{{"--drain-seconds", "60"}};
  turns_client ann{at.turns()}, bob{at.turns()};
  ann.connect("ann", "tictactoe", 5);
  REQUIRE(ann.next() == "name ann");
  at.await_waiting("tictactoe", 1);
  bob.connect("bob", "tictactoe", 5);
  REQUIRE(bob.next() == "name bob");
  for (const auto* said : {"start 0", "0 state ---/---/--- null"}) REQUIRE(bob.next() == said);
  drain(at);
  at.await_count("gamehub_players_waiting", {}, 0);
  bob.say(R"({"type":"close","game_id":0})");
  for (const auto* said : {R"(0 state ---/---/--- "X")", "close 0", "end"})
    CHECK(bob.next() == said);
  for (const auto* said : {"start 0", "0 state ---/---/--- null", "0 turn",
                           R"(0 state ---/---/--- "X")", "close 0", "end"})
    CHECK(ann.next() == said);
  ann.socket().close();
  bob.socket().close();
  CHECK(at.wait() == 0);
}

TEST_CASE("drain: when its time is over games end without a result, told in each protocol") {
  hub at{{"--drain-seconds", "1"}};
  std::vector<opened_game> games;
  for (const auto x : wires)
    for (const auto o : wires) games.push_back(open_game(at, x, o));
  at.process().signal(SIGTERM);
  for (auto& each : games)
    for (auto* side : {each.x.get(), each.o.get()}) {
      side->sees_no_contest(each.board);
      side->is_sent_away();
    }
  at.await_count("gamehub_games_finished_total", {{"result", "none"}, {"reason", "drained"}}, 4);
  CHECK(at.count("gamehub_connections_closed_total", {{"reason", "failed"}}) == 0);
  games.clear();
  CHECK(at.wait() == 0);
}

TEST_CASE("drain: an operator's word is as good as a signal, and does not insist when repeated") {
  hub at{{"--drain-seconds", "3600"}};
  CHECK(at.get("/startupz").status == 200);
  auto game = open_game(at, wire::turns, wire::opcodes);
  CHECK(at.post("/drain").status == 202);
  at.await("stops to be ready", [&] { return at.get("/readyz").status == 503; });
  CHECK(at.get("/startupz").status == 200);
  CHECK(at.post("/drain").status == 202);
  play_out_the_drain(at, game);
}

TEST_CASE("drain: the way to the hub stays while a client plays over UDP, and no longer") {
  hub at{{"--drain-seconds", "3600"}};
  auto game = open_game(at, wire::opcodes, wire::turns);
  udp_socket ann{at.udp()}, stranger{at.udp()};
  REQUIRE(ann.ask('A', 'A'));
  REQUIRE(ann.ask('4', '4'));
  at.await_count("gamehub_games_running", {}, 2);
  CHECK(at.get("/servingz").status == 200);
  drain(at);
  CHECK(at.get("/servingz").status == 200);
  // Its game was in another hub.
  CHECK(stranger.ask('E', 'Q'));
  CHECK(ann.ask('Q', 'S'));
  CHECK(ann.ask('S', 'Q'));
  at.await("needs no way any more", [&] { return at.get("/servingz").status == 503; });
  CHECK(at.get("/healthz").status == 200);
  play_out_the_drain(at, game);
}

TEST_CASE("drain: a second signal insists") {
  for (const int second : {SIGTERM, SIGINT}) {
    hub at{{"--drain-seconds", "3600"}};
    auto game = open_game(at, wire::turns, wire::opcodes);
    drain(at);
    at.await_count("gamehub_games_running", {}, 1);
    at.process().signal(second);
    for (auto* side : {game.x.get(), game.o.get()}) {
      side->sees_no_contest(game.board);
      side->is_sent_away();
      side->socket().close();
    }
    CHECK(at.wait() == 0);
  }
}

TEST_CASE("drain: a signal at the very end does not change the exit code") {
  for (int i = 0; i < 5; ++i) {
    const temporary_folder folder;
    hub at{{"--drain-seconds", "0", "--journal", "sqlite:" + folder.path() + "/journal"}};
    std::jthread impatient{[&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        at.process().signal(SIGTERM);
        std::this_thread::yield();
      }
    }};
    // Nothing is printed any more. The output ends with the process.
    CHECK(at.process().read_line().empty());
    impatient.request_stop();
    impatient.join();
    CHECK(at.wait() == 0);
  }
}

TEST_CASE("drain: a client that neither reads nor goes does not keep the hub") {
  hub at{{"--drain-seconds", "0"}};
  auto game = open_game(at, wire::turns, wire::opcodes);
  at.process().signal(SIGINT);
  CHECK(at.wait() == 0);
}

TEST_CASE("drain: SIGTERM in the midst of bad input still ends well") {
  hub at{{"--drain-seconds", "1", "--turns-grace-seconds", "60"}};
  constexpr tcp_options narrow{nullptr, 4096, 536};
  const auto game = open_game(at, wire::opcodes, wire::turns);
  std::vector<tcp_client> bad;
  const auto says = [&](std::uint16_t port, std::string_view bytes) {
    bad.emplace_back(port, narrow).stuff(bytes, std::chrono::milliseconds{20 * slowness});
  };
  says(at.opcodes(), {"\0", 1});
  says(at.opcodes(), {"\0\2", 2});
  says(at.opcodes(), "\xff\xff");
  says(at.turns(), R"({"type":"conn)");
  says(at.turns(), std::string(1024 * 1024, 'x'));
  says(at.turns(), std::string(100'000, '['));
  says(at.turns(), "\xff\xfe\n");
  std::string moves, lines{R"({"type":"connect","name":null,"max_games":0})"
                           "\n"};
  for (int i = 0; i < 100'000; ++i) moves += opcodes_client::move_packet(i % 256);
  for (int i = 0; i < 100; ++i) lines += turns_client::message(i, std::string(60'000, '\\')) + "\n";
  says(at.opcodes(), moves);
  says(at.turns(), lines);
  for (int i = 0; i < 50; ++i) bad.emplace_back(i % 2 == 0 ? at.turns() : at.opcodes());
  // A player in grace, whose opponent waits for it.
  const auto half = open_game(at, wire::turns, wire::opcodes);
  half.x->socket().abort();

  drain(at);
  game.x->sees_no_contest(game.board);
  for (const auto* each : {&game, &half}) {
    each->o->sees_no_contest(each->board);
    each->o->is_sent_away();
  }
  // All that has not gone stays, and reads nothing.
  CHECK(at.wait() == 0);
}

}  // namespace
}  // namespace gamehub::tests::system
