#include "actors/table/table.hpp"

#include "actors/table/engine_output.hpp"
#include "engines/contract/call_monitor.hpp"
#include "engines/host/registry.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/spoiled_engine.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

using namespace gamehub;
using actors::table::table;
using actors::table::table_seat;
using actors::table::transition;
using journal::record;

namespace {

receipt answering(ticket t) {
  receipt r;
  r.from = attachment_id{1};
  r.ticket = t;
  return r;
}

// A table of two with what it decided last.
struct played {
  explicit played(const engines::host::engine& e, view_form first = view_form::cells,
                  view_form second = view_form::document, std::uint64_t seed = 1)
      : rules(e),
        random(seed),
        t(game_id{5}, rules, std::get<engines::host::match>(rules.create({})),
          {{player_id{1}, "ann", first}, {player_id{2}, "bob", second}}) {
    t.open(std::vector<actors::table::join>(2), random, d);
  }
  explicit played(std::string_view id, view_form first = view_form::cells,
                  view_form second = view_form::document, std::uint64_t seed = 1)
      : played(*engines::host::registry::built_in().find(id), first, second, seed) {}

  void play(seat_index seat, move what) {
    d.clear();
    t.play(seat, answering(++last_ticket), std::move(what), random, d);
  }
  void play(seat_index seat, std::int64_t cell) { play(seat, {move::form::cell, cell, {}}); }
  void say(seat_index seat, std::string word) {
    play(seat, {move::form::word, 0, std::move(word)});
  }

  // The only thing of that kind that a seat was told just now.
  template <class T>
  const T* told(seat_index seat) const {
    const T* found = nullptr;
    for (const auto& n : d.outbound)
      if (n.to == seat)
        if (const auto* x = std::get_if<T>(&n.what.what)) {
          CHECK(found == nullptr);
          found = x;
        }
    return found;
  }
  const position* shown(seat_index seat) const {
    const auto* p = told<position_ref>(seat);
    return p == nullptr ? nullptr : p->get();
  }
  ticket answered(seat_index seat) const {
    ticket last = 0;
    for (const auto& n : d.outbound)
      if (n.to == seat && n.what.answers.ticket != 0) last = n.what.answers.ticket;
    return last;
  }
  std::vector<record::kind> logged() const {
    std::vector<record::kind> kinds;
    for (const auto& r : d.records) kinds.push_back(r.what);
    return kinds;
  }

  engines::host::engine rules;
  base::seeded_entropy random;
  table t;
  transition d;
  ticket last_ticket = 0;
};

using kinds = std::vector<record::kind>;

}  // namespace

TEST_CASE("table: opens with its log, and shows everyone who plays whom before where it stands") {
  const played g{"tictactoe"};
  CHECK(g.logged() == kinds{record::kind::opened, record::kind::joined, record::kind::joined});
  CHECK(g.d.records[1].text == "ann");
  CHECK(g.d.records[2].text == "bob");
  CHECK(g.d.records[2].seat == 1);
  REQUIRE(g.d.outbound.size() == 4);
  for (seat_index seat : {0, 1}) {
    const auto* began = g.told<started>(seat);
    REQUIRE(began != nullptr);
    CHECK(began->seat == seat);
    CHECK(began->marks == "XO");
    CHECK(began->players == std::vector<std::string>{"ann", "bob"});
    const auto* p = g.shown(seat);
    REQUIRE(p != nullptr);
    CHECK(p->number == 3);
    CHECK(p->to_move == only(0));
    CHECK(p->prompted == only(0));
    CHECK_FALSE(p->by.has_value());
  }
  const auto first_position =
      std::find_if(g.d.outbound.begin(), g.d.outbound.end(),
                   [](const auto& n) { return std::holds_alternative<position_ref>(n.what.what); });
  CHECK(first_position - g.d.outbound.begin() == 2);
}

TEST_CASE("table: renders a position in the form of each seat's wire") {
  played g{"tictactoe", view_form::cells, view_form::document};
  g.play(0, 4);
  CHECK(g.shown(0)->cells == "----X----");
  CHECK(g.shown(0)->rows == 3);
  CHECK(g.shown(0)->document.empty());
  CHECK(g.shown(1)->cells.empty());
  CHECK(g.shown(1)->document.find('X') != std::string::npos);
}

