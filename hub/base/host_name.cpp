#include "hub/base/host_name.hpp"

#include "hub/base/address.hpp"
#include "hub/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>

namespace gamehub::base {
namespace {

constexpr std::size_t host_bytes_max = 253;

bool is_name_character(char c) {
  return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || c == '-' || c == '_';
}

bool is_host_name(std::string_view text) {
  if (text.empty() || text.size() > host_bytes_max || text.front() == '.' || text.back() == '.' ||
      text.find("..") != text.npos)
    return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c == '.' || is_name_character(c); });
}

// Nothing, or a colon and a port.
bool is_port_part(std::string_view text) {
  if (text.empty()) return true;
  constexpr std::size_t digits_max = 5;
  const auto digits = text.substr(1);
  std::uint16_t port = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  return text.front() == ':' && digits.size() <= digits_max && read.ec == std::errc{} &&
         read.ptr == digits.data() + digits.size() && port != 0;
}

bool equal_names(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

bool matches(std::string_view name, std::string_view pattern) {
  if (!pattern.starts_with('.')) return equal_names(name, pattern);
  if (equal_names(name, pattern.substr(1))) return true;
  return name.size() > pattern.size() &&
         equal_names(name.substr(name.size() - pattern.size()), pattern);
}

}  // namespace

bool is_host_pattern(std::string_view text) {
  return is_host_name(text.starts_with('.') ? text.substr(1) : text);
}

bool is_own_host(std::string_view field, std::span<const std::string> patterns) {
  if (field.starts_with('[')) {
    const auto close = field.find(']');
    if (close == field.npos || !is_port_part(field.substr(close + 1))) return false;
    const auto inside = field.substr(1, close - 1);
    return inside.find(':') != inside.npos && read_address(inside).has_value();
  }
  const auto colon = std::min(field.find(':'), field.size());
  if (!is_port_part(field.substr(colon))) return false;
  auto name = field.substr(0, colon);
  if (read_address(name)) return true;
  if (name.ends_with('.')) name.remove_suffix(1);
  return is_host_name(name) &&
         (matches(name, ".localhost") ||
          std::any_of(patterns.begin(), patterns.end(),
                      [&](const std::string& each) { return matches(name, each); }));
}

std::string host_field(std::string_view host, std::uint16_t port) {
  const bool is_ipv6 = host.find(':') != host.npos;
  return (is_ipv6 ? "[" + std::string{host} + "]" : std::string{host}) + ":" + std::to_string(port);
}

}  // namespace gamehub::base
