#include "hub/base/address.hpp"

#include "tests/support/catch.hpp"

#include <vector>

using namespace gamehub::base;

namespace {

std::string again(std::string_view text) {
  const auto e = read_address(text);
  return e ? to_text(*e) : "none";
}

address_bytes ipv4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) {
  return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, a, b, c, d};
}

bool within(std::string_view networks, std::string_view address) {
  return contains(*read_network(networks), *read_address(address));
}

}  // namespace

TEST_CASE("http address: is IPv4 or IPv6, in one form each") {
  CHECK(again("192.0.2.7") == "192.0.2.7");
  CHECK(again("::ffff:192.0.2.7") == "192.0.2.7");
  CHECK(again("2001:DB8:0:0:0:0:0:1") == "2001:db8::1");
  CHECK(again("::") == "::");
  CHECK(is_loopback(*read_address("::ffff:127.9.9.9")));
  CHECK(is_loopback(*read_address("::1")));
}

TEST_CASE("http address: nothing else is one") {
  for (const auto* text :
       {"", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4:80",
        "0x1.2.3.4", "fe80::1%eth0", "[::1]", "::1::", ":::", "2001:db8", "12345::", "localhost",
        "_hidden", "unknown", "1.2.3.-4"})
    CHECK(again(text) == "none");
}

TEST_CASE("http network: holds the addresses that share its first bits") {
  CHECK(within("10.0.0.0/8", "10.255.0.1"));
  CHECK(!within("10.0.0.0/8", "11.0.0.1"));
  CHECK(within("192.0.2.128/25", "192.0.2.129"));
  CHECK(!within("192.0.2.128/25", "192.0.2.127"));
  CHECK(within("192.0.2.7", "192.0.2.7"));
  CHECK(!within("192.0.2.7", "192.0.2.6"));
  CHECK(within("0.0.0.0/0", "203.0.113.9"));
  CHECK(within("fd00::/8", "fdff::1"));
  CHECK(!within("fd00::/8", "fe00::1"));
  CHECK(within("::ffff:10.0.0.0/8", "10.1.2.3"));
}

TEST_CASE("http network: families stay apart") {
  CHECK(!within("::/0", "10.0.0.1"));
  CHECK(!within("0.0.0.0/0", "::1"));
  CHECK(within("::/0", "2001:db8::1"));
}

TEST_CASE("address: a sender is an IPv4 address, or a network of 64 bits") {
  CHECK(sender_text(read_address("192.0.2.7").value()) == "192.0.2.7");
  CHECK(sender_text(read_address("::ffff:192.0.2.7").value()) == "192.0.2.7");
  CHECK(sender_text(read_address("2001:db8:1:2:3:4:5:6").value()) == "2001:db8:1:2::/64");
  CHECK(read_network(sender_text(read_address("2001:db8::1").value())));
}

TEST_CASE("network: text that can't be meant as a network is refused") {
  for (const auto* text : {"", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8",
                           "10.0.0.1/8", "fd00::/129", "fd00::1/8", "10.0.0.0/ 8", "10.0.0.0/8x",
                           "example.com", "10.0.0.0/255.0.0.0"})
    CHECK(!read_network(text));
}

TEST_CASE("address: a network has the addresses that share its first bits") {
  const network some{ipv4(10, 0, 16, 0), 96 + 20};
  CHECK(contains(some, ipv4(10, 0, 16, 0)));
  CHECK(contains(some, ipv4(10, 0, 31, 255)));
  CHECK_FALSE(contains(some, ipv4(10, 0, 32, 0)));
  CHECK_FALSE(contains(some, ipv4(10, 0, 15, 255)));
  const network one{ipv4(1, 2, 3, 4)};
  CHECK(contains(one, ipv4(1, 2, 3, 4)));
  CHECK_FALSE(contains(one, ipv4(1, 2, 3, 5)));
  const network every_ipv4{ipv4(0, 0, 0, 0), 96}, every_ipv6{{}, 0};
  CHECK(contains(every_ipv4, ipv4(255, 0, 0, 1)));
  CHECK_FALSE(contains(every_ipv6, ipv4(255, 0, 0, 1)));
  CHECK(contains(every_ipv6, address_bytes{0xFD}));
  CHECK_FALSE(contains(every_ipv4, address_bytes{0xFD}));
}
