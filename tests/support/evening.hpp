// Hubs on manual loops with a journal that tells what a killed one would leave, and two players at
// a table. Used on one thread.
#pragma once

#include "actors/system/runtime.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/test_hub.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests {

struct recovery_events final : actors::system::recovery_listener {
  void on_progress(std::size_t is_done, std::size_t of) override { done = is_done, all = of; }
  void on_quarantined(game_id game, const std::string& why) override { out[game] = why; }

  std::size_t done = 0, all = 0;
  std::map<game_id, std::string> out;
};

inline test_hub_options hub_on(late_journal& log,
                               std::chrono::seconds turn = std::chrono::seconds{0},
                               std::function<bool(base::instant)> may_arrive = {}) {
  test_hub_options out{.loops = 2,
                       .settings = {turn, std::chrono::seconds{0}, std::chrono::seconds{0}, 100,
                                    100, std::chrono::seconds{60}},
                       .log = &log,
                       .may_arrive = std::move(may_arrive)};
  if (log.stores_logs) out.settings.sleep_after = std::chrono::seconds{60};
  return out;
}

// A hub, the journal it writes, and the one it would leave if it were killed.
struct evening {
  explicit evening(std::unique_ptr<late_journal> from,
                   std::chrono::seconds turn = std::chrono::seconds{0},
                   std::function<bool(base::instant)> may_arrive = {})
      : log(std::move(from)),
        hub(std::make_unique<test_hub>(hub_on(*log, turn, std::move(may_arrive)))) {
    log->be_durable();
  }
  // After this one was killed.
  evening after_a_kill(std::chrono::seconds turn = std::chrono::seconds{0}) const {
    evening next{log->left_behind(), turn};
    next.report = next.hub->runtime().recover(next.events);
    next.hub->settle();
    return next;
  }

  // A hub on what this one left, that much later: before and after it has recovered.
  evening started_after(std::chrono::hours down) const {
    evening next{log->left_behind()};
    next.hub->pass(
        std::chrono::duration_cast<std::chrono::milliseconds>(hub->now() - next.hub->now()) + down);
    next.hub->settle();
    return next;
  }
  evening restarted_after(std::chrono::hours down) const {
    auto next = started_after(down);
    next.report = next.hub->runtime().recover(next.events);
    next.hub->settle();
    return next;
  }

  struct guest {
    std::shared_ptr<test_client> client;
    std::string secret;
  };
  guest enter(const std::string& name, std::string secret = {}, std::size_t loop = 0) const {
    guest g{hub->connect(test_hub::documents_wire, loop), {}};
    g.client->submit(sign_in{name, std::move(secret)}), hub->settle();
    g.secret = g.client->last<signed_in>()->secret;
    return g;
  }
  guest enter_and_wait(const std::string& name, std::size_t loop = 0) const {
    auto g = enter(name, {}, loop);
    g.client->submit(seek_again({"tictactoe"})), hub->settle();
    return g;
  }
  void put(const guest& who, int row, int column, game_id game) const {
    who.client->submit(play_document(R"({"type":"move","row":)" + std::to_string(row) +
                                         R"(,"column":)" + std::to_string(column) + "}",
                                     game));
    hub->settle();
  }
  std::vector<journal::record> records(game_id game) const { return log->read(game, 0); }

  std::unique_ptr<late_journal> log;
  std::unique_ptr<test_hub> hub;
  recovery_events events;
  actors::system::recovery_report report;
};

inline std::unique_ptr<late_journal> empty_journal() {
  return std::make_unique<late_journal>(false);
}

// Ann and Bob have a game in which Ann has taken the centre.
struct two_at_a_table {
  explicit two_at_a_table(std::chrono::seconds turn = std::chrono::seconds{0})
      : first(empty_journal(), turn) {
    ann = first.enter_and_wait("ann", 0);
    bob = first.enter_and_wait("bob", 1);
    game = bob.client->events.back().game;
    first.put(ann, 1, 1, game);
  }

  evening first;
  evening::guest ann, bob;
  game_id game;
};

// The latest end of a game. The next game of a pair without others may have begun since.
inline std::optional<outcome> end_seen_by(const evening::guest& g) {
  std::optional<outcome> end;
  for (const auto& e : g.client->events)
    if (const auto* p = std::get_if<position_ref>(&e.what); p != nullptr && *p && (*p)->outcome)
      end = (*p)->outcome;
  return end;
}

}  // namespace gamehub::tests
