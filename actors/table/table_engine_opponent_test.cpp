// The engine player at a table: its moves, what of it is logged, and that it never loses at
// TicTacToe.
#include "actors/table/engine_opponent.hpp"
#include "actors/table/replay.hpp"
#include "actors/table/table.hpp"
#include "engines/host/registry.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/spoiled_engine.hpp"

#include <algorithm>
#include <map>
#include <set>

using namespace gamehub;
using actors::table::table;
using actors::table::transition;
using engines::level;
using journal::record;
namespace engine_level = actors::table::engine_opponent;

namespace {

// A table with ann on one seat, and the engine player on the other.
struct sitting {
  explicit sitting(const engines::host::engine& e, seat_index hers = 0, level l = level::perfect,
                   std::uint64_t seed = 1)
      : rules(e), skill(l), ann(hers), random(seed), t(make()) {
    std::vector<actors::table::join> came(2);
    came[other()].wire = engine_level::log_wire_name(skill);
    t.open(came, random, d);
    note();
  }
  explicit sitting(std::string_view id, seat_index hers = 0, level l = level::perfect,
                   std::uint64_t seed = 1)
      : sitting(*engines::host::registry::built_in().find(id), hers, l, seed) {}

  void play(std::int64_t cell) {
    receipt r;
    r.from = attachment_id{1};
    r.ticket = ++last_ticket;
    d.clear();
    t.play(ann, r, {move::form::cell, cell, {}}, random, d);
    note();
  }
  void think(std::uint64_t turn, engines::action what) {
    d.clear();
    t.apply_engine_move(static_cast<seat_index>(other()), turn, what, random, d);
    note();
  }
  void note() { log.insert(log.end(), d.records.begin(), d.records.end()); }

  std::vector<position_ref> shown() const {
    std::vector<position_ref> all;
    for (const auto& n : d.outbound)
      if (const auto* p = std::get_if<position_ref>(&n.what.what)) all.push_back(*p);
    return all;
  }
  std::vector<std::int64_t> free_cells() const {
    std::string cells;
    t.match().glyphs(engines::spectator, cells);
    std::vector<std::int64_t> free;
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells[i] == '-') free.push_back(static_cast<std::int64_t>(i));
    return free;
  }
  std::size_t other() const { return 1 - static_cast<std::size_t>(ann); }

  engines::host::engine rules;
  level skill;
  seat_index ann;
  base::seeded_entropy random;
  table t;
  transition d;
  std::vector<record> log;
  ticket last_ticket = 0;

 private:
  table make() const {
    std::vector<actors::table::table_seat> seats(2);
    seats[static_cast<std::size_t>(ann)] = {player_id{1}, "ann", view_form::cells};
    seats[other()] = {{}, engine_level::name_of(skill), view_form::cells, true, {}, false, skill};
    return table{game_id{5}, rules, std::get<engines::host::match>(rules.create({})), seats};
  }
};

}  // namespace

TEST_CASE("engine player at a table: its seat is in the log, and everyone is told who it is") {
  const sitting g{"tictactoe", 0, level::medium};
  REQUIRE(g.log.size() == 3);
  CHECK(g.log[2].what == record::kind::joined);
  CHECK(g.log[2].seat == 1);
  CHECK(g.log[2].action == 0);
  CHECK(g.log[2].text == "engine (medium)");
  CHECK(g.log[2].wire == "engine:medium");
  CHECK(g.log[2].secret.empty());
  // Only the player is told anything.
  REQUIRE(g.d.outbound.size() == 2);
  for (const auto& n : g.d.outbound) CHECK(n.to == 0);
  const auto& began = std::get<started>(g.d.outbound[0].what.what);
  CHECK(began.players == std::vector<std::string>{"ann", "engine (medium)"});
}

TEST_CASE("engine player at a table: answers a move in the same decision, position by position") {
  sitting g{"tictactoe"};
  g.play(4);
  REQUIRE(g.d.records.size() == 2);
  CHECK(g.d.records[0].seat == 0);
  CHECK(g.d.records[1].seat == 1);
  CHECK(g.d.records[1].number == g.d.records[0].number + 1);
  const auto shown = g.shown();
  REQUIRE(shown.size() == 2);
  CHECK(g.d.outbound[0].what.answers.ticket == 1);
  CHECK(shown[0]->by == 0);
  CHECK(shown[0]->prompted == only(1));
  CHECK(g.d.outbound[1].what.answers.ticket == 0);
  CHECK(shown[1]->by == 1);
  CHECK(shown[1]->prompted == only(0));
  CHECK(std::count(shown[1]->cells.begin(), shown[1]->cells.end(), 'O') == 1);
  CHECK(g.t.to_move() == only(0));
}

