// What an operator does with a journal, by the real program: while a hub writes to it, and after.
#include "tests/support/catch.hpp"
#include "tests/system/whole_game.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gamehub::tests::system {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// A folder with a journal in it, and the program's verbs about that.
class desk {
 public:
  std::string file() const { return folder_.path() + "/journal.db"; }
  const temporary_folder& folder() const { return folder_; }
  std::vector<std::string> flags() const { return {"--journal", "sqlite:" + file()}; }

  run_result gamehub(std::vector<std::string> words) const {
    words.insert(words.begin(), hub_program());
    words.insert(words.end(), {"--journal", "sqlite:" + file()});
    return run({std::move(words), {}, folder_.path()});
  }
  // What it prints, which shall go well.
  std::string says(std::vector<std::string> words) const {
    const auto result = gamehub(std::move(words));
    CAPTURE(result.output, result.errors);
    REQUIRE(result.exit_code == 0);
    CHECK(result.errors.empty());
    return result.output;
  }
  std::vector<json> exported(std::vector<std::string> games = {}) const {
    games.insert(games.begin(), {"journal", "export"});
    std::vector<json> out;
    const auto text = says(std::move(games));
    for (std::size_t begin = 0; begin < text.size();) {
      const auto end = text.find('\n', begin);
      out.push_back(json::parse(text.substr(begin, end - begin)));
      begin = end + 1;
    }
    return out;
  }

 private:
  temporary_folder folder_;
};

// Runs one statement on the file, behind the hub's back.
void tamper(const std::string& file, const std::string& statement) {
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &db) == SQLITE_OK);
  char* error = nullptr;
  sqlite3_exec(db, statement.c_str(), nullptr, nullptr, &error);
  INFO((error == nullptr ? "" : error));
  CHECK(sqlite3_changes(db) >= 0);
  CHECK(error == nullptr);
  sqlite3_free(error);
  sqlite3_close(db);
}

void play_all(hub& at) {
  for (const auto& how : scripts()) play_whole_game(at, wire::opcodes, wire::turns, how);
}

// Leaves a journal of a hub that ended: three games, played to their ends.
void fill(const desk& with) {
  hub at{with.flags()};
  play_all(at);
}

void check_journal_mistake(const run_result& result, const std::vector<std::string>& words) {
  CAPTURE(result.errors, result.output);
  CHECK(result.exit_code == 2);
  CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
  CHECK(result.errors.starts_with("gamehub: "));
  for (const auto& word : words) {
    CAPTURE(word);
    CHECK(result.errors.find(word) != result.errors.npos);
  }
}

run_result serve_on(const std::string& journal, const std::string& more = "--loops=1") {
  return run({{hub_program(), "serve", "--turns-port", "0", "--opcodes-port", "0", "--udp-port",
               "0", "--http-port", "0", "--admin-port", "0", "--log-level", "off", more,
               "--journal", "sqlite:" + journal},
              {}});
}

TEST_CASE("journal_verbs: tell of the games while the hub runs and afterwards") {
  const desk with;
  const auto look = [&] {
    const auto games = with.exported();
    REQUIRE(games.size() == 3);
    std::vector<json> winners;
    for (const auto& each : games) {
      CHECK(each["state"] == "ended");
      CHECK(each["engine"] == "tictactoe");
      CHECK(each["seats"][0]["wire"] == "opcodes");
      CHECK(each["seats"][1]["wire"] == "turns");
      CHECK(each["result"]["reason"] == "rules");
      CHECK(each["records"].back()["what"] == "ended");
      CHECK(each.dump().find("secret") == std::string::npos);
      winners.push_back(each["result"]["winner"]);
    }
    CHECK(winners == std::vector<json>{0, 1, nullptr});
    CHECK(games[0]["records"][3]["action"] == scripts()[0].cells[0]);
    const auto number = games[1]["game"].dump();
    CHECK(with.exported({number}) == std::vector<json>{games[1]});
    const auto stats = json::parse(with.says({"journal", "stats", "--json"}));
    CHECK(stats["games"] == 3);
    CHECK(stats["ended"] == 3);
    CHECK(with.says({"journal", "stats"}).find("tictactoe") != std::string::npos);
    CHECK(with.says({"verify"}).find("verified 3 games") != std::string::npos);
    CHECK(with.says({"verify", number}).find("verified 1 game,") != std::string::npos);
  };
  {
    hub at{with.flags()};
    play_all(at);
    look();
    at.await_count("gamehub_journal_ok", {}, 1);
    CHECK(at.count("gamehub_journal_records_total") >= 3 * 8);
    at.await_count("gamehub_journal_games", {{"state", "ended"}}, 3);
  }
  look();
  const auto none = with.gamehub({"verify", "999999"});
  check_journal_mistake(none, {with.file(), "no game 999999"});
  CHECK(none.output.empty());
}

