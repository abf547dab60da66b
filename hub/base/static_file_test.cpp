#include "hub/base/static_file.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::base {
namespace {

constexpr static_file files[] = {{"/", "text/html", "W/\"1\"", "<p>", "zip"},
                                 {"/a.js", "text/javascript", "W/\"2\"", "a", "zip"}};

TEST_CASE("static files: are found by their exact path") {
  CHECK(find_file(files, "/a.js") == &files[1]);
  for (const auto* path : {"", "a.js", "/a.js/", "//", "/A.js"})
    CHECK(find_file(files, path) == nullptr);
}

TEST_CASE("static files: gzip is taken from clients that name it with a weight over zero") {
  for (const auto* list : {"gzip", "br, gzip", "gzip;q=0.5", "deflate , gzip ; q=1.0, br"})
    CHECK(accepts_gzip(list));
  for (const auto* list : {"", ",", "br", "gzip;q=0", "gzip;q=0.000", "xgzip"})
    CHECK_FALSE(accepts_gzip(list));
}

TEST_CASE("static files: a copy is current if the list has its tag") {
  for (const auto* list : {"W/\"1\"", "\"x\", W/\"1\"", "*"}) {
    const auto got = answer_with(files[0], "gzip", list);
    CHECK(got.status == 304);
    CHECK(got.body.empty());
    CHECK(got.fields.size() == 2);
  }
  for (const auto* list : {"", ",", "W/\"2\"", "1"})
    CHECK(answer_with(files[0], "", list).status == 200);
}

TEST_CASE("static files: are answered in the form that the client takes, with their tag") {
  using fields = std::vector<std::pair<std::string_view, std::string_view>>;
  const auto plain = answer_with(files[1], "br", "");
  CHECK(plain.body == "a");
  CHECK(plain.fields == fields{{"ETag", "W/\"2\""}, {"Vary", "Accept-Encoding"}});
  const auto small = answer_with(files[0], "br, gzip", "");
  CHECK(small.body == "zip");
  CHECK(small.fields.back() ==
        std::pair<std::string_view, std::string_view>{"Content-Encoding", "gzip"});
}

}  // namespace
}  // namespace gamehub::base
