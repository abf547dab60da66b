#include "hub/base/digest.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace gamehub::base {
namespace {

struct free_context {
  void operator()(EVP_MD_CTX* what) const { EVP_MD_CTX_free(what); }
};

template <std::size_t Size>
std::array<std::uint8_t, Size> digest(std::string_view text, const EVP_MD* algorithm,
                                      const char* name) {
  // To allocate a context takes as long as the digest of a short text.
  thread_local const std::unique_ptr<EVP_MD_CTX, free_context> context{EVP_MD_CTX_new()};
  std::array<std::uint8_t, Size> out{};
  if (algorithm == nullptr || EVP_MD_get_size(algorithm) != static_cast<int>(Size) ||
      EVP_DigestInit_ex2(context.get(), algorithm, nullptr) != 1 ||
      EVP_DigestUpdate(context.get(), text.data(), text.size()) != 1 ||
      EVP_DigestFinal_ex(context.get(), out.data(), nullptr) != 1)
    throw std::runtime_error{std::string{name} + " failed"};
  return out;
}

}  // namespace

std::array<std::uint8_t, 32> sha256(std::string_view text) {
  // Fetched once and never freed: a lookup by name takes longer than the digest itself.
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return digest<32>(text, algorithm, "SHA-256");
}

std::array<std::uint8_t, 32> hmac_sha256(std::string_view key, std::string_view text) {
  std::array<std::uint8_t, 32> out{};
  unsigned int size = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(text.data()), text.size(), out.data(),
           &size) == nullptr ||
      size != out.size())
    throw std::runtime_error{"HMAC-SHA-256 failed"};
  return out;
}

std::array<std::uint8_t, 20> sha1(std::string_view text) {
  return digest<20>(text, EVP_sha1(), "SHA-1");
}

std::string base64(std::span<const std::uint8_t> bytes) {
  // EVP_EncodeBlock writes a zero after the text.
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const auto size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()), bytes.data(),
                                    static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(size));
  return out;
}

bool same_secret(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

bool same_secret(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace gamehub::base
