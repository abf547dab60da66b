// Clients as a hub must bear them beside its players: they never ask for a game, and never follow
// their protocol for long. They run on a thread of their own, which whoever made them starts and
// ends with them.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>
#include <thread>

#include "hub/app/bench/dialer.hpp"
#include "hub/app/bench/wire.hpp"

namespace gamehub::app::bench {

enum class attack : std::uint8_t {
  deaf,      // sends requests and never reads an answer
  garbage,   // sends what the protocol does not know, and connects again when it is closed
  pipeline,  // 10,000 moves in one go, again and again
  drip,      // a byte at a time, never a whole message
};

std::string_view to_string(attack);
std::optional<attack> find_attack(std::string_view word);

class hostile_clients {
 public:
  hostile_clients(const wire&, const connector&, attack, int count);
  ~hostile_clients();
  hostile_clients(const hostile_clients&) = delete;
  hostile_clients& operator=(const hostile_clients&) = delete;

  struct tally {
    std::uint64_t connections = 0;  // that they opened
    std::uint64_t bytes = 0;        // that the hub took
  };
  tally so_far() const { return {connections_, bytes_}; }

 private:
  struct client;

  void run(int count);
  void attack(client&);

  connector connector_;
  attack kind_;
  std::string words_;  // what they say
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> connections_{0}, bytes_{0};
  std::thread thread_;
};

}  // namespace gamehub::app::bench
