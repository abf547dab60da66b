// Who plays whom by choice: private games, opponents by name, rematches; and names and secrets that
// clients bring.
#include "actors/system/runtime.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/onlooker.hpp"
#include "tests/support/test_hub.hpp"

#include <algorithm>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

seek seek_like_http(std::string engine = "tictactoe") {
  seek s;
  s.engines = {std::move(engine)};
  s.seat_at_once = s.reserve_game = true;
  s.features.answers_offers = true;
  return s;
}

struct party {
  std::shared_ptr<test_client> enter(const std::string& name, std::size_t loop = 0) {
    auto c = hub.connect(test_hub::cells_wire, loop);
    sign_in who{name, {}};
    who.features.answers_offers = true;
    c->submit(std::move(who)), hub.settle();
    CHECK(c->last<signed_in>()->name == name);
    return c;
  }
  void ask(test_client& who, intent what) {
    who.clear_events();
    who.submit(std::move(what)), hub.settle();
    CHECK(who.pending_replies == 0);
  }
  std::optional<refusal> refused_for(test_client& who, intent what) {
    ask(who, std::move(what));
    const auto* no = who.last<refused>();
    return no == nullptr ? std::nullopt : std::optional{no->why};
  }
  // Of the latest event of a game that waits or runs.
  static game_id game_of(const test_client& who) {
    const auto at = std::find_if(who.events.rbegin(), who.events.rend(), [](const event& e) {
      return !std::holds_alternative<offer_update>(e.what);
    });
    return at->game;
  }
  static bool play_each_other(const test_client& a, const test_client& b) {
    return a.last<started>() != nullptr && b.last<started>() != nullptr &&
           game_of(a) == game_of(b) && a.last<started>()->seat != b.last<started>()->seat;
  }

  late_journal journal{false};
  test_hub hub{{.loops = 2, .log = &journal}};
};

}  // namespace

TEST_CASE("placed: the reply states the size of the board, and whether the game starts") {
  party p;
  const auto ann = p.enter("ann"), bob = p.enter("bob", 1);
  auto like = seek_like_http("gomoku");
  like.options = {R"({"columns":8,"rows":6})"};
  p.ask(*ann, like);
  const auto* waits = ann->last<placed>();
  REQUIRE(waits != nullptr);
  CHECK(waits->rows == 6);
  CHECK(waits->columns == 8);
  CHECK_FALSE(waits->begins);
  p.ask(*bob, like);
  const auto* plays = bob->last<placed>();
  REQUIRE(plays != nullptr);
  CHECK(plays->begins);
  CHECK(p.play_each_other(*ann, *bob));
}

TEST_CASE("private game: is joined only with its invitation and is not listed") {
  party p;
  const auto ann = p.enter("ann"), bob = p.enter("bob", 1), eve = p.enter("eve");
  auto closed = seek_like_http("gomoku");
  closed.closed = true;
  closed.options = {R"({"columns":8})"};
  p.ask(*ann, closed);
  const auto* at = ann->last<placed>();
  REQUIRE(at != nullptr);
  CHECK(at->invitation.size() == 32);
  const auto invitation = at->invitation;
  const auto game = p.game_of(*ann);
  REQUIRE(game);
  auto same = closed;
  same.closed = false;
  p.ask(*eve, same);
  CHECK(eve->last<started>() == nullptr);
  CHECK(eve->last<placed>()->invitation.empty());
  const auto listed = [&] {
    std::vector<game_id> ids;
    p.hub.runtime().spectators_for(0).list({}, [&](game_page page) {
      for (const auto& g : page.games) ids.push_back(g.progress.game->id);
    });
    p.hub.settle();
    return ids;
  };
  CHECK(listed() == std::vector<game_id>{p.game_of(*eve)});
  seek joins;
  joins.invitation = invitation;
  joins.seat_at_once = joins.reserve_game = true;
  p.ask(*bob, joins);
  CHECK(p.play_each_other(*ann, *bob));
  CHECK(p.game_of(*bob) == game);
  CHECK(bob->last<position_ref>()->get()->columns == 8);
  CHECK(listed() == std::vector<game_id>{p.game_of(*eve)});
  // It is used up.
  CHECK(p.refused_for(*p.enter("dan"), joins) == refusal::not_in_game);
  p.ask(*ann, leave{game});
  CHECK(listed() == std::vector<game_id>{p.game_of(*eve)});
  // The secret is nowhere but with the two.
  for (const auto& r : p.journal.read(game, 0)) CHECK(r.text.find(invitation) == r.text.npos);
}

