// Maps the hash of an address to the socket of the port that has its session. A peer_table reads it
// when a datagram arrives from an address without a session there, and writes it when sessions
// start and end. Shared by the peer_tables of all sockets of a port; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace gamehub::gateways::udp {

class directory {
 public:
  // Returns the socket that has the address. If no socket had it, `socket` has it from now on.
  std::size_t claim(std::uint64_t hash, std::size_t socket) {
    auto& in = shard_of(hash);
    const std::lock_guard lock{in.mutex};
    return in.sockets.try_emplace(hash, static_cast<std::uint32_t>(socket)).first->second;
  }

  // Returns the socket that has the address, or nothing.
  std::optional<std::size_t> find(std::uint64_t hash) {
    auto& in = shard_of(hash);
    const std::lock_guard lock{in.mutex};
    const auto at = in.sockets.find(hash);
    return at == in.sockets.end() ? std::nullopt : std::optional<std::size_t>{at->second};
  }

  // Removes the entry. Does nothing if another socket has the address.
  void release(std::uint64_t hash, std::size_t socket) {
    auto& in = shard_of(hash);
    const std::lock_guard lock{in.mutex};
    const auto at = in.sockets.find(hash);
    if (at != in.sockets.end() && at->second == socket) in.sockets.erase(at);
  }

 private:
  // Shards, so that loops that add addresses at the same time rarely wait for a lock.
  struct shard {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::uint32_t> sockets;
  };

  shard& shard_of(std::uint64_t hash) { return shards_[hash >> 60]; }

  std::array<shard, 16> shards_;
};

}  // namespace gamehub::gateways::udp
