// Whatever an engine throws, in whatever function and wherever the hub calls it, ends its game at
// most and is in the log. The table is the second one of "Containment" in engines/README.md.
#include "tests/system/api_client.hpp"
#include "tests/system/hostile.hpp"
#include "tests/system/opcodes_client.hpp"
#include "tests/system/runbook.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

const std::string ends = "the game ends", without = "answered without it", not_found = "not found",
                  unused = "–";

// A function of abi.h, and what its exception leads to at each place from which the hub calls it.
// The game has a draw before each move, and its players want their legal actions.
struct throwing {
  std::string function;
  std::string begins, moves, looked_at, watched, replayed;
};

const std::vector<throwing>& throwing_functions() {
  static const std::vector<throwing> all{
      {"create", ends, unused, unused, without, without},
      {"clone", unused, unused, unused, unused, unused},
      {"players", unused, unused, without, without, without},
      {"to_move", ends, ends, unused, without, without},
      {"action_from_json", unused, ends, unused, unused, unused},
      {"action_from_text", unused, ends, unused, unused, unused},
      {"action_at", unused, ends, unused, unused, unused},
      {"audience", ends, ends, unused, unused, unused},
      {"legal_actions", ends, ends, unused, unused, unused},
      {"chance_outcomes", ends, ends, unused, unused, unused},
      {"apply", ends, ends, unused, without, without},
      {"hash", ends, ends, unused, unused, unused},
      {"view_json", ends, ends, without, without, without},
      {"glyphs", unused, unused, without, without, without},
      {"size", unused, unused, without, without, without},
      {"cell_of", unused, unused, unused, without, without},
      {"action_to_text", unused, unused, unused, without, without},
      {"action_to_json", ends, ends, unused, unused, unused},
      {"score", unused, unused, without, without, without},
      {"summary", unused, unused, without, without, without},
      {"save", unused, unused, unused, unused, unused},
      {"load", unused, unused, unused, unused, unused},
  };
  return all;
}

// The row of an engine in the hub's process, or of an isolated one, which tells with its answer
// what the hub asks next.
const throwing& expected(const throwing& row, bool isolated) {
  static const std::vector<throwing> other_if_isolated{
      {"players", ends, ends, without, without, without},
      {"chance_outcomes", ends, ends, unused, without, without},
      {"hash", ends, ends, unused, without, without},
      {"view_json", ends, ends, unused, without, without},
      {"size", ends, ends, unused, without, without},
  };
  for (const auto& each : other_if_isolated)
    if (isolated && each.function == row.function) return each;
  return row;
}

