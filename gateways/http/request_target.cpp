#include "gateways/http/request_target.hpp"

#include "hub/base/utf8.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include <algorithm>

namespace gamehub::gateways::http {
namespace {

namespace urls = boost::urls;

// Spaces, control characters and non-ASCII bytes must be escaped in a target.
bool all_visible(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

std::string_view view(urls::string_view from) { return {from.data(), from.size()}; }

// The absolute form, which every server has to accept (RFC 9112, 3.2.2).
std::optional<request_target> read_whole_url(std::string_view text) {
  const auto url = urls::parse_absolute_uri({text.data(), text.size()});
  if (!url || (url->scheme_id() != urls::scheme::http && url->scheme_id() != urls::scheme::https) ||
      url->encoded_host().empty())
    return std::nullopt;
  // The parser takes "http://host:x" for a host with an empty port and a path "x".
  const auto path = view(url->encoded_path());
  if (!path.empty() && path.front() != '/') return std::nullopt;
  return request_target{path.empty() ? "/" : path, view(url->encoded_query())};
}

}  // namespace

std::optional<request_target> read_target(std::string_view text) {
  if (text.empty() || !all_visible(text) || text.find('#') != text.npos) return std::nullopt;
  if (text.front() != '/') return read_whole_url(text);
  const auto mark = text.find('?');
  return request_target{text.substr(0, mark),
                        mark == text.npos ? std::string_view{} : text.substr(mark + 1)};
}

std::optional<std::string> decoded(std::string_view text, plus what) {
  auto out = base::percent_decoded(text, what);
  if (out && !base::utf8::valid(*out)) out.reset();
  return out;
}

}  // namespace gamehub::gateways::http