TEST_CASE("table: seats of one form share a rendering where everybody sees everything") {
  const played open_board{"tictactoe", view_form::cells, view_form::cells};
  CHECK(open_board.shown(0) == open_board.shown(1));
  const played secrets{"kuhn-poker", view_form::document, view_form::document};
  CHECK(secrets.shown(0) != secrets.shown(1));
}

TEST_CASE("table: a move is logged, answered with the position, and prompts the next") {
  played g{"tictactoe"};
  g.play(0, 0);
  REQUIRE(g.logged() == kinds{record::kind::moved});
  CHECK(g.d.records[0].number == 4);
  CHECK(g.d.records[0].seat == 0);
  CHECK(g.d.records[0].action == 0);
  CHECK_FALSE(g.d.records[0].hidden);
  CHECK(g.answered(0) == 1);
  CHECK(g.answered(1) == 0);
  for (seat_index seat : {0, 1}) {
    CHECK(g.shown(seat)->by == 0);
    CHECK(g.shown(seat)->prompted == only(1));
    CHECK(g.shown(seat)->number == 4);
  }
}

TEST_CASE("table: refuses what the rules forbid, tells the mover alone and logs nothing") {
  played g{"tictactoe"};
  g.play(0, 0);
  const auto hash = g.t.match().hash();
  const auto check = [&](refusal why) {
    CHECK(g.d.records.empty());
    REQUIRE(g.d.outbound.size() == 1);
    const auto* no = g.told<refused>(g.d.outbound[0].to);
    REQUIRE(no != nullptr);
    CHECK(no->why == why);
    CHECK(g.answered(g.d.outbound[0].to) == g.last_ticket);
    CHECK(g.t.match().hash() == hash);
  };
  g.play(0, 1), check(refusal::not_your_turn);
  g.play(1, 0), check(refusal::space_not_empty);
  g.play(1, 9), check(refusal::out_of_bounds);
  g.play(1, -1), check(refusal::out_of_bounds);
  g.play(1, {move::form::document, 0, "no document"});
  CHECK(g.told<refused>(1)->what.text == "no document");
  CHECK(g.d.records.empty());
  // Bounds come before emptiness, and the turn is whose it was.
  g.play(1, 1);
  CHECK(g.shown(1) != nullptr);
}

TEST_CASE("table: a refusal does not prompt the player again") {
  played g{"tictactoe"};
  const auto turn = g.t.turn();
  g.play(0, 99);
  CHECK(g.shown(0) == nullptr);
  CHECK(g.t.turn() == turn);
}

TEST_CASE("table: ends by the rules, with the winner, the scores and the last record") {
  played g{"tictactoe"};
  for (const int cell : {0, 3, 1, 4}) g.play(cell < 3 ? 0 : 1, cell);
  g.play(0, 2);
  CHECK(g.logged() == kinds{record::kind::moved, record::kind::ended});
  CHECK(g.d.records.back().seat == 0);
  CHECK(g.d.records.back().why == end_reason::rules);
  REQUIRE(g.t.over());
  CHECK(g.t.outcome().winner == 0);
  CHECK(g.t.outcome().scores == std::vector<double>{1, -1});
  CHECK_FALSE(g.t.outcome().draw());
  for (seat_index seat : {0, 1}) {
    REQUIRE(g.shown(seat)->outcome.has_value());
    CHECK(g.shown(seat)->outcome->winner == 0);
    CHECK(g.shown(seat)->number == g.d.records.back().number);
    CHECK(g.shown(seat)->prompted == 0);
    CHECK(g.shown(seat)->to_move == 0);
  }
  CHECK(g.answered(0) == g.last_ticket);
  g.play(1, 8);
  CHECK(g.told<refused>(1)->why == refusal::game_over);
  CHECK(g.d.records.empty());
}

TEST_CASE("table: a full board without a line is a draw") {
  played g{"tictactoe"};
  int turn = 0;
  for (const int cell : {0, 1, 2, 4, 3, 5, 7, 6, 8}) g.play(turn++ % 2, cell);
  REQUIRE(g.t.over());
  CHECK(g.t.outcome().draw());
  CHECK(g.d.records.back().seat == -1);
}

