#include "tools/udp_lab/relay.hpp"

#include "tests/support/catch.hpp"

#include <chrono>
#include <map>
#include <string>
#include <vector>

using namespace gamehub;
using namespace std::chrono_literals;
using tools::udp_lab::fault_rates;
using tools::udp_lab::relay;

namespace {

constexpr base::instant start{std::chrono::hours{1}};
constexpr int sent = 20'000;

struct arrival {
  base::instant when;
  std::uint64_t route;
  int number;
};

// Sends one datagram each millisecond, by two routes in turn.
std::vector<arrival> through(relay& network) {
  std::vector<arrival> out;
  const auto collect = [&](base::instant until) {
    while (network.next() <= until) {
      const auto due = network.next();
      const auto what = network.pop(due);
      REQUIRE(what);
      out.push_back({due, what->route, std::stoi(what->bytes)});
    }
  };
  for (int i = 0; i < sent; ++i) {
    const auto now = start + i * 1ms;
    collect(now);
    network.push({static_cast<std::uint64_t>(i % 2), std::to_string(i)}, now);
  }
  collect(start + 1h);
  return out;
}

}  // namespace

TEST_CASE("udp relay: without faults it only delays") {
  fault_rates faults;
  faults.delay = 5ms;
  relay network{faults, 1};
  const auto all = through(network);
  REQUIRE(all.size() == sent);
  for (int i = 0; i < sent; ++i) {
    const auto& each = all[static_cast<std::size_t>(i)];
    REQUIRE(each.number == i);
    REQUIRE(each.route == static_cast<std::uint64_t>(i % 2));
    REQUIRE(each.when == start + i * 1ms + 5ms);
  }
  CHECK(network.next() == base::instant::max());
  CHECK(network.waiting() == 0);
  CHECK(!network.pop(start + 2h));
}

TEST_CASE("udp relay: drops and duplicates at its rates, and delays within its limit") {
  fault_rates faults;
  faults.drop = 0.3;
  faults.duplicate = 0.1;
  faults.reorder = 0.2;
  faults.delay = 5ms;
  faults.late_max = 50ms;
  relay network{faults, 7};
  std::map<int, int> copies;
  int overtaken = 0, latest = -1;
  for (const auto& each : through(network)) {
    ++copies[each.number];
    const auto took = each.when - (start + each.number * 1ms);
    REQUIRE(took >= 5ms);
    REQUIRE(took <= 55ms);
    if (each.number < latest) ++overtaken;
    latest = std::max(latest, each.number);
  }
  int doubled = 0;
  for (const auto& [number, count] : copies) {
    REQUIRE(count <= 2);
    doubled += count - 1;
  }
  CHECK(static_cast<double>(copies.size()) == Approx(0.7 * sent).epsilon(0.02));
  CHECK(static_cast<double>(doubled) == Approx(0.07 * sent).epsilon(0.1));
  CHECK(overtaken > 0.15 * sent);
  CHECK(network.counts().taken == sent);
  CHECK(network.counts().given == copies.size() + static_cast<std::size_t>(doubled));
}

TEST_CASE("udp relay: a seed repeats it, and another does not") {
  fault_rates faults;
  faults.drop = 0.5;
  const auto given = [&](std::uint64_t seed) {
    relay network{faults, seed};
    std::string out;
    for (const auto& each : through(network)) out += std::to_string(each.number) + ' ';
    return out;
  };
  CHECK(given(1) == given(1));
  CHECK(given(1) != given(2));
}
