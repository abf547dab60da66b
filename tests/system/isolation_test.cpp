// Engines in separate processes: played like any other, and what happens to their processes
// ends their own games alone.
#include "tests/support/catch.hpp"
#include "tests/system/patience.hpp"
#include "tests/system/runbook.hpp"
#include "tests/system/whole_game.hpp"

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <regex>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace gamehub::tests::system {
namespace {

const std::vector<std::string> isolated{"--isolate", "tictactoe"};

// The process of the only isolated engine.
pid_t engine_of(hub& at) {
  std::vector<pid_t> found;
  at.await("has one child", [&] {
    found = at.process().children();
    return found.size() == 1;
  });
  return found.front();
}

// Waits until the process has ended.
bool goes(pid_t id) {
  const int process = static_cast<int>(syscall(SYS_pidfd_open, id, 0));
  if (process < 0) return errno == ESRCH;
  pollfd ended{process, POLLIN, 0};
  const bool gone = poll(&ended, 1, deadline{}.poll_milliseconds()) == 1;
  close(process);
  return gone;
}

// Two players of a game that is not isolated, in the middle of it.
class others {
 public:
  explicit others(hub& at) : x_(at.turns()), o_(at.turns()) {
    x_.connect("x", "connect-four");
    REQUIRE(x_.next() == "name x");
    at.await_waiting("connect-four", 1);
    o_.connect("o", "connect-four");
    REQUIRE(o_.next() == "name o");
    for (auto* each : {&x_, &o_}) {
      REQUIRE(each->next() == "start 0");
      REQUIRE(each->next().starts_with("0 state "));
    }
  }

  // One move each, all of which is heard.
  void play_on() {
    for (auto* mover : {&x_, &o_}) {
      REQUIRE(mover->next() == "0 turn");
      mover->play(0, R"({"type":"move","column":)" + std::to_string(column_) + "}");
      for (auto* each : {&x_, &o_}) REQUIRE(each->next().starts_with("0 state "));
    }
    column_ = (column_ + 2) % 7;
  }

  void leave() {
    for (auto* each : {&x_, &o_}) each->socket().close();
  }

 private:
  turns_client x_, o_;
  int column_ = 0;
};

void check_started_anew(hub& at, int times) {
  at.await_count("gamehub_engine_restarts_total", {{"engine", "tictactoe"}}, times);
  at.await_count("gamehub_engine_up", {{"engine", "tictactoe"}}, 1);
  at.await_count("gamehub_sessions", {}, 0);
  check_others_play(at);
}

// A hub in which games failed can't end as one in which none did.
void end(hub& at) {
  at.process().signal(SIGTERM);
  CHECK(at.wait() == 0);
}

TEST_CASE("isolation: an isolated engine is played like any other, over any wires") {
  hub at{isolated};
  at.await_count("gamehub_engine_up", {{"engine", "tictactoe"}}, 1);
  engine_of(at);
  for (const auto x : wires)
    for (const auto o : wires)
      for (const auto& how : scripts()) play_whole_game(at, x, o, how);
  CHECK(at.count("gamehub_engine_restarts_total") == 0);
}

TEST_CASE("isolation: hidden cards and choices stay hidden there") {
  hub at{{"--isolate", "kuhn-poker", "--isolate", "rock-paper-scissors"}};
  turns_client first{at.turns()}, second{at.turns()};
  first.connect("first", "kuhn-poker");
  REQUIRE(first.next() == "name first");
  at.await_waiting("kuhn-poker", 1);
  second.connect("second", "kuhn-poker");
  REQUIRE(second.next() == "name second");
  for (auto* each : {&first, &second}) {
    REQUIRE(each->next() == "start 0");
    REQUIRE(each->next().starts_with("0 state "));
    const auto own = each == &first ? 0U : 1U;
    CHECK(each->payload()["cards"][own].is_string());
    CHECK(each->payload()["cards"][1 - own].is_null());
  }
  CHECK(at.process().children().size() == 2);
}

TEST_CASE("isolation: a process that is killed ends its own games, told at once, and comes back") {
  hub at{isolated};
  others elsewhere{at};
  elsewhere.play_on();
  for (const auto x : wires)
    for (const auto o : wires) {
      INFO("X on " << to_string(x) << ", O on " << to_string(o));
      const auto restarts = at.count("gamehub_engine_restarts_total");
      auto game = open_game(at, x, o);
      ::kill(engine_of(at), SIGKILL);
      // No player has moved.
      game.x->sees_no_contest(game.board);
      game.o->sees_no_contest(game.board);
      game.x->socket().close();
      game.o->socket().close();
      at.await_count("gamehub_engine_restarts_total", {}, restarts + 1);
      at.await_count("gamehub_sessions", {}, 2);
    }
  elsewhere.play_on();
  elsewhere.leave();
  check_started_anew(at, 4);
  at.await_count("gamehub_games_failed_total", {}, 4);
  at.await_count("gamehub_games_finished_total", {{"reason", "failed"}}, 4);
  const auto log = at.process().errors();
  CHECK(log.find(promised("the process of an isolated engine ended, and its games with it") +
                 " engine=tictactoe") != log.npos);
  CHECK(log.find(promised("games of an isolated engine ended with its process") +
                 " engine=tictactoe games=1") != log.npos);
  end(at);
}

TEST_CASE("isolation: one of two processes that is killed ends only its own games") {
  hub at{{"--isolate", "tictactoe", "--engine-processes", "2"}};
  std::vector<pid_t> processes;
  at.await("has two children", [&] {
    processes = at.process().children();
    return processes.size() == 2;
  });
  std::vector<opened_game> games;
  for (int i = 0; i < 2; ++i) games.push_back(open_game(at, wires[0], wires[0]));
  ::kill(processes[0], SIGKILL);
  at.await_count("gamehub_engine_restarts_total", {{"engine", "tictactoe"}}, 1);
  at.await_count("gamehub_engine_up", {{"engine", "tictactoe"}}, 1);
  at.await_count("gamehub_games_finished_total", {{"reason", "failed"}}, 1);
  // The other process has its game still, and the new one gets the next game.
  play_whole_game(at, wires[0], wires[0], scripts().front());
  ::kill(processes[1], SIGKILL);
  at.await_count("gamehub_games_finished_total", {{"reason", "failed"}}, 2);
  const auto log = at.process().errors();
  const auto ended =
      promised("games of an isolated engine ended with its process") + " engine=tictactoe games=1";
  CHECK(log.find(ended) != log.npos);
  CHECK(log.find(ended) != log.rfind(ended));
  for (auto& each : games) each.x->socket().close(), each.o->socket().close();
  at.await_count("gamehub_sessions", {}, 0);
  end(at);
}

TEST_CASE("isolation: a process that hangs is ended at the deadline, and others play meanwhile") {
  hub at{{"--isolate", "tictactoe", "--isolate-call-milliseconds", "2000",
          "--engine-slow-milliseconds", "50"}};
  others elsewhere{at};
  turns_client x{at.turns()};
  opcodes_client o{at.opcodes()};
  x.connect("first");
  REQUIRE(x.next() == "name first");
  at.await_waiting("tictactoe", 1);
  o.ask();
  REQUIRE(o.next() == "ACK O");
  for (const auto* said : {"start 0", "0 state ---/---/--- null", "0 turn"})
    REQUIRE(x.next() == said);
  ::kill(engine_of(at), SIGSTOP);
  x.move(0, 1, 1);
  at.await_count("gamehub_engine_calls_slow_total", {{"engine", "tictactoe"}}, 1);
  CHECK(at.count("gamehub_engine_longest_call_seconds") > 0);
  for (int i = 0; i < 3; ++i) elsewhere.play_on();
  CHECK(at.get("/healthz").status == 200);
  // It is still waited for.
  CHECK(at.count("gamehub_games_failed_total") == 0);
  // The state of the board is unknown now.
  REQUIRE(x.next() == R"(0 state {"winner":null})");
  REQUIRE(x.next() == "close 0");
  REQUIRE(o.next() == "ERROR 7");
  elsewhere.play_on();
  elsewhere.leave();
  x.socket().close();
  o.socket().close();
  check_started_anew(at, 1);
  const auto log = at.process().errors();
  CHECK(log.find("an engine call takes long engine=tictactoe version=1.0.0 loop=2") != log.npos);
  CHECK(log.find("did not answer a call within 2000 ms") != log.npos);
  end(at);
}

TEST_CASE("isolation: the log says of a slow move in which game it was and where the time went") {
  hub at{{"--isolate", "tictactoe", "--isolate-call-milliseconds", "5000",
          "--engine-slow-milliseconds", "50", "--slow-move-milliseconds", "50"}};
  opcodes_client x{at.opcodes()}, o{at.opcodes()};
  x.ask();
  REQUIRE(x.next() == "ACK X");
  o.ask();
  REQUIRE(o.next() == "ACK O");
  const auto engine = engine_of(at);
  REQUIRE(x.next() == "STATE --------- -");
  ::kill(engine, SIGSTOP);
  x.move(4);
  at.await_count("gamehub_engine_calls_slow_total", {{"engine", "tictactoe"}}, 1);
  ::kill(engine, SIGCONT);
  REQUIRE(x.next() == "ACK X");
  std::smatch told;
  at.await("the log names the slow move", [&] {
    const auto log = at.process().errors();
    static const std::regex line{
        "a move was slow trace=[0-9a-f]{16} gateway=opcodes game=([0-9]+) seconds=([0-9.]+) "
        "bucket_seconds=[0-9.]+ reaching_seconds=[-0-9.e]+ deciding_seconds=([0-9.]+) "
        "committing_seconds=[-0-9.e]+ telling_seconds=[-0-9.e]+ left_out=0"};
    if (!std::regex_search(log, told, line)) return false;
    CHECK(std::stod(told[3]) >= 0.05);
    CHECK(std::stod(told[2]) >= std::stod(told[3]));
    return true;
  });
  for (auto* each : {&x, &o}) each->socket().close();
}

TEST_CASE("isolation: games of an isolated engine go on after the hub was away") {
  const temporary_folder folder;
  std::vector<std::string> flags{"--isolate", "tictactoe", "--journal",
                                 "sqlite:" + folder.path() + "/journal.db"};
  std::string ann_secret, bob_secret;
  {
    hub at{flags};
    turns_client ann{at.turns()}, bob{at.turns()};
    ann.connect("ann");
    REQUIRE(ann.next() == "name ann");
    at.await_waiting("tictactoe", 1);
    bob.connect("bob");
    REQUIRE(bob.next() == "name bob");
    ann_secret = ann.secret();
    bob_secret = bob.secret();
    for (const auto* said : {"start 0", "0 state ---/---/--- null", "0 turn"})
      REQUIRE(ann.next() == said);
    ann.move(0, 1, 1);
    REQUIRE(ann.next() == "0 state ---/-X-/--- null");
    at.process().signal(SIGKILL);
    at.wait();
  }
  hub at{flags};
  at.await_count("gamehub_recovery_games", {{"result", "restored"}}, 1);
  turns_client ann{at.turns()}, bob{at.turns()};
  ann.resume(ann_secret);
  for (const auto* said : {"name ann", "start 0", "0 state ---/-X-/--- null"})
    REQUIRE(ann.next() == said);
  bob.resume(bob_secret);
  for (const auto* said : {"name bob", "start 0", "0 state ---/-X-/--- null", "0 turn"})
    REQUIRE(bob.next() == said);
  bob.move(0, 0, 0);
  for (auto* each : {&ann, &bob}) REQUIRE(each->next() == "0 state O--/-X-/--- null");
  REQUIRE(ann.next() == "0 turn");
  engine_of(at);
}

TEST_CASE("isolation: no process outlives its hub") {
  pid_t engine = 0;
  {
    hub at{isolated};
    engine = engine_of(at);
    at.process().signal(SIGKILL);
    CHECK(at.wait() == 128 + SIGKILL);
  }
  CHECK(goes(engine));
  {
    hub at{isolated};
    engine = engine_of(at);
    // As a service manager that ends all processes: the engine waits for the hub to drain.
    ::kill(engine, SIGTERM);
    ::kill(engine, SIGINT);
    check_others_play(at);
    CHECK(engine_of(at) == engine);
  }
  CHECK(goes(engine));
}

TEST_CASE("isolation: an engine that is not there is the operator's mistake") {
  for (const auto* more : {"", "--check"}) {
    std::vector<std::string> words{hub_program(), "serve", "--isolate", "chess"};
    if (*more != '\0') words.emplace_back(more);
    const auto got = run({words, {}});
    CHECK(got.exit_code == 2);
    CHECK(got.errors.find("--isolate: there is no engine \"chess\"; give one of backgammon, ") !=
          got.errors.npos);
  }
}

}  // namespace
}  // namespace gamehub::tests::system
