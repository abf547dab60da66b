// Who joins a game that waits, by its id or its invitation: it gets that seat or keeps what it has.
#include "actors/system/runtime.hpp"
#include "hub/core/address_ledger.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/test_hub.hpp"

#include <string>
#include <vector>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

// As a client of HTTP asks.
seek seek_for(std::string engine = "tictactoe") {
  seek s;
  s.engines = {std::move(engine)};
  s.seat_at_once = s.reserve_game = s.replaces = true;
  s.features.answers_offers = true;
  return s;
}

seek seek_at(game_id game) {
  auto s = seek_for();
  s.engines.clear();
  s.join = game;
  return s;
}

seek seek_by(const std::string& invitation) {
  auto s = seek_at({});
  s.invitation = invitation;
  return s;
}

struct joining_lobby {
  explicit joining_lobby(test_hub_options options = {}) : hub(std::move(options)) {}

  std::shared_ptr<test_client> enter(const std::string& name, address_account_ref of = nullptr) {
    auto c = hub.connect(test_hub::cells_wire, hub.loop_count() - 1, std::move(of));
    ask(*c, sign_in{name, {}});
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
  // The game of the latest `placed`.
  static game_id placed_at(const test_client& who) {
    game_id at;
    for (const auto& e : who.events)
      if (std::holds_alternative<placed>(e.what)) at = e.game;
    return at;
  }
  std::vector<game_id> waiting_games() {
    list_query q;
    q.status = game_status::waiting;
    std::vector<game_id> out;
    hub.runtime().spectators_for(0).list(q, [&](const game_page& page) {
      for (const auto& g : page.games) out.push_back(g.progress.game->id);
    });
    hub.settle();
    return out;
  }
  std::shared_ptr<const game_metadata> listed(game_id game) {
    std::shared_ptr<const game_metadata> out;
    hub.runtime().spectators_for(0).list({}, [&](const game_page& page) {
      for (const auto& g : page.games)
        if (g.progress.game->id == game) out = g.progress.game;
    });
    hub.settle();
    return out;
  }
  std::optional<invitation_state> look_at(const std::string& invitation) {
    std::optional<invitation_state> out;
    hub.runtime().spectators_for(0).query_invitation(
        invitation, [&](std::optional<invitation_state> found) { out = std::move(found); });
    hub.settle();
    return out;
  }

  test_hub hub;
};

}  // namespace

TEST_CASE("joining: a game by its id, with its engine and options") {
  joining_lobby w{{.loops = 2}};
  const auto ann = w.enter("ann"), bob = w.enter("bob");
  auto small = seek_for("gomoku");
  small.options = {R"({"columns":8,"rows":6})"};
  small.seat = 1;
  w.ask(*ann, small);
  const auto game = w.placed_at(*ann);
  w.ask(*bob, seek_at(game));
  REQUIRE(bob->last<placed>() != nullptr);
  CHECK(bob->last<placed>()->begins);
  CHECK(bob->last<placed>()->seat == 0);
  CHECK(w.placed_at(*bob) == game);
  REQUIRE(bob->last<started>() != nullptr);
  CHECK(bob->last_position()->columns == 8);
  CHECK(ann->last<started>() != nullptr);
}

TEST_CASE("joining: of two who join the same seat at once exactly one gets it") {
  joining_lobby w{{.loops = 2}};
  const auto ann = w.enter("ann"), bob = w.enter("bob"), eve = w.enter("eve");
  w.ask(*ann, seek_for());
  const auto game = w.placed_at(*ann);
  bob->clear_events(), eve->clear_events();
  bob->submit(seek_at(game)), eve->submit(seek_at(game)), w.hub.settle();
  const auto got = [](const test_client& c) { return c.last<started>() != nullptr; };
  CHECK(got(*bob) != got(*eve));
  const auto& other = got(*bob) ? *eve : *bob;
  REQUIRE(other.last<refused>() != nullptr);
  CHECK(other.last<refused>()->why == refusal::seat_taken);
  CHECK(w.waiting_games().empty());
}

