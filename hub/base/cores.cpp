#include "hub/base/cores.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <thread>

namespace gamehub::base {
namespace {

void lower_to(std::optional<double>& least, std::optional<double> quota) {
  if (quota && (!least || *quota < *least)) least = quota;
}

std::optional<double> share(double time, double period) {
  if (time <= 0 || period <= 0) return {};
  return time / period;
}

// "150000 100000" or "max 100000".
std::optional<double> quota_v2(const file_reader& read, const std::string& folder) {
  const auto text = read(folder + "/cpu.max");
  if (!text) return {};
  std::istringstream in{*text};
  double time = 0, period = 0;
  if (!(in >> time >> period)) return {};
  return share(time, period);
}

// Two files; no bound is -1.
std::optional<double> quota_v1(const file_reader& read, const std::string& folder) {
  const auto number = [&](const char* file) {
    double n = 0;
    if (const auto text = read(folder + file)) std::istringstream{*text} >> n;
    return n;
  };
  return share(number("/cpu.cfs_quota_us"), number("/cpu.cfs_period_us"));
}

// The least quota of the group and all groups above it. Inside a container the root may be the
// group itself, whatever its path is called outside.
template <class Quota>
std::optional<double> least_quota(const file_reader& read, const std::string& root,
                                  std::string group, Quota quota) {
  std::optional<double> least;
  while (!group.empty()) {
    if (group != "/") lower_to(least, quota(read, root + group));
    group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
  lower_to(least, quota(read, root));
  return least;
}

bool has_cpu(const std::string& controllers) {
  std::istringstream in{controllers};
  for (std::string each; std::getline(in, each, ',');)
    if (each == "cpu") return true;
  return false;
}

std::optional<std::string> text_of(const std::string& path) {
  std::ifstream in{path};
  if (!in) return {};
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// The size of a CPU set grows with the machine; the kernel says when ours is too small.
std::optional<int> cores_scheduled() {
  for (std::size_t most = 1'024; most <= 65'536; most *= 2) {
    auto* set = CPU_ALLOC(most);
    if (set == nullptr) return {};
    const auto bytes = CPU_ALLOC_SIZE(most);
    const auto fits = sched_getaffinity(0, bytes, set) == 0;
    const auto count = fits ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (fits && count > 0) return count;
  }
  return {};
}

}  // namespace

std::optional<double> cpu_quota(const file_reader& read) {
  std::optional<double> least;
  std::istringstream groups{read("/proc/self/cgroup").value_or("")};
  // "0::/path" is version 2, "4:cpu,cpuacct:/path" version 1.
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    const auto controllers = line.substr(first + 1, second - first - 1);
    const auto group = line.substr(second + 1);
    if (controllers.empty())
      lower_to(least, least_quota(read, "/sys/fs/cgroup", group, quota_v2));
    else if (has_cpu(controllers))
      for (const auto& mounted : {controllers, std::string{"cpu"}})
        lower_to(least, least_quota(read, "/sys/fs/cgroup/" + mounted, group, quota_v1));
  }
  return least;
}

int cores(int scheduled, std::optional<double> quota) {
  if (!quota || *quota >= scheduled) return scheduled;
  return std::max(1, static_cast<int>(std::ceil(*quota)));
}

int cores() {
  const auto fallback = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return cores(cores_scheduled().value_or(fallback), cpu_quota(text_of));
}

}  // namespace gamehub::base
