#include "hub/core/player_clocks.hpp"

#include "hub/base/random.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

using namespace gamehub;
using namespace std::chrono_literals;

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

const base::instant begin{1h};

player_clocks clocks_of(std::string_view text, std::size_t seats = 2) {
  return {std::get<clock_rule>(read_clock(text)), seats};
}

milliseconds left_of(const player_clocks& c, seat_index seat, base::instant now) {
  return c.read(now, {}).left_at(seat, now);
}

// The seat moves after that time.
void move_after(player_clocks& c, seat_index seat, microseconds time) {
  c.start(only(seat), begin);
  c.stop(seat, begin + time);
}

// The hub was late from the second second on, for a second and a half.
hub_lateness late_for(const std::pair<base::instant, base::instant>& stall) {
  return {&stall, [](const void* of, seat_index, base::instant from, base::instant to) {
            const auto& [began, ended] =
                *static_cast<const std::pair<base::instant, base::instant>*>(of);
            const auto both = std::min(ended, to) - std::max(began, from);
            return std::max(std::chrono::duration_cast<microseconds>(both), microseconds{0});
          }};
}

}  // namespace

TEST_CASE("player_clocks: sudden death only loses time, and falls when it is used up") {
  auto c = clocks_of("sudden:10");
  CHECK_FALSE(c.due({}, begin));
  CHECK(c.running() == 0);
  c.start(only(0), begin);
  CHECK(c.due({}, begin) == begin + 10s);
  CHECK(left_of(c, 0, begin + 4s) == 6s);
  CHECK(left_of(c, 1, begin + 4s) == 10s);
  CHECK(c.fallen(begin + 10s - 1us, {}) == 0);
  CHECK(c.fallen(begin + 10s, {}) == only(0));
  CHECK(c.stop(0, begin + 4s) == 0us);
  CHECK(c.fallen(begin + 1h, {}) == 0);
  CHECK(left_of(c, 0, begin + 1h) == 6s);
  move_after(c, 0, 6s);
  CHECK(left_of(c, 0, begin) == 0s);
  c.start(only(0), begin);
  CHECK(c.fallen(begin, {}) == only(0));
}

TEST_CASE("player_clocks: an increment is added after the move, and never over the bound") {
  auto c = clocks_of("fischer:0.2+0.002");
  move_after(c, 0, 50ms);
  CHECK(left_of(c, 0, begin) == 152ms);
  move_after(c, 0, 500us);
  CHECK(c.stored(0) == "153500");
  auto most = clocks_of("fischer:31622400+86400");
  move_after(most, 1, 1s);
  CHECK(left_of(most, 1, begin) == clock_rule::main_max);
}

TEST_CASE("player_clocks: a delay gives back what a move took, up to the delay") {
  auto c = clocks_of("bronstein:10+2");
  move_after(c, 0, 1s);
  CHECK(left_of(c, 0, begin) == 10s);
  move_after(c, 0, 2s);
  CHECK(left_of(c, 0, begin) == 10s);
  move_after(c, 0, 5s);
  CHECK(left_of(c, 0, begin) == 7s);
  move_after(c, 0, 7s);
  CHECK(left_of(c, 0, begin) == 2s);
}

TEST_CASE("player_clocks: byo-yomi loses each period that is used up, and gives back the last") {
  auto c = clocks_of("byoyomi:10+3x5");
  CHECK(c.read(begin, {}).periods == std::vector<std::uint32_t>{3, 3});
  CHECK(c.read(begin, {}).period == 5s);
  move_after(c, 0, 10s);
  // The main time is used up: a period is shown, and two follow.
  CHECK(left_of(c, 0, begin) == 5s);
  CHECK(c.read(begin, {}).periods == std::vector<std::uint32_t>{2, 3});
  move_after(c, 0, 4999ms);
  CHECK(c.stored(0) == "0/3");
  c.start(only(0), begin);
  CHECK(c.due({}, begin) == begin + 15s);
  CHECK(left_of(c, 0, begin + 7s) == 3s);
  CHECK(c.read(begin + 7s, {}).periods[0] == 1);
  c.stop(0, begin + 7s);
  CHECK(c.stored(0) == "0/2");
  c.start(only(0), begin);
  CHECK(c.fallen(begin + 10s - 1us, {}) == 0);
  CHECK(c.fallen(begin + 10s, {}) == only(0));
  c.stop(0, begin + 10s);
  CHECK(c.stored(0) == "0/0");
  // From the main time into the second period.
  move_after(c, 1, 16s);
  CHECK(c.stored(1) == "0/2");
}

