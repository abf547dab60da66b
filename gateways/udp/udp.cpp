#include "gateways/udp/udp.hpp"

#include "gateways/udp/peer_table.hpp"
#include "gateways/udp/udp_limits.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>

namespace gamehub::gateways::udp {
namespace {

// Returns one socket's share of a limit, because the kernel distributes addresses evenly over the
// sockets.
std::size_t share(std::size_t of, const datagram_setup& asked) {
  return std::max<std::size_t>(1, of / std::max<std::size_t>(1, asked.sockets));
}

// Returns how many players of the port may have an unproven address: each may have a game.
std::size_t guests_of(const datagram_setup& asked) {
  const auto kept = asked.players_max / limits::udp_proven_share_of_players;
  return std::min(asked.players_max - kept, asked.games_max / limits::udp_guest_share_of_games);
}

}  // namespace

datagram_protocols make_datagrams(const datagram_setup& asked, base::random_source& random) {
  peers_setup s;
  s.engine = asked.engine.id;
  s.settings.cells = asked.engine.cells();
  s.settings.against_players = !asked.against_engine;
  s.against_engine = asked.against_engine;
  s.key = {random.next(), random.next()};
  s.sessions_max = share(asked.sessions_max, asked);
  s.newcomers_max = share(limits::udp_newcomers_max, asked);
  s.guests_max = share(guests_of(asked), asked);
  s.statuses_max = share(limits::udp_statuses_max, asked);
  s.per_address_max = asked.per_address_max;
  s.bound_loopback = asked.bound_loopback;
  if (asked.guest_rate != 0)
    s.guest_games = {base::duration{std::chrono::seconds{1}} / asked.guest_rate,
                     asked.guest_rate * limits::udp_guest_burst_seconds};
  s.senders = std::make_shared<source_quota>();
  s.players = std::make_shared<player_quota>(asked.players_max);
  if (asked.sockets > 1) s.directory = std::make_shared<directory>();
  datagram_protocols out;
  for (; s.number < asked.sockets; ++s.number) out.push_back(std::make_unique<peer_table>(s));
  return out;
}

std::optional<std::string> unsupported_reason(const engine_traits& engine) {
  if (!engine.has_cells()) return "has no board of cells, and a move is the digit of a cell here";
  if (engine.players != 2)
    return "is played by " + std::to_string(engine.players) + ", and this protocol is for two";
  if (engine.cells() > limits::udp_cells_max)
    return "has a board of " + std::to_string(engine.cells()) +
           " cells, and a move is one digit from 0 to 8";
  if (engine.actions_max > static_cast<std::uint64_t>(engine.cells()))
    return "has more moves than cells, and a move is the digit of the cell it takes";
  if (engine.simultaneous)
    return "lets its players move at the same time, and this protocol has turns";
  if (!engine.perfect_information)
    return "hides things from its players, and a digit tells everything or nothing";
  return std::nullopt;
}

protocol_info describe() {
  protocol_info out;
  out.name = "udp";
  out.summary = "one byte a datagram over UDP (gateways/udp/README.md)";
  out.port_default = 13'037;
  out.rank = 30;
  out.form = view_form::cells;
  out.engine_per_port = true;
  out.against_engine = true;
  out.grace_default = std::nullopt;
  out.hub_makes_room = false;
  out.counts = wire_counters::datagrams;
  out.crossing = hub_crossing::sessions;
  out.unsupported_reason = udp::unsupported_reason;
  return out;
}

}  // namespace gamehub::gateways::udp
