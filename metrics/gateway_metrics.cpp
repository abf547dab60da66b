#include "metrics/bots.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "metrics/family.hpp"

namespace gamehub::metrics {
namespace {

using prometheus::MetricType;

// In the order of the cells.
constexpr std::array<std::string_view, bot_cells::methods> methods{"ping", "next-move", "complete",
                                                                   "error"};
constexpr std::array<std::string_view, bot_cells::call_results> results{"answered", "late",
                                                                        "failed"};
constexpr std::array<std::string_view, bot_cells::fault_codes> faults{
    "occupied", "out-of-bounds", "unparsable", "timeout", "transport"};
constexpr std::array<std::string_view, bot_cells::register_results> registrations{
    "accepted", "refused", "malformed", "limited"};

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

void collect_bots(std::span<const cells* const> loops, std::vector<prometheus::MetricFamily>& out) {
  family{out, "gamehub_bots_online",
         "Bots that answered since they registered, and have done nothing wrong since.",
         MetricType::Gauge}
      .add({}, sum(
                   loops, [](const bot_cells& of) -> auto& { return of.online; }));
  family registered{out, "gamehub_bot_registrations_total",
                    "Registrations of bots, by what they were answered.", MetricType::Counter};
  for (std::size_t i = 0; i < registrations.size(); ++i)
    registered.add({{"result", registrations[i]}},
                   sum(
                       loops, [i](const bot_cells& of) -> auto& { return of.registrations[i]; }));
  family calls{out, "gamehub_bot_calls_total", "Calls of bots, by what came of them.",
               MetricType::Counter};
  for (std::size_t m = 0; m < methods.size(); ++m)
    for (std::size_t r = 0; r < results.size(); ++r)
      calls.add({{"method", methods[m]}, {"result", results[r]}},
                sum(
                    loops, [ m, r ](const bot_cells& of) -> auto& { return of.calls[m][r]; }));
  family{out, "gamehub_bot_call_seconds", "Time of calls of bots.", MetricType::Histogram}.add(
      durations(loops));
  family wrong{out, "gamehub_bot_faults_total", "Mistakes for which bots were called no more.",
               MetricType::Counter};
  for (std::size_t i = 0; i < faults.size(); ++i)
    wrong.add({{"reason", faults[i]}},
              sum(
                  loops, [i](const bot_cells& of) -> auto& { return of.faults[i]; }));
}

}  // namespace gamehub::metrics
