// What an engine throws while the hub or a verb reads a stored game, or what there is of engines,
// ends no more than that. The table is the last one of "Containment" in engines/README.md.
#include "tests/system/api_client.hpp"
#include "tests/system/hostile.hpp"
#include "tests/system/runbook.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

const std::string quarantined = "in quarantine", reported = "reported", without = "without it",
                  refused = "refused", unused = "–";

// A function of abi.h, and what its exception leads to.
struct stored {
  std::string function;
  std::string restarted, restarted_isolated, verified, exported, listed;
};

const std::vector<stored>& stored_table() {
  static const std::vector<stored> all{
      {"create", quarantined, quarantined, reported, without, refused},
      {"clone", unused, unused, unused, unused, unused},
      {"players", quarantined, quarantined, reported, without, unused},
      {"to_move", quarantined, quarantined, reported, without, unused},
      {"action_from_json", unused, unused, unused, unused, unused},
      {"action_from_text", unused, unused, unused, unused, unused},
      {"action_at", unused, unused, unused, unused, unused},
      {"audience", unused, unused, unused, unused, unused},
      {"legal_actions", unused, unused, unused, unused, unused},
      {"chance_outcomes", unused, quarantined, unused, unused, unused},
      {"apply", quarantined, quarantined, reported, without, unused},
      {"hash", quarantined, quarantined, reported, unused, unused},
      {"scores", unused, unused, reported, without, unused},
      {"view_json", unused, unused, unused, unused, unused},
      {"glyphs", unused, unused, unused, unused, refused},
      {"size", unused, quarantined, unused, unused, refused},
      {"cell_of", unused, unused, unused, unused, unused},
      {"action_to_text", unused, unused, unused, without, unused},
      {"action_to_json", unused, unused, unused, unused, unused},
      {"score", unused, unused, unused, unused, unused},
      {"summary", unused, unused, unused, unused, unused},
      {"save", unused, unused, unused, unused, unused},
      {"load", unused, unused, unused, unused, unused},
  };
  return all;
}

// As in the document.
std::string text_of(const stored& row) {
  return "| `" + row.function + "` | " + row.restarted + " | " + row.restarted_isolated + " | " +
         row.verified + " | " + row.exported + " | " + row.listed + " |";
}

std::set<std::string> documented_lines() {
  std::ifstream in{std::string{GAMEHUB_SOURCE_DIR} + "/engines/README.md"};
  std::set<std::string> out;
  for (std::string line; std::getline(in, line);) out.insert(line);
  return out;
}

std::vector<json> lines_of(const std::string& text) {
  std::vector<json> out;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);) out.push_back(json::parse(line));
  return out;
}

std::string what_of(const std::string& order) {
  return order == "throw" ? "told to throw" : "it threw a value of type int";
}

// The journal of a hub that was killed. Game 1 is one of the hostile engine that was played to its
// end, 2 is one of another engine that goes on, 3 is one of the hostile engine that goes on.
class stored_games {
 public:
  stored_games() {
    hub at{flags(false, folder_)};
    match ended{at, "hostile"};
    ended.begin();
    ended.move_x(0, 0), ended.hear_x_moved(), ended.move_o(1, 0), ended.hear_o_moved();
    ended.move_x(0, 1), ended.hear_x_moved(), ended.move_o(1, 1), ended.hear_o_moved();
    ended.move_x(0, 2), ended.hear_end();
    ended.leave();
    at.await_count("gamehub_sessions", {}, 0);
    turns_client x{at.turns()}, o{at.turns()};
    x.connect(nullptr, "connect-four");
    REQUIRE(x.next().starts_with("name "));
    at.await_waiting("connect-four", 1);
    o.connect(nullptr, "connect-four");
    REQUIRE(o.next().starts_with("name "));
    at.await_count("gamehub_games_running", {}, 1);
    match running{at, "hostile"};
    running.begin();
    running.move_x(0, 0), running.hear_x_moved();
    secrets_ = {x.secret(), o.secret()};
    at.process().signal(SIGKILL);
    at.wait();
    healthy_ = lines_of(read({"journal", "export"}).output);
    REQUIRE(healthy_.size() == 3);
    listed_ = json::parse(list().output).at("engines").size();
  }

