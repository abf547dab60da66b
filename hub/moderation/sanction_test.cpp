#include "hub/moderation/sanction.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::moderation {
namespace {

TEST_CASE("sanction: networks have one normal form") {
  CHECK(network_text("10.0.0.0/8") == "10.0.0.0/8");
  CHECK(network_text("::ffff:10.0.0.1") == "10.0.0.1");
  CHECK(network_text("FD00:0:0::/8") == "fd00::/8");
  CHECK(network_text("fd00::1/128") == "fd00::1");
  CHECK(network_text("10.0.0.1/8").empty());
  CHECK(network_text("example.org").empty());
}

}  // namespace
}  // namespace gamehub::moderation