TEST_CASE("table: who leaves loses, a move that crossed it is refused with that") {
  played g{"tictactoe"};
  g.d.clear();
  g.t.leave(1, answering(7), g.random, g.d);
  CHECK(g.logged() == kinds{record::kind::left, record::kind::ended});
  CHECK(g.d.records[0].seat == 1);
  CHECK(g.d.records[1].why == end_reason::left);
  CHECK(g.d.records[1].seat == 0);
  REQUIRE(g.told<done>(1) != nullptr);
  CHECK(g.answered(1) == 7);
  CHECK(g.t.outcome().winner == 0);
  CHECK(g.shown(0)->outcome->reason == end_reason::left);
  CHECK(g.shown(1)->outcome->reason == end_reason::left);
  CHECK_FALSE(g.shown(0)->by.has_value());
  g.play(0, 0);
  CHECK(g.told<refused>(0)->why == refusal::opponent_left);
  // It was the other who left.
  g.play(1, 0);
  CHECK(g.told<refused>(1)->why == refusal::game_over);
}

TEST_CASE("table: the log tells how a player left") {
  for (const auto& [why, word] :
       {std::pair{leave_cause::quit, ""}, std::pair{leave_cause::disconnected, "disconnected"},
        std::pair{leave_cause::bot_error, "bot-error"}}) {
    played g{"tictactoe"};
    g.d.clear();
    g.t.leave(1, {}, g.random, g.d, why);
    CHECK(g.d.records.back().why == end_reason::left);
    CHECK(g.d.records.back().text == word);
  }
}

TEST_CASE("table: what a player says is logged and answered, and changes nothing else") {
  played g{"tictactoe"};
  const auto turn = g.t.turn();
  g.d.clear();
  g.t.chat(1, answering(7), "good luck", g.d);
  CHECK(g.logged() == kinds{record::kind::said});
  CHECK(g.d.records[0].number == 4);
  CHECK(g.d.records[0].seat == 1);
  CHECK(g.d.records[0].text == "good luck");
  REQUIRE(g.d.outbound.size() == 1);
  CHECK(g.told<done>(1) != nullptr);
  CHECK(g.answered(1) == 7);
  CHECK(g.t.turn() == turn);
  g.play(0, 4);
  CHECK(g.shown(1)->number == 5);
}

TEST_CASE("table: a new name is logged, and all players receive it; after the end it is not") {
  played g{"tictactoe"};
  const auto turn = g.t.turn();
  const auto old = g.t.seats()[1].name;
  g.d.clear();
  g.t.rename(1, "New", g.d);
  CHECK(g.logged() == kinds{record::kind::joined});
  CHECK(g.d.records[0].number == 4);
  CHECK(g.d.records[0].seat == 1);
  CHECK(g.d.records[0].text == "New");
  CHECK(g.d.records[0].action == static_cast<std::int64_t>(g.t.seats()[1].player.value));
  CHECK(g.d.records[0].wire.empty());
  for (const seat_index seat : {0, 1}) {
    REQUIRE(g.told<renamed>(seat) != nullptr);
    CHECK(g.told<renamed>(seat)->name == "New");
    CHECK(g.told<renamed>(seat)->old_name == old);
  }
  CHECK(g.t.turn() == turn);
  g.d.clear();
  g.t.rename(1, "New", g.d);
  CHECK(g.d.records.empty());
  g.t.leave(0, answering(1), g.random, g.d);
  g.d.clear();
  g.t.rename(1, "Newer", g.d);
  CHECK(g.d.records.empty());
  CHECK(g.t.seats()[1].name == "Newer");
}

TEST_CASE("table: takes one line of printable text at a time, and only while the game goes on") {
  played g{"tictactoe"};
  const auto refused_for = [&](std::string text) -> std::optional<refusal> {
    g.d.clear();
    g.t.chat(0, answering(++g.last_ticket), std::move(text), g.d);
    const auto* no = g.told<refused>(0);
    CHECK((no == nullptr) == (g.d.records.size() == 1));
    return no == nullptr ? std::nullopt : std::optional{no->why};
  };
  CHECK(refused_for("") == refusal::malformed);
  CHECK(refused_for("two\nlines") == refusal::malformed);
  CHECK(refused_for("\x7f") == refusal::malformed);
  CHECK(refused_for(std::string(limits::chat_bytes_max + 1, 'a')) == refusal::malformed);
  CHECK_FALSE(refused_for(std::string(limits::chat_bytes_max, 'a')));
  for (int i = 1; i < limits::chats_per_game_max; ++i) REQUIRE_FALSE(refused_for("again"));
  CHECK(refused_for("once more") == refusal::rate_limited);
  g.t.leave(1, {}, g.random, g.d);
  CHECK(refused_for("bye") == refusal::game_over);
}

