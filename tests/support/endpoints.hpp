// Addresses for tests, written in short.
#pragma once

#include "hub/base/endpoint.hpp"

#include <cstdint>

namespace gamehub::tests {

// As an IPv6 address that holds one of IPv4, most significant byte first.
inline base::endpoint ipv4(std::uint32_t address, std::uint16_t port) {
  base::endpoint e;
  e.address[10] = e.address[11] = 0xFF;
  for (std::size_t i = 0; i < 4; ++i)
    e.address[12 + i] = static_cast<std::uint8_t>(address >> (24 - 8 * i));
  e.port = port;
  return e;
}

}  // namespace gamehub::tests