TEST_CASE("player_clocks: a reading counts through the periods as the clock does") {
  auto c = clocks_of("byoyomi:2+3x5");
  c.start(only(0), begin);
  const auto shown = c.read(begin, {});
  for (auto after = 0ms; after <= 18s; after += 100ms) {
    CAPTURE(after.count());
    const auto then = c.read(begin + after, {});
    const auto read = shown.at_seat(0, begin + after);
    CHECK(read.left == then.left[0]);
    CHECK(read.periods == then.periods[0]);
    CHECK(shows_same(shown, then));
  }
}

TEST_CASE("player_clocks: a turn that ends without a move costs nothing") {
  auto c = clocks_of("fischer:10+5");
  c.start(only(0) | only(1), begin);
  c.drop_all_but(only(1));
  CHECK(c.running() == only(1));
  CHECK(left_of(c, 0, begin + 3s) == 10s);
  CHECK(left_of(c, 1, begin + 3s) == 7s);
  // A clock that does not run is not stopped.
  c.stop(0, begin + 3s);
  CHECK(left_of(c, 0, begin + 3s) == 10s);
}

TEST_CASE("player_clocks: a seat that is asked again while its turn lasts goes on") {
  auto c = clocks_of("sudden:10");
  c.start(only(0), begin);
  c.start(only(0) | only(1), begin + 4s);
  CHECK(left_of(c, 0, begin + 5s) == 5s);
  CHECK(left_of(c, 1, begin + 5s) == 9s);
}

TEST_CASE("player_clocks: a turn begins when its prompt is sent") {
  auto c = clocks_of("sudden:10");
  c.start(only(0), begin);
  CHECK(c.postpone(begin + 3s) == 3s);
  CHECK(left_of(c, 0, begin + 4s) == 9s);
  // The turn of another seat, which began before, is not postponed.
  c.start(only(1), begin + 4s);
  CHECK(c.postpone(begin + 5s) == 1s);
  CHECK(left_of(c, 0, begin + 5s) == 8s);
  CHECK(left_of(c, 1, begin + 5s) == 10s);
}

TEST_CASE("player_clocks: time in which the hub was late is not the player's") {
  const std::pair stall{begin + 1s, begin + 2500ms};
  const auto late = late_for(stall);
  auto c = clocks_of("sudden:3");
  c.start(only(0), begin);
  CHECK(c.due(late, begin) == begin + 3s);
  CHECK(c.due(late, begin + 3s) == begin + 4500ms);
  CHECK(c.fallen(begin + 3500ms, {}) == only(0));
  CHECK(c.fallen(begin + 4499ms, late) == 0);
  CHECK(c.fallen(begin + 4500ms, late) == only(0));
  CHECK(c.read(begin + 4s, late).left[0] == 500ms);
  CHECK(c.stop(0, begin + 4s, late) == 1500ms);
  CHECK(left_of(c, 0, begin) == 500ms);
  // Lateness never gives more than the turn took.
  const hub_lateness always{nullptr, [](const void*, seat_index, base::instant, base::instant) {
                              return 1'000'000'000us;
                            }};
  c.start(only(1), begin);
  CHECK(c.stop(1, begin + 2s, always) == 2s);
  CHECK(left_of(c, 1, begin) == 3s);
}

TEST_CASE("player_clocks: a move that arrived before its turn costs nothing") {
  auto c = clocks_of("sudden:3");
  c.start(only(0), begin);
  c.stop(0, begin - 1s);
  CHECK(left_of(c, 0, begin) == 3s);
}

TEST_CASE("player_clocks: clocks stand still until all players are back") {
  auto c = clocks_of("fischer:10+1", 3);
  REQUIRE(c.restore(1, "4000000"));
  c.pause();
  c.start(only(1), {});
  c.charge(1s, 2s);
  CHECK(c.paused());
  CHECK(c.read(begin, {}).running == 0);
  CHECK(left_of(c, 1, begin + 1h) == 3s);
  CHECK_FALSE(c.due({}, begin + 1h));
  CHECK(c.fallen(begin + 1h, {}) == 0);
  CHECK(c.postpone(begin + 1h) == 0s);
  c.resume(begin + 1h);
  CHECK(c.read(begin + 1h, {}).running == only(1));
  CHECK(c.due({}, begin + 1h) == begin + 1h + 3s);
  c.stop(1, begin + 1h + 2s);
  CHECK(left_of(c, 1, begin) == 2s);
}

