#include "metrics/process.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace gamehub::metrics {
namespace {

// The unit of times in /proc (USER_HZ), which is 100 on every supported Linux.
constexpr double ticks_per_second = 100;

std::string text_of(const char* path) {
  std::ifstream in{path};
  return {std::istreambuf_iterator<char>{in}, {}};
}

// Returns the text after `key` at the start of a line.
std::istringstream after(std::string_view text, std::string_view key) {
  auto at = text.starts_with(key) ? 0 : text.find("\n" + std::string{key});
  if (at == text.npos) return {};
  if (at != 0) ++at;
  return std::istringstream{std::string{text.substr(at + key.size(), 256)}};
}

template <class Number>
std::optional<Number> number_after(std::string_view text, std::string_view key) {
  auto in = after(text, key);
  Number n{};
  if (!(in >> n)) return {};
  return n;
}

// The count excludes the descriptor that reads the folder.
std::optional<std::int64_t> count_open_fds() {
  std::error_code error;
  std::filesystem::directory_iterator fds{"/proc/self/fd", error};
  std::int64_t count = 0;
  for (; !error && fds != std::filesystem::directory_iterator{}; fds.increment(error)) ++count;
  if (error) return {};
  return count - 1;
}

}  // namespace

std::optional<std::int64_t> resident_bytes(std::string_view status) {
  const auto kilobytes = number_after<std::int64_t>(status, "VmRSS:");
  if (!kilobytes) return {};
  return *kilobytes * 1024;
}

std::optional<std::int64_t> open_files_limit(std::string_view limits) {
  return number_after<std::int64_t>(limits, "Max open files");
}

std::optional<double> start_seconds(std::string_view own_stat, std::string_view system_stat) {
  // The program's name is in parentheses and may hold anything; the fields after it are numbers.
  const auto name_end = own_stat.rfind(')');
  if (name_end == own_stat.npos) return {};
  std::istringstream fields{std::string{own_stat.substr(name_end + 1)}};
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  double ticks = 0;
  const auto boot = number_after<double>(system_stat, "btime");
  if (!(fields >> ticks) || !boot) return {};
  return *boot + ticks / ticks_per_second;
}

process_usage usage_of_this_process() {
  process_usage out;
  out.cpu_seconds = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  out.resident_bytes = resident_bytes(text_of("/proc/self/status"));
  out.open_fds = count_open_fds();
  out.max_fds = open_files_limit(text_of("/proc/self/limits"));
  out.start_seconds = start_seconds(text_of("/proc/self/stat"), text_of("/proc/stat"));
  return out;
}

}  // namespace gamehub::metrics
