// Engines from a folder: loaded at the start and at SIGHUP, in versions side by side, over wires
// and restarts, and what the hub makes of those that are bad.
#include "tests/support/catch.hpp"
#include "tests/support/plugin_folder.hpp"
#include "tests/system/http_get.hpp"
#include "tests/system/last_cell.hpp"
#include "tests/system/opcodes_client.hpp"
#include "tests/system/whole_game.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<std::string> with(const plugin_folder& files) {
  return {"--plugins", files.path().string()};
}
std::vector<std::string> with(const plugin_folder& files, const temporary_folder& journal) {
  auto flags = with(files);
  flags.insert(flags.end(), {"--journal", "sqlite:" + journal.path() + "/journal.db"});
  return flags;
}

void rescan(hub& at, int loaded, int refused) {
  at.process().signal(SIGHUP);
  at.await_count("gamehub_plugins", {{"state", "loaded"}}, loaded);
  at.await_count("gamehub_plugins", {{"state", "refused"}}, refused);
}

void kill_now(hub& at) {
  at.process().signal(SIGKILL);
  REQUIRE(at.wait() == 128 + SIGKILL);
}

TEST_CASE("plugins: the oldest one that was released is played over every wire, by its port too") {
  const plugin_folder files;
  files.put("good/last_cell_1.0.so", "last_cell.so");
  auto flags = with(files);
  flags.insert(flags.end(), {"--opcodes-engine", "last-cell"});
  hub at{flags};
  at.await_count("gamehub_plugins", {{"state", "loaded"}}, 1);
  opcodes_client x{at.opcodes(), 4};
  x.ask();
  REQUIRE(x.next() == "ACK X");
  cell_player o{at};
  REQUIRE(x.next() == "STATE ---- -");
  for (const auto* said : {"start 0", "0 state --/-- null"}) REQUIRE(o.next() == said);
  x.move(3);
  REQUIRE(x.next() == "ACK X");
  for (const auto* said : {"0 state --/-X null", "0 turn"}) REQUIRE(o.next() == said);
  o.take(0);
  REQUIRE(o.next() == "0 state O-/-X null");
  REQUIRE(x.next() == "STATE O--X -");
  x.move(3);
  REQUIRE(x.next() == "ERROR 5");
  x.move(1);
  REQUIRE(x.next() == "ACK X");
  for (const auto* said : {"0 state OX/-X null", "0 turn"}) REQUIRE(o.next() == said);
  o.take(2);
  for (const auto* said : {R"(0 state OX/OX "O")", "close 0"}) REQUIRE(o.next() == said);
  REQUIRE(x.next() == "STATE OXOX O");
  at.await_count("gamehub_games_finished_total", {{"engine", "last-cell"}, {"result", "second"}},
                 1);
  at.await_count("gamehub_moves_total", {{"engine", "last-cell"}, {"outcome", "accepted"}}, 4);
}

TEST_CASE("plugins: at SIGHUP new ones join a hub that plays, and new games take the newest") {
  const plugin_folder files;
  hub at{with(files)};
  const auto game = open_game(at, wire::turns, wire::opcodes);
  files.put("good/last_cell_1.0.so", "a.so");
  rescan(at, 1, 0);
  auto early = pair_of_players::sit_down(at);
  CHECK(early.release() == 0);
  early.take(2);
  files.put("later/last_cell_1.1.so", "b.so");
  files.put("bad/null_table.so", "c.so");
  rescan(at, 2, 1);
  auto late = pair_of_players::sit_down(at);
  CHECK(late.release() == 1);
  late.play_out();
  // What was begun before goes on by the rules it was begun with.
  early.play_out();
  CHECK(early.release() == 0);
  play_out(*game.x, *game.o, game.board, {0, 1, 7, 3, 5, 2, 6, 8}, '-');
  at.await_count("gamehub_games_finished_total", {{"engine", "last-cell"}}, 2);
  const auto log = at.process().errors();
  INFO(log);
  CHECK(log.find("plugin loaded file=" + files / "b.so" + " engine=last-cell version=1.1.0") !=
        log.npos);
  CHECK(log.find("plugin refused file=" + files / "c.so" +
                 " why=\"there is no engine: the plugin returned nothing\"") != log.npos);
}

TEST_CASE("plugins: clients get examples of their moves, also of one that came at SIGHUP") {
  const plugin_folder files;
  hub at{with(files)};
  http_client http{at.http()};
  CHECK(http.get("/api/engines/last-cell").status == 404);
  files.put("good/last_cell_1.0.so", "a.so");
  rescan(at, 1, 0);
  // The list of engines is kept for a second.
  http_answer said;
  for (const deadline until; said.status != 200 && !until.over();)
    said = http.get("/api/engines/last-cell");
  CHECK(said.status == 200);
  const auto examples = json::parse(said.body).value("examples", json::array());
  REQUIRE(examples.size() == 2);
  CHECK(examples[0]["player"] == "X");
  CHECK(examples[0]["legal"] == 4);
  CHECK(examples[1]["player"] == "O");
  // The verb for authors of clients prints the same.
  const auto printed = run({{tools_program(), "engine", "moves", files / "a.so", "--json"}, {}});
  CHECK(json::parse(printed.output).value("examples", json::array()) == examples);
}