TEST_CASE("engine player at a table: moves first where it has the first seat") {
  const sitting g{"tictactoe", 1};
  const auto shown = g.shown();
  REQUIRE(shown.size() == 2);
  CHECK(shown[0]->cells == "---------");
  CHECK(std::count(shown[1]->cells.begin(), shown[1]->cells.end(), 'X') == 1);
  CHECK(shown[1]->prompted == only(1));
}

TEST_CASE("engine player at a table: a refused move is not answered by one of the engine player") {
  sitting g{"tictactoe"};
  g.play(9);
  CHECK(g.d.records.empty());
  REQUIRE(g.d.outbound.size() == 1);
  CHECK(std::holds_alternative<refused>(g.d.outbound[0].what.what));
}

TEST_CASE(
    "engine player at a table: what it has to think about is asked for, once the turn is its own") {
  sitting g{"connect-four"};
  CHECK(g.t.seats_awaiting_search() == 0);
  g.play(3);
  CHECK(g.d.records.size() == 1);
  CHECK(g.t.seats_awaiting_search() == only(1));
  const auto turn = g.t.turn();
  SECTION("the thought is played") {
    g.think(turn, 2);
    REQUIRE(g.d.records.size() == 1);
    CHECK(g.d.records[0].seat == 1);
    CHECK(g.shown().back()->prompted == only(0));
    CHECK(g.t.seats_awaiting_search() == 0);
    // It comes a second time.
    g.think(turn, 2);
    CHECK(g.d.records.empty());
    CHECK(g.d.outbound.empty());
  }
  SECTION("a thought about another turn is nothing") {
    g.think(turn - 1, 2);
    g.think(turn + 1, 2);
    CHECK(g.d.records.empty());
    CHECK(g.t.seats_awaiting_search() == only(1));
  }
  SECTION("a thought that the rules do not allow is the engine's failure") {
    CHECK_THROWS_AS(g.think(turn, 99), engines::host::engine_failure);
  }
  SECTION("nothing comes of it after the end") {
    g.d.clear();
    g.t.leave(0, {}, g.random, g.d);
    CHECK(g.t.seats_awaiting_search() == 0);
    CHECK(g.t.outcome().winner == 1);
    g.think(turn, 2);
    CHECK(g.d.records.empty());
  }
}

TEST_CASE("engine player at a table: a choice of the engine's own player must be legal, too") {
  const auto liar = tests::spoiled_engine("tictactoe", "chooses-cell-4", [](auto& abi) {
    abi.extension = [](const char* id) -> const void* {
      static const gamehub_player player = [] {
        const void* own = tests::healthy_engine("tictactoe").extension(GAMEHUB_PLAYER);
        auto p = *static_cast<const gamehub_player*>(own);
        p.choose_in_style = [](const gamehub_match*, std::int32_t, const gamehub_play_style*,
                               std::int64_t* a) -> gamehub_reason { return *a = 4, nullptr; };
        return p;
      }();
      if (std::string_view{id} == GAMEHUB_PLAYER) return &player;
      return tests::healthy_engine("tictactoe").extension(id);
    };
  });
  sitting g{liar};
  CHECK_THROWS_AS(g.play(4), engines::host::engine_failure);
  // The player's move stays, and the game is over without a result.
  g.t.abandon(g.d);
  CHECK(g.d.records.front().action == 4);
  CHECK(g.t.outcome().reason == end_reason::failed);
}

TEST_CASE("engine player at a table: actions are kept where a search may replay them, only there") {
  const auto keeps = [](const engines::host::engine& rules, std::size_t seats, bool has_engine) {
    std::vector<actors::table::table_seat> all(seats);
    if (has_engine) all[1].engine_level = level::perfect;
    auto m = std::get<engines::host::match>(rules.create({}, static_cast<int>(seats)));
    table t{game_id{1}, rules, std::move(m), all};
    t.keep_actions("");
    return t.played() != nullptr;
  };
  const auto found = [](std::string_view id) {
    return *engines::host::registry::built_in().find(id);
  };
  CHECK(keeps(found("rock-paper-scissors"), 2, true));
  CHECK_FALSE(keeps(found("rock-paper-scissors"), 2, false));
  // One has a player, and the other no secrets.
  CHECK_FALSE(keeps(found("kuhn-poker"), 2, true));
  CHECK_FALSE(keeps(found("connect-four"), 2, true));
  // An engine may come for who leaves.
  const auto cards = tests::spoiled_engine("oh-hell", "cards-alone", [](auto& abi) {
    abi.extension = [](const char*) -> const void* { return nullptr; };
  });
  CHECK(keeps(cards, 3, false));
}

