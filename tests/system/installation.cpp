#include "tests/system/installation.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace gamehub::tests::system {

namespace {

namespace fs = std::filesystem;

// For a compiler, on a machine that does much else.
constexpr std::chrono::milliseconds build_time = 12 * patience;

std::string path_variable() {
  const char* path = std::getenv("PATH");
  return path == nullptr ? "/usr/bin:/bin" : path;
}

}  // namespace

installation::installation(const std::string& component) {
  std::vector<std::string> words{GAMEHUB_CMAKE, "--install", GAMEHUB_BUILD_DIR, "--prefix",
                                 prefix_};
  if (!component.empty()) words.insert(words.end(), {"--strip", "--component", component});
  const auto made = run({words, {}, {}, build_time});
  if (made.exit_code != 0) throw std::runtime_error{made.output + made.errors};
}

std::string installation::make_folder(const std::string& name) const {
  const auto path = folder_.path() + "/" + name;
  fs::create_directory(path);
  return path;
}

std::vector<std::string> installation::files() const {
  std::vector<std::string> out;
  for (const auto& each : fs::recursive_directory_iterator{prefix_})
    if (each.is_regular_file()) out.push_back(fs::relative(each.path(), prefix_).string());
  std::sort(out.begin(), out.end());
  return out;
}

std::map<std::string, std::string> installation::variables() const {
  return {{"PATH", prefix_ + "/bin:" + path_variable()},
          {"CMAKE_PREFIX_PATH", prefix_},
          {"PKG_CONFIG_PATH", prefix_ + "/share/pkgconfig"}};
}

run_result installation::shell(const std::string& folder, const std::string& line) const {
  return run({{"bash", "-euo", "pipefail", "-c", line}, variables(), folder, build_time});
}

bool has_tool(const std::string& name) {
  return run({{"bash", "-c", "command -v " + name}, {}}).exit_code == 0;
}

}  // namespace gamehub::tests::system
