// Hubs of a cluster: names and secrets that other hubs have, and sign-ins that wait for the
// database to say so.
#include "actors/session/player_registry.hpp"
#include "actors/system/runtime.hpp"
#include "hub/core/limits.hpp"
#include "hub/journal/shared_log.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_hub.hpp"

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;
using actors::session::player_registry;
using journal::key_change;

namespace {

using owned_keys = std::optional<std::vector<std::string>>;

// One hub, and the database that it shares with others.
struct shared_hub {
  explicit shared_hub(bool a_hub_is_silent = false)
      : silent(a_hub_is_silent), hub([this] {
          test_hub_options o{.loops = 2};
          o.settings.change_keys = [this](key_change what, auto done) {
            asked.emplace_back(std::move(what), std::move(done));
          };
          o.may_arrive = [this](base::instant) { return silent; };
          return o;
        }()) {}

  // The database answers until nothing is left to ask.
  void answer() {
    hub.settle();
    while (!asked.empty()) {
      auto [what, done] = std::move(asked.front());
      asked.pop_front();
      done(carry_out(what));
      hub.settle();
    }
  }
  owned_keys carry_out(const key_change& what) {
    ++changes;
    std::vector<std::string> owned;
    for (const auto& key : what.keys) {
      if (what.what == key_change::kind::free)
        mine.erase(key);
      else if (!of_others.contains(key))
        mine.insert(key), owned.push_back(key);
    }
    return owned;
  }

  void others_have(const std::string& name) {
    for (auto& key : player_registry::keys_of(name)) of_others.insert(std::move(key));
  }
  bool has(const std::string& name) const {
    for (const auto& key : player_registry::keys_of(name))
      if (!mine.contains(key)) return false;
    return true;
  }

  std::shared_ptr<test_client> ask(sign_in who, std::size_t loop = 1) {
    auto c = hub.connect(test_hub::documents_wire, loop);
    c->submit(std::move(who)), hub.settle();
    return c;
  }
  std::string name_of(sign_in who) {
    const auto c = ask(std::move(who));
    answer();
    return c->last<signed_in>() == nullptr ? "" : c->last<signed_in>()->name;
  }
  std::optional<refusal> refusal_of(sign_in who) {
    const auto c = ask(std::move(who));
    answer();
    CHECK(c->pending_replies == 0);
    return c->last<refused>() == nullptr ? std::nullopt : std::optional{c->last<refused>()->why};
  }

  bool silent = false;  // another hub
  std::set<std::string> mine, of_others;
  std::deque<std::pair<key_change, std::function<void(owned_keys)>>> asked;
  int changes = 0;
  test_hub hub;
};

sign_in exactly(std::string name, std::string secret = "the secret of a client") {
  return {.name = std::move(name),
          .resume_secret = std::move(secret),
          .proposes_secret = true,
          .choice = name_choice::exact};
}

}  // namespace

TEST_CASE("claims: a sign-in waits for the database, and so does what follows it") {
  shared_hub t;
  const auto ann = t.ask({"ann", {}}), bob = t.ask({"bob", {}});
  ann->submit(seek_once()), bob->submit(seek_once());
  t.hub.settle();
  CHECK(ann->events.empty());
  CHECK(ann->pending_replies == 2);
  t.answer();
  CHECK(ann->last<signed_in>()->name == "ann");
  REQUIRE(ann->last<started>() != nullptr);
  CHECK(ann->last<started>()->players == std::vector<std::string>{"ann", "bob"});
  CHECK(t.has("ann"));
  CHECK(t.has("bob"));
  // The second one came while the first one was under way.
  CHECK(t.changes == 2);
}

TEST_CASE("claims: a player without a name does not wait for the database") {
  shared_hub t;
  const auto ann = t.hub.connect(test_hub::cells_wire), bob = t.hub.connect(test_hub::cells_wire);
  ann->submit(seek_once()), bob->submit(seek_once());
  t.hub.settle();
  CHECK(bob->last<started>() != nullptr);
  CHECK(t.asked.empty());
}

