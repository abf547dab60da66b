#include "hub/admin/operator_page.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace gamehub::admin {
namespace {

constexpr std::size_t page_bytes_max = 30 * 1024;

page front(std::string_view accept_encoding = {}, std::string_view if_none_match = {}) {
  auto out = operator_page("/", accept_encoding, if_none_match);
  REQUIRE(out);
  return *std::move(out);
}

std::string field_of(const page& p, std::string_view name) {
  const auto at = std::find_if(p.fields.begin(), p.fields.end(),
                               [name](const auto& each) { return each.first == name; });
  return at == p.fields.end() ? "" : std::string{at->second};
}

TEST_CASE("operator page: has a size limit, and is fetched from this server only") {
  std::size_t bytes = 0;
  for (const auto& each : operator_page_files()) {
    INFO(each.path);
    CHECK(each.plain.size() > 0);
    CHECK(each.plain.size() < 20 * 1024);
    bytes += each.gzipped.size();
    auto text = std::string{each.plain};
    // A namespace URI is an identifier and is not fetched.
    const std::string name = "http://www.w3.org/2000/svg";
    for (auto at = text.find(name); at != text.npos; at = text.find(name))
      text.erase(at, name.size());
    for (const auto* part :
         {"http://", "https://", "innerHTML", "localStorage", "document.cookie"}) {
      INFO(part);
      CHECK(text.find(part) == text.npos);
    }
  }
  CHECK(bytes < page_bytes_max);
}

TEST_CASE("operator page: index.html names every file, and no other path is one") {
  const auto text = front().body;
  CHECK(front().type == "text/html; charset=utf-8");
  for (const auto& each : operator_page_files()) {
    if (each.path == "/") continue;
    INFO(each.path);
    CHECK(text.find('"' + std::string{each.path.substr(1)} + '"') != text.npos);
  }
  for (const auto* path : {"", "/index.html", "//", "/../", "/x.js", "/metrics"})
    CHECK_FALSE(operator_page(path, {}, {}));
}

TEST_CASE("operator page: allows scripts of the hub only, and no frames") {
  const auto policy = field_of(front(), "Content-Security-Policy");
  for (const auto* part : {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'",
                           "form-action 'none'", "require-trusted-types-for 'script'"})
    CHECK(policy.find(part) != policy.npos);
  CHECK(policy.find("unsafe") == policy.npos);
  CHECK(front().body.find("<script>") == std::string::npos);
  CHECK(front().body.find(" style=") == std::string::npos);
  CHECK(field_of(front(), "X-Content-Type-Options") == "nosniff");
}

TEST_CASE("operator page: is compressed for who takes gzip, and 304 for a current copy") {
  CHECK(field_of(front("br, gzip"), "Content-Encoding") == "gzip");
  CHECK(front("br, gzip").body.size() < front().body.size());
  CHECK(field_of(front("gzip;q=0"), "Content-Encoding").empty());
  CHECK(front().cache_control == "no-cache");
  const auto current = front("gzip", field_of(front(), "ETag"));
  CHECK(current.status == 304);
  CHECK(current.body.empty());
  CHECK(field_of(current, "ETag") == field_of(front(), "ETag"));
}

}  // namespace
}  // namespace gamehub::admin
