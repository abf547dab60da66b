// A draw and a takeback at a table: what is logged, what each player is told, and what replays.
#include "actors/table/public_projection.hpp"
#include "actors/table/replay.hpp"
#include "actors/table/table.hpp"
#include "engines/host/registry.hpp"
#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace std::chrono_literals;
using actors::table::table;
using actors::table::table_seat;
using actors::table::transition;
using journal::record;

namespace {

using kinds = std::vector<record::kind>;

const client_features able{false, true, true};

std::vector<table_seat> two_people() {
  return {{player_id{1}, "ann", view_form::cells, true, able},
          {player_id{2}, "bob", view_form::document, true, able}};
}
std::vector<table_seat> three_people() {
  auto seats = two_people();
  seats.push_back({player_id{3}, "cleo", view_form::document, true, able});
  return seats;
}
table_seat engine_seat() {
  return {{}, "engine", view_form::cells, false, {}, false, engines::level::random};
}

// A table, its log, and the result of the latest call.
struct offered_game {
  explicit offered_game(std::string_view id = "tictactoe",
                        std::vector<table_seat> seats = two_people(),
                        const std::string& options = {})
      : rules(*engines::host::registry::built_in().find(id)),
        t(game_id{5}, rules, std::get<engines::host::match>(rules.create(options)),
          std::move(seats)) {
    log.header.engine = id;
    log.header.options = options;
    t.open(std::vector<actors::table::join>(t.seats().size()), random, d), keep();
  }
  void keep() { log.records.insert(log.records.end(), d.records.begin(), d.records.end()); }
  void play(seat_index seat, std::int64_t cell) {
    d.clear();
    t.play(seat, {}, {move::form::cell, cell, {}}, random, d), keep();
  }
  // The first legal move of the player to move, whom it returns.
  seat_index play_any() {
    seat_index seat = 0;
    while (!holds(t.to_move(), seat)) ++seat;
    std::vector<engines::action> legal;
    t.match().legal_actions(seat, legal);
    d.clear();
    t.play(seat, {}, {move::form::word, 0, t.match().to_text(legal.front())}, random, d), keep();
    return seat;
  }
  void offer(seat_index seat, offer_kind what, offer_step step = offer_step::offered) {
    d.clear();
    receipt r;
    r.ticket = 7;
    t.offer(
        seat, r, {{}, what, step}, base::instant{1h},
        [this] {
          ++reads;
          return std::optional{log};
        },
        random, d);
    keep();
  }
  // The refusal of the latest request; empty: it was carried out.
  std::string refused_to(seat_index seat) const {
    for (const auto& n : d.outbound)
      if (n.to == seat && n.what.answers.ticket == 7)
        if (const auto* no = std::get_if<refused>(&n.what.what))
          return no->detail.empty() ? std::string{to_string(no->why)} : no->detail;
    return {};
  }
  const offer_update* told(seat_index seat) const {
    for (const auto& n : d.outbound)
      if (const auto* o = std::get_if<offer_update>(&n.what.what); o != nullptr && n.to == seat)
        return o;
    return nullptr;
  }
  const position* shown(seat_index seat) const {
    for (const auto& n : d.outbound)
      if (const auto* p = std::get_if<position_ref>(&n.what.what); p != nullptr && n.to == seat)
        return p->get();
    return nullptr;
  }
  kinds logged() const {
    kinds out;
    for (const auto& r : d.records) out.push_back(r.what);
    return out;
  }
  // True if the log leads to the match of this table.
  bool replays() const {
    const auto again = actors::table::replay(rules, log.header, log.records);
    const auto* match = std::get_if<engines::host::match>(&again);
    return match != nullptr && match->hash() == t.match().hash();
  }

