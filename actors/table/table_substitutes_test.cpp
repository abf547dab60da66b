// A table of three or more whose players leave: an engine plays on, and the log tells all of it.
#include "actors/table/replay.hpp"
#include "actors/table/table.hpp"
#include "engines/host/registry.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <string>
#include <vector>

namespace gamehub::actors::table {
namespace {

using journal::record;

// A table of four, with the log and what was sent.
struct table_of_four {
  explicit table_of_four(std::string_view id, std::uint64_t seed = 1)
      : rules(*engines::host::registry::built_in().find(id)),
        random(seed),
        header{game_id{5}, std::string{id}, rules.version_text(), R"({"players":4})", {}},
        t(game_id{5}, rules, std::get<engines::host::match>(rules.create(header.options)),
          {{player_id{1}, "ann", view_form::document},
           {player_id{2}, "bob", view_form::document},
           {player_id{3}, "cleo", view_form::document},
           {player_id{4}, "dan", view_form::document}}) {
    t.open(std::vector<join>(4), random, d);
    keep();
  }

  void keep() { log.insert(log.end(), d.records.begin(), d.records.end()); }
  template <class Change>
  void change(Change how) {
    d.clear();
    how();
    keep();
  }
  void leave(seat_index seat, leave_cause why = leave_cause::quit) {
    change([&] { t.leave(seat, {}, random, d, why); });
  }
  void expire() {
    change([&] { t.on_turn_expired(t.turn(), random, d); });
  }
  seat_index mover() const { return static_cast<seat_index>(std::countr_zero(t.to_move())); }
  void play_any() {
    std::vector<engines::action> legal;
    const auto seat = mover();
    t.match().legal_actions(seat, legal);
    change([&] {
      if (holds(t.seats_awaiting_search(), seat))
        return t.apply_engine_move(seat, t.turn(), legal.front(), random, d);
      t.play(seat, {}, {move::form::word, 0, t.match().to_text(legal.front())}, random, d);
    });
  }
  void play_to_the_end() {
    while (!t.over()) play_any();
  }
  const position* last_of(seat_index seat) const {
    const position* found = nullptr;
    for (const auto& n : d.outbound)
      if (const auto* p = std::get_if<position_ref>(&n.what.what); p != nullptr && n.to == seat)
        found = p->get();
    return found;
  }
  std::size_t count(record::kind what) const {
    return static_cast<std::size_t>(
        std::count_if(log.begin(), log.end(), [&](const record& r) { return r.what == what; }));
  }
  bool replays() const {
    const auto all = replay(rules, header, log);
    return std::holds_alternative<engines::host::match>(all);
  }

