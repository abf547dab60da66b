#include "engines/host/registry.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace gamehub::engines::host {
namespace {

// Another version of an engine that was compiled in. Its description must outlive all that use it.
engine in_version(const char* id, std::uint32_t major, std::uint32_t minor) {
  for (const auto* abi : built_in_engines()) {
    if (std::string{abi->id} != id) continue;
    auto* copy = new gamehub_engine_abi{*abi};
    copy->version_major = major;
    copy->version_minor = minor;
    static std::vector<std::unique_ptr<gamehub_engine_abi>> kept;
    kept.emplace_back(copy);
    return std::get<engine>(engine::adopt(copy));
  }
  throw std::out_of_range(id);
}

TEST_CASE("registry: knows the engines of every folder, sorted") {
  std::vector<std::string> ids;
  const auto engines = registry::built_in();
  for (const auto& e : engines.all()) ids.emplace_back(e.id());
  CHECK(std::is_sorted(ids.begin(), ids.end()));
  for (const char* id : {"connect-four", "kuhn-poker", "rock-paper-scissors", "tictactoe"})
    CHECK(std::count(ids.begin(), ids.end(), id) == 1);
}

TEST_CASE("registry: finds nothing under a name that it does not know") {
  CHECK_FALSE(registry::built_in().find("tic"));
  CHECK_FALSE(registry::built_in().find(""));
  CHECK_FALSE(registry{}.find("tictactoe"));
}

TEST_CASE("registry: finds the newest version, and every other by its number") {
  auto engines = registry::built_in();
  REQUIRE_FALSE(engines.add(in_version("tictactoe", 1, 10)));
  REQUIRE_FALSE(engines.add(in_version("tictactoe", 1, 9)));
  CHECK(engines.find("tictactoe")->version_text() == "1.10.0");
  CHECK(engines.find("tictactoe", "1.0.0")->version_text() == "1.0.0");
  CHECK(engines.find("tictactoe", "1.9.0"));
  CHECK_FALSE(engines.find("tictactoe", "1.8.0"));
}

TEST_CASE("registry: refuses the same version twice and names it") {
  auto engines = registry::built_in();
  CHECK(engines.add(*engines.find("tictactoe")) ==
        "engine tictactoe is already there in version 1.0.0");
}

}  // namespace
}  // namespace gamehub::engines::host
