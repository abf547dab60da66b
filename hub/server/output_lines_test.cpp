#include "hub/server/output_lines.hpp"

#include "hub/server/restart_backoff.hpp"
#include "tests/support/catch.hpp"

namespace gamehub::server {
namespace {

using namespace std::chrono_literals;
using lines = std::vector<std::string>;

constexpr output_lines::instant start{1h};

TEST_CASE("output_lines: returns a line when its end arrives, for any split of the bytes") {
  output_lines said;
  CHECK(said.take("one\ntw", start).lines == lines{"one"});
  CHECK(said.take("o\n\nthree", start).lines == lines{"two"});
  CHECK(said.finish(start).lines == lines{"three"});
  CHECK(said.finish(start).lines.empty());
}

TEST_CASE("output_lines: a long line is cut, and the next one is whole") {
  output_lines said;
  const std::string half(output_lines::line_bytes_max, 'x');
  CHECK(said.take(half, start).lines.empty());
  CHECK(said.take(half + "\nnext\n", start).lines == lines{half + "…", "next"});
}

TEST_CASE("output_lines: lines above the limit are counted and reported in the next interval") {
  output_lines said;
  std::string many;
  for (std::size_t i = 0; i < output_lines::lines_max + 5; ++i) many += "line\n";
  auto got = said.take(many, start);
  CHECK(got.lines.size() == output_lines::lines_max);
  CHECK(got.left_out == 0);
  CHECK(said.take("more\n", start + output_lines::span - 1ms).lines.empty());
  got = said.take("again\n", start + output_lines::span);
  CHECK(got.lines == lines{"again"});
  CHECK(got.left_out == 6);
  CHECK(said.take(many, start + output_lines::span).left_out == 0);
  CHECK(said.finish(start + output_lines::span).left_out == 6);
}

TEST_CASE("restart_backoff: early ends double the pause up to a limit") {
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
}  // namespace gamehub::server