  engines::host::engine rules;
  int reads = 0;  // of the log
  base::seeded_entropy random{1};
  journal::game_log log;
  table t;
  transition d;
};

constexpr auto draw = offer_kind::draw, takeback = offer_kind::takeback;
constexpr auto accepted = offer_step::accepted, declined = offer_step::declined;

TEST_CASE("table offers: a draw that the other accepts ends the game") {
  offered_game g;
  g.play(0, 4);
  g.offer(0, draw);
  CHECK(g.refused_to(0).empty());
  CHECK(g.logged() == kinds{record::kind::offered});
  for (seat_index seat : {0, 1}) {
    REQUIRE(g.told(seat) != nullptr);
    CHECK(g.told(seat)->what == draw);
    CHECK(g.told(seat)->step == offer_step::offered);
    CHECK(g.told(seat)->name == "ann");
  }
  CHECK(g.t.open_offers().size() == 1);
  g.offer(1, draw, accepted);
  CHECK(g.logged() == kinds{record::kind::accepted, record::kind::ended});
  REQUIRE(g.t.over());
  CHECK(g.t.outcome().reason == end_reason::agreed);
  CHECK(g.t.outcome().draw());
  CHECK(g.t.outcome().scores == std::vector{0.0, 0.0});
  CHECK(g.shown(0)->outcome->draw());
  CHECK(g.t.open_offers().empty());
  CHECK(g.replays());
  g.offer(0, takeback);
  CHECK(g.refused_to(0) == "game-over");
}

TEST_CASE("table offers: a takeback goes back to the turn of who asked") {
  const auto own_turn = GENERATE(false, true);
  CAPTURE(own_turn);
  offered_game g;
  g.play(0, 0), g.play(1, 1), g.play(0, 2);
  if (own_turn) g.play(1, 3);
  const auto turn = g.t.turn();
  g.offer(0, takeback);
  g.offer(1, takeback, accepted);
  CHECK(g.logged() == kinds{record::kind::accepted, record::kind::taken_back});
  CHECK(g.d.records[1].action == 6);
  CHECK(g.d.records[1].seat == 0);
  CHECK(g.shown(0)->cells == "XO-------");
  CHECK(g.shown(0)->prompted == only(0));
  CHECK(g.shown(0)->number == g.log.records.back().number);
  CHECK(g.t.turn() == turn + 1);
  CHECK(g.replays());
  // Once more, from there.
  g.offer(0, takeback);
  g.offer(1, takeback, accepted);
  CHECK(g.shown(0)->cells == "---------");
  CHECK(g.replays());
  g.offer(0, takeback);
  CHECK(g.refused_to(0) == "you have no move to take back");
  g.play(0, 8);
  CHECK(g.shown(1) != nullptr);
  CHECK(g.replays());
}

TEST_CASE("table offers: moves end offers before they are logged") {
  offered_game g;
  g.play(0, 4);
  g.offer(0, draw), g.offer(0, takeback);
  g.play(1, 0);
  CHECK(g.logged() == kinds{record::kind::declined, record::kind::withdrawn, record::kind::moved});
  CHECK(g.d.records[0].text == "moved");
  CHECK(g.t.open_offers().empty());
  CHECK(g.replays());
  g.offer(1, draw, declined);
  CHECK(g.refused_to(1) == "there is no such offer");
}

TEST_CASE("table offers: who leaves withdraws first") {
  offered_game g;
  g.offer(0, draw);
  g.d.clear();
  g.t.leave(0, {}, g.random, g.d), g.keep();
  CHECK(g.logged() == kinds{record::kind::withdrawn, record::kind::left, record::kind::ended});
  CHECK(g.replays());
}

TEST_CASE("table offers: games with hidden information or chance have no takebacks") {
  CHECK(offered_game{"tictactoe"}.rules.allows_takeback());
  for (const std::string id : {"rock-paper-scissors", "kuhn-poker"}) {
    CAPTURE(id);
    offered_game g{id};
    CHECK_FALSE(g.rules.allows_takeback());
    g.offer(0, takeback);
    CHECK(g.refused_to(0) == "no move can be taken back in this game");
    CHECK(g.logged().empty());
    CHECK(g.reads == 0);
    g.offer(0, draw);
    CHECK(g.refused_to(0).empty());
  }
}

TEST_CASE("table offers: an engine opponent grants each takeback and no draw") {
  auto seats = two_people();
  seats[1] = engine_seat();
  offered_game g{"tictactoe", seats};
  g.play(0, 4);
  g.offer(0, draw);
  CHECK(g.refused_to(0) == "an engine opponent agrees to no draw");
  g.offer(0, takeback);
  CHECK(g.logged() == kinds{record::kind::offered, record::kind::taken_back});
  CHECK(g.shown(0)->cells == "---------");
  CHECK(g.replays());
}

TEST_CASE("table offers: of three, a takeback waits for both others and names who has accepted") {
  offered_game g{"dots-and-boxes", three_people(), R"({"players":3})"};
  const auto before = g.t.match().hash();
  REQUIRE(g.play_any() == 0);
  REQUIRE(g.play_any() == 1);
  g.offer(0, takeback);
  CHECK(g.refused_to(0).empty());
  for (seat_index seat : {0, 1, 2}) CHECK(g.told(seat) != nullptr);
  g.offer(2, takeback, accepted);
  CHECK(g.logged() == kinds{record::kind::accepted});
  const auto stands = g.t.open_offers();
  REQUIRE(stands.size() == 2);
  CHECK(stands[0].name == "ann");
  CHECK(stands[1].step == accepted);
  CHECK(stands[1].name == "cleo");
  CHECK(stands[1].what == takeback);
  g.offer(2, takeback, accepted);
  CHECK(g.refused_to(2) == "there is no such offer");
  SECTION("the last one accepts") {
    g.offer(1, takeback, accepted);
    CHECK(g.logged() == kinds{record::kind::accepted, record::kind::taken_back});
    CHECK(g.t.match().hash() == before);
    CHECK(g.t.to_move() == only(0));
    for (seat_index seat : {0, 1, 2}) CHECK(g.shown(seat) != nullptr);
  }
  SECTION("the last one declines") {
    g.offer(1, takeback, declined);
    CHECK(g.logged() == kinds{record::kind::declined});
    CHECK(g.t.to_move() == only(2));
  }
  SECTION("a move comes first") {
    REQUIRE(g.play_any() == 2);
    CHECK(g.logged() == kinds{record::kind::withdrawn, record::kind::moved});
  }
  SECTION("the last one leaves") {
    g.d.clear();
    g.t.leave(1, {}, g.random, g.d, leave_cause::quit), g.keep();
    CHECK(g.told(0)->step == declined);
    CHECK(g.told(0)->cause == offer_cause::left);
  }
  CHECK(g.t.open_offers().empty());
  CHECK(g.replays());
}

TEST_CASE("table offers: where an engine plays on for a player who left, a draw is refused") {
  offered_game g{"dots-and-boxes", three_people(), R"({"players":3})"};
  g.play_any();
  g.d.clear();
  g.t.leave(1, {}, g.random, g.d, leave_cause::quit), g.keep();
  g.offer(0, draw);
  CHECK(g.refused_to(0) ==
        "an engine plays on for a player who left or ran out of time, and agrees to no draw");
}

TEST_CASE("table offers: a client without words for them is offered nothing") {
  auto seats = two_people();
  seats[1].features = {};
  offered_game g{"tictactoe", seats};
  g.offer(0, draw);
  CHECK(g.refused_to(0) == "the client of the other player can't answer offers");
  g.play(0, 4);
  g.offer(0, takeback);
  CHECK(g.refused_to(0) == "the client of the other player can't answer offers");
  CHECK(g.reads == 0);
  g.offer(1, draw);
  CHECK(g.refused_to(1).empty());
  // The next client of ann's can't, either.
  g.d.clear();
  g.t.resend_position(0, view_form::cells, g.d, {}), g.keep();
  CHECK(g.logged() == kinds{record::kind::declined});
  CHECK(g.replays());
}

TEST_CASE("table offers: a restored table has the offers of its log, and tells them who returns") {
  offered_game g;
  g.play(0, 4);
  g.offer(0, takeback);
  auto again = actors::table::replay(g.rules, g.log.header, g.log.records);
  table t{game_id{5}, g.rules, std::move(std::get<engines::host::match>(again)), two_people()};
  t.restore(g.log.records);
  REQUIRE(t.open_offers().size() == 1);
  CHECK(t.open_offers().front().what == takeback);
  g.d.clear();
  t.resend_position(1, view_form::document, g.d, able);
  REQUIRE(g.told(1) != nullptr);
  CHECK(g.told(1)->name == "ann");
}

TEST_CASE("table offers: a claim takes the seats of the absent, and no other seats") {
  offered_game g;
  g.d.clear();
  receipt r;
  r.ticket = 7;
  g.t.claim(0, r, only(0), g.random, g.d);
  CHECK(g.refused_to(0) == "no player has been away for long enough");
  g.d.clear();
  g.t.claim(0, r, only(1), g.random, g.d), g.keep();
  CHECK(g.logged() == kinds{record::kind::left, record::kind::ended});
  CHECK(g.t.outcome().winner == 0);
  CHECK(g.d.records.back().text == "disconnected");
  CHECK(g.replays());
}

TEST_CASE("table offers: replay refuses what no table logs") {
  offered_game g;
  g.play(0, 4), g.play(1, 0);
  const auto good = g.log.records;
  const auto wrong = [&](record r) {
    auto log = good;
    r.number = log.size() + 1;
    log.push_back(r);
    const auto found = actors::table::replay(g.rules, g.log.header, log);
    return std::get<actors::table::replay_fault>(found).what;
  };
  record back;
  back.what = record::kind::taken_back;
  back.seat = 0, back.action = 5;
  CHECK(wrong(back) == "takes back what is not the latest move of its seat");
  back.action = 4;
  CHECK(wrong(back) == "leads to another state than the one that was logged");
  record strange;
  strange.what = record::kind::offered;
  strange.seat = 0;
  CHECK(wrong(strange) == "offers no known thing");
  strange.action = 1, strange.seat = 2;
  CHECK(wrong(strange).starts_with("is by some"));
  record end;
  end.what = record::kind::ended;
  end.why = end_reason::agreed, end.seat = 1;
  CHECK(wrong(end) == "has a winner of an agreed draw");
}

TEST_CASE("table offers: spectators see each step, and the board that a takeback brings back") {
  offered_game g;
  g.t.set_watched(actors::table::metadata_of(g.log, &g.rules));
  g.play(0, 4);
  g.offer(0, takeback);
  REQUIRE(g.d.updates.size() == 1);
  CHECK(g.d.updates[0]->what == game_update::kind::offer_changed);
  CHECK(g.d.updates[0]->offer->name == "ann");
  g.offer(1, takeback, accepted);
  REQUIRE(g.d.updates.size() == 2);
  const auto& back = *g.d.updates[1];
  CHECK(back.what == game_update::kind::taken_back);
  CHECK(back.back_to == 4);
  CHECK(back.seat == 0);
  CHECK(back.then->cells == "---------");
}

}  // namespace