  // The answers say what became of it, in the words of the table. `order` is "throw" or "number".
  std::string restart(const std::string& order, const std::string& function, bool isolated) {
    const temporary_folder copy;
    for (const auto& each : std::filesystem::directory_iterator{folder_.path()})
      std::filesystem::copy(each.path(), copy.path());
    // The hub makes two matches when it reads what the engine is.
    to_.give(order + " from-3 " + function);
    hub at{flags(isolated, copy)};
    at.await("is ready", [&] { return at.get("/readyz").status == 200; });
    to_.take_back();
    const auto gone = at.count("gamehub_recovery_games", {{"result", "quarantined"}});
    CHECK(at.count("gamehub_recovery_games", {{"result", "restored"}}) == 2 - gone);
    check_lines(at.process().errors(), order, function, gone == 0 ? 0 : 1);
    // The game of another engine goes on.
    turns_client x{at.turns()}, o{at.turns()};
    x.resume(secrets_.first), o.resume(secrets_.second);
    for (auto* each : {&x, &o}) {
      REQUIRE(each->next().starts_with("name "));
      REQUIRE(each->next() == "start 0");
      REQUIRE(each->next().starts_with("0 state "));
    }
    REQUIRE(x.next() == "0 turn");
    x.move(0, 0, 3);
    for (auto* each : {&x, &o}) REQUIRE(each->next().starts_with("0 state "));
    // So does the engine.
    expect_plays(at, "hostile");
    CHECK(at.get("/healthz").status == 200);
    CHECK(at.count("gamehub_internal_errors_total") == 0);
    CHECK(at.count("gamehub_engine_restarts_total") == 0);
    at.process().signal(SIGKILL);
    at.wait();
    return gone == 0 ? unused : quarantined;
  }

  std::string verify(const std::string& order, const std::string& function) {
    to_.give(order + " from-2 " + function);
    const auto result = read({"verify"});
    to_.take_back();
    CAPTURE(result.output, result.errors);
    const bool found = result.exit_code == 1;
    CHECK((found || result.exit_code == 0));
    CHECK(has(result.output, "the engine failed: " + what_of(order)) == found);
    CHECK_FALSE(has(result.output, "game 2"));
    return found ? reported : unused;
  }

  std::string export_games(const std::string& order, const std::string& function) {
    to_.give(order + " from-2 " + function);
    const auto result = read({"journal", "export"});
    to_.take_back();
    CAPTURE(result.output, result.errors);
    CHECK(result.exit_code == 0);
    const auto lines = lines_of(result.output);
    REQUIRE(lines.size() == 3);
    CHECK(lines[1] == healthy_[1]);
    for (const auto i : {0U, 2U})
      CHECK(lines[i]["records"].size() == healthy_[i]["records"].size());
    return lines == healthy_ ? unused : without;
  }

  std::string list_engines(const std::string& order, const std::string& function) {
    to_.give(order + " from-2 " + function);
    const auto result = list();
    to_.take_back();
    CAPTURE(result.output, result.errors);
    CHECK(result.exit_code == 0);
    const auto said = json::parse(result.output);
    const auto& gone = said.at("refused");
    CHECK(said.at("engines").size() + gone.size() == listed_);
    if (gone.empty()) return unused;
    CHECK(gone.at(0).at("why") == what_of(order));
    return refused;
  }

