#include "hub/link/peer_address.hpp"

#include "hub/base/address.hpp"

#include <charconv>
#include <cstdint>

namespace gamehub::link {

std::optional<base::endpoint> read_peer_address(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == text.npos) return std::nullopt;
  auto host = text.substr(0, colon);
  const auto digits = text.substr(colon + 1);
  const bool brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (brackets) host = host.substr(1, host.size() - 2);
  // Without brackets the last group of an IPv6 address would be the port.
  if (brackets != (host.find(':') != host.npos)) return std::nullopt;
  std::uint16_t port = 0;
  const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (wrong != std::errc{} || end != digits.data() + digits.size() || port == 0)
    return std::nullopt;
  auto found = base::read_address(host);
  if (found) found->port = port;
  return found;
}

std::string peer_address_text(const base::endpoint& at) {
  const auto host = base::to_text(at);
  return (base::is_ipv4(at) ? host : "[" + host + "]") + ":" + std::to_string(at.port);
}

}  // namespace gamehub::link
