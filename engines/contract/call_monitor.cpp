#include "engines/contract/call_monitor.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <variant>

namespace gamehub::engines::contract {

namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

call_monitor* watching = nullptr;
const host::adopted* original = nullptr;

template <class Table>
const Table& table();
template <>
const gamehub_engine_abi& table() {
  return original->abi;
}
template <>
const gamehub_cells& table() {
  return original->cells;
}
template <>
const gamehub_player& table() {
  return original->player;
}

template <>
const gamehub_score& table() {
  return original->score;
}
template <>
const gamehub_summary& table() {
  return original->summary;
}

// One call: recorded while it runs, counted after its return.
class timed {
 public:
  template <class... Args>
  explicit timed(function what, const Args&... args) : what_(what) {
    auto& note = *watching->note;
    (see(note, args), ...);
    note.number.fetch_add(1, std::memory_order_relaxed);
    note.inside.store(what, std::memory_order_release);
    begin_ = steady_clock::now();
  }
  ~timed() {
    const auto took = steady_clock::now() - begin_;
    watching->note->inside.store(function::none, std::memory_order_release);
    watching->times[static_cast<std::size_t>(what_)].add(took);
  }
  timed(const timed&) = delete;
  timed& operator=(const timed&) = delete;

 private:
  static void see(current_call& note, std::int32_t seat) {
    note.seat.store(seat, std::memory_order_relaxed);
  }
  static void see(current_call& note, std::int64_t value) {
    note.value.store(value, std::memory_order_relaxed);
  }
  template <class Other>
  static void see(current_call&, const Other&) {}

  function what_;
  steady_clock::time_point begin_;
};

// The monitored function that replaces a function of the engine.
template <function What, auto Member>
struct through;
template <function What, class Table, class Result, class... Args,
          Result (*Table::*Member)(Args...)>
struct through<What, Member> {
  static Result call(Args... args) {
    const timed now{What, args...};
    return (table<Table>().*Member)(args...);
  }
};

void watch_calls(gamehub_engine_abi& to) {
  using abi = gamehub_engine_abi;
  using f = function;
  to.create = [](const char* options, std::size_t size, std::int32_t players,
                 gamehub_reason* why) -> gamehub_match* {
    const timed now{f::create, players};
    return original->create({options, size}, players, why);
  };
  to.clone = through<f::clone, &abi::clone>::call;
  to.destroy = through<f::destroy, &abi::destroy>::call;
  to.players = through<f::players, &abi::players>::call;
  to.to_move = through<f::to_move, &abi::to_move>::call;
  to.legal_actions = through<f::legal_actions, &abi::legal_actions>::call;
  to.apply = through<f::apply, &abi::apply>::call;
  to.chance_outcomes = through<f::chance_outcomes, &abi::chance_outcomes>::call;
  to.audience = through<f::audience, &abi::audience>::call;
  to.scores = through<f::scores, &abi::scores>::call;
  to.action_from_text = through<f::action_from_text, &abi::action_from_text>::call;
  to.action_from_json = through<f::action_from_json, &abi::action_from_json>::call;
  to.action_to_text = through<f::action_to_text, &abi::action_to_text>::call;
  to.action_to_json = through<f::action_to_json, &abi::action_to_json>::call;
  to.view_json = through<f::view_json, &abi::view_json>::call;
  to.save = through<f::save, &abi::save>::call;
  to.load = [](const char* saved, std::size_t size, gamehub_reason* why) -> gamehub_match* {
    const timed now{f::load};
    return original->load({saved, size}, why);
  };
  to.hash = through<f::hash, &abi::hash>::call;
}

const void* watched_cells() {
  static gamehub_cells to;
  using f = function;
  to = original->cells;
  to.struct_size = sizeof to;
  to.size = through<f::cells_size, &gamehub_cells::size>::call;
  to.glyphs = through<f::cells_glyphs, &gamehub_cells::glyphs>::call;
  to.action_at = through<f::cells_action_at, &gamehub_cells::action_at>::call;
  to.cell_of = through<f::cells_cell_of, &gamehub_cells::cell_of>::call;
  return &to;
}

const void* watched_player() {
  static gamehub_player to;
  to = original->player;
  to.struct_size = sizeof to;
  to.choose = through<function::player_choose, &gamehub_player::choose>::call;
  if (to.choose_in_style != nullptr)
    to.choose_in_style = through<function::player_choose, &gamehub_player::choose_in_style>::call;
  return &to;
}

const void* watched_score() {
  static gamehub_score to;
  to = {sizeof to, 0, through<function::score, &gamehub_score::score>::call};
  return &to;
}

const void* watched_summary() {
  static gamehub_summary to;
  to = {sizeof to, 0, through<function::summary, &gamehub_summary::summary>::call};
  return &to;
}

const void* watched_face() {
  static gamehub_face to;
  to = {sizeof to, 0, original->face.c_str()};
  return &to;
}

// Its function says what happened in the call before, and is not a call of the rules.
const void* watched_failure() {
  static gamehub_failure to;
  to = {sizeof to, 0, original->failure.take};
  return &to;
}

const void* watched_extension(const char* id) {
  const std::string_view wanted{id};
  if (original->has_cells && wanted == GAMEHUB_CELLS) return watched_cells();
  if (original->has_player && wanted == GAMEHUB_PLAYER) return watched_player();
  if (original->score.score != nullptr && wanted == GAMEHUB_SCORE) return watched_score();
  if (original->summary.summary != nullptr && wanted == GAMEHUB_SUMMARY) return watched_summary();
  if (!original->face.empty() && wanted == GAMEHUB_FACE) return watched_face();
  if (original->failure.take != nullptr && wanted == GAMEHUB_FAILURE) return watched_failure();
  return nullptr;
}

}  // namespace

