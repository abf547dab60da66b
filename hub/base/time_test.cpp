#include "hub/base/time.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::base {
namespace {

using namespace std::chrono_literals;

const wall_time some =
    std::chrono::sys_days{std::chrono::year{1994} / 11 / 6} + 8h + 49min + 37s + 999ms;
const wall_time leap_day =
    std::chrono::sys_days{std::chrono::year{2024} / 2 / 29} + 23h + 59min + 59s;

TEST_CASE("time: days and seconds are written in UTC") {
  CHECK(utc_day(some) == "1994-11-06");
  CHECK(utc_day(wall_time{-1ms}) == "1969-12-31");
  CHECK(utc_seconds(some) == "1994-11-06T08:49:37Z");
  CHECK(utc_seconds(leap_day) == "2024-02-29T23:59:59Z");
}

TEST_CASE("time: RFC 3339 has milliseconds and a zone") {
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

TEST_CASE("time: the HTTP protocol's times have six digits and no zone") {
  CHECK(iso_time(wall_time{}) == "1970-01-01T00:00:00.000000");
  CHECK(iso_time(wall_time{-1ms}) == "1969-12-31T23:59:59.999000");
  CHECK(iso_time(leap_day) == "2024-02-29T23:59:59.000000");
}

TEST_CASE("time: HTTP dates name the day and the month") {
  CHECK(http_date(some) == "Sun, 06 Nov 1994 08:49:37 GMT");
  CHECK(http_date(leap_day) == "Thu, 29 Feb 2024 23:59:59 GMT");
}

}  // namespace
}  // namespace gamehub::base
