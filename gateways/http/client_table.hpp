// Which client has which key, over all loops: a request finds its client from any connection. Made
// with the servers, outlives them; any thread. Only loops use it, a moment each, and in shards, so
// that they hardly ever wait for each other.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "gateways/http/client_id.hpp"

namespace gamehub::gateways::http::server {

class client;

class directory {
 public:
  // Null: nobody has that key.
  std::shared_ptr<client> find(const client_key& key) const {
    const auto& s = shard_of(key);
    const std::lock_guard lock{s.mutex};
    const auto at = s.clients.find(key);
    return at == s.clients.end() ? nullptr : at->second;
  }

  // Who has the key now: this one, or who was before.
  std::shared_ptr<client> enter(const client_key& key, std::shared_ptr<client> who) {
    auto& s = shard_of(key);
    const std::lock_guard lock{s.mutex};
    return s.clients.emplace(key, std::move(who)).first->second;
  }

  void leave(const client_key& key, const client* who) {
    std::shared_ptr<client> last;  // goes when the lock is open again
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
    std::map<client_key, std::shared_ptr<client>> clients;
  };

  static constexpr std::size_t shards = 64;

  // A key is a digest: any of its bytes is as good.
  const shard& shard_of(const client_key& key) const { return all_[key.bytes[0] % shards]; }
  shard& shard_of(const client_key& key) { return all_[key.bytes[0] % shards]; }

  std::array<shard, shards> all_;
};

}  // namespace gamehub::gateways::http::server
