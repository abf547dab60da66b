#include "hub/journal/record.hpp"
#include "tests/support/catch.hpp"

// The answer of another program (sha256sum) to the same text.
TEST_CASE("digest: is the first half of SHA-256") {
  const auto digest = gamehub::journal::digest_of("abc");
  CHECK(digest == "\xba\x78\x16\xbf\x8f\x01\xcf\xea\x41\x41\x40\xde\x5d\xae\x22\x23");
  CHECK(gamehub::journal::digest_of("") != digest);
}
