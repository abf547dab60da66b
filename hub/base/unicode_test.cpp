#include "hub/base/unicode.hpp"

#include "tests/support/catch.hpp"

#include <string>
#include <string_view>

using namespace gamehub::base;

namespace {

bool alike(std::string_view a, std::string_view b) {
  const auto x = unicode::keys_of(a), y = unicode::keys_of(b);
  return x.by_case == y.by_case || x.by_look == y.by_look;
}

}  // namespace

TEST_CASE("unicode: a text shows if each character does") {
  for (const auto* text :
       {"", "ann", "Minimax (deep) [v2]", "b\u00f6t", "\u738b\u4e94", "\u05d0\u05d1",
        "\u0e40\u0e1b\u0e47\u0e14", "\U0001F600", "a b", "~*~"}) {
    CAPTURE(text);
    CHECK(unicode::shows(text));
  }
  for (const auto* text : {"a\nb",    "\x7f",    "a\u0085", "a\u009b31m", "a\u00ad", "a\u200b",
                           "a\u200d", "a\u2060", "a\ufe0f", "a\u202e",    "a\u2066", "a\u2028",
                           "a\u2029", "a\u00a0", "\u3164",  "\u2800",     "a\u034f", "\U000E0041",
                           "\ue000",  "\u0378",  "\u0301a", "a\xff"}) {
    CAPTURE(text);
    CHECK_FALSE(unicode::shows(text));
  }
}

TEST_CASE("unicode: a compatibility form is not its own normal form") {
  CHECK(unicode::is_nfkc("ann"));
  CHECK(unicode::is_nfkc("b\u00f6t"));
  CHECK_FALSE(unicode::is_nfkc("bo\u0308t"));
  CHECK_FALSE(unicode::is_nfkc("\uff4f\uff50"));
  CHECK_FALSE(unicode::is_nfkc("\ufb01n"));
}

TEST_CASE("unicode: letters of different scripts do not belong together") {
  for (const auto* text : {"ann 7", "\u0430\u043d\u043d\u0430", "\u65e5\u672c\u3054 abc",
                           "\u738b wang", "ann \U0001F600"}) {
    CAPTURE(text);
    CHECK(unicode::is_one_script(text));
  }
  for (const auto* text : {"oper\u0430tor", "\u03bfperator", "1\u0661", "a\u0301\u0301"}) {
    CAPTURE(text);
    CHECK_FALSE(unicode::is_one_script(text));
  }
}

TEST_CASE("unicode: texts that a reader takes for the same have a key in common") {
  CHECK(alike("ann", "Ann"));
  CHECK(alike("ALICE", "alice"));
  CHECK(alike("AIice", "Alice"));  // a capital i
  CHECK(alike("b0b", "bOb"));
  CHECK(alike("\u0440\u043e", "po"));  // Cyrillic
  CHECK_FALSE(alike("ann", "anne"));
  CHECK_FALSE(alike("mail", "mall"));
  CHECK_FALSE(alike("", "a"));
}

TEST_CASE("unicode: what a terminal would hide or obey is written as a number") {
  CHECK(unicode::escape_hidden("b\u00f6t \U0001F600") == "b\u00f6t \U0001F600");
  CHECK(unicode::escape_hidden("e\u0301") == "e\u0301");
  CHECK(unicode::escape_hidden("a\x1b[31m\n") == "a\\u{1b}[31m\\u{a}");
  CHECK(unicode::escape_hidden("a\u009b\u202e\U000E0041") == "a\\u{9b}\\u{202e}\\u{e0041}");
  CHECK(unicode::escape_hidden("\xff\xc3") == "\\x{ff}\\x{c3}");
  CHECK(unicode::escape_hidden("\0") == "");
  CHECK(unicode::escape_hidden(std::string_view{"\0", 1}) == "\\u{0}");
  CHECK(unicode::escape_hidden_json("{\"a\": \"b\u00f6t \U0001F600\"}\n") ==
        "{\"a\": \"b\u00f6t \U0001F600\"}\n");
  CHECK(unicode::escape_hidden_json("\"a\x7f\u009b\u202e\U000E0041\"") ==
        R"("a\u007f\u009b\u202e\udb40\udc41")");
}
