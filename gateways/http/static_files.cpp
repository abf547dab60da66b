#include "gateways/http/static_files.hpp"

#include "hub/base/text.hpp"

#include <algorithm>

namespace gamehub::gateways::http {
namespace {

// Content-Security-Policy: scripts, styles and data come from the hub only, text of players never
// becomes one of them, and no other page can frame this one.
constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

// True if an item of a comma-separated list fits.
template <class Predicate>
bool any_item(std::string_view list, Predicate fits) {
  while (!list.empty()) {
    const auto end = std::min(list.find(','), list.size());
    if (fits(base::trimmed(list.substr(0, end)))) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// True for "gzip" or "gzip;q=0.8", but not for "gzip;q=0", which refuses it.
bool is_gzip(std::string_view item) {
  const auto end = std::min(item.find(';'), item.size());
  if (base::trimmed(item.substr(0, end)) != "gzip") return false;
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
  // The browser revalidates its copy each time, so that a new hub shows its new page.
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