TEST_CASE("player_clocks: a restart leaves some time, unless there was less") {
  for (const auto& [had, left] :
       {std::pair{"9000000", 2000ms}, std::pair{"2000000", 2000ms}, std::pair{"700000", 700ms}}) {
    auto c = clocks_of("sudden:10");
    REQUIRE(c.restore(0, had));
    c.pause();
    c.start(only(0), {});
    c.charge(1h, 2s);
    CHECK(left_of(c, 0, begin) == left);
  }
}

TEST_CASE("player_clocks: what is left is read from the log, and nothing else") {
  auto c = clocks_of("byoyomi:10+3x5");
  CHECK(c.stored(0) == "10000000/3");
  CHECK(c.restore(0, "123/2"));
  CHECK(c.stored(0) == "123/2");
  for (const auto* bad : {"", "1", "1/", "1/4", "-1/2", "1/-1", "1/2x", "x/2", " 1/2", "1 /2",
                          "99999999999999999999/1", "31622400000001/1"}) {
    CAPTURE(bad);
    CHECK_FALSE(c.restore(0, bad));
    CHECK(c.stored(0) == "123/2");
  }
  CHECK_FALSE(c.restore(-1, "1/1"));
  CHECK_FALSE(c.restore(2, "1/1"));
  auto plain = clocks_of("sudden:10");
  CHECK_FALSE(plain.restore(0, "1/1"));
  CHECK(plain.restore(0, "31622400000000"));
}

namespace {

// One player of a game as the rules say it, in whole microseconds.
struct model {
  clock_rule rule;
  std::int64_t main = 0;
  int periods = 0;

  std::int64_t all() const { return main + periods * microseconds{rule.step}.count(); }
  void move(std::int64_t used) {
    const auto step = microseconds{rule.step}.count();
    const auto before = main;
    main = std::max<std::int64_t>(main - used, 0);
    if (rule.how == clock_rule::kind::increment) main += step;
    if (rule.how == clock_rule::kind::delay) main += std::min(used, step);
    for (auto over = used - before;
         rule.how == clock_rule::kind::byo_yomi && over >= step && over > 0 && periods > 0;
         over -= step)
      --periods;
  }
};

}  // namespace

TEST_CASE("player_clocks: random games go as the model says, also through the log") {
  const auto seed = GENERATE(range(1U, 200U));
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  const auto up_to = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1));
  };
  constexpr std::array rules{"sudden:30",      "fischer:3+2",   "fischer:0.2+0.002",
                             "bronstein:10+3", "byoyomi:5+4x2", "byoyomi:0+2x1"};
  const auto* text = rules[static_cast<std::size_t>(up_to(rules.size() - 1))];
  CAPTURE(text);
  constexpr seat_index seats = 3;
  auto c = clocks_of(text, seats);
  std::vector<model> as(seats, {c.rule(), microseconds{c.rule().main}.count(), c.rule().periods});
  auto now = begin;
  for (int turn = 0; turn < 60; ++turn) {
    const auto seat = static_cast<seat_index>(up_to(seats - 1));
    auto& mine = as[static_cast<std::size_t>(seat)];
    c.start(only(seat), now);
    const auto held = microseconds{up_to(3) == 0 ? up_to(100'000) : 0};
    CHECK(c.postpone(now + held) == held);
    now += held;
    const auto used = microseconds{up_to(std::min<std::int64_t>(mine.all() + 10'000, 4'000'000))};
    CHECK(c.due({}, now) == now + microseconds{mine.all()});
    now += used;
    const bool falls = used.count() >= mine.all();
    CHECK(c.fallen(now, {}) == (falls ? only(seat) : 0));
    if (falls) {
      c.drop_all_but(0);
    } else {
      c.stop(seat, now);
      mine.move(used.count());
    }
    for (seat_index each = 0; each < seats; ++each) {
      const auto& that = as[static_cast<std::size_t>(each)];
      auto stored = std::to_string(that.main);
      if (c.rule().periods > 0) stored += "/" + std::to_string(that.periods);
      CHECK(c.stored(each) == stored);
    }
    if (up_to(9) != 0) continue;
    auto other = clocks_of(text, seats);
    for (seat_index each = 0; each < seats; ++each) CHECK(other.restore(each, c.stored(each)));
    c = other;
  }
}
