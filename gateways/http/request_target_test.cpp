#include "gateways/http/request_target.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub::gateways::http;

namespace {

// Returns path and query separated by a bar, or "none".
std::string read(std::string_view text) {
  const auto t = read_target(text);
  return t ? std::string{t->path} + "|" + std::string{t->query} : "none";
}

}  // namespace

TEST_CASE("http target: is a path and a query") {
  CHECK(read("/") == "/|");
  CHECK(read("/api/updates/12?cursor=3&wait=1") == "/api/updates/12|cursor=3&wait=1");
  CHECK(read("/a?") == "/a|");
  CHECK(read("/a?b?c") == "/a|b?c");
  CHECK(read("//a") == "//a|");
}

TEST_CASE("http target: may be in absolute form") {
  CHECK(read("http://example.com/api/connect?name=a") == "/api/connect|name=a");
  CHECK(read("https://example.com:8443/a") == "/a|");
  CHECK(read("http://example.com") == "/|");
  CHECK(read("http://example.com?a=b") == "/|a=b");
}

TEST_CASE("http target: refuses other forms") {
  for (const auto* text :
       {"", "*", "api/connect", "example.com:443", "/a#b", "/a b", "/a\x01", "/caf\xC3\xA9",
        "/a\x7F", "ftp://example.com/a", "http:///a", "http://example.com:x",
        "http://example.com:80x/a", "http:", "http://exa mple/a", "?a=b"})
    CHECK(read(text) == "none");
  CHECK(read(std::string_view{"/a\0b", 4}) == "none");
}

TEST_CASE("http target: escapes are decoded strictly") {
  CHECK(decoded("a%20b+c", plus::is_plus) == "a b+c");
  CHECK(decoded("a%20b+c%2B", plus::is_space) == "a b c+");
  CHECK(decoded("%e2%82%AC", plus::is_plus) == "\xE2\x82\xAC");
  CHECK(decoded("", plus::is_space) == "");
  CHECK(decoded("%00", plus::is_space) == std::string(1, '\0'));
  CHECK(decoded("%25zz", plus::is_space) == "%zz");
  for (const auto* text : {"%", "a%", "%2", "%zz", "%2g", "%%20", "%u20ac", "+%"})
    CHECK(decoded(text, plus::is_space) == std::nullopt);
}

TEST_CASE("http target: decoded escapes must be UTF-8") {
  for (const auto* text : {"%ff", "%C0%80", "%ED%A0%80", "%e2%82", "\xFF", "caf\xE9"})
    CHECK(decoded(text, plus::is_plus) == std::nullopt);
  CHECK(decoded("caf\xC3\xA9", plus::is_plus) == "caf\xC3\xA9");
}
