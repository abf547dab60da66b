#include "metrics/datagrams.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "metrics/family.hpp"

namespace gamehub::metrics {

using prometheus::MetricType;

void collect_datagrams(const catalog& names, std::span<const cells* const> loops,
                       std::vector<prometheus::MetricFamily>& out) {
  constexpr auto counter = MetricType::Counter, gauge = MetricType::Gauge;
  const auto each_wire = [&](const char* name, const char* help, MetricType type,
                             cell datagram_cells::*what) {
    family to{out, name, help, type};
    for (std::size_t w = 0; w < names.wires.size(); ++w) {
      const auto& of = names.datagram_wires;
      if (std::find(of.begin(), of.end(), names.wires[w]) == of.end()) continue;
      std::int64_t total = 0;
      for (const auto* loop : loops) total += (loop->wires[w].datagrams.*what).value();
      to.add({{"gateway", names.wires[w]}}, total);
    }
  };
  each_wire("gamehub_datagrams_received_total", "Datagrams that came.", counter,
            &datagram_cells::received);
  each_wire("gamehub_datagrams_said_total", "Datagrams that were said, the repeated ones included.",
            counter, &datagram_cells::said);
  each_wire("gamehub_datagrams_repeated_total",
            "Datagrams that were said again when no answer came.", counter,
            &datagram_cells::resent);
  each_wire("gamehub_datagrams_ignored_total", "Datagrams that came and had no answer.", counter,
            &datagram_cells::ignored);
  each_wire("gamehub_datagrams_refused_total",
            "Of the ignored ones: asked for a game for which there was no room.", counter,
            &datagram_cells::refused);
  each_wire("gamehub_datagrams_strayed_total",
            "Datagrams that came to another loop than their address' own.", counter,
            &datagram_cells::strayed);
  each_wire("gamehub_datagrams_unsent_total",
            "Datagrams that were said and that the system did not take.", counter,
            &datagram_cells::unsent);
  each_wire("gamehub_datagrams_overflowed_total",
            "Datagrams that came when the system had no room for them.", counter,
            &datagram_cells::overflowed);
  each_wire("gamehub_addresses", "Addresses that are kept in mind.", gauge,
            &datagram_cells::sessions);
  each_wire("gamehub_addresses_unheard", "Of them: those that were never heard to answer.", gauge,
            &datagram_cells::newcomers);
  each_wire("gamehub_addresses_evicted_total", "Addresses that were forgotten to make room.",
            counter, &datagram_cells::evicted);
}

}  // namespace gamehub::metrics
