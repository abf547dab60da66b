#include "hub/base/cores.hpp"

#include "tests/support/catch.hpp"

#include <map>

namespace gamehub::base {
namespace {

std::optional<double> quota(const std::map<std::string, std::string>& files) {
  return cpu_quota([&](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional{found->second};
  });
}

TEST_CASE("cores: are all that can be scheduled where no quota is set") {
  CHECK(cores(8, {}) == 8);
  CHECK_FALSE(quota({}));
  CHECK_FALSE(quota({{"/proc/self/cgroup", "0::/\n"}}));
  CHECK_FALSE(quota({{"/proc/self/cgroup", "0::/\n"}, {"/sys/fs/cgroup/cpu.max", "max 100000\n"}}));
}

TEST_CASE("cores: are no more than the quota fills, and one at least") {
  CHECK(cores(8, 2.0) == 2);
  CHECK(cores(8, 1.5) == 2);
  CHECK(cores(8, 0.1) == 1);
  CHECK(cores(2, 64.0) == 2);
}

TEST_CASE("cores: follow the quota of a container, which sees its group as the root") {
  CHECK(quota({{"/proc/self/cgroup", "0::/\n"}, {"/sys/fs/cgroup/cpu.max", "250000 100000\n"}}) ==
        2.5);
}

TEST_CASE("cores: follow the least quota of the groups above") {
  CHECK(quota({{"/proc/self/cgroup", "0::/pods/pod7/hub\n"},
               {"/sys/fs/cgroup/cpu.max", "max 100000\n"},
               {"/sys/fs/cgroup/pods/cpu.max", "800000 100000\n"},
               {"/sys/fs/cgroup/pods/pod7/cpu.max", "200000 100000\n"},
               {"/sys/fs/cgroup/pods/pod7/hub/cpu.max", "300000 100000\n"}}) == 2.0);
}

TEST_CASE("cores: follow the quota of the first version of control groups") {
  const std::string groups = "9:name=systemd:/\n4:cpuset:/\n2:cpu,cpuacct:/docker/x\n0::/\n";
  CHECK(quota({{"/proc/self/cgroup", groups},
               {"/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n"},
               {"/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"}}) == 0.5);
  CHECK(quota({{"/proc/self/cgroup", groups},
               {"/sys/fs/cgroup/cpu/docker/x/cpu.cfs_quota_us", "400000\n"},
               {"/sys/fs/cgroup/cpu/docker/x/cpu.cfs_period_us", "100000\n"},
               {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"},
               {"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}}) == 4.0);
}

TEST_CASE("cores: pass over files that make no sense") {
  CHECK_FALSE(quota({{"/proc/self/cgroup", "nonsense\n::\n0::/a\n"},
                     {"/sys/fs/cgroup/a/cpu.max", ""},
                     {"/sys/fs/cgroup/cpu.max", "1 0"}}));
}

TEST_CASE("cores: are at least one here") { CHECK(cores() >= 1); }

}  // namespace
}  // namespace gamehub::base
