#include "hub/app/archive/json_writer.hpp"

#include <nlohmann/json.hpp>

#include <string>

#include "tests/support/catch.hpp"

namespace gamehub::app {
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

TEST_CASE("json_writer: writes times as RFC 3339 has them") {
  const auto written = [](std::int64_t milliseconds) {
    std::string out;
    append_rfc3339(wall_time{std::chrono::milliseconds{milliseconds}}, out);
    return out;
  };
  CHECK(written(0) == "1970-01-01T00:00:00.000Z");
  CHECK(written(1'767'323'045'678) == "2026-01-02T03:04:05.678Z");
  CHECK(written(951'782'400'007) == "2000-02-29T00:00:00.007Z");
  CHECK(written(-1) == "1969-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace gamehub::app
