#include "gateways/http/page.hpp"

#include <algorithm>

namespace gamehub::gateways::http {
namespace {

// Scripts, styles and data come from the hub alone, and nothing that a player says can become one
// of them. No other page may show this one in a frame.
constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Whether one of a list separated by commas is as it should be.
template <class Predicate>
bool any_item(std::string_view list, Predicate fits) {
  while (!list.empty()) {
    const auto end = std::min(list.find(','), list.size());
    if (fits(trimmed(list.substr(0, end)))) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// "gzip", or "gzip;q=0.8", but not "gzip;q=0", which refuses it.
bool is_gzip(std::string_view item) {
  const auto end = std::min(item.find(';'), item.size());
  if (trimmed(item.substr(0, end)) != "gzip") return false;
  const auto weight = item.find("q=");
  return weight == item.npos || item.find_first_of("123456789", weight) != item.npos;
}

}  // namespace

const static_file* find_static_file(std::string_view path) {
  const auto all = page_files();
  const auto at =
      std::find_if(all.begin(), all.end(), [path](const static_file& f) { return f.path == path; });
  return at == all.end() ? nullptr : &*at;
}

response page_answer(const static_file& file, const request& r) {
  response out;
  out.content_type = file.content_type;
  // A browser keeps it and asks each time whether it is still the same: a new hub has a new page.
  out.cache_control = "no-cache";
  out.fields.push_back({"ETag", std::string{file.etag}});
  out.fields.push_back({"Vary", "Accept-Encoding"});
  const auto has_it = [&](std::string_view tag) { return tag == "*" || tag == file.etag; };
  if (any_item(r.if_none_match, has_it)) {
    out.status = 304;
    return out;
  }
  out.fields.push_back({"Content-Security-Policy", std::string{policy}});
  out.fields.push_back({"Cross-Origin-Opener-Policy", "same-origin"});
  const auto gzipped = any_item(r.accept_encoding, is_gzip);
  if (gzipped) out.fields.push_back({"Content-Encoding", "gzip"});
  out.body = gzipped ? file.gzipped : file.plain;
  return out;
}

}  // namespace gamehub::gateways::http
