#include "hub/core/player_name.hpp"

#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/deceptive_names.hpp"

#include <string>

using namespace gamehub;

TEST_CASE("player_name: names of people and programs are acceptable in any script") {
  for (const auto* name : {"ann", "Ann-Marie O'Neil", "Minimax (deep) [v2]", "b\u00f6t",
                           "\u738b\u4e94", "\u0410\u043d\u043d\u0430", "\u65e5\u672c go",
                           "ann \U0001F600", "x", "engineer", "operators", "botany"}) {
    CAPTURE(name);
    CHECK(is_acceptable_name(name));
    CHECK_FALSE(is_reserved_name(name));
  }
  CHECK(is_acceptable_name(std::string(limits::name_bytes_max, 'a')));
  for (const auto& name : {std::string{}, std::string{" a"}, std::string{"a "}, std::string{"a  b"},
                           std::string{"\xff"}, std::string("a\0b", 3),
                           std::string(limits::name_bytes_max + 1, 'a')}) {
    CAPTURE(name);
    CHECK_FALSE(is_acceptable_name(name));
  }
}

TEST_CASE("player_name: the hub's own names are reserved, however they are spelled") {
  for (const auto* name : {"operator", "OPERATOR", "0perator", "operator-1", "operator 2", "engine",
                           "Engine (perfect)", "engine (easy)-1", "bot:ann", "Bot:Ann"}) {
    CAPTURE(name);
    CHECK(is_reserved_name(name));
  }
}

TEST_CASE("player_name: no name that deceives is taken as it came") {
  CHECK(tests::deceptive_names.size() >= 24);
  for (const auto& name : tests::deceptive_names) {
    CAPTURE(name);
    CHECK((!is_acceptable_name(name) || is_reserved_name(name)));
  }
}
