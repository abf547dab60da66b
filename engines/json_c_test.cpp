// The reader for C says the same of every text as the one for C++.
#include "engines/dice.hpp"
#include "engines/json.h"
#include "engines/json.hpp"
#include "tests/support/catch.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::engines {
namespace {

std::optional<std::int64_t> index_in_c(std::string_view text, const char* name, std::int64_t end) {
  std::int64_t out = -7;
  if (gamehub_json_index(text.data(), text.size(), name, end, &out) != 0) return out;
  CHECK(out == -7);
  return std::nullopt;
}

void check_same(const std::string& text) {
  CAPTURE(text);
  CHECK(index_in_c(text, "row", 100) == json::index(text, "row", 100));
  CHECK((gamehub_json_is_empty_object(text.data(), text.size()) != 0) ==
        json::is_empty_object(text));
}

const std::vector<std::string> samples{
    "",
    " ",
    "{}",
    " {\t}\n",
    "{} x",
    "{",
    "[]",
    "4",
    R"({"row":7})",
    R"( { "row" : 7 , "column" : [ {"row":8} , null ] } )",
    R"({"row":7,"row":9})",
    R"({"row":9,"row":"x"})",
    R"({"r\u006Fw":5})",
    R"({"r\u00f6w":5})",
    R"({"row\n":5,"ro":6})",
    R"({"row":-0})",
    R"({"row":-1})",
    R"({"row":-})",
    R"({"row":00})",
    R"({"row":99})",
    R"({"row":100})",
    R"({"row":1e1})",
    R"({"row":1.0})",
    R"({"row":1.5e-3,"column":-1E+2})",
    R"({"row":99999999999999999999999999})",
    R"({"row":true,"a":false,"b":nul})",
    R"({"row":"7"})",
    R"({"row":7,})",
    R"({"row" 7})",
    R"({row:7})",
    R"({"a":"\q","row":1})",
    R"({"a":"\ud834\udd1e","row":1})",
    R"({"a":"\ud834","row":1})",
    R"({"a":"\udd1e","row":1})",
    R"({"a":"\u12)",
    R"({"a":"\)",
    std::string{"{\"a\":\"\\\0\"}", 10},
    "{\"a\":\"\x01\",\"row\":1}",
    "{\"a\":\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\",\"row\":1}",
    "{\"a\":\"\xC0\xAF\",\"row\":1}",
    "{\"a\":\"\xED\xA0\x80\",\"row\":1}",
    "{\"a\":\"\xF4\x90\x80\x80\",\"row\":1}",
    "{\"a\":\"\xE2\x82",
};

TEST_CASE("json in C: says the same as the reader in C++") {
  for (const auto& text : samples) check_same(text);
  std::string nested = "1";
  for (int depth = 0; depth < 70; ++depth) {
    nested = "[" + nested + "]";
    check_same(R"({"row":3,"a":)" + nested + "}");
  }
}

TEST_CASE("json in C: says the same of damaged and of cut texts") {
  rng d{7};
  for (const auto& text : samples) {
    for (std::size_t size = 0; size < text.size(); ++size) check_same(text.substr(0, size));
    if (text.empty()) continue;
    for (int i = 0; i < 300; ++i) {
      auto damaged = text;
      for (auto count = d.below(3); count < 3; ++count)
        damaged[d.below(damaged.size())] = R"({}[]":,\u0-7e. rowa)"[d.below(19)];
      check_same(damaged);
    }
  }
}

TEST_CASE("json in C: a number is plain digits below its end") {
  const auto number = [](std::string_view text) {
    std::int64_t out = -1;
    return gamehub_json_is_index(text.data(), text.size(), 20, &out) != 0 ? out : -1;
  };
  CHECK(number("0") == 0);
  CHECK(number("19") == 19);
  CHECK(number("20") == -1);
  CHECK(number("007") == 7);
  CHECK(number("") == -1);
  CHECK(number("-0") == -1);
  CHECK(number("1 ") == -1);
  CHECK(number("99999999999999999999999999") == -1);
}

}  // namespace
}  // namespace gamehub::engines
