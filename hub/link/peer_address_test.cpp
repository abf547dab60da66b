#include "hub/link/peer_address.hpp"

#include "tests/support/catch.hpp"

#include <string>

using namespace gamehub;
using namespace gamehub::link;

TEST_CASE("link address: numeric addresses with a port are read and written") {
  for (const std::string text :
       {"127.0.0.1:1", "10.0.0.7:7070", "[::1]:65535", "[2001:db8::7]:80"}) {
    INFO(text);
    const auto at = read_peer_address(text);
    REQUIRE(at);
    CHECK(peer_address_text(*at) == text);
  }
  CHECK(base::is_loopback(read_peer_address("127.0.0.1:1").value()));
  CHECK(base::is_loopback(read_peer_address("[::1]:1").value()));
  CHECK(base::is_loopback(read_peer_address("[::ffff:127.0.0.1]:1").value()));
}

TEST_CASE("link address: anything else is not an address") {
  for (const std::string text :
       {"", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:+1",
        "127.0.0.1:1 ", "::1:80", "::1", "[::1]", "[::1]80", "[127.0.0.1]:80", "hub-1:80",
        "127.0.0.1:80:80", "[::1%lo]:80", "[]:80"}) {
    INFO(text);
    CHECK_FALSE(read_peer_address(text));
  }
}