// As in the document.
std::string text_of(const throwing& row) {
  return "| `" + row.function + "` | " + row.begins + " | " + row.moves + " | " + row.looked_at +
         " | " + row.watched + " | " + row.replayed + " |";
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Players of turns wait again when a game is over: the next ones may not meet them.
void rest(hub& at, int games = 0) {
  at.await_count("gamehub_games_running", {}, games);
  at.await_count("gamehub_sessions", {{"gateway", "turns"}}, 2 * games);
}

void play_a_new_game(hub& at, const std::string& engine) {
  rest(at);
  expect_plays(at, engine);
}

// One hub, and games of the hostile engine in which one function throws. Two games run beside them:
// one of this engine, and one of another.
class faulty_games {
 public:
  explicit faulty_games(bool isolated, std::string engine = "hostile")
      : s_(isolated, "60000", flags(isolated && engine != "hostile" ? engine : ""), {"draws"}),
        engine_(std::move(engine)),
        http_(s_.at.http()),
        web_(s_.at.http(), "web"),
        sibling_(s_.at, engine_),
        elsewhere_(s_.at, "connect-four") {
    sibling_.begin();
    elsewhere_.begin();
  }
  // The failed games are what was wanted.
  ~faulty_games() {
    s_.at.process().signal(SIGTERM);
    CHECK(s_.at.wait() == 0);
  }
  faulty_games(const faulty_games&) = delete;
  faulty_games& operator=(const faulty_games&) = delete;

  // `order` is "throw" or "number". The answers say what became of it, in the words of the table.
  std::string begin(const std::string& order, const std::string& function) {
    match m{s_.at, engine_, {"actions"}};
    m.seek_first();
    s_.to.give(order + ' ' + function);
    m.seek_second();
    const auto asked = m.x_is_asked();
    return outcome(asked, m, order, function);
  }
  std::string move(const std::string& order, const std::string& function) {
    if (function == "action_at") return move_over_http(order, function, "&position=0");
    if (function == "action_from_text") return move_over_http(order, function, "&action=0");
    match m{s_.at, engine_, {"actions"}};
    m.begin();
    s_.to.give(order + ' ' + function);
    m.move_x(0, 0);
    const auto asked = m.o_is_asked();
    return outcome(asked, m, order, function);
  }
  std::string look(const std::string& order, const std::string& function) {
    return read(order, function, {"/api/games/N?history=false", "/api/games?limit=5"}, true);
  }
  std::string watch(const std::string& order, const std::string& function) {
    return read(order, function, {"/api/updates/N?wait=1"}, true);
  }
  std::string replay(const std::string& order, const std::string& function) {
    return read(order, function, {"/api/replays/N", "/api/updates/N?wait=1", "/api/games/N"},
                false);
  }

  // The games beside go on, and nothing else has failed.
  void check_others() {
    sibling_.move_x(0, 0), sibling_.hear_x_moved();
    elsewhere_.move_x(0, 3), elsewhere_.hear_x_moved();
    CHECK(s_.at.get("/healthz").status == 200);
    CHECK(s_.at.count("gamehub_internal_errors_total") == 0);
    CHECK(s_.at.count("gamehub_engine_restarts_total") == 0);
  }

 private:
  static std::vector<std::string> flags(const std::string& isolated) {
    std::vector<std::string> out{"--turn-seconds", "0"};
    if (!isolated.empty()) out.insert(out.end(), {"--isolate", isolated});
    return out;
  }

  // The lines about failed engines since the last call. Each names what failed in which game, and
  // why.
  std::size_t new_lines(const std::string& order, const std::string& function) {
    const auto log = s_.at.process().errors();
    const auto from = std::exchange(seen_, log.rfind('\n') + 1);
    std::istringstream added{log.substr(from, seen_ - from)};
    const std::regex whole{"error   an engine failed engine=" + engine_ +
                           " version=1\\.0\\.0 game=[1-9][0-9]* function=" + function + " what=" +
                           (order == "throw"
                                ? "\"told to throw\" "
                                : "\"it threw a value (of type int|that is no std::exception)\" ")};
    std::size_t count = 0;
    for (std::string line; std::getline(added, line);) {
      if (line.find("an engine failed") == line.npos) continue;
      CAPTURE(line);
      CHECK(std::regex_search(line, whole));
      ++count;
    }
    return count;
  }

  template <class Clients>
  std::string outcome(bool asked, Clients& players, const std::string& order,
                      const std::string& function) {
    s_.to.take_back();
    players.leave();
    rest();
    CHECK(new_lines(order, function) == (asked ? 0 : 1));
    return asked ? unused : ends;
  }

  // In a form that clients of turns have not.
  std::string move_over_http(const std::string& order, const std::string& function,
                             const std::string& what) {
    REQUIRE(web_.play("&engine=" + engine_)["status"] == "waiting");
    s_.at.await_waiting(engine_, 1);
    struct seat_o {
      turns_client client;
      void leave() { client.socket().close(); }
    } o{turns_client{s_.at.turns()}};
    o.client.connect(nullptr, engine_);
    REQUIRE(o.client.next().starts_with("name "));
    REQUIRE(o.client.next() == "start 0");
    REQUIRE(o.client.next().starts_with("0 state "));
    s_.to.give(order + ' ' + function);
    web_.post("/api/move", what);
    auto said = o.client.next();
    while (said.starts_with("0 state ")) said = o.client.next();
    CHECK((said == "0 turn" || said == "close 0"));
    return outcome(said == "0 turn", o, order, function);
  }

  std::string read(const std::string& order, const std::string& function,
                   const std::vector<std::string>& targets, bool running) {
    match m{s_.at, engine_};
    m.begin();
    m.move_x(1, 1), m.hear_x_moved();
    const auto id = newest_game();
    if (!running) m.leave(), rest();
    s_.to.give(order + ' ' + function);
    bool found_all = true;
    for (auto target : targets) {
      if (const auto at = target.find('N'); at != target.npos) target.replace(at, 1, id);
      INFO(target);
      const auto status = http_.get(target).status;
      CHECK((status == 200 || status == 404));
      found_all = found_all && status == 200;
    }
    s_.to.take_back();
    if (running) {
      m.move_o(0, 0), m.hear_o_moved();
      m.leave(), rest();
    }
    const auto lines = new_lines(order, function);
    CHECK(lines <= 1);
    if (!found_all) return not_found;
    return lines == 0 ? unused : without;
  }

  std::string newest_game() {
    const auto games = http_.get("/api/games?limit=1&engine=" + engine_).json();
    CAPTURE(games.dump());
    return games["games"].at(0)["game_id"].get<std::string>();
  }
  void rest() { tests::system::rest(s_.at, 2); }

  stage s_;
  std::string engine_;
  api_client http_;
  api_player web_;
  match sibling_, elsewhere_;
  std::size_t seen_ = 0;
};

std::set<std::string> lines_of_file(const std::string& file) {
  std::ifstream in{std::string{GAMEHUB_SOURCE_DIR} + file};
  std::set<std::string> out;
  for (std::string line; std::getline(in, line);) out.insert(line);
  return out;
}

TEST_CASE("faults: the table of what throws where and what it ends, in the hub and isolated") {
  const auto documented = lines_of_file("/engines/README.md");
  for (const auto isolated : {false, true}) {
    faulty_games all{isolated};
    for (const auto& row : throwing_functions())
      for (const std::string order : {"throw", "number"}) {
        INFO(order << ' ' << row.function << (isolated ? ", isolated" : ", in the hub"));
        const throwing seen{row.function,
                            all.begin(order, row.function),
                            all.move(order, row.function),
                            all.look(order, row.function),
                            all.watch(order, row.function),
                            all.replay(order, row.function)};
        CHECK(text_of(seen) == text_of(expected(row, isolated)));
        CHECK(documented.count(text_of(seen)) == 1);
      }
    all.check_others();
  }
}

TEST_CASE("faults: what a C++ class throws is in the log with its function and its text") {
  for (const auto isolated : {false, true}) {
    faulty_games all{isolated, "hostile-class"};
    for (const std::string order : {"throw", "number"}) {
      INFO(order << (isolated ? ", isolated" : ", in the hub"));
      CHECK(all.begin(order, "create") == ends);
      CHECK(all.begin(order, "chance_outcomes") == ends);
      for (const auto* function : {"apply", "view_json", "action_from_json", "action_from_text",
                                   "action_at", "legal_actions", "action_to_json"})
        CHECK(all.move(order, function) == ends);
      CHECK(all.look(order, "glyphs") == without);
      CHECK(all.watch(order, "cell_of") == without);
      CHECK(all.replay(order, "glyphs") == without);
    }
    all.check_others();
  }
}

TEST_CASE("faults: a throw where a game waits, is watched, is taken back, or a player comes back") {
  stage s{false, "60000", {"--turn-seconds", "0", "--turns-grace-seconds", "600"}};
  // One line for each function of a game.
  const auto is_logged = [&](const std::string& game, const std::string& function) {
    return count_of(s.at.process().errors(), "engine=hostile version=1.0.0 game=" + game +
                                                 " function=" + function +
                                                 " what=\"told to throw\" ") == 1;
  };
  api_player x{s.at.http(), "x"}, o{s.at.http(), "o"};
  const auto game = x.play("&engine=hostile")["game_id"].get<std::string>();
  const auto throws_for_x = [&](const std::string& function) {
    s.to.give("throw " + function);
    CHECK(x.http.get("/api/games/" + game + "?client_id=" + x.id).status == 200);
    s.to.take_back();
    CHECK(is_logged(game, function));
  };
  for (const auto* function : {"create", "view_json"}) throws_for_x(function);
  REQUIRE(o.play("&engine=hostile")["opponent_name"] == "x");
  for (const auto* function : {"legal_actions", "action_to_text", "cell_of"})
    throws_for_x(function);
  // Watched, it goes on without its watchers.
  api_client guest{s.at.http()};
  REQUIRE(guest.follow("/api/updates/" + game).status == 200);
  s.to.give("throw score");
  CHECK(x.move(0).status == 200);
  s.to.take_back();
  CHECK(is_logged(game, "score"));
  CHECK(o.move(4).status == 200);
  CHECK(x.move(1).status == 200);
  CHECK(x.post("/api/offer", "&what=takeback").status == 200);
  s.to.give("throw apply");
  o.post("/api/offer", "&what=takeback&answer=accepted");
  s.to.take_back();
  s.at.await_count("gamehub_games_finished_total", {{"reason", "failed"}}, 1);
  CHECK(is_logged(game, "apply"));

  turns_client y{s.at.turns()};
  y.connect("y", "hostile");
  REQUIRE(y.next() == "name y");
  s.at.await_waiting("hostile", 1);
  const auto next = o.play("&engine=hostile");
  REQUIRE(next["opponent_name"] == "y");
  CHECK(y.next() == "start 0");
  CHECK(y.next().starts_with("0 state "));
  CHECK(y.next() == "0 turn");
  y.socket().close();
  s.at.await_count("gamehub_connections", {{"gateway", "turns"}}, 0);
  s.to.give("throw view_json");
  turns_client back{s.at.turns()};
  back.resume(y.secret());
  REQUIRE(back.next() == "name y");
  CHECK(back.next() == "start 0");
  CHECK(back.next().starts_with("0 state "));
  CHECK(back.next() == "close 0");
  s.to.take_back();
  s.at.await_count("gamehub_games_finished_total", {{"reason", "failed"}}, 2);
  CHECK(is_logged(next["game_id"].get<std::string>(), "view_json"));
  CHECK(s.at.count("gamehub_internal_errors_total") == 0);
  back.socket().close();
  s.at.await_count("gamehub_sessions", {{"gateway", "turns"}}, 0);
  expect_plays(s.at, "hostile");
  end(s.at);
}

TEST_CASE("faults: an engine that throws when a match is destroyed ends nothing, and is logged") {
  for (const auto isolated : {false, true}) {
    stage s{isolated};
    {
      match m{s.at, "hostile"};
      m.begin();
      s.to.give("throw destroy");
      m.leave();
    }
    const auto line = isolated ? std::string{"destroy failed: told to throw"}
                               : std::string{"function=destroy what=\"told to throw\""};
    if (isolated) {
      // The process hears of it with the next request.
      s.at.await_count("gamehub_games_running", {{"engine", "hostile"}}, 0);
      play_a_new_game(s.at, "hostile");
    }
    s.at.await("logs it", [&] { return s.at.process().errors().find(line) != std::string::npos; });
    s.to.take_back();
    play_a_new_game(s.at, "hostile");
    play_a_new_game(s.at, "tictactoe");
  }
}

TEST_CASE("faults: an engine that throws when it scores the last move ends the game as failed") {
  for (const auto isolated : {false, true})
    for (const std::string order : {"throw", "number"}) {
      INFO(order << (isolated ? ", isolated" : ", in the hub"));
      stage s{isolated, "60000"};
      match m{s.at, "hostile"};
      m.begin();
      m.move_x(0, 0), m.hear_x_moved(), m.move_o(1, 0), m.hear_o_moved();
      m.move_x(0, 1), m.hear_x_moved(), m.move_o(1, 1), m.hear_o_moved();
      s.to.give(order + " scores");
      m.move_x(0, 2);
      m.hear_end();
      CHECK(api_client{s.at.http()}.get("/api/replays/1").status == 200);
      s.to.take_back();
      m.leave();
      s.at.await_count("gamehub_games_finished_total", {{"reason", "failed"}}, 1);
      CHECK(count_of(s.at.process().errors(), "version=1.0.0 game=1 function=scores what=") == 1);
      play_a_new_game(s.at, "tictactoe");
      end(s.at);
    }
}

TEST_CASE("faults: a match that can't begin ends that game, and its players are told") {
  stage s{false, "60000", {"--opcodes-engine", "hostile"}};
  const auto began = std::chrono::steady_clock::now();
  api_player web{s.at.http(), "web"};
  turns_client turns{s.at.turns()};
  opcodes_client bytes{s.at.opcodes()};
  REQUIRE(web.play("&engine=hostile")["status"] == "waiting");
  s.at.await_waiting("hostile", 1);
  s.to.give("throw create");
  bytes.ask();
  CHECK(bytes.next() == "ACK O");
  CHECK(bytes.next() == "ERROR 7");
  CHECK(bytes.error_text() == "The game failed to begin: try again later.");
  CHECK(web.http.get("/api/games/1").status == 404);
  s.to.take_back();
  bytes.ask();
  CHECK(bytes.next() == "ACK X");
  s.to.give("number create");
  turns.connect(nullptr, "hostile");
  REQUIRE(turns.next().starts_with("name "));
  CHECK(turns.next() == "start 0");
  CHECK(turns.next() == "close 0");
  CHECK(bytes.next() == "ERROR 7");
  s.to.take_back();

  s.at.await_count("gamehub_games_failed_total", {}, 2);
  const auto log = s.at.process().errors();
  CHECK(count_of(log, "an engine failed engine=hostile version=1.0.0 game=") == 2);
  CHECK(count_of(log, "function=create what=\"told to throw\"") == 1);
  CHECK(count_of(log, "function=create what=\"it threw a value of type int\"") == 1);
  // The lobby goes on.
  expect_plays(s.at, "tictactoe");
  CHECK(api_client{s.at.http()}.get("/api/games").status == 200);
  CHECK(s.at.get("/healthz").status == 200);
  bytes.socket().close(), turns.socket().close();
  CHECK(std::chrono::steady_clock::now() - began < patience);
  end(s.at);
}

TEST_CASE("faults: an engine that throws while it chooses or is searched ends that game") {
  for (const auto isolated : {false, true})
    for (const auto searched : {false, true}) {
      std::vector<std::string> marks{"draws"};
      if (searched) marks.emplace_back("no-player");
      stage s{isolated, "60000", {"--turns-opponent", "engine:medium", "--loops", "1"}, marks};
      const std::vector<std::string> functions =
          searched
              ? std::vector<std::string>{"clone", "players",         "to_move", "legal_actions",
                                         "apply", "chance_outcomes", "scores"}
              : std::vector<std::string>{"choose"};
      int games = 0;
      for (const auto& function : functions)
        for (const std::string order : {"throw", "number"}) {
          // The process of an isolated engine has one thread.
          const auto told = order + (searched && !isolated ? " in-search " : " ") + function;
          INFO(told << (isolated ? ", isolated" : ", in the hub"));
          turns_client x{s.at.turns()};
          x.connect(nullptr, "hostile");
          REQUIRE(x.next().starts_with("name "));
          REQUIRE(x.next() == "start 0");
          REQUIRE(x.next().starts_with("0 state "));
          REQUIRE(x.next() == "0 turn");
          s.to.give(told);
          x.move(0, 0, 0);
          auto said = x.next();
          while (said.starts_with("0 state ")) said = x.next();
          CHECK(said == "close 0");
          s.to.take_back();
          x.socket().close();
          s.at.await_count("gamehub_games_finished_total", {{"reason", "failed"}}, ++games);
          s.at.await_count("gamehub_sessions", {{"gateway", "turns"}}, 0);
          const auto what =
              order == "throw" ? "\"told to throw\" " : "\"it threw a value of type int\" ";
          CHECK(count_of(
                    s.at.process().errors(),
                    "an engine failed engine=hostile version=1.0.0 game=" + std::to_string(games) +
                        " function=" + function + " what=" + what) == 1);
        }
      CHECK(count_of(s.at.process().errors(), "an engine failed") ==
            static_cast<std::size_t>(games));
      CHECK(s.at.get("/healthz").status == 200);
      end(s.at);
    }
}

TEST_CASE("faults: verify reports a game whose engine throws, and the others") {
  const temporary_folder here;
  const auto file = "sqlite:" + here.path() + "/journal.db";
  const orders to{{"checked-well"}};
  {
    stage s{false, "60000", {"--journal", file}};
    for (int i = 0; i < 2; ++i) {
      match m{s.at, i == 0 ? "hostile" : "tictactoe"};
      m.begin();
      m.move_x(0, 0), m.hear_x_moved();
      m.leave();
    }
  }
  for (const std::string order : {"throw", "number"}) {
    to.give(order + " apply");
    const auto result =
        run({{hub_program(), "verify", "--journal", file, "--plugins", to.folder()}, {}});
    CAPTURE(result.output, result.errors);
    CHECK(result.exit_code == 1);
    CHECK(result.output.find("the engine failed") != std::string::npos);
  }
}

TEST_CASE("faults: the runbook names lines that are in the log") {
  stage s{false, "60000", {"--log-format", "json"}};
  match m{s.at, "hostile"};
  m.begin();
  s.to.give("throw apply");
  m.move_x(0, 0);
  m.hear_end();
  s.to.take_back();
  m.leave();
  std::istringstream log{s.at.process().errors()};
  std::vector<json> found;
  for (std::string line; std::getline(log, line);)
    if (line.find(promised("\"message\":\"an engine failed\"")) != line.npos)
      found.push_back(json::parse(line));
  REQUIRE(found.size() == 1);
  const auto& line = found.front();
  CHECK(line["level"] == "error");
  CHECK(line["engine"] == "hostile");
  CHECK(line["version"] == "1.0.0");
  CHECK(line["game"] == 1);
  CHECK(line["function"] == "apply");
  CHECK(line["what"] == "told to throw");
  CHECK(line["seat"] == 0);
  CHECK(line["action"] == 0);
  CHECK(line["left_out"] == 0);
  end(s.at);
}

// A hub whose source of random numbers fails as soon as the file exists: an exception leaves the
// actor that needs them.
struct hub_without_entropy {
  temporary_folder here;
  std::string file = here.path() + "/journal.db";
  std::string trigger = here.path() + "/no-entropy";
  hub at{{"--journal", "sqlite:" + file, "--loops", "1"},
         {{"LD_PRELOAD", std::string{GAMEHUB_TEST_PLUGINS} + "/preload/no_entropy.so"},
          {"NO_ENTROPY", trigger}}};

  void lose_entropy() const { std::ofstream{trigger} << "now"; }
};

TEST_CASE("faults: a hub that loses its lobby says so, and ends to be restarted on its journal") {
  // Sanitizers do not take a library that is loaded before theirs.
  if (sanitized) return;
  hub_without_entropy w;
  {
    match m{w.at, "tictactoe"};
    m.begin();
    m.move_x(0, 0), m.hear_x_moved();
    // The lobby makes a secret for each invitation; more than it has random numbers in store.
    std::vector<std::unique_ptr<api_player>> players;
    for (int i = 0; i < 20; ++i)
      players.push_back(std::make_unique<api_player>(w.at.http(), "p" + std::to_string(i)));
    w.lose_entropy();
    int status = 200;
    for (auto& each : players) {
      // The last one has no answer.
      const auto form = "client_id=" + each->id + "&private=true";
      each->http.send(
          "POST /api/play HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
          "application/x-www-form-urlencoded\r\nContent-Length: " +
          std::to_string(form.size()) + "\r\n\r\n" + form);
    }
    const deadline until;
    while (status == 200 && !until.over()) status = w.at.get("/healthz").status;
    CHECK(status == 503);
    CHECK(w.at.wait() == 70);
    const auto log = w.at.process().errors();
    CHECK(log.find("error   " + promised("an internal error") + " where=lobby what=") !=
          std::string::npos);
    CHECK(log.find("error   the hub has lost an actor that it needs, and ends to be restarted "
                   "actor=lobby exit_code=70") != std::string::npos);
  }
  hub next{{"--journal", "sqlite:" + w.file, "--rejoin-seconds", "1"}};
  CHECK(next.process().errors().find(
            "the previous run did not shut down; it crashed or was killed") != std::string::npos);
  CHECK(next.process().errors().find("recovered games=1") != std::string::npos);
  next.await_count("gamehub_games_running", {}, 0);
}

TEST_CASE("faults: a session that fails ends for its player alone, and is counted and logged") {
  if (sanitized) return;
  hub_without_entropy w;
  match m{w.at, "tictactoe"};
  m.begin();
  w.lose_entropy();
  // Each session makes a secret for its player; more than there are random numbers in store.
  for (const deadline until; !until.over();) {
    turns_client player{w.at.turns()};
    player.connect(nullptr, "tictactoe", 0);
    if (player.next().starts_with("name ")) continue;
    CHECK(player.closed_because() == "failed");
    break;
  }
  w.at.await_count("gamehub_sessions_failed_total", {{"gateway", "turns"}}, 1);
  CHECK(w.at.process().errors().find("error   " + promised("an internal error") +
                                     " where=session what=") != std::string::npos);
  m.move_x(0, 0), m.hear_x_moved();
  CHECK(w.at.get("/healthz").status == 200);
  w.at.process().signal(SIGTERM);
  CHECK(w.at.wait() == 0);
}

TEST_CASE("faults: a wall clock that jumps deletes no game, and is logged (S22)") {
  if (sanitized) return;
  const temporary_folder here;
  const auto trigger = here.path() + "/ahead";
  hub at{{"--journal", "sqlite:" + here.path() + "/journal.db"},
         {{"LD_PRELOAD", std::string{GAMEHUB_TEST_PLUGINS} + "/preload/clock_jump.so"},
          {"CLOCK_JUMP", trigger}}};
  play_a_new_game(at, "tictactoe");
  rest(at);
  const auto ended = at.count("gamehub_journal_games", {{"state", "ended"}});
  CHECK(ended >= 1);
  const auto log_has = [&](const std::string& text) {
    return at.process().errors().find(text) != std::string::npos;
  };
  const auto line = "warning " +
                    promised("the clock jumped; for a day no game is deleted because of its age") +
                    " seconds=";
  std::ofstream{trigger} << "now";
  at.await("logs the jump", [&] { return log_has(line + "34"); });
  std::filesystem::remove(trigger);
  at.await("logs the way back", [&] { return log_has(line + "-34"); });
  CHECK(at.count("gamehub_journal_games", {{"state", "ended"}}) == ended);
}

TEST_CASE("faults: only a start after a crash says that the last run ended badly") {
  const temporary_folder here;
  const std::vector<std::string> flags{"--journal", "sqlite:" + here.path() + "/journal.db"};
  const auto sentence = promised("the previous run did not shut down; it crashed or was killed");
  const auto says_so = [&](int signal) {
    hub at{flags};
    const auto found = at.process().errors().find(sentence) != std::string::npos;
    at.process().signal(signal);
    at.wait();
    return found;
  };
  CHECK_FALSE(says_so(SIGTERM));
  CHECK_FALSE(says_so(SIGKILL));
  CHECK(says_so(SIGTERM));
  CHECK_FALSE(says_so(SIGTERM));
}

TEST_CASE("faults: a crash in the hub's process names engine, thread and game before the end") {
  // A sanitizer reports crashes itself.
  if (sanitized) return;
  const bool as_json = GENERATE(false, true);
  const temporary_folder here;
  const std::vector<std::string> journal{"--journal", "sqlite:" + here.path() + "/journal.db",
                                         "--log-format", as_json ? "json" : "text"};
  {
    stage s{false, "200", journal};
    match m{s.at, "hostile"};
    m.begin();
    s.to.give("crash-in-apply");
    m.move_x(0, 0);
    CHECK(s.at.wait() != 0);
    const auto log = s.at.process().errors();
    CHECK(log.find(promised("the program crashed")) != std::string::npos);
    const std::regex line{
        as_json
            ? R"re("message":"the program crashed","signal":"SIGSEGV","engine":"hostile 1\.0\.0","thread":"loop-[01]","game":1\})re"
            : R"re(error   the program crashed signal="SIGSEGV" engine="hostile 1\.0\.0" thread="loop-[01]" game=1\n)re"};
    INFO(log);
    CHECK(std::regex_search(log, line));
    CHECK(log.find(promised("the calls of the program that crashed")) != std::string::npos);
    // Below the call of the engine at least the game, its loop and the thread.
    CHECK(std::regex_search(log, std::regex{R"re(calls"?[:=]"[0-9a-f]+( [0-9a-f]+){3,})re"}));
  }
  auto rejoining = journal;
  rejoining.insert(rejoining.end(), {"--rejoin-seconds", "0"});
  const orders none;
  hub next{stage::flags(none, false, "200", rejoining)};
  CHECK(next.process().errors().find("the previous run did not shut down") != std::string::npos);
  next.await_count("gamehub_games_running", {}, 0);
}

TEST_CASE("faults: a crash of an isolated engine names the game, the call and the move (H3)") {
  stage s{true, "60000"};
  match m{s.at, "hostile"};
  m.begin();
  s.to.give("crash-in-apply");
  m.move_x(0, 0);
  m.hear_end();
  s.to.take_back();
  m.leave();
  s.at.await_count("gamehub_games_finished_total", {{"reason", "failed"}}, 1);
  const auto log = s.at.process().errors();
  INFO(log);
  CHECK(std::regex_search(
      log, std::regex{"an engine failed engine=hostile version=1\\.0\\.0 game=1 function=play "
                      "what=[^\n]* seat=0 action=null left_out=0\n"}));
  // What the client asked for is in the line of the process.
  CHECK(std::regex_search(
      log,
      std::regex{"call=\"play \\(seat 0, [^\n]*row[^\n]*:0,[^\n]*column[^\n]*:0\\}\\) of match"}));
  end(s.at);
}

TEST_CASE("faults: no SIGHUP ends a hub, with a folder of plugins or without") {
  for (const bool with_plugins : {false, true}) {
    INFO((with_plugins ? "with" : "without") << " plugins");
    std::vector<std::string> words{hub_program(),    "serve", "--turns-port", "0",
                                   "--opcodes-port", "off",   "--udp-port",   "off",
                                   "--http-port",    "off",   "--admin-port", "off",
                                   "--journal",      "memory"};
    if (with_plugins)
      words.insert(words.end(), {"--plugins", std::string{GAMEHUB_TEST_PLUGINS} + "/good"});
    program at{{words, {}}};
    // The hub checks its plugins before it is ready: it is in main() once it has a child.
    const deadline until;
    while (with_plugins && at.children().empty() && !until.over()) continue;
    if (with_plugins) at.signal(SIGHUP);
    const auto ready = at.read_line();
    CHECK(ready.starts_with("ready"));
    for (int i = 0; i < 20; ++i) at.signal(SIGHUP);
    at.signal(SIGTERM);
    for (int i = 0; i < 20; ++i) at.signal(SIGHUP);
    CHECK(at.wait() == 0);
  }
}

TEST_CASE("faults: games of more than two players are shown with a name for each seat") {
  hub at{{"--plugins", std::string{GAMEHUB_TEST_PLUGINS} + "/seats"}};
  for (const int seats : {3, 8}) {
    INFO(seats << " seats");
    const auto engine = "seats-" + std::to_string(seats);
    std::vector<std::unique_ptr<turns_client>> players;
    for (int i = 0; i < seats; ++i) {
      players.push_back(std::make_unique<turns_client>(at.turns()));
      players.back()->connect(nullptr, engine);
      REQUIRE(players.back()->next().starts_with("name "));
      if (i + 1 < seats) at.await_waiting(engine, i + 1);
    }
    at.await_count("gamehub_games_running", {{"engine", engine}}, 1);
    api_client http{at.http()};
    const auto listed = http.get("/api/games?limit=1&engine=" + engine).json();
    const auto id = listed["games"].at(0)["game_id"].get<std::string>();
    const auto symbol = [](int seat) {
      return seat < 2 ? std::string(1, "XO"[seat]) : std::to_string(seat + 1);
    };
    for (int seat = 0; seat < seats; ++seat) {
      auto& player = *players[static_cast<std::size_t>(seat)];
      while (player.next() != "0 turn") continue;
      CHECK(http.get("/api/games/" + id).json()["turn"] == symbol(seat));
      player.play(0, R"({"type":"move","action":)" + std::to_string(seat) + "}");
    }
    // All wait for the next game, which may have begun.
    at.await_count("gamehub_games_finished_total", {{"engine", engine}}, 1);
    CHECK(http.get("/api/games/" + id).json()["winner"] == symbol(seats - 1));
    const auto replay = http.get("/api/replays/" + id);
    const auto updates = http.get("/api/updates/" + id + "?wait=0");
    REQUIRE(replay.status == 200);
    REQUIRE(updates.status == 200);
    for (int seat = 0; seat < seats; ++seat)
      CHECK(replay.body.find("\"player\":\"" + symbol(seat) + '"') != std::string::npos);
    for (const auto& body : {replay.body, updates.body})
      CHECK(body.find("\\u0000") == std::string::npos);
    for (auto& each : players) each->socket().close();
  }
}

}  // namespace
}  // namespace gamehub::tests::system
