#include "gateways/bots/address_policy.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace gamehub::gateways::bots {
namespace {

// A special-purpose network, in which no bot of another owner can be (RFC 6890 and its registries).
struct special {
  std::string_view network;
  std::string_view is;
};

// The first match gives the most specific text.
constexpr special specials[] = {
    {"127.0.0.0/8", "a loopback address"},
    {"::1", "a loopback address"},
    {"0.0.0.0/8", "the address of this host"},
    {"::", "the address of this host"},
    // Metadata services of cloud providers, which hand out credentials.
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
    // IPv6 forms that lead to an IPv4 address.
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

struct network_rule {
  base::network network;
  std::string_view is;
};

const std::vector<network_rule>& table() {
  static const auto made = [] {
    std::vector<network_rule> out;
    for (const auto& each : specials) out.push_back({*base::read_network(each.network), each.is});
    return out;
  }();
  return made;
}

// Returns the IPv4 address inside an address of NAT64 (RFC 6052) or SIIT (RFC 2765), or the address
// itself.
base::endpoint unwrapped(const base::endpoint& e) {
  static const auto nat64 = *base::read_network("64:ff9b::/96");
  static const auto siit = *base::read_network("::ffff:0:0:0/96");
  if (!base::contains(nat64, e) && !base::contains(siit, e)) return e;
  auto out = e;
  std::fill_n(out.address.begin(), 10, std::uint8_t{0});
  out.address[10] = out.address[11] = 0xFF;
  return out;
}

}  // namespace

std::optional<std::string_view> address_policy::why_not(const base::endpoint& e) const {
  const auto real = unwrapped(e);
  if (base::contains(allowed_, e) || base::contains(allowed_, real)) return std::nullopt;
  const auto& all = table();
  const auto at = std::find_if(all.begin(), all.end(), [&](const network_rule& each) {
    return base::contains(each.network, real);
  });
  if (at != all.end()) return at->is;
  // An address with a zone belongs to a network of this host.
  if (e.scope != 0) return "a link-local address";
  return std::nullopt;
}

}  // namespace gamehub::gateways::bots
