#include "hub/league/tournaments.hpp"

#include "tests/support/catch.hpp"

#include <set>

namespace gamehub::league {
namespace {

tournament of(run_format format, std::uint64_t bots, std::uint32_t games) {
  tournament r;
  r.engine = "nim";
  r.format = format;
  r.games = games;
  for (std::uint64_t n = 1; n <= bots; ++n) r.bots.push_back(bot_id{n});
  return r;
}

scheduled_match ended(run_id in, std::uint64_t x, std::uint64_t o,
                      std::optional<match_result> got) {
  scheduled_match f;
  f.run = in;
  f.bots = {bot_id{x}, bot_id{o}};
  f.state = match_state::ended;
  f.got = got;
  return f;
}

TEST_CASE("runs: in a round robin each pair plays the same number of games in both seats") {
  for (const std::uint64_t bots : {2u, 3u, 6u, 7u}) {
    std::map<std::array<bot_id, 2>, int> met;
    for (const auto& each : plan(of(run_format::round_robin, bots, 4))) ++met[each];
    CHECK(met.size() == bots * (bots - 1));
    for (const auto& [who, count] : met) CHECK(count == 2);
  }
}

TEST_CASE("runs: no bot gets far ahead of the others") {
  const auto all = plan(of(run_format::round_robin, 8, 2));
  // Four games are a round: all eight are in it.
  for (std::size_t round = 0; round < 7; ++round) {
    std::set<bot_id> seen;
    for (std::size_t i = 0; i < 4; ++i)
      for (const auto who : all.at(4 * round + i)) seen.insert(who);
    CHECK(seen.size() == 8);
  }
}

TEST_CASE("runs: in a gauntlet the first plays each other in both seats") {
  const auto all = plan(of(run_format::gauntlet, 4, 2));
  CHECK(all.size() == 6);
  int first = 0;
  for (const auto& bots : all) {
    CHECK((bots[0] == bot_id{1}) != (bots[1] == bot_id{1}));
    first += bots[0] == bot_id{1} ? 1 : 0;
  }
  CHECK(first == 3);
}

TEST_CASE("runs: standings have wins, opponents and reasons of losses") {
  tournament_table book;
  auto r = of(run_format::round_robin, 3, 2);
  book.add(r, 6);
  CHECK(book.count(ended(r.id, 1, 2, match_result{0, loss_reason::rules})) == nullptr);
  CHECK(book.count(ended(r.id, 2, 1, match_result{1, loss_reason::timeout})) == nullptr);
  CHECK(book.count(ended(r.id, 1, 3, match_result{{}, loss_reason::rules})) == nullptr);
  CHECK(book.count(ended(r.id, 3, 1, {})) == nullptr);
  CHECK(book.count(ended(r.id, 2, 3, match_result{0, loss_reason::forfeit})) == nullptr);
  REQUIRE(book.count(ended(r.id, 3, 2, match_result{0, loss_reason::absent})) != nullptr);
  const auto s = book.standings_of(r.id).value();
  CHECK(s.run.state == run_state::done);
  CHECK(s.games == 6);
  CHECK(s.ended == 6);
  CHECK(s.without_result == 1);
  REQUIRE(s.table.size() == 3);
  CHECK(s.table[0].who == bot_id{1});
  CHECK(s.table[0].points() == 2.5);
  CHECK(s.table[2].who == bot_id{2});
  CHECK(s.table[2].lost_by == std::array<std::uint64_t, 4>{1, 1, 0, 1});
  CHECK(s.table[0].elo.value > s.table[2].elo.value);
  REQUIRE(s.met.size() == 3);
  CHECK(s.met[0].wins == 2);
  CHECK(s.met[1].draws == 1);
  CHECK(s.met[2].wins == 1);
  CHECK(s.met[2].losses == 1);
}

TEST_CASE("runs: stored tournaments continue unchanged") {
  tournament_table book, later;
  auto r = of(run_format::round_robin, 2, 2);
  book.add(r, 2);
  const auto one = ended(r.id, 1, 2, match_result{0, loss_reason::rules});
  auto other = ended(r.id, 2, 1, {});
  other.state = match_state::waiting;
  later.load({r}, {one, other});
  CHECK(later.standings_of(r.id)->ended == 1);
  CHECK(later.standings_of(r.id)->games == 2);
  other.state = match_state::ended;
  REQUIRE(later.count(other) != nullptr);
  auto next = of(run_format::gauntlet, 2, 1);
  later.add(next, 1);
  CHECK(next.id > r.id);
}

TEST_CASE("runs: the oldest finished tournaments are removed") {
  tournament_table book;
  auto r = of(run_format::gauntlet, 2, 1);
  book.add(r, 1);
  const auto first = r.id;
  for (std::size_t n = 1; n < runs_kept; ++n) {
    book.add(r, 1);
    REQUIRE(book.count(ended(r.id, 1, 2, {})) != nullptr);
  }
  const auto dropped = book.add(r, 1);
  REQUIRE(dropped.size() == 1);
  CHECK(dropped[0].value == first.value + 1);
  CHECK(book.find(first) != nullptr);
  CHECK(book.cancel(first, 1) != nullptr);
  CHECK(book.cancel(first, 1) == nullptr);
  CHECK(book.standings_of(first)->games == 0);
}

}  // namespace
}  // namespace gamehub::league
