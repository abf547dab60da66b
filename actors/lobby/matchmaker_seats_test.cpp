// Who must have a seat, who was told one, and who plays against the engine.
#include "actors/lobby/matchmaker.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <map>
#include <random>

using namespace gamehub;
using namespace std::chrono_literals;
using actors::lobby::matchmaker;
using actors::lobby::open_seek;
using actors::lobby::pairing;
using actors::lobby::placement;

namespace {

const base::instant start{1h};
constexpr std::uint16_t ttt = 0, four = 1, trio = 2;

struct wish {
  std::optional<seat_index> seat = {};
  bool again = false, at_once = true, against_engine = false;
  std::uint32_t games_max = 1;
  std::vector<std::uint16_t> engines{ttt};
};

open_seek of(std::uint64_t who, const wish& w) {
  open_seek o{{who}, {}, w.games_max, w.again, w.at_once, 0, w.seat, w.against_engine};
  for (const auto e : w.engines) o.queues.push_back({e, {}});
  return o;
}

using seated = std::vector<std::vector<std::uint64_t>>;

// By seat; 0: the engine player.
seated seatings(const std::vector<pairing>& tables) {
  seated all;
  for (const auto& t : tables) {
    auto& one = all.emplace_back();
    for (const auto p : t.players) one.push_back(p.value);
  }
  return all;
}

// Two players of the first two engines, three of the last.
struct salon {
  matchmaker m{{2, 2, 3}};
  base::instant now = start;

  placement place(std::uint64_t who, const wish& w = {}) {
    return std::get<placement>(m.place(of(who, w), now));
  }
  seated tables_of(std::uint64_t who, const wish& w = {}) { return seatings(place(who, w).tables); }
  seated ended(std::uint64_t who) {
    std::vector<pairing> tables;
    m.game_ended({who}, now, tables);
    return seatings(tables);
  }
};

}  // namespace

TEST_CASE("matchmaker: who must have a seat gets it, though another waited first") {
  salon h;
  SECTION("the second seat, coming first") {
    const auto first = h.place(1, {.seat = 1});
    CHECK(first.seat == 1);
    CHECK(first.tables.empty());
    const auto second = h.place(2);
    CHECK(second.seat == 0);
    CHECK(seatings(second.tables) == seated{{2, 1}});
  }
  SECTION("the first seat, of one who was not told any") {
    CHECK(h.tables_of(1, {.at_once = false}).empty());
    CHECK(h.tables_of(2, {.seat = 0}) == seated{{2, 1}});
  }
}

TEST_CASE("matchmaker: two players who require the first seat are not paired") {
  salon h;
  CHECK(h.place(1).seat == 0);
  const auto late = h.place(2, {.seat = 0});
  CHECK(late.seat == 0);
  CHECK(late.tables.empty());
  CHECK(h.m.waiting(ttt) == 2);
  // Both get the seat they were told of.
  CHECK(h.tables_of(3) == seated{{1, 3}});
  CHECK(h.tables_of(4, {.seat = 1}) == seated{{2, 4}});
}

TEST_CASE("matchmaker: two who must have the same seat do not meet") {
  const seat_index seat = GENERATE(0, 1);
  salon h;
  CHECK(h.tables_of(1, {.seat = seat}).empty());
  CHECK(h.tables_of(2, {.seat = seat}).empty());
  const auto one = std::uint64_t{1}, three = std::uint64_t{3};
  CHECK(h.tables_of(3, {.seat = 1 - seat}) ==
        (seat == 0 ? seated{{one, three}} : seated{{three, one}}));
  CHECK(h.m.waiting(ttt) == 1);
}

TEST_CASE("matchmaker: who needs no seat fits one who needs any, first come first served") {
  salon h;
  h.place(1, {.seat = 1});
  h.place(2, {.seat = 1});
  CHECK(h.tables_of(3, {.at_once = false}) == seated{{3, 1}});
  CHECK(h.tables_of(4, {.at_once = false}) == seated{{4, 2}});
}

