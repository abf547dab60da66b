// Seeks by name, parties, and reported game ids.
#include "actors/lobby/matchmaker.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace std::chrono_literals;
using actors::lobby::matchmaker;
using actors::lobby::open_seek;
using actors::lobby::placement;
using actors::lobby::queue_key;

namespace {

const base::instant start{1h};

// Names are letters, and so are players.
open_seek of(char who, char opponent = 0, const std::string& party = {}) {
  open_seek o;
  o.player = {static_cast<std::uint64_t>(who)};
  queue_key queue{0, {}, party, !party.empty()};
  o.queues.push_back(std::move(queue));
  o.name = std::string{who};
  if (opponent != 0) o.opponent = std::string{opponent};
  return o;
}

struct salon {
  matchmaker m{{2}};
  base::instant now = start;

  // Who sits down when this one comes, by seat.
  std::string come(const open_seek& o) {
    const auto placed = std::get<placement>(m.place(o, now));
    std::string names;
    for (const auto& t : placed.tables) {
      game = t.game;
      for (const auto p : t.players) names += static_cast<char>(p.value);
    }
    return names;
  }
  game_id game;
};

}  // namespace

TEST_CASE("matchmaker: a seek with an opponent is paired with that opponent only") {
  salon s;
  CHECK(s.come(of('a', 'c')).empty());
  CHECK(s.come(of('b')).empty());
  CHECK(s.come(of('d')) == "bd");
  CHECK(s.come(of('c')) == "ac");
  CHECK(s.m.waiting(0) == 0);
}

TEST_CASE(
    "matchmaker: a named player is paired with its challenger before players who waited longer") {
  salon s;
  CHECK(s.come(of('a')).empty());
  CHECK(s.come(of('b', 'c')).empty());
  CHECK(s.come(of('c')) == "bc");
  CHECK(s.come(of('b', 'd')).empty());
  CHECK(s.come(of('c')) == "ac");
  // The seek is withdrawn, so no player is preferred.
  s.m.withdraw({'b'});
  CHECK(s.come(of('x')).empty());
  CHECK(s.come(of('d')) == "xd");
}

TEST_CASE("matchmaker: two who ask for each other meet, two who ask for others do not") {
  salon s;
  CHECK(s.come(of('a', 'b')).empty());
  CHECK(s.come(of('c', 'a')).empty());
  CHECK(s.come(of('b', 'a')) == "ab");
  CHECK(s.m.waiting(0) == 1);
}

TEST_CASE("matchmaker: a party has a separate queue, which is removed with it") {
  salon s;
  CHECK(s.come(of('a', 0, "friends")).empty());
  CHECK(s.come(of('b')).empty());
  CHECK(s.come(of('c', 0, "others")).empty());
  CHECK(s.come(of('d', 0, "friends")) == "ad");
  CHECK(s.come(of('e', 0, "friends")).empty());
  CHECK(s.m.waiting(0) == 3);
  for (const char who : {'b', 'c', 'e'}) CHECK(s.m.withdraw({static_cast<std::uint64_t>(who)}));
  CHECK(s.m.waiting(0) == 0);
}

TEST_CASE("matchmaker: a table has the game id that was reported to one of its players") {
  salon s;
  auto first = of('a'), second = of('b');
  first.seat = second.seat = 0;
  s.come(first);
  s.m.reserve({'a'}, game_id{7});
  s.come(second);
  s.m.reserve({'b'}, game_id{8});
  CHECK(s.come(of('c')) == "ac");
  CHECK(s.game == game_id{7});
  CHECK(s.come(of('d')) == "bd");
  CHECK(s.game == game_id{8});
  CHECK(s.come(of('e')).empty());
  CHECK(s.come(of('f')) == "ef");
  CHECK_FALSE(s.game);
}

TEST_CASE("matchmaker: a player with a reported game id has no rematch pause") {
  salon s;
  auto a = of('a'), b = of('b');
  a.again = b.again = true;
  s.come(a);
  CHECK(s.come(b) == "ab");
  std::vector<actors::lobby::pairing> none;
  s.m.game_ended({'a'}, s.now, none);
  CHECK(none.empty());
  s.m.reserve({'a'}, game_id{7});
  s.m.game_ended({'b'}, s.now, none);
  REQUIRE(none.size() == 1);
  CHECK(none.front().game == game_id{7});
}
