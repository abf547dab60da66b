#include "hub/moderation/sanction_file.hpp"

#include "hub/base/usage_error.hpp"
#include "tests/moderation/sanction_contract.hpp"
#include "tests/moderation/sanction_folder.hpp"
#include "tests/support/catch.hpp"

#include <fstream>

namespace gamehub::moderation {
namespace {

using folder = tests::sanction_folder;

TEST_CASE("sanction_file: keeps the contract of a table of sanctions") {
  const folder in;
  tests::check_sanction_contract([&] { return make_sanction_file(in.file()); });
}

TEST_CASE("sanction_file: a foreign file is a usage error and stays unchanged") {
  const folder in;
  for (const auto* text : {"no json", "{}", R"({"sanctions":[{"kind":"x","whom":"eve"}]})",
                           R"({"sanctions":[{"kind":"banned-address","whom":"10.0.0.1/8"}]})"}) {
    std::ofstream{in.file()} << text;
    CHECK_THROWS_AS(make_sanction_file(in.file()), base::usage_error);
  }
  CHECK_THROWS_AS(read_sanctions(in.path / "missing"), base::usage_error);
}

}  // namespace
}  // namespace gamehub::moderation
