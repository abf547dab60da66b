#include "actors/lobby/key_claims.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace gamehub;
using namespace std::chrono_literals;
using actors::lobby::key_claims;
using journal::key_change;

namespace {

using keys = std::vector<std::string>;
constexpr player_id ann{1}, bob{2}, carl{3};

// A database with the keys of other hubs.
struct hub_and_others {
  // Carries out everything that is to be done now. Returns the decisions by player.
  std::map<player_id, keys> settle() {
    std::map<player_id, keys> all;
    for (int i = 0; i < 100; ++i) {
      const auto change = claims.next(now);
      if (!change) return all;
      for (auto& d : claims.on_answer(carry_out(*change), now)) all[d.player] = d.lost;
    }
    FAIL("there is no end");
    return all;
  }
  keys carry_out(const key_change& c) {
    changes.push_back(c);
    CHECK(c.keys.size() <= key_claims::keys_at_once);
    CHECK(std::set<std::string>{c.keys.begin(), c.keys.end()}.size() == c.keys.size());
    keys owned;
    for (const auto& key : c.keys) {
      if (c.what == key_change::kind::free) {
        CHECK(mine.erase(key) == 1);
        continue;
      }
      if (c.what == key_change::kind::inherit) of_dead.erase(key);
      if (c.from && of_others.contains(key) && given_by[key] == c.from) of_others.erase(key);
      if (of_others.contains(key) || of_dead.contains(key)) continue;
      mine.insert(key);
      owned.push_back(key);
    }
    if (c.of_released) of_dead.clear();
    return owned;
  }

  base::instant now{1h};
  key_claims claims;
  std::set<std::string> mine, of_others, of_dead;
  std::map<std::string, journal::member_id> given_by;
  std::vector<key_change> changes;
};

}  // namespace

TEST_CASE("key_claims: players who come at the same time share a change, and are told once") {
  hub_and_others t;
  CHECK_FALSE(t.claims.hold(ann, {"n-ann", "d-1"}));
  const auto first = t.claims.next(t.now);
  REQUIRE(first);
  CHECK_FALSE(t.claims.hold(bob, {"n-bob", "d-2"}));
  CHECK_FALSE(t.claims.hold(carl, {"n-carl"}));
  CHECK_FALSE(t.claims.next(t.now));  // one is under way
  const auto told = t.claims.on_answer(t.carry_out(*first), t.now);
  REQUIRE(told.size() == 1);
  CHECK(told.front().player == ann);
  CHECK(told.front().lost.empty());
  CHECK(t.settle() == std::map<player_id, keys>{{bob, {}}, {carl, {}}});
  CHECK(t.changes.size() == 2);
  CHECK(t.mine.size() == 5);
  CHECK_FALSE(t.claims.has_work());
}

TEST_CASE("key_claims: who loses a key is told which, and gives back the others") {
  hub_and_others t;
  t.of_others = {"n-ann"};
  t.claims.hold(ann, {"n-ann", "d-1"});
  CHECK(t.settle() == std::map<player_id, keys>{{ann, {"n-ann"}}});
  CHECK_FALSE(t.claims.hold(ann, {"n-ann-1", "d-1"}));
  CHECK(t.settle() == std::map<player_id, keys>{{ann, {}}});
  CHECK(t.mine == std::set<std::string>{"n-ann-1", "d-1"});
  t.claims.drop(ann);
  t.settle();
  CHECK(t.mine.empty());
  CHECK(t.claims.owned() == 0);
}

TEST_CASE("key_claims: the keys of a player that comes from another hub are taken from that hub") {
  hub_and_others t;
  t.of_others = {"n-ann", "d-1", "n-bob", "n-carl"};
  t.given_by = {{"n-ann", {7}}, {"d-1", {7}}, {"n-bob", {8}}};
  CHECK_FALSE(t.claims.hold(ann, {"n-ann", "d-1"}, false, {7}));
  CHECK_FALSE(t.claims.hold(bob, {"n-bob"}, false, {8}));
  CHECK_FALSE(t.claims.hold(carl, {"n-carl"}));
  CHECK(t.settle() == std::map<player_id, keys>{{ann, {}}, {bob, {}}, {carl, {"n-carl"}}});
  REQUIRE(t.changes.size() == 3);
  CHECK((t.changes[0].from == journal::member_id{7} && t.changes[0].keys == keys{"n-ann", "d-1"}));
  CHECK((t.changes[1].from == journal::member_id{8} && t.changes[2].from == journal::member_id{}));
  CHECK(t.mine == std::set<std::string>{"n-ann", "d-1", "n-bob"});
}

