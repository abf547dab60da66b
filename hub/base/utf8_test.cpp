#include "hub/base/utf8.hpp"

#include "tests/support/catch.hpp"

#include <string>

namespace gamehub::base::utf8 {
namespace {

// By the definition: a character in as many bytes as it needs.
std::string spelled(char32_t c) {
  const auto byte = [](char32_t bits) {
    return static_cast<char>(static_cast<unsigned char>(bits));
  };
  const auto tail = [&](int shift) { return byte(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xC0 | c >> 6), tail(0)};
  if (c < 0x10000) return {byte(0xE0 | c >> 12), tail(6), tail(0)};
  return {byte(0xF0 | c >> 18), tail(12), tail(6), tail(0)};
}

TEST_CASE("utf8: every character there is, and no other, reads as itself") {
  for (char32_t c = 0; c < 0x120000; ++c) {
    const auto text = spelled(c) + "x";
    const bool is_character = c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
    const auto bytes = character_bytes(text);
    if (bytes != (is_character ? text.size() - 1 : 0)) FAIL("character " << std::hex << +c);
    if (is_character && character(text, bytes) != c) FAIL("character " << std::hex << +c);
  }
}

TEST_CASE("utf8: refuses longer spellings, lone and missing tails") {
  for (const std::string text : {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\x80",
                                 "\xBF", "\xFF", "\xFE", "\xC3", "\xE2\x82", "\xF0\x9F\x98"}) {
    CHECK(!valid(text));
    CHECK(!valid("a" + text));
    CHECK(character_bytes(text) == 0);
  }
  CHECK(valid(""));
  CHECK(valid("caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"));
}

TEST_CASE("utf8: finds what is wrong anywhere in a long text") {
  for (std::size_t before = 0; before < 20; ++before)
    for (const std::size_t after : {0U, 1U, 7U, 8U, 20U}) {
      const auto with = [&](const char* letters) {
        return valid(std::string(before, 'a') + letters + std::string(after, 'z'));
      };
      CHECK(with(""));
      CHECK(with("\xF0\x9F\x98\x80"));
      CHECK(!with("\xFF"));
      CHECK(!with("\xC3"));
    }
}

TEST_CASE("utf8: knows controls and what disguises a line") {
  for (const char32_t c : {U'\0', U'\n', U'\x1F', U'\x7F', U'\x80', U'\x9F'}) CHECK(is_control(c));
  for (const char32_t c : {U' ', U'~', U'\xA0', U'\u20AC'}) CHECK(!is_control(c));
  for (const char32_t c : {U'\u2028', U'\u202E', U'\u2066', U'\u200F'}) CHECK(is_disguise(c));
  for (const char32_t c : {U'a', U'\u200D', U'\u05D0', U'\u0627'}) CHECK(!is_disguise(c));
}

}  // namespace
}  // namespace gamehub::base::utf8
