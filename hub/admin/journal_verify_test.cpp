#include "hub/admin/journal_verify.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/logged_games.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gamehub::admin {
namespace {

using tests::archive_in_memory;
using tests::logged_game;
using tests::won_game;

// What a verification finds, in words.
struct findings {
  verification result;
  std::vector<std::string> lines;
};

findings found_in(archive_in_memory all, const std::vector<game_id>& asked = {}) {
  findings out;
  out.result = verify(
      all, asked, engines::host::registry::built_in(),
      [&](const difference& d) { out.lines.push_back(in_words(d)); }, [](std::uint64_t) {});
  return out;
}

TEST_CASE("verify: finds nothing wrong with logs as games leave them") {
  const auto all = found_in(
      archive_in_memory{{tests::won_game(1), tests::logged_game(2, "connect-four", {3, 3, 4}),
                         tests::logged_game(3, "tictactoe", {}), tests::won_game(4)}});
  CHECK(all.lines.empty());
  CHECK(all.result.differences == 0);
  CHECK(all.result.games == 4);
  CHECK(all.result.moves == 13);
  CHECK(all.result.records == 27);
}

TEST_CASE("verify: names the game and the first record that is not as it was") {
  auto hash = tests::won_game(7), action = tests::won_game(8), end = tests::won_game(9);
  hash.records[4].state ^= 1;
  action.records[5].action = 0;
  end.records.back().seat = 1;
  const auto all = found_in(archive_in_memory{{hash, tests::won_game(1), action, end}});
  REQUIRE(all.lines.size() == 3);
  CHECK(all.lines[0].starts_with("game 7, record 5: "));
  CHECK(all.lines[1].starts_with("game 8, record 6: "));
  CHECK(all.lines[2].starts_with("game 9, record 9: "));
  CHECK(all.result.differences == 3);
}

TEST_CASE("verify: says once what is wrong with a damaged log") {
  auto cut = tests::won_game(7);
  cut.records.resize(5);
  cut.damage = "its sum does not agree";
  const auto all = found_in(archive_in_memory{{cut}});
  CHECK(all.lines == std::vector<std::string>{"game 7, record 6: its sum does not agree"});
}

TEST_CASE("verify: takes chat and leaving where they can be, and nowhere else") {
  using kind = journal::record::kind;
  const auto with = [](std::initializer_list<std::pair<kind, int>> more) {
    auto game = tests::logged_game(1, "tictactoe", {4});
    for (const auto& [what, seat] : more) {
      auto& r = game.records.emplace_back();
      r.number = game.records.size();
      r.what = what;
      r.seat = static_cast<std::int16_t>(seat);
      if (what == kind::ended) r.why = end_reason::left;
    }
    return found_in(archive_in_memory{{game}}).lines;
  };
  CHECK(with({{kind::said, 1}}).empty());
  CHECK(with({{kind::said, 0}, {kind::left, 1}, {kind::ended, 0}}).empty());
  // As it was logged once.
  CHECK(with({{kind::ended, 0}}).empty());
  const auto wrong = [&](std::initializer_list<std::pair<kind, int>> more) {
    return with(more).size() == 1;
  };
  CHECK(wrong({{kind::said, 2}}));
  CHECK(wrong({{kind::said, -1}}));
  CHECK(wrong({{kind::left, 2}, {kind::ended, 0}}));
  CHECK(wrong({{kind::left, 1}}));
  CHECK(wrong({{kind::left, 1}, {kind::said, 0}, {kind::ended, 0}}));
}

TEST_CASE("verify: says what SQLite finds wrong with the file, unless single games are asked for") {
  archive_in_memory all{{tests::won_game(1)}};
  all.damage_ = "a page is lost";
  CHECK(found_in(all).lines == std::vector<std::string>{"journal: a page is lost"});
  CHECK(found_in(all, {{1}}).lines.empty());
}

TEST_CASE("verify: counts games whose engine is not here and does not call them wrong") {
  auto one = tests::won_game(1), two = tests::won_game(2), three = tests::won_game(3);
  one.header.engine_version = three.header.engine_version = "0.0.1";
  two.header.engine = "chess";
  const auto all = found_in(archive_in_memory{{one, two, three, tests::won_game(4)}});
  CHECK(all.lines.empty());
  CHECK(all.result.games == 1);
  CHECK(all.result.skipped.at("tictactoe 0.0.1") == 2);
  CHECK(all.result.skipped.at("chess " + two.header.engine_version) == 1);
}

TEST_CASE("verify: plays a game in quarantine only if it is asked for") {
  auto poison = tests::won_game(5);
  poison.state = journal::game_state::quarantined;
  poison.records[3].state ^= 1;
  const auto passed = found_in(archive_in_memory{{poison, tests::won_game(6)}});
  CHECK(passed.lines.empty());
  CHECK(passed.result.in_quarantine == 1);
  CHECK(passed.result.games == 1);
  CHECK(found_in(archive_in_memory{{poison}}, {{5}}).lines.size() == 1);
}

TEST_CASE("verify: names the games that were asked for and are not there") {
  const auto all =
      found_in(archive_in_memory{{tests::won_game(1), tests::won_game(2)}}, {{2}, {3}});
  CHECK(all.result.games == 1);
  CHECK(all.result.missing == std::vector<game_id>{{3}});
}

TEST_CASE("verify: sums up for people and for programs") {
  verification v;
  v.games = 1'000'000;
  v.records = 11'000'000;
  v.moves = 1;
  v.differences = 1;
  v.in_quarantine = 1;
  v.skipped["chess 2.0.0"] = 3;
  CHECK(
      summary_text(v, std::chrono::milliseconds{500}) ==
      "skipped 3 games of chess 2.0.0: this program has no such version of the engine\n"
      "passed over 1 game in quarantine: name one by its number to play it\n"
      "verified 1,000,000 games, 11,000,000 records, 1 move in 0.5 s (2 moves/s): 1 difference\n");
  const std::vector<difference> shown{{{17}, 5, "is refused"}, {{}, 0, "lost"}};
  const auto said = nlohmann::json::parse(summary_json(v, std::chrono::seconds{1}, shown));
  CHECK(said["games"] == 1'000'000);
  CHECK(said["moves_per_second"] == 1.0);
  CHECK(said["skipped"][0]["engine"] == "chess 2.0.0");
  CHECK(said["found"][0]["record"] == 5);
  CHECK(said["found"][1]["game"].is_null());
}

}  // namespace
}  // namespace gamehub::admin
