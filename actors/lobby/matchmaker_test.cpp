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
using actors::lobby::queue_key;

namespace {

const base::instant start{1h};
constexpr std::uint16_t ttt = 0, four = 1, trio = 2;

player_id player(std::uint64_t n) { return {n}; }

open_seek once(std::uint64_t who, std::uint16_t engine = ttt, std::string options = {}) {
  return {player(who), {{engine, std::move(options)}}, 1, false, true};
}
open_seek standing_seek(std::uint64_t who, std::vector<std::uint16_t> engines = {ttt},
                        std::uint32_t games_max = 1) {
  open_seek o{player(who), {}, games_max, true, false};
  for (const auto e : engines) o.queues.push_back({e, {}});
  return o;
}

std::vector<std::vector<std::uint64_t>> seatings(const std::vector<pairing>& tables) {
  std::vector<std::vector<std::uint64_t>> all;
  for (const auto& t : tables) {
    auto& one = all.emplace_back();
    for (const auto p : t.players) one.push_back(p.value);
  }
  return all;
}

using seated = std::vector<std::vector<std::uint64_t>>;

// Two players of the first two engines, three of the last.
struct queue_fixture {
  matchmaker m{{2, 2, 3}};
  base::instant now = start;

  placement place(const open_seek& o) { return std::get<placement>(m.place(o, now)); }
  seated tables_of(const open_seek& o) { return seatings(place(o).tables); }
  seated ended(std::uint64_t who) {
    std::vector<pairing> tables;
    m.game_ended(player(who), now, tables);
    return seatings(tables);
  }
  // Another player with a standing seek may come to the queue after its game.
  void plays_for_ever() {
    auto busy = standing_seek(90);
    busy.playing = 1;
    CHECK(tables_of(busy).empty());
  }
  seated after(base::duration time) {
    now += time;
    std::vector<pairing> tables;
    m.advance(now, tables);
    return seatings(tables);
  }
};

}  // namespace

TEST_CASE("matchmaker: the first to wait takes the first seat") {
  queue_fixture h;
  const auto first = h.place(once(1));
  CHECK(first.seat == 0);
  CHECK(first.tables.empty());
  const auto second = h.place(once(2));
  CHECK(second.seat == 1);
  CHECK(seatings(second.tables) == seated{{1, 2}});
  CHECK(h.m.waiting(ttt) == 0);
}

TEST_CASE("matchmaker: a seat is named only to those who need it at once") {
  queue_fixture h;
  CHECK_FALSE(h.place(standing_seek(1)).seat.has_value());
  const auto second = h.place(standing_seek(2));
  CHECK_FALSE(second.seat.has_value());
  CHECK(seatings(second.tables) == seated{{1, 2}});
}

TEST_CASE("matchmaker: a reported first seat is kept for any opponent") {
  queue_fixture h;
  CHECK(h.place(once(1)).seat == 0);
  CHECK(h.tables_of(standing_seek(2)) == seated{{1, 2}});
  h.place(standing_seek(3));
  const auto late = h.place(once(4));
  CHECK(late.seat == 1);
  CHECK(seatings(late.tables) == seated{{3, 4}});
}

TEST_CASE("matchmaker: first come first served, per engine and options") {
  queue_fixture h;
  h.place(once(1, ttt));
  CHECK(h.tables_of(once(2, four)).empty());
  CHECK(h.tables_of(once(3, ttt, R"({"size":4})")).empty());
  CHECK(h.tables_of(once(4, four)) == seated{{2, 4}});
  CHECK(h.tables_of(once(5, ttt, R"({"size":4})")) == seated{{3, 5}});
  CHECK(h.tables_of(once(6, ttt)) == seated{{1, 6}});
}

TEST_CASE("matchmaker: a table of three waits for three, in the order they came") {
  queue_fixture h;
  CHECK(h.tables_of(once(1, trio)).empty());
  CHECK(h.tables_of(once(2, trio)).empty());
  CHECK(h.m.waiting(trio) == 2);
  const auto third = h.place(once(3, trio));
  CHECK(third.seat == 2);
  CHECK(seatings(third.tables) == seated{{1, 2, 3}});
}

