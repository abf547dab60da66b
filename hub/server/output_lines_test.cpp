#include "hub/app/isolation/said_lines.hpp"

#include "hub/app/isolation/pause.hpp"
#include "tests/support/catch.hpp"

namespace gamehub::app::isolation {
namespace {

using namespace std::chrono_literals;
using lines = std::vector<std::string>;

constexpr said_lines::instant start{1h};

TEST_CASE("said_lines: lines come as they end, however they are cut") {
  said_lines said;
  CHECK(said.take("one\ntw", start).lines == lines{"one"});
  CHECK(said.take("o\n\nthree", start).lines == lines{"two"});
  CHECK(said.finish(start).lines == lines{"three"});
  CHECK(said.finish(start).lines.empty());
}

TEST_CASE("said_lines: a long line is cut, and the next one is whole") {
  said_lines said;
  const std::string half(said_lines::line_bytes_max, 'x');
  CHECK(said.take(half, start).lines.empty());
  CHECK(said.take(half + "\nnext\n", start).lines == lines{half + "…", "next"});
}

TEST_CASE("said_lines: many lines are counted, and more are told in the next span") {
  said_lines said;
  std::string many;
  for (std::size_t i = 0; i < said_lines::lines_max + 5; ++i) many += "line\n";
  auto got = said.take(many, start);
  CHECK(got.lines.size() == said_lines::lines_max);
  CHECK(got.left_out == 0);
  CHECK(said.take("more\n", start + said_lines::span - 1ms).lines.empty());
  got = said.take("again\n", start + said_lines::span);
  CHECK(got.lines == lines{"again"});
  CHECK(got.left_out == 6);
  CHECK(said.take(many, start + said_lines::span).left_out == 0);
  CHECK(said.finish(start + said_lines::span).left_out == 6);
}

TEST_CASE("restart_pause: who dies at once waits longer and longer, up to a bound") {
  restart_backoff pause;
  CHECK(pause.after(0s) == 100ms);
  CHECK(pause.after(1s) == 200ms);
  CHECK(pause.after(59s) == 400ms);
  for (int i = 0; i < 20; ++i) pause.after(0s);
  CHECK(pause.after(0s) == 60s);
  CHECK(pause.after(60s) == 100ms);
  CHECK(pause.after(0s) == 200ms);
}

}  // namespace
}  // namespace gamehub::app::isolation