TEST_CASE("key_claims: a player that comes from another hub and leaves at once leaves no key") {
  hub_and_others t;
  t.of_others = {"n-ann"};
  t.given_by = {{"n-ann", {7}}};
  t.claims.hold(ann, {"n-ann"}, false, {7});
  const auto change = t.claims.next(t.now);
  REQUIRE(change);
  t.claims.drop(ann);
  t.claims.on_answer(t.carry_out(*change), t.now);
  t.settle();
  CHECK(t.mine.empty());
  CHECK_FALSE(t.claims.has_work());
}

TEST_CASE("key_claims: what a player that moved had is asked for by the next player of this hub") {
  hub_and_others t;
  t.claims.hold(ann, {"n-ann", "d-1"});
  t.settle();
  t.claims.give_away(ann);
  CHECK(t.claims.owned() == 0);
  CHECK_FALSE(t.claims.next(t.now));  // the other hub has taken them
  t.mine.clear(), t.of_others = {"n-ann", "d-1"};
  CHECK_FALSE(t.claims.hold(bob, {"n-ann"}));
  CHECK(t.settle() == std::map<player_id, keys>{{bob, {"n-ann"}}});
}

TEST_CASE("key_claims: an answer from before the move of a player says nothing") {
  hub_and_others t;
  t.claims.hold(ann, {"n-ann"});
  const auto change = t.claims.next(t.now);
  REQUIRE(change);
  const auto answer = t.carry_out(*change);
  t.claims.give_away(ann);
  CHECK_FALSE(t.claims.hold(bob, {"n-ann"}));
  t.mine.clear(), t.of_others = {"n-ann"};
  CHECK(t.claims.on_answer(answer, t.now).empty());
  CHECK(t.settle() == std::map<player_id, keys>{{bob, {"n-ann"}}});
}

TEST_CASE("key_claims: the keys of a player that has not moved are asked for until they are here") {
  hub_and_others t;
  t.claims.hold(ann, {"n-ann"});
  t.settle();
  // The hub that took them has died: its adopter frees them later.
  t.mine.clear(), t.of_others = {"n-ann"};
  t.claims.doubt(ann);
  CHECK(t.settle() == std::map<player_id, keys>{{ann, {"n-ann"}}});
  t.of_others.clear();
  t.now += key_claims::lost_pause;
  t.settle();
  CHECK(t.mine == std::set<std::string>{"n-ann"});
}

TEST_CASE("key_claims: a key that is doubted is asked for before it is freed") {
  hub_and_others t;
  t.claims.hold(ann, {"n-ann"}, true);
  t.claims.doubt(ann);
  const bool falls_asleep = GENERATE(false, true);
  falls_asleep ? t.claims.drop_asleep(ann) : t.claims.drop(ann);
  t.settle();
  REQUIRE(t.changes.size() == 2);
  CHECK(t.changes[0].what == key_change::kind::inherit);
  CHECK(t.changes[1].what == key_change::kind::free);
  CHECK(t.mine.empty());
  CHECK_FALSE(t.claims.has_work());
}

TEST_CASE("key_claims: a lost key is asked for again when its player asks for it again") {
  hub_and_others t;
  t.of_others = {"n-ann"};
  t.claims.hold(ann, {"n-ann"});
  t.settle();
  t.of_others.clear();
  CHECK(t.settle().empty());
  CHECK_FALSE(t.claims.hold(ann, {"n-ann"}));
  CHECK(t.settle() == std::map<player_id, keys>{{ann, {}}});
}

TEST_CASE("key_claims: a key of a game that is asleep is freed before another player gets it") {
  hub_and_others t;
  t.claims.hold(ann, {"n-ann"}, true);
  t.settle();
  // One player waits for it, another one comes later.
  t.claims.hold(bob, {"n-ann"});
  CHECK(t.settle() == std::map<player_id, keys>{{bob, {"n-ann"}}});
  t.claims.drop_asleep(ann, t.now + 2s);
  CHECK_FALSE(t.claims.hold(bob, {"n-ann"}));
  CHECK_FALSE(t.claims.hold(carl, {"n-ann"}));
  t.changes.clear();
  const auto first = t.claims.next(t.now);
  REQUIRE(first);
  CHECK(first->what == key_change::kind::free);
  t.carry_out(*first);
  t.of_others.insert("n-ann");  // the log keeps it
  CHECK(t.claims.on_answer(keys{}, t.now).empty());
  CHECK(t.settle() == std::map<player_id, keys>{{bob, {"n-ann"}}, {carl, {"n-ann"}}});
  CHECK(t.changes.back().what == key_change::kind::claim);
}

