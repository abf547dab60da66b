// Digests of text, and comparison of secrets, computed by OpenSSL. Plain functions, any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gamehub::base {

// Throw std::runtime_error if OpenSSL has no such digest.
std::array<std::uint8_t, 32> sha256(std::string_view);
// HMAC (RFC 2104) with SHA-256.
std::array<std::uint8_t, 32> hmac_sha256(std::string_view key, std::string_view text);
// Only for the WebSocket handshake (RFC 6455), which protects nothing by it.
std::array<std::uint8_t, 20> sha1(std::string_view);

// RFC 4648, with padding.
std::string base64(std::span<const std::uint8_t>);

// The time of the comparison depends on the sizes only, so that a secret can't be found byte by
// byte.
bool same_secret(std::span<const std::uint8_t>, std::span<const std::uint8_t>);
bool same_secret(std::string_view, std::string_view);

}  // namespace gamehub::base
