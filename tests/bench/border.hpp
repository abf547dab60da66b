// What the border between the hub and an engine costs: the same class asked through its C table and
// called directly. One thread.
#pragma once

#include <chrono>
#include <string>

namespace gamehub::tests::bench {

// A table in Markdown. Each run of a case takes this long; both sides of a ratio are
// measured in turns.
std::string border_table(std::chrono::milliseconds run_time, int runs);

}  // namespace gamehub::tests::bench