TEST_CASE("matchmaker: at a table of three every player has its required or reported seat") {
  salon h;
  CHECK(h.place(1, {.engines = {trio}}).seat == 0);
  CHECK(h.place(2, {.engines = {trio}}).seat == 1);
  SECTION("the last one takes what is left") {
    CHECK(h.tables_of(3, {.at_once = false, .engines = {trio}}) == seated{{1, 2, 3}});
  }
  SECTION("one that needs a seat that was given waits for others") {
    CHECK(h.tables_of(3, {.seat = 1, .engines = {trio}}).empty());
    CHECK(h.tables_of(4, {.seat = 2, .engines = {trio}}) == seated{{1, 2, 4}});
    CHECK(h.m.waiting(trio) == 1);
  }
  SECTION("who comes after one that needs a seat is told another") {
    h.place(3, {.seat = 0, .engines = {trio}});
    CHECK(h.tables_of(4, {.seat = 2, .engines = {trio}}) == seated{{1, 2, 4}});
    CHECK(h.place(5, {.engines = {trio}}).seat == 1);
  }
}

TEST_CASE("matchmaker: a reported seat of a standing seek applies to its first game") {
  salon h;
  CHECK(h.place(1, {.again = true}).seat == 0);
  CHECK(h.tables_of(2) == seated{{1, 2}});
  h.place(3, {.seat = 0});
  CHECK(h.ended(1) == seated{{3, 1}});
}

TEST_CASE("matchmaker: a seat that a standing open_seek must have it has in every game") {
  salon h;
  h.place(1, {.seat = 1, .again = true, .at_once = false});
  for (const std::uint64_t other : {2u, 3u, 4u}) {
    CHECK(h.tables_of(other) == seated{{other, 1}});
    CHECK(h.ended(1).empty());
  }
}

TEST_CASE("matchmaker: kept apart or not, who needs the same seat is not paired") {
  salon h;
  h.place(1, {.again = true, .at_once = false});
  h.place(2, {.again = true, .at_once = false});
  h.place(3, {.seat = 0});
  h.ended(1);
  CHECK(h.m.waiting(ttt) == 0);
  h.place(4, {.seat = 0});
  h.place(5, {.seat = 0});
  std::vector<pairing> tables;
  h.m.advance(start + 10s, tables);
  CHECK(tables.empty());
}

TEST_CASE("matchmaker: a seek against an engine never waits and takes no waiting player") {
  salon h;
  h.place(1);
  const auto placed = h.place(2, {.against_engine = true});
  CHECK(placed.seat == 0);
  CHECK(seatings(placed.tables) == seated{{2, 0}});
  CHECK(h.tables_of(3, {.seat = 1, .against_engine = true}) == seated{{0, 3}});
  CHECK(h.tables_of(4, {.seat = 2, .against_engine = true, .engines = {trio}}) ==
        seated{{0, 0, 4}});
  CHECK(h.m.waiting(ttt) == 1);
  CHECK_FALSE(h.m.has_standing_seek({2}));
  CHECK(h.tables_of(5) == seated{{1, 5}});
}

TEST_CASE(
    "matchmaker: a seek against an engine opens the requested games, in turn for each engine") {
  salon h;
  CHECK(h.tables_of(
            1, {.again = true, .against_engine = true, .games_max = 2, .engines = {ttt, trio}}) ==
        seated{{1, 0}, {1, 0, 0}});
  CHECK(h.ended(1) == seated{{1, 0}});
  CHECK(h.ended(1) == seated{{1, 0, 0}});
  CHECK(h.m.withdraw({1}));
  CHECK(h.ended(1).empty());
}

