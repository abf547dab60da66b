#include "tests/contract/engine_contract.hpp"

#include "engines/host/loader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitized.hpp"

#include <set>
#include <string>

namespace gamehub::tests {
namespace {

engines::host::engine loaded(const char* path) {
  auto found = engines::host::load(path);
  if (const auto* wrong = std::get_if<std::string>(&found)) throw std::runtime_error(*wrong);
  return std::get<engines::host::engine>(found);
}

TEST_CASE("engine_contract: is kept by every built-in engine") {
  const auto known = engines::host::registry::built_in();
  REQUIRE(known.all().size() >= 4);
  std::set<std::string, std::less<>> ids;
  for (const auto& rules : known.all()) {
    INFO(rules.id());
    CHECK(ids.emplace(rules.id()).second);
    check_engine_contract(rules, {.playouts = sanitized ? 3 : 10});
  }
}

TEST_CASE("engine_contract: is kept by the same source as a plugin") {
  const auto plugin = loaded(GAMEHUB_TICTACTOE_PLUGIN);
  const auto compiled_in = built_in("tictactoe");
  CHECK_FALSE(plugin == compiled_in);
  check_engine_contract(plugin);

  auto a = std::get<engines::host::match>(plugin.create(""));
  auto b = std::get<engines::host::match>(compiled_in.create(""));
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

TEST_CASE("engine_contract: is kept by an engine in plain C") {
  const auto chomp = loaded(GAMEHUB_CHOMP_PLUGIN);
  CHECK(chomp.id() == "chomp");
  check_engine_contract(chomp);
}

TEST_CASE("engine_contract: is kept by the examples of chance and of hidden cells") {
  const auto pig = loaded(GAMEHUB_PIG_PLUGIN);
  CHECK(pig.id() == "pig");
  CHECK(pig.has_score());
  CHECK(pig.has_summary());
  CHECK(pig.face().find("\"blurb\":\"Roll once more, or hold what you have.\"") !=
        std::string::npos);
  check_engine_contract(pig, {.playouts = 5});
  const auto seek = loaded(GAMEHUB_SEEK_PLUGIN);
  CHECK(seek.id() == "seek");
  check_engine_contract(seek);
}

}  // namespace
}  // namespace gamehub::tests
