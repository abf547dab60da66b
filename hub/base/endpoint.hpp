// Where a datagram comes from: the address with its port, in one form for IPv4 and IPv6. Hashed
// with a secret, so that no client can choose addresses that collide. Plain values, any thread.
#pragma once

#include <array>
#include <cstdint>

namespace gamehub::base {

using address_bytes = std::array<std::uint8_t, 16>;  // IPv4 as ::ffff:a.b.c.d

struct endpoint {
  address_bytes address{};
  std::uint32_t scope = 0;  // of a link-local address
  std::uint16_t port = 0;

  friend bool operator==(const endpoint&, const endpoint&) = default;
};

bool is_ipv4(const address_bytes&);
bool is_ipv4(const endpoint&);
bool is_loopback(const endpoint&);

// 128 random bits, drawn once and kept secret.
struct hash_key {
  std::uint64_t first = 0, second = 0;
};

// SipHash-1-3 (Aumasson and Bernstein, 2012): fast, and without the key no client can tell which
// inputs collide.
std::uint64_t hash_of(const endpoint&, const hash_key&);

// What counts as one sender: an IPv4 address, or the 64 bits of an IPv6 network, in which one host
// has all the addresses it likes. Its address has zeros after those bits.
address_bytes sender_of(const address_bytes&);
std::uint64_t hash_of_sender(const endpoint&, const hash_key&);

}  // namespace gamehub::base
