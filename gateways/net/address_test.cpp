#include "gateways/net/address.hpp"

#include "hub/base/address.hpp"
#include "tests/support/catch.hpp"

namespace gamehub::gateways::net {
namespace {

namespace ip = boost::asio::ip;

TEST_CASE("net address: Asio addresses are converted in both directions") {
  for (const auto* text : {"192.0.2.1", "2001:db8::1", "127.0.0.1", "::1"}) {
    INFO(text);
    const auto e = endpoint_of(ip::make_address(text), 7);
    CHECK(base::to_text(e) == text);
    CHECK(e.port == 7);
    CHECK(address_of(e) == ip::make_address(text));
  }
  CHECK(endpoint_of(ip::make_address("::ffff:192.0.2.1")) ==
        endpoint_of(ip::make_address("192.0.2.1")));
  CHECK(address_of(endpoint_of(ip::make_address("::ffff:192.0.2.1"))).is_v4());
}

TEST_CASE("net address: socket addresses of both families are converted in both directions") {
  for (const auto* text : {"192.0.2.1", "2001:db8::1"}) {
    INFO(text);
    auto e = *base::read_address(text);
    e.port = 4'321;
    socket_address a;
    CHECK(write_address(e, true, a) == sizeof a.six);
    CHECK(endpoint_of(a) == e);
  }
  auto four = *base::read_address("192.0.2.1");
  four.port = 4'321;
  socket_address a;
  CHECK(write_address(four, false, a) == sizeof a.four);
  CHECK(a.any.sa_family == AF_INET);
  CHECK(endpoint_of(a) == four);
}

}  // namespace
}  // namespace gamehub::gateways::net
