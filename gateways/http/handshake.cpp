#include "gateways/http/server/handshake.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gamehub::gateways::http::server {

namespace {

// Shows that whoever answers knows what a WebSocket is.
constexpr std::string_view magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
// Sixteen bytes in base 64.
constexpr std::size_t key_size = 24;

bool same_letters(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a | 0x20) : a) == b;
  });
}

bool is_key(std::string_view text) {
  return text.size() == key_size && text.ends_with("==") &&
         std::all_of(text.begin(), text.end() - 2, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                  c == '+' || c == '/';
         });
}

std::string accept_of(std::string_view key) {
  const auto text = std::string{key} + std::string{magic};
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr) != 1)
    throw std::runtime_error{"http: SHA-1 failed"};
  std::array<unsigned char, 2 * EVP_MAX_MD_SIZE> spelled{};
  const auto length = EVP_EncodeBlock(spelled.data(), digest.data(), static_cast<int>(size));
  return {spelled.begin(), spelled.begin() + length};
}

error upgrade_required() {
  auto e = bad_request("this path is for WebSockets of version 13: ask with Upgrade: websocket");
  e.status = 426;
  return e;
}

}  // namespace

std::variant<response, error> accept_socket(const request& r) {
  if (!same_letters(r.upgrade, "websocket") || r.websocket_version != "13")
    return upgrade_required();
  if (!r.repeated_field.empty() || !is_key(r.websocket_key))
    return bad_request("Sec-WebSocket-Key has to be 16 bytes in base 64");
  response out;
  out.status = 101;
  out.fields.push_back({"Upgrade", "websocket"});
  out.fields.push_back({"Sec-WebSocket-Accept", accept_of(r.websocket_key)});
  return out;
}

}  // namespace gamehub::gateways::http::server
