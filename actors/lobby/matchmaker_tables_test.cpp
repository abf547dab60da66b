// Tables of three seats or more: players who were told the same game play together.
#include "actors/lobby/matchmaker.hpp"
#include "tests/support/catch.hpp"

#include <optional>
#include <string>

namespace gamehub::actors::lobby {
namespace {

// Players are letters.
struct big_tables {
  matchmaker m{{3}};
  base::instant now{std::chrono::hours{1}};

  // Who sits down, by seat, when this player comes. A required seat has to be free.
  std::string come(char who, game_id table = {}, std::optional<seat_index> seat = {},
                   int players = 0) {
    open_seek o;
    o.player = {static_cast<std::uint64_t>(who)};
    queue_key key;
    key.players = players;
    o.queues.push_back(std::move(key));
    o.name = std::string{who};
    o.seat = seat;
    o.seat_at_once = static_cast<bool>(table) || seat.has_value();
    o.table = table;
    const auto placed = std::get<placement>(m.place(o, now));
    std::string names;
    for (const auto& t : placed.tables) {
      game = t.game;
      for (const auto p : t.players) names += static_cast<char>(p.value);
    }
    return names;
  }
  // Opens a table with a reported id.
  void open(char who, game_id id, std::optional<seat_index> seat = {}) {
    CHECK(come(who, {}, seat.value_or(0)).empty());
    m.reserve({static_cast<std::uint64_t>(who)}, id);
  }
  game_id game;
};

constexpr game_id first{11}, second{12};

}  // namespace

TEST_CASE("matchmaker: players who were told the same game play together, and with others") {
  big_tables t;
  t.open('a', first);
  CHECK(t.come('b', first, 2).empty());
  CHECK(t.come('c') == "acb");
  CHECK(t.game == first);
  CHECK(t.m.waiting(0) == 0);
}

TEST_CASE("matchmaker: two reported games are never mixed") {
  big_tables t;
  t.open('a', first, 0);
  t.open('b', second, 0);
  CHECK(t.come('c', second, 1).empty());
  // Both tables want one or two more; the older one has too few, the second begins.
  CHECK(t.come('d', second, 2) == "bcd");
  CHECK(t.game == second);
  CHECK(t.come('e').empty());
  CHECK(t.come('f') == "aef");
  CHECK(t.game == first);
}

TEST_CASE("matchmaker: who fits no table waits for others, and a table keeps its free seats") {
  big_tables t;
  t.open('a', first, 0);
  CHECK(t.come('b', first, 1).empty());
  // The seats 0 and 1 are taken; c requires one of them.
  CHECK(t.come('c', {}, 1).empty());
  CHECK(t.m.waiting(0) == 3);
  CHECK(t.come('d') == "abd");
  CHECK(t.m.waiting(0) == 1);
}

TEST_CASE("matchmaker: a table goes on without a player who withdraws") {
  big_tables t;
  t.open('a', first, 0);
  CHECK(t.come('b', first, 1).empty());
  t.m.withdraw({'a'});
  CHECK(t.come('c').empty());
  CHECK(t.come('d') == "cbd");
  CHECK(t.game == first);
}

TEST_CASE("matchmaker: the number of players is that of the options") {
  big_tables t;
  CHECK(t.come('a', {}, {}, 4).empty());
  CHECK(t.come('b', {}, {}, 4).empty());
  CHECK(t.come('c').empty());
  CHECK(t.come('d', {}, {}, 4).empty());
  CHECK(t.come('e', {}, {}, 4) == "abde");
}

}  // namespace gamehub::actors::lobby