TEST_CASE("joining: what is refused leaves no table, and the place that the player has") {
  joining_lobby w;
  const auto ann = w.enter("ann"), bob = w.enter("bob"), eve = w.enter("eve"), zoe = w.enter("zoe");
  auto for_zoe = seek_for(), closed = seek_for();
  for_zoe.opponent = "zoe";
  closed.closed = true;
  w.ask(*ann, for_zoe);
  const auto kept = w.placed_at(*ann);
  w.ask(*eve, closed);
  const auto secret = w.placed_at(*eve);
  w.ask(*bob, seek_for("connect-four"));
  const auto own = w.placed_at(*bob);
  const auto before = w.waiting_games();
  CHECK(w.refused_for(*bob, seek_at(kept)) == refusal::seat_taken);
  CHECK(w.refused_for(*bob, seek_at(secret)) == refusal::not_in_game);
  CHECK(w.refused_for(*bob, seek_at(game_id{4711})) == refusal::not_in_game);
  CHECK(w.refused_for(*bob, seek_by(std::string(32, '0'))) == refusal::not_in_game);
  auto second = seek_for();
  second.replaces = false;
  CHECK(w.refused_for(*bob, second) == refusal::already_in_game);
  CHECK(w.waiting_games() == before);
  // The player still waits: others join it, and it can leave.
  w.ask(*zoe, seek_at(kept));
  CHECK(zoe->last<started>() != nullptr);
  CHECK(w.refused_for(*bob, seek_at(kept)) == refusal::seat_taken);
  w.ask(*bob, leave{own});
  CHECK(bob->last<done>() != nullptr);
  CHECK(w.waiting_games().empty());
  w.ask(*bob, seek_for());
  CHECK(w.waiting_games().size() == 1);
}

TEST_CASE("joining: another game takes the place of the one that the player waits for") {
  joining_lobby w{{.loops = 2}};
  const auto ann = w.enter("ann"), bob = w.enter("bob");
  w.ask(*ann, seek_for());
  w.ask(*bob, seek_for("connect-four"));
  const auto game = w.placed_at(*ann);
  w.ask(*bob, seek_at(game));
  REQUIRE(bob->last<started>() != nullptr);
  CHECK(w.placed_at(*bob) == game);
  CHECK(w.waiting_games().empty());
  CHECK(w.refused_for(*ann, seek_at(game)) == refusal::seat_taken);
}

TEST_CASE("joining: while a game runs, it goes on until the new seat is certain") {
  joining_lobby w{{.loops = 2}};
  const auto ann = w.enter("ann"), bob = w.enter("bob"), eve = w.enter("eve");
  w.ask(*ann, seek_for());
  w.ask(*bob, seek_for());
  const auto first = w.placed_at(*bob);
  CHECK(w.refused_for(*bob, seek_at(game_id{4711})) == refusal::not_in_game);
  CHECK(bob->last_position() == nullptr);
  w.ask(*eve, seek_for());
  const auto next = w.placed_at(*eve);
  w.ask(*bob, seek_at(next));
  REQUIRE(bob->last<started>() != nullptr);
  // A client has no third seat.
  CHECK(w.refused_for(*bob, seek_for()) == refusal::already_in_game);
  w.ask(*bob, leave{first});
  REQUIRE(ann->last_position()->outcome);
  CHECK_FALSE(eve->last_position()->outcome);
  w.ask(*bob, leave{next});
  CHECK(eve->last_position()->outcome.has_value());
}

