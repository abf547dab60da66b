#include "actors/lobby/hub_questions.hpp"

#include "hub/base/random.hpp"
#include "tests/support/catch.hpp"

#include <map>
#include <set>
#include <vector>

using namespace gamehub;
using namespace std::chrono_literals;
using actors::lobby::gathers_here;
using actors::lobby::hub_questions;
using actors::lobby::stays_for_another;
using relay::member_id;

namespace {

constexpr player_id ann{1}, bob{2};
constexpr base::instant now{1h};
const std::vector<member_id> two{{5}, {6}};

// Begins a question that reaches all of these. Returns its number.
std::uint64_t begin(hub_questions& q, player_id who, const std::vector<member_id>& to = two,
                    base::instant at = now) {
  std::uint64_t number = 0;
  REQUIRE(q.begin(who, to, at, [&](member_id, std::uint64_t n) {
    number = n;
    return true;
  }));
  return number;
}

}  // namespace

TEST_CASE("hub_questions: the first yes ends a question, and no does when all have said it") {
  hub_questions q;
  const auto first = begin(q, ann);
  CHECK_FALSE(q.on_answer({5}, first, false));
  CHECK_FALSE(q.on_answer({5}, first, true));  // it has answered
  CHECK_FALSE(q.on_answer({7}, first, true));  // it was not asked
  CHECK(q.is_open(ann));
  const auto no = q.on_answer({6}, first, false);
  REQUIRE(no);
  CHECK((no->about == ann && !no->yes));
  CHECK_FALSE(q.is_open(ann));
  const auto second = begin(q, ann);
  const auto yes = q.on_answer({6}, second, true);
  REQUIRE(yes);
  CHECK(yes->yes == member_id{6});
  CHECK_FALSE(q.on_answer({5}, second, true));
}

TEST_CASE("hub_questions: only those are waited for that were asked and are there") {
  hub_questions q;
  CHECK_FALSE(q.begin(ann, two, now, [](member_id, std::uint64_t) { return false; }));
  CHECK_FALSE(q.is_open(ann));
  REQUIRE(q.begin(ann, two, now, [](member_id to, std::uint64_t) { return to == member_id{5}; }));
  CHECK(q.on_members({{5}, {6}}).empty());
  const auto gone = q.on_members({{6}});
  REQUIRE(gone.size() == 1);
  CHECK((gone.front().about == ann && !gone.front().yes));
}

TEST_CASE("hub_questions: a hub that does not answer has said no") {
  hub_questions q;
  begin(q, ann);
  begin(q, bob, two, now + 1s);
  CHECK(q.next() == now + hub_questions::answer_max);
  CHECK(q.expire(now + 1s).empty());
  const auto over = q.expire(now + hub_questions::answer_max);
  REQUIRE(over.size() == 1);
  CHECK(over.front().about == ann);
  q.forget(bob);
  CHECK_FALSE(q.next());
}

TEST_CASE("hub_questions: their number is bounded") {
  hub_questions q;
  for (std::uint64_t i = 1; i <= hub_questions::questions_max; ++i) begin(q, {i});
  CHECK_FALSE(q.begin({9'999}, two, now, [](member_id, std::uint64_t) { return true; }));
}

// Each hub has one player, and the messages between two hubs arrive in order. Which of them arrives
// next is random.
TEST_CASE("hub_questions: of two players who ask for each other exactly one goes") {
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    INFO("seed " << seed);
    base::seeded_entropy random{seed};
    struct side {
      hub_questions questions;
      std::vector<std::uint64_t> in;  // numbers of questions, and answers: the number plus 1000
      std::vector<bool> yes = {};     // of the answers, in order
      bool waits = false, expects = false, goes = false;
    };
    std::map<member_id, side> hubs{{{1}, {}}, {{2}, {}}};
    const auto other = [](member_id m) { return member_id{3 - m.value}; };
    for (int steps = 0; steps < 40; ++steps) {
      const member_id me{1 + random.below(2)};
      auto& mine = hubs[me];
      if (!mine.waits && !mine.goes && random.below(3) == 0) {
        mine.waits = true;
        mine.questions.begin(ann, {other(me)}, now, [&](member_id to, std::uint64_t number) {
          hubs[to].in.push_back(number);
          return true;
        });
      }
      if (mine.in.empty()) continue;
      const auto m = mine.in.front();
      mine.in.erase(mine.in.begin());
      auto& theirs = hubs[other(me)];
      if (m < 1'000) {
        const bool yes = mine.waits && !mine.goes;
        mine.expects |= yes;
        theirs.in.push_back(m + 1'000);
        theirs.yes.push_back(yes);
      } else {
        const bool yes = mine.yes.front();
        mine.yes.erase(mine.yes.begin());
        const auto ended = mine.questions.on_answer(other(me), m - 1'000, yes);
        if (ended && ended->yes && !stays_for_another(me, other(me), mine.expects))
          mine.goes = true;
      }
    }
    // All messages have arrived.
    if (!hubs[{1}].waits || !hubs[{2}].waits || !hubs[{1}].in.empty() || !hubs[{2}].in.empty())
      continue;
    CHECK(hubs[{1}].goes != hubs[{2}].goes);
  }
}

TEST_CASE("hub_questions: players gather at one hub, and none goes to and fro") {
  using actors::lobby::gathering;
  std::vector<gathering> all;
  for (std::uint32_t some = 1; some < 5; ++some)
    for (std::uint32_t stay = 0; stay <= some; ++stay) all.push_back({stay, some});
  for (const auto a : all)
    for (const auto b : all) {
      CAPTURE(a.stay, a.all, b.stay, b.all);
      CHECK(gathers_here({1}, {2}, a, b) != gathers_here({2}, {1}, b, a));
      // Who has gone there stays there.
      if (b.stay < b.all && gathers_here({1}, {2}, a, b))
        CHECK_FALSE(gathers_here({2}, {1}, {b.stay, b.all - 1}, {a.stay, a.all + 1}));
    }
  // One that can't move is met by many that can.
  CHECK(gathers_here({2}, {1}, {1, 1}, {0, 3}));
  CHECK_FALSE(gathers_here({1}, {2}, {0, 3}, {1, 1}));
}
