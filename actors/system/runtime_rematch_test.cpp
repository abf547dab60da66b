// Rematches of clients with standing seeks, as in JSON turns, and of three seats or more.
#include "actors/system/runtime.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_hub.hpp"

#include <memory>
#include <string>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

seek seek_standing(std::string options = {}, std::uint32_t games_max = 1) {
  seek s;
  s.engines = {options.empty() ? "tictactoe" : "dots-and-boxes"};
  if (!options.empty()) s.options = {std::move(options)};
  s.games_max = games_max;
  s.again = true;
  s.features.answers_offers = true;
  return s;
}

seek seek_like_http(std::string options = {}) {
  auto s = seek_standing(std::move(options));
  s.again = false;
  s.seat_at_once = s.reserve_game = true;
  return s;
}

gamehub::offer of_rematch(game_id of, offer_step step = offer_step::offered) {
  return {of, offer_kind::rematch, step};
}

const std::string three = R"({"players":3})";

struct rematch_lobby {
  using client = std::shared_ptr<test_client>;

  client enter(const std::string& name, std::size_t loop = 0) {
    auto c = hub.connect(test_hub::documents_wire, loop);
    sign_in who{name, {}};
    who.features.answers_offers = true;
    c->submit(std::move(who)), hub.settle();
    return c;
  }
  void ask(const client& who, intent what) {
    who->clear_events();
    who->submit(std::move(what)), hub.settle();
    CHECK(who->pending_replies == 0);
  }
  std::string refused_for(const client& who, intent what) {
    ask(who, std::move(what));
    const auto* no = who->last<refused>();
    return no == nullptr ? "" : std::string{to_string(no->why)};
  }
  static game_id game_of(const client& who) {
    game_id found;
    for (const auto& e : who->events)
      if (std::holds_alternative<started>(e.what)) found = e.game;
    return found;
  }
  // What the client heard last of an offer in that game.
  static std::string heard(const client& who, game_id of) {
    for (auto e = who->events.rbegin(); e != who->events.rend(); ++e)
      if (const auto* o = std::get_if<offer_update>(&e->what); o != nullptr && e->game == of)
        return o->name + " " + std::string{to_string(o->step)} + " " +
               std::string{to_string(o->cause)} + (o->next ? " and it begins" : "");
    return "";
  }
  static seat_index seat_of(const client& who) { return who->last<started>()->seat; }

  test_hub hub{{.loops = 2}};
};

// A standing seek of ann and a seek of bob for one game; the game has ended.
struct mixed_pair : rematch_lobby {
  client ann = enter("ann"), bob = enter("bob", 1);
  game_id first;

  explicit mixed_pair(seek of_ann = seek_standing()) {
    ask(ann, std::move(of_ann));
    ask(bob, seek_like_http());
    first = game_of(bob);
    REQUIRE(first);
    ask(bob, leave{first});
    ann->clear_events();
  }
};

// Three players whose game has ended; bob, who has a standing seek, had the last seat.
struct ended_of_three : rematch_lobby {
  client ann = enter("ann"), bob = enter("bob", 1), cleo = enter("cleo");
  game_id first;

  ended_of_three() {
    ask(ann, seek_like_http(three));
    ask(bob, seek_standing(three));
    ask(cleo, seek_like_http(three));
    first = game_of(cleo);
    REQUIRE(first);
    for (const auto& who : {ann, cleo}) ask(who, leave{first});
    for (const auto& who : {ann, bob, cleo}) who->clear_events();
  }
  void all_heard(const std::string& what) {
    for (const auto& who : {ann, bob, cleo}) CHECK(heard(who, first) == what);
  }
};

}  // namespace

TEST_CASE("rematch: a standing seek accepts it, and waits in its queue again after the game") {
  mixed_pair p;
  CHECK(p.refused_for(p.ann, of_rematch(p.first, offer_step::accepted)) == "no-offer");
  CHECK(p.refused_for(p.ann, of_rematch(p.first, offer_step::declined)) == "not-in-game");
  p.ask(p.bob, rematch{p.first});
  CHECK(p.heard(p.ann, p.first) == "bob offered request");
  p.ask(p.ann, of_rematch(p.first, offer_step::accepted));
  CHECK(p.ann->last<done>() != nullptr);
  CHECK(p.ann->last<placed>() == nullptr);
  for (const auto& who : {p.ann, p.bob})
    CHECK(p.heard(who, p.first) == "ann accepted request and it begins");
  const auto next = p.game_of(p.ann);
  REQUIRE(next);
  CHECK(p.seat_of(p.ann) == 1);
  CHECK(p.refused_for(p.ann, of_rematch(p.first)) == "already-in-game");
  p.ask(p.bob, leave{next});
  const auto eve = p.enter("eve");
  p.ask(eve, seek_like_http());
  CHECK(p.game_of(eve) == p.game_of(p.ann));
}