TEST_CASE("matchmaker: refuses a second open_seek while the first one stands") {
  queue_fixture h;
  h.place(once(1));
  CHECK(std::get<refusal>(h.m.place(once(1), start)) == refusal::already_in_game);
  CHECK(h.m.waiting(ttt) == 1);
  h.place(once(2));
  // Used up by its game.
  CHECK_FALSE(h.m.has_standing_seek(player(1)));
  CHECK(h.tables_of(once(1)).empty());
}

TEST_CASE("matchmaker: a player is not paired with itself, in any number of seats and queues") {
  queue_fixture h;
  CHECK(h.tables_of(standing_seek(1, {ttt, four, ttt}, 5)).empty());
  CHECK(h.ended(1).empty());
  CHECK(h.after(5s).empty());
  CHECK(h.m.waiting(ttt) == 1);
  CHECK(h.tables_of(once(2, four)) == seated{{1, 2}});
}

TEST_CASE("matchmaker: who withdraws is in no queue any more") {
  queue_fixture h;
  h.place(standing_seek(1, {ttt, four}));
  CHECK(h.m.withdraw(player(1)));
  CHECK_FALSE(h.m.withdraw(player(1)));
  CHECK(h.m.waiting(ttt) == 0);
  CHECK(h.m.waiting(four) == 0);
  CHECK(h.tables_of(once(2, ttt)).empty());
  CHECK(h.tables_of(once(3, four)).empty());
}

TEST_CASE("matchmaker: who is forgotten is never seated") {
  queue_fixture h;
  h.place(standing_seek(1));
  h.m.remove(player(1));
  CHECK(h.tables_of(once(2)).empty());
  CHECK(h.ended(1).empty());
}

TEST_CASE("matchmaker: waiting in many queues, it leaves all of them with its last free place") {
  queue_fixture h;
  h.place(standing_seek(1, {ttt, four}));
  CHECK(h.tables_of(once(2, four)) == seated{{1, 2}});
  CHECK(h.m.waiting(ttt) == 0);
  CHECK(h.tables_of(once(3, ttt)).empty());
  // Its game over, it waits again, behind the other, who is seated first.
  CHECK(h.ended(1) == seated{{3, 1}});
}

TEST_CASE("matchmaker: a player gets at most the requested number of games") {
  queue_fixture h;
  h.place(standing_seek(1, {ttt}, 2));
  CHECK(h.tables_of(once(2)) == seated{{1, 2}});
  CHECK(h.tables_of(once(3)) == seated{{1, 3}});
  CHECK(h.tables_of(once(4)).empty());
  CHECK(h.ended(1) == seated{{4, 1}});
  CHECK(h.m.waiting(ttt) == 0);
}

TEST_CASE("matchmaker: a seek for many games is paired with every waiting player") {
  queue_fixture h;
  h.place(once(1, ttt));
  h.place(once(2, four));
  CHECK(h.tables_of(standing_seek(3, {ttt, four}, 2)) == seated{{1, 3}, {2, 3}});
}

TEST_CASE("matchmaker: a player with free seats waits behind the others") {
  queue_fixture h;
  h.place(standing_seek(1, {ttt}, 3));
  h.place(standing_seek(2, {ttt}, 3));
  CHECK(h.tables_of(once(3)) == seated{{1, 3}});
  CHECK(h.tables_of(once(4)) == seated{{2, 4}});
  CHECK(h.tables_of(once(5)) == seated{{1, 5}});
}