TEST_CASE("engine player at a table: a whole game replays from its log") {
  const auto l = GENERATE(level::random, level::medium, level::perfect);
  const auto seat = GENERATE(0, 1);
  sitting g{"tictactoe", seat, l};
  while (!g.t.over()) g.play(g.free_cells().front());
  const auto replayed = actors::table::replay(g.rules, {}, g.log);
  REQUIRE(std::holds_alternative<engines::host::match>(replayed));
  CHECK(std::get<engines::host::match>(replayed).hash() == g.t.match().hash());
}

// Every game there is against the engine: the player tries each move, the engine player each of the
// moves that are equally good to it. A line of cells is played from the beginning, by a luck that
// makes the engine player choose what the line has next.
namespace {

struct tally {
  int games = 0, lost = 0, drawn = 0, won = 0;
};

// The luck of a line: the seed of each choice of the engine player, in order.
class told_luck final : public base::random_source {
 public:
  explicit told_luck(const std::vector<std::uint64_t>& seeds) : seeds_(seeds) {}
  std::uint64_t next() override { return at_ < seeds_.size() ? seeds_[at_++] : 0; }
  std::size_t used() const { return at_; }

 private:
  const std::vector<std::uint64_t>& seeds_;
  std::size_t at_ = 0;
};

struct line {
  line(const engines::host::engine& rules, seat_index ann, const std::vector<std::uint64_t>& seeds,
       const std::vector<std::int64_t>& cells)
      : random(seeds), t(make(rules, ann)) {
    t.open(std::vector<actors::table::join>(2), random, d);
    for (const auto cell : cells) t.play(ann, {}, {move::form::cell, cell, {}}, random, d);
  }
  static table make(const engines::host::engine& rules, seat_index ann) {
    std::vector<actors::table::table_seat> seats(2);
    seats[1 - static_cast<std::size_t>(ann)].engine_level = level::perfect;
    return table{game_id{1}, rules, std::get<engines::host::match>(rules.create({})), seats};
  }
  std::string cells() const {
    std::string out;
    t.match().glyphs(engines::spectator, out);
    return out;
  }

  told_luck random;
  table t;
  transition d;
};

// One seed for each choice that the engine player may make as its latest in this line.
std::vector<std::uint64_t> seeds_of_choices(const engines::host::engine& rules, seat_index ann,
                                            std::vector<std::uint64_t> seeds,
                                            const std::vector<std::int64_t>& cells) {
  std::vector<std::uint64_t> out;
  std::set<std::string> seen;
  seeds.push_back(0);
  // Among at most nine cells a hundred seeds find each.
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    seeds.back() = seed;
    const line l{rules, ann, seeds, cells};
    if (l.random.used() == seeds.size() && seen.insert(l.cells()).second) out.push_back(seed);
    if (l.random.used() < seeds.size()) break;
  }
  return out;
}

// The seeds of the choices at a board, which many lines lead to.
using known_choices = std::map<std::string, std::vector<std::uint64_t>>;

// `at`: the board after the latest cell of the line.
void try_all(const engines::host::engine& rules, seat_index ann, std::vector<std::uint64_t>& seeds,
             std::vector<std::int64_t>& cells, const std::string& at, known_choices& known,
             tally& count) {
  const auto go_on = [&] {
    const line here{rules, ann, seeds, cells};
    if (here.t.over()) {
      ++count.games;
      const auto winner = here.t.outcome().winner;
      ++(!winner ? count.drawn : *winner == ann ? count.lost : count.won);
      return;
    }
    const auto board = here.cells();
    for (std::size_t cell = 0; cell < board.size(); ++cell) {
      if (board[cell] != '-') continue;
      cells.push_back(static_cast<std::int64_t>(cell));
      auto then = board;
      then[cell] = ann == 0 ? 'X' : 'O';
      try_all(rules, ann, seeds, cells, then, known, count);
      cells.pop_back();
      if (tests::sanitized && cells.empty()) return;
    }
  };
  if (!known.contains(at)) known[at] = seeds_of_choices(rules, ann, seeds, cells);
  const auto& choices = known[at];
  if (choices.empty()) return go_on();
  for (const auto seed : choices) {
    seeds.push_back(seed);
    go_on();
    seeds.pop_back();
  }
}

}  // namespace

TEST_CASE(
    "engine player at a table: loses none of all games of TicTacToe against it, on either seat") {
  const auto rules = *engines::host::registry::built_in().find("tictactoe");
  for (const seat_index ann : {0, 1}) {
    std::vector<std::uint64_t> seeds;
    std::vector<std::int64_t> cells;
    known_choices known;
    tally count;
    try_all(rules, ann, seeds, cells, {}, known, count);
    CHECK(count.lost == 0);
    if (tests::sanitized) continue;
    // As many as there are, with all that the engine player may choose from.
    CHECK(count.games == (ann == 0 ? 6'112 : 10'640));
    CHECK(count.drawn == 3'584);
    CHECK(count.won == count.games - count.drawn);
  }
}
