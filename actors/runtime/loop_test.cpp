#include "actors/runtime/loop.hpp"

#include "actors/runtime/actor_base.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_hub.hpp"

#include <caf/exit_reason.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <thread>

using namespace gamehub;
using namespace std::chrono_literals;

namespace {

using probe_actor = actors::runtime::gateway_actor;

// Writes down what it hears, and on which loop.
class probe : public actors::runtime::typed_loop_actor<probe_actor> {
 public:
  probe(caf::actor_config& config, std::vector<int>& drains, const bool& hold)
      : typed_loop_actor(config), drains_(drains), hold_(hold) {}

  const char* name() const override { return "probe"; }

  // Returns false if a message would be necessary.
  template <class Handler>
  bool try_call(Handler what) {
    return try_call_directly([&] { what(*this); });
  }
  using typed_loop_actor::monitor;
  using typed_loop_actor::quit;

  std::vector<caf::actor_id> down;  // the monitored actors that have ended

 protected:
  void on_down(const caf::down_msg& m) override { down.push_back(m.source.id()); }
  bool receive(caf::message& what) override {
    return dispatch(
        what, std::tuple{
                  [](actors::runtime::opened&) {},
                  [this](const actors::runtime::drain&) {
                    drains_.push_back(owning_loop().is_current() ? owning_loop().index() : -1);
                    if (hold_) send(self(), actors::runtime::drain{});
                  },
              });
  }

 private:
  std::vector<int>& drains_;
  const bool& hold_;
};

struct fixture {
  tests::test_hub hub{{.loops = 2}};
  std::vector<int> drains;
  bool hold = false;
  std::vector<probe_actor> spawned;

  ~fixture() {
    hold = false;
    for (auto& p : spawned) caf::anon_send_exit(p, caf::exit_reason::user_shutdown);
    spawned.clear();
    hub.settle();
  }
  probe_actor spawn(std::size_t loop) {
    spawned.push_back(actors::runtime::spawn_on<probe>(hub.loop(loop), drains, hold));
    return spawned.back();
  }
  static probe& at(const probe_actor& a) {
    return dynamic_cast<probe&>(*caf::actor_cast<caf::abstract_actor*>(a));
  }
  // Runs `what` as a handler of a loop.
  void on_loop(std::size_t loop, std::function<void()> what) {
    hub.loop(loop).post(std::move(what));
    hub.settle();
  }
};

}  // namespace

TEST_CASE("loop: an actor runs only on its loop, for any sender") {
  fixture f;
  const auto p = f.spawn(1);
  caf::anon_send(p, actors::runtime::drain{});
  while (f.hub.step(0)) {
  }
  CHECK(f.drains.empty());
  f.hub.settle();
  CHECK(f.drains == std::vector<int>{1});
  // From another loop's thread.
  f.hub.loop(0).post([&] { caf::anon_send(p, actors::runtime::drain{}); });
  f.hub.settle();
  CHECK(f.drains == std::vector<int>{1, 1});
}

TEST_CASE("loop: messages of other threads all arrive, and so do their posts, in their order") {
  fixture f;
  const auto p = f.spawn(0);
  std::vector<int> posted;
  static constexpr int each = 500;
  std::vector<std::thread> senders;
  for (int t = 0; t < 2; ++t)
    senders.emplace_back([&, t] {
      for (int i = 0; i < each; ++i) {
        caf::anon_send(p, actors::runtime::drain{});
        f.hub.loop(0).post([&posted, t, i] { posted.push_back(t * each + i); });
      }
    });
  for (auto& s : senders) s.join();
  f.hub.settle();
  CHECK(f.drains.size() == 2 * each);
  REQUIRE(posted.size() == 2 * each);
  for (int t = 0; t < 2; ++t) {
    std::vector<int> theirs;
    for (const auto n : posted)
      if (n / each == t) theirs.push_back(n);
    CHECK(std::is_sorted(theirs.begin(), theirs.end()));
  }
}

TEST_CASE("loop: an actor is called without a message only if it is idle, and on its loop") {
  fixture f;
  const auto p = f.spawn(1);
  f.hub.settle();
  auto& actor = fixture::at(p);
  int called = 0;
  const auto count = [&](probe&) { ++called; };
  CHECK_FALSE(actor.try_call(count));
  f.on_loop(0, [&] { CHECK_FALSE(actor.try_call(count)); });
  CHECK(called == 0);
  f.on_loop(1, [&] { CHECK(actor.try_call(count)); });
  CHECK(called == 1);
  // A message that was sent before comes first.
  f.on_loop(1, [&] {
    caf::anon_send(p, actors::runtime::drain{});
    CHECK_FALSE(actor.try_call(count));
  });
  CHECK(called == 1);
  CHECK(f.drains == std::vector<int>{1});
  // A call within a call would run in the middle of a handler.
  f.on_loop(1, [&] {
    CHECK(actor.try_call([&](probe& self) { CHECK_FALSE(self.try_call(count)); }));
    CHECK(actor.try_call(count));
  });
  CHECK(called == 2);
}

