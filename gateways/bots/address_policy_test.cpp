#include "gateways/bots/address_policy.hpp"

#include "tests/support/catch.hpp"

#include <string>

using namespace gamehub::gateways;
using bots::address_policy;

namespace {

std::string denial(const address_policy& p, std::string_view address) {
  const auto read = gamehub::base::read_address(address);
  REQUIRE(read);
  const auto why = p.why_not(*read);
  return std::string{why.value_or("fine")};
}

address_policy allowing(std::initializer_list<const char*> networks) {
  std::vector<gamehub::base::network> all;
  for (const auto* each : networks) all.push_back(*gamehub::base::read_network(each));
  return address_policy{std::move(all)};
}

}  // namespace

TEST_CASE("address_policy: public addresses may be called") {
  const address_policy p;
  for (const auto* each :
       {"8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
        "192.167.255.255", "192.169.0.1", "11.0.0.1", "9.255.255.255", "128.0.0.1", "169.253.1.1",
        "223.255.255.255", "2606:4700::1111", "2a00:1450::1", "64:ff9b::8.8.8.8",
        "::ffff:8.8.8.8"}) {
    INFO(each);
    CHECK(denial(p, each) == "fine");
  }
}

TEST_CASE("address_policy: addresses of the hub's own network are refused") {
  const address_policy p;
  for (const auto* each : {"127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1",
                           "64:ff9b::127.0.0.1", "::ffff:7f00:1"}) {
    INFO(each);
    CHECK(denial(p, each) == "a loopback address");
  }
  for (const auto* each :
       {"10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1",
        "fc00::1", "fd12:3456::1", "fec0::1", "::ffff:10.0.0.1", "64:ff9b::192.168.1.1"}) {
    INFO(each);
    CHECK(denial(p, each) == "a private address");
  }
  for (const auto* each : {"169.254.0.1", "169.254.255.255", "fe80::1", "febf::1"}) {
    INFO(each);
    CHECK(denial(p, each) == "a link-local address");
  }
  for (const auto* each : {"169.254.169.254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe",
                           "168.63.129.16", "100.100.100.200", "fd00:ec2::254"}) {
    INFO(each);
    CHECK(denial(p, each) == "the address of a metadata service");
  }
  for (const auto* each : {"0.0.0.0", "0.1.2.3", "::"}) {
    INFO(each);
    CHECK(denial(p, each) == "the address of this host");
  }
}

TEST_CASE("address_policy: wrapped and reserved addresses are refused") {
  const address_policy p;
  CHECK(denial(p, "2002:7f00:1::1") == "an IPv4 address in an IPv6 one (6to4)");
  CHECK(denial(p, "2002:808:808::1") == "an IPv4 address in an IPv6 one (6to4)");
  CHECK(denial(p, "2001:0:4136:e378:8000:63bf:3fff:fdd2") ==
        "an IPv4 address in an IPv6 one (Teredo)");
  CHECK(denial(p, "::127.0.0.1") == "an IPv4 address in an IPv6 one");
  CHECK(denial(p, "64:ff9b:1::a00:1") == "an IPv4 address in an IPv6 one");
  for (const auto* each : {"224.0.0.1", "239.1.1.1", "ff02::1"})
    CHECK(denial(p, each) == "a multicast address");
  for (const auto* each : {"255.255.255.255", "240.0.0.1", "192.0.2.1", "198.18.0.1",
                           "198.51.100.7", "203.0.113.5", "2001:db8::1", "100::1", "2001:2::1"}) {
    INFO(each);
    CHECK(denial(p, each) == "a reserved address");
  }
}

TEST_CASE("address_policy: a SIIT address is judged as the IPv4 address in it") {
  const address_policy p;
  CHECK(denial(p, "::ffff:0:127.0.0.1") == "a loopback address");
  CHECK(denial(p, "::ffff:0:10.0.0.1") == "a private address");
  CHECK(denial(p, "::ffff:0:169.254.169.254") == "the address of a metadata service");
  CHECK(denial(p, "::ffff:0:8.8.8.8") == "fine");
  CHECK(denial(allowing({"127.0.0.0/8"}), "::ffff:0:127.0.0.1") == "fine");
}

TEST_CASE("address_policy: an address with a zone is refused") {
  auto there = *gamehub::base::read_address("2606:4700::1111");
  there.scope = 2;
  CHECK(address_policy{}.why_not(there) == "a link-local address");
}

TEST_CASE("address_policy: an allowed address may be called in every spelling") {
  const auto p = allowing({"127.0.0.0/8", "fd00::/8", "10.1.0.0/16", "169.254.169.254"});
  for (const auto* each : {"127.0.0.1", "::ffff:127.0.0.1", "64:ff9b::127.0.0.1", "fd00::1",
                           "10.1.2.3", "169.254.169.254"}) {
    INFO(each);
    CHECK(denial(p, each) == "fine");
  }
  CHECK(denial(p, "::1") == "a loopback address");
  CHECK(denial(p, "10.2.0.1") == "a private address");
  CHECK(denial(p, "fc00::1") == "a private address");
  CHECK(denial(p, "169.254.169.253") == "a link-local address");
  CHECK(denial(allowing({"2002::/16"}), "2002:7f00:1::1") == "fine");
}
