#include "hub/base/static_file.hpp"

#include "hub/base/text.hpp"

#include <algorithm>

namespace gamehub::base {
namespace {

// True if an item of a comma-separated list fits.
template <class Predicate>
bool any_item(std::string_view list, Predicate fits) {
  while (!list.empty()) {
    const auto end = std::min(list.find(','), list.size());
    if (fits(trimmed(list.substr(0, end)))) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// True for "gzip" or "gzip;q=0.8", but not for "gzip;q=0", which refuses it.
bool is_gzip(std::string_view item) {
  const auto end = std::min(item.find(';'), item.size());
  if (trimmed(item.substr(0, end)) != "gzip") return false;
  const auto weight = item.find("q=");
  return weight == item.npos || item.find_first_of("123456789", weight) != item.npos;
}

bool is_current(const static_file& file, std::string_view if_none_match) {
  return any_item(if_none_match,
                  [&](std::string_view tag) { return tag == "*" || tag == file.etag; });
}

}  // namespace

const static_file* find_file(std::span<const static_file> all, std::string_view path) {
  const auto at =
      std::find_if(all.begin(), all.end(), [path](const auto& f) { return f.path == path; });
  return at == all.end() ? nullptr : &*at;
}

bool accepts_gzip(std::string_view accept_encoding) { return any_item(accept_encoding, is_gzip); }

file_answer answer_with(const static_file& file, std::string_view accept_encoding,
                        std::string_view if_none_match) {
  file_answer out{200, {{"ETag", file.etag}, {"Vary", "Accept-Encoding"}}, {}};
  if (is_current(file, if_none_match)) {
    out.status = 304;
    return out;
  }
  const auto gzipped = accepts_gzip(accept_encoding);
  if (gzipped) out.fields.push_back({"Content-Encoding", "gzip"});
  out.body = gzipped ? file.gzipped : file.plain;
  return out;
}

}  // namespace gamehub::base