TEST_CASE("loop: a call without a message may send messages, end the actor, and throw") {
  fixture f;
  const auto p = f.spawn(0), q = f.spawn(0);
  f.hub.settle();
  f.on_loop(0, [&] {
    CHECK(fixture::at(p).try_call([&](probe&) { caf::anon_send(p, actors::runtime::drain{}); }));
  });
  CHECK(f.drains.size() == 1);
  const auto running = f.hub.actors_running();
  f.on_loop(0, [&] {
    CHECK(fixture::at(p).try_call([](probe& self) { self.quit(); }));
    // It ends before its next message.
    CHECK_FALSE(fixture::at(p).try_call([](probe&) {}));
    caf::anon_send(p, actors::runtime::drain{});
    CHECK(fixture::at(q).try_call([](probe&) { throw std::runtime_error{"of a handler"}; }));
  });
  CHECK(f.hub.actors_running() == running - 2);
  CHECK(f.drains.size() == 1);
  CHECK(f.hub.cells(0).loop.faults.value() == 1);
}

TEST_CASE("loop: the end of an actor is told to its monitor and what is attached, also later") {
  fixture f;
  const auto watcher = f.spawn(0), early = f.spawn(1), late = f.spawn(1);
  const auto end = [&](const probe_actor& which) {
    f.on_loop(1, [&] { fixture::at(which).try_call([](probe& p) { p.quit(); }); });
  };
  int told = 0;
  const auto attach = [&](const probe_actor& to) {
    fixture::at(to).attach_functor([&told](const caf::error&) { ++told; });
  };
  f.on_loop(0, [&] { fixture::at(watcher).monitor(fixture::at(early)); });
  attach(early);
  attach(early);
  CHECK(fixture::at(watcher).down.empty());
  end(early);
  CHECK(fixture::at(watcher).down == std::vector{early.id()});
  CHECK(told == 2);
  end(late);
  CHECK(fixture::at(watcher).down.size() == 1);
  f.on_loop(0, [&] { fixture::at(watcher).monitor(fixture::at(late)); });
  CHECK(fixture::at(watcher).down == std::vector{early.id(), late.id()});
  attach(late);
  CHECK(told == 3);
}

// Each game has three of them.
TEST_CASE("loop: an actor is small") { CHECK(sizeof(actors::runtime::loop_actor) <= 120); }

TEST_CASE("loop: an actor with endless work leaves turns for the others") {
  fixture f;
  f.hold = true;
  const auto busy = f.spawn(0);
  caf::anon_send(busy, actors::runtime::drain{});
  for (int i = 0; i < 5; ++i) f.hub.step(0);
  int other = 0;
  f.hub.loop(0).post([&] { ++other; });
  f.hub.step(0);
  CHECK(other == 1);
  CHECK(f.drains.size() > 5);
  CHECK(f.drains.size() <= 7 * limits::messages_per_resume_max);
}

TEST_CASE("loop: of deferred tasks each turn runs some, in order, and messages come between") {
  fixture f;
  const auto p = f.spawn(0);
  f.hub.settle();
  static constexpr int count = 3 * limits::deferred_per_turn_max + 1;
  std::vector<int> ran;
  for (int i = 0; i < count; ++i) f.hub.loop(0).defer([&ran, i] { ran.push_back(i); });
  caf::anon_send(p, actors::runtime::drain{});
  CHECK(ran.empty());
  CHECK(f.hub.step(0));
  CHECK(ran.size() == static_cast<std::size_t>(limits::deferred_per_turn_max));
  CHECK(f.drains.size() == 1);
  // The loop has work until the last one has run.
  f.hub.settle();
  CHECK(ran.size() == count);
  CHECK(std::is_sorted(ran.begin(), ran.end()));
}

