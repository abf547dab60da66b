// Resource usage of this process, read from /proc at each scrape. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gamehub::metrics {

// Resource usage; a value that the system does not provide is empty.
struct process_usage {
  double cpu_seconds = 0;
  std::optional<std::int64_t> resident_bytes;
  std::optional<std::int64_t> open_fds;
  std::optional<std::int64_t> max_fds;
  std::optional<double> start_seconds;  // since 1970
};

// Reads the usage of this process.
process_usage usage_of_this_process();

// Parsers of /proc texts. Returns the resident memory in bytes, from /proc/self/status.
std::optional<std::int64_t> resident_bytes(std::string_view status);
// Returns the soft limit of open files, from /proc/self/limits; nothing if unlimited.
std::optional<std::int64_t> open_files_limit(std::string_view limits);
// Returns the start time of the process in seconds since 1970, from /proc/self/stat and /proc/stat.
std::optional<double> start_seconds(std::string_view own_stat, std::string_view system_stat);

}  // namespace gamehub::metrics
