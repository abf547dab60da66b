#include "hub/base/json.hpp"

#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::base::json {
namespace {

using namespace std::string_literals;

// Name and value of each member as they are spelled, or one "broken" at the end.
std::string members_of(std::string_view text) {
  std::string out;
  walk each{text, walk::over::object};
  while (each.step())
    out += std::string{each.name()} + "=" + std::string{each.here().spelled} + ";";
  return out + (each.whole() ? "" : "broken");
}

std::string elements_of(std::string_view text) {
  std::string out;
  walk each{text, walk::over::array};
  while (each.step()) out += std::string{each.here().spelled} + ";";
  return out + (each.whole() ? "" : "broken");
}

TEST_CASE("json: walks over the members of an object") {
  CHECK(members_of("{}") == "");
  CHECK(members_of(" { \r\n\t} ") == "");
  CHECK(members_of(R"({"a":1,"b" : [ {"c":"}"} ] ,"a":null})") ==
        R"("a"=1;"b"=[ {"c":"}"} ];"a"=null;)");
}

TEST_CASE("json: walks over the elements of an array") {
  CHECK(elements_of("[]") == "");
  CHECK(elements_of(R"([1,"a,b",[],{},-0.5e+9])") == R"(1;"a,b";[];{};-0.5e+9;)");
  CHECK(elements_of("[1,]") == "1;broken");
  CHECK(elements_of("[,]") == "broken");
  CHECK(elements_of("{}") == "broken");
}

TEST_CASE("json: finds out what is no object") {
  for (const auto* text :
       {"",          " ",           "{",          "}",        "[]",       "1",
        "\"{}\"",    "{,}",         "{\"a\"}",    "{\"a\":}", "{\"a\":1", "{\"a\":1,}",
        "{a:1}",     "{'a':1}",     "{\"a\" 1}",  "{} {}",    "{}x",      "{\"a\":1 \"b\":2}",
        "{\"a\":[}", "{\"a\":[1}}", "{\"a\":tru}"}) {
    INFO(text);
    CHECK(members_of(text).ends_with("broken"));
  }
}

TEST_CASE("json: agrees with a JSON library on what is valid") {
  const std::vector<std::string> texts{"0",
                                       "-0",
                                       "-",
                                       "01",
                                       "1.",
                                       ".1",
                                       "1.0",
                                       "1e5",
                                       "1E+5",
                                       "1e-",
                                       "1e",
                                       "+1",
                                       "0x1",
                                       "NaN",
                                       "true",
                                       "True",
                                       "null",
                                       "nul",
                                       "false",
                                       "\"\"",
                                       "\"a",
                                       "\"\\\"",
                                       "\"\\\"\"",
                                       "\"\\x\"",
                                       "\"\\u12\"",
                                       "\"\\u12aF\"",
                                       "\"\\ud83c\\udfb2\"",
                                       "\"\\ud83c\"",
                                       "\"\\udfb2\"",
                                       "\"\\ud83cx\"",
                                       "\"\\ud83c\\u0041\"",
                                       "\"\t\"",
                                       "\"\x7f\"",
                                       "\"\x1f\"",
                                       "\"a\0b\""s,
                                       "\"\xC3\xA4\"",
                                       "\"\xC3\"",
                                       "\"\xC0\x80\"",
                                       "\"\xE0\x80\x80\"",
                                       "\"\xED\xA0\x80\"",
                                       "\"\xEF\xBF\xBF\"",
                                       "\"\xF4\x8F\xBF\xBF\"",
                                       "\"\xF4\x90\x80\x80\"",
                                       "\"\xF8\x88\x80\x80\x80\"",
                                       "\"\xF0\x9F\x8E\xB2\"",
                                       "\"\xF0\x9F\x8E\"",
                                       "[[[]]]",
                                       "[[[]]",
                                       "[{}]",
                                       "[{]}",
                                       "[{\"a\":[]}]",
                                       "{\"a\":{\"b\":{}}}",
                                       "{\"a\":{\"b\":}}",
                                       "[1 2]",
                                       "[1,,2]",
                                       " [ 1 , 2 ] ",
                                       "[1]\xFE",
                                       "{\"a\":1}}",
                                       std::string(5000, '['),
                                       std::string(5000, '[') + std::string(5000, ']')};
  for (const auto& text : texts) {
    INFO(text);
    CHECK(valid(text) == nlohmann::json::accept(text));
  }
}

TEST_CASE("json: is stricter than the library about ends, and knows all numbers") {
  CHECK_FALSE(valid("\xEF\xBB\xBF{}"));
  CHECK_FALSE(valid("1\0"s));
  CHECK(valid("1e999"));
  CHECK(valid("[" + std::string(1000, '9') + "]"));
}

