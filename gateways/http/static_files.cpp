#include "gateways/http/static_files.hpp"

namespace gamehub::gateways::http {

const static_file* find_static_file(std::string_view path) {
  return base::find_file(page_files(), path);
}

response page_answer(const static_file& file, const request& r) {
  response out;
  out.content_type = file.content_type;
  // The browser revalidates its copy each time, so that a new hub shows its new page.
  out.cache_control = "no-cache";
  out.fields.push_back({"ETag", std::string{file.etag}});
  out.fields.push_back({"Vary", "Accept-Encoding"});
  if (base::is_current(file, r.if_none_match)) {
    out.status = 304;
    return out;
  }
  out.fields.push_back({"Content-Security-Policy", std::string{base::page_policy}});
  out.fields.push_back({"Cross-Origin-Opener-Policy", "same-origin"});
  const auto gzipped = base::accepts_gzip(r.accept_encoding);
  if (gzipped) out.fields.push_back({"Content-Encoding", "gzip"});
  out.body = gzipped ? file.gzipped : file.plain;
  return out;
}

}  // namespace gamehub::gateways::http
