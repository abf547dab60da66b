// What wires of datagrams count, under the names that Prometheus knows. A plain function; the
// thread that scrapes.
#pragma once

#include <prometheus/metric_family.h>

#include <span>
#include <vector>

#include "metrics/cells.hpp"
#include "metrics/metrics.hpp"

namespace gamehub::metrics {

void collect_datagrams(const catalog&, std::span<const cells* const> loops,
                       std::vector<prometheus::MetricFamily>& out);

}  // namespace gamehub::metrics