TEST_CASE("table: leaving after the end changes nothing, and is answered") {
  played g{"tictactoe"};
  g.t.leave(0, {}, g.random, g.d);
  const auto outcome = g.t.outcome();
  g.d.clear();
  g.t.leave(1, {}, g.random, g.d);
  CHECK(g.d.outbound.empty());
  CHECK(g.d.records.empty());
  g.t.leave(1, answering(3), g.random, g.d);
  CHECK(g.told<done>(1) != nullptr);
  CHECK(g.t.outcome().winner == outcome.winner);
}

TEST_CASE("table: whose time runs out loses, and only in the turn that was timed") {
  played g{"tictactoe"};
  const auto first_turn = g.t.turn();
  g.play(0, 0);
  CHECK(g.t.turn() == first_turn + 1);
  g.d.clear();
  g.t.on_turn_expired(first_turn, g.random, g.d);
  CHECK(g.d.records.empty());
  CHECK_FALSE(g.t.over());
  g.t.on_turn_expired(g.t.turn(), g.random, g.d);
  REQUIRE(g.t.over());
  CHECK(g.t.outcome().winner == 0);
  CHECK(g.t.outcome().reason == end_reason::clock);
  g.play(0, 1);
  CHECK(g.told<refused>(0)->why == refusal::opponent_left);
  g.play(1, 1);
  CHECK(g.told<refused>(1)->why == refusal::game_over);
  g.d.clear();
  g.t.on_turn_expired(g.t.turn(), g.random, g.d);
  CHECK(g.d.records.empty());
}

TEST_CASE("table: in a simultaneous turn each choice stays hidden until all have chosen") {
  played g{"rock-paper-scissors", view_form::document, view_form::document};
  CHECK(g.shown(0)->to_move == (only(0) | only(1)));
  CHECK(g.shown(0)->prompted == (only(0) | only(1)));
  const auto turn = g.t.turn();
  g.say(0, "rock");
  REQUIRE(g.d.records.size() == 1);
  CHECK(g.d.records[0].hidden);
  CHECK(g.t.turn() == turn);
  CHECK(g.shown(1)->prompted == 0);
  CHECK(g.shown(1)->document.find("rock") == std::string::npos);
  CHECK(g.shown(0)->document.find("rock") != std::string::npos);
  g.say(0, "paper");
  CHECK(g.told<refused>(0)->why == refusal::not_your_turn);
  g.say(1, "paper");
  REQUIRE(g.t.over());
  CHECK_FALSE(g.d.records[0].hidden);
  CHECK(g.t.outcome().winner == 1);
  CHECK(g.shown(1)->document.find("rock") != std::string::npos);
}

TEST_CASE(
    "table: the only late player of a simultaneous turn loses; if all are late there is no "
    "result") {
  played g{"rock-paper-scissors", view_form::document, view_form::document};
  const auto turn = g.t.turn();
  if (GENERATE(false, true)) {
    g.say(1, "rock");
    g.d.clear();
    g.t.on_turn_expired(turn, g.random, g.d);
    CHECK(g.t.outcome().winner == 1);
    CHECK(g.t.outcome().scores == std::vector<double>{-1, 1});
  } else {
    g.d.clear();
    g.t.on_turn_expired(turn, g.random, g.d);
    CHECK_FALSE(g.t.outcome().winner.has_value());
    CHECK_FALSE(g.t.outcome().draw());
    CHECK(g.t.outcome().scores == std::vector<double>{0, 0});
    CHECK(g.d.records.back().seat == -1);
  }
  CHECK(g.t.outcome().reason == end_reason::clock);
  CHECK(g.shown(0)->outcome.has_value());
  CHECK(g.shown(1)->outcome.has_value());
}

TEST_CASE("table: what chance draws is logged, hidden where the rules hide it, and fair") {
  std::map<std::int64_t, int> first_cards;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const played g{"kuhn-poker", view_form::document, view_form::document, seed};
    REQUIRE(g.d.records.size() == 5);
    CHECK(g.d.records[3].what == record::kind::drawn);
    CHECK(g.d.records[3].hidden);
    CHECK(g.d.records[4].hidden);
    CHECK(g.d.records[3].action != g.d.records[4].action);
    ++first_cards[g.d.records[3].action];
  }
  REQUIRE(first_cards.size() == 3);
  for (const auto& [card, count] : first_cards) CHECK(count > 60);
}

