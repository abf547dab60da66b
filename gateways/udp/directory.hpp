// Which socket of a port has the session of an address, by the address' hash: asked when a datagram
// comes from an address that has none here, told when sessions come and go. Shared by the peers of
// all sockets of a port; any thread.
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
  // The socket that has it; this one from now on, if none had.
  std::size_t claim(std::uint64_t hash, std::size_t socket) {
    auto& in = shard_of(hash);
    const std::lock_guard lock{in.mutex};
    return in.sockets.try_emplace(hash, static_cast<std::uint32_t>(socket)).first->second;
  }

  std::optional<std::size_t> find(std::uint64_t hash) {
    auto& in = shard_of(hash);
    const std::lock_guard lock{in.mutex};
    const auto at = in.sockets.find(hash);
    return at == in.sockets.end() ? std::nullopt : std::optional<std::size_t>{at->second};
  }

  // Nothing, if another socket has it.
  void release(std::uint64_t hash, std::size_t socket) {
    auto& in = shard_of(hash);
    const std::lock_guard lock{in.mutex};
    const auto at = in.sockets.find(hash);
    if (at != in.sockets.end() && at->second == socket) in.sockets.erase(at);
  }

 private:
  // Loops that admit at the same time seldom wait for each other.
  struct shard {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::uint32_t> sockets;
  };

  shard& shard_of(std::uint64_t hash) { return shards_[hash >> 60]; }

  std::array<shard, 16> shards_;
};

}  // namespace gamehub::gateways::udp
