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
  for (const auto* list : {"W/\"1\"", "\"x\", W/\"1\"", "*"}) CHECK(is_current(files[0], list));
  for (const auto* list : {"", ",", "W/\"2\"", "1"}) CHECK_FALSE(is_current(files[0], list));
}

}  // namespace
}  // namespace gamehub::base
