#include "hub/link/protocol.hpp"

#include "tests/support/catch.hpp"

#include <optional>
#include <string>
#include <variant>

using namespace gamehub;
using namespace gamehub::link;

namespace {

constexpr std::size_t window = 10'000;
const identity ann{"one", {1}, "1.0"}, bob{"one", {2}, "2.0"};

// Ann calls Bob.
struct pair {
  peer_state of_bob{bob.self, window};  // what Ann keeps
  peer_state of_ann{ann.self, window};  // what Bob keeps
};

// Writes what Ann has, and lets Bob take it.
std::string pass(pair& p, answerer& to) {
  std::string wire;
  p.of_bob.out.write(wire, 1u << 20);
  reader in{frame_bytes_max};
  in.receive(wire);
  std::string all;
  while (const auto next = in.next()) {
    const auto effect = to.on_frame(std::get<frame>(*next));
    if (const auto* m = std::get_if<message>(&effect)) all += m->bytes;
    if (const auto* end = std::get_if<ending>(&effect)) return end->why;
  }
  return all;
}

std::optional<break_cause> cause_of(const std::optional<ending>& e) {
  return e ? std::optional{e->cause} : std::nullopt;
}

std::optional<break_cause> cause_of(const answerer::effect& e) {
  const auto* end = std::get_if<ending>(&e);
  return end == nullptr ? std::nullopt : std::optional{end->cause};
}

}  // namespace

TEST_CASE("link protocol: messages go one way, acknowledgements the other") {
  pair p;
  caller from{ann, p.of_bob};
  const auto h = from.begin();
  CHECK(h.to == bob.self);
  CHECK(h.from == ann.self);
  REQUIRE_FALSE(check(h, bob, &p.of_ann));
  answerer to{bob, p.of_ann, h, window};
  p.of_bob.out.send("a");
  CHECK(pass(p, to).empty());
  CHECK_FALSE(from.on_frame(to.answer()));
  CHECK(from.is_up());
  CHECK(from.build() == "2.0");
  CHECK_FALSE(to.take_acknowledgement());
  p.of_bob.out.send("b");
  CHECK(pass(p, to) == "ab");
  const auto a = to.take_acknowledgement();
  REQUIRE(a);
  CHECK(a->received == 2);
  CHECK_FALSE(to.take_acknowledgement());
  CHECK_FALSE(from.on_frame(*a));
  CHECK(p.of_bob.out.bytes() == 0);
  CHECK_FALSE(from.on_frame(ping{}));
  CHECK_FALSE(cause_of(to.on_frame(ping{})));
}

TEST_CASE("link protocol: a hello is checked before it changes anything") {
  pair p;
  const auto h = caller{ann, p.of_bob}.begin();
  const auto refused = [&](auto change) {
    auto other = h;
    change(other);
    return check(other, bob, &p.of_ann);
  };
  CHECK_FALSE(refused([](hello&) {}));
  CHECK(refused([](hello& o) { o.cluster = "two"; }) == refusal::cluster);
  CHECK(refused([](hello& o) { o.from = bob.self; }) == refusal::self);
  CHECK(refused([](hello& o) { o.to = {3}; }) == refusal::member);
  CHECK(refused([](hello& o) { o.least = o.greatest = version_greatest + 1; }) == refusal::version);
  CHECK(refused([](hello& o) { o.acknowledged = 1; }) == refusal::numbers);
  CHECK(refused([](hello& o) { o.received = 1; }) == refusal::numbers);
  CHECK(check(h, bob, nullptr) == refusal::member);
  CHECK_FALSE(check(h, bob, &p.of_ann));
}

TEST_CASE("link protocol: a wrong new connection does not end the right one") {
  pair p;
  caller from{ann, p.of_bob};
  answerer to{bob, p.of_ann, from.begin(), window};
  from.on_frame(to.answer());
  p.of_bob.out.send("a");
  CHECK(pass(p, to) == "a");

  // Another process that has the number of Ann, and has sent nothing yet.
  peer_state wrong{bob.self, window};
  caller other{ann, wrong};
  other.begin();
  CHECK(check(other.begin(), bob, &p.of_ann) == refusal::numbers);

  p.of_bob.out.send("b");
  CHECK(pass(p, to) == "b");
}

TEST_CASE("link protocol: an older connection does not take the place of a newer one") {
  pair p;
  const auto first = caller{ann, p.of_bob}.begin();
  caller second{ann, p.of_bob};
  answerer to{bob, p.of_ann, second.begin(), window};
  CHECK(check(first, bob, &p.of_ann) == refusal::numbers);
}

TEST_CASE("link protocol: frames in the wrong place are garbage") {
  pair p;
  caller from{ann, p.of_bob};
  const auto h = from.begin();
  for (const frame& each : {frame{h}, frame{message{1, "x"}}, frame{acknowledge{0, 1}}})
    CHECK(cause_of(from.on_frame(each)) == break_cause::garbage);
  hello_answer wrong;
  wrong.from = {3};
  CHECK(cause_of(from.on_frame(wrong)) == break_cause::garbage);
  wrong.from = bob.self;
  wrong.version = version_greatest + 1;
  CHECK(cause_of(from.on_frame(wrong)) == break_cause::garbage);

  answerer to{bob, p.of_ann, h, window};
  CHECK_FALSE(from.on_frame(to.answer()));
  for (const frame& each : {frame{h}, frame{message{1, "x"}}, frame{to.answer()}, frame{refused{}}})
    CHECK(cause_of(from.on_frame(each)) == break_cause::garbage);
  for (const frame& each :
       {frame{h}, frame{acknowledge{0, 1}}, frame{to.answer()}, frame{refused{}}})
    CHECK(cause_of(to.on_frame(each)) == break_cause::garbage);
}

TEST_CASE("link protocol: numbers that can't be break the link") {
  pair p;
  caller from{ann, p.of_bob};
  answerer to{bob, p.of_ann, from.begin(), window};
  hello_answer wrong = to.answer();
  wrong.received = 1;
  CHECK(cause_of(from.on_frame(wrong)) == break_cause::sequence);
  CHECK_FALSE(from.is_up());
  CHECK_FALSE(from.on_frame(to.answer()));
  CHECK(cause_of(from.on_frame(acknowledge{1, window})) == break_cause::sequence);
  CHECK(cause_of(to.on_frame(message{2, "x"})) == break_cause::sequence);
  CHECK(p.of_ann.in.received() == 0);
}

TEST_CASE("link protocol: a duplicate is not delivered, but acknowledged") {
  pair p;
  answerer to{bob, p.of_ann, caller{ann, p.of_bob}.begin(), window};
  CHECK(std::holds_alternative<message>(to.on_frame(message{1, "x"})));
  CHECK(to.take_acknowledgement());
  CHECK(std::holds_alternative<std::monostate>(to.on_frame(message{1, "x"})));
  CHECK(to.take_acknowledgement() == acknowledge{1, window});
}

TEST_CASE("link protocol: the reason of a refusal is named, also one that is not known") {
  pair p;
  caller from{ann, p.of_bob};
  from.begin();
  const auto known = from.on_frame(refused{refusal::cluster});
  REQUIRE(known);
  CHECK(known->cause == break_cause::refused);
  CHECK(known->why == "refused: cluster");
  CHECK(from.on_frame(refused{})->why == "refused: a newer reason");
}
