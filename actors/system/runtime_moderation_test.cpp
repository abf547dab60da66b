// Whom the operator keeps out, and who may say nothing.
#include "actors/system/runtime.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_hub.hpp"

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

struct moderated_hub {
  std::shared_ptr<test_client> sign_in_as(const std::string& name, std::size_t loop = 0) {
    auto made = hub.connect(test_hub::documents_wire, loop);
    sign_in who;
    who.name = name;
    made->submit(std::move(who)), hub.settle();
    return made;
  }
  void hold(moderation_list list) {
    rules.set(std::move(list));
    hub.runtime().bans_changed();
    hub.settle();
  }

  ban_list rules;
  test_hub hub{{.loops = 2, .settings = {120s, 0s, 0s, 1'000, 1'000, 60s, &rules}, .grace = 60s}};
};

}  // namespace

TEST_CASE("moderation: a banned player is closed at once, grace or not, and loses its game") {
  moderated_hub m;
  const auto eve = m.sign_in_as("eve"), bob = m.sign_in_as("bob", 1);
  eve->submit(seek_once()), m.hub.settle();
  bob->submit(seek_once()), m.hub.settle();
  REQUIRE(bob->last<started>() != nullptr);
  m.hold({{"eve"}, {}, {}});
  CHECK(eve->closed == close_reason::banned);
  m.hub.settle();
  REQUIRE(bob->last_position() != nullptr);
  REQUIRE(bob->last_position()->outcome);
  CHECK(bob->last_position()->outcome->reason == end_reason::left);
  CHECK(bob->last_position()->outcome->winner == 1);
  CHECK_FALSE(bob->closed);
  CHECK(m.hub.sessions_open() == 1);
}

TEST_CASE("moderation: who is away when it is banned can't come back") {
  moderated_hub m;
  const auto eve = m.sign_in_as("eve"), bob = m.sign_in_as("bob");
  const auto secret = eve->last<signed_in>()->secret;
  eve->submit(seek_once()), m.hub.settle();
  bob->submit(seek_once()), m.hub.settle();
  eve->disconnect(), m.hub.settle();
  CHECK(m.hub.sessions_open() == 2);
  m.hold({{"eve"}, {}, {}});
  CHECK(m.hub.sessions_open() == 1);
  const auto again = m.hub.connect(test_hub::documents_wire);
  sign_in who;
  who.resume_secret = secret;
  again->submit(std::move(who)), m.hub.settle();
  REQUIRE(again->last<signed_in>() != nullptr);
  CHECK_FALSE(again->last<signed_in>()->returned);
}

TEST_CASE("moderation: a banned name is refused, and any other name is accepted") {
  moderated_hub m;
  m.hold({{"eve"}, {}, {}});
  const auto eve = m.sign_in_as("eve"), ann = m.sign_in_as("ann");
  CHECK(eve->closed == close_reason::banned);
  CHECK(eve->last<signed_in>() == nullptr);
  CHECK_FALSE(ann->closed);
  m.hold({});
  CHECK_FALSE(m.sign_in_as("eve")->closed);
}

TEST_CASE("moderation: who is muted plays and says nothing") {
  moderated_hub m;
  const auto eve = m.sign_in_as("eve"), bob = m.sign_in_as("bob");
  eve->submit(seek_once()), m.hub.settle();
  bob->submit(seek_once()), m.hub.settle();
  m.hold({{}, {"eve"}, {}});
  eve->clear_events();
  eve->submit(chat{{}, "hello"}), m.hub.settle();
  REQUIRE(eve->last<refused>() != nullptr);
  CHECK(eve->last<refused>()->why == refusal::muted);
  bob->submit(chat{{}, "hello"}), m.hub.settle();
  CHECK(bob->last<done>() != nullptr);
  m.hold({});
  eve->submit(chat{{}, "hello"}), m.hub.settle();
  CHECK(eve->last<done>() != nullptr);
}

TEST_CASE("moderation: the name of the operator is reserved") {
  moderated_hub m;
  CHECK(m.sign_in_as("operator")->last<signed_in>()->name == "client-1");
}
