// Tables of three seats or more of which engines and bots take seats: what their players are told,
// who joins, and what is refused.
#include "actors/system/runtime.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_hub.hpp"

#include <algorithm>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

using filler_kind = seat_filler::kind;

const seat_filler any, engine{filler_kind::engine, "random"}, dot{filler_kind::bot, "Dot"};

struct fillers {
  std::shared_ptr<test_client> enter(const std::string& name) {
    auto c = hub.connect(test_hub::documents_wire);
    sign_in who{name, {}};
    who.features.answers_offers = true;
    c->submit(who), hub.settle();
    return c;
  }
  std::shared_ptr<test_client> enter_bot(const std::string& name,
                                         std::string plays = "dots-and-boxes") {
    auto c = enter(name);
    seek s;
    s.engines = {std::move(plays)};
    s.again = s.only_by_name = true;
    ask(*c, s);
    REQUIRE(c->last<placed>() != nullptr);
    return c;
  }
  void ask(test_client& who, intent what) {
    who.clear_events();
    who.submit(std::move(what)), hub.settle();
    CHECK(who.pending_replies == 0);
  }
  static seek at_table(std::vector<seat_filler> others, std::string options = {},
                       bool like_http = true) {
    seek s;
    s.engines = {"dots-and-boxes"};
    s.options = {std::move(options)};
    s.seat_at_once = s.reserve_game = like_http;
    s.others = std::move(others);
    s.features.answers_offers = true;
    return s;
  }
  refused refused_for(test_client& who, intent what) {
    ask(who, std::move(what));
    REQUIRE(who.last<refused>() != nullptr);
    return *who.last<refused>();
  }
  test_hub hub;
};

using names = std::vector<std::string>;

}  // namespace

TEST_CASE("fillers: one player and two engines begin at once, each at its level") {
  fillers f;
  const auto ann = f.enter("ann");
  f.ask(*ann, f.at_table({engine, {filler_kind::engine, "perfect"}}));
  REQUIRE(ann->last<started>() != nullptr);
  CHECK(ann->last<placed>()->begins);
  CHECK(ann->last<started>()->seat == 0);
  const auto& players = ann->last<started>()->players;
  CHECK(players.at(0) == "ann");
  // The engine has no player: the strongest level that there is.
  CHECK(players.at(1) == "engine (random)");
  CHECK(players.at(2).starts_with("engine"));
  CHECK(ann->last<started>()->terms->kinds ==
        std::vector{seat_kind::player, seat_kind::engine, seat_kind::engine});
}

TEST_CASE("fillers: a bot and an engine sit, and others join the seats that are left") {
  fillers f;
  const auto bot = f.enter_bot("Dot");
  const auto ann = f.enter("ann"), bob = f.enter("bob"), cid = f.enter("cid");
  f.ask(*ann, f.at_table({engine, any, dot}, R"({"players":4})"));
  CHECK(ann->last<placed>()->seat == 0);
  CHECK(ann->last<placed>()->seats == 4);
  const auto game = ann->events.back().game;
  REQUIRE(game);
  // A player that asks for no bot is at another table.
  f.ask(*bob, f.at_table({}, R"({"players":4})"));
  CHECK(bob->events.back().game != game);
  seek join;
  join.join = game;
  join.seat = 1;
  join.seat_at_once = join.reserve_game = true;
  CHECK(f.refused_for(*cid, join).why == refusal::seat_taken);
  join.seat.reset();
  join.engines = {"tictactoe"};
  f.ask(*cid, join);
  for (const auto& each : {ann, bot, cid}) {
    REQUIRE(each->last<started>() != nullptr);
    CHECK(each->last<started>()->players == names{"ann", "engine (random)", "cid", "Dot"});
  }
  CHECK(cid->last<started>()->seat == 2);
  CHECK(bot->last<started>()->seat == 3);
}