TEST_CASE(
    "rematch: a standing seek offers it, plays no other player meanwhile, and may withdraw it") {
  mixed_pair p;
  p.ask(p.ann, of_rematch(p.first));
  CHECK(p.heard(p.bob, p.first) == "ann offered request");
  const auto eve = p.enter("eve");
  p.ask(eve, seek_like_http());
  p.hub.advance(2s);
  CHECK_FALSE(p.game_of(eve));
  CHECK(p.refused_for(p.ann, of_rematch(p.first)) == "already-in-game");
  SECTION("it is accepted") {
    p.ask(p.bob, rematch{p.first});
    CHECK(p.game_of(p.bob) == p.game_of(p.ann));
    CHECK_FALSE(p.game_of(eve));
  }
  SECTION("it is withdrawn") {
    p.ask(p.ann, of_rematch(p.first, offer_step::withdrawn));
    CHECK(p.heard(p.bob, p.first) == "ann withdrawn request");
    CHECK(p.game_of(eve) == p.game_of(p.ann));
    CHECK(p.refused_for(p.ann, of_rematch(p.first, offer_step::withdrawn)) == "not-in-game");
  }
  SECTION("it is declined") {
    p.ask(p.bob, decline{p.first});
    CHECK(p.heard(p.ann, p.first) == "bob declined request");
    CHECK(p.game_of(eve) == p.game_of(p.ann));
  }
  SECTION("the other one leaves") {
    p.bob->disconnect(), p.hub.settle();
    CHECK(p.heard(p.ann, p.first) == "bob declined left");
    CHECK(p.game_of(eve) == p.game_of(p.ann));
  }
  SECTION("who offers it leaves") {
    p.ann->disconnect(), p.hub.settle();
    CHECK(p.heard(p.bob, p.first) == "ann withdrawn left");
  }
}

TEST_CASE("rematch: a standing seek that waits for one without an offer withdraws no other one") {
  rematch_lobby p;
  // A player without a name can offer nothing.
  const auto ann = p.hub.connect(test_hub::documents_wire, 0);
  const auto bob = p.enter("bob", 1), eve = p.enter("eve");
  p.ask(ann, seek_standing());
  p.ask(bob, seek_like_http());
  const auto first = p.game_of(bob);
  REQUIRE(first);
  p.ask(bob, leave{first});
  p.ask(ann, of_rematch(first));
  REQUIRE(ann->last<done>() != nullptr);
  CHECK(p.heard(bob, first).empty());
  CHECK(p.refused_for(ann, of_rematch(game_id{999}, offer_step::withdrawn)) == "not-in-game");
  p.ask(eve, seek_like_http());
  p.hub.advance(2s);
  CHECK_FALSE(p.game_of(eve));
  p.ask(ann, of_rematch(first, offer_step::withdrawn));
  CHECK(ann->last<done>() != nullptr);
  REQUIRE(p.game_of(eve));
  CHECK(p.game_of(eve) == p.game_of(ann));
}

TEST_CASE("rematch: who withdraws it with a seek for one game waits for it no more") {
  mixed_pair p;
  p.ask(p.bob, rematch{p.first});
  CHECK(p.heard(p.ann, p.first) == "bob offered request");
  CHECK(p.refused_for(p.bob, of_rematch(game_id{999}, offer_step::withdrawn)) == "not-in-game");
  p.ask(p.bob, of_rematch(p.first, offer_step::withdrawn));
  CHECK(p.bob->last<done>() != nullptr);
  CHECK(p.heard(p.ann, p.first) == "bob withdrawn request");
  p.ask(p.ann, of_rematch(p.first));
  CHECK(p.heard(p.bob, p.first) == "ann offered request");
  CHECK_FALSE(p.game_of(p.ann));
  p.ask(p.bob, rematch{p.first});
  CHECK(p.heard(p.ann, p.first) == "bob accepted request and it begins");
}

TEST_CASE("rematch: one that is offered to a standing seek ends when it is seated elsewhere") {
  const auto games_max = GENERATE(1U, 2U);
  mixed_pair p{seek_standing({}, games_max)};
  p.ask(p.bob, rematch{p.first});
  const auto eve = p.enter("eve");
  p.ask(eve, seek_like_http());
  p.hub.advance(2s);
  REQUIRE(p.game_of(eve) == p.game_of(p.ann));
  // A client that may play more games can still accept.
  const bool stands = games_max == 2;
  CHECK(p.heard(p.bob, p.first) == (stands ? "bob offered request" : "ann declined elsewhere"));
  CHECK(p.refused_for(p.ann, of_rematch(p.first, offer_step::accepted)) ==
        (stands ? "" : "already-in-game"));
}

