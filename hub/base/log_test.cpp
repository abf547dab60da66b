#include "hub/base/log.hpp"

#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

#include <limits>
#include <string>

namespace gamehub::base {
namespace {

// An entry as JSON, its time left out.
nlohmann::json entry(std::string_view message, log::fields more) {
  return nlohmann::json::parse('{' + log::line(log::format::json, log::level::info, message, more));
}

TEST_CASE("log: writes text with the fields after the message") {
  CHECK(log::line(log::format::text, log::level::info, "listening",
                  {{"wire", "turns"}, {"port", 8889}, {"ready", true}}) ==
        "info    listening wire=turns port=8889 ready=true");
}

TEST_CASE("log: quotes in text what could be read in two ways, and stays on one line") {
  CHECK(log::line(log::format::text, log::level::error, "lost\nall",
                  {{"a", "two words"}, {"b", ""}, {"c", "x=y"}, {"d", "l1\nl2"}, {"e", "\""}}) ==
        R"(error   lost\nall a="two words" b="" c="x=y" d="l1\nl2" e="\"")");
}

TEST_CASE("log: writes JSON whose fields keep their kind") {
  const auto e = entry("listening", {{"wire", "turns"}, {"port", 8889}, {"up", true}, {"s", 0.5}});
  CHECK(e == nlohmann::json{{"level", "info"},
                            {"message", "listening"},
                            {"wire", "turns"},
                            {"port", 8889},
                            {"up", true},
                            {"s", 0.5}});
}

TEST_CASE("log: writes JSON whatever the bytes are") {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  const auto e = entry("m\"\\\n", {{"bytes", all}, {"k\"ey", "v"}});
  CHECK(e["message"] == "m\"\\\n");
  CHECK(e["k\"ey"] == "v");
  CHECK(e["bytes"].get<std::string>().substr(0, 128) == all.substr(0, 128));
}

TEST_CASE("log: escapes every control character, also those of two bytes (H1)") {
  const std::string given = "\x1b[2J\x7f\xc2\x9b\xc2\xa0\xc3\x9f\xc2";
  for (const auto f : {log::format::text, log::format::json})
    CHECK(log::line(f, log::level::info, "m", {{"k", given}})
              .find("\"\\u001b[2J\\u007f\\u009b\xc2\xa0\xc3\x9f\xef\xbf\xbd\"") !=
          std::string::npos);
}

TEST_CASE("log: has no number for text that is no level") {
  CHECK(entry("m", {{"n", std::numeric_limits<double>::infinity()}})["n"].is_null());
}

TEST_CASE("log: writes numbers of every width") {
  const auto e = entry("m", {{"big", std::numeric_limits<std::uint64_t>::max()},
                             {"small", std::numeric_limits<std::int64_t>::min()},
                             {"byte", std::uint8_t{65}}});
  CHECK(e["big"] == std::numeric_limits<std::uint64_t>::max());
  CHECK(e["small"] == std::numeric_limits<std::int64_t>::min());
  CHECK(e["byte"] == 65);
}

}  // namespace
}  // namespace gamehub::base