TEST_CASE(
    "matchmaker: the same two players are paired again within a second only without other "
    "players") {
  queue_fixture h;
  h.place(standing_seek(1));
  CHECK(h.tables_of(standing_seek(2)) == seated{{1, 2}});
  h.plays_for_ever();
  CHECK(h.ended(1).empty());
  CHECK(h.ended(2).empty());
  REQUIRE(h.m.next().has_value());
  CHECK(*h.m.next() == start + limits::rematch_pause);
  SECTION("another player arrives") {
    CHECK(h.tables_of(once(3)) == seated{{1, 3}});
    CHECK(h.after(2s).empty());
    CHECK(h.m.waiting(ttt) == 1);
  }
  SECTION("no other player arrives") {
    CHECK(h.after(limits::rematch_pause - 1ms).empty());
    CHECK(h.after(1ms) == seated{{1, 2}});
    CHECK(h.m.waiting(ttt) == 0);
  }
  SECTION("one of them goes") {
    h.m.remove(player(2));
    CHECK(h.after(2s).empty());
    CHECK(h.tables_of(once(3)) == seated{{1, 3}});
  }
}

TEST_CASE("matchmaker: a lone pair has no pause between its games (clients.md 10)") {
  queue_fixture h;
  h.place(standing_seek(1));
  h.place(standing_seek(2));
  CHECK(h.ended(1).empty());
  SECTION("there is no other player") {
    CHECK(h.ended(2) == seated{{1, 2}});
    CHECK(h.ended(2).empty());
    CHECK(h.ended(1) == seated{{2, 1}});
  }
  SECTION("another player waits, and is met first") {
    CHECK(h.tables_of(once(3)) == seated{{1, 3}});
    CHECK(h.ended(2).empty());
  }
  SECTION("another player plays now, and may come") {
    h.plays_for_ever();
    CHECK(h.ended(2).empty());
  }
  SECTION("another player has played, and has gone") {
    h.plays_for_ever();
    h.m.remove(player(90));
    CHECK(h.ended(2) == seated{{1, 2}});
  }
  SECTION("a bot that is asked for by name does not come") {
    auto bot = standing_seek(3);
    bot.only_by_name = true;
    bot.name = "bot";
    h.place(bot);
    CHECK(h.ended(2) == seated{{1, 2}});
  }
}

TEST_CASE("matchmaker: the pause counts from when both wait") {
  queue_fixture h;
  h.place(standing_seek(1));
  h.place(standing_seek(2));
  h.plays_for_ever();
  CHECK(h.ended(1).empty());
  h.now += 10s;
  CHECK(h.ended(2).empty());
  CHECK(h.after(limits::rematch_pause - 1ms).empty());
  CHECK(h.after(1ms) == seated{{1, 2}});
}

TEST_CASE("matchmaker: players who had another opponent in between have no pause") {
  queue_fixture h;
  h.place(standing_seek(1));
  h.place(standing_seek(2));
  h.place(standing_seek(3));
  CHECK(h.ended(1) == seated{{3, 1}});
  h.ended(3);
  // 2's latest was 1, but 1's was 3.
  CHECK(h.ended(1).empty());
  CHECK(h.ended(2) == seated{{3, 2}});
}

TEST_CASE("matchmaker: a player with a reported seat has no rematch pause") {
  queue_fixture h;
  h.place(once(1));
  CHECK(h.tables_of(standing_seek(2)) == seated{{1, 2}});
  CHECK(h.tables_of(once(1)).empty());
  CHECK(h.ended(2) == seated{{1, 2}});
}

TEST_CASE("matchmaker: two who take many games fill them with each other, a pause between each") {
  queue_fixture h;
  h.place(standing_seek(1, {ttt}, 3));
  CHECK(h.tables_of(standing_seek(2, {ttt}, 3)) == seated{{1, 2}});
  CHECK(h.after(limits::rematch_pause) == seated{{1, 2}});
  CHECK(h.after(limits::rematch_pause - 1ms).empty());
  CHECK(h.after(1ms) == seated{{1, 2}});
  CHECK(h.after(limits::rematch_pause).empty());
  CHECK(h.m.waiting(ttt) == 0);
}