TEST_CASE("table: no player ever sees a thing that depends on the other's card") {
  // All deals with the same actions: a player with the same card must see the same throughout,
  // until the showdown.
  std::map<std::pair<seat_index, std::int64_t>, std::set<std::vector<std::string>>> seen;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    played g{"kuhn-poker", view_form::document, view_form::document, seed};
    const std::int64_t cards[] = {g.d.records[3].action, g.d.records[4].action};
    std::map<seat_index, std::vector<std::string>> shown;
    const auto look = [&] {
      for (seat_index seat : {0, 1}) shown[seat].push_back(g.shown(seat)->document);
    };
    look();
    g.say(0, "pass"), look();
    g.say(1, "bet"), look();
    // Folding keeps the cards hidden for good.
    g.say(0, "pass"), look();
    REQUIRE(g.t.over());
    for (seat_index seat : {0, 1}) seen[{seat, cards[seat]}].insert(shown[seat]);
  }
  REQUIRE(seen.size() == 6);
  for (const auto& [who, documents] : seen) CHECK(documents.size() == 1);
}

TEST_CASE("table: resends the position to one player, with a prompt if it is to move") {
  played g{"tictactoe"};
  g.play(0, 0);
  const auto asked = GENERATE(0, 1);
  g.d.clear();
  g.t.resend_position(asked, view_form::cells, g.d);
  CHECK(g.d.records.empty());
  REQUIRE(g.d.outbound.size() == 2);
  CHECK(g.told<started>(asked) != nullptr);
  REQUIRE(g.shown(asked) != nullptr);
  CHECK(g.shown(asked)->number == 4);
  CHECK(g.shown(asked)->prompted == (asked == 1 ? only(1) : 0));
  CHECK_FALSE(g.shown(asked)->by.has_value());
}

TEST_CASE("table: ends without a result, once") {
  played g{"tictactoe"};
  g.d.clear();
  g.t.end(end_reason::drained, {}, g.d);
  CHECK(g.logged() == kinds{record::kind::ended});
  CHECK(g.t.outcome().reason == end_reason::drained);
  CHECK_FALSE(g.t.outcome().winner.has_value());
  CHECK_FALSE(g.t.outcome().draw());
  g.d.clear();
  g.t.end(end_reason::operator_, "cheating", g.d);
  CHECK(g.d.records.empty());
  g.play(0, 0);
  CHECK(g.told<refused>(0)->why == refusal::game_over);
}

TEST_CASE("table: an abandoned game ends for everyone without a word of the engine") {
  played g{"tictactoe"};
  g.d.clear();
  g.t.abandon(g.d);
  CHECK(g.logged() == kinds{record::kind::ended});
  for (seat_index seat : {0, 1}) {
    REQUIRE(g.shown(seat) != nullptr);
    CHECK(g.shown(seat)->outcome->reason == end_reason::failed);
    CHECK(g.shown(seat)->cells.empty());
    CHECK(g.shown(seat)->document.empty());
  }
}

TEST_CASE("table: an engine's fault at a move is no refusal") {
  played g{tests::engine_that_fails_at_cell_8()};
  CHECK_THROWS_AS(g.play(0, 8), engines::host::engine_failure);
  CHECK(g.d.records.empty());
  g.play(0, 0);
  CHECK(g.shown(0) != nullptr);
}

TEST_CASE("table: an engine that fails to show the end has ended all the same") {
  played g{tests::engine_that_fails_at_the_end(), view_form::document, view_form::document};
  for (const int cell : {0, 3, 1, 4}) g.play(cell < 3 ? 0 : 1, cell);
  CHECK_THROWS_AS(g.play(0, 2), engines::host::engine_failure);
  // The move and the end are to be logged, whatever can be shown of them.
  CHECK(g.logged() == kinds{record::kind::moved, record::kind::ended});
  g.d.outbound.clear();
  g.t.abandon(g.d);
  CHECK(g.logged() == kinds{record::kind::moved, record::kind::ended});
  for (seat_index seat : {0, 1}) {
    REQUIRE(g.shown(seat) != nullptr);
    REQUIRE(g.shown(seat)->outcome.has_value());
    CHECK(g.shown(seat)->outcome->winner == 0);
  }
}

TEST_CASE("table: gives the hub's refusal for each word of the engines") {
  CHECK(actors::table::refusal_of("out-of-bounds") == refusal::out_of_bounds);
  CHECK(actors::table::refusal_of("space-not-empty") == refusal::space_not_empty);
  CHECK(actors::table::refusal_of("not-your-turn") == refusal::not_your_turn);
  CHECK(actors::table::refusal_of("game-over") == refusal::game_over);
  CHECK(actors::table::refusal_of("malformed") == refusal::malformed);
  CHECK(actors::table::refusal_of("column-is-full") == refusal::illegal_move);
}

