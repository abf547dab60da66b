#include "gateways/http/parameters.hpp"
#include "gateways/http/routes.hpp"
#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::gateways::http;

namespace {

std::span<const parameter_spec> specs_of_move() {
  return std::get<found_route>(find_route("POST", "/api/move")).to->parameters;
}

std::variant<gamehub::move, error> read_move(const std::string& pairs) {
  request r;
  r.method = "POST";
  const auto body = "client_id=0123456789abcdef&" + pairs;
  r.body = body;
  auto given = parameters::read(r, specs_of_move());
  if (auto* wrong = std::get_if<error>(&given)) return *wrong;
  return read_move(std::get<parameters>(given));
}

std::string mistake(const std::string& pairs) { return std::get<error>(read_move(pairs)).message; }
gamehub::move move_of(const std::string& pairs) {
  return std::get<gamehub::move>(read_move(pairs));
}

}  // namespace

TEST_CASE("http move: any integer is a cell") {
  CHECK(move_of("position=2").as == gamehub::move::form::cell);
  CHECK(move_of("position=2").cell == 2);
  CHECK(move_of("position=-1").cell == -1);
  CHECK(move_of("position=900000000000000000000").text == "900000000000000000000");
}

TEST_CASE("http move: can be text in the engine's notation") {
  CHECK(move_of("action=rock").as == gamehub::move::form::word);
  CHECK(move_of("action=rock").text == "rock");
  CHECK(move_of("action={\"row\":1}").as == gamehub::move::form::document);
  CHECK(mistake("action={\"row\":") == "action is neither a word nor JSON");
}

TEST_CASE("http move: exactly one valid form is required") {
  CHECK(mistake("") == "position is missing");
  CHECK(mistake("position=") == "position is missing");
  CHECK(mistake("position=2&action=rock") == "give position or action, not both");
  CHECK(mistake("position=4.5") == "position has to be a whole number");
  CHECK(mistake("position=2&position=2") == "position is given more than once");
}