TEST_CASE("matchmaker: the number of simultaneous games against an engine is limited") {
  salon h;
  const auto tables = h.tables_of(1, {.again = true, .against_engine = true, .games_max = 1'000});
  CHECK(tables.size() == limits::engine_games_max);
  CHECK(h.ended(1).size() == 1);
}

TEST_CASE("matchmaker: no game against an engine starts for an absent player") {
  salon h;
  std::vector<pairing> tables;
  h.place(1, {.again = true, .against_engine = true});
  h.m.set_away({1}, true, h.now, tables);
  CHECK(h.ended(1).empty());
  h.m.set_away({1}, false, h.now, tables);
  CHECK(seatings(tables) == seated{{1, 0}});
}

TEST_CASE("matchmaker: in random runs every player has its required or reported seat") {
  const auto seed = GENERATE(range(1u, 21u));
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  salon h;
  struct guest {
    std::optional<seat_index> needs, told;
    bool offers = false, again = false, against_engine = false;
  };
  std::map<std::uint64_t, guest> guests;
  int games = 0, with_needs = 0;
  const auto open = [&](const seated& tables, std::uint64_t asking) {
    for (const auto& t : tables) {
      ++games;
      const auto empty = std::count(t.begin(), t.end(), 0u);
      for (std::size_t seat = 0; seat < t.size(); ++seat) {
        if (t[seat] == 0) continue;
        auto& g = guests.at(t[seat]);
        // What it is told in this very answer is looked at below.
        if (g.needs) CHECK(*g.needs == static_cast<seat_index>(seat));
        if (g.told && t[seat] != asking) CHECK(*g.told == static_cast<seat_index>(seat));
        CHECK(g.against_engine == (empty == static_cast<std::ptrdiff_t>(t.size()) - 1));
        with_needs += g.needs || g.told ? 1 : 0;
        g.told.reset();
        g.offers = g.again;
      }
      if (empty != 0) continue;
      auto each = t;
      std::sort(each.begin(), each.end());
      CHECK(std::adjacent_find(each.begin(), each.end()) == each.end());
    }
  };
  for (int i = 0; i < 2'000; ++i) {
    const std::uint64_t who = 1 + random() % 16;
    auto& g = guests[who];
    if (g.offers) {
      if (random() % 3 == 0) {
        CHECK(h.m.withdraw({who}));
        g = {};
      } else if (random() % 2 == 0) {
        open(h.ended(who), 0);
      }
      continue;
    }
    wish w;
    if (random() % 2 == 0) w.seat = static_cast<seat_index>(random() % 2);
    w.again = random() % 4 == 0;
    w.at_once = random() % 2 == 0;
    w.against_engine = random() % 8 == 0;
    w.engines = {static_cast<std::uint16_t>(random() % 3)};
    g = {w.seat, {}, true, w.again, w.against_engine};
    const auto placed = h.place(who, w);
    CHECK(placed.seat.has_value() == w.at_once);
    if (w.at_once && placed.tables.empty()) g.told = placed.seat;
    open(seatings(placed.tables), who);
    if (w.at_once && !placed.tables.empty()) {
      const auto& t = placed.tables.back().players;
      CHECK(t[static_cast<std::size_t>(*placed.seat)] == player_id{who});
    }
    h.now += std::chrono::milliseconds{random() % 200};
    std::vector<pairing> tables;
    h.m.advance(h.now, tables);
    open(seatings(tables), 0);
  }
  CHECK(games > 200);
  CHECK(with_needs > 200);
}

TEST_CASE("matchmaker: who joins a waiting game gives up its own place with success only") {
  salon h;
  const auto join = [&](std::uint64_t who, std::uint64_t host,
                        std::optional<seat_index> seat = {}) {
    return h.m.join(of(who, {.seat = seat}), player_id{host}, h.now);
  };
  h.place(1, {.seat = 0});
  h.m.reserve({1}, game_id{11});
  h.place(2, {.engines = {four}});
  h.m.reserve({2}, game_id{12});
  CHECK(std::get<refusal>(join(2, 1, 0)) == refusal::seat_taken);
  CHECK(std::get<refusal>(join(2, 9)) == refusal::not_in_game);
  CHECK(std::get<refusal>(join(1, 1)) == refusal::already_in_game);
  h.m.set_room(0);
  CHECK(std::get<refusal>(join(2, 1)) == refusal::hub_full);
  h.m.set_room(9);
  CHECK(h.m.waiting(ttt) == 1);
  CHECK(h.m.waiting(four) == 1);
  const auto found = std::get<placement>(join(2, 1));
  CHECK(found.seat == 1);
  CHECK(found.tables.front().game == game_id{11});
  CHECK(seatings(found.tables) == seated{{1, 2}});
  CHECK(h.m.waiting(ttt) == 0);
  CHECK(h.m.waiting(four) == 0);
  CHECK(std::get<refusal>(join(3, 1)) == refusal::not_in_game);
}
