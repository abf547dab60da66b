// One UDP client, a bad network, the sessions of a UDP socket and a referee behind them, on a clock
// that jumps from deadline to deadline: plays one game to its end and says what was wrong with it.
// A plain value, one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gateways/udp/peers.hpp"
#include "hub/app/udp_lab/relay.hpp"
#include "tests/support/udp_client.hpp"
#include "tests/support/udp_referee.hpp"

namespace gamehub::tests {

struct udp_evening {
  app::udp_lab::fault_rates faults;
  udp_habits habits;
  udp_opponent opponent;
  bool seek_at_once = false;
};

class udp_world {
 public:
  udp_world(const udp_evening&, std::uint64_t seed);

  // Until the client is gone and forgotten. Nothing, or what was wrong.
  std::string play();

  const udp_client& client() const { return client_; }
  const udp_referee& referee() const { return referee_; }
  const app::udp_lab::relay& relay() const { return relay_; }
  const gateways::udp::peers& peers() const { return peers_; }
  duration took() const { return now_ - start; }

 private:
  static constexpr instant start{std::chrono::hours{1}};

  void step();
  void say(const std::string& bytes);
  void carry_out();
  void carry_out(const gateways::udp::peers_output&);
  void seat(gateways::udp::peer_id);
  instant next() const;
  std::string verdict() const;

  instant now_ = start;
  udp_client client_;
  udp_referee referee_;
  app::udp_lab::relay relay_;
  gateways::udp::peers peers_;
  gateways::udp::peers_output out_;
  std::optional<gateways::udp::peer_id> seated_;
};

}  // namespace gamehub::tests
