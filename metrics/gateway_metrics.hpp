// Collects the metrics that one kind of protocol has: requests, datagrams, calls of bots. Used by
// metrics.cpp; called on the thread that scrapes.
#pragma once

#include "metrics/cells.hpp"
#include "metrics/metrics.hpp"

#include <prometheus/metric_family.h>

#include <span>
#include <vector>

namespace gamehub::metrics {

// Appends the metrics of protocols of requests.
void collect_requests(const catalog&, std::span<const cells* const> loops,
                      std::vector<prometheus::MetricFamily>&);

// Appends the metrics of protocols of datagrams.
void collect_datagrams(const catalog&, std::span<const cells* const> loops,
                       std::vector<prometheus::MetricFamily>&);

// Appends the metrics of bots that the hub calls.
void collect_bots(std::span<const cells* const> loops, std::vector<prometheus::MetricFamily>&);

}  // namespace gamehub::metrics
