#include "gateways/net/stream_listener.hpp"

#include "tests/support/catch.hpp"

#include <boost/asio/ip/address.hpp>

#include <string>

using boost::asio::ip::make_address;
using gamehub::gateways::net::connections_per_address;

TEST_CASE("connections_per_address: an IPv6 network of 64 bits is one sender") {
  connections_per_address all{256, true};
  for (int i = 0; i < 256; ++i)
    CHECK(all.add(make_address("2001:db8::" + std::to_string(1000 + i))));
  CHECK_FALSE(all.add(make_address("2001:db8::7:7:7:7")));
  CHECK(all.add(make_address("2001:db8:0:1::1")));
  all.remove(make_address("2001:db8::1003"));
  CHECK(all.add(make_address("2001:db8::7:7:7:7")));
}

TEST_CASE("connections_per_address: an IPv4 address is one sender in both of its forms") {
  connections_per_address all{1, true};
  CHECK(all.add(make_address("192.0.2.1")));
  CHECK(all.add(make_address("192.0.2.2")));
  CHECK_FALSE(all.add(make_address("::ffff:192.0.2.1")));
  all.remove(make_address("::ffff:192.0.2.1"));
  CHECK(all.add(make_address("192.0.2.1")));
}

TEST_CASE("connections_per_address: loopback is exempt unless it is counted") {
  connections_per_address all{1, false};
  CHECK(all.add(make_address("127.0.0.1")));
  CHECK(all.add(make_address("127.0.0.1")));
  CHECK(all.add(make_address("::1")));
  CHECK(all.add(make_address("::1")));
}
