#include <openssl/evp.h>

#include <array>
#include <stdexcept>
#include <string>

#include "hub/journal/record.hpp"

namespace gamehub::journal {

// A secret has 128 random bits, so a plain digest can't be guessed back; half of it is as hard.
std::string digest_of(const std::string& secret) {
  constexpr std::size_t kept = 16;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(secret.data(), secret.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1 ||
      size < kept)
    throw std::runtime_error{"journal: SHA-256 failed"};
  return {digest.begin(), digest.begin() + kept};
}

}  // namespace gamehub::journal
