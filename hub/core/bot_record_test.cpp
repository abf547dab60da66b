#include "hub/core/bot_record.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub;

TEST_CASE("names: of bots have 1 to 64 printable characters, blanks and brackets too") {
  CHECK(acceptable_bot_name("Minimax (deep) [v2]"));
  CHECK(acceptable_bot_name(std::string(64, 'x')));
  CHECK(acceptable_bot_name("b\xC3\xB6t"));
  CHECK_FALSE(acceptable_bot_name(""));
  CHECK_FALSE(acceptable_bot_name(std::string(65, 'x')));
  CHECK_FALSE(acceptable_bot_name(" x"));
  CHECK_FALSE(acceptable_bot_name("x "));
  CHECK_FALSE(acceptable_bot_name("a\nb"));
  CHECK_FALSE(
      acceptable_bot_name("a\xE2\x80\xAE"
                          "b"));
  CHECK_FALSE(acceptable_bot_name("\xFF"));
}
