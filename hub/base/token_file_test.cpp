#include "hub/base/token_file.hpp"

#include "hub/base/usage_error.hpp"
#include "tests/support/catch.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace gamehub::base {
namespace {

namespace fs = std::filesystem;

TEST_CASE("token: is the first line of its file") {
  auto name = (fs::temp_directory_path() / "gamehub-token-XXXXXX").string();
  const fs::path folder = mkdtemp(name.data());
  const auto read = [&](const std::string& text) {
    std::ofstream{folder / "token"} << text;
    return read_token(folder / "token");
  };
  CHECK(read_token({}).empty());
  CHECK(read("0123456789abcdef\n") == "0123456789abcdef");
  CHECK(read("0123456789abcdef") == "0123456789abcdef");
  CHECK(read("0123456789abcdef\r\nmore\n") == "0123456789abcdef");
  for (const auto& bad :
       {std::string{}, std::string{"short"}, std::string(257, 'x'),
        std::string{"0123456789 abcdef"}, "0123456789\xc3\xa9" + std::string{"abcdef"}})
    CHECK_THROWS_AS(read(bad), usage_error);
  CHECK_THROWS_AS(read_token(folder / "missing"), usage_error);
  const auto why_not = [](const fs::path& file) {
    try {
      read_token(file);
    } catch (const usage_error& e) {
      return std::string{e.what()};
    }
    return std::string{};
  };
  std::ofstream{folder / "empty"};
  CHECK(why_not(folder / "empty").find("/empty is empty: give") != std::string::npos);
  CHECK(why_not(folder / "missing").find("(No such file or directory)") != std::string::npos);
  CHECK(why_not(folder).find(" is a folder: give") != std::string::npos);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace gamehub::base
