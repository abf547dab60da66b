#include "tools/bench/server_counters.hpp"

#include "gateways/http_client/blocking_call.hpp"
#include "hub/base/host_name.hpp"
#include "hub/base/usage_error.hpp"

#include <charconv>
#include <thread>
#include <utility>
#include <variant>

namespace gamehub::tools::bench {
namespace {

namespace http_client = gateways::http_client;

constexpr std::chrono::seconds answer_time_max{5};
constexpr http_client::response_limits answer_limits{
    .header = 64 * 1024, .body = 4 * 1024 * 1024, .total = 8 * 1024 * 1024};

// The sum of a metric over its labels, or nothing without such a metric.
std::optional<std::int64_t> sum(std::string_view metrics, std::string_view name) {
  std::optional<std::int64_t> total;
  for (auto at = metrics.find(name); at != metrics.npos; at = metrics.find(name, at + 1)) {
    const auto line = metrics.substr(at, metrics.find('\n', at) - at);
    const auto starts_line = at == 0 || metrics[at - 1] == '\n';
    const auto next = line.substr(name.size());
    if (!starts_line || (!next.starts_with('{') && !next.starts_with(' '))) continue;
    const auto value = line.substr(line.rfind(' ') + 1);
    double n = 0;
    std::from_chars(value.data(), value.data() + value.size(), n);
    total = total.value_or(0) + static_cast<std::int64_t>(n);
  }
  return total;
}

// Returns an empty text if no metrics are served there.
std::string get(const std::string& host, std::uint16_t port) {
  auto answer =
      http_client::call_and_wait(host, port,
                                 "GET /metrics HTTP/1.1\r\nHost: " + base::host_field(host, port) +
                                     "\r\nConnection: close\r\n\r\n",
                                 answer_limits, answer_time_max);
  auto* const got = std::get_if<http_client::response>(&answer);
  return got == nullptr ? std::string{} : std::move(got->body);
}

}  // namespace

std::optional<server_counters> read_counters(std::string_view metrics) {
  const auto started = sum(metrics, "gamehub_games_started_total");
  const auto running = sum(metrics, "gamehub_games_running");
  if (!started || !running) return {};
  return server_counters{*started, sum(metrics, "gamehub_games_finished_total").value_or(0),
                         *running};
}

server_counters fetch_counters(const std::string& host, std::uint16_t admin_port) {
  if (const auto found = read_counters(get(host, admin_port))) return *found;
  throw base::usage_error{"--admin-port " + std::to_string(admin_port) +
                          " answers, but not with a hub's /metrics: give the port of its admin "
                          "server"};
}

server_counters fetch_settled_counters(const std::string& host, std::uint16_t admin_port,
                                       std::chrono::milliseconds time) {
  constexpr std::chrono::milliseconds pause{100};
  const auto until = std::chrono::steady_clock::now() + time;
  auto found = fetch_counters(host, admin_port);
  while (!(found.balanced() && found.running == 0) && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(pause);
    found = fetch_counters(host, admin_port);
  }
  return found;
}

}  // namespace gamehub::tools::bench
