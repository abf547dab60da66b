#include "tests/tidy/tree.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

namespace gamehub::tests::tidy {
namespace {

constexpr std::string_view text_extensions[] = {".hpp", ".cpp",  ".h",   ".c",    ".cmake", ".sh",
                                                ".py",  ".yaml", ".yml", ".toml", ".md",    ".in",
                                                ".js",  ".mjs",  ".css", ".html"};
constexpr std::string_view text_names[] = {"dev", "run", "CMakeLists.txt", "packages.txt",
                                           "Dockerfile"};
constexpr std::string_view data_folders[] = {"build", "corpus", "samples", "transcripts",
                                             "node_modules"};

template <std::size_t n>
bool is_one_of(const std::string_view (&names)[n], const std::filesystem::path& name) {
  return std::find(std::begin(names), std::end(names), name.string()) != std::end(names);
}

bool is_left_out(const std::filesystem::path& folder) {
  const auto name = folder.filename();
  return is_one_of(data_folders, name) || (name.string().starts_with('.') && name != ".ci");
}

}  // namespace

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, std::istreambuf_iterator<char>{}};
}

std::vector<source_file> read_tree(const std::filesystem::path& root) {
  std::vector<source_file> files;
  const auto end = std::filesystem::recursive_directory_iterator{};
  for (auto at = std::filesystem::recursive_directory_iterator{root}; at != end; ++at) {
    const auto& path = at->path();
    if (at->is_directory()) {
      if (is_left_out(path)) at.disable_recursion_pending();
    } else if (is_one_of(text_extensions, path.extension()) ||
               is_one_of(text_names, path.filename())) {
      files.push_back({path.lexically_relative(root).generic_string(), read_text(path)});
    }
  }
  std::sort(files.begin(), files.end(),
            [](const source_file& a, const source_file& b) { return a.path < b.path; });
  return files;
}

}  // namespace gamehub::tests::tidy