TEST_CASE("fillers: players of wires that report no seat early meet over the same list") {
  fillers f;
  const auto ann = f.enter("ann"), bob = f.enter("bob");
  f.ask(*ann, f.at_table({engine}, {}, false));
  CHECK(ann->last<started>() == nullptr);
  f.ask(*bob, f.at_table({engine, any}, {}, false));
  REQUIRE(bob->last<started>() != nullptr);
  CHECK(bob->last<started>()->players == names{"ann", "engine (random)", "bob"});
}

TEST_CASE("fillers: a rematch has the engine and the bot again, with seats rotated") {
  fillers f;
  const auto bot = f.enter_bot("Dot");
  const auto ann = f.enter("ann"), bob = f.enter("bob");
  f.ask(*ann, f.at_table({any, dot, engine}, R"({"players":4})"));
  const auto game = ann->events.back().game;
  f.ask(*bob, f.at_table({any, dot, engine}, R"({"players":4})"));
  REQUIRE(bob->last<started>() != nullptr);
  CHECK(bob->last<started>()->seat == 1);
  for (const auto& each : {ann, bob, bot}) each->submit(leave{game}), f.hub.settle();
  f.ask(*ann, rematch{game});
  CHECK(ann->last<started>() == nullptr);
  REQUIRE(ann->last<placed>() != nullptr);
  CHECK(ann->last<placed>()->seat == 3);
  bot->clear_events();
  f.ask(*bob, rematch{game});
  REQUIRE(bob->last<started>() != nullptr);
  REQUIRE(bot->last<started>() != nullptr);
  CHECK(bob->last<started>()->players == names{"bob", "Dot", "engine (random)", "ann"});
}

TEST_CASE("fillers: a rematch against engines alone begins at once") {
  fillers f;
  const auto ann = f.enter("ann");
  f.ask(*ann, f.at_table({engine, engine}));
  const auto game = ann->events.back().game;
  f.ask(*ann, leave{game});
  f.ask(*ann, rematch{game});
  REQUIRE(ann->last<started>() != nullptr);
  CHECK(ann->last<started>()->seat == 2);
}

TEST_CASE("fillers: refusals say what, where and the mend") {
  fillers f;
  const auto bot = f.enter_bot("Dot", "oh-hell");
  const auto ann = f.enter("ann");
  auto no = f.refused_for(*ann, f.at_table({engine, {filler_kind::bot, "Dash"}}));
  CHECK(no.why == refusal::opponent_away);
  CHECK(no.detail == "Dash");
  no = f.refused_for(*ann, f.at_table({dot}));
  CHECK(no.why == refusal::unfit_engine);
  CHECK(no.detail == "is not played by the bot Dot");
  no = f.refused_for(*ann, f.at_table({engine, engine, any}));
  CHECK(no.why == refusal::unfit_engine);
  CHECK(no.detail == "has 2 further seats, and opponents has 3 entries");
  auto pair = f.at_table({engine});
  pair.engines = {"tictactoe"};
  no = f.refused_for(*ann, pair);
  CHECK(no.detail == "is played by 2, and opponents is for three or more: ask for one opponent");
  no = f.refused_for(*ann, f.at_table({{filler_kind::engine, "godlike"}}));
  CHECK(no.why == refusal::unfit_engine);
  CHECK(no.detail.starts_with("plays itself as "));
  auto named = f.at_table({});
  named.opponent = "Dot";
  CHECK(f.refused_for(*ann, named).detail.find("name the others in opponents") !=
        std::string::npos);
}

TEST_CASE("fillers: a bot that takes the seat of a table is replaced when it fails") {
  fillers f;
  const auto bot = f.enter_bot("Dot");
  const auto ann = f.enter("ann"), bob = f.enter("bob");
  f.ask(*ann, f.at_table({any, dot}));
  f.ask(*bob, f.at_table({any, dot}));
  REQUIRE(ann->last<started>() != nullptr);
  const auto game = ann->events.back().game;
  bot->submit(leave{game, false, leave_cause::bot_error}), f.hub.settle();
  CHECK(ann->last_position()->substituted == only(2));
  CHECK_FALSE(ann->last_position()->outcome.has_value());
  REQUIRE(bot->last_position()->outcome.has_value());
  CHECK(bot->last_position()->outcome->forfeits == only(2));
}
