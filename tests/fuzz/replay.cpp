// Runs a fuzz target over files, once each: with any compiler, so that what was found once is
// tested always. The arguments are files and folders.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

int replay(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  const std::string bytes{std::istreambuf_iterator<char>{in}, {}};
  std::printf("%s\n", file.c_str());
  std::fflush(stdout);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  int replayed = 0;
  for (int i = 1; i < count; ++i) {
    if (!std::filesystem::is_directory(arguments[i])) {
      replayed += replay(arguments[i]);
      continue;
    }
    for (const auto& each : std::filesystem::directory_iterator{arguments[i]})
      replayed += replay(each.path());
  }
  if (replayed == 0) std::fprintf(stderr, "replay: found no files\n");
  return replayed == 0 ? 1 : 0;
}
