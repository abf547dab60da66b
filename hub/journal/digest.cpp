#include "hub/base/digest.hpp"

#include "hub/journal/record.hpp"

#include <string>

namespace gamehub::journal {

// A secret has 128 random bits, so a plain digest can't be guessed back; half of it is as hard.
std::string digest_of(const std::string& secret) {
  constexpr std::ptrdiff_t kept = 16;
  const auto digest = base::sha256(secret);
  return {digest.begin(), digest.begin() + kept};
}

}  // namespace gamehub::journal
