// One UDP client, a bad network, the sessions of a UDP socket and a referee behind them, on a clock
// that jumps from deadline to deadline: plays one game to its end and says what was wrong with it.
// A plain value, one thread.
#pragma once

#include "gateways/udp/peer_table.hpp"
#include "tests/support/udp_client.hpp"
#include "tests/support/udp_referee.hpp"
#include "tools/udp_lab/relay.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace gamehub::tests {

struct udp_evening {
  tools::udp_lab::fault_rates faults;
  udp_habits habits;
  udp_opponent opponent;
  bool against_players = false;
  bool proves_at_once = false;  // the first true echo proves the address, whatever it is worth
};

class udp_world {
 public:
  udp_world(const udp_evening&, std::uint64_t seed);

  // Until the client is gone and forgotten. Nothing, or what was wrong.
  std::string play();

  const udp_client& client() const { return client_; }
  const udp_referee& referee() const { return referee_; }
  const tools::udp_lab::relay& relay() const { return relay_; }
  const gateways::udp::peer_table& peers() const { return peers_; }
  base::duration took() const { return now_ - start; }

 private:
  static constexpr base::instant start{std::chrono::hours{1}};

  void step();
  void say(const std::string& bytes);
  void carry_out();
  void carry_out(const gateways::udp::peers_output&);
  void seat(gateways::udp::peer_id);
  base::instant next() const;
  std::string verdict() const;

  base::instant now_ = start;
  udp_client client_;
  udp_referee referee_;
  tools::udp_lab::relay relay_;
  gateways::udp::peer_table peers_;
  gateways::udp::peers_output out_;
  std::optional<gateways::udp::peer_id> seated_;
};

}  // namespace gamehub::tests
