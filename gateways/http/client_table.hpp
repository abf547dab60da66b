// The table of all players by client key, over all loops: a request on any connection finds its
// player. Made with the servers, outlives them; any thread. Loops lock one of several shards for a
// moment, so that they rarely wait.
#pragma once

#include "gateways/http/client_id.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace gamehub::gateways::http {

class http_player;

class client_table {
 public:
  // Returns the player with that key, or null.
  std::shared_ptr<http_player> find(const client_key& key) const {
    const auto& s = shard_of(key);
    const std::lock_guard lock{s.mutex};
    const auto at = s.clients.find(key);
    return at == s.clients.end() ? nullptr : at->second;
  }

  // Adds a player; returns the player that has the key now: this one, or an earlier one.
  std::shared_ptr<http_player> insert(const client_key& key, std::shared_ptr<http_player> who) {
    auto& s = shard_of(key);
    const std::lock_guard lock{s.mutex};
    return s.clients.emplace(key, std::move(who)).first->second;
  }

  // Removes a player if it has the key.
  void remove(const client_key& key, const http_player* who) {
    std::shared_ptr<http_player> last;  // destroyed after the lock is released
    auto& s = shard_of(key);
    const std::lock_guard lock{s.mutex};
    const auto at = s.clients.find(key);
    if (at == s.clients.end() || at->second.get() != who) return;
    last = std::move(at->second);
    s.clients.erase(at);
  }

 private:
  struct shard {
    mutable std::mutex mutex;
    std::map<client_key, std::shared_ptr<http_player>> clients;
  };

  static constexpr std::size_t shards = 64;

  // Keys are digests, so any byte is uniformly distributed.
  const shard& shard_of(const client_key& key) const { return all_[key.bytes[0] % shards]; }
  shard& shard_of(const client_key& key) { return all_[key.bytes[0] % shards]; }

  std::array<shard, shards> all_;
};

}  // namespace gamehub::gateways::http