namespace {

using function = engines::contract::function;

// A game whose engine calls are counted.
struct counted_game {
  counted_game(view_form first, view_form second)
      : g(engines::contract::monitored(*engines::host::registry::built_in().find("tictactoe"),
                                       monitor),
          first, second) {}
  // Returns the number of calls that the move takes.
  std::map<function, std::uint64_t> play(seat_index seat, std::int64_t cell) {
    monitor.times = {};
    g.play(seat, cell);
    std::map<function, std::uint64_t> out;
    for (std::size_t i = 0; i < engines::contract::function_count; ++i)
      if (const auto n = monitor.times[i].count()) out[static_cast<function>(i)] = n;
    return out;
  }

  engines::contract::current_call note;
  engines::contract::call_monitor monitor{&note, {}};
  played g;
};

std::shared_ptr<const game_metadata> ann_and_bob() {
  game_metadata out;
  out.players = {"ann", "bob"};
  return std::make_shared<const game_metadata>(out);
}

}  // namespace

TEST_CASE("table: a watched move is applied once, and rendered once for all who see the same") {
  counted_game counted{view_form::cells, view_form::cells};
  auto& g = counted.g;
  const auto unwatched = counted.play(0, 4);
  CHECK(g.d.updates.empty());
  g.t.set_watched(ann_and_bob());
  auto watched = counted.play(1, 0);
  CHECK(watched[function::apply] == 1);
  CHECK(watched[function::cells_glyphs] == 1);
  CHECK(watched[function::to_move] == 1);
  // Spectators cost the text and the cell of the action and nothing else.
  CHECK(watched[function::action_to_text] == 1);
  CHECK(watched[function::cells_cell_of] == 1);
  watched.erase(function::action_to_text), watched.erase(function::cells_cell_of);
  CHECK(watched == unwatched);
  REQUIRE(g.d.updates.size() == 1);
  const auto& u = *g.d.updates[0];
  CHECK(u.number == g.d.records[0].number);
  CHECK(u.seat == 1);
  CHECK(u.cell == 0);
  CHECK(u.then->cells == "O---X----");
  CHECK(u.then->to_move == only(0));
  CHECK(u.then.get() == g.shown(0));
  CHECK(u.then.get() == g.shown(1));
  g.t.set_watched(nullptr);
  CHECK(counted.play(0, 1) == unwatched);
  CHECK(g.d.updates.empty());
}

TEST_CASE("table: positions for spectators have score and summary, those of players do not") {
  played g{"othello"};
  g.play(0, 19);
  g.t.set_watched(ann_and_bob());
  g.play(1, 18);
  REQUIRE(g.d.updates.size() == 1);
  const auto& then = *g.d.updates[0]->then;
  CHECK(then.score == std::vector<double>{3, 3});
  CHECK(then.summary == "Both players have 3 discs.");
  CHECK(then.cells == g.shown(0)->cells);
  CHECK(g.shown(0)->score.empty());
  CHECK(g.shown(1)->summary.empty());
}

TEST_CASE("table: a score that throws ends no game, but what spectators get from the table") {
  const auto rules = tests::spoiled_engine("tictactoe", "no-score", [](gamehub_engine_abi& abi) {
    abi.extension = [](const char* id) -> const void* {
      static const gamehub_score score{
          sizeof score, 0, [](const gamehub_match*, double*, std::size_t) -> std::size_t {
            throw std::runtime_error{"no score"};
          }};
      if (std::string_view{id} == GAMEHUB_SCORE) return &score;
      return tests::healthy_engine("tictactoe").extension(id);
    };
  });
  played g{rules};
  g.t.set_watched(ann_and_bob());
  g.play(0, 4);
  CHECK(g.d.updates.empty());
  REQUIRE(g.d.view_failure.has_value());
  CHECK(g.d.view_failure->function() == "score");
  CHECK_FALSE(g.t.watched());
  CHECK_FALSE(g.t.over());
  REQUIRE(g.shown(1) != nullptr);
  CHECK(g.shown(1)->to_move == only(1));
}