TEST_CASE("journal_verbs: export into a file, which appears when it is whole") {
  const desk with;
  fill(with);
  const auto file = with.folder().path() + "/games.jsonl";
  CHECK(with.says({"journal", "export", "--output", file}).empty());
  // It has names and chat.
  CHECK(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  std::ifstream in{file};
  int lines = 0;
  for (std::string line; std::getline(in, line); ++lines) CHECK(json::parse(line).is_object());
  CHECK(lines == 3);
  CHECK_FALSE(fs::exists(file + ".part"));
  check_journal_mistake(with.gamehub({"journal", "export", "--output", "/proc/none/x"}),
                        {"/proc/none/x"});
  check_journal_mistake(with.gamehub({"journal", "export", "--output", with.file()}), {"itself"});
}

TEST_CASE("journal_verbs: back up under a hub that writes, and a hub goes on from the copy") {
  const desk with;
  const auto copy = with.folder().path() + "/copy.db";
  {
    hub at{with.flags()};
    play_all(at);
    CHECK(with.says({"journal", "backup", copy}).find(copy) != std::string::npos);
    check_others_play(at);
    check_journal_mistake(with.gamehub({"journal", "backup", with.file()}), {"itself"});
    check_journal_mistake(with.gamehub({"journal", "backup", with.folder().path()}),
                          {with.folder().path(), "directory"});
    check_journal_mistake(
        with.gamehub({"journal", "backup", with.folder().path() + "/missing/x.db"}),
        {"there is no folder " + with.folder().path() + "/missing"});
  }
  const auto of_copy = run({{hub_program(), "verify", "--journal", "sqlite:" + copy}, {}});
  CHECK(of_copy.exit_code == 0);
  CHECK(of_copy.output.find("verified 3 games") != std::string::npos);
  hub at{{"--journal", "sqlite:" + copy}};
  check_others_play(at);
  at.await_count("gamehub_journal_games", {{"state", "ended"}}, 4);
}

TEST_CASE("journal_verbs: verify names the game of which one byte was changed") {
  const desk with;
  fill(with);
  const auto number = with.exported()[1]["game"].dump();
  // The first byte of SQLite's substr is number 1.
  tamper(with.file(),
         "UPDATE games SET log = CAST(substr(log, 1, 20) AS BLOB) || "
         "CASE substr(log, 21, 1) WHEN x'2a' THEN x'2b' ELSE x'2a' END || "
         "CAST(substr(log, 22) AS BLOB) WHERE id = " +
             number);
  const auto all = with.gamehub({"verify"});
  CAPTURE(all.output, all.errors);
  CHECK(all.exit_code == 1);
  CHECK(all.output.find("game " + number) == 0);
  CHECK(all.output.find("1 difference") != std::string::npos);
  const auto as_json = with.gamehub({"verify", "--json"});
  CHECK(as_json.exit_code == 1);
  CHECK(json::parse(as_json.output)["found"][0]["game"].dump() == number);
}

TEST_CASE("journal_verbs: a second hub on the same journal is a mistake") {
  const desk with;
  hub at{with.flags()};
  check_journal_mistake(serve_on(with.file(), "--journal-wait-seconds=0"), {with.file(), "in use"});
  check_journal_mistake(with.gamehub({"serve", "--check"}), {with.file(), "in use"});
  check_others_play(at);
}

TEST_CASE("journal_verbs: a file that is no journal, or a newer one, is a mistake") {
  const desk with;
  const auto text = with.folder().write("notes.txt", std::string(5'000, 'x'));
  const auto other = with.folder().path() + "/other.db";
  const auto newer = with.folder().path() + "/newer.db";
  tamper(other, "CREATE TABLE recipes (name TEXT)");
  CHECK(serve_on(newer, "--check").exit_code == 0);
  CHECK_FALSE(fs::exists(newer));
  fill(with);
  fs::copy_file(with.file(), newer);
  tamper(newer, "PRAGMA user_version = 1000000");
  for (const auto& [file, word] : std::vector<std::pair<std::string, std::string>>{
           {text, "no journal"}, {other, "another program"}, {newer, "newer"}}) {
    check_journal_mistake(serve_on(file), {file, word});
    check_journal_mistake(serve_on(file, "--check"), {file, word});
    const auto asked =
        std::vector<std::string>{hub_program(), "journal", "stats", "--journal", "sqlite:" + file};
    check_journal_mistake(run({asked, {}}), {file, word});
  }
}

TEST_CASE("journal_verbs: a journal that is not there is a mistake and is not made") {
  const desk with;
  check_journal_mistake(with.gamehub({"journal", "stats"}), {with.file()});
  check_journal_mistake(with.gamehub({"verify"}), {with.file()});
  CHECK_FALSE(fs::exists(with.file()));
}

TEST_CASE("journal_verbs: a folder that can't be written is a mistake") {
  // Not even root makes files there.
  check_journal_mistake(serve_on("/proc/gamehub/journal.db"), {"/proc"});
  const desk with;
  const auto below_a_file = with.folder().write("notes.txt", "x") + "/journal.db";
  check_journal_mistake(serve_on(below_a_file), {"notes.txt"});
  check_journal_mistake(serve_on(below_a_file, "--check"), {"notes.txt"});
  if (geteuid() == 0) return;
  const auto closed = with.folder().path() + "/closed";
  fs::create_directory(closed);
  fs::permissions(closed, fs::perms::owner_read | fs::perms::owner_exec);
  check_journal_mistake(serve_on(closed + "/journal.db"), {closed});
  check_journal_mistake(serve_on(closed + "/journal.db", "--check"), {closed});
}

TEST_CASE("journal_verbs: an operator ends a game, and the log says why") {
  const desk with;
  {
    hub at{with.flags()};
    const auto game = open_game(at, wire::opcodes, wire::turns);
    CHECK(with.exported()[0]["result"].is_null());
    const auto number = with.exported()[0]["game"].dump();
    CHECK(at.post("/games/999999/end?reason=x").status == 404);
    CHECK(at.post("/games/" + number + "/end").status == 400);
    CHECK(at.get("/games/" + number + "/end?reason=x").status == 405);
    CHECK(at.post("/games/" + number + "/end?reason=the%20hall%20closes").status == 202);
    game.x->sees_no_contest(game.board);
    game.o->sees_no_contest(game.board);
    at.await("says that the game is over", [&] { return at.count("gamehub_games_running") == 0; });
    // The lobby forgets the game once its actor has quit, which is after the metrics have counted
    // it.
    at.await("has forgotten the game",
             [&] { return at.post("/games/" + number + "/end?reason=again").status == 404; });
    const auto log = at.process().errors();
    CHECK(log.find("an operator wants to end a game that does not run here game=999999\n") !=
          log.npos);
    CHECK(log.find("an operator ends a game game=999999") == log.npos);
    CHECK(log.find("an operator ends a game game=" + number + " reason=\"the hall closes\"\n") !=
          log.npos);
  }
  const auto game = with.exported().at(0);
  CHECK(game["result"]["reason"] == "operator");
  CHECK(game["records"].back()["text"] == "the hall closes");
  CHECK(with.says({"verify"}).find("verified 1 game,") != std::string::npos);
}

TEST_CASE("journal_verbs: forget a player, and the games stay as they were played") {
  const desk with;
  {
    hub at{with.flags()};
    turns_client ann{at.turns()}, bob{at.turns()};
    ann.connect("ann");
    CHECK(ann.next() == "name ann");
    at.await_waiting("tictactoe", 1);
    bob.connect("bob");
    CHECK(bob.next() == "name bob");
    CHECK(ann.next() == "start 0");
    bob.socket().close();
    at.await_count("gamehub_games_finished_total", {{"reason", "left"}}, 1);
  }
  const auto before = with.exported().at(0);
  CHECK(before["seats"][0]["name"] == "ann");
  CHECK(with.says({"journal", "forget", "--name", "ann"}) == "forgotten in 1 game\n");
  CHECK(with.says({"journal", "forget", "--name", "ann"}) == "forgotten in 0 games\n");
  const auto bobs = before["seats"][1]["player"].dump();
  CHECK(with.says({"journal", "forget", "--player", bobs}) == "forgotten in 1 game\n");
  const auto after = with.exported().at(0);
  CHECK(after.dump().find("ann") == std::string::npos);
  CHECK(after.dump().find("bob") == std::string::npos);
  CHECK(after["records"].size() == before["records"].size());
  CHECK(after["result"] == before["result"]);
  CHECK(with.says({"verify"}).find("all is well") != std::string::npos);
}

}  // namespace
}  // namespace gamehub::tests::system
