#include "tools/bench/server.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>
#include <time.h>
#include <vector>

namespace gamehub::tools::bench {

namespace fs = std::filesystem;

namespace {

std::string contents_of(const fs::path& path) {
  std::ifstream in{path};
  return {std::istreambuf_iterator<char>{in}, std::istreambuf_iterator<char>{}};
}

template <class Number>
std::optional<Number> number(std::string_view text, int base = 10) {
  Number n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n, base);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return n;
}

std::vector<std::string> listening_links(std::uint16_t port, transport by) {
  std::vector<std::string> links;
  const std::string table = by == transport::tcp ? "/proc/net/tcp" : "/proc/net/udp";
  for (const auto* family : {"", "6"}) {
    std::ifstream in{table + family};
    for (std::string line; std::getline(in, line);)
      if (const auto inode = listening_inode(line, port, by))
        links.push_back("socket:[" + std::to_string(*inode) + "]");
  }
  return links;
}

bool holds_one_of(const fs::path& descriptors, const std::vector<std::string>& links) {
  std::error_code failed;
  for (fs::directory_iterator at{descriptors, failed}, end; !failed && at != end;
       at.increment(failed)) {
    std::error_code gone;
    const auto link = fs::read_symlink(at->path(), gone).string();
    if (!gone && std::find(links.begin(), links.end(), link) != links.end()) return true;
  }
  return false;
}

}  // namespace

std::optional<std::uint64_t> listening_inode(std::string_view line, std::uint16_t port,
                                             transport by) {
  // TCP_LISTEN; for an unconnected UDP socket the kernel writes TCP_CLOSE.
  const auto* const listens = by == transport::tcp ? "0A" : "07";
  std::istringstream in{std::string{line}};
  std::vector<std::string> columns{std::istream_iterator<std::string>{in}, {}};
  constexpr std::size_t local = 1, state = 3, inode = 9;
  if (columns.size() <= inode || columns[state] != listens) return {};
  const auto colon = columns[local].rfind(':');
  if (colon == std::string::npos) return {};
  const auto at = number<std::uint16_t>(std::string_view{columns[local]}.substr(colon + 1), 16);
  return at == port ? number<std::uint64_t>(columns[inode]) : std::nullopt;
}

std::uint64_t resident_kib(std::string_view status) {
  constexpr std::string_view key = "VmRSS:";
  const auto at = status.find(key);
  if (at == status.npos) return 0;
  const auto begin = status.find_first_not_of(" \t", at + key.size());
  if (begin == status.npos) return 0;
  const auto end = status.find_first_not_of("0123456789", begin);
  return number<std::uint64_t>(status.substr(begin, end - begin)).value_or(0);
}

std::optional<server_usage> usage_of(pid_t pid) {
  clockid_t cpu_clock{};
  timespec used{};
  if (clock_getcpuclockid(pid, &cpu_clock) != 0 || clock_gettime(cpu_clock, &used) != 0) return {};
  server_usage u;
  u.cpu_seconds = static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
  const auto folder = fs::path{"/proc"} / std::to_string(pid);
  u.resident_kib = resident_kib(contents_of(folder / "status"));
  std::error_code failed;
  for (fs::directory_iterator at{folder / "fd", failed}, end; !failed && at != end;
       at.increment(failed))
    ++u.descriptors;
  return u;
}

std::optional<pid_t> listener_on(std::uint16_t port, transport by) {
  const auto links = listening_links(port, by);
  if (links.empty()) return {};
  std::error_code failed;
  for (fs::directory_iterator at{"/proc", failed}, end; !failed && at != end;
       at.increment(failed)) {
    const auto pid = number<pid_t>(at->path().filename().string());
    if (pid && holds_one_of(at->path() / "fd", links)) return pid;
  }
  return {};
}

}  // namespace gamehub::tools::bench
