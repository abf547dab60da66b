#include "engines/contract/call_monitor.hpp"

#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/spoiled_engine.hpp"

#include <chrono>
#include <variant>
#include <vector>

namespace gamehub::engines::contract {
namespace {

using std::chrono::nanoseconds;

TEST_CASE("call_monitor: durations are told to about 6 %") {
  durations d;
  CHECK(d.count() == 0);
  CHECK(d.within(0.5) == nanoseconds{0});
  for (int i = 1; i <= 1000; ++i) d.add(nanoseconds{i * 1000});
  CHECK(d.count() == 1000);
  CHECK(d.most() == nanoseconds{1'000'000});
  CHECK(d.within(0.5) >= nanoseconds{500'000});
  CHECK(d.within(0.5) <= nanoseconds{535'000});
  CHECK(d.within(0.99) >= nanoseconds{990'000});
  CHECK(d.within(1) == d.most());
}

TEST_CASE("call_monitor: durations of any length are counted") {
  durations d;
  for (const nanoseconds::rep ns : {nanoseconds::rep{-5}, nanoseconds::rep{0}, nanoseconds::rep{15},
                                    nanoseconds::rep{16}, nanoseconds::rep{1} << 50, INT64_MAX})
    d.add(nanoseconds{ns});
  CHECK(d.count() == 6);
  CHECK(d.most() == nanoseconds{INT64_MAX});
  CHECK(d.within(0.1) == nanoseconds{0});
  CHECK(d.longer_than(nanoseconds{1'000}) == 2);
}

TEST_CASE("call_monitor: an engine behind the glass is the same, and its calls are counted") {
  const auto bare = tests::built_in("tictactoe");
  current_call note;
  call_monitor times{&note, {}};
  const auto rules = monitored(bare, times);
  CHECK(rules.id() == "tictactoe");
  CHECK(rules.has_cells());
  CHECK(rules.has_player());
  auto m = std::get<host::match>(rules.create(""));
  auto same = std::get<host::match>(bare.create(""));
  CHECK(m.apply(0, 4) == nullptr);
  CHECK(same.apply(0, 4) == nullptr);
  CHECK(m.save() == same.save());
  CHECK(m.choose(1, {level::perfect, 7, {}}) == same.choose(1, {level::perfect, 7, {}}));
  CHECK(times.of(function::create).count() == 1);
  CHECK(times.of(function::apply).count() == 1);
  CHECK(times.of(function::player_choose).count() == 1);
  CHECK(times.of(function::load).count() == 0);
  CHECK(note.number == 4);
  CHECK(note.inside == function::none);
}

TEST_CASE("call_monitor: the call that runs is noted, with whom and what it is about") {
  static current_call* seen = nullptr;
  static function inside = function::none;
  static std::int32_t seat = -1;
  static std::int64_t value = -1;
  const auto bare =
      tests::spoiled_engine("tictactoe", "looks-at-the-note", [](gamehub_engine_abi& abi) {
        abi.apply = [](gamehub_match* m, std::int32_t who, std::int64_t a) {
          inside = seen->inside;
          seat = seen->seat;
          value = seen->value;
          return tests::healthy_engine("tictactoe").apply(m, who, a);
        };
      });
  current_call note;
  seen = &note;
  call_monitor times{&note, {}};
  const auto rules = monitored(bare, times);
  auto m = std::get<host::match>(rules.create(""));
  m.apply(0, 7);
  CHECK(inside == function::apply);
  CHECK(seat == 0);
  CHECK(value == 7);
}

TEST_CASE("call_monitor: every function has a unique name") {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < function_count; ++i) {
    const auto name = to_string(static_cast<function>(i));
    CHECK_FALSE(name.empty());
    for (const auto other : names) CHECK(name != other);
    names.push_back(name);
  }
}

}  // namespace
}  // namespace gamehub::engines::contract
