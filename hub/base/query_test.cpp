#include "hub/app/query.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub::app;

TEST_CASE("query: what was written is read again, whatever it holds") {
  const query all{{"engine", "nim"}, {"bot", "dot [v2] & co=%+"}, {"bot", "\xC3\xBC"}, {"x", ""}};
  CHECK(read_query(to_text(all)) == all);
  CHECK(to_text({{"bot", "a b"}}) == "bot=a%20b");
  CHECK(read_query("")->empty());
}

TEST_CASE("query: what is none is nothing") {
  for (const auto* text : {"a", "=b", "a=%4", "a=%zz", "a=1&&b=2", "a=1&b"}) {
    INFO(text);
    CHECK_FALSE(read_query(text));
  }
}