TEST_CASE("key_claims: who comes back with its game before its key is freed keeps it") {
  hub_and_others t;
  t.claims.hold(ann, {"n-ann"}, true);
  t.settle();
  t.claims.drop_asleep(ann, t.now + 2s);
  t.changes.clear();
  CHECK(t.claims.hold(ann, {"n-ann"}, true));
  t.now += 3s;
  t.settle();
  CHECK(t.changes.empty());
  CHECK(t.mine == std::set<std::string>{"n-ann"});
  // And while it is freed.
  t.claims.drop_asleep(ann);
  const auto free = t.claims.next(t.now);
  REQUIRE(free);
  CHECK_FALSE(t.claims.hold(ann, {"n-ann"}, true));
  t.claims.on_answer(t.carry_out(*free), t.now);
  CHECK(t.settle() == std::map<player_id, keys>{{ann, {}}});
  CHECK(t.mine == std::set<std::string>{"n-ann"});
}

TEST_CASE("key_claims: a key that is freed and taken again at once stays this hub's") {
  hub_and_others t;
  t.claims.hold(ann, {"n-ann"});
  t.settle();
  t.claims.drop(ann);
  CHECK(t.claims.hold(bob, {"n-ann"}));
  t.settle();
  CHECK(t.changes.size() == 1);
  CHECK(t.mine.size() == 1);
  // While it is being freed, it has to be claimed again.
  t.claims.drop(bob);
  const auto freeing = t.claims.next(t.now);
  REQUIRE(freeing);
  CHECK_FALSE(t.claims.hold(carl, {"n-ann"}));
  t.claims.on_answer(t.carry_out(*freeing), t.now);
  CHECK(t.settle() == std::map<player_id, keys>{{carl, {}}});
  CHECK(t.mine.size() == 1);
}

TEST_CASE("key_claims: keys are freed later, unless a player needs them then") {
  hub_and_others t;
  t.claims.hold(ann, {"n-ann", "d-1"});
  t.settle();
  t.claims.drop(ann, t.now + 1s);
  t.settle();
  CHECK(t.mine.size() == 2);
  CHECK(t.claims.has_work());
  CHECK(t.claims.hold(bob, {"n-ann"}));
  t.now += 1s;
  t.claims.postpone_frees(t.now + 1s);
  t.settle();
  CHECK(t.mine.size() == 2);
  t.now += 1s;
  t.settle();
  CHECK(t.mine == std::set<std::string>{"n-ann"});
  CHECK_FALSE(t.claims.has_work());
}

TEST_CASE("key_claims: a key that one player keeps for a while is not freed by another one") {
  hub_and_others t;
  t.claims.hold(ann, {"n-ann"}, true);
  t.settle();
  CHECK_FALSE(t.claims.hold(bob, {"n-ann"}));
  t.settle();
  t.claims.drop(ann, t.now + 2s);
  t.claims.drop(bob);
  t.settle();
  CHECK(t.mine == std::set<std::string>{"n-ann"});
  t.now += 2s;
  t.settle();
  CHECK(t.mine.empty());
  CHECK_FALSE(t.claims.has_work());
}

TEST_CASE("key_claims: what was dropped for later is postponed while a change is under way, too") {
  hub_and_others t;
  t.claims.hold(ann, {"n-ann"});
  t.settle();
  t.claims.hold(bob, {"n-bob"});
  const auto claim = t.claims.next(t.now);
  t.claims.drop(ann, t.now + 2s);
  t.now += 3s;
  t.claims.postpone_frees(t.now + 2s);
  CHECK(t.claims.on_answer(t.carry_out(*claim), t.now).size() == 1);
  t.settle();
  CHECK(t.mine.contains("n-ann"));
  t.now += 2s;
  t.settle();
  CHECK(t.mine == std::set<std::string>{"n-bob"});
}