TEST_CASE("json: tells integers by their spelling") {
  const auto number = [](std::string_view text) {
    walk in{text, walk::over::array};
    in.step();
    return integer(in.here());
  };
  CHECK(number("[0]") == 0);
  CHECK(number("[-0]") == 0);
  CHECK(number("[-17]") == -17);
  CHECK(number("[9223372036854775807]") == INT64_MAX);
  CHECK(number("[-9223372036854775808]") == INT64_MIN);
  CHECK_FALSE(number("[9223372036854775808]"));
  CHECK_FALSE(number("[2.0]"));
  CHECK_FALSE(number("[2e0]"));
  CHECK_FALSE(number("[\"2\"]"));
  CHECK_FALSE(number("[null]"));
  CHECK_FALSE(number("[]"));
}

TEST_CASE("json: reads what strings say") {
  CHECK(unquoted(R"("")") == "");
  CHECK(unquoted(R"("a\"\\\/\b\f\n\r\tz")") == "a\"\\/\b\f\n\r\tz");
  CHECK(unquoted(R"("\u0041\u00e4\u20AC\ud83c\udfb2\u0000")") ==
        "A\xC3\xA4\xE2\x82\xAC\xF0\x9F\x8E\xB2\0"s);
  CHECK(says(R"("move")", "move"));
  CHECK(says(R"("\u006dove")", "move"));
  CHECK_FALSE(says(R"("move")", "moves"));
  CHECK_FALSE(says(R"("")", "move"));
}

TEST_CASE("json: writes strings that read the same") {
  const auto text = "a\"\\/\b\f\n\r\t\0\x1f\x7f\xC3\xA4\xF0\x9F\x8E\xB2"s;
  std::string quoted;
  append_quoted(text, quoted);
  CHECK(valid(quoted));
  CHECK(unquoted(quoted) == text);
  CHECK(nlohmann::json::parse(quoted).get<std::string>() == text);
}

TEST_CASE("json: writes long strings that read the same, whatever is escaped where") {
  for (std::size_t before = 120; before < 136; ++before)
    for (const auto& letter : {"\""s, "\n"s, "\x01"s, "\xF0\x9F\x8E\xB2"s}) {
      auto text = std::string(before, 'x');
      for (int i = 0; i < 200; ++i) text += letter;
      std::string quoted = "kept";
      append_quoted(text, quoted);
      REQUIRE(quoted.starts_with("kept"));
      CHECK(unquoted(std::string_view{quoted}.substr(4)) == text);
      CHECK(nlohmann::json::parse(quoted.substr(4)).get<std::string>() == text);
    }
}

TEST_CASE("json: writes U+FFFD for what is no UTF-8") {
  std::string out;
  append_quoted("a\xFFz\xE2\x82", out);
  CHECK(out == "\"a\xEF\xBF\xBDz\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace gamehub::base::json

namespace gamehub::base {
namespace {

TEST_CASE("json_writer: writes values of every kind with commas where they belong") {
  std::string out;
  json_writer to{out};
  to.begin('{');
  to.key("a").number(-1);
  to.key("b").begin('[');
  to.text("x");
  to.number(0.5);
  to.nothing();
  to.truth(true);
  to.begin('{');
  to.end('}');
  to.begin('[');
  to.end(']');
  to.end(']');
  to.key("c").number(std::uint64_t{18'446'744'073'709'551'615U});
  to.end('}');
  CHECK(out == R"({"a":-1,"b":["x",0.5,null,true,{},[]],"c":18446744073709551615})");
}

TEST_CASE("json_writer: writes fractions as the library does, whole ones too") {
  for (const double n :
       {0.0, -0.0, 1.0, -1.0, 0.5, -2.25, 123'456'789'012'345.0, 999'999'999'999'999.0,
        -999'999'999'999'999.0, 1e15, -1e15, 1e16, 1e-7, 1e300,
        std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    std::string out;
    json_writer{out}.number(n);
    CHECK(out == nlohmann::json(n).dump());
  }
}

TEST_CASE("json_writer: writes any bytes as a text that can be read") {
  for (const std::string text :
       {"", "plain", "\"quoted\\", "a\nb\x7f", "caf\xc3\xa9", "\xff\xfe"}) {
    std::string out;
    json_writer{out}.text(text);
    const auto read = nlohmann::json::parse(out, nullptr, false);
    REQUIRE(read.is_string());
    if (text != "\xff\xfe") CHECK(read.get<std::string>() == text);
  }
}

}  // namespace
}  // namespace gamehub::base
