#include "hub/base/crash_log.hpp"

#include "tests/support/catch.hpp"

#include <array>
#include <csignal>
#include <string>

using namespace gamehub::base;

namespace {

constexpr std::int64_t noon = 1'700'000'000'123;  // 2023-11-14T22:13:20.123Z

std::string line_of(log::format form, int signal, crash_log::activity what,
                    std::string_view thread = "loop-1") {
  std::array<char, 512> room{};
  return std::string{crash_log::line(form, signal, noon, thread, what, room)};
}

}  // namespace

TEST_CASE("crash log: the line names signal, engine, thread and game") {
  crash_log::name_engine(7, "bomb 1.0.0");
  CHECK(line_of(log::format::text, SIGSEGV, {7, 12}) ==
        "2023-11-14T22:13:20.123Z error   the program crashed signal=\"SIGSEGV\" "
        "engine=\"bomb 1.0.0\" thread=\"loop-1\" game=12");
  CHECK(line_of(log::format::json, SIGABRT, {7, 12}) ==
        R"({"time":"2023-11-14T22:13:20.123Z","level":"error","message":"the program crashed",)"
        R"("signal":"SIGABRT","engine":"bomb 1.0.0","thread":"loop-1","game":12})");
  CHECK(line_of(log::format::text, SIGBUS, {}, "") ==
        "2023-11-14T22:13:20.123Z error   the program crashed signal=\"SIGBUS\"");
}

TEST_CASE("crash log: a second line has the calls of the program") {
  std::array<char, 512> room{};
  constexpr std::array<std::uint64_t, 3> calls{0x12ab, 0, 0xdeadbeef00};
  CHECK(crash_log::calls_line(log::format::text, noon, calls, room) ==
        "2023-11-14T22:13:20.123Z error   the calls of the program that crashed "
        "calls=\"12ab 0 deadbeef00\"");
  CHECK(crash_log::calls_line(log::format::json, noon, {}, room) ==
        R"({"time":"2023-11-14T22:13:20.123Z","level":"error",)"
        R"("message":"the calls of the program that crashed","calls":""})");
}

TEST_CASE("crash log: names are bounded, without what needs escapes, and set once") {
  crash_log::name_engine(8, "a\"b\n" + std::string(200, 'x'));
  const auto text = line_of(log::format::json, SIGSEGV, {8, 0});
  CHECK(text.find("\"engine\":\"a?b?" + std::string(76, 'x') + "\"") != std::string::npos);
  crash_log::name_engine(8, "another");
  CHECK(line_of(log::format::json, SIGSEGV, {8, 0}) == text);
  crash_log::name_engine(0, "none");
  crash_log::name_engine(crash_log::engines_max + 1, "none");
  CHECK(line_of(log::format::text, SIGSEGV, {crash_log::engines_max + 1, 0}).find("engine") ==
        std::string::npos);
}

TEST_CASE("crash log: a short buffer gets the beginning of the line") {
  std::array<char, 10> room{};
  CHECK(crash_log::line(log::format::text, SIGSEGV, noon, "loop-1", {}, room) == "2023-11-14");
}

TEST_CASE("crash log: a scope restores what the thread did before") {
  {
    const crash_log::scope outer{{1, 2}};
    {
      const crash_log::scope inner{{3, 4}};
      CHECK(crash_log::of_this_thread().engine == 3);
    }
    CHECK(crash_log::of_this_thread().engine == 1);
    CHECK(crash_log::of_this_thread().game == 2);
  }
  CHECK(crash_log::of_this_thread().engine == 0);
}