TEST_CASE("private game: goes with its opener, a wrong invitation, or a taken seat, is refused") {
  party p;
  const auto ann = p.enter("ann"), bob = p.enter("bob");
  auto closed = seek_like_http();
  closed.closed = true;
  p.ask(*ann, closed);
  seek joins;
  joins.invitation = std::string(32, '0');
  CHECK(p.refused_for(*bob, joins) == refusal::not_in_game);
  joins.invitation = ann->last<placed>()->invitation;
  joins.seat = 0;
  CHECK(p.refused_for(*bob, joins) == refusal::seat_taken);
  p.ask(*ann, leave{});
  joins.seat.reset();
  CHECK(p.refused_for(*bob, joins) == refusal::not_in_game);
  // Both are free for others.
  p.ask(*bob, seek_like_http());
  p.ask(*ann, seek_like_http());
  CHECK(ann->last<started>() != nullptr);
}

TEST_CASE("opponent by name: only that player is paired, in both orders of arrival") {
  party p;
  const auto ann = p.enter("ann"), bob = p.enter("bob"), eve = p.enter("eve", 1);
  auto for_eve = seek_like_http();
  for_eve.opponent = "eve";
  p.ask(*bob, seek_like_http());
  p.ask(*ann, for_eve);
  CHECK(ann->last<started>() == nullptr);
  p.ask(*eve, seek_like_http());
  CHECK(p.play_each_other(*ann, *eve));
  CHECK(bob->last<started>() == nullptr);
  // In the other order: the waiting player is named.
  const auto dan = p.enter("dan");
  auto for_bob = seek_like_http();
  for_bob.opponent = "bob";
  p.ask(*dan, for_bob);
  CHECK(p.play_each_other(*bob, *dan));
}

TEST_CASE("opponent by name: two who want different ones do not meet") {
  party p;
  const auto ann = p.enter("ann"), bob = p.enter("bob"), eve = p.enter("eve");
  auto for_bob = seek_like_http(), for_eve = seek_like_http();
  for_bob.opponent = "bob";
  for_eve.opponent = "eve";
  p.ask(*ann, for_bob);
  p.ask(*bob, for_eve);
  CHECK(ann->last<started>() == nullptr);
  CHECK(bob->last<started>() == nullptr);
  auto for_ann = seek_like_http();
  for_ann.opponent = "ann";
  p.ask(*eve, for_ann);
  CHECK(eve->last<started>() == nullptr);
  p.ask(*bob, leave{});
  p.ask(*bob, for_ann.opponent == "ann" ? for_ann : seek_like_http());
  CHECK(p.play_each_other(*ann, *bob));
}

TEST_CASE("rematch: the same two again, sides exchanged, once both have asked") {
  party p;
  const auto ann = p.enter("ann"), bob = p.enter("bob", 1), eve = p.enter("eve");
  auto small = seek_like_http("gomoku");
  small.options = {R"({"rows":9,"columns":9})"};
  p.ask(*ann, small);
  p.ask(*bob, small);
  const auto first = p.game_of(*bob);
  REQUIRE(bob->last<started>()->seat == 1);
  CHECK(p.refused_for(*ann, rematch{first}) == refusal::not_in_game);
  p.ask(*ann, leave{first});
  CHECK(p.refused_for(*ann, rematch{}) == refusal::not_in_game);
  CHECK(p.refused_for(*ann, rematch{game_id{77}}) == refusal::not_in_game);
  CHECK(p.refused_for(*eve, rematch{first}) == refusal::not_in_game);
  p.ask(*ann, rematch{first});
  REQUIRE(ann->last<placed>() != nullptr);
  CHECK(ann->last<placed>()->seat == 1);
  const auto next = p.game_of(*ann);
  const auto watches = onlooker::of(p.hub.runtime().spectators_for(1), next);
  p.hub.settle();
  CHECK(watches->progress->status == game_status::waiting);
  // No other player can join it, so it is not listed.
  std::optional<game_page> listed;
  list_query waiting;
  waiting.status = game_status::waiting;
  p.hub.runtime().spectators_for(0).list(waiting,
                                         [&](game_page page) { listed = std::move(page); });
  p.hub.settle();
  REQUIRE(listed.has_value());
  CHECK(listed->games.empty());
  p.ask(*eve, small);
  CHECK(eve->last<started>() == nullptr);
  CHECK(p.refused_for(*ann, rematch{first}) == refusal::already_in_game);
  p.ask(*bob, rematch{first});
  CHECK(p.play_each_other(*ann, *bob));
  CHECK(p.game_of(*bob) == next);
  CHECK(bob->last<started>()->seat == 0);
  CHECK(bob->last_position()->rows == 9);
  CHECK(watches->updates.size() == 3);
}

