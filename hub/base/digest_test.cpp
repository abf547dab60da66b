#include "hub/base/digest.hpp"

#include "hub/base/text.hpp"
#include "tests/support/catch.hpp"

#include <array>
#include <string>

using namespace gamehub::base;

namespace {

template <class Bytes>
std::string hex(const Bytes& bytes) {
  return hex_of(std::string{bytes.begin(), bytes.end()});
}

}  // namespace

// FIPS 180-4, the examples of NIST.
TEST_CASE("digest: SHA-256 and SHA-1 of known texts") {
  CHECK(hex(sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hex(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hex(sha1("abc")) == "a9993e364706816aba3e25717850c26c9cd0d89d");
}

// RFC 6455, 1.3, the example of a handshake; RFC 4648, 10.
TEST_CASE("digest: base64 pads to groups of four") {
  CHECK(base64(sha1("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11")) ==
        "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  CHECK(base64({}).empty());
  CHECK(base64(std::array<std::uint8_t, 1>{'f'}) == "Zg==");
  CHECK(base64(std::array<std::uint8_t, 3>{'f', 'o', 'o'}) == "Zm9v");
}

TEST_CASE("digest: secrets are the same if all their bytes are") {
  CHECK(same_secret("abc", "abc"));
  CHECK(same_secret("", ""));
  CHECK_FALSE(same_secret("abc", "abd"));
  CHECK_FALSE(same_secret("abc", "ab"));
}