TEST_CASE("claims: a name that another hub has gets a suffix, or is refused") {
  shared_hub t;
  t.others_have("dup");
  CHECK(t.name_of({"dup", {}}) == "dup-1");
  CHECK(t.refusal_of(exactly("dup")) == refusal::name_taken);
  CHECK(t.refusal_of(exactly("DUP")) == refusal::name_taken);
  // A crowd of them ends at the player's number, and at the default name.
  t.others_have("all"), t.others_have("all-1");
  CHECK(t.name_of({"all", {}}).starts_with("all-"));
  t.others_have("none"), t.others_have("none-1");
  for (int i = 0; i < 100; ++i) t.others_have("none-" + std::to_string(i));
  CHECK(t.name_of({"none", {}}).starts_with("client-"));
}

TEST_CASE("claims: what a refused or gone player had is free for other hubs") {
  shared_hub t;
  t.others_have("dup");
  t.refusal_of(exactly("dup"));
  const auto ann = t.ask({"ann", {}});
  t.answer();
  CHECK_FALSE(t.mine.empty());
  ann->disconnect();
  t.answer();
  CHECK(t.has("ann"));
  t.hub.advance(3s);
  t.answer();
  // The client whose name was refused is still there, without a name.
  CHECK(t.mine.empty());
  // One that goes before the database has answered.
  const auto bob = t.ask({"bob", {}});
  bob->disconnect();
  t.answer();
  CHECK(t.mine.empty());
}

TEST_CASE("claims: a player who goes and comes back at once has its name again") {
  shared_hub t;
  const auto ann = t.ask({"ann", {}});
  t.answer();
  ann->disconnect(), t.hub.settle();
  CHECK(t.name_of({"ann", {}}) == "ann");
  t.hub.advance(5s);
  t.answer();
  CHECK(t.has("ann"));
}

TEST_CASE("claims: a secret whose player is at another hub is refused with that reason") {
  shared_hub t;
  t.of_others = {player_registry::key_of_digest(journal::digest_of("mine"))};
  const auto ann = t.ask(exactly("ann", "mine"));
  t.answer();
  REQUIRE(ann->last<refused>() != nullptr);
  CHECK(ann->last<refused>()->why == refusal::player_elsewhere);
  CHECK(ann->closed == close_reason::hub_full);
  CHECK(t.mine.empty());
  t.of_others.clear();
  CHECK(t.name_of(exactly("ann", "mine")) == "ann");
}

TEST_CASE("claims: while the database is away a sign-in waits, and is then told to try again") {
  shared_hub t;
  const auto ann = t.ask({"ann", {}});
  auto away = std::move(t.asked.front());
  t.asked.clear();
  t.hub.advance(4s);
  CHECK(ann->events.empty());
  CHECK_FALSE(ann->closed);
  t.hub.advance(2s);
  REQUIRE(ann->last<refused>() != nullptr);
  CHECK(ann->last<refused>()->why == refusal::hub_full);
  CHECK(ann->closed == close_reason::hub_full);
  // It was carried out all the same, and is undone.
  away.second(t.carry_out(away.first));
  t.answer();
  CHECK(t.mine.empty());
  CHECK(t.name_of({"ann", {}}) == "ann");
}

TEST_CASE("claims: a change that failed is repeated") {
  shared_hub t;
  const auto ann = t.ask({"ann", {}});
  std::exchange(t.asked, {}).front().second(std::nullopt);
  t.hub.settle();
  CHECK(t.asked.empty());
  t.hub.advance(1s);
  t.answer();
  CHECK(ann->last<signed_in>()->name == "ann");
}

