#include "actors/table/turn_reports.hpp"

#include "tests/support/catch.hpp"

#include <chrono>
#include <vector>

namespace gamehub::actors::table {
namespace {

using journal::record;
using kind = record::kind;
using namespace std::chrono_literals;

record a_record(journal::record_number number, kind what, int seat = -1) {
  record r;
  r.number = number;
  r.at = base::wall_time{std::chrono::seconds{number}};
  r.what = what;
  r.seat = static_cast<std::int16_t>(seat);
  return r;
}

constexpr seat_set x = 1, o = 2, both = 3;

turn_reports begun_reports() {
  turn_reports out{{"ann", "bob"}};
  out.add(std::vector{a_record(1, kind::opened), a_record(2, kind::joined, 0),
                      a_record(3, kind::joined, 1)});
  return out;
}

}  // namespace

TEST_CASE("turn reports: a turn that waits for an absent player is reported once") {
  auto r = begun_reports();
  CHECK(r.update(x, 0).begun == 0);
  CHECK(r.update(x, o).begun == 0);
  auto now = r.update(x, both);
  CHECK(now.begun == x);
  CHECK(now.over == 0);
  CHECK(r.turn_of(0) == 1);
  CHECK(r.since() == base::wall_time{1s});
  CHECK(r.update(x, both).begun == 0);
  r.add(std::vector{a_record(4, kind::said, 1), a_record(5, kind::offered, 1)});
  CHECK(r.update(x, both).begun == 0);
  CHECK(r.since() == base::wall_time{1s});
}

TEST_CASE("turn reports: a move, and a return of the player, end the report") {
  auto r = begun_reports();
  CHECK(r.update(x, both).begun == x);
  r.add(std::vector{a_record(4, kind::moved, 0)});
  auto now = r.update(o, both);
  CHECK(now.over == x);
  CHECK(now.begun == o);
  CHECK(r.since() == base::wall_time{4s});
  now = r.update(o, x);
  CHECK(now.over == o);
  CHECK(now.begun == 0);
  // Away again: the listener knows by the number that it is the same turn.
  const auto turn = r.turn_of(1);
  CHECK(r.update(o, both).begun == o);
  CHECK(r.turn_of(1) == turn);
}

TEST_CASE("turn reports: each turn of a seat has its own number, also after a takeback") {
  auto r = begun_reports();
  r.add(std::vector{a_record(4, kind::moved, 0)});
  const auto first = r.turn_of(1);
  CHECK(r.update(o, both).begun == o);
  r.add(std::vector{a_record(5, kind::taken_back, 0)});
  CHECK(r.update(x, both).begun == x);
  r.add(std::vector{a_record(6, kind::moved, 0)});
  CHECK(r.update(o, both).begun == o);
  CHECK(r.turn_of(1) != first);
  r.add(std::vector{a_record(7, kind::moved, 1), a_record(8, kind::moved, 0)});
  CHECK(r.turn_of(1) == 7);
  CHECK(r.update(o, both).begun == o);
}

TEST_CASE("turn reports: in a simultaneous turn the move of another seat begins no turn") {
  auto r = begun_reports();
  CHECK(r.update(both, both).begun == both);
  r.add(std::vector{a_record(4, kind::moved, 0)});
  const auto now = r.update(o, both);
  CHECK(now.begun == 0);
  CHECK(now.over == x);
}

TEST_CASE("turn reports: a restored log gives the numbers that the game had") {
  auto was = begun_reports();
  const std::vector<record> rest{a_record(4, kind::moved, 0), a_record(5, kind::moved, 1),
                                 a_record(6, kind::said, 1)};
  was.add(rest);
  auto again = begun_reports();
  again.add(rest);
  CHECK(again.turn_of(0) == was.turn_of(0));
  CHECK(again.turn_of(1) == was.turn_of(1));
  CHECK(again.since() == base::wall_time{5s});
}

TEST_CASE("turn reports: a seat without a secret is not reported") {
  turn_reports r{{"ann", ""}};
  CHECK(r.seats() == x);
  r.add(std::vector{a_record(1, kind::opened)});
  CHECK(r.update(both, both).begun == x);
  auto first = a_record(2, kind::joined, 0), second = a_record(3, kind::joined, 1);
  first.secret = "digest";
  CHECK(turn_reports::players_of(std::vector{first, second}) ==
        std::vector<std::string>{"digest", ""});
}

}  // namespace gamehub::actors::table
