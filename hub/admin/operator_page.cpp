#include "hub/admin/operator_page.hpp"

#include <iterator>
#include <string>
#include <utility>

namespace gamehub::admin {
namespace {

constexpr std::pair<std::string_view, std::string_view> security_fields[] = {
    {"Content-Security-Policy", base::page_policy},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
};

}  // namespace

std::optional<page> operator_page(std::string_view path, std::string_view accept_encoding,
                                  std::string_view if_none_match) {
  const auto* const file = base::find_file(operator_page_files(), path);
  if (file == nullptr) return std::nullopt;
  page out;
  out.type = file->content_type;
  // The browser revalidates its copy each time, so that a new hub shows its new page.
  out.cache_control = "no-cache";
  out.fields = {{"ETag", file->etag}, {"Vary", "Accept-Encoding"}};
  if (base::is_current(*file, if_none_match)) {
    out.status = 304;
    return out;
  }
  const auto gzipped = base::accepts_gzip(accept_encoding);
  if (gzipped) out.fields.push_back({"Content-Encoding", "gzip"});
  out.fields.insert(out.fields.end(), std::begin(security_fields), std::end(security_fields));
  out.body = gzipped ? file->gzipped : file->plain;
  return out;
}

}  // namespace gamehub::admin
