// Hubs of one cluster on manual loops: their links are queues of messages, and one map of keys is
// their database. Used on one thread.
#pragma once

#include "actors/relay/exchange.hpp"
#include "actors/session/player_registry.hpp"
#include "hub/journal/shared_log.hpp"
#include "tests/support/test_hub.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests {

class hub_world {
 public:
  using member_id = journal::member_id;

  struct member {
    member(hub_world& world, member_id self, test_hub_options o)
        : exchange(
              {self, [&world, self](member_id to,
                                    std::string m) { return world.send(self, to, std::move(m)); }}),
          game_ids(self.value * 1'000'000),
          player_ids(self.value * 1'000'000) {
      o.settings.hubs = &exchange;
      o.settings.game_ids = &game_ids;
      o.settings.player_ids = &player_ids;
      o.settings.change_keys = [&world, self](journal::key_change what, auto done) {
        world.asked.push_back({self, std::move(what), std::move(done)});
      };
      o.seed = self.value;
      hub = std::make_unique<test_hub>(o);
    }

    actors::relay::exchange exchange;
    id_pool game_ids, player_ids;
    std::unique_ptr<test_hub> hub;
  };

  explicit hub_world(std::size_t count, test_hub_options o = {}) {
    for (std::size_t i = 0; i < count; ++i)
      members.push_back(std::make_unique<member>(*this, member_id{i + 1}, o));
    for (std::size_t i = 0; i < count; ++i) tell_members(i);
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < a; ++b) link(a, b);
    settle();
  }

  // The clients have gone.
  ~hub_world() {
    settle();
    for (auto& m : members) m->exchange.on_members({});
    for (auto& m : members) m->hub->settle();
    dead.clear();
    settle();
    // Before the queues to which they send.
    members.clear();
  }
  hub_world(const hub_world&) = delete;
  hub_world& operator=(const hub_world&) = delete;

  test_hub& hub(std::size_t i) { return *members.at(i)->hub; }
  actors::relay::exchange& exchange(std::size_t i) { return members.at(i)->exchange; }

  std::shared_ptr<test_client> connect(std::size_t at, std::size_t wire = test_hub::cells_wire) {
    return hub(at).connect(wire);
  }
  // A client that has signed in.
  std::shared_ptr<test_client> sign_in_at(std::size_t at, std::string name,
                                          std::size_t wire = test_hub::documents_wire) {
    auto c = connect(at, wire);
    c->submit(sign_in{std::move(name), {}}), settle();
    return c;
  }

  void link(std::size_t a, std::size_t b) {
    cut.erase({a, b}), cut.erase({b, a});
    exchange(a).on_link({b + 1}, true), exchange(b).on_link({a + 1}, true);
  }
  // What is sent waits until the link is there again.
  void break_link(std::size_t a, std::size_t b) {
    cut[{a, b}] = cut[{b, a}] = true;
    exchange(a).on_link({b + 1}, false), exchange(b).on_link({a + 1}, false);
  }
  // The hub runs no more.
  void kill(std::size_t i) {
    dead[i] = true;
    for (std::size_t other = 0; other < members.size(); ++other) {
      if (dead.contains(other)) continue;
      exchange(other).on_link({i + 1}, false);
      tell_members(other);
    }
  }

  // Lets one message and one change of keys arrive.
  void step_once() { step(); }
  // Runs until no work is left.
  void settle() {
    while (step()) {
    }
  }
  void advance(std::chrono::milliseconds by) {
    for (std::size_t i = 0; i < members.size(); ++i)
      if (!dead.contains(i)) hub(i).advance(by);
    settle();
  }

  // The member that has a name; 0: none.
  std::uint64_t owner_of(const std::string& name) const {
    const auto wanted = actors::session::player_registry::keys_of(name);
    const auto at = keys.find(wanted.front());
    return at == keys.end() ? 0 : at->second.value;
  }

  std::vector<std::unique_ptr<member>> members;
  std::map<std::string, member_id> keys;
  std::map<std::pair<std::size_t, std::size_t>, bool> cut;
  std::map<std::size_t, bool> dead;

 private:
  struct key_request {
    member_id by;
    journal::key_change what;
    std::function<void(std::optional<std::vector<std::string>>)> done;
  };
  struct in_flight {
    member_id from;
    std::string bytes;
  };

  bool send(member_id from, member_id to, std::string m) {
    if (dead.contains(to.value - 1)) return false;
    queues[{from.value - 1, to.value - 1}].push_back({from, std::move(m)});
    return true;
  }
  void tell_members(std::size_t i) {
    std::vector<member_id> all;
    for (std::size_t other = 0; other < members.size(); ++other)
      if (other != i && !dead.contains(other)) all.push_back({other + 1});
    exchange(i).on_members(all);
  }
  bool step() {
    for (std::size_t i = 0; i < members.size(); ++i)
      if (!dead.contains(i)) hub(i).settle();
    bool any = false;
    if (!asked.empty()) {
      auto r = std::move(asked.front());
      asked.pop_front();
      if (!dead.contains(r.by.value - 1)) r.done(carry_out(r.by, r.what));
      any = true;
    }
    for (auto& [way, messages] : queues) {
      if (messages.empty() || cut.contains(way) || dead.contains(way.second)) continue;
      auto m = std::move(messages.front());
      messages.pop_front();
      exchange(way.second).on_message(m.from, m.bytes, hub(way.second).now());
      any = true;
    }
    return any;
  }
  std::vector<std::string> carry_out(member_id by, const journal::key_change& what) {
    using kind = journal::key_change::kind;
    std::vector<std::string> owned;
    for (const auto& key : what.keys) {
      const auto at = keys.find(key);
      const bool mine = at == keys.end() || at->second == by ||
                        (what.what == kind::claim && at->second == what.from);
      if (what.what == kind::free) {
        if (at != keys.end() && mine) keys.erase(at);
      } else if (mine) {
        keys[key] = by;
        owned.push_back(key);
      }
    }
    return owned;
  }

  std::map<std::pair<std::size_t, std::size_t>, std::deque<in_flight>> queues;
  std::deque<key_request> asked;
};

}  // namespace gamehub::tests
