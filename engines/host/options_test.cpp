#include "engines/host/options.hpp"

#include "engines/option_schema.hpp"
#include "tests/support/catch.hpp"

#include <string>

namespace gamehub::engines::host {
namespace {

constexpr std::string_view schema = R"({
  "type": "object",
  "properties": {
    "rows": {"type": "integer", "minimum": 3, "maximum": 19, "default": 15},
    "lift": {"type": "integer", "minimum": -5},
    "depth": {"type": "integer", "maximum": 5},
    "seed": {"type": "integer", "default": 0},
    "torus": {"type": "boolean", "default": false},
    "last": {"type": "string", "enum": ["wins", "loses", "draws"], "default": "wins"},
    "free": {"type": "array"}
  },
  "additionalProperties": false
})";

std::string wrong(std::string_view text) { return validate_options(text, schema).value_or(""); }
std::string canonical(std::string_view text) { return canonical_options(text, schema); }

TEST_CASE("options: nothing is wrong with what the schema allows") {
  for (const char* good :
       {"", "{}", " { } ", R"({"rows":3})", R"({"rows":19})", R"({"torus":true,"rows":7})",
        R"({"last":"loses"})", R"({"last":"\u006coses"})", R"({"\u0072ows":4})", R"({"lift":-5})",
        R"({"depth":-9223372036854775808})", R"({"free":[1,{"any":"thing"}]})"}) {
    INFO(good);
    CHECK(wrong(good).empty());
  }
}

TEST_CASE("options: names the option that is out of bounds, and the bounds") {
  CHECK(wrong(R"({"rows":2})") == R"(option "rows" must be an integer from 3 to 19, not 2)");
  CHECK(wrong(R"({"rows":20})") == R"(option "rows" must be an integer from 3 to 19, not 20)");
  CHECK(wrong(R"({"rows":"7"})") == R"(option "rows" must be an integer from 3 to 19, not "7")");
  CHECK(wrong(R"({"rows":7.0})") == R"(option "rows" must be an integer from 3 to 19, not 7.0)");
  CHECK(wrong(R"({"rows":null})") == R"(option "rows" must be an integer from 3 to 19, not null)");
  CHECK(wrong(R"({"lift":-6})") == R"(option "lift" must be an integer of at least -5, not -6)");
  CHECK(wrong(R"({"depth":6})") == R"(option "depth" must be an integer of at most 5, not 6)");
  CHECK(wrong(R"({"seed":[]})") == R"(option "seed" must be an integer, not [])");
  CHECK(wrong(R"({"torus":1})") == R"(option "torus" must be true or false, not 1)");
  CHECK(wrong(R"({"last":"Wins"})") ==
        R"(option "last" must be "wins", "loses" or "draws", not "Wins")");
  CHECK(wrong(R"({"last":true})") ==
        R"(option "last" must be "wins", "loses" or "draws", not true)");
}

TEST_CASE(
    "options: of several things that are wrong the first is named, also where a name is twice") {
  CHECK(wrong(R"({"rows":7,"rows":1,"torus":9})") ==
        R"(option "rows" must be an integer from 3 to 19, not 1)");
}

TEST_CASE("options: names an option that there is not, and those that there are") {
  CHECK(
      wrong(R"({"side":4})") ==
      R"(there is no option "side": this game has "rows", "lift", "depth", "seed", "torus", "last" and "free")");
  CHECK(validate_options(R"({"side":4})", "") ==
        R"(there is no option "side": this game has none)");
  CHECK(validate_options(R"({"side":4})", R"({"type":"object"})") ==
        R"(there is no option "side": this game has none)");
  CHECK(validate_options("{}", "") == std::nullopt);
}

TEST_CASE("options: does not repeat what is long or not plain") {
  CHECK(wrong(R"({"rows":")" + std::string(50, 'x') + "\"}") ==
        R"(option "rows" must be an integer from 3 to 19)");
  CHECK(wrong("{\"rows\":\"\xC3\xA4\"}") == R"(option "rows" must be an integer from 3 to 19)");
  CHECK(wrong("{\"\xC3\xA4\":1}").find("there is no such option: ") == 0);
}

TEST_CASE("options: refuses what is no object, and reads no more than it must") {
  for (const char* bad : {"[]", "4", "null", "{", R"({"rows":7)", R"({"rows":7}x)",
                          R"({"rows":7,})", R"({"nothing such":1)", " "}) {
    INFO(bad);
    CHECK(wrong(bad) == "the options are no JSON object");
  }
  CHECK(wrong("{" + std::string(2046, ' ') + "}").empty());
  CHECK(wrong("{" + std::string(2047, ' ') + "}") == "the options are longer than 2048 bytes");
}

TEST_CASE("options: those that mean the same are spelled the same") {
  CHECK(canonical("").empty());
  CHECK(canonical("{}").empty());
  CHECK(canonical(R"({"rows":15,"torus":false,"last":"wins","seed":-0})").empty());
  const std::string one = R"({"rows":7,"torus":true,"last":"loses"})";
  CHECK(canonical(one) == one);
  CHECK(canonical(R"( { "last" : "l\u006fses", "seed":0, "torus" :true , "rows" : 7 } )") == one);
  CHECK(canonical(R"({"rows":9,"last":"loses","torus":true,"rows":7})") == one);
  CHECK(canonical(R"({"lift":-0})") == R"({"lift":0})");
  CHECK(canonical(canonical(one)) == one);
}

TEST_CASE("options: a schema of no use allows no options and breaks nothing") {
  for (const char* odd : {"{", "[]", "x", R"({"properties":[]})", R"({"properties":{"a":7}})"}) {
    INFO(odd);
    CHECK(validate_options("{}", odd) == std::nullopt);
    CHECK(validate_options(R"({"a":1})", odd).has_value());
    CHECK(canonical_options("{}", odd).empty());
  }
}

}  // namespace
}  // namespace gamehub::engines::host