  engines::host::engine rules;
  base::seeded_entropy random;
  journal::game_header header;
  table t;
  transition d;
  std::vector<record> log;
};

}  // namespace

TEST_CASE("table: of four, an engine plays on for who leaves, and the game ends by the rules") {
  for (const auto* id : {"dots-and-boxes", "oh-hell"}) {
    INFO(id);
    table_of_four g{id};
    for (int i = 0; i < 5; ++i) g.play_any();
    g.leave(1);
    REQUIRE_FALSE(g.t.over());
    const auto& r = *std::find_if(g.log.begin(), g.log.end(), [](const record& each) {
      return each.what == record::kind::substituted;
    });
    CHECK(r.seat == 1);
    CHECK(r.wire.starts_with("engine:"));
    CHECK(r.action == 0);
    // For the leaver the game has ended; the others see who is replaced.
    REQUIRE(g.last_of(1) != nullptr);
    REQUIRE(g.last_of(1)->outcome);
    CHECK(g.last_of(1)->outcome->reason == end_reason::left);
    CHECK(g.last_of(1)->outcome->forfeits == only(1));
    REQUIRE(g.last_of(0) != nullptr);
    CHECK(g.last_of(0)->substituted == only(1));
    CHECK_FALSE(g.last_of(0)->outcome);
    // A move of the leaver that was on its way, and a second leaving, change nothing.
    g.change([&] { g.t.play(1, {}, {move::form::word, 0, "h:0:0"}, g.random, g.d); });
    g.leave(1);
    CHECK(g.d.records.empty());
    g.play_to_the_end();
    CHECK(g.last_of(1) == nullptr);
    const auto& how = g.t.outcome();
    CHECK(how.reason == end_reason::rules);
    CHECK(how.forfeits == only(1));
    CHECK(how.scores[1] == -1.0);
    CHECK(how.winner != 1);
    CHECK(g.replays());
    // Leaving again does nothing.
    g.leave(1);
    CHECK(g.d.records.empty());
  }
}

TEST_CASE("table: of four, the offer of a player ends when its time runs out") {
  table_of_four g{"dots-and-boxes"};
  for (seat_index each = 0; each < 4; ++each)
    g.change([&] { g.t.resend_position(each, view_form::document, g.d, {false, true, true}); });
  const auto seat = g.mover();
  g.change([&] {
    g.t.offer(
        seat, {}, {{}, offer_kind::draw, offer_step::offered}, base::instant{std::chrono::hours{1}},
        [] { return std::nullopt; }, g.random, g.d);
  });
  REQUIRE(g.t.open_offers().size() == 1);
  g.expire();
  REQUIRE(holds(g.t.substituted().now(), seat));
  CHECK(g.t.open_offers().empty());
  CHECK(g.count(record::kind::withdrawn) == 1);
  CHECK(g.replays());
}

TEST_CASE("table: of four, a player who comes back after its time learns of offers that stand") {
  table_of_four g{"dots-and-boxes"};
  const client_features able{false, true, true};
  for (seat_index each = 0; each < 4; ++each)
    g.change([&] { g.t.resend_position(each, view_form::document, g.d, able); });
  for (int i = 0; i < 4; ++i) g.play_any();
  const auto late = g.mover();
  g.expire();
  REQUIRE(holds(g.t.substituted().now(), late));
  // An engine accepts takebacks, and refuses draws.
  const auto other = static_cast<seat_index>((late + 1) % 4);
  g.change([&] {
    g.t.offer(
        other, {}, {{}, offer_kind::takeback, offer_step::offered},
        base::instant{std::chrono::hours{1}},
        [&] {
          return std::optional{journal::game_log{g.header, g.log}};
        },
        g.random, g.d);
  });
  g.change([&] { g.t.resend_position(late, view_form::document, g.d, able); });
  CHECK_FALSE(holds(g.t.substituted().now(), late));
  const auto told = std::count_if(g.d.outbound.begin(), g.d.outbound.end(), [&](const auto& n) {
    return n.to == late && std::holds_alternative<offer_update>(n.what.what);
  });
  CHECK(g.t.open_offers().size() == 1);
  CHECK(told == 1);
}

TEST_CASE("table: of four, the last player who stays has won at once") {
  table_of_four g{"dots-and-boxes"};
  g.leave(0);
  g.leave(2, leave_cause::banned);
  REQUIRE_FALSE(g.t.over());
  g.leave(3, leave_cause::disconnected);
  REQUIRE(g.t.over());
  CHECK(g.t.outcome().reason == end_reason::left);
  CHECK(g.t.outcome().winner == 1);
  CHECK(g.t.outcome().scores == std::vector<double>{-1, 1, -1, -1});
  CHECK(g.count(record::kind::substituted) == 2);
  CHECK(g.count(record::kind::left) == 1);
  CHECK(g.replays());
}

TEST_CASE("table: who runs out of time is replaced, and plays again with its next request, once") {
  table_of_four g{"dots-and-boxes"};
  REQUIRE(g.mover() == 0);
  g.expire();
  REQUIRE_FALSE(g.t.over());
  CHECK(g.t.substituted().now() == only(0));
  REQUIRE(g.last_of(0) != nullptr);
  CHECK(g.last_of(0)->substituted == only(0));
  CHECK_FALSE(g.last_of(0)->outcome);
  while (g.mover() == 0) g.play_any();
  CHECK(g.t.substituted().now() == only(0));
  // A move out of turn is refused, but the player is there.
  g.change([&] { g.t.play(0, {}, {move::form::word, 0, "h:0:0"}, g.random, g.d); });
  CHECK(g.t.substituted().now() == 0);
  CHECK(g.count(record::kind::returned) == 1);
  while (g.mover() != 0) g.play_any();
  g.expire();
  CHECK(g.t.substituted().gone() == only(0));
  REQUIRE(g.last_of(0) != nullptr);
  REQUIRE(g.last_of(0)->outcome);
  CHECK(g.last_of(0)->outcome->reason == end_reason::clock);
  g.change([&] { g.t.play(0, {}, {move::form::word, 0, "h:0:0"}, g.random, g.d); });
  CHECK(g.t.substituted().now() == only(0));
  g.play_to_the_end();
  CHECK(g.t.outcome().forfeits == only(0));
  CHECK(g.replays());
}

TEST_CASE("table: who ran out of time takes the seat again by a new attachment, or by chat") {
  table_of_four g{"dots-and-boxes"};
  g.expire();
  g.change([&] { g.t.resend_position(0, view_form::document, g.d); });
  CHECK(g.t.substituted().now() == 0);
  REQUIRE(g.d.outbound.size() >= 2);
  CHECK(std::holds_alternative<started>(g.d.outbound.front().what.what));
  table_of_four h{"dots-and-boxes"};
  h.expire();
  h.change([&] { h.t.chat(0, {}, "here", h.d); });
  CHECK(h.t.substituted().now() == 0);
  CHECK(h.count(record::kind::said) == 1);
  CHECK(h.replays());
}

TEST_CASE("table: a restored game has the same substitutes, and leads to the same end") {
  table_of_four g{"oh-hell", 7};
  g.leave(3);
  for (int i = 0; i < 4; ++i) g.play_any();
  auto replayed = replay(g.rules, g.header, g.log);
  REQUIRE(std::holds_alternative<engines::host::match>(replayed));
  CHECK(std::get<engines::host::match>(replayed).hash() == g.t.match().hash());
  auto seats = g.t.seats();
  table again{game_id{5}, g.rules, std::move(std::get<engines::host::match>(replayed)), seats};
  again.restore(g.log);
  CHECK(again.substituted().now() == only(3));
  CHECK(again.substituted().gone() == only(3));
  CHECK(again.engine_seats() == only(3));
  CHECK(again.to_move() == g.t.to_move());
}

TEST_CASE("table: no player sees the cards of another, also not of a seat that an engine plays") {
  table_of_four g{"oh-hell", 3};
  for (int i = 0; i < 4; ++i) g.play_any();
  g.leave(2);
  for (seat_index seat : {0, 1, 3}) {
    const auto* shown = g.last_of(seat);
    REQUIRE(shown != nullptr);
    std::string own;
    g.t.match().view_json(seat, own);
    CHECK(shown->document == own);
    std::string theirs;
    g.t.match().view_json(2, theirs);
    CHECK(shown->document != theirs);
  }
}

}  // namespace gamehub::actors::table
