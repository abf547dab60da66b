#include "gateways/http/client_id.hpp"

#include "gateways/http/http_limits.hpp"
#include "hub/base/digest.hpp"
#include "hub/base/text.hpp"

#include <algorithm>
#include <ostream>

namespace gamehub::gateways::http {
namespace {

bool is_visible(char c) { return c > 0x20 && c < 0x7F; }

client_key key_of(std::string_view text) {
  client_key out;
  const auto digest = base::sha256(text);
  static_assert(sizeof out.bytes <= sizeof digest);
  std::copy_n(digest.begin(), out.bytes.size(), out.bytes.begin());
  return out;
}

}  // namespace

std::optional<client_key> client_key::of_digest(std::string_view bytes) {
  client_key out;
  if (bytes.size() != out.bytes.size()) return std::nullopt;
  std::copy(bytes.begin(), bytes.end(), out.bytes.begin());
  return out;
}

client_id::client_id(std::string_view text) : text_(text), key_(key_of(text)) {}

bool client_id::acceptable(std::string_view text) {
  return text.size() >= limits::http_client_id_bytes_min &&
         text.size() <= limits::http_client_id_bytes_max &&
         std::all_of(text.begin(), text.end(), is_visible) &&
         text.find_first_not_of(text.front()) != text.npos;
}

std::optional<client_id> client_id::read(std::string_view text) {
  if (!acceptable(text)) return std::nullopt;
  return client_id{text};
}

bool operator==(const client_id& a, const client_id& b) {
  return base::same_secret(a.key_.bytes, b.key_.bytes);
}

std::ostream& operator<<(std::ostream& out, const client_id&) { return out << "(a client_id)"; }
std::ostream& operator<<(std::ostream& out, const client_key&) { return out << "(a client's key)"; }

std::optional<std::string_view> bearer_token(std::string_view authorization) {
  constexpr std::string_view scheme = "bearer";
  const auto space = authorization.find(' ');
  if (space == authorization.npos || !base::same_letters(authorization.substr(0, space), scheme))
    return std::nullopt;
  const auto from = authorization.find_first_not_of(' ', space);
  if (from == authorization.npos) return std::nullopt;
  const auto token = authorization.substr(from);
  return token.substr(0, token.find_last_not_of(' ') + 1);
}

}  // namespace gamehub::gateways::http
