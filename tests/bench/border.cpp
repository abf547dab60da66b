#include "tests/bench/border.hpp"

// The class itself, which no header shows. It and its table get names that nothing else has: the
// engine is compiled in, too.
#define GAMEHUB_ENGINE_ENTRY gamehub_engine_bench_tictactoe
#define tictactoe tictactoe_of_bench
#include "engines/tictactoe/tictactoe.cpp"
#undef tictactoe

#include "engines/dice.hpp"
#include "engines/host/engine.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <variant>
#include <vector>

namespace gamehub::tests::bench {
namespace {

using engines::action;
using engines::tictactoe_of_bench::game;
using std::chrono::steady_clock;

constexpr std::size_t cells = 9;
constexpr std::size_t playouts = 1'000;

engines::host::engine through_the_table() {
  return std::get<engines::host::engine>(
      engines::host::engine::adopt(gamehub_engine_bench_tictactoe()));
}

engines::host::match begun(const engines::host::engine& rules) {
  return std::get<engines::host::match>(rules.create(""));
}

int seat_of(engines::seats to_move) { return to_move == engines::only(0) ? 0 : 1; }

// Games that were drawn before, so that nothing but the rules is measured.
std::vector<std::vector<action>> drawn_games(const engines::host::engine& rules) {
  // More than a branch predictor can learn.
  std::vector<std::vector<action>> out(4096);
  engines::rng d{1};
  std::vector<action> legal;
  for (auto& each : out)
    for (auto m = begun(rules); !m.over(); m.apply(seat_of(m.to_move()), each.back())) {
      m.legal_actions(seat_of(m.to_move()), legal);
      each.push_back(d.one_of(legal));
    }
  return out;
}

struct border {
  engines::host::engine rules = through_the_table();
  std::vector<std::vector<action>> games = drawn_games(rules);
  engines::host::match start = begun(rules);
  game plain{};
  engines::rng dice{1};
  std::vector<action> legal{};

  std::size_t turns() const {
    std::size_t out = 0;
    for (const auto& each : games) out += each.size();
    return out;
  }

  // Of each turn of the games: who is to move (which a class must be asked before anything else),
  // what may be done, and doing it.
  std::size_t through() {
    std::size_t seen = 0;
    for (const auto& each : games) {
      auto m = start.clone();
      for (const auto a : each) {
        const int seat = seat_of(m.to_move());
        seen += m.list_actions(seat, legal).size();
        if (m.apply(seat, a) != nullptr) throw std::logic_error{"a move was refused"};
      }
    }
    return seen;
  }
  std::size_t direct() {
    std::size_t seen = 0;
    std::array<action, cells> room;
    for (const auto& each : games) {
      const auto m = std::make_unique<game>(plain);
      for (const auto a : each) {
        const int seat = seat_of(m->to_move());
        engines::action_list list{room.data(), nullptr, room.size()};
        m->legal_actions(seat, list);
        seen += list.size();
        if (m->apply(seat, a) != nullptr) throw std::logic_error{"a move was refused"};
      }
    }
    return seen;
  }

  // Whole games at random.
  std::size_t playouts_through() {
    std::size_t turns = 0;
    for (std::size_t i = 0; i < playouts; ++i) {
      auto m = start.clone();
      for (auto mask = m.to_move(); mask != 0; mask = m.to_move(), ++turns) {
        const auto some = m.list_actions(seat_of(mask), legal);
        m.apply(seat_of(mask), some[dice.below(some.size())]);
      }
    }
    return turns;
  }
  std::size_t playouts_direct() {
    std::size_t turns = 0;
    std::array<action, cells> room;
    for (std::size_t i = 0; i < playouts; ++i) {
      const auto m = std::make_unique<game>(plain);
      for (auto mask = m->to_move(); mask != 0; mask = m->to_move(), ++turns) {
        engines::action_list list{room.data(), nullptr, room.size()};
        m->legal_actions(seat_of(mask), list);
        m->apply(seat_of(mask), room[dice.below(list.size())]);
      }
    }
    return turns;
  }
};

// Nanoseconds of a call.
double time_of(const std::function<std::size_t()>& work, std::chrono::milliseconds run_time) {
  std::int64_t calls = 0;
  std::size_t seen = 0;
  const auto begin = steady_clock::now();
  auto now = begin;
  do {
    seen += work();
    ++calls;
    now = steady_clock::now();
  } while (now - begin < run_time);
  if (seen == 0) throw std::logic_error{"nothing was played"};
  return std::chrono::duration<double, std::nano>(now - begin).count() / static_cast<double>(calls);
}

double median(std::vector<double> of) {
  const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
  std::nth_element(of.begin(), middle, of.end());
  return *middle;
}

std::string row(const char* what, const std::function<std::size_t()>& through,
                const std::function<std::size_t()>& direct, double each,
                std::chrono::milliseconds run_time, int runs) {
  std::vector<double> one, other, ratio;
  for (int i = 0; i < runs; ++i) {
    // The other way round each time.
    if (i % 2 == 0) one.push_back(time_of(through, run_time) / each);
    other.push_back(time_of(direct, run_time) / each);
    if (i % 2 != 0) one.push_back(time_of(through, run_time) / each);
    ratio.push_back(one.back() / other.back());
  }
  char text[256];
  std::snprintf(text, sizeof text, "| %s | %.1f | %.1f | %.2f | %.2f |\n", what, median(one),
                median(other), median(ratio), 1'000 / median(one));
  return text;
}

}  // namespace

std::string border_table(std::chrono::milliseconds run_time, int runs) {
  border b;
  if (b.through() != b.direct()) throw std::logic_error{"the table and its class differ"};
  return "| tictactoe | through the ABI, ns | called directly, ns | ratio | million a second |\n"
         "|---|---|---|---|---|\n" +
         row(
             "a turn: `to_move`, `legal_actions`, `apply`", [&] { return b.through(); },
             [&] { return b.direct(); }, static_cast<double>(b.turns()), run_time, runs) +
         row(
             "a random playout", [&] { return b.playouts_through(); },
             [&] { return b.playouts_direct(); }, playouts, run_time, runs);
}

}  // namespace gamehub::tests::bench