// The hub that goes on with its games has its name only when it has read them.
TEST_CASE(
    "key_claims: the name of a player whose games are suspended stays, though others want it") {
  hub_and_others t;
  t.claims.hold(ann, {"n-ann"}, true);
  t.settle();
  CHECK_FALSE(t.claims.hold(bob, {"n-ann"}));
  t.claims.leave_behind(ann);
  t.claims.drop(ann);
  CHECK(t.settle() == std::map<player_id, keys>{{bob, {"n-ann"}}});
  t.claims.drop(bob);
  CHECK_FALSE(t.claims.hold(carl, {"n-ann"}));
  CHECK(t.settle() == std::map<player_id, keys>{{carl, {"n-ann"}}});
  t.claims.drop(carl);
  t.settle();
  CHECK(t.mine == std::set<std::string>{"n-ann"});
}

TEST_CASE("key_claims: a player who leaves during its claim leaves nothing behind") {
  hub_and_others t;
  t.claims.hold(ann, {"n-ann"});
  const auto claim = t.claims.next(t.now);
  t.claims.drop(ann);
  CHECK(t.claims.on_answer(t.carry_out(*claim), t.now).empty());
  t.settle();
  CHECK(t.mine.empty());
  CHECK_FALSE(t.claims.has_work());
}

TEST_CASE("key_claims: a change that may have failed is repeated after a pause") {
  hub_and_others t;
  t.claims.hold(ann, {"n-ann"});
  t.claims.hold(bob, {"n-bob"});
  t.carry_out(*t.claims.next(t.now));  // the answer is lost
  CHECK(t.claims.on_answer(std::nullopt, t.now).empty());
  // Who has left meanwhile may have keys all the same.
  t.claims.drop(ann);
  CHECK_FALSE(t.claims.next(t.now));
  CHECK(t.claims.has_work());
  t.now += key_claims::retry_pause;
  CHECK(t.settle() == std::map<player_id, keys>{{bob, {}}});
  CHECK(t.mine == std::set<std::string>{"n-bob"});
}

TEST_CASE("key_claims: a restored player keeps its keys, and the hub asks until it has them") {
  hub_and_others t;
  t.of_dead = {"n-ann"};
  t.of_others = {"d-1"};
  t.claims.hold(ann, {"n-ann", "d-1"}, true);
  t.settle();
  CHECK(t.mine == std::set<std::string>{"n-ann"});
  CHECK(t.claims.has_work());
  t.of_others.clear();
  t.settle();
  CHECK(t.mine.size() == 1);
  t.now += key_claims::lost_pause;
  t.settle();
  CHECK(t.mine.size() == 2);
  CHECK_FALSE(t.claims.has_work());
}

TEST_CASE("key_claims: a new player loses a key to a restored one of the same hub") {
  hub_and_others t;
  t.of_dead = {"n-ann"};
  t.claims.hold(bob, {"n-ann"});
  const auto claim = t.claims.next(t.now);
  t.claims.hold(ann, {"n-ann"}, true);
  t.claims.free_released();
  CHECK(t.claims.on_answer(t.carry_out(*claim), t.now).empty());
  // It is inherited at once, before the dead hub's keys are freed.
  CHECK(t.claims.next(t.now)->what == key_change::kind::inherit);
  t.claims.on_answer(t.carry_out({key_change::kind::inherit, {"n-ann"}}), t.now);
  CHECK_FALSE(t.claims.hold(bob, {"n-ann"}));
  CHECK(t.settle()[bob] == keys{"n-ann"});
  CHECK(t.mine.size() == 1);
  // Also when the hub has it already.
  CHECK_FALSE(t.claims.hold(carl, {"n-ann", "d-3"}));
  CHECK(t.settle()[carl] == keys{"n-ann"});
  CHECK(t.claims.hold(ann, {"n-ann"}));
}

TEST_CASE("key_claims: the keys of a dead hub are freed after its players have theirs") {
  hub_and_others t;
  t.of_dead = {"n-ann", "n-idle"};
  t.claims.hold(bob, {"n-idle"});
  CHECK(t.settle() == std::map<player_id, keys>{{bob, {"n-idle"}}});
  t.claims.hold(ann, {"n-ann"}, true);
  t.claims.free_released();
  t.settle();
  CHECK(t.mine == std::set<std::string>{"n-ann"});
  CHECK(t.of_dead.empty());
  CHECK(t.changes.back().of_released);
  CHECK_FALSE(t.claims.frees_released());
  CHECK_FALSE(t.claims.hold(bob, {"n-idle"}));
  CHECK(t.settle() == std::map<player_id, keys>{{bob, {}}});
}

