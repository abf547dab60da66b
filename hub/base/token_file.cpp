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
  const auto refuse = [&](const std::string& why) {
    throw usage_error{"--admin-token-file " + file.string() + " " + why +
                      ": give a file with a token on its first line"};
  };
  std::error_code unknown;
  if (std::filesystem::is_directory(file, unknown)) refuse("is a folder");
  errno = 0;
  std::ifstream in{file};
  if (!in) refuse("can't be read (" + std::string{std::strerror(errno)} + ")");
  std::string token;
  if (!std::getline(in, token)) refuse("is empty");
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
