// Whatever the text of a clock is, it is a clock within the bounds, which is printed as a text that
// is read as the same clock, or a sentence. And whatever happens to the clocks of a game, no player
// has less than nothing or more than the most, and the log brings back what was left.
//
// An input is a text, ended by a line's end, then bytes: what happens to the clocks of three
// players.
#include "hub/core/clock_policy.hpp"
#include "hub/core/player_clocks.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub::tests {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr seat_index seats = 3;

void expect(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "clock: does not keep this: %s\n", promise);
  std::abort();
}

void check_times(const player_clocks& clocks, base::instant now) {
  const auto shown = clocks.read(now, {});
  expect(shown.left.size() == seats, "each seat has a clock");
  for (seat_index seat = 0; seat < seats; ++seat) {
    const auto later = shown.at_seat(seat, now + std::chrono::hours{1});
    expect(later.left.count() >= 0, "no player has less than nothing");
    expect(shown.left_at(seat, now) <= player_clocks::store_max,
           "no player has more than the most");
    expect(later.periods <= static_cast<std::uint32_t>(clocks.rule().periods),
           "no period is made up");
  }
}

void play(const clock_rule& rule, std::string_view bytes) {
  player_clocks clocks{rule, seats};
  base::instant now{std::chrono::hours{1}};
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const auto what = static_cast<unsigned char>(bytes[i]);
    const auto much = static_cast<unsigned char>(bytes[i + 1]);
    const auto seat = static_cast<seat_index>(what % seats);
    now += microseconds{std::int64_t{1} << (much % 40)};
    switch (what / 32) {
      case 0: clocks.start(only(seat), now); break;
      case 1: clocks.drop_all_but(seat_set{much}); break;
      case 2: clocks.postpone(now); break;
      case 3: clocks.stop(seat, now - std::chrono::hours{much % 2}); break;
      default: clocks.stop(seat, now); break;
    }
    check_times(clocks, now);
    const auto due = clocks.due({}, now);
    expect(due.has_value() == (clocks.running() != 0), "a clock that runs is due once");
    if (due) expect((clocks.fallen(*due, {}) & clocks.running()) != 0, "who is due has fallen");
    player_clocks logged{rule, seats};
    for (seat_index each = 0; each < seats; ++each) {
      if (holds(clocks.running(), each)) continue;
      expect(logged.restore(each, clocks.stored(each)), "what was logged is read");
      expect(logged.stored(each) == clocks.stored(each), "what was logged is what was left");
    }
  }
}

void check(std::string_view input) {
  const auto end = input.find('\n');
  const auto text = input.substr(0, end);
  const auto found = read_clock(text);
  if (const auto* wrong = std::get_if<std::string>(&found)) {
    expect(!wrong->empty() && wrong->size() < 400, "what is wrong is a sentence");
  } else {
    const auto& rule = std::get<clock_rule>(found);
    expect(is_valid(rule), "what is read is a clock");
    const auto again = read_clock(to_text(rule));
    expect(std::holds_alternative<clock_rule>(again) && std::get<clock_rule>(again) == rule,
           "what is printed is read as the same");
    if (rule.has_store() && end != input.npos) play(rule, input.substr(end + 1));
  }
  // The bounds of a hub.
  const auto chosen = clock_policy{}.choose("nim", text);
  if (const auto* rule = std::get_if<clock_rule>(&chosen))
    expect(is_valid(*rule), "what is chosen is a clock");
  player_clocks logged{
      {std::chrono::seconds{9}, std::chrono::seconds{2}, clock_rule::kind::byo_yomi, 3}, 1};
  const auto before = logged.stored(0);
  if (!logged.restore(0, text))
    expect(logged.stored(0) == before, "what is not read changes nothing");
}

}  // namespace
}  // namespace gamehub::tests

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gamehub::tests::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
