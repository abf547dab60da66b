// Standing seeks that wait for a rematch, in place of their usual queues.
#include "actors/lobby/matchmaker.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <variant>
#include <vector>

using namespace gamehub;
using namespace std::chrono_literals;
using actors::lobby::matchmaker;
using actors::lobby::open_seek;
using actors::lobby::pairing;
using actors::lobby::placement;
using actors::lobby::queue_key;

namespace {

player_id id_of(char who) { return {static_cast<std::uint64_t>(who)}; }

// Names are letters, and so are players.
open_seek standing(char who, std::uint32_t games_max = 1) {
  open_seek o;
  o.player = id_of(who);
  o.queues.emplace_back();
  o.name = std::string{who};
  o.games_max = games_max;
  o.again = true;
  return o;
}

open_seek rematch(char who, seat_index seat) {
  open_seek o;
  o.player = id_of(who);
  o.queues.push_back({0, {}, "rematch", false});
  o.name = std::string{who};
  o.seat = seat;
  return o;
}

struct hall {
  matchmaker m;
  base::instant now{1h};

  explicit hall(int seats = 2) : m{{seats}} {}

  static std::string names(const std::vector<pairing>& tables) {
    std::string out;
    for (const auto& t : tables) {
      if (!out.empty()) out += ' ';
      for (const auto p : t.players) out += static_cast<char>(p.value);
    }
    return out;
  }
  // Who is seated, by seat, or the refusal.
  static std::string seated(const std::variant<placement, refusal>& got) {
    if (const auto* no = std::get_if<refusal>(&got)) return std::string{to_string(*no)};
    return names(std::get<placement>(got).tables);
  }
  std::string come(const open_seek& o) { return seated(m.place(o, now)); }
  std::string ask(const open_seek& o) { return seated(m.seek_rematch(o, now)); }
  std::string ends(char who) {
    std::vector<pairing> tables;
    m.game_ended(id_of(who), now, tables);
    return names(tables);
  }
  std::string end_rematch(char who) {
    std::vector<pairing> tables;
    return m.end_rematch(id_of(who), now, tables) ? "ended " + names(tables) : "";
  }
  std::string advance() {
    std::vector<pairing> tables;
    m.advance(now, tables);
    return names(tables);
  }
};

}  // namespace

TEST_CASE("matchmaker: a standing seek that waits for a rematch plays no other player") {
  hall s;
  CHECK(s.come(standing('a')).empty());
  CHECK(s.ask(rematch('a', 1)).empty());
  CHECK(s.m.waiting(0) == 1);
  CHECK(s.come(standing('b')).empty());
  CHECK(s.ask(rematch('a', 1)) == "already-in-game");
  SECTION("until the other one asks") {
    CHECK(s.ask(rematch('b', 0)) == "ba");
    CHECK(s.m.waiting(0) == 0);
    CHECK(s.come(standing('c')).empty());
    CHECK_FALSE(s.m.next());
    // It has its usual seat again once the game has ended.
    CHECK(s.ends('a') == "ca");
  }
  SECTION("until it is off") {
    CHECK(s.end_rematch('a') == "ended ba");
    CHECK(s.end_rematch('a').empty());
  }
  SECTION("or the player is away, and back") {
    std::vector<pairing> tables;
    s.m.set_away(id_of('a'), true, s.now, tables);
    CHECK(s.ask(rematch('b', 0)).empty());
    s.m.set_away(id_of('a'), false, s.now, tables);
    CHECK(s.names(tables) == "ba");
  }
  SECTION("or leaves") {
    s.m.remove(id_of('a'));
    CHECK(s.ask(rematch('b', 0)).empty());
    CHECK(s.m.waiting(0) == 1);
  }
}

TEST_CASE("matchmaker: a player of several games waits in its queues again during its rematch") {
  hall s;
  CHECK(s.come(standing('a', 2)).empty());
  CHECK(s.ask(rematch('a', 0)).empty());
  // A player with a seek for one game, like those of HTTP.
  CHECK(s.come(rematch('h', 1)) == "ah");
  CHECK(s.m.waiting(0) == 1);
  CHECK(s.come(standing('c')) == "ac");
  CHECK(s.come(standing('d')).empty());
  CHECK(s.m.may_play_more(id_of('d')));
  CHECK_FALSE(s.m.may_play_more(id_of('a')));
  CHECK_FALSE(s.m.may_play_more(id_of('h')));
  CHECK(s.ask(rematch('a', 0)) == "already-in-game");
}

TEST_CASE("matchmaker: of three, a rematch begins with the last of them") {
  hall s{3};
  for (const char who : {'a', 'b', 'd'}) s.come(standing(who));
  for (const char who : {'a', 'b', 'd'}) CHECK(s.ends(who).empty() != (who == 'd'));
  hall t{3};
  CHECK(t.come(standing('a')).empty());
  CHECK(t.ask(rematch('a', 2)).empty());
  CHECK(t.come(rematch('h', 0)).empty());
  CHECK(t.come(standing('b')).empty());
  CHECK(t.ask(rematch('b', 1)) == "hba");
}

TEST_CASE("matchmaker: a rematch without room begins when there is some") {
  hall s;
  CHECK(s.come(standing('a')).empty());
  CHECK(s.come(rematch('h', 1)).empty());
  s.m.set_room(0);
  CHECK(s.ask(rematch('a', 0)).empty());
  s.m.set_room(1);
  CHECK(s.advance() == "ah");
}

TEST_CASE("matchmaker: who has no standing seek, or one by name, waits for no rematch so") {
  hall s;
  CHECK(s.ask(rematch('a', 0)) == "not-in-game");
  auto bot = standing('b');
  bot.only_by_name = true;
  CHECK(s.come(bot).empty());
  CHECK(s.ask(rematch('b', 0)) == "unfit-engine");
  // A bot that a player asks for again is paired by its name.
  auto again = rematch('c', 0);
  again.queues.front().party.clear();
  again.opponent = "b";
  CHECK(s.come(standing('c')).empty());
  CHECK(s.ask(again) == "cb");
}