 private:
  std::vector<std::string> flags(bool isolated, const temporary_folder& at) const {
    return stage::flags(to_, isolated, "60000", {"--journal", journal_in(at)});
  }
  static std::string journal_in(const temporary_folder& at) {
    return "sqlite:" + at.path() + "/journal.db";
  }
  run_result read(std::vector<std::string> verb) const {
    verb.insert(verb.begin(), hub_program());
    verb.insert(verb.end(), {"--journal", journal_in(folder_), "--plugins", to_.folder()});
    return run({std::move(verb), {}});
  }
  run_result list() const {
    return run({{hub_program(), "engines", "--json", "--plugins", to_.folder()}, {}});
  }

  // Each line about a failed engine names what failed in the game that goes on, and why.
  static void check_lines(const std::string& log, const std::string& order,
                          const std::string& function, std::ptrdiff_t wanted) {
    CAPTURE(log);
    const std::regex any{"an engine failed"};
    const std::regex whole{
        "error   an engine failed engine=hostile version=1\\.0\\.0 game=3 function=" + function +
        " what=\"" + what_of(order) + "\" "};
    const auto count = [&](const std::regex& of) {
      return std::distance(std::sregex_iterator{log.begin(), log.end(), of}, {});
    };
    CHECK(count(any) == wanted);
    CHECK(count(whole) == wanted);
  }

  const orders to_{{"draws", "checked-well"}};
  temporary_folder folder_;
  std::pair<std::string, std::string> secrets_;
  std::vector<json> healthy_;
  std::size_t listed_ = 0;
};

TEST_CASE("faults: the table of what throws while stored games and engines are read") {
  const auto documented = documented_lines();
  stored_games all;
  for (const auto& row : stored_table())
    for (const std::string order : {"throw", "number"}) {
      INFO(order << ' ' << row.function);
      const stored seen{row.function,
                        all.restart(order, row.function, false),
                        all.restart(order, row.function, true),
                        all.verify(order, row.function),
                        all.export_games(order, row.function),
                        all.list_engines(order, row.function)};
      CHECK(text_of(seen) == text_of(row));
      CHECK(documented.count(text_of(seen)) == 1);
    }
}

TEST_CASE("faults: an engine that throws as its game wakes up ends that game, and others wake") {
  const temporary_folder folder;
  const orders to;
  hub at{
      stage::flags(to, false, "60000",
                   {"--journal", "sqlite:" + folder.path() + "/journal.db", "--sleep-after-seconds",
                    "1", "--http-grace-seconds", "1", "--idle-seconds", "1"})};
  std::string bad, good, ann;
  {
    api_player x{at.http(), "ann"}, o{at.http(), "bob"};
    const auto seat_both = [&](const std::string& engine) {
      const auto wish = "&keep=true&clock=days:2&engine=" + engine;
      const auto game = x.play(wish)["game_id"].get<std::string>();
      REQUIRE(o.play(wish)["game_id"] == game);
      return game;
    };
    bad = seat_both("hostile");
    good = seat_both("tictactoe");
    CHECK(x.post("/api/move", "&position=4&game_id=" + bad).body == "{}");
    ann = x.id;
  }
  at.await_count("gamehub_games_asleep", {}, 2);
  to.give("throw apply");
  api_client guest{at.http()};
  CHECK(guest.get("/api/games/" + bad).status == 404);
  to.take_back();
  const auto log = at.process().errors();
  CAPTURE(log);
  CHECK(
      std::regex_search(log, std::regex{"error   an engine failed engine=hostile version=1\\.0\\.0 "
                                        "game=" +
                                        bad + " function=apply what=\"told to throw\" "}));
  CHECK(has(log, "warning " +
                     promised("a game that was asleep does not replay, and is in quarantine") +
                     " game=" + bad));
  const auto own = guest.get("/api/me/games?client_id=" + ann).json()["games"];
  REQUIRE(own.size() == 1);
  CHECK(own[0]["game_id"] == good);
  CHECK(guest.post("/api/quit", "game_id=" + good + "&client_id=" + ann).body == "{}");
  CHECK(at.get("/healthz").status == 200);
  at.process().signal(SIGTERM);
  CHECK(at.wait() == 0);
}

}  // namespace
}  // namespace gamehub::tests::system
