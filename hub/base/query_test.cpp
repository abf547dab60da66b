#include "hub/base/query.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub::base;

TEST_CASE("query: what was written is read again, whatever it holds") {
  const query all{{"engine", "nim"}, {"bot", "dot [v2] & co=%+"}, {"bot", "\xC3\xBC"}, {"x", ""}};
  CHECK(read_query(to_text(all)) == all);
  CHECK(to_text({{"bot", "a b"}}) == "bot=a%20b");
  CHECK(read_query("")->empty());
}

TEST_CASE("query: text that is no query has no value") {
  for (const auto* text : {"a", "=b", "a=%4", "a=%zz", "a=1&&b=2", "a=1&b"}) {
    INFO(text);
    CHECK_FALSE(read_query(text));
  }
}

TEST_CASE("query: percent escapes are written and read, and a broken one is refused") {
  CHECK(percent_encoded("a-z_.~ +&=%/\xC3\xBC") == "a-z_.~%20%2B%26%3D%25%2F%C3%BC");
  CHECK(percent_decoded("a+b%2b%2B", plus::is_space) == "a b++");
  CHECK(percent_decoded("a+b%20", plus::is_plus) == "a+b ");
  CHECK(percent_decoded("%00", plus::is_space) == std::string(1, '\0'));
  CHECK(percent_decoded("%FF", plus::is_space) == "\xFF");
  for (const auto* text : {"%", "a%4", "%zz", "%4g", "a%"}) {
    INFO(text);
    CHECK_FALSE(percent_decoded(text, plus::is_space));
  }
}
