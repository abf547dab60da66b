// Threads that think. What they think of is tested elsewhere; here, that they take turns and end.
#include "actors/runtime/search_pool.hpp"

#include "engines/host/registry.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/spoiled_engine.hpp"
#include "tests/support/test_hub.hpp"

#include <atomic>
#include <future>
#include <thread>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;
using actors::runtime::search_pool;
using actors::runtime::search_request;
using actors::runtime::time_budget;

namespace {

search_request about(const engines::host::engine& rules) {
  auto made = rules.create({});
  return {actors::runtime::game_actor{},
          0,
          1,
          rules,
          std::get<engines::host::match>(std::move(made)),
          {}};
}
engines::host::engine rules_of(std::string_view id) {
  return *engines::host::registry::built_in().find(id);
}

// A Connect Four whose players stand still until they are let go, to see who does what meanwhile.
struct gate {
  static inline std::promise<void>* opens = nullptr;
  static inline std::atomic<int> inside{0};
};

engines::host::engine engine_that_waits() {
  return spoiled_engine("connect-four", "waits", [](gamehub_engine_abi& abi) {
    abi.legal_actions = [](const gamehub_match* m, std::int32_t seat, std::int64_t* out,
                           std::size_t capacity) -> std::size_t {
      static const auto open = gate::opens->get_future().share();
      ++gate::inside;
      open.wait();
      return healthy_engine("connect-four").legal_actions(m, seat, out, capacity);
    };
  });
}

template <class IsSo>
void wait_until(IsSo is_so) {
  while (!is_so()) std::this_thread::yield();
}

}  // namespace

TEST_CASE("search_pool: the time budget shrinks with the queue") {
  CHECK(actors::runtime::time_budget(500ms, 1, 0) == 500ms);
  CHECK(actors::runtime::time_budget(500ms, 1, 1) == 500ms);
  CHECK(actors::runtime::time_budget(500ms, 1, 5) == 100ms);
  CHECK(actors::runtime::time_budget(500ms, 4, 4) == 500ms);
  CHECK(actors::runtime::time_budget(500ms, 4, 8) == 250ms);
  CHECK(actors::runtime::time_budget(500ms, 1, 100'000) == 1ms);
  CHECK(actors::runtime::time_budget(0ms, 1, 1) == 0ms);
  // A full queue is through in a few times the time of one.
  std::chrono::nanoseconds all{0};
  for (std::size_t left = limits::thoughts_waiting_max; left > 0; --left)
    all += actors::runtime::time_budget(500ms, 1, left);
  CHECK(all < 10 * 500ms);
}

TEST_CASE("search_pool: an answer is a legal action, or nothing where the engine failed") {
  const auto q = about(rules_of("connect-four"));
  const auto found = actors::runtime::run_search(q, [] { return true; });
  CHECK(found.seat == 0);
  CHECK(found.turn == 1);
  REQUIRE(found.what.has_value());
  auto m = q.position.clone();
  CHECK(m.apply(0, *found.what) == nullptr);
  const auto broken = spoiled_engine("connect-four", "lists-nothing", [](auto& abi) {
    abi.legal_actions = [](const gamehub_match*, std::int32_t, std::int64_t*,
                           std::size_t) -> std::size_t { return GAMEHUB_FAILED; };
  });
  CHECK_FALSE(actors::runtime::run_search(about(broken), {}).what.has_value());
}

TEST_CASE("search_pool: bounds its queue and discards it when it stops") {
  std::promise<void> opens;
  gate::opens = &opens;
  const auto slow = engine_that_waits();
  search_pool pool{{2, 500ms, 3}};
  for (int i = 0; i < 2; ++i) {
    auto q = about(slow);
    CHECK(pool.try_submit(q));
  }
  wait_until([&] { return gate::inside.load() == 2; });
  CHECK(pool.count().thinking == 2);
  CHECK(pool.count().waiting == 0);
  for (int i = 0; i < 3; ++i) {
    auto q = about(slow);
    CHECK(pool.try_submit(q));
  }
  auto one_more = about(slow);
  CHECK_FALSE(pool.try_submit(one_more));
  // It is as it was.
  CHECK(one_more.position.players() == 2);
  CHECK(pool.count().waiting == 3);
  // A thread in an engine call can't be interrupted.
  CHECK_FALSE(pool.stop(10ms));
  CHECK(pool.count().waiting == 0);
  opens.set_value();
  CHECK(pool.stop(60s));
  CHECK(pool.count().thinking == 0);
  CHECK_FALSE(pool.try_submit(one_more));
}

TEST_CASE("search_pool: a search that may take long ends at once when the hub goes down") {
  const auto begin = std::chrono::steady_clock::now();
  search_pool pool{{1, std::chrono::hours{1}, 10}};
  auto q = about(rules_of("gomoku"));
  REQUIRE(pool.try_submit(q));
  wait_until([&] { return pool.count().thinking == 1; });
  CHECK(pool.stop(60s));
  CHECK(std::chrono::steady_clock::now() - begin < 60s);
}

TEST_CASE("search_pool: many games think on many threads, each to its end") {
  // The loops stand still while the pool thinks, and the reverse: what is shared is the pool.
  test_hub hub{{.loops = 2}};
  search_pool pool{{3, 2ms, 100}};
  hub.searches().paused = true;
  std::vector<std::shared_ptr<test_client>> clients;
  for (int i = 0; i < 12; ++i) {
    auto& c =
        clients.emplace_back(hub.connect(test_hub::cells_wire, static_cast<std::size_t>(i % 2)));
    c->submit(seek_engine("connect-four", i % 2));
  }
  std::size_t over = 0;
  while (over < clients.size()) {
    hub.settle();
    while (auto q = hub.searches().next()) CHECK(pool.try_submit(*q));
    over = 0;
    for (std::size_t i = 0; i < clients.size(); ++i) {
      const auto* p = clients[i]->last_position();
      if (p != nullptr && p->outcome)
        ++over;
      else if (p != nullptr && holds(p->to_move, static_cast<seat_index>(i % 2)) &&
               clients[i]->pending_replies == 0)
        clients[i]->submit(play_cell(static_cast<std::int64_t>(p->cells.find('-'))));
    }
    std::this_thread::yield();
  }
  CHECK(hub.games_finished() == 12);
  CHECK(pool.stop(60s));
}
