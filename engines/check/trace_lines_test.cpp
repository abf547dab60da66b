#include "engines/check/trace_lines.hpp"

#include "tests/support/catch.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gamehub::engines::check {
namespace {

using engines::contract::aspect;
using engines::contract::game_position;
using engines::contract::step;

// A game of two turns, with a view that is given.
std::string game(std::uint64_t seed, const std::string& second_view, int second_turn = 7) {
  game_position where{true, seed, {R"({"rows":3})", 2}, {}, {}};
  std::string out;
  const auto add = [&](const std::string& view) {
    out += trace_line(where, {{"what a spectator sees", view}, {"the hash", "12"}}) + '\n';
  };
  add("{}");
  where.turns.push_back({0, 4, "four"});
  add(second_view);
  where.turns.push_back({1, second_turn, std::to_string(second_turn)});
  add("{\"over\":true}");
  return out;
}

TEST_CASE("trace_lines: the same games are the same") {
  const auto both = game(1, "{}") + "{\"done\":true}\n" + game(2, "{}");
  const auto found = compared(both, both);
  CHECK(found.games == 2);
  CHECK_FALSE(found.difference);
}

TEST_CASE("trace_lines: are compared as far as both go") {
  const auto found = compared(game(1, "{}") + game(2, "{}"), game(1, "{}"));
  CHECK(found.games == 1);
  CHECK_FALSE(found.difference);
  CHECK(compared("", game(1, "{}")).games == 0);
}

TEST_CASE("trace_lines: a difference is told with what differs and the turns before it") {
  const auto found = compared(game(1, "{}") + game(2, "{\"a\":1}"), game(1, "{}") + game(2, "{}"));
  REQUIRE(found.difference);
  const auto& d = *found.difference;
  CHECK(d.promise == "the same game is another in another process");
  CHECK(d.detail == "what a spectator sees: {\"a\":1} here, {} there");
  CHECK(d.seed == 2);
  CHECK(d.after == "0:four");
  CHECK(d.options == R"({"rows":3})");
  CHECK(d.players == 2);
  CHECK(found.games == 2);
}

TEST_CASE("trace_lines: of a long text the part is shown in which it differs") {
  const std::string same(500, 'x');
  const auto found = compared(game(1, same + 'a' + same), game(1, same + 'b' + same));
  REQUIRE(found.difference);
  CHECK(found.difference->detail.size() < 400);
  CHECK(found.difference->detail.find("xax") != std::string::npos);
  CHECK(found.difference->detail.find("xbx") != std::string::npos);
}

TEST_CASE("trace_lines: other turns are a difference, too") {
  const auto found = compared(game(1, "{}", 7), game(1, "{}", 8));
  REQUIRE(found.difference);
  CHECK(found.difference->detail == "what can be done differs: drawn is 1:7 here and 1:8 there");
}

TEST_CASE("trace_lines: what an engine wrote over is no harm") {
  const auto found = compared("{\"a\":{\"x\"\n", game(1, "{}"));
  CHECK(found.difference);
  CHECK(compared("{\"a\":1,\"seed\":\"one\"}\n", "{\"a\":2}\n").difference);
}

TEST_CASE("trace_lines: bytes that are no text can be written down") {
  const auto line = trace_line({true, 1, {}, {}, {}}, {{"what a spectator sees", "\xff\n"}});
  CHECK(line.find('\n') == std::string::npos);
  CHECK(line.starts_with(trace_line_begins));
}

}  // namespace
}  // namespace gamehub::engines::check
