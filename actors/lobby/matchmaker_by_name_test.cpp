// Who stands to be asked for by name.
#include "actors/lobby/matchmaker.hpp"
#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace std::chrono_literals;
using namespace gamehub::actors::lobby;

namespace {

constexpr std::uint16_t ttt = 0, four = 1;

struct bots {
  matchmaker m{{2, 2}};
  base::instant now{1h};

  static open_seek bot(std::uint64_t who, std::string name, std::uint32_t games = 1,
                       std::uint16_t engine = ttt) {
    open_seek o{{who}, {{engine, {}}}, games, true};
    o.name = std::move(name);
    o.only_by_name = true;
    return o;
  }
  static open_seek person(std::uint64_t who, std::string asks_for = {}, bool again = false) {
    open_seek o{{who}, {{ttt, {}}}, 1, again};
    o.name = "p" + std::to_string(who);
    o.opponent = std::move(asks_for);
    return o;
  }
  using seats = std::vector<std::vector<std::uint64_t>>;
  static seats seats_of(const std::vector<pairing>& tables) {
    seats out;
    for (const auto& t : tables) {
      out.emplace_back();
      for (const auto p : t.players) out.back().push_back(p.value);
    }
    return out;
  }
  seats place(const open_seek& o) { return seats_of(std::get<placement>(m.place(o, now)).tables); }
  seats ended(std::uint64_t who) {
    std::vector<pairing> tables;
    m.game_ended({who}, now, tables);
    return seats_of(tables);
  }
  std::variant<seats, refusal> meet(std::uint64_t who, const std::string& other, bool only_ask) {
    auto found = m.challenge({who}, other, only_ask, now);
    if (const auto* why = std::get_if<refusal>(&found)) return *why;
    return seats_of({std::get<pairing>(found)});
  }
  void refuses(std::uint64_t who, const std::string& other, refusal why) {
    for (const bool only_ask : {true, false})
      CHECK(meet(who, other, only_ask) == std::variant<seats, refusal>{why});
  }
};

}  // namespace

TEST_CASE("matchmaker: a standing seek by name is paired only with challengers and is not queued") {
  bots b;
  CHECK(b.place(b.bot(1, "Ann")).empty());
  CHECK(b.m.is_ready("Ann"));
  CHECK_FALSE(b.m.is_ready("Bob"));
  CHECK(b.m.waiting(ttt) == 0);
  CHECK(b.place(b.bot(2, "Bob")).empty());
  CHECK(b.place(b.person(3)).empty());
  CHECK(b.m.waiting(ttt) == 1);
  CHECK(b.place(b.person(4)) == bots::seats{{3, 4}});
}

TEST_CASE("matchmaker: a challenger is seated immediately, in the first seat") {
  bots b;
  b.place(b.bot(1, "Ann", 2));
  CHECK(b.place(b.person(2, "Ann")) == bots::seats{{2, 1}});
  auto second = b.person(3, "Ann");
  second.seat = 1;
  CHECK(b.place(second) == bots::seats{{1, 3}});
  // No place is left: the next one waits until there is one.
  CHECK(b.place(b.person(4, "Ann")).empty());
  CHECK(b.m.is_ready("Ann"));
  CHECK(b.m.waiting(ttt) == 1);
  CHECK(b.ended(1) == bots::seats{{4, 1}});
  CHECK(b.m.waiting(ttt) == 0);
}

TEST_CASE("matchmaker: a seek by name waits for that player, and only for the same engine") {
  bots b;
  CHECK(b.place(b.person(2, "Ann")).empty());
  CHECK(b.place(b.bot(1, "Ann", 1, four)).empty());
  b.m.remove({1});
  CHECK_FALSE(b.m.is_ready("Ann"));
  CHECK(b.place(b.bot(1, "Ann")) == bots::seats{{2, 1}});
}

TEST_CASE("matchmaker: a standing seek by name is paired with the same player repeatedly") {
  bots b;
  b.place(b.bot(1, "Ann"));
  CHECK(b.place(b.person(2, "Ann", true)) == bots::seats{{2, 1}});
  CHECK(b.ended(2).empty());
  CHECK(b.ended(1) == bots::seats{{2, 1}});
  CHECK(b.ended(1).empty());
  CHECK(b.ended(2) == bots::seats{{2, 1}});
}

TEST_CASE("matchmaker: a challenge pairs two standing seeks, the challenger in the first seat") {
  bots b;
  b.place(b.bot(1, "Ann")), b.place(b.bot(2, "Bob"));
  CHECK(b.meet(2, "Ann", true) == std::variant<bots::seats, refusal>{bots::seats{{2, 1}}});
  CHECK(b.meet(2, "Ann", false) == std::variant<bots::seats, refusal>{bots::seats{{2, 1}}});
  b.refuses(1, "Bob", refusal::already_in_game);
  b.ended(1);
  b.refuses(1, "Bob", refusal::already_in_game);
  b.ended(2);
  CHECK(b.meet(1, "Bob", false) == std::variant<bots::seats, refusal>{bots::seats{{1, 2}}});
}

TEST_CASE("matchmaker: why two do not meet") {
  bots b;
  b.place(b.bot(1, "Ann")), b.place(b.bot(2, "Bob", 1, four)), b.place(b.person(3));
  b.refuses(1, "Bob", refusal::unfit_engine);
  b.refuses(1, "Ann", refusal::opponent_away);
  b.refuses(1, "p3", refusal::opponent_away);
  b.refuses(1, "Cid", refusal::opponent_away);
  b.refuses(3, "Ann", refusal::not_in_game);
  b.refuses(9, "Ann", refusal::not_in_game);
  b.m.withdraw({2});
  b.refuses(1, "Bob", refusal::opponent_away);
}

TEST_CASE("matchmaker: who is away is not met") {
  bots b;
  b.place(b.bot(1, "Ann")), b.place(b.bot(2, "Bob"));
  std::vector<pairing> tables;
  b.m.set_away({1}, true, b.now, tables);
  b.refuses(2, "Ann", refusal::already_in_game);
  CHECK(b.place(b.person(3, "Ann")).empty());
  b.m.set_away({1}, false, b.now, tables);
  CHECK(bots::seats_of(tables) == bots::seats{{3, 1}});
}
