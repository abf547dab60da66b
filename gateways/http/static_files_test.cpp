#include "gateways/http/static_files.hpp"

#include "gateways/http/http_limits.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <set>
#include <string>

using namespace gamehub;
using namespace gamehub::gateways::http;

namespace {

const static_file& front() {
  const auto* found = find_static_file("/");
  REQUIRE(found != nullptr);
  return *found;
}

response asked(std::string_view accept_encoding, std::string_view if_none_match = {}) {
  request r;
  r.accept_encoding = accept_encoding;
  r.if_none_match = if_none_match;
  return page_answer(front(), r);
}

std::string field_of(const response& r, std::string_view name) {
  const auto at = std::find_if(r.fields.begin(), r.fields.end(),
                               [name](const auto& each) { return each.name == name; });
  return at == r.fields.end() ? "" : at->value;
}

// Returns the files that the text names in quotes, or imports as modules.
std::set<std::string> names_in(std::string_view text) {
  std::set<std::string> out;
  for (const auto& each : page_files()) {
    const std::string name{each.path.substr(1)};
    if (name.empty()) continue;
    if (text.find('"' + name + '"') != text.npos || text.find("\"./" + name + '"') != text.npos)
      out.insert(name);
  }
  return out;
}

}  // namespace

TEST_CASE("http page: has a size limit") {
  std::size_t bytes = 0;
  for (const auto& each : page_files()) {
    INFO(each.path << ": " << each.plain.size() << " bytes, " << each.gzipped.size());
    CHECK(each.plain.size() > 0);
    CHECK(each.gzipped.size() > 0);
    // A larger file should be split.
    CHECK(each.plain.size() < 16 * 1024);
    bytes += each.gzipped.size();
  }
  INFO("together " << bytes);
  CHECK(bytes < limits::http_page_bytes_max);
}

TEST_CASE("http page: finds each file with its type") {
  CHECK(front().content_type == "text/html; charset=utf-8");
  CHECK(front().plain.starts_with("<!doctype html>"));
  std::set<std::string_view> tags;
  for (const auto& each : page_files()) {
    CHECK(find_static_file(each.path) == &each);
    CHECK(each.etag.starts_with("W/\""));
    tags.insert(each.etag);
  }
  CHECK(tags.size() == page_files().size());
  for (const auto* path : {"", "index.html", "/index.html", "//", "/../", "/x.js"})
    CHECK(find_static_file(path) == nullptr);
}

TEST_CASE("http page: index.html names every file") {
  std::set<std::string> all;
  for (const auto& each : page_files())
    if (each.path != "/") all.emplace(each.path.substr(1));
  CHECK(names_in(front().plain) == all);
}

TEST_CASE("http page: is fetched from nowhere else") {
  for (const auto& each : page_files()) {
    INFO(each.path);
    auto text = std::string{each.plain};
    // A namespace URI is an identifier and is not fetched.
    for (const std::string name : {"http://www.w3.org/2000/svg"})
      for (auto at = text.find(name); at != text.npos; at = text.find(name))
        text.erase(at, name.size());
    CHECK(text.find("http://") == text.npos);
    CHECK(text.find("https://") == text.npos);
    CHECK(text.find("innerHTML") == text.npos);
  }
}

TEST_CASE("http page: is compressed if the client accepts gzip") {
  for (const auto* accepts : {"gzip", "br, gzip", "gzip;q=0.5", "deflate , gzip ; q=1.0, br"}) {
    const auto r = asked(accepts);
    CHECK(field_of(r, "Content-Encoding") == "gzip");
    CHECK(r.body == front().gzipped);
  }
  for (const auto* accepts : {"", "br", "gzip;q=0", "gzip;q=0.000", "xgzip", "identity"}) {
    const auto r = asked(accepts);
    CHECK(field_of(r, "Content-Encoding").empty());
    CHECK(r.body == front().plain);
  }
  CHECK(field_of(asked(""), "Vary") == "Accept-Encoding");
}

TEST_CASE("http page: a current copy gets 304") {
  const std::string tag{front().etag};
  CHECK(asked("").cache_control == "no-cache");
  CHECK(field_of(asked(""), "ETag") == tag);
  for (const auto& has : {tag, "\"x\", " + tag, std::string{"*"}}) {
    const auto r = asked("gzip", has);
    CHECK(r.status == 304);
    CHECK(r.body.empty());
    CHECK(field_of(r, "ETag") == tag);
  }
  CHECK(asked("", "W/\"other\"").status == 200);
  CHECK(asked("", ",").status == 200);
}

TEST_CASE("http page: allows scripts of the hub only, and no frames") {
  const auto policy = field_of(asked(""), "Content-Security-Policy");
  for (const auto* part : {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'",
                           "require-trusted-types-for 'script'"})
    CHECK(policy.find(part) != policy.npos);
  CHECK(policy.find("unsafe") == policy.npos);
}
