#include "engines/host/shared_data.hpp"

#include "engines/dice.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace gamehub::engines::host {
namespace {

using names = std::vector<std::string>;

std::string plugin(const char* name) { return std::string{GAMEHUB_TEST_PLUGINS} + '/' + name; }

TEST_CASE("shared_data: is what the linker binds by its name alone") {
  CHECK(shared_data_of(plugin("plain/shares_1.so")) ==
        names{"_ZN5plain9constantsINS_4gameEE7releaseE"});
}

TEST_CASE("shared_data: a correct plugin has no shared data, apart from the standard library") {
  CHECK(shared_data_of(plugin("good/last_cell_1.0.so")).empty());
  CHECK(shared_data_of(plugin("plain/plain_1.so")).empty());
  CHECK(shared_data_of(GAMEHUB_TICTACTOE_PLUGIN).empty());
}

TEST_CASE("shared_data: a file that is not a library has no shared data") {
  CHECK(shared_data_of("/no/such/file").empty());
  CHECK(shared_data_of(plugin("bad/no_library.so")).empty());
  std::ifstream in{plugin("plain/shares_1.so"), std::ios::binary};
  const std::string whole{std::istreambuf_iterator<char>{in}, std::istreambuf_iterator<char>{}};
  const auto path = plugin("damaged.so");
  rng d{7};
  for (int i = 0; i < 300; ++i) {
    auto damaged = whole;
    // The headers stand at the beginning and at the end.
    if (i % 3 == 0) damaged.resize(d.below(whole.size()));
    for (int n = 0; n < 8 && !damaged.empty(); ++n) {
      const auto part = std::min<std::size_t>(damaged.size(), 4096);
      const auto at = n % 2 == 0 ? d.below(part) : damaged.size() - 1 - d.below(part);
      damaged[at] = static_cast<char>(d.next());
    }
    std::ofstream{path, std::ios::binary} << damaged;
    shared_data_of(path);
  }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace gamehub::engines::host
