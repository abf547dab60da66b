// Who must meet somebody by name, who meets in a party of its own, and who was told of a game.
#include "actors/matchmaker.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace std::chrono_literals;
using actors::matchmaker;
using actors::offer;
using actors::placement;
using actors::queue_key;

namespace {

const instant start{1h};

// Names are letters, and so are players.
offer of(char who, char opponent = 0, const std::string& party = {}) {
  offer o;
  o.player = {static_cast<std::uint64_t>(who)};
  queue_key queue{0, {}, party, !party.empty()};
  o.queues.push_back(std::move(queue));
  o.name = std::string{who};
  if (opponent != 0) o.opponent = std::string{opponent};
  return o;
}

struct salon {
  matchmaker m{{2}};
  instant now = start;

  // Who sits down when this one comes, by seat.
  std::string come(const offer& o) {
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

TEST_CASE("matchmaker: who asks for somebody meets nobody else") {
  salon s;
  CHECK(s.come(of('a', 'c')).empty());
  CHECK(s.come(of('b')).empty());
  CHECK(s.come(of('d')) == "bd");
  CHECK(s.come(of('c')) == "ac");
  CHECK(s.m.waiting(0) == 0);
}

TEST_CASE("matchmaker: who is asked for meets whoever asked, before others who waited longer") {
  salon s;
  CHECK(s.come(of('a')).empty());
  CHECK(s.come(of('b', 'c')).empty());
  CHECK(s.come(of('c')) == "bc");
  CHECK(s.come(of('b', 'd')).empty());
  CHECK(s.come(of('c')) == "ac");
  // It came to nothing: nobody is preferred any more.
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

TEST_CASE("matchmaker: a party meets in a queue of its own, that goes with it") {
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

TEST_CASE("matchmaker: a table is the game that one of its players was told of") {
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

TEST_CASE("matchmaker: who was told of a game is not kept apart from its latest opponent") {
  salon s;
  auto a = of('a'), b = of('b');
  a.again = b.again = true;
  s.come(a);
  CHECK(s.come(b) == "ab");
  std::vector<actors::pairing> none;
  s.m.game_ended({'a'}, s.now, none);
  CHECK(none.empty());
  s.m.reserve({'a'}, game_id{7});
  s.m.game_ended({'b'}, s.now, none);
  REQUIRE(none.size() == 1);
  CHECK(none.front().game == game_id{7});
}
