// What is told of wires of requests. For metrics.cpp alone; the thread that scrapes.
#pragma once

#include <prometheus/metric_family.h>

#include <span>
#include <vector>

#include "metrics/metrics.hpp"

namespace gamehub::metrics {

void collect_requests(const catalog&, std::span<const cells* const> loops,
                      std::vector<prometheus::MetricFamily>&);

}  // namespace gamehub::metrics
