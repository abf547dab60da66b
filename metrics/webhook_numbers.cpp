#include "metrics/webhook_numbers.hpp"

#include "metrics/family.hpp"

namespace gamehub::metrics {

using prometheus::MetricFamily;
using prometheus::MetricType;

namespace {

using counts = std::vector<std::pair<std::string_view, std::uint64_t>>;

void add_counts(family& to, const char* label, const counts& all) {
  for (const auto& [value, count] : all) to.add({{label, value}}, static_cast<double>(count));
}

}  // namespace

void collect_webhooks(const std::optional<webhook_numbers>& now, std::vector<MetricFamily>& out) {
  const auto one = [&](const char* name, const char* help, MetricType type, auto value) {
    family to{out, name, help, type};
    if (now) to.add({}, static_cast<double>(value(*now)));
  };
  using numbers = webhook_numbers;
  one("gamehub_webhooks_ok", "1 while the file of webhooks can be written.", MetricType::Gauge,
      [](const numbers& n) { return n.ok ? 1 : 0; });
  {
    family hooks{out, "gamehub_webhooks", "Registered webhooks, by state.", MetricType::Gauge};
    if (now) add_counts(hooks, "state", {{"on", now->on}, {"off", now->off}});
  }
  {
    family to{out, "gamehub_webhook_registrations_total", "Registrations of webhooks, by result.",
              MetricType::Counter};
    if (now) add_counts(to, "result", now->registrations);
  }
  {
    family to{out, "gamehub_webhook_calls_total", "Calls of webhooks with an event, by result.",
              MetricType::Counter};
    if (now) add_counts(to, "result", now->calls);
  }
  one("gamehub_webhook_calls_in_flight", "Calls of webhooks with an event that are in flight.",
      MetricType::Gauge, [](const numbers& n) { return n.in_flight; });
  one("gamehub_webhook_events_waiting", "Events that are still to be sent to webhooks.",
      MetricType::Gauge, [](const numbers& n) { return n.waiting; });
  one("gamehub_webhook_events_dropped_total",
      "Events of webhooks that were dropped because too many waited.", MetricType::Counter,
      [](const numbers& n) { return n.dropped; });
}

}  // namespace gamehub::metrics
