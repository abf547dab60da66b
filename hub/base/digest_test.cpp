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

// RFC 4231, test cases 1, 2 and 6.
TEST_CASE("digest: HMAC-SHA-256 of known texts") {
  CHECK(hex(hmac_sha256(std::string(20, '\x0b'), "Hi There")) ==
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  CHECK(hex(hmac_sha256("Jefe", "what do ya want for nothing?")) ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(hex(hmac_sha256(std::string(131, '\xaa'),
                        "Test Using Larger Than Block-Size Key - Hash Key First")) ==
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
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
