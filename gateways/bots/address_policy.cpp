#include "gateways/jsonrpc/address_policy.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace gamehub::gateways::bots {
namespace {

// A network that nobody else's bot is in (the registries of special-purpose addresses, RFC 6890 and
// what followed).
struct special {
  std::string_view network;
  std::string_view is;
};

// The first that fits says it best.
constexpr special specials[] = {
    {"127.0.0.0/8", "a loopback address"},
    {"::1", "a loopback address"},
    {"0.0.0.0/8", "the address of this host"},
    {"::", "the address of this host"},
    // What machines in clouds ask for their credentials.
    {"169.254.169.254", "the address of a metadata service"},
    {"168.63.129.16", "the address of a metadata service"},
    {"100.100.100.200", "the address of a metadata service"},
    {"192.0.0.192", "the address of a metadata service"},
    {"fd00:ec2::254", "the address of a metadata service"},
    {"169.254.0.0/16", "a link-local address"},
    {"fe80::/10", "a link-local address"},
    {"10.0.0.0/8", "a private address"},
    {"172.16.0.0/12", "a private address"},
    {"192.168.0.0/16", "a private address"},
    {"100.64.0.0/10", "a private address"},
    {"fc00::/7", "a private address"},
    {"fec0::/10", "a private address"},
    {"224.0.0.0/4", "a multicast address"},
    {"ff00::/8", "a multicast address"},
    {"192.0.0.0/24", "a reserved address"},
    {"192.0.2.0/24", "a reserved address"},
    {"192.88.99.0/24", "a reserved address"},
    {"198.18.0.0/15", "a reserved address"},
    {"198.51.100.0/24", "a reserved address"},
    {"203.0.113.0/24", "a reserved address"},
    {"240.0.0.0/4", "a reserved address"},
    // Those that lead to an IPv4 address by way of somebody else.
    {"::/96", "an IPv4 address in an IPv6 one"},
    {"64:ff9b:1::/48", "an IPv4 address in an IPv6 one"},
    {"2002::/16", "an IPv4 address in an IPv6 one (6to4)"},
    {"2001::/32", "an IPv4 address in an IPv6 one (Teredo)"},
    {"2001::/23", "a reserved address"},
    {"2001:db8::/32", "a reserved address"},
    {"3fff::/20", "a reserved address"},
    {"5f00::/16", "a reserved address"},
    {"100::/64", "a reserved address"},
};

struct judged {
  http::network network;
  std::string_view is;
};

const std::vector<judged>& table() {
  static const auto made = [] {
    std::vector<judged> out;
    for (const auto& each : specials) out.push_back({*http::read_network(each.network), each.is});
    return out;
  }();
  return made;
}

// What a translator makes of an IPv4 address (NAT64, RFC 6052) is called as that is.
endpoint unwrapped(const endpoint& e) {
  static const auto nat64 = *http::read_network("64:ff9b::/96");
  if (!contains(nat64, e)) return e;
  auto out = e;
  std::fill_n(out.address.begin(), 10, std::uint8_t{0});
  out.address[10] = out.address[11] = 0xFF;
  return out;
}

}  // namespace

std::optional<std::string_view> address_policy::why_not(const endpoint& e) const {
  const auto real = unwrapped(e);
  if (contains(allowed_, e) || contains(allowed_, real)) return std::nullopt;
  const auto& all = table();
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const judged& each) { return contains(each.network, real); });
  if (at != all.end()) return at->is;
  // Whoever means a certain network of this host's says its zone: none is anybody's from afar.
  if (e.scope != 0) return "a link-local address";
  return std::nullopt;
}

}  // namespace gamehub::gateways::jsonrpc
