#include "hub/app/kit/page.hpp"

#include <string>
#include <system_error>
#include <thread>

#include "hub/app/kit/limits.hpp"
#include "tests/support/catch.hpp"

namespace gamehub::app::kit {
namespace {

TEST_CASE("page: who opens it sees what its maker wrote, and the other way round") {
  const page made{"play"};
  {
    auto opened = page::open(made.path());
    CHECK(opened.request() == "play");
    opened.set_place("here");
    opened.set_place("there");
    opened.append("one\n");
    opened.append("two\n");
    opened.note().seat = 3;
    opened.give_up();
  }
  CHECK(made.place() == "there");
  CHECK(made.report() == "one\ntwo\n");
  CHECK(made.note().seat == 3);
  CHECK(made.aborted());
}

TEST_CASE("page: is empty at first") {
  const page made{""};
  CHECK(made.request().empty());
  CHECK(made.place().empty());
  CHECK(made.report().empty());
  CHECK_FALSE(made.aborted());
  CHECK(made.note().inside == engines::contract::function::none);
}

TEST_CASE("page: what has no room is cut off or left out") {
  page made{std::string(request_bytes_max + 1, 'r')};
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

TEST_CASE("page: there is none where nobody made one") {
  CHECK_THROWS_AS(page::open("/proc/self/fd/1000000"), std::system_error);
}

}  // namespace
}  // namespace gamehub::app::kit
