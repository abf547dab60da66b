#include "hub/base/token_file.hpp"

#include "hub/base/usage_error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace gamehub::base {
namespace {

// Fewer could be guessed.
constexpr std::size_t bytes_min = 16, bytes_max = 256;

}  // namespace

std::string read_token(const std::filesystem::path& file) {
  if (file.empty()) return {};
  std::ifstream in{file};
  std::string token;
  if (!in || !std::getline(in, token))
    throw usage_error{"--admin-token-file " + file.string() + " can't be read (" +
                      std::strerror(in.is_open() && errno == 0 ? ENODATA : errno) +
                      "): give a file with a token on its first line"};
  if (!token.empty() && token.back() == '\r') token.pop_back();
  const bool visible =
      std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 0x7F; });
  if (!visible || token.size() < bytes_min || token.size() > bytes_max)
    throw usage_error{"--admin-token-file " + file.string() +
                      " has no token: its first line has to have 16 to 256 visible characters "
                      "of ASCII, such as openssl rand -hex 32 makes"};
  return token;
}

}  // namespace gamehub::base
