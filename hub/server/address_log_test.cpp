#include "hub/server/address_log.hpp"

#include "hub/base/address.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"

#include <chrono>
#include <string>

using namespace gamehub;
using server::address_log;

namespace {

base::address_bytes numbered_address(int i) {
  return base::read_address("192.0.2." + std::to_string(i))->address;
}

std::uint16_t cause_of(address_limit what) { return static_cast<std::uint16_t>(what); }

}  // namespace

TEST_CASE("address_log: one line a minute of an address and limit") {
  address_log::sampler log{{1, 2}};
  const base::instant start{std::chrono::hours{1}};
  CHECK(log.is_due(cause_of(address_limit::seats), numbered_address(1), start));
  CHECK_FALSE(log.is_due(cause_of(address_limit::seats), numbered_address(1), start));
  CHECK(log.is_due(cause_of(address_limit::games), numbered_address(1), start));
  CHECK(log.is_due(cause_of(address_limit::seats), numbered_address(2), start));
  CHECK_FALSE(log.is_due(cause_of(address_limit::seats), numbered_address(1),
                         start + std::chrono::seconds{59}));
  CHECK(log.is_due(cause_of(address_limit::seats), numbered_address(1),
                   start + std::chrono::seconds{61}));
}

TEST_CASE("address_log: a few lines a second of all addresses") {
  address_log::sampler log{{1, 2}};
  const base::instant start{std::chrono::hours{1}};
  std::uint32_t lines = 0;
  for (int i = 0; i < 200; ++i)
    if (log.is_due(cause_of(address_limit::sessions), numbered_address(i), start)) ++lines;
  CHECK(lines == limits::addresses_logged_a_second_max);
  // Those without a line were not forgotten.
  CHECK(log.is_due(cause_of(address_limit::sessions), numbered_address(199),
                   start + std::chrono::seconds{1}));
}