TEST_CASE("joining: an invitation is looked at without using it, and its use is remembered") {
  joining_lobby w{{.loops = 2}};
  const auto ann = w.enter("ann"), bob = w.enter("bob");
  auto closed = seek_for("connect-four");
  closed.closed = true;
  closed.seat = 1;
  w.ask(*ann, closed);
  const auto invitation = ann->last<placed>()->invitation;
  for (int i = 0; i < 3; ++i) {
    const auto found = w.look_at(invitation);
    REQUIRE(found.has_value());
    CHECK(found->status == game_status::waiting);
    CHECK(found->host == 1);
    CHECK(found->game->players.at(1) == "ann");
    CHECK(found->game->engine == "connect-four");
    CHECK(found->rows == 6);
    CHECK(found->columns == 7);
  }
  CHECK(w.refused_for(*ann, seek_by(invitation)) == refusal::already_in_game);
  CHECK_FALSE(w.look_at(std::string(32, '0')));
  w.ask(*bob, seek_by(invitation));
  CHECK(bob->last<started>() != nullptr);
  CHECK(w.look_at(invitation)->status == game_status::running);
  w.ask(*bob, leave{w.placed_at(*bob)});
  w.ask(*ann, closed);
  const auto withdrawn = ann->last<placed>()->invitation;
  w.ask(*ann, leave{w.placed_at(*ann)});
  CHECK_FALSE(w.look_at(withdrawn));
}

TEST_CASE("joining: lists say for whom a seat is kept, and who is a player or an engine") {
  joining_lobby w;
  const auto ann = w.enter("ann"), bob = w.enter("bob");
  auto for_zoe = seek_for();
  for_zoe.opponent = "zoe";
  w.ask(*ann, for_zoe);
  const auto waits = w.listed(w.placed_at(*ann));
  REQUIRE(waits != nullptr);
  CHECK(waits->reserved_for == "zoe");
  CHECK(waits->kinds == std::vector{seat_kind::player, seat_kind::free});
  w.ask(*bob, seek_engine("tictactoe", 1));
  const auto runs = w.listed(bob->events.back().game);
  REQUIRE(runs != nullptr);
  CHECK(runs->reserved_for.empty());
  CHECK(runs->kinds == std::vector{seat_kind::engine, seat_kind::player});
}

TEST_CASE("joining: a new game takes the place of the one that waits once it is certain (B5)") {
  joining_lobby w;
  const auto ann = w.enter("ann"), bob = w.enter("bob");
  w.ask(*ann, seek_for());
  const auto first = w.placed_at(*ann);
  auto unfit = seek_for("gomoku");
  unfit.options = {R"({"in_a_row":19})"};
  CHECK(w.refused_for(*ann, unfit));
  CHECK(w.waiting_games() == std::vector{first});
  w.ask(*ann, seek_for("connect-four"));
  const auto second = w.placed_at(*ann);
  CHECK(second != first);
  CHECK(w.waiting_games() == std::vector{second});
  // The same game again is another one. A player is not paired with itself.
  w.ask(*ann, seek_for("connect-four"));
  const auto third = w.placed_at(*ann);
  CHECK(third != second);
  CHECK(ann->last<started>() == nullptr);
  CHECK(w.waiting_games() == std::vector{third});
  CHECK(w.refused_for(*bob, seek_at(first)) == refusal::not_in_game);
  w.ask(*bob, seek_at(third));
  CHECK(bob->last<started>() != nullptr);
  CHECK(w.waiting_games().empty());
}

TEST_CASE("joining: a new game that begins at once leaves no waiting seat (B5)") {
  joining_lobby w;
  const auto ann = w.enter("ann"), bob = w.enter("bob");
  w.ask(*ann, seek_for());
  auto engine = seek_for("connect-four");
  engine.against_engine = true;
  w.ask(*ann, engine);
  CHECK(ann->last<started>() != nullptr);
  CHECK(w.waiting_games().empty());
  w.ask(*ann, leave{});
  w.ask(*ann, seek_for());
  w.ask(*bob, seek_for("connect-four"));
  w.ask(*ann, seek_for("connect-four"));
  CHECK(ann->last<started>() != nullptr);
  CHECK(w.waiting_games().empty());
}

