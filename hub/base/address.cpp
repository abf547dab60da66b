#include "hub/base/address.hpp"

#include <boost/url/ipv4_address.hpp>
#include <boost/url/ipv6_address.hpp>

#include <algorithm>
#include <charconv>

namespace gamehub::base {
namespace {

namespace urls = boost::urls;

constexpr std::size_t ipv4_offset = 12;

endpoint from_ipv4(const urls::ipv4_address& from) {
  endpoint out;
  out.address[10] = out.address[11] = 0xFF;
  const auto bytes = from.to_bytes();
  std::copy(bytes.begin(), bytes.end(), out.address.begin() + ipv4_offset);
  return out;
}

endpoint from_ipv6(const urls::ipv6_address& from) {
  endpoint out;
  const auto bytes = from.to_bytes();
  std::copy(bytes.begin(), bytes.end(), out.address.begin());
  return out;
}

bool bit_of(const address_bytes& a, unsigned at) { return (a[at / 8] >> (7 - at % 8) & 1) != 0; }

std::optional<unsigned> read_bits(std::string_view text, unsigned most) {
  unsigned out = 0;
  const auto* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, out);
  if (read.ec != std::errc{} || read.ptr != end || out > most) return std::nullopt;
  return out;
}

}  // namespace

std::optional<endpoint> read_address(std::string_view text) {
  if (const auto four = urls::parse_ipv4_address({text.data(), text.size()}))
    return from_ipv4(*four);
  if (const auto six = urls::parse_ipv6_address({text.data(), text.size()})) return from_ipv6(*six);
  return std::nullopt;
}

std::string to_text(const address_bytes& a) {
  if (is_ipv4(a)) {
    urls::ipv4_address::bytes_type bytes{};
    std::copy(a.begin() + ipv4_offset, a.end(), bytes.begin());
    return urls::ipv4_address{bytes}.to_string();
  }
  urls::ipv6_address::bytes_type bytes{};
  std::copy(a.begin(), a.end(), bytes.begin());
  return urls::ipv6_address{bytes}.to_string();
}

std::string to_text(const endpoint& e) { return to_text(e.address); }

std::string sender_text(const endpoint& e) {
  if (is_ipv4(e)) return to_text(e);
  auto network = e.address;
  std::fill(network.begin() + network.size() / 2, network.end(), std::uint8_t{0});
  return to_text(network) + "/64";
}

std::optional<network> read_network(std::string_view text) {
  const auto slash = text.find('/');
  const auto address = read_address(text.substr(0, slash));
  if (!address) return std::nullopt;
  network out{address->address, 128};
  if (slash != text.npos) {
    const bool four = is_ipv4(*address);
    const auto bits = read_bits(text.substr(slash + 1), four ? 32 : 128);
    if (!bits) return std::nullopt;
    out.bits = *bits + (four ? 96 : 0);
  }
  for (auto at = out.bits; at < 128; ++at)
    if (bit_of(address->address, at)) return std::nullopt;
  return out;
}

bool contains(const network& n, const address_bytes& a) {
  if (is_ipv4(n.address) != is_ipv4(a)) return false;
  const auto whole = n.bits / 8;
  if (!std::equal(a.begin(), a.begin() + whole, n.address.begin())) return false;
  const auto rest = n.bits % 8;
  return rest == 0 || (a[whole] ^ n.address[whole]) >> (8 - rest) == 0;
}

bool contains(const network& n, const endpoint& e) { return contains(n, e.address); }

bool contains(std::span<const network> networks, const endpoint& e) {
  return std::any_of(networks.begin(), networks.end(),
                     [&](const network& each) { return contains(each, e); });
}

}  // namespace gamehub::base
