// Addresses and networks as text. Plain functions and values, any thread.
#pragma once

#include "hub/base/endpoint.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gamehub::base {

// IPv4, also where it is spelled as ::ffff:a.b.c.d, or IPv6; no port, no zone.
std::optional<endpoint> read_address(std::string_view text);

// The shortest spelling, without a port.
std::string to_text(const address_bytes&);
std::string to_text(const endpoint&);
// One sender, as hash_of_sender() has it: an IPv4 address, or a network such as 2001:db8::/64.
std::string sender_text(const endpoint&);

// Addresses that share their first bits.
struct network {
  address_bytes address{};
  unsigned bits = 128;  // of the sixteen bytes; an IPv4 prefix and 96
};

// 10.0.0.0/8, fd00::/8, or one address. Nothing also where bits after the prefix are set, since
// then something else was meant.
std::optional<network> read_network(std::string_view text);

// An IPv4 address is in no IPv6 network.
bool contains(const network&, const address_bytes&);
bool contains(const network&, const endpoint&);
bool contains(std::span<const network>, const endpoint&);

}  // namespace gamehub::base
