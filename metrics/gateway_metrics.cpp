#include "metrics/gateway_metrics.hpp"

#include "metrics/family.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace gamehub::metrics {
namespace {

using prometheus::MetricType;

// Labels in the order of the cells.
constexpr std::array<std::string_view, bot_cells::methods> methods{"ping", "next-move", "complete",
                                                                   "error"};
constexpr std::array<std::string_view, bot_cells::call_results> results{"answered", "late",
                                                                        "failed"};
constexpr std::array<std::string_view, bot_cells::fault_codes> faults{
    "occupied", "out-of-bounds", "unparsable", "timeout", "transport"};
constexpr std::array<std::string_view, bot_cells::register_results> registrations{
    "accepted", "refused", "malformed", "limited", "owner-limit", "hub-full"};

template <class Pick>
std::int64_t sum(std::span<const cells* const> loops, Pick pick) {
  std::int64_t total = 0;
  for (const auto* loop : loops) total += pick(loop->bots).value();
  return total;
}

prometheus::ClientMetric durations(std::span<const cells* const> loops) {
  prometheus::ClientMetric out;
  auto& sums = out.histogram;
  for (std::size_t b = 0; b <= duration_cells::bucket_count; ++b) {
    for (const auto* loop : loops)
      sums.sample_count += static_cast<std::uint64_t>(loop->bots.call_duration.bucket(b));
    const auto last = b == duration_cells::bucket_count;
    sums.bucket.push_back({sums.sample_count, last ? std::numeric_limits<double>::infinity()
                                                   : duration_cells::bound_seconds(b)});
  }
  for (const auto* loop : loops) sums.sample_sum += loop->bots.call_duration.sum_seconds();
  return out;
}

}  // namespace

void collect_requests(const catalog& names, std::span<const cells* const> loops,
                      std::vector<prometheus::MetricFamily>& out) {
  const auto each_wire = [&](auto what) {
    for (std::size_t w = 0; w < names.wires.size(); ++w) {
      const auto& of = names.request_wires;
      if (std::find(of.begin(), of.end(), names.wires[w]) != of.end()) what(w);
    }
  };
  const auto sum = [&](std::size_t wire, auto pick) {
    std::int64_t total = 0;
    for (const auto* loop : loops) total += pick(loop->wires[wire].requests).value();
    return total;
  };
  family answers{out, "gamehub_requests_total", "Answered requests, by route and status.",
                 MetricType::Counter};
  each_wire([&](std::size_t w) {
    for (std::size_t r = 0; r < names.routes.size(); ++r)
      for (std::size_t c = 0; c < request_cells::status_classes; ++c) {
        const auto n = sum(
            w, [=](const request_cells& of) -> auto& { return of.answers[r][c]; });
        // 2xx and 4xx are exported at zero from the start, so that a rate includes the first one.
        if (n == 0 && c != 1 && c != 3) continue;
        answers.add({{"gateway", names.wires[w]},
                     {"route", names.routes[r]},
                     {"status", std::to_string(c + 1) + "xx"}},
                    n);
      }
  });
  family streams{out, "gamehub_streams", "Open streams of updates.", MetricType::Gauge};
  each_wire([&](std::size_t w) {
    streams.add({{"gateway", names.wires[w]}},
                sum(
                    w, [](const request_cells& of) -> auto& { return of.streams; }));
  });
  family evicted{out, "gamehub_connections_evicted_total",
                 "Idle connections that made room for new ones in a full hub.",
                 MetricType::Counter};
  each_wire([&](std::size_t w) {
    evicted.add({{"gateway", names.wires[w]}},
                sum(
                    w, [](const request_cells& of) -> auto& { return of.connections_evicted; }));
  });
}

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
  each_wire("gamehub_datagrams_received_total", "Datagrams received.", counter,
            &datagram_cells::received);
  each_wire("gamehub_datagrams_said_total", "Datagrams that the protocol sent, including repeats.",
            counter, &datagram_cells::sent);
  each_wire("gamehub_datagrams_repeated_total",
            "Datagrams that were repeated because no answer arrived.", counter,
            &datagram_cells::resent);
  each_wire("gamehub_datagrams_ignored_total", "Received datagrams that had no effect.", counter,
            &datagram_cells::ignored);
  each_wire("gamehub_datagrams_refused_total",
            "Ignored datagrams that asked for a game when a limit was reached.", counter,
            &datagram_cells::refused);
  each_wire("gamehub_datagrams_throttled_total",
            "Ignored datagrams that would have begun a game of an unproven address above their "
            "rate.",
            counter, &datagram_cells::throttled);
  each_wire("gamehub_datagrams_strayed_total",
            "Datagrams received by another loop than that of their session.", counter,
            &datagram_cells::misrouted);
  each_wire("gamehub_datagrams_unsent_total", "Sent datagrams that the kernel did not accept.",
            counter, &datagram_cells::unsent);
  each_wire("gamehub_datagrams_overflowed_total",
            "Datagrams that the kernel dropped because its receive buffer was full.", counter,
            &datagram_cells::overflowed);
  each_wire("gamehub_udp_addresses", "Addresses with a session.", gauge, &datagram_cells::sessions);
  each_wire(
      "gamehub_udp_addresses_unheard",
      "Addresses with a session that have not proven that they receive; senders may be forged.",
      gauge, &datagram_cells::newcomers);
  each_wire("gamehub_udp_addresses_guests", "Those of them that have a player.", gauge,
            &datagram_cells::guests);
  each_wire("gamehub_udp_addresses_proven_total",
            "Addresses that proved by the echo of moves that they receive.", counter,
            &datagram_cells::proven);
  each_wire("gamehub_udp_addresses_evicted_total", "Addresses that were removed to make room.",
            counter, &datagram_cells::evicted);
}

void collect_bots(std::span<const cells* const> loops, std::vector<prometheus::MetricFamily>& out) {
  family{out, "gamehub_bots_online",
         "Bots that answer calls and have made no error since they registered.", MetricType::Gauge}
      .add({}, sum(
                   loops, [](const bot_cells& of) -> auto& { return of.online; }));
  family registered{out, "gamehub_bot_registrations_total", "Registrations of bots, by result.",
                    MetricType::Counter};
  for (std::size_t i = 0; i < registrations.size(); ++i)
    registered.add({{"result", registrations[i]}},
                   sum(
                       loops, [i](const bot_cells& of) -> auto& { return of.registrations[i]; }));
  family calls{out, "gamehub_bot_calls_total", "Calls of bots, by method and result.",
               MetricType::Counter};
  for (std::size_t m = 0; m < methods.size(); ++m)
    for (std::size_t r = 0; r < results.size(); ++r)
      calls.add({{"method", methods[m]}, {"result", results[r]}},
                sum(
                    loops, [ m, r ](const bot_cells& of) -> auto& { return of.calls[m][r]; }));
  family{out, "gamehub_bot_calls_delayed_total",
         "Calls of bots that waited for other calls to bots of the same owner.",
         MetricType::Counter}
      .add({}, sum(
                   loops, [](const bot_cells& of) -> auto& { return of.calls_delayed; }));
  family{out, "gamehub_bot_call_seconds", "Duration of calls of bots.", MetricType::Histogram}.add(
      durations(loops));
  family wrong{out, "gamehub_bot_faults_total", "Errors that ended the calls to a bot, by reason.",
               MetricType::Counter};
  for (std::size_t i = 0; i < faults.size(); ++i)
    wrong.add({{"reason", faults[i]}},
              sum(
                  loops, [i](const bot_cells& of) -> auto& { return of.faults[i]; }));
}

}  // namespace gamehub::metrics
