// A metric with all its samples, for the collectors of this folder. Values; used on the scraping
// thread.
#pragma once

#include <prometheus/metric_family.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::metrics {

struct label {
  const char* name;
  std::string_view value;
};
using labels = std::initializer_list<label>;

// Returns a sample with labels and no value.
inline prometheus::ClientMetric labelled(labels with) {
  prometheus::ClientMetric out;
  for (const auto& each : with) out.label.push_back({each.name, std::string{each.value}});
  return out;
}

// One metric family, appended to a list.
class family {
 public:
  family(std::vector<prometheus::MetricFamily>& to, const char* name, const char* help,
         prometheus::MetricType type)
      : to_(to), at_(to.size()) {
    to_.push_back({name, help, type, {}});
  }

  // Adds a sample.
  void add(labels with, double value) {
    auto sample = labelled(with);
    const auto counter = to_[at_].type == prometheus::MetricType::Counter;
    (counter ? sample.counter.value : sample.gauge.value) = value;
    add(std::move(sample));
  }
  void add(labels with, std::int64_t value) { add(with, static_cast<double>(value)); }
  void add(prometheus::ClientMetric sample) { to_[at_].metric.push_back(std::move(sample)); }

 private:
  std::vector<prometheus::MetricFamily>& to_;
  std::size_t at_;
};

}  // namespace gamehub::metrics
