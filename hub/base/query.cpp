#include "hub/base/query.hpp"

#include <boost/url/encode.hpp>
#include <boost/url/pct_string_view.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>

namespace gamehub::base {

namespace urls = boost::urls;

std::string percent_encoded(std::string_view text) {
  return urls::encode({text.data(), text.size()}, urls::unreserved_chars);
}

std::optional<std::string> percent_decoded(std::string_view text, plus what) {
  const bool spaced = what == plus::is_space;
  if (text.find('%') == text.npos && (!spaced || text.find('+') == text.npos))
    return std::string{text};
  const auto escaped = urls::make_pct_string_view({text.data(), text.size()});
  if (!escaped) return std::nullopt;
  urls::encoding_opts options;
  options.space_as_plus = spaced;
  return escaped->decode(options);
}

std::optional<query> read_query(std::string_view text) {
  query out;
  while (!text.empty()) {
    const auto each = text.substr(0, text.find('&'));
    text.remove_prefix(each.size() < text.size() ? each.size() + 1 : text.size());
    const auto sign = each.find('=');
    if (sign == each.npos || sign == 0) return std::nullopt;
    auto name = percent_decoded(each.substr(0, sign), plus::is_space);
    auto value = percent_decoded(each.substr(sign + 1), plus::is_space);
    if (!name || !value) return std::nullopt;
    out.emplace_back(std::move(*name), std::move(*value));
  }
  return out;
}

std::string to_text(const query& all) {
  std::string out;
  for (const auto& [name, value] : all)
    out += (out.empty() ? "" : "&") + percent_encoded(name) + '=' + percent_encoded(value);
  return out;
}

}  // namespace gamehub::base
