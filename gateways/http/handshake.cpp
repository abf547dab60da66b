#include "gateways/http/handshake.hpp"

#include "hub/base/digest.hpp"
#include "hub/base/text.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace gamehub::gateways::http {

namespace {

// The constant of the handshake (RFC 6455, section 1.3).
constexpr std::string_view magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
// The length of 16 bytes in base64.
constexpr std::size_t key_size = 24;

bool is_key(std::string_view text) {
  return text.size() == key_size && text.ends_with("==") &&
         std::all_of(text.begin(), text.end() - 2, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                  c == '+' || c == '/';
         });
}

std::string accept_of(std::string_view key) {
  return base::base64(base::sha1(std::string{key} + std::string{magic}));
}

error upgrade_required() {
  auto e = bad_request(
      "this path is for WebSockets of version 13: ask with Connection: Upgrade and Upgrade: "
      "websocket");
  e.status = 426;
  return e;
}

}  // namespace

std::variant<response, error> accept_socket(const request& r) {
  if (!base::same_letters(r.upgrade, "websocket") || r.websocket_version != "13")
    return upgrade_required();
  if (!r.repeated_field.empty() || !is_key(r.websocket_key))
    return bad_request("Sec-WebSocket-Key has to be 16 bytes in base 64");
  response out;
  out.status = 101;
  out.fields.push_back({"Upgrade", "websocket"});
  out.fields.push_back({"Sec-WebSocket-Accept", accept_of(r.websocket_key)});
  return out;
}

}  // namespace gamehub::gateways::http
