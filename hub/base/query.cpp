#include "hub/app/query.hpp"

namespace gamehub::app {
namespace {

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool may_stand(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
         c == '_' || c == '.' || c == '~';
}

std::string escaped(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (may_stand(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return out;
}

}  // namespace

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const auto high = i + 2 < text.size() ? hexadecimal(text[i + 1]) : -1;
    const auto low = i + 2 < text.size() ? hexadecimal(text[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(16 * high + low);
    i += 2;
  }
  return out;
}

std::optional<query> read_query(std::string_view text) {
  query out;
  while (!text.empty()) {
    const auto each = text.substr(0, text.find('&'));
    text.remove_prefix(each.size() < text.size() ? each.size() + 1 : text.size());
    const auto sign = each.find('=');
    if (sign == each.npos || sign == 0) return std::nullopt;
    auto name = percent_decoded(each.substr(0, sign));
    auto value = percent_decoded(each.substr(sign + 1));
    if (!name || !value) return std::nullopt;
    out.emplace_back(std::move(*name), std::move(*value));
  }
  return out;
}

std::string to_text(const query& all) {
  std::string out;
  for (const auto& [name, value] : all)
    out += (out.empty() ? "" : "&") + escaped(name) + '=' + escaped(value);
  return out;
}

}  // namespace gamehub::app
