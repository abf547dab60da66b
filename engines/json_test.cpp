#include "engines/json.hpp"

#include "tests/support/catch.hpp"

#include <random>
#include <string>
#include <vector>

namespace gamehub::engines::json {
namespace {

const std::vector<std::string> good{
    "null",
    " true ",
    "[]",
    "[1,[2,[]],{}]",
    "{}",
    "\t{ \"a\" : 1 , \"b\" : [ ] }\r\n",
    "0",
    "-0",
    "10",
    "1e99",
    "-1.5E-3",
    "2.0",
    "\"\"",
    R"("\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00")",
    "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"",
    R"({"a":1,"a":2})",
};

const std::vector<std::string> bad{
    "",
    " ",
    "nul",
    "nulll",
    "True",
    "[1,]",
    "[,1]",
    "[1 2]",
    "{,}",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{a:1}",
    "{1:1}",
    "01",
    "-",
    "+1",
    ".5",
    "5.",
    "1e",
    "1e+",
    "0x1",
    "NaN",
    "Infinity",
    "\"",
    "\"\\\"",
    "\"\\x\"",
    "\"\\u12\"",
    "\"\\u12g4\"",
    "\"\\ud800\"",
    "\"\\udc00\"",
    "\"\\ud800\\u0041\"",
    "\"\n\"",
    "\"\x01\"",
    "\"\x80\"",
    "\"\xc0\xaf\"",
    "\"\xed\xa0\x80\"",
    "\"\xf5\x80\x80\x80\"",
    "\"\xe2\x82\"",
    "{} {}",
    "[]]",
    "'a'",
    "// a\n1",
    "\xef\xbb\xbf{}",
};

TEST_CASE("json: takes what is JSON and nothing else") {
  for (const auto& text : good) {
    INFO(text);
    CHECK(valid(text));
  }
  for (const auto& text : bad) {
    INFO(text);
    CHECK_FALSE(valid(text));
  }
  CHECK_FALSE(valid(std::string(1, '\0')));
  CHECK_FALSE(valid(std::string("1\0", 2)));
}

TEST_CASE("json: knows every beginning of an object from the whole") {
  const std::string text =
      R"({"row":1,"x":[{"y":"\ud83d\ude00\n"},-1.5e+7,null,true,false],"c":2})";
  for (std::size_t length = 0; length < text.size(); ++length) {
    INFO(length);
    CHECK_FALSE(valid(text.substr(0, length)));
    CHECK_FALSE(member(text.substr(0, length), "row"));
  }
  REQUIRE(member(text, "row"));
}

TEST_CASE("json: finds members of the object itself only, the last of several") {
  const std::string text = R"( {"a":{"row":1},"row":2,"s":"\"row\":3","row" : 4 ,"b":[5]} )";
  CHECK(integer(*member(text, "row")) == 4);
  CHECK(member(text, "column")->what == kind::missing);
  CHECK(member(text, "a")->spelled == R"({"row":1})");
  CHECK(member(text, "b")->what == kind::array);
  CHECK(member(text, "s")->what == kind::string);
  CHECK(member(R"({"r\u006Fw":7})", "row")->spelled == "7");
  CHECK_FALSE(member("[1]", "row"));
  CHECK_FALSE(member("7", "row"));
  CHECK_FALSE(member(text + "x", "row"));
}

TEST_CASE("json: finds several members at once") {
  const auto found =
      members(R"({"column":3,"row":1,"x":{"row":9},"r\u006fw":2})", {"row", "column"});
  REQUIRE(found);
  CHECK((*found)[0].spelled == "2");
  CHECK((*found)[1].spelled == "3");
  const auto one = members(R"({"column":3})", {"row", "column"});
  REQUIRE(one);
  CHECK((*one)[0].what == kind::missing);
  CHECK((*one)[1].spelled == "3");
  CHECK_FALSE(members(R"({"row":1,"column":3)", {"row", "column"}));
}

TEST_CASE("json: tells integers from other numbers by their spelling") {
  const auto kind_of = [](std::string_view number) {
    return member("{\"n\":" + std::string{number} + "}", "n")->what;
  };
  for (const char* number : {"0", "-0", "7", "-12", "123456789012345678901234567890"})
    CHECK(kind_of(number) == kind::integer);
  for (const char* number : {"2.0", "0.5", "1e2", "1E+2", "-4.5", "1e99"})
    CHECK(kind_of(number) == kind::fraction);
  CHECK(kind_of("null") == kind::null);
  CHECK(kind_of("true") == kind::boolean);
  CHECK(kind_of("\"1\"") == kind::string);
}

