#include "actors/table/substitutes.hpp"

#include "tests/support/catch.hpp"

#include <string>
#include <vector>

namespace gamehub::actors::table {
namespace {

using journal::record;

record of(record::kind what, int seat, std::int64_t action = 0, std::string wire = {}) {
  record r;
  r.what = what;
  r.seat = static_cast<std::int16_t>(seat);
  r.action = action;
  r.wire = std::move(wire);
  return r;
}

record gone(int seat) { return of(record::kind::substituted, seat, 0, "engine:random"); }
record late(int seat) { return of(record::kind::substituted, seat, 1, "engine:random"); }

}  // namespace

TEST_CASE("substitutes: a game of two never goes on without a player") {
  const substitutes two{2, 0};
  CHECK_FALSE(two.can_replace(only(0)));
  CHECK_FALSE(two.can_replace(only(1)));
}

TEST_CASE("substitutes: of three or more, two seats must remain, and a player among them") {
  substitutes three{3, 0};
  CHECK(three.can_replace(only(1)));
  CHECK_FALSE(three.can_replace(only(0) | only(1)));
  three.replace(1, true);
  CHECK(three.now() == only(1));
  CHECK(three.gone() == only(1));
  CHECK_FALSE(three.can_replace(only(0)));

  // The engines of seats 1 and 2 would play alone; with a second player they would not.
  CHECK_FALSE(substitutes{3, only(1) | only(2)}.can_replace(only(0)));
  CHECK(substitutes{4, only(1) | only(2)}.can_replace(only(0)));
}

TEST_CASE("substitutes: a player whose time ran out comes back once") {
  substitutes s{4, 0};
  s.replace(2, false);
  CHECK(s.may_return(2));
  CHECK_FALSE(s.may_return(1));
  CHECK_FALSE(s.has_returned(2));
  s.bring_back(2);
  CHECK(s.now() == 0);
  CHECK(s.has_returned(2));
  s.replace(2, true);
  CHECK_FALSE(s.may_return(2));
}

TEST_CASE("substitutes: a log is followed record by record, and refused where it can't be") {
  const std::vector<record> log{of(record::kind::opened, -1),
                                of(record::kind::joined, 0),
                                of(record::kind::joined, 1, 0, "engine:random"),
                                of(record::kind::joined, 2),
                                of(record::kind::joined, 3),
                                of(record::kind::joined, 0)};  // another name
  auto s = substitutes::at_start(log);
  CHECK(s.engines() == only(1));
  CHECK(s.follow(log.back()));
  CHECK_FALSE(s.follow(gone(1)));  // an engine does not leave
  CHECK_FALSE(s.follow(gone(4)));
  CHECK_FALSE(s.follow(gone(-1)));
  CHECK_FALSE(s.follow(of(record::kind::substituted, 0, 0, "turns")));
  CHECK_FALSE(s.follow(of(record::kind::returned, 0)));
  CHECK(s.follow(late(0)));
  CHECK(s.now() == only(0));
  CHECK(s.gone() == 0);
  CHECK(s.follow(of(record::kind::returned, 0)));
  CHECK(s.now() == 0);
  CHECK(s.follow(gone(0)));
  CHECK_FALSE(s.follow(of(record::kind::returned, 0)));
  CHECK_FALSE(s.follow(gone(0)));
  CHECK(s.follow(gone(2)));
  CHECK_FALSE(s.follow(gone(3)));  // the last player: the game ends instead
}

TEST_CASE("substitutes: a forfeited seat has lost, and the best of the others wins") {
  substitutes s{4, 0};
  outcome o;
  o.scores = {0.5, 0.25, 0.1, 0.25};
  o.winner = 0;
  s.settle(o);
  CHECK(o.forfeits == 0);
  CHECK(o.winner == 0);
  s.replace(0, true);
  s.settle(o);
  CHECK(o.forfeits == only(0));
  CHECK(o.scores == std::vector<double>{-1, 0.25, 0.1, 0.25});
  CHECK_FALSE(o.winner);
  s.replace(3, true);
  s.settle(o);
  CHECK(o.winner == 1);
}

}  // namespace gamehub::actors::table