TEST_CASE("key_claims: a kept key is this hub's before the other keys of its dead hub are freed") {
  hub_and_others t;
  t.of_others = {"n-ann"};
  const auto take_over = [&t] { t.of_dead = std::exchange(t.of_others, {}); };
  t.claims.hold(ann, {"n-ann"}, true);
  const auto first = t.claims.next(t.now);
  REQUIRE(first);
  const auto owned = t.carry_out(*first);
  CHECK(owned.empty());
  SECTION("the hub that has it is taken over before it is asked for again") {
    t.claims.on_answer(owned, t.now);
    t.settle();
    take_over();
    t.claims.free_released();
  }
  SECTION("the takeover ends before the answer is there") {
    take_over();
    t.claims.free_released();
    t.claims.on_answer(owned, t.now);
  }
  SECTION("the keys of another dead hub are freed, which is repeated") {
    t.claims.on_answer(owned, t.now);
    t.claims.free_released();
    t.claims.on_answer(t.carry_out(*t.claims.next(t.now)), t.now);
    REQUIRE(t.claims.next(t.now)->of_released);
    t.claims.on_answer(std::nullopt, t.now);
    take_over();
    t.now += key_claims::retry_pause;
  }
  t.settle();
  CHECK(t.mine == std::set<std::string>{"n-ann"});
  CHECK(t.changes.back().of_released);
  CHECK_FALSE(t.claims.has_work());
}

TEST_CASE("key_claims: a takeover that ends while keys are freed has a change for itself") {
  hub_and_others t;
  t.claims.free_released();
  const auto first = t.claims.next(t.now);
  REQUIRE(first);
  REQUIRE(first->of_released);
  t.claims.free_released();
  t.claims.on_answer(t.carry_out(*first), t.now);
  CHECK(t.claims.frees_released());
  REQUIRE(t.claims.next(t.now));
  CHECK(t.claims.frees_released());
  t.claims.on_answer(std::nullopt, t.now);
  CHECK(t.claims.frees_released());
  CHECK(t.claims.has_work());
  t.now += key_claims::retry_pause;
  t.settle();
  CHECK_FALSE(t.claims.frees_released());
}

TEST_CASE("key_claims: a crowd is claimed in bounded changes") {
  hub_and_others t;
  for (std::uint64_t i = 1; i <= 5'000; ++i) t.claims.hold({i}, {"n-" + std::to_string(i)});
  CHECK(t.settle().size() == 5'000);
  CHECK(t.changes.size() == 5);
}

TEST_CASE("key_claims: whatever happens, the database has what the players need in the end") {
  std::mt19937_64 random{7};
  for (int run = 0; run < 200; ++run) {
    CAPTURE(run);
    hub_and_others t;
    std::map<player_id, keys> wanted;
    for (int i = 0; i < 100; ++i) {
      const player_id who{1 + random() % 4};
      keys some;
      for (auto n = random() % 3; n > 0; --n) {
        const auto key = "k" + std::to_string(random() % 5);
        if (std::find(some.begin(), some.end(), key) == some.end()) some.push_back(key);
      }
      if (random() % 3 == 0)
        random() % 2 == 0 ? t.claims.drop(who) : t.claims.drop_asleep(who), wanted.erase(who);
      else
        t.claims.hold(who, some, random() % 4 == 0), wanted[who] = some;
      if (random() % 2 == 0) continue;
      if (const auto change = t.claims.next(t.now)) {
        const auto fault = random() % 4;
        if (fault != 0)
          for (const auto& key : change->keys)
            change->what == key_change::kind::free ? void(t.mine.erase(key))
                                                   : void(t.mine.insert(key));
        // 0: not executed; 1: the answer is lost.
        t.claims.on_answer(fault <= 1 ? std::nullopt : std::optional{change->keys}, t.now);
      }
      t.now += 100ms;
    }
    t.now += 1h;
    std::set<std::string> needed;
    for (const auto& [who, all] : wanted) needed.insert(all.begin(), all.end());
    while (const auto change = t.claims.next(t.now)) {
      for (const auto& key : change->keys)
        change->what == key_change::kind::free ? void(t.mine.erase(key)) : void(t.mine.insert(key));
      t.claims.on_answer(change->keys, t.now);
    }
    CHECK(t.mine == needed);
    CHECK(t.claims.owned() == needed.size());
  }
}
