#include "tests/contract/engine_contract.hpp"

#include "tests/support/catch.hpp"

#include <dlfcn.h>

#include <set>
#include <string>

namespace gamehub::tests {
namespace {

// Opened for good: code that was loaded is never unloaded.
const gamehub_engine_abi* open(const char* path) {
  void* plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) throw std::runtime_error(dlerror());
  auto* entry = reinterpret_cast<gamehub_engine_function>(dlsym(plugin, GAMEHUB_ENGINE_SYMBOL));
  if (entry == nullptr) throw std::runtime_error(dlerror());
  return entry();
}

engines::engine loaded(const char* path) {
  auto adopted = engines::engine::adopt(open(path));
  if (const auto* wrong = std::get_if<std::string>(&adopted)) throw std::runtime_error(*wrong);
  return std::get<engines::engine>(adopted);
}

TEST_CASE("engine_contract: is kept by every engine that was compiled in") {
  const auto known = engines::registry::built_in();
  REQUIRE(known.all().size() >= 4);
  std::set<std::string, std::less<>> ids;
  for (const auto& rules : known.all()) {
    INFO(rules.id());
    CHECK(ids.emplace(rules.id()).second);
    check_engine_contract(rules, {.playouts = 10});
  }
}

TEST_CASE("engine_contract: is kept by the same source as a plugin") {
  const auto plugin = loaded(GAMEHUB_TICTACTOE_PLUGIN);
  const auto compiled_in = built_in("tictactoe");
  CHECK_FALSE(plugin == compiled_in);
  check_engine_contract(plugin);

  auto a = std::get<engines::match>(plugin.create(""));
  auto b = std::get<engines::match>(compiled_in.create(""));
  for (const engines::action cell : {4, 4, 0, 9, 2, 6}) {
    const int seat = a.to_move() == engines::only(0) ? 0 : 1;
    const auto* why_a = a.apply(seat, cell);
    const auto* why_b = b.apply(seat, cell);
    CHECK(std::string{why_a ? why_a : ""} == std::string{why_b ? why_b : ""});
    CHECK(a.hash() == b.hash());
    CHECK(a.save() == b.save());
  }
}

TEST_CASE("engine_contract: is kept by the example of the README") {
  const auto last_stone = loaded(GAMEHUB_README_PLUGIN);
  CHECK(last_stone.id() == "last-stone");
  check_engine_contract(last_stone);
}

}  // namespace
}  // namespace gamehub::tests