TEST_CASE("plugins: games go on in their versions after a kill, and wait for one that is missing") {
  const plugin_folder files;
  const temporary_folder journal;
  pair_of_players one, other;
  files.put("good/last_cell_1.0.so", "a.so");
  {
    hub at{with(files, journal)};
    one = pair_of_players::sit_down(at);
    one.take(1);
    files.put("later/last_cell_1.1.so", "b.so");
    rescan(at, 2, 0);
    other = pair_of_players::sit_down(at);
    other.take(3);
    kill_now(at);
  }
  {
    hub at{with(files, journal)};
    at.await_count("gamehub_recovery_games", {{"result", "restored"}}, 2);
    one.come_back(at);
    other.come_back(at);
    CHECK(one.release() == 0);
    CHECK(other.release() == 1);
    one.take(0);
    kill_now(at);
  }
  fs::rename(files / "a.so", files / "a.away");
  {
    hub at{with(files, journal)};
    at.await_count("gamehub_recovery_games", {{"result", "restored"}}, 1);
    at.await_count("gamehub_recovery_games", {{"result", "engine_missing"}}, 1);
    CHECK(at.process().errors().find("there is no engine last-cell 1.0.0; its log is kept") !=
          std::string::npos);
    other.come_back(at);
    other.play_out();
    kill_now(at);
  }
  fs::rename(files / "a.away", files / "a.so");
  hub at{with(files, journal)};
  at.await_count("gamehub_recovery_games", {{"result", "restored"}}, 1);
  one.come_back(at);
  CHECK(one.release() == 0);
  one.play_out();
  // They go before the hub does.
  one = {};
}

TEST_CASE("plugins: verify and export know them") {
  const plugin_folder files;
  const temporary_folder journal;
  files.put("good/last_cell_1.0.so", "a.so");
  {
    hub at{with(files, journal)};
    pair_of_players::sit_down(at).play_out();
  }
  const auto program = [&](std::vector<std::string> words, bool with_plugins) {
    words.insert(words.begin(), hub_program());
    words.insert(words.end(), {"--journal", "sqlite:" + journal.path() + "/journal.db"});
    if (with_plugins) words.insert(words.end(), {"--plugins", files.path().string()});
    return run({words, {}});
  };
  CHECK(program({"verify"}, false).output.find("skipped 1 game of last-cell 1.0.0") == 0);
  const auto verified = program({"verify"}, true);
  INFO(verified.output << verified.errors);
  CHECK(verified.output.starts_with("verified 1 game,"));
  CHECK(verified.exit_code == 0);
  const auto exported = json::parse(program({"journal", "export"}, true).output);
  INFO(exported.dump());
  CHECK(exported.dump().find(R"("text":"3")") != std::string::npos);
}

// Ends at once, or says that it is ready.
int life_of(const std::vector<std::string>& flags) {
  std::vector<std::string> words{hub_program(),    "serve", "--turns-port", "0",
                                 "--opcodes-port", "0",     "--admin-port", "0",
                                 "--loops",        "1"};
  words.insert(words.end(), flags.begin(), flags.end());
  return run({words, {}}).exit_code;
}

TEST_CASE("plugins: a game that takes the hub down at its replay is put aside, and others go on") {
  const plugin_folder files;
  const temporary_folder journal;
  files.put("poison/poison.so", "poison.so");
  const auto flags = with(files, journal);
  std::string secret;
  {
    hub at{flags};
    turns_client x{at.turns()}, o{at.turns()}, alone{at.turns()}, opponent{at.turns()};
    x.connect("x", "poison");
    at.await_waiting("poison", 1);
    o.connect("o", "poison");
    for (const auto* said : {"name x", "start 0", "0 state --/-- null", "0 turn"})
      REQUIRE(x.next() == said);
    x.move(0, 0, 0);
    for (const auto* said :
         {"name o", "start 0", "0 state --/-- null", "0 state X-/-- null", "0 turn"})
      REQUIRE(o.next() == said);
    o.move(0, 0, 1);
    REQUIRE(o.next() == "0 state XO/-- null");
    alone.connect("well");
    at.await_waiting("tictactoe", 1);
    opponent.connect("too");
    REQUIRE(alone.next() == "name well");
    secret = alone.secret();
    REQUIRE(alone.next() == "start 0");
    kill_now(at);
  }
  std::ofstream{files / "poisoned"};
  CHECK(life_of(flags) == 128 + SIGABRT);
  hub at{flags};
  at.await_count("gamehub_recovery_games", {{"result", "quarantined"}}, 1);
  at.await_count("gamehub_recovery_games", {{"result", "restored"}}, 1);
  CHECK(at.process().errors().find("the hub went down while this game was replayed, and so did "
                                   "another process, which was ended by SIGABRT") !=
        std::string::npos);
  turns_client back{at.turns()};
  back.resume(secret);
  for (const auto* said : {"name well", "start 0", "0 state ---/---/--- null", "0 turn"})
    REQUIRE(back.next() == said);
}

TEST_CASE("plugins: a folder that is not there is a mistake") {
  const auto tried = run({{hub_program(), "serve", "--plugins", "/no/such/folder"}, {}});
  CHECK(tried.exit_code == 2);
  CHECK(tried.errors ==
        "gamehub: --plugins: /no/such/folder can't be read (No such file or directory): give a "
        "folder.\n");
  CHECK(run({{hub_program(), "engines", "--plugins", "/no/such/folder"}, {}}).exit_code == 2);
}

}  // namespace
}  // namespace gamehub::tests::system