TEST_CASE("rematch: ends when the opponent leaves or the request is withdrawn") {
  party p;
  const auto ann = p.enter("ann");
  auto bob = p.enter("bob", 1);
  p.ask(*ann, seek_like_http());
  p.ask(*bob, seek_like_http());
  const auto first = p.game_of(*bob);
  p.ask(*ann, leave{first});
  p.ask(*ann, rematch{first});
  p.ask(*ann, leave{});
  CHECK(ann->last<done>() != nullptr);
  p.ask(*ann, rematch{first});
  const auto lost = p.game_of(*ann);
  bob->disconnect(), p.hub.settle();
  REQUIRE(ann->last<refused>() != nullptr);
  CHECK(ann->last<refused>()->why == refusal::opponent_left);
  CHECK(p.game_of(*ann) == lost);
  CHECK(p.refused_for(*ann, rematch{first}) == refusal::opponent_left);
  p.ask(*ann, seek_like_http());
  CHECK(ann->last<placed>() != nullptr);
}

namespace {

// Two players whose game has ended.
struct ended_game : party {
  std::shared_ptr<test_client> ann = enter("ann"), bob = enter("bob", 1);
  game_id first;

  ended_game() {
    ask(*ann, seek_like_http());
    ask(*bob, seek_like_http());
    first = game_of(*bob);
    ask(*ann, leave{first});
  }
  // What both heard last of an offer in that game; empty: they heard different things, or nothing.
  std::string heard() const {
    const auto text = [this](const test_client& who) -> std::string {
      for (auto e = who.events.rbegin(); e != who.events.rend(); ++e)
        if (const auto* o = std::get_if<offer_update>(&e->what); o != nullptr && e->game == first)
          return o->name + " " + std::string{to_string(o->step)} + " " +
                 std::string{to_string(o->cause)};
      return "";
    };
    return text(*ann) == text(*bob) ? text(*ann) : "";
  }
  // Ann has offered a rematch, and its waiting seat was given back.
  bool is_given_back() { return refused_for(*ann, leave{}) == refusal::not_in_game; }
};

}  // namespace

TEST_CASE("rematch: the other player hears of it, and may accept or decline (B4)") {
  ended_game p;
  p.ask(*p.ann, rematch{p.first});
  CHECK(p.heard() == "ann offered request");
  CHECK(p.refused_for(*p.ann, decline{p.first}) == refusal::not_in_game);
  CHECK(p.refused_for(*p.bob, decline{game_id{77}}) == refusal::not_in_game);
  CHECK(p.refused_for(*p.bob, decline{}) == refusal::not_in_game);
  p.ask(*p.bob, decline{p.first});
  CHECK(p.bob->last<done>() != nullptr);
  CHECK(p.heard() == "bob declined request");
  CHECK(p.is_given_back());
  CHECK(p.refused_for(*p.bob, decline{p.first}) == refusal::not_in_game);
  p.ask(*p.ann, rematch{p.first});
  p.ask(*p.bob, rematch{p.first});
  CHECK(p.heard() == "bob accepted request");
  CHECK(p.bob->last<offer_update>()->next == p.game_of(*p.bob));
  CHECK(p.play_each_other(*p.ann, *p.bob));
}

TEST_CASE("rematch: who sits down elsewhere declines it, and who asked is free (B4)") {
  ended_game p;
  p.ask(*p.ann, rematch{p.first});
  // Against the engine, or to wait for another player.
  p.ask(*p.bob, GENERATE(seek_engine(), intent{seek_like_http()}));
  CHECK(p.heard() == "bob declined elsewhere");
  CHECK(p.is_given_back());
}

