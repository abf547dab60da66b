// What becomes of the hub and its games when an engine goes wrong in the middle of one: a plugin
// that passes every check and then does what a file tells it to, loaded into the hub and in a
// separate process. The table is the one in engines/README.md.
#include "tests/plugins/escapes.hpp"
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/hostile.hpp"
#include "tests/system/runbook.hpp"
#include "tests/system/weaker_start.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace gamehub::tests::system {
namespace {

// When the engine does it: as a game begins, at a move, or as it ends.
enum class when { begins, moves, ends };

// What became of it, in the words of the table.
const std::string goes_on = "the game continues", game_ends = "the game ends",
                  games_end = "its games end, and its process restarts",
                  hub_ends = "**the hub ends**", loop_hangs = "**a loop hangs**",
                  not_tried = "(not tried)";

struct spoiling {
  std::string orders;
  std::string words;
  when at;
  std::string in_process;
  std::string isolated;
};

const std::vector<spoiling>& spoilings() {
  static const std::vector<spoiling> all{
      {"throw-in-apply", "throws in `apply`", when::moves, game_ends, game_ends},
      {"throw-a-number", "throws a value that is no exception", when::moves, game_ends, game_ends},
      {"endless-view", "reports a view of half of all memory", when::moves, game_ends, game_ends},
      {"huge-view", "reports a view of 16 GiB", when::moves, game_ends, game_ends},
      {"reason-without-end", "returns a reason without a terminating zero", when::moves, game_ends,
       game_ends},
      {"reason-of-garbage", "returns a reason that is not a word", when::moves, game_ends,
       game_ends},
      {"garbage-in-view", "returns a view of two lines", when::moves, game_ends, games_end},
      {"impossible-seat", "names a seat to move that does not exist", when::moves, game_ends,
       games_end},
      {"write-to-output", "writes to standard output", when::moves, goes_on, goes_on},
      {"crash-in-create", "crashes in `create`", when::begins, hub_ends, games_end},
      {"crash-in-apply", "crashes in `apply`", when::moves, hub_ends, games_end},
      {"crash-in-view", "crashes in `view_json`", when::moves, hub_ends, games_end},
      {"crash-in-destroy", "crashes in `destroy`", when::ends, hub_ends, games_end},
      {"abort-in-apply", "calls `abort`", when::moves, hub_ends, games_end},
      {"overflow-the-stack", "recurses without end", when::moves, hub_ends, games_end},
      {"exit", "calls `exit`", when::moves, hub_ends, games_end},
      {"spin-in-create", "never returns from `create`", when::begins, loop_hangs, games_end},
      {"spin-in-apply", "never returns from `apply`", when::moves, loop_hangs, games_end},
      {"sleep-in-apply", "sleeps in `apply`", when::moves, loop_hangs, games_end},
      {"leak", "allocates memory with `malloc` without end", when::moves, not_tried, games_end},
      {"leak-by-new", "allocates memory with `new` without end", when::moves, not_tried, games_end},
      {"close-everything", "closes all descriptors", when::moves, not_tried, games_end},
      {"fork", "starts a process", when::moves, not_tried, goes_on},
      {"kill-the-parent", "kills the process that started it", when::moves, not_tried, goes_on},
      // The words of tests/plugins/escapes.hpp: each is refused.
      {"signal-by-owner", "sets the hub as the owner of a descriptor, for its signals", when::moves,
       not_tried, goes_on},
      {"write-memory", "opens the hub's memory", when::moves, not_tried, goes_on},
      {"take-descriptor", "takes a descriptor of the hub by `pidfd_getfd`", when::moves, not_tried,
       goes_on},
      {"limit-files", "changes the hub's limits by `prlimit`", when::moves, not_tried, goes_on},
      {"fill-memory-file", "takes memory beyond its bound by `memfd_create`", when::moves,
       not_tried, goes_on},
      {"read-environment", "reads the hub's environment", when::moves, not_tried, goes_on},
      {"trace", "traces the hub", when::moves, not_tried, goes_on},
      {"use-network", "opens a socket", when::moves, not_tried, goes_on},
      {"read-files", "reads files of the system", when::moves, not_tried, goes_on},
      {"write-files", "writes files", when::moves, not_tried, goes_on},
  };
  return all;
}

// Leads the engine to where it goes wrong in `victim`; another game of the engine, `sibling`, runs.
void go_wrong(stage& s, const spoiling& how, bool isolated, match& victim, match& sibling) {
  if (how.at == when::begins) {
    s.to.give(how.orders);
    victim.seek();
    return;
  }
  victim.begin();
  victim.move_x(1, 1), victim.hear_x_moved();
  s.to.give(how.orders);
  if (how.at == when::moves) return victim.move_o(0, 0);
  victim.leave();
  if (!isolated) return;
  // The process hears of it with the next request.
  s.at.await_count("gamehub_games_running", {{"engine", "hostile"}}, 1);
  sibling.move_x(0, 0);
}

bool is_escape(const std::string& order) {
  return std::any_of(std::begin(escapes), std::end(escapes),
                     [&](const auto& each) { return order == each.name; });
}

// What the hub is seen to do; everything else that must hold is checked on the way.
std::string observe_isolated(const spoiling& how, const std::string& program = hub_program()) {
  stage s{true, "200", {}, {}, program};
  match elsewhere{s.at, "connect-four"}, sibling{s.at, "hostile"}, victim{s.at, "hostile"};
  elsewhere.begin();
  sibling.begin();
  go_wrong(s, how, true, victim, sibling);
  std::string seen;
  if (how.isolated == goes_on) {
    victim.hear_o_moved();
    if (is_escape(how.orders))
      s.at.await("logs that it is refused", [&] {
        return s.at.process().errors().find("line=\"" + how.orders + ": refused: ") !=
               std::string::npos;
      });
    s.to.take_back();
    sibling.move_x(0, 0), sibling.hear_x_moved();
    seen = s.restarts() == 0 ? goes_on : "is started again";
  } else {
    // A game that never began begins and ends at once for its players.
    if (how.at != when::ends) victim.hear_end();
    const auto restarted = how.isolated == games_end;
    if (restarted)
      sibling.hear_end();
    else
      s.to.take_back(), sibling.move_x(0, 0), sibling.hear_x_moved();
    s.to.take_back();
    if (restarted)
      s.at.await("starts its engine anew",
                 [&] { return s.restarts() >= 1 && s.at.count("gamehub_engine_up") == 1; });
    seen = s.restarts() > 0 ? games_end : game_ends;
  }
  // Others hear nothing of it.
  elsewhere.move_x(0, 3), elsewhere.hear_x_moved();
  elsewhere.leave(), sibling.leave(), victim.leave();
  s.at.await_count("gamehub_sessions", {}, 0);
  expect_plays(s.at, "hostile");
  s.at.await_count("gamehub_sessions", {}, 0);
  expect_plays(s.at, "tictactoe");
  CHECK(s.at.get("/healthz").status == 200);
  end(s.at);
  return seen;
}

std::string observe_in_process(const spoiling& how) {
  if (how.in_process == not_tried) return not_tried;
  stage s{false};
  match elsewhere{s.at, "connect-four"}, sibling{s.at, "hostile"}, victim{s.at, "hostile"};
  elsewhere.begin();
  sibling.begin();
  go_wrong(s, how, false, victim, sibling);
  if (how.in_process == hub_ends) return s.at.wait() == -1 ? "hangs" : hub_ends;
  if (how.in_process == loop_hangs) {
    s.at.await_count("gamehub_engine_calls_slow_total", {{"engine", "hostile"}}, 1);
    CHECK(s.at.count("gamehub_engine_longest_call_seconds") > 0);
    CHECK(s.at.process().errors().find(promised("an engine call takes long") +
                                       " engine=hostile version=1.0.0 loop=") != std::string::npos);
    s.at.process().signal(SIGKILL);
    s.at.wait();
    return loop_hangs;
  }
  if (how.in_process == goes_on)
    victim.hear_o_moved();
  else
    victim.hear_end();
  s.to.take_back();
  sibling.move_x(0, 0), sibling.hear_x_moved();
  elsewhere.move_x(0, 3), elsewhere.hear_x_moved();
  const auto seen = s.at.count("gamehub_games_failed_total") == 0 ? goes_on : game_ends;
  elsewhere.leave(), sibling.leave(), victim.leave();
  s.at.await_count("gamehub_sessions", {}, 0);
  expect_plays(s.at, "hostile");
  end(s.at);
  return seen;
}

std::string row(const spoiling& how, const std::string& in_process, const std::string& isolated) {
  return "| " + how.words + " | " + in_process + " | " + isolated + " |";
}

std::set<std::string> lines_of(const std::string& file) {
  std::ifstream in{file};
  std::set<std::string> out;
  for (std::string line; std::getline(in, line);) out.insert(line);
  return out;
}

TEST_CASE("containment: the table of what engines do wrong and what the hub makes of it") {
  const auto documented = lines_of(std::string{GAMEHUB_SOURCE_DIR} + "/engines/README.md");
  std::ostringstream table;
  for (const auto& how : spoilings()) {
    INFO(how.orders);
    // Sanitizers need the calls that are kept from isolated engines otherwise.
    if (sanitized && (how.orders == "kill-the-parent" || is_escape(how.orders))) continue;
    const auto in_process = observe_in_process(how);
    CHECK(in_process == how.in_process);
    const auto isolated = observe_isolated(how);
    CHECK(isolated == how.isolated);
    const auto line = row(how, in_process, isolated);
    table << line << '\n';
    CHECK(documented.count(line) == 1);
  }
  WARN("an engine that …, in the hub's process, in a separate one:\n" << table.str());
}

TEST_CASE("containment: isolated engines are contained in the same way for another account") {
  if (sanitized || geteuid() != 0) {
    WARN("only uid 0 can take another account, and sanitizers need calls: not run");
    return;
  }
  const weaker_start start{"account=65534"};
  if (!start.works()) return;
  for (const auto& how : spoilings()) {
    INFO(how.orders);
    CHECK(observe_isolated(how, start.program()) == how.isolated);
  }
}

TEST_CASE("containment: an isolated engine that ends while its game is read takes no other along") {
  struct reading {
    std::string orders, target;  // with the number of the game for N
    bool running;
  };
  const std::vector<reading> all{
      {"crash-in-view", "/api/games/N?history=false", true},
      {"crash-in-view", "/api/updates/N?wait=1", true},
      {"crash-in-create", "/api/replays/N", false},
      {"crash-in-apply", "/api/replays/N", false},
      {"abort-in-apply", "/api/games/N", false},
      {"exit", "/api/updates/N?wait=1", false},
      {"spin-in-apply", "/api/replays/N", false},
      {"impossible-seat", "/api/games/N", false},
      {"garbage-in-view", "/api/updates/N?wait=1", false},
  };
  for (const auto& each : all) {
    INFO(each.orders << ' ' << each.target);
    stage s{true};
    match elsewhere{s.at, "connect-four"}, victim{s.at, "hostile"};
    elsewhere.begin();
    victim.begin();
    victim.move_x(1, 1), victim.hear_x_moved();
    if (!each.running) {
      victim.leave();
      s.at.await_count("gamehub_games_running", {{"engine", "hostile"}}, 0);
    }
    s.to.give(each.orders);
    auto target = each.target;
    target.replace(target.find('N'), 1, "2");
    const auto status = api_client{s.at.http()}.get(target).status;
    CHECK((status == 200 || status == 404));
    s.to.take_back();
    if (each.running) victim.hear_end();
    s.at.await("starts its engine anew",
               [&] { return s.restarts() >= 1 && s.at.count("gamehub_engine_up") == 1; });
    CHECK(s.at.process().errors().find(
              promised("the process of an isolated engine ended, and its games with it") +
              " engine=hostile version=1.0.0 how=") != std::string::npos);
    elsewhere.move_x(0, 3), elsewhere.hear_x_moved();
    elsewhere.leave(), victim.leave();
    s.at.await_count("gamehub_sessions", {}, 0);
    expect_plays(s.at, "hostile");
    CHECK(s.at.get("/healthz").status == 200);
    end(s.at);
  }
}

TEST_CASE("containment: a loop that hangs in an engine is not alive, and the engine is named") {
  stage s{false};
  match sibling{s.at, "hostile"}, victim{s.at, "hostile"};
  sibling.begin();
  go_wrong(s, {"spin-in-apply", "", when::moves, loop_hangs, games_end}, false, victim, sibling);
  http_answer ill = s.at.get("/healthz");
  // Longer than a loop may stand still.
  const deadline until{3 * patience};
  while (ill.status == 200 && !until.over()) ill = s.at.get("/healthz");
  REQUIRE(ill.status != 200);
  CHECK(ill.body.find(", now in engine hostile 1.0.0") != std::string::npos);
  s.at.process().signal(SIGKILL);
  s.at.wait();
}

TEST_CASE("containment: what an isolated engine writes is in the log, but not all of it") {
  stage s{true};
  match sibling{s.at, "hostile"}, victim{s.at, "hostile"};
  sibling.begin();
  go_wrong(s, {"write-to-output", "", when::moves, goes_on, goes_on}, true, victim, sibling);
  victim.hear_o_moved();
  s.at.await("logs what it says", [&] {
    return s.at.process().errors().find("output of an isolated engine engine=hostile line=xxxx") !=
           std::string::npos;
  });
  // It wrote 50 kB.
  CHECK(s.at.process().errors().size() < 16 * 1024);
  sibling.leave(), victim.leave();
  s.at.await_count("gamehub_sessions", {}, 0);
}

}  // namespace
}  // namespace gamehub::tests::system