TEST_CASE("loop: each turn runs one part of long work, and messages come between") {
  fixture f;
  const auto p = f.spawn(0);
  f.hub.settle();
  auto& where = f.hub.loop(0);
  std::string ran;
  where.defer_part([&] {
    ran += 'a';
    where.defer_part([&] { ran += 'd'; });
    where.continue_part([&] { ran += 'b'; });
  });
  where.defer_part([&] { ran += 'c'; });
  caf::anon_send(p, actors::runtime::drain{});
  CHECK(f.hub.step(0));
  CHECK(ran == "a");
  CHECK(f.drains.size() == 1);
  CHECK(f.hub.step(0));
  CHECK(ran == "ab");
  // The loop has work until the last one has run.
  f.hub.settle();
  CHECK(ran == "abcd");
}

TEST_CASE("loop: a part of long work runs behind the output of its turn") {
  fixture f;
  auto& where = f.hub.loop(0);
  f.hub.settle();
  std::string ran;
  where.at_turn_end([&] { ran += '|'; });
  where.defer_part([&] { ran += 'a'; });
  CHECK(f.hub.step(0));
  CHECK(ran == "|a");
  // Another turn sends what the part has caused.
  f.hub.step(0);
  CHECK(ran == "|a|");
  where.at_turn_end({});
}

TEST_CASE("loop: a post runs in a turn, never at once, and a post of a post in the next") {
  fixture f;
  std::vector<int> ran;
  auto& l = f.hub.loop(0);
  l.post([&] {
    ran.push_back(1);
    l.post([&] { ran.push_back(2); });
  });
  CHECK(ran.empty());
  f.hub.step(0);
  CHECK(ran == std::vector<int>{1});
  f.hub.step(0);
  CHECK(ran == std::vector<int>{1, 2});
}

TEST_CASE("loop: a turn that only ran posts was not idle") {
  fixture f;
  f.hub.settle();
  CHECK_FALSE(f.hub.step(0));
  f.hub.loop(0).post([] {});
  CHECK(f.hub.step(0));
  CHECK_FALSE(f.hub.step(0));
}

TEST_CASE("loop: timers run on their loop when the clock says so") {
  fixture f;
  std::vector<bool> here;
  auto& l = f.hub.loop(1);
  l.timers().arm(l.now() + 5s, [&] { here.push_back(l.is_current()); });
  f.hub.advance(4'999ms);
  CHECK(here.empty());
  f.hub.advance(1ms);
  CHECK(here == std::vector<bool>{true});
}

TEST_CASE("loop: the turn's end comes after its actors") {
  fixture f;
  const auto p = f.spawn(0);
  std::vector<std::size_t> heard_by_then;
  f.hub.loop(0).at_turn_end([&] { heard_by_then.push_back(f.drains.size()); });
  caf::anon_send(p, actors::runtime::drain{});
  f.hub.step(0);
  f.hub.loop(0).at_turn_end({});
  CHECK(heard_by_then == std::vector<std::size_t>{1});
}

TEST_CASE(
    "loop: what a turn has for another loop arrives there in its order, the turn's end included") {
  fixture f;
  f.hub.settle();
  const auto p = f.spawn(1);
  std::vector<int> ran;
  const auto there = [&](int n) { f.hub.loop(1).post([&ran, n] { ran.push_back(n); }); };
  f.hub.loop(0).at_turn_end([&] { there(3); });
  f.hub.loop(0).post([&] {
    there(1);
    caf::anon_send(p, actors::runtime::drain{});
    there(2);
  });
  f.hub.step(0);
  f.hub.loop(0).at_turn_end({});
  CHECK(ran.empty());
  f.hub.step(1);
  CHECK(ran == std::vector<int>{1, 2, 3});
  CHECK(f.drains == std::vector<int>{1});
}

TEST_CASE("loop: the links are flushed once a turn, behind all that it sends") {
  fixture f;
  f.hub.settle();
  int sent = 0, flushes = 0, sent_by_then = 0;
  const std::function<void()> flush = [&] { ++flushes, sent_by_then = sent; };
  for (int i = 0; i < 3; ++i)
    f.hub.loop(0).post([&] {
      ++sent;
      f.hub.loop(0).flush_links(flush);
    });
  f.hub.step(0);
  CHECK(flushes == 1);
  CHECK(sent_by_then == 3);
  f.hub.step(0);
  CHECK(flushes == 1);
}

TEST_CASE("loop: knows whether the caller is on its thread") {
  fixture f;
  auto& l = f.hub.loop(0);
  CHECK_FALSE(l.is_current());
  bool inside = false, other = true;
  l.post([&] {
    inside = l.is_current();
    other = f.hub.loop(1).is_current();
  });
  f.hub.step(0);
  CHECK(inside);
  CHECK_FALSE(other);
  CHECK_FALSE(l.is_current());
  CHECK(actors::runtime::loop::of_this_thread() == nullptr);
}
