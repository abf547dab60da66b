// All webhooks of a hub and the events that are to be sent to them: which call is next, when a
// failed one is repeated, and when a webhook is off. A plain value without sockets, files and
// clocks; the service owns it and uses it on its thread. Each call notes what the file has to
// store.
#pragma once

#include "hub/base/random.hpp"
#include "hub/base/time.hpp"
#include "hub/core/absence_listener.hpp"
#include "hub/core/webhook_registry.hpp"
#include "hub/webhook/webhook_limits.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::webhook {

// A registered webhook. The times are those of the wall, because they are stored.
struct hook {
  std::string player;  // as in webhook_request; the key
  std::string url;     // valid
  std::string host;    // its host with the port; not stored
  std::string secret;
  std::string account = {};    // the sender for whose limit it counts; empty: for none
  std::string confirmed = {};  // the address that has answered the latest challenge
  bool on = true;
  std::string why = {};        // it is off, in words
  std::uint32_t failures = 0;  // calls in a row that failed
  base::wall_time retry_at{};  // no call before
  base::wall_time used{};      // the registration, or the latest call that succeeded
};

// What is to be said of one game, or was said of its present turn.
struct event {
  game_id game;
  std::uint64_t number = 0;  // as in absent_turn and lasting_end
  bool ended = false;
  bool told = false;  // sent; kept so that the turn is told once
  base::wall_time due{};
  std::string body = {};  // JSON; empty once it was sent
};

// What the file has to store: the latest state of rows that changed; nothing: the row is removed.
struct changes {
  std::map<std::string, std::optional<hook>> hooks = {};  // by player
  std::map<std::pair<std::string, game_id>, std::optional<event>> events = {};

  bool empty() const { return hooks.empty() && events.empty(); }
};

struct book_rules {
  base::duration delay = limits::webhook_delay_default;
  base::duration pause = limits::webhook_pause_default;
  std::uint32_t failures_max = limits::webhook_failures_default;
  std::uint32_t hooks_max = limits::webhooks_default;
};

// Returns the time without calls after that many failures in a row: between three and five quarters
// of pause * 2^(failures - 1), so that receivers that failed together are not called together.
// Requires: failures > 0.
base::duration pause_after(std::uint32_t failures, base::duration pause, base::random_source&);

class book {
 public:
  explicit book(const book_rules& rules) : rules_(rules) {}

  // Adds what was stored. Called first. What has not been used for limits::webhook_unused_max is
  // dropped, and noted as a change.
  void load(std::vector<hook>, std::vector<std::pair<std::string, event>>, base::wall_time now);

  // Returns why this player can't register a webhook for this account, or nothing.
  std::optional<std::string_view> why_full(const std::string& player, const std::string& account,
                                           base::wall_time now);
  // Adds a webhook in the place of the player's former one. Its events stay. Requires: !why_full().
  void set(hook, base::wall_time now);
  bool remove(const std::string& player);
  // Return a webhook, or null; and what its player may know of it.
  const hook* find(const std::string& player) const;
  std::optional<webhook_state> state_of(const std::string& player) const;

  // Reports of games. `body` makes the JSON of an event, and is called only if it is to be sent.
  template <class Body>
  void on_turn(const absent_turn& t, base::wall_time now, Body body) {
    if (auto* const to = why_told(t.at.player, t.at.game, t.number))
      add(*to, {t.at.game, t.number, false, false, now + milliseconds(rules_.delay), body()});
  }
  void on_turn_over(const std::string& player, game_id);
  template <class Body>
  void on_end(const lasting_end& e, base::wall_time now, Body body) {
    auto* const to = entry_of(e.at.player);
    if (to == nullptr) return;
    erase(*to, e.at.game);
    if (e.away && to->what.on)
      add(*to, {e.at.game, e.number, true, false, now + milliseconds(rules_.delay), body()});
  }

  // A call to make. Each is followed by one ended().
  struct call {
    hook to;
    event what;
    std::uint64_t number = 0;  // of the call
  };
  // Takes the call that is due for the longest time, if there is one and not too many are in
  // flight.
  std::optional<call> next(base::wall_time now);
  // Returns when next() may have another one; max(): not before another function is called.
  base::wall_time next_at() const;

  enum class result : std::uint8_t { delivered, failed, gone };
  // The call has ended. `confirmed` is the address that has answered, `why` the words of a failure.
  // Returns true if the webhook is off now.
  bool ended(const call&, result, const std::string& confirmed, std::string why,
             base::wall_time now, base::random_source&);

  // Returns what changed since the last call.
  changes take_changes() { return std::exchange(changes_, {}); }

  struct counts {
    std::uint64_t on = 0, off = 0, waiting = 0, in_flight = 0;
    std::uint64_t dropped = 0;  // events, since the start
  };
  counts count() const;

 private:
  struct entry {
    hook what;
    std::map<game_id, event> events;
    std::uint64_t calling = 0;           // number of the call in flight; 0: none
    bool parked = false;                 // waits for its host
    std::optional<base::wall_time> due;  // as in due_
  };
  struct host_use {
    std::size_t in_flight = 0;
    std::deque<std::string> parked;  // players
  };

  static std::chrono::milliseconds milliseconds(base::duration d) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(d);
  }
  entry* entry_of(const std::string& player);
  // Returns the webhook that is to be told this turn; null: no webhook is on, or it was told.
  entry* why_told(const std::string& player, game_id, std::uint64_t number);
  void add(entry&, event);
  void on_told(entry&, const event& sent);
  void erase(entry&, game_id);
  void erase_all(entry&);
  // Sets when the webhook is to be called next.
  void update_due(entry&);
  void note_hook(const entry& e) { changes_.hooks[e.what.player] = e.what; }
  void note_event(const entry& of, const event& e) {
    changes_.events[{of.what.player, e.game}] = e;
  }
  void leave_host(const std::string& host);
  void count_account(const std::string& account, int change);
  void drop_unused(base::wall_time now);

  const book_rules rules_;
  std::map<std::string, entry> hooks_;  // by player: a tree, because a player chooses its secret
  std::map<std::string, std::uint32_t> by_account_;
  std::map<std::string, host_use> hosts_;
  std::set<std::pair<base::wall_time, std::string>> due_;
  std::size_t events_ = 0, waiting_ = 0, in_flight_ = 0;
  std::uint64_t on_ = 0, dropped_ = 0, last_call_ = 0;
  base::wall_time unused_dropped_at_{};
  changes changes_;
};

}  // namespace gamehub::webhook
