// How far a move had got when: what its answer says of it.
#include "actors/system/runtime.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/test_hub.hpp"

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

// The receipt of the latest answer to this client.
receipt last_answer(const test_client& c) {
  for (auto e = c.events.rbegin(); e != c.events.rend(); ++e)
    if (e->answers.ticket != 0) return e->answers;
  return {};
}

struct pair_at_a_table {
  explicit pair_at_a_table(test_hub& of)
      : x(of.connect(test_hub::cells_wire)), o(of.connect(test_hub::cells_wire)) {
    for (const auto& each : {x, o}) each->submit(seek_once()), of.settle();
  }
  std::shared_ptr<test_client> x, o;
};

}  // namespace

TEST_CASE("runtime: an answer says when its game took it up and had decided it") {
  test_hub hub;
  pair_at_a_table at{hub};
  at.x->submit(play_cell(0));
  hub.pass(3ms);
  hub.settle();
  const auto told = last_answer(*at.x);
  CHECK(told.stages.taken_up == 3'000);
  CHECK(told.stages.decided == 3'000);
  CHECK(told.stages.committed == 0);
  // Other events have no stage times.
  for (const auto& e : at.o->events)
    CHECK((e.answers.ticket != 0 || e.answers.stages.decided == 0));
}

TEST_CASE("runtime: an answer that waited for the journal says when it was committed") {
  late_journal log;
  test_hub hub{{.log = &log}};
  pair_at_a_table at{hub};
  log.commit_all(), hub.settle();
  at.x->submit(play_cell(0));
  hub.pass(3ms);
  hub.settle();
  hub.pass(40ms);
  log.commit_all(), hub.settle();
  const auto told = last_answer(*at.x);
  CHECK(told.stages.taken_up == 3'000);
  CHECK(told.stages.decided == 3'000);
  CHECK(told.stages.committed == 43'000);
  log.be_late(false);
}

TEST_CASE("runtime: a refused move has its times, and at least a microsecond each") {
  test_hub hub;
  pair_at_a_table at{hub};
  at.o->submit(play_cell(0)), hub.settle();
  REQUIRE(at.o->last<refused>() != nullptr);
  CHECK(last_answer(*at.o).stages.taken_up == 1);
  CHECK(last_answer(*at.o).stages.decided == 1);
}