TEST_CASE("joining: a rematch that waits is joined by the player that it waits for alone") {
  joining_lobby w;
  const auto ann = w.enter("ann"), bob = w.enter("bob"), eve = w.enter("eve");
  w.ask(*ann, seek_for());
  w.ask(*bob, seek_for());
  const auto first = w.placed_at(*bob);
  w.ask(*bob, leave{first});
  w.ask(*ann, rematch{first});
  const auto next = w.placed_at(*ann);
  REQUIRE(next);
  CHECK(w.refused_for(*eve, seek_at(next)) == refusal::seat_taken);
  w.ask(*bob, seek_at(next));
  REQUIRE(bob->last<started>() != nullptr);
  CHECK(bob->last<started>()->seat == 0);
}

TEST_CASE("joining: a player that signs out frees its name before the answer") {
  joining_lobby w{{.loops = 2}};
  const auto ann = w.enter("ann");
  w.ask(*ann, seek_for());
  w.ask(*ann, sign_out{});
  CHECK(ann->last<done>() != nullptr);
  CHECK(w.waiting_games().empty());
  const auto next = w.hub.connect(test_hub::cells_wire, 0);
  w.ask(*next, sign_in{.name = "ann", .resume_secret = {}, .choice = name_choice::exact});
  CHECK(next->last<signed_in>() != nullptr);
  ann->disconnect();
}

TEST_CASE("joining: counts for the limits of games, of seats and of the rate of games") {
  SECTION("games of the hub") {
    joining_lobby w{{.settings = {0s, 0s, 0s, 100, 1, 60s}}};
    const auto ann = w.enter("ann"), bob = w.enter("bob"), eve = w.enter("eve");
    w.ask(*ann, seek_for());
    const auto game = w.placed_at(*ann);
    w.ask(*eve, seek_engine());
    CHECK(w.refused_for(*bob, seek_at(game)) == refusal::hub_full);
    w.ask(*eve, leave{});
    w.ask(*bob, seek_at(game));
    CHECK(bob->last<started>() != nullptr);
  }
  SECTION("of an address") {
    address_ledger ledger{{.seats = 1, .games = 1}, {3, 4}};
    const auto account = ledger.account_of(*base::read_address("203.0.113.9"));
    joining_lobby w;
    const auto ann = w.enter("ann"), eve = w.enter("eve");
    const auto bob = w.enter("bob", account), dan = w.enter("dan", account);
    w.ask(*ann, seek_for());
    w.ask(*bob, seek_at(w.placed_at(*ann)));
    CHECK(bob->last<started>() != nullptr);
    CHECK(account->held(address_limit::seats) == 1);
    w.ask(*eve, seek_for());
    const auto next = w.placed_at(*eve);
    CHECK(w.refused_for(*dan, seek_at(next)) == refusal::address_limit);
    w.ask(*eve, leave{});
    // Once more than the burst.
    std::optional<refusal> why;
    for (int i = 0; i < 30 && !why; ++i) {
      w.ask(*bob, leave{});
      w.ask(*ann, seek_for());
      why = w.refused_for(*bob, seek_at(w.placed_at(*ann)));
    }
    CHECK(why == refusal::rate_limited);
  }
}

TEST_CASE("joining: wrong invitations count as wrong secrets of the address") {
  address_ledger ledger{{.guesses = 1}, {3, 4}};
  const auto account = ledger.account_of(*base::read_address("203.0.113.9"));
  joining_lobby w;
  const auto bob = w.enter("bob", account);
  std::optional<refusal> why;
  int wrong = 0;
  for (int i = 0; i < 30 && why != refusal::rate_limited; ++i, ++wrong)
    why = w.refused_for(*bob, seek_by(std::string(32, '0')));
  CHECK(why == refusal::rate_limited);
  CHECK(wrong < 10);
  // Games by their ids are no secrets.
  CHECK(w.refused_for(*bob, seek_at(game_id{4711})) == refusal::not_in_game);
}