TEST_CASE("table: spectators share the position of the player whose form is theirs") {
  counted_game counted{view_form::cells, view_form::document};
  auto& g = counted.g;
  g.t.set_watched(ann_and_bob());
  auto calls = counted.play(0, 4);
  CHECK(calls[function::cells_glyphs] == 1);
  CHECK(calls[function::view_json] == 1);
  CHECK(g.d.updates.at(0)->then.get() == g.shown(0));
  g.play(1, 0), g.play(0, 1), g.play(1, 3);
  calls = counted.play(0, 7);
  CHECK(calls[function::apply] == 1);
  CHECK(calls[function::cells_glyphs] == 1);
  REQUIRE(g.d.updates.size() == 2);
  CHECK(g.d.updates[0]->what == game_update::kind::moved);
  CHECK(g.d.updates[1]->what == game_update::kind::ended);
  for (const auto& u : g.d.updates) {
    CHECK(u->then.get() == g.shown(0));
    CHECK(u->then->outcome->winner == 0);
  }
}

TEST_CASE("table: an own update has the player's view, rendered once for all who see the same") {
  counted_game counted{view_form::cells, view_form::cells};
  auto& g = counted.g;
  g.t.set_watched(ann_and_bob());
  const auto watched = counted.play(0, 4);
  CHECK(g.d.own_updates.empty());
  g.t.set_own_views(only(0) | only(1));
  auto calls = counted.play(1, 0);
  CHECK(calls[function::view_json] == 1);
  calls.erase(function::view_json);
  CHECK(calls == watched);
  REQUIRE(g.d.own_updates.size() == 2);
  for (seat_index seat : {0, 1}) {
    const auto& own = *g.d.own_updates[static_cast<std::size_t>(seat)];
    CHECK(own.as == seat);
    CHECK(own.number == g.d.updates.at(0)->number);
    CHECK(own.cell == 0);
    CHECK(own.then->cells == "O---X----");
    CHECK(own.then->document.starts_with("{"));
    CHECK(own.then->to_move == only(0));
  }
  CHECK_FALSE(g.d.updates[0]->as.has_value());
  CHECK(g.d.updates[0]->then->document.empty());
  g.t.set_own_views(0);
  CHECK(counted.play(0, 1) == watched);
}

TEST_CASE("table: a hidden card is in the own updates of its player alone, also after a fold") {
  played g{"kuhn-poker", view_form::document, view_form::document};
  table t{game_id{6}, g.rules, std::get<engines::host::match>(g.rules.create({})),
          std::vector<table_seat>{{player_id{1}, "ann", view_form::document},
                                  {player_id{2}, "bob", view_form::document}}};
  t.set_watched(ann_and_bob());
  t.set_own_views(only(0) | only(1));
  const auto is_dealt = [](const game_update& u, int seat) {
    const auto& view = u.then->document;
    const auto cards = view.substr(0, view.find(']'));
    const auto comma = cards.find(',');
    return (seat == 0 ? cards.substr(0, comma) : cards.substr(comma)).find("null") ==
           std::string::npos;
  };
  g.d.clear();
  t.open(std::vector<actors::table::join>(2), g.random, g.d);
  const auto play = [&](seat_index seat, std::string word) {
    g.d.clear();
    t.play(seat, answering(1), {move::form::word, 0, std::move(word)}, g.random, g.d);
  };
  const auto check_cards = [&] {
    CHECK(g.d.own_updates.size() == 2 * g.d.updates.size());
    for (const auto& u : g.d.own_updates) {
      if (!u->then) continue;
      CHECK_FALSE(is_dealt(*u, 1 - *u->as));
    }
    for (const auto& u : g.d.updates) {
      if (!u->then) continue;
      CHECK_FALSE(is_dealt(*u, 0));
      CHECK_FALSE(is_dealt(*u, 1));
    }
    for (seat_index seat : {0, 1}) {
      const auto last = std::find_if(g.d.own_updates.rbegin(), g.d.own_updates.rend(),
                                     [&](const auto& u) { return u->as == seat && u->then; });
      REQUIRE(last != g.d.own_updates.rend());
      CHECK(is_dealt(**last, seat));
    }
  };
  check_cards();
  play(0, "bet");
  check_cards();
  play(1, "pass");
  REQUIRE(t.over());
  check_cards();
}

