#include "gateways/udp/udp.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "gateways/udp/fit.hpp"
#include "gateways/udp/peers.hpp"
#include "gateways/udp/udp_limits.hpp"

namespace gamehub::gateways::udp {
namespace {

// The kernel spreads addresses evenly over the sockets, and each gets its share of what all may
// have.
std::size_t share(std::size_t of, const datagram_setup& asked) {
  return std::max<std::size_t>(1, of / std::max<std::size_t>(1, asked.sockets));
}

datagram_protocols make_datagrams(const datagram_setup& asked, random_source& luck) {
  peers_setup s;
  s.engine = asked.engine.id;
  s.ground.cells = asked.engine.cells();
  s.ground.seek_at_once = !asked.against_engine;
  s.against_engine = asked.against_engine;
  s.key = {luck.next(), luck.next()};
  s.sessions_max = share(asked.sessions_max, asked);
  s.newcomers_max = share(limits::udp_newcomers_max, asked);
  s.guests_max = share(limits::udp_unverified_max, asked);
  s.statuses_max = share(limits::udp_statuses_max, asked);
  s.per_address_max = asked.per_address_max;
  s.bound_loopback = asked.bound_loopback;
  s.senders = std::make_shared<source_quota>();
  if (asked.sockets > 1) s.directory = std::make_shared<directory>();
  datagram_protocols out;
  for (; s.number < asked.sockets; ++s.number) out.push_back(std::make_unique<peer_table>(s));
  return out;
}

}  // namespace

protocol describe() {
  protocol out;
  out.name = "udp";
  out.summary = "one byte a datagram over UDP (gateways/udp/README.md)";
  out.port_default = 13'037;
  out.rank = 30;
  out.form = view_form::cells;
  out.engine_per_port = true;
  out.against_engine = true;
  out.make_datagrams = make_datagrams;
  out.unsupported_reason = unsupported_reason;
  return out;
}

}  // namespace gamehub::gateways::udp
