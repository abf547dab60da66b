#include "metrics/requests.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "metrics/family.hpp"

namespace gamehub::metrics {

using prometheus::MetricType;

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
  family answers{out, "gamehub_requests_total",
                 "Requests that were answered, by what they asked for and how that went.",
                 MetricType::Counter};
  each_wire([&](std::size_t w) {
    for (std::size_t r = 0; r < names.routes.size(); ++r)
      for (std::size_t c = 0; c < request_cells::status_classes; ++c) {
        const auto n = sum(
            w, [=](const request_cells& of) -> auto& { return of.answers[r][c]; });
        // Those that are usual are there from the start, so that a rate never misses the first.
        if (n == 0 && c != 1 && c != 3) continue;
        answers.add({{"gateway", names.wires[w]},
                     {"route", names.routes[r]},
                     {"status", std::to_string(c + 1) + "xx"}},
                    n);
      }
  });
  family streams{out, "gamehub_streams", "Streams of updates that are open.", MetricType::Gauge};
  each_wire([&](std::size_t w) {
    streams.add({{"gateway", names.wires[w]}},
                sum(
                    w, [](const request_cells& of) -> auto& { return of.streams; }));
  });
}

}  // namespace gamehub::metrics
