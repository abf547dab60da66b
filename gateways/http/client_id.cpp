#include "gateways/http/client_id.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <ostream>
#include <stdexcept>

#include "gateways/http/http_limits.hpp"

namespace gamehub::gateways::http {
namespace {

bool is_visible(char c) { return c > 0x20 && c < 0x7F; }

bool same_letters(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a | 0x20) : a) == b;
  });
}

// Looked up once: by name it would take longer than the digest itself. It lives as long as the
// program.
const EVP_MD* sha256() {
  static const EVP_MD* const found = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return found;
}

client_key key_of(std::string_view text) {
  client_key out;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, sha256(), nullptr) != 1 ||
      size < out.bytes.size())
    throw std::runtime_error{"http: SHA-256 failed"};
  std::copy_n(digest.begin(), out.bytes.size(), out.bytes.begin());
  return out;
}

}  // namespace

client_id::client_id(std::string_view text) : text_(text), key_(key_of(text)) {}

bool client_id::acceptable(std::string_view text) {
  return text.size() >= limits::http_client_id_bytes_min &&
         text.size() <= limits::http_client_id_bytes_max &&
         std::all_of(text.begin(), text.end(), is_visible);
}

std::optional<client_id> client_id::read(std::string_view text) {
  if (!acceptable(text)) return std::nullopt;
  return client_id{text};
}

bool operator==(const client_id& a, const client_id& b) {
  return CRYPTO_memcmp(a.key_.bytes.data(), b.key_.bytes.data(), a.key_.bytes.size()) == 0;
}

std::ostream& operator<<(std::ostream& out, const client_id&) { return out << "(a client_id)"; }
std::ostream& operator<<(std::ostream& out, const client_key&) { return out << "(a client's key)"; }

std::optional<std::string_view> bearer_token(std::string_view authorization) {
  constexpr std::string_view scheme = "bearer";
  const auto space = authorization.find(' ');
  if (space == authorization.npos || !same_letters(authorization.substr(0, space), scheme))
    return std::nullopt;
  const auto from = authorization.find_first_not_of(' ', space);
  if (from == authorization.npos) return std::nullopt;
  const auto token = authorization.substr(from);
  return token.substr(0, token.find_last_not_of(' ') + 1);
}

}  // namespace gamehub::gateways::http
