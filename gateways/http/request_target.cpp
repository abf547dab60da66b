#include "gateways/http/target.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/pct_string_view.hpp>
#include <boost/url/url_view.hpp>

#include <algorithm>

#include "gateways/utf8.hpp"

namespace gamehub::gateways::http {
namespace {

namespace urls = boost::urls;

// Blanks, controls and what is not ASCII never stand in a target: they are escaped.
bool is_visible(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

std::string_view view(urls::string_view from) { return {from.data(), from.size()}; }

// As clients of a proxy spell it, which every server has to understand (RFC 9112, 3.2.2).
std::optional<target> read_whole_url(std::string_view text) {
  const auto url = urls::parse_absolute_uri({text.data(), text.size()});
  if (!url || (url->scheme_id() != urls::scheme::http && url->scheme_id() != urls::scheme::https) ||
      url->encoded_host().empty())
    return std::nullopt;
  // The parser takes "http://host:x" for a host with an empty port and a path "x".
  const auto path = view(url->encoded_path());
  if (!path.empty() && path.front() != '/') return std::nullopt;
  return target{path.empty() ? "/" : path, view(url->encoded_query())};
}

}  // namespace

std::optional<target> read_target(std::string_view text) {
  if (text.empty() || !is_visible(text) || text.find('#') != text.npos) return std::nullopt;
  if (text.front() != '/') return read_whole_url(text);
  const auto mark = text.find('?');
  return target{text.substr(0, mark),
                mark == text.npos ? std::string_view{} : text.substr(mark + 1)};
}

std::optional<std::string> decoded(std::string_view text, plus what) {
  const bool spaced = what == plus::is_space;
  std::string out;
  if (text.find('%') == text.npos && (!spaced || text.find('+') == text.npos)) {
    out = text;
  } else {
    const auto escaped = urls::make_pct_string_view({text.data(), text.size()});
    if (!escaped) return std::nullopt;
    urls::encoding_opts options;
    options.space_as_plus = spaced;
    out = escaped->decode(options);
  }
  if (!utf8::valid(out)) return std::nullopt;
  return out;
}

}  // namespace gamehub::gateways::http
