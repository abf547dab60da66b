#include "engines/check/shared_report.hpp"

#include "engines/check/limits.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <system_error>
#include <thread>

namespace gamehub::engines::check {
namespace {

TEST_CASE("shared_report: who opens it sees what its maker wrote, and the other way round") {
  const shared_report made{"play"};
  {
    auto opened = shared_report::open(made.path());
    CHECK(opened.request() == "play");
    opened.set_place("here");
    opened.set_place("there");
    opened.append("one\n");
    opened.append("two\n");
    opened.note().seat = 3;
    opened.abort();
  }
  CHECK(made.place() == "there");
  CHECK(made.report() == "one\ntwo\n");
  CHECK(made.note().seat == 3);
  CHECK(made.aborted());
}

TEST_CASE("shared_report: is empty at first") {
  const shared_report made{""};
  CHECK(made.request().empty());
  CHECK(made.place().empty());
  CHECK(made.report().empty());
  CHECK_FALSE(made.aborted());
  CHECK(made.note().inside == engines::contract::function::none);
}

TEST_CASE("shared_report: what has no room is cut off or left out") {
  shared_report made{std::string(request_bytes_max + 1, 'r')};
  CHECK(made.request().size() == request_bytes_max);
  made.set_place(std::string(place_bytes_max + 1, 'p'));
  CHECK(made.place() == std::string(place_bytes_max, 'p'));
  made.append(std::string(report_bytes_max - 2, 'x'));
  made.append("much");
  made.append("ab");
  made.append("c");
  CHECK(made.report().size() == report_bytes_max);
  CHECK(made.report().ends_with("xab"));
}

TEST_CASE("shared_report: open fails without a parent") {
  CHECK_THROWS_AS(shared_report::open("/proc/self/fd/1000000"), std::system_error);
}

}  // namespace
}  // namespace gamehub::engines::check
