#include "hub/base/endpoint.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/endpoints.hpp"

#include <cstddef>
#include <set>

namespace gamehub::base {
namespace {

using gamehub::tests::ipv4;

constexpr hash_key key{0x0123456789ABCDEF, 0xFEDCBA9876543210};

TEST_CASE("endpoint: knows loopback in both families") {
  CHECK(is_loopback(tests::ipv4(0x7F000001, 1)));
  CHECK(is_loopback(tests::ipv4(0x7FFFFFFF, 1)));
  CHECK(!is_loopback(tests::ipv4(0x0A000001, 1)));
  endpoint six;
  CHECK(!is_loopback(six));
  six.address[15] = 1;
  CHECK(is_loopback(six));
  CHECK(!is_ipv4(six));
  six.address[0] = 0x20;
  CHECK(!is_loopback(six));
}

TEST_CASE("endpoint: the hash depends on each part of the address and on the key") {
  std::set<std::uint64_t> seen;
  auto e = tests::ipv4(0x0A000001, 7);
  seen.insert(hash_of(e, key));
  seen.insert(hash_of(e, {key.first + 1, key.second}));
  seen.insert(hash_of(e, {key.first, key.second + 1}));
  for (std::size_t i = 0; i < 16; ++i) {
    auto other = e;
    other.address[i] ^= 1;
    seen.insert(hash_of(other, key));
  }
  e.port ^= 1;
  seen.insert(hash_of(e, key));
  e.scope = 1;
  seen.insert(hash_of(e, key));
  CHECK(seen.size() == 21);
}

TEST_CASE("endpoint: a sender is an IPv4 address, or an IPv6 network") {
  CHECK(hash_of_sender(tests::ipv4(1, 1), key) == hash_of_sender(tests::ipv4(1, 2), key));
  CHECK(hash_of_sender(tests::ipv4(1, 1), key) != hash_of_sender(tests::ipv4(2, 1), key));
  endpoint six;
  six.address[0] = 0x20;
  auto neighbour = six;
  neighbour.address[15] = 9;
  CHECK(hash_of_sender(six, key) == hash_of_sender(neighbour, key));
  neighbour.address[7] = 9;
  CHECK(hash_of_sender(six, key) != hash_of_sender(neighbour, key));
}

}  // namespace
}  // namespace gamehub::base