TEST_CASE("rematch: two standing seeks, whose pause counts no more") {
  rematch_lobby p;
  // One who plays, and may come: so there is a pause.
  p.ask(p.enter("cid"), seek_standing());
  p.ask(p.enter("dan"), seek_like_http());
  const auto ann = p.enter("ann"), bob = p.enter("bob", 1);
  for (const auto& who : {ann, bob}) p.ask(who, seek_standing());
  const auto first = p.game_of(ann);
  REQUIRE(first);
  p.ask(ann, leave{first});
  for (const auto& who : {ann, bob}) p.ask(who, of_rematch(first));
  CHECK(p.heard(ann, first) == "bob accepted request and it begins");
  CHECK(p.game_of(bob) == p.game_of(ann));
  CHECK(p.seat_of(bob) == 0);
}

TEST_CASE(
    "rematch: a player that wants one of the games of others is refused before a log is read") {
  mixed_pair p;
  const auto eve = p.enter("eve");
  for (std::size_t i = 0; i < limits::offers_max; ++i)
    CHECK(p.refused_for(eve, rematch{p.first}) == "not-in-game");
  CHECK(p.refused_for(eve, rematch{p.first}) == "rate-limited");
  // There is no such game, which only its log could tell.
  CHECK(p.refused_for(eve, rematch{game_id{999}}) == "rate-limited");
  const auto ann = p.enter("ann-2");
  CHECK(p.refused_for(ann, rematch{game_id{999}, true}) == "no-offer");
  p.ask(p.bob, rematch{p.first});
  CHECK(p.heard(p.ann, p.first) == "bob offered request");
  p.hub.advance(limits::offers_in);
  CHECK(p.refused_for(eve, rematch{p.first}) == "not-in-game");
}

TEST_CASE("rematch: a client without words for offers is offered none") {
  rematch_lobby p;
  const auto ann = p.enter("ann"), old = p.enter("old");
  p.ask(ann, seek_like_http());
  auto without = seek_standing();
  without.features.answers_offers = false;
  p.ask(old, without);
  const auto first = p.game_of(old);
  p.ask(ann, leave{first});
  CHECK(p.refused_for(ann, rematch{first}) == "no-offer");
  CHECK(ann->last<refused>()->detail == "the client of old can't answer offers");
}

TEST_CASE("rematch: of three it begins when all have accepted, with the seats rotated") {
  ended_of_three p;
  p.ask(p.bob, of_rematch(p.first));
  p.all_heard("bob offered request");
  p.ask(p.cleo, rematch{p.first});
  p.all_heard("cleo accepted request");
  CHECK_FALSE(p.game_of(p.bob));
  p.ask(p.ann, rematch{p.first});
  p.all_heard("ann accepted request and it begins");
  const auto next = p.game_of(p.bob);
  REQUIRE(next);
  CHECK(p.game_of(p.ann) == next);
  CHECK(p.game_of(p.cleo) == next);
  CHECK(p.seat_of(p.ann) == 2);
  CHECK(p.seat_of(p.bob) == 1);
  CHECK(p.seat_of(p.cleo) == 0);
}

TEST_CASE("rematch: of three, who declines or leaves ends it, and all seats are given back") {
  ended_of_three p;
  p.ask(p.cleo, rematch{p.first});
  p.ask(p.bob, of_rematch(p.first, offer_step::accepted));
  SECTION("the third one declines") {
    p.ask(p.ann, decline{p.first});
    p.all_heard("ann declined request");
  }
  SECTION("who has accepted declines") {
    p.ask(p.bob, of_rematch(p.first, offer_step::declined));
    p.all_heard("bob declined request");
  }
  SECTION("who has offered it takes it back") {
    p.ask(p.cleo, leave{});
    p.all_heard("cleo withdrawn request");
  }
  SECTION("who has accepted leaves the hub") {
    p.bob->disconnect(), p.hub.settle();
    CHECK(p.heard(p.cleo, p.first) == "bob declined left");
    CHECK(p.refused_for(p.ann, rematch{p.first}) == "opponent-left");
    return;
  }
  SECTION("the third one sits down elsewhere") {
    p.ask(p.ann, seek_like_http());
    p.all_heard("ann declined elsewhere");
    p.ask(p.ann, leave{});
  }
  CHECK(p.refused_for(p.cleo, leave{}) == "not-in-game");
  // Bob waits for other tables of three again.
  p.ask(p.ann, seek_like_http(three));
  p.ask(p.cleo, seek_like_http(three));
  CHECK(p.game_of(p.bob));
}
