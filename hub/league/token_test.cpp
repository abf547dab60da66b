#include "hub/league/token.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::league {
namespace {

TEST_CASE("token: each is another, and long") {
  base::seeded_entropy chance{1};
  const auto one = make_token(chance), other = make_token(chance);
  CHECK(one != other);
  // A word, and 128 bits in hexadecimal.
  CHECK(one.size() == std::string{"gamehub-"}.size() + 32);
}

TEST_CASE("token: what is kept of it is its SHA-256") {
  // The second example of FIPS 180-2, appendix B, is longer; this is the first.
  CHECK(digest_of_token("abc") ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("token: one that nobody made is an owner of its own, whose name does not tell it") {
  const auto owner = owner_of_unknown("secret");
  CHECK(owner == owner_of_unknown("secret"));
  CHECK(owner != owner_of_unknown("secrets"));
  CHECK(owner.find("secret") == owner.npos);
  CHECK(owner.starts_with("open:"));
}

}  // namespace
}  // namespace gamehub::league