TEST_CASE("table: chat, departures and draws have updates, each with the position of its record") {
  played g{"kuhn-poker", view_form::document, view_form::document};
  table t{game_id{6}, g.rules, std::get<engines::host::match>(g.rules.create({})),
          std::vector<table_seat>{{player_id{1}, "ann", view_form::document},
                                  {player_id{2}, "bob", view_form::document}}};
  t.set_watched(ann_and_bob());
  auto shown = std::get<engines::host::match>(g.rules.create({}));
  const auto check_updates = [&] {
    REQUIRE(g.d.updates.size() == g.d.records.size());
    for (std::size_t i = 0; i < g.d.records.size(); ++i) {
      const auto& r = g.d.records[i];
      const auto& u = *g.d.updates[i];
      CAPTURE(r.number);
      CHECK(u.number == r.number);
      if (r.what == record::kind::drawn) REQUIRE(shown.apply(engines::chance, r.action) == nullptr);
      if (r.what == record::kind::moved) REQUIRE(shown.apply(r.seat, r.action) == nullptr);
      const bool has_position = r.what != record::kind::joined && r.what != record::kind::said &&
                                r.what != record::kind::left;
      REQUIRE((u.then != nullptr) == has_position);
      if (!has_position) continue;
      std::string document;
      shown.view_json(engines::spectator, document);
      CHECK(u.then->document == document);
      CHECK(u.hidden == r.hidden);
      if (!u.hidden) continue;
      CHECK(u.text.empty());
      CHECK_FALSE(u.seat.has_value());
      CHECK_FALSE(u.cell.has_value());
      CHECK_FALSE(u.then->by.has_value());
    }
  };
  g.d.clear();
  t.open(std::vector<actors::table::join>(2), g.random, g.d);
  check_updates();
  CHECK(std::count_if(g.d.updates.begin(), g.d.updates.end(),
                      [](const auto& u) { return u->hidden; }) >= 2);
  g.d.clear(), t.chat(0, answering(1), "hm", g.d);
  check_updates();
  CHECK(g.d.updates.at(0)->text == "hm");
  CHECK(g.d.updates[0]->name == "ann");
  std::vector<engines::action> legal;
  t.match().legal_actions(0, legal);
  const auto word = t.match().to_text(legal.at(0));
  g.d.clear(), t.play(0, answering(2), {move::form::word, 0, word}, g.random, g.d);
  check_updates();
  CHECK(g.d.updates.at(0)->text == word);
  g.d.clear(), t.leave(1, answering(3), g.random, g.d);
  check_updates();
  REQUIRE(g.d.updates.size() == 2);
  CHECK(g.d.updates[0]->name == "bob");
  CHECK(g.d.updates[1]->then->outcome->winner == 0);
}

TEST_CASE("table: an engine that fails for spectators alone ends the updates, not the game") {
  const auto rules = tests::spoiled_engine("tictactoe", "wordless", [](gamehub_engine_abi& abi) {
    abi.action_to_text = [](const gamehub_match* m, std::int64_t a, char* out,
                            std::size_t capacity) -> std::size_t {
      if (a == 4) return GAMEHUB_FAILED;
      return tests::healthy_engine("tictactoe").action_to_text(m, a, out, capacity);
    };
  });
  played g{rules};
  g.t.set_watched(ann_and_bob());
  g.play(0, 4);
  CHECK_FALSE(g.t.watched());
  CHECK(g.d.updates.empty());
  CHECK_FALSE(g.t.over());
  CHECK(g.shown(0)->cells == "----X----");
  // A refused move has no text, and ends nothing.
  g.t.set_watched(ann_and_bob());
  g.play(1, 4);
  CHECK(g.told<refused>(1)->why == refusal::space_not_empty);
  CHECK(g.t.watched());
  g.play(1, 0);
  CHECK(g.d.updates.at(0)->text == "0");
}

TEST_CASE(
    "table: the end of a failed game is an update, and earlier records without one end them") {
  played early{"tictactoe"};
  early.t.set_watched(ann_and_bob());
  early.d.clear(), early.t.abandon(early.d);
  CHECK(early.t.watched());
  REQUIRE(early.d.updates.size() == 1);
  CHECK(early.d.updates[0]->then->outcome->reason == end_reason::failed);
  CHECK(early.d.updates[0]->then->cells.empty());
  played late{tests::engine_that_fails_at_the_end()};
  late.t.set_watched(ann_and_bob());
  for (const auto cell : {0, 3, 1, 4}) late.play(cell < 3 ? 0 : 1, cell);
  CHECK_THROWS_AS(late.play(0, 2), engines::host::engine_failure);
  CHECK(late.d.updates.empty());
  late.t.abandon(late.d);
  CHECK_FALSE(late.t.watched());
}
