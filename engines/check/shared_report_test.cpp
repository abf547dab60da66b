#include "engines/check/shared_report.hpp"

#include "engines/check/limits.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace gamehub::engines::check {
namespace {

TEST_CASE("shared_report: who opens it sees what its maker wrote, and the other way round") {
  const shared_report made{"play"};
  {
    auto opened = shared_report::open(dup(made.file()));
    CHECK(opened.file() == -1);
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
  CHECK_THROWS_AS(shared_report::open(1'000'000), std::system_error);
}

TEST_CASE("shared_report: the size of the file is fixed") {
  const shared_report made{""};
  CHECK(ftruncate(made.file(), 0) != 0);
  const auto end = lseek(made.file(), 0, SEEK_END);
  CHECK(pwrite(made.file(), "x", 1, end) != 1);
  CHECK(lseek(made.file(), 0, SEEK_END) == end);
}

}  // namespace
}  // namespace gamehub::engines::check