TEST_CASE("matchmaker: an absent player is not paired, and waits again when it returns") {
  queue_fixture h;
  std::vector<pairing> tables;
  h.place(standing_seek(1, {ttt, four}, 2));
  h.m.set_away(player(1), true, h.now, tables);
  CHECK(h.m.waiting(ttt) == 0);
  CHECK(h.m.waiting(four) == 0);
  CHECK(h.tables_of(once(2)).empty());
  CHECK(h.ended(1).empty());
  CHECK(tables.empty());
  // Its open_seek stands all the same.
  CHECK(h.m.has_standing_seek(player(1)));
  h.m.set_away(player(1), false, h.now, tables);
  CHECK(seatings(tables) == seated{{2, 1}});
  CHECK(h.m.waiting(four) == 1);
  h.m.set_away(player(7), true, h.now, tables);
}

TEST_CASE("matchmaker: has no timer without a rematch pause") {
  queue_fixture h;
  CHECK_FALSE(h.m.next().has_value());
  h.place(standing_seek(1));
  CHECK_FALSE(h.m.next().has_value());
  h.place(standing_seek(2));
  h.plays_for_ever();
  h.ended(1);
  h.ended(2);
  REQUIRE(h.m.next().has_value());
  h.after(limits::rematch_pause);
  CHECK_FALSE(h.m.next().has_value());
}

TEST_CASE("matchmaker: keeps its promises over random evenings") {
  const auto seed = GENERATE(range(1u, 21u));
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  queue_fixture h;
  struct guest {
    bool offers = false, again = false;
    std::uint32_t games_max = 1, playing = 0;
  };
  std::map<std::uint64_t, guest> guests;
  std::vector<std::vector<std::uint64_t>> running;
  const auto open = [&](const seated& tables) {
    for (const auto& t : tables) {
      auto once_each = t;
      std::sort(once_each.begin(), once_each.end());
      CHECK(std::adjacent_find(once_each.begin(), once_each.end()) == once_each.end());
      for (const auto who : t) {
        auto& g = guests.at(who);
        CHECK(g.offers);
        CHECK(++g.playing <= g.games_max);
        if (!g.again) g = {};
      }
      running.push_back(t);
    }
  };
  for (int i = 0; i < 2'000; ++i) {
    const std::uint64_t who = 1 + random() % 12;
    auto& g = guests[who];
    switch (random() % 6) {
      case 0:
      case 1: {
        open_seek o{player(who),
                    {},
                    1 + static_cast<std::uint32_t>(random() % 3),
                    random() % 2 == 0,
                    random() % 2 == 0};
        for (std::uint16_t e = 0; e < 3; ++e)
          if (random() % 2 == 0) o.queues.push_back({e, {}});
        const auto had = g.offers;
        if (!had) g = {true, o.again, o.again ? o.games_max : 1, 0};
        const auto placed = h.m.place(o, h.now);
        CHECK(std::holds_alternative<refusal>(placed) == had);
        if (!had) open(seatings(std::get<placement>(placed).tables));
        break;
      }
      case 2:
        CHECK(h.m.withdraw(player(who)) == g.offers);
        g = {};
        break;
      case 3:
        if (running.empty()) break;
        {
          const auto at = random() % running.size();
          const auto table = running[at];
          running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
          for (const auto p : table) {
            auto& theirs = guests.at(p);
            // Only a standing open_seek hears of the ends of games, one for each that it began.
            if (theirs.offers && theirs.playing > 0) --theirs.playing, open(h.ended(p));
          }
        }
        break;
      case 4: open(h.after(std::chrono::milliseconds{random() % 1'500})); break;
      default: break;
    }
    std::size_t waiting = 0;
    for (std::uint16_t e = 0; e < 3; ++e) waiting += h.m.waiting(e);
    const auto offering =
        static_cast<std::size_t>(std::count_if(guests.begin(), guests.end(), [](const auto& each) {
          return each.second.offers && each.second.playing < each.second.games_max;
        }));
    CHECK(waiting <= 3 * offering);
  }
}