std::string_view to_string(function f) {
  switch (f) {
    case function::none: return "nothing";
    case function::load_file: return "its first code";
    case function::create: return "create";
    case function::clone: return "clone";
    case function::destroy: return "destroy";
    case function::players: return "players";
    case function::to_move: return "to_move";
    case function::legal_actions: return "legal_actions";
    case function::apply: return "apply";
    case function::chance_outcomes: return "chance_outcomes";
    case function::audience: return "audience";
    case function::scores: return "scores";
    case function::action_from_text: return "action_from_text";
    case function::action_from_json: return "action_from_json";
    case function::action_to_text: return "action_to_text";
    case function::action_to_json: return "action_to_json";
    case function::view_json: return "view_json";
    case function::save: return "save";
    case function::load: return "load";
    case function::hash: return "hash";
    case function::cells_size: return "cells size";
    case function::cells_glyphs: return "cells glyphs";
    case function::cells_action_at: return "cells action_at";
    case function::cells_cell_of: return "cells cell_of";
    case function::player_choose: return "player choose";
    case function::score: return "score";
    case function::summary: return "summary";
    case function::play: return "play";
  }
  return "";
}

std::size_t durations::place_of(std::uint64_t ns) {
  if (ns < steps) return static_cast<std::size_t>(ns);
  const auto power = static_cast<std::size_t>(std::bit_width(ns)) - 1;
  constexpr std::size_t first = std::bit_width(steps) - 1;
  const auto step = (ns >> (power - first)) - steps;
  return std::min((power - first + 1) * steps + static_cast<std::size_t>(step), steps * powers - 1);
}

std::uint64_t durations::end_of(std::size_t place) {
  if (place < steps) return place;
  const auto row = place / steps - 1;
  return ((steps + place % steps + 1) << row) - 1;
}

void durations::add(nanoseconds took) {
  const auto ns = static_cast<std::uint64_t>(std::max<nanoseconds::rep>(took.count(), 0));
  ++counts_[place_of(ns)];
  ++count_;
  most_ = std::max(most_, took);
}

std::uint64_t durations::longer_than(nanoseconds than) const {
  const auto place = place_of(static_cast<std::uint64_t>(than.count()));
  return std::accumulate(counts_.begin() + static_cast<std::ptrdiff_t>(place) + 1, counts_.end(),
                         std::uint64_t{0});
}

nanoseconds durations::within(double share) const {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
  std::uint64_t so_far = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    so_far += counts_[i];
    if (so_far >= wanted && so_far > 0)
      return std::min(most_, nanoseconds{static_cast<nanoseconds::rep>(end_of(i))});
  }
  return most_;
}

host::engine monitored(const host::engine& rules, call_monitor& into) {
  watching = &into;
  original = &rules.tables();
  static gamehub_engine_abi to;
  to = original->abi;
  to.struct_size = sizeof to;
  to.extension = watched_extension;
  watch_calls(to);
  return std::get<host::engine>(host::engine::adopt(&to));
}

}  // namespace gamehub::engines::contract
