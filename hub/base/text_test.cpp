#include "hub/base/text.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub::base;

TEST_CASE("text: letters are compared without their case, in ASCII only") {
  CHECK(same_letters("WebSocket", "websocket"));
  CHECK(same_letters("", ""));
  CHECK_FALSE(same_letters("websockets", "websocket"));
  CHECK_FALSE(same_letters("web", "websocket"));
  // @ and ` differ in the same bit as A and a.
  CHECK_FALSE(same_letters("@", "`"));
  CHECK_FALSE(same_letters("\xC3\x84", "\xC3\xA4"));
  CHECK(lower(std::string_view{"A-Z[\xC3\x84]"}) == "a-z[\xC3\x84]");
}

TEST_CASE("text: trimming removes blanks at both ends only") {
  CHECK(trimmed(" \ta b\t ") == "a b");
  CHECK(trimmed("").empty());
  CHECK(trimmed(" \t ").empty());
  CHECK(trimmed("a\r") == "a\r");
  CHECK(trimmed("a\r\n", "\r\n") == "a");
}

TEST_CASE("text: what follows a key is found, and nothing without the key") {
  CHECK(text_after("a=1,a=2", "a=") == "1,a=2");
  CHECK(text_after("a=", "a=") == "");
  CHECK_FALSE(text_after("b", "a="));
}

TEST_CASE("text: numbers have a comma before each three digits, and what they count its plural") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1'000) == "1,000");
  CHECK(grouped(12'345'678) == "12,345,678");
  CHECK(grouped(18'446'744'073'709'551'615U) == "18,446,744,073,709,551,615");
  CHECK(counted(0, "move") == "0 moves");
  CHECK(counted(1, "move") == "1 move");
  CHECK(counted(2'000, "move") == "2,000 moves");
}

TEST_CASE("text: hexadecimal digits are written in lower case and read in both") {
  CHECK(hex_of(std::string_view{"\x00\x7F\xA0\xFF", 4}) == "007fa0ff");
  CHECK(hex_of("").empty());
  std::string out = "x";
  append_hex(0xFEDCBA9876543210U, out);
  CHECK(out == "xfedcba9876543210");
  for (int i = 0; i < 16; ++i) CHECK(hex_value(hex_digits[static_cast<std::size_t>(i)]) == i);
  CHECK(hex_value('A') == 10);
  CHECK(hex_value('F') == 15);
  for (const char c : {'g', 'G', '@', '`', '/', ':', ' ', '\0', '\xFF'}) CHECK(hex_value(c) == -1);
}

TEST_CASE("text: a table aligns its columns by characters") {
  const std::vector<text_row> rows{{"b\xC3\xB6t", "x", "1"}, {"a", "", "10"}, {"abcd"}};
  CHECK(text_table(rows) == "b\xC3\xB6t   x  1\na        10\nabcd\n");
  CHECK(text_table(rows, 1) == "b\xC3\xB6t   x   1\na        10\nabcd\n");
  CHECK(text_table({}).empty());
}
