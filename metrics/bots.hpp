// What is told of bots that the hub calls. For metrics.cpp; the thread that scrapes.
#pragma once

#include <span>
#include <vector>

#include "metrics/cells.hpp"

namespace prometheus {
struct MetricFamily;
}

namespace gamehub::metrics {

// Appends these metrics under their names.
void collect_bots(std::span<const cells* const> loops, std::vector<prometheus::MetricFamily>&);

}  // namespace gamehub::metrics
