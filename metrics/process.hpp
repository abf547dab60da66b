// What the kernel knows of this process, read from /proc at each scrape. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gamehub::metrics {

// Nothing where this system does not tell.
struct process_usage {
  double cpu_seconds = 0;
  std::optional<std::int64_t> resident_bytes;
  std::optional<std::int64_t> open_fds;
  std::optional<std::int64_t> max_fds;
  std::optional<double> start_seconds;  // since 1970
};

process_usage usage_of_this_process();

// The parts that read text. From /proc/self/status, in bytes:
std::optional<std::int64_t> resident_bytes(std::string_view status);
// From /proc/self/limits; unlimited is nothing.
std::optional<std::int64_t> open_files_limit(std::string_view limits);
// From /proc/self/stat and /proc/stat.
std::optional<double> start_seconds(std::string_view own_stat, std::string_view system_stat);

}  // namespace gamehub::metrics