TEST_CASE("rematch: ends when one of the two leaves or takes it back (B4)") {
  ended_game p;
  p.ask(*p.ann, rematch{p.first});
  p.ask(*p.ann, leave{});
  CHECK(p.heard() == "ann withdrawn request");
  CHECK(p.refused_for(*p.bob, decline{p.first}) == refusal::not_in_game);
  p.ask(*p.ann, rematch{p.first});
  SECTION("who asked") {
    p.ann->disconnect(), p.hub.settle();
    CHECK(p.bob->last<offer_update>()->step == offer_step::withdrawn);
    CHECK(p.bob->last<offer_update>()->cause == offer_cause::left);
  }
  SECTION("who was asked") {
    p.bob->disconnect(), p.hub.settle();
    CHECK(p.ann->last<offer_update>()->step == offer_step::declined);
    CHECK(p.ann->last<offer_update>()->cause == offer_cause::left);
    CHECK(p.is_given_back());
  }
}

TEST_CASE("rematch: the other player can't be flooded with offers") {
  ended_game p;
  for (std::size_t i = 0; i < limits::offers_max; ++i) {
    CHECK_FALSE(p.refused_for(*p.ann, rematch{p.first}));
    p.ask(*p.ann, leave{});
  }
  CHECK(p.refused_for(*p.ann, rematch{p.first}) == refusal::rate_limited);
  // To agree is no offer.
  p.ask(*p.bob, rematch{p.first});
  CHECK_FALSE(p.refused_for(*p.ann, rematch{p.first}));
  CHECK(p.play_each_other(*p.ann, *p.bob));
}

TEST_CASE("rematch: the engine player is always ready") {
  party p;
  const auto ann = p.enter("ann");
  auto weak = std::get<seek>(seek_engine());
  weak.level = "random";
  p.ask(*ann, weak);
  const auto first = p.game_of(*ann);
  p.ask(*ann, leave{first});
  p.ask(*ann, rematch{first});
  REQUIRE(ann->last<started>() != nullptr);
  CHECK(ann->last<started>()->seat == 1);
  CHECK(ann->last<started>()->players.front() == "engine (random)");
  CHECK(p.game_of(*ann) != first);
}

TEST_CASE("sign in: a secret that the client brings is its own, here and after a restart") {
  late_journal journal{false};
  journal.be_durable();
  const sign_in mine{"ann", "a secret of the client's own", true};
  game_id game;
  {
    test_hub hub{{.settings = {0s, 0s, 0s, 100, 100, 60s}, .grace = 60s, .log = &journal}};
    const auto ann = hub.connect(test_hub::cells_wire), bob = hub.connect(test_hub::cells_wire);
    // In one breath with what it wants.
    ann->submit(mine), ann->submit(seek_once()), hub.settle();
    REQUIRE(ann->last<signed_in>() != nullptr);
    CHECK(ann->last<signed_in>()->secret == mine.resume_secret);
    CHECK(ann->last<signed_in>()->name == "ann");
    bob->submit(sign_in{"bob", {}}), bob->submit(seek_once()), hub.settle();
    game = bob->events.back().game;
    const auto again = hub.connect(test_hub::documents_wire);
    again->submit(mine), hub.settle();
    CHECK(ann->closed == close_reason::replaced);
    CHECK(again->last<started>() != nullptr);
  }
  const auto kept = journal.left_behind();
  CHECK(kept->find(game).has_value());
}

TEST_CASE("sign in: a name that has to be exact is that one or none") {
  party p;
  const auto ann = p.enter("ann");
  const auto other = p.hub.connect(test_hub::cells_wire, 1);
  const auto with = [](std::string name, std::string secret = "") {
    return sign_in{std::move(name), std::move(secret), true, name_choice::exact};
  };
  CHECK(p.refused_for(*other, with("ann")) == refusal::name_taken);
  CHECK(p.refused_for(*other, with("ann", "brought along")) == refusal::name_taken);
  CHECK(p.refused_for(*other, with("client-7")) == refusal::name_unacceptable);
  CHECK(p.refused_for(*other, with("two\nlines")) == refusal::name_unacceptable);
  CHECK(p.refused_for(*other, with(std::string(65, 'a'))) == refusal::name_unacceptable);
  p.ask(*other, with("ann-maria", "brought along"));
  REQUIRE(other->last<signed_in>() != nullptr);
  CHECK(other->last<signed_in>()->name == "ann-maria");
  CHECK(other->last<signed_in>()->secret == "brought along");
  const auto nameless = p.hub.connect(test_hub::cells_wire);
  p.ask(*nameless, with(""));
  CHECK(nameless->last<signed_in>()->name.starts_with("client-"));
}
