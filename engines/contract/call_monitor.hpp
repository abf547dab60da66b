// Monitors an engine: each call is timed, and recorded before it starts, so that a call which never
// returns can be identified. The C functions have no context but the match, so the program can
// monitor one engine at a time, on one thread.
#pragma once

#include "engines/host/engine.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gamehub::engines::contract {

enum class function : std::uint8_t {
  none,
  load_file,  // Not a function of the ABI: code that runs while the plugin is loaded.
  create,
  clone,
  destroy,
  players,
  to_move,
  legal_actions,
  apply,
  chance_outcomes,
  audience,
  scores,
  action_from_text,
  action_from_json,
  action_to_text,
  action_to_json,
  view_json,
  save,
  load,
  hash,
  cells_size,
  cells_glyphs,
  cells_action_at,
  cells_cell_of,
  player_choose,
  score,
  summary,
  play,  // Not a function of the ABI: a request to a program.
};
inline constexpr std::size_t function_count = static_cast<std::size_t>(function::play) + 1;
std::string_view to_string(function);

// The current call. Another thread or process may read it; seat and action may then belong to the
// previous call.
struct current_call {
  std::atomic<std::uint64_t> number{0};  // number of calls so far
  std::atomic<function> inside{function::none};
  std::atomic<std::int32_t> seat{0};
  std::atomic<std::int64_t> value{0};
};

// A histogram of call times, with an error of about 6 %.
class durations {
 public:
  void add(std::chrono::nanoseconds);

  std::uint64_t count() const { return count_; }
  std::chrono::nanoseconds most() const { return most_; }
  // Returns the number of longer calls, with the error of the histogram.
  std::uint64_t longer_than(std::chrono::nanoseconds) const;
  // Returns the quantile `share`, which is in 0 to 1.
  std::chrono::nanoseconds within(double share) const;

 private:
  static constexpr std::size_t steps = 16;  // between a power of two and the next
  static constexpr std::size_t powers = 40;

  static std::size_t place_of(std::uint64_t nanoseconds);
  static std::uint64_t end_of(std::size_t place);

  std::array<std::uint64_t, steps * powers> counts_{};
  std::uint64_t count_ = 0;
  std::chrono::nanoseconds most_{0};
};

struct call_monitor {
  current_call* note = nullptr;
  std::array<durations, function_count> times{};

  const durations& of(function f) const { return times[static_cast<std::size_t>(f)]; }
};

// Returns the same engine with monitored calls. The monitor and its current_call outlive every
// match of that engine.
host::engine monitored(const host::engine&, call_monitor&);

}  // namespace gamehub::engines::contract
