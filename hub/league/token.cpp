#include "hub/arena/token.hpp"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>
#include <string_view>

namespace gamehub::arena {

// The word in front lets people, and programs that look for secrets in sources, tell what it is.
std::string make_token(random_source& chance) { return "gamehub-" + chance.secret(); }

std::string digest_of_token(const std::string& token) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(token.data(), token.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error{"arena: SHA-256 failed"};
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (unsigned int i = 0; i < size; ++i) {
    out += digits[digest.at(i) >> 4];
    out += digits[digest.at(i) & 15];
  }
  return out;
}

std::string owner_of_unknown(const std::string& token) {
  constexpr std::size_t shown = 16;
  return "open:" + digest_of_token(token).substr(0, shown);
}

}  // namespace gamehub::arena