TEST_CASE("claims: sign-ins that wait are bounded, and the others refused at once") {
  shared_hub t;
  std::vector<std::shared_ptr<test_client>> all;
  for (int i = 0; i < 4'200; ++i) {
    all.push_back(t.hub.connect(test_hub::documents_wire));
    all.back()->submit(sign_in{"p" + std::to_string(i), {}});
  }
  t.hub.settle();
  CHECK(all[4'000]->events.empty());
  REQUIRE(all.back()->last<refused>() != nullptr);
  CHECK(all.back()->last<refused>()->why == refusal::hub_full);
  t.answer();
  CHECK(all[4'000]->last<signed_in>()->name == "p4000");
  // Each takes some keys.
  CHECK(t.changes <= 20);
}

TEST_CASE("claims: a client with the secret of a waiting player is that player") {
  shared_hub t;
  const auto ann = t.ask(exactly("ann", "mine")), again = t.ask(exactly("ann", "mine"), 0);
  CHECK(again->events.empty());
  t.answer();
  CHECK(ann->closed == close_reason::replaced);
  REQUIRE(again->last<signed_in>() != nullptr);
  CHECK(again->last<signed_in>()->name == "ann");
  CHECK(again->last<signed_in>()->returned);
  again->disconnect();
  t.answer();
  // The first one leaves while both wait.
  const auto bob = t.ask(exactly("bob", "his")), back = t.ask(exactly("bob", "his"), 0);
  bob->disconnect();
  t.answer();
  REQUIRE(back->last<signed_in>() != nullptr);
  CHECK(back->last<signed_in>()->name == "bob");
  CHECK(t.has("bob"));
}

TEST_CASE("claims: a new name waits likewise, and the old one is kept for its player for a while") {
  shared_hub t;
  t.others_have("taken");
  const auto ann = t.ask(exactly("ann"));
  t.answer();
  ann->submit(change_name{"taken"});
  t.answer();
  REQUIRE(ann->last<refused>() != nullptr);
  CHECK(ann->last<refused>()->why == refusal::name_taken);
  ann->submit(change_name{"anna"}), t.hub.settle();
  CHECK(ann->pending_replies == 1);
  // Another player of this hub wants it meanwhile: one of them gets it.
  const auto bob = t.ask({"anna", {}});
  t.answer();
  CHECK(bob->last<signed_in>()->name == "anna");
  CHECK(ann->last<refused>()->why == refusal::name_taken);
  ann->clear_events();
  ann->submit(change_name{"ann of old"});
  t.answer();
  CHECK(ann->last<done>() != nullptr);
  CHECK(t.has("ann"));
  CHECK(t.has("ann of old"));
  t.hub.advance(limits::old_name_kept + 1s);
  CHECK(t.name_of({"carl", {}}) == "carl");
  CHECK_FALSE(t.has("ann"));
  CHECK(t.has("ann of old"));
  // The database is away.
  ann->clear_events();
  ann->submit(change_name{"ann of late"}), t.hub.settle();
  t.hub.advance(6s);
  REQUIRE(ann->last<refused>() != nullptr);
  CHECK(ann->last<refused>()->why == refusal::hub_full);
  t.answer();
  CHECK_FALSE(t.has("ann of late"));
}

TEST_CASE("claims: what a silent hub has is waited for, because it may be dead") {
  shared_hub t{true};
  t.others_have("ann");
  const auto ann = t.ask({"ann", {}});
  t.answer();
  CHECK(ann->events.empty());
  t.of_others.clear();
  t.hub.advance(1s);
  t.answer();
  REQUIRE(ann->last<signed_in>() != nullptr);
  CHECK(ann->last<signed_in>()->name == "ann");
  // Not for ever.
  t.others_have("bob");
  const auto bob = t.ask({"bob", {}});
  t.answer();
  for (int i = 0; i < 4; ++i) t.hub.advance(1s), t.answer();
  REQUIRE(bob->last<signed_in>() != nullptr);
  CHECK(bob->last<signed_in>()->name == "bob-1");
}

TEST_CASE("claims: a name that the client has not asked for is replaced at once") {
  shared_hub t{true};
  t.others_have("Guest1000");
  sign_in who{.name = "Guest1000", .resume_secret = {}, .choice = name_choice::any};
  CHECK(t.name_of(who) == "Guest1000-1");
}