TEST_CASE("json: reads integers to the last that fits") {
  const auto read = [](const char* number) { return integer({kind::integer, number}); };
  CHECK(read("0") == 0);
  CHECK(read("-0") == 0);
  CHECK(read("9223372036854775807") == INT64_MAX);
  CHECK(read("-9223372036854775808") == INT64_MIN);
  CHECK_FALSE(read("9223372036854775808"));
  CHECK_FALSE(read("-9223372036854775809"));
  CHECK_FALSE(read("100000000000000000000000000000"));
  CHECK_FALSE(integer({kind::fraction, "2.0"}));
  CHECK_FALSE(integer({}));
}

TEST_CASE("json: an index is an integer within its bounds") {
  CHECK(index(R"({"i":2})", "i", 3) == 2);
  for (const char* text : {R"({"i":3})", R"({"i":-1})", R"({"i":1.0})", R"({"j":1})", "[]", ""})
    CHECK_FALSE(index(text, "i", 3));
}

TEST_CASE("json: reads options, or what they are without being there") {
  const std::string_view text = R"({"rows":7,"torus":true,"last":"l\u006fses","odd":7.5})";
  CHECK(integer_or(text, "rows", 15) == 7);
  CHECK(integer_or(text, "columns", 15) == 15);
  CHECK(integer_or(text, "odd", 15) == 15);
  CHECK(integer_or("", "rows", 15) == 15);
  CHECK(boolean_or(text, "torus", false));
  CHECK(boolean_or(text, "rows", true));
  CHECK_FALSE(boolean_or("", "torus", false));
  CHECK(is_text(text, "last", "loses"));
  CHECK_FALSE(is_text(text, "last", "wins"));
  CHECK_FALSE(is_text(text, "rows", "7"));
}

TEST_CASE("json: walks over the elements of an array") {
  std::vector<std::string> found;
  const auto take = [&](const value& each) { found.emplace_back(each.spelled); };
  CHECK(reader{R"([1, "a" ,[2,3],{}])"}.array(0, take));
  CHECK(found == std::vector<std::string>{"1", "\"a\"", "[2,3]", "{}"});
  CHECK(reader{"[]"}.array(0, take));
  CHECK_FALSE(reader{"[1"}.array(0, take));
  CHECK_FALSE(reader{"{}"}.array(0, take));
}

TEST_CASE("json: compares strings by what they say") {
  CHECK(says(R"("rock")", "rock"));
  CHECK(says(R"("\u0072ock")", "rock"));
  CHECK(says(R"("a\/b\n\"")", "a/b\n\""));
  CHECK(says(R"("")", ""));
  CHECK_FALSE(says(R"("rock")", "rocks"));
  CHECK_FALSE(says(R"("rocks")", "rock"));
  CHECK_FALSE(says("\"r\xc3\xb6\"", "r\xc3\xb6"));
  CHECK_FALSE(says(R"("\u0172ock")", "rock"));
}

TEST_CASE("json: bounds the depth of nesting") {
  const auto nested = [](int depth) {
    const auto size = static_cast<std::size_t>(depth);
    return std::string(size, '[') + std::string(size, ']');
  };
  CHECK(valid(nested(depth_max)));
  CHECK_FALSE(valid(nested(depth_max + 1)));
  const auto objects = [](int depth) {
    std::string text = "1";
    for (int i = 0; i < depth; ++i) text = "{\"a\":" + text + '}';
    return text;
  };
  CHECK(valid(objects(depth_max)));
  CHECK_FALSE(valid(objects(depth_max + 1)));
  CHECK_FALSE(valid(std::string(1 << 20, '[')));
  CHECK_FALSE(valid(std::string(1 << 20, '{')));
}

TEST_CASE("json: an empty object has no members") {
  CHECK(is_empty_object(" { } "));
  for (const char* text : {"{\"a\":1}", "{}x", "", "[]", "{", "{\"\\"})
    CHECK_FALSE(is_empty_object(text));
}

TEST_CASE("json: reads any bytes without leaving them") {
  std::mt19937 random{1};
  for (const auto& seed : good)
    for (int i = 0; i < 2000; ++i) {
      // A copy on the heap of exactly its size, so that the address sanitizer sees a step too far.
      std::vector<char> bytes{seed.begin(), seed.end()};
      for (int change = 0; change < 3 && !bytes.empty(); ++change)
        bytes[random() % bytes.size()] = static_cast<char>(random());
      bytes.resize(random() % (bytes.size() + 1));
      const std::string_view text{bytes.data(), bytes.size()};
      const auto found = member(text, "a");
      CHECK((!found || valid(text)));
      CHECK((!is_empty_object(text) || valid(text)));
    }
}

}  // namespace
}  // namespace gamehub::engines::json
