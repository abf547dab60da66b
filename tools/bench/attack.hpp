// Hostile clients, which a hub must tolerate: they never ask for a game, and violate their
// protocol. They run on a separate thread, which ends with the object. Owned by the bench.
#pragma once

#include "tools/bench/connector.hpp"
#include "tools/bench/wire.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>
#include <thread>

namespace gamehub::tools::bench {

enum class attack : std::uint8_t {
  deaf,      // sends requests and never reads an answer
  garbage,   // sends invalid messages, and reconnects when the hub closes the connection
  pipeline,  // sends 10,000 moves at once, repeatedly
  drip,      // sends one byte at a time, never a whole message
};

std::string_view to_string(attack);
std::optional<attack> find_attack(std::string_view name);

class hostile_clients {
 public:
  hostile_clients(const wire&, const connector&, attack, int count);
  ~hostile_clients();
  hostile_clients(const hostile_clients&) = delete;
  hostile_clients& operator=(const hostile_clients&) = delete;

  struct tally {
    std::uint64_t connections = 0;  // opened
    std::uint64_t bytes = 0;        // accepted by the hub
  };
  tally so_far() const { return {connections_, bytes_}; }

 private:
  struct client;

  void run(int count);
  void run_attack(client&);

  connector connector_;
  bench::attack kind_;
  std::string payload_;  // what each client sends
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> connections_{0}, bytes_{0};
  std::thread thread_;
};

}  // namespace gamehub::tools::bench
