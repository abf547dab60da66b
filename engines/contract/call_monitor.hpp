// An engine behind a glass: each call of its functions is timed, and noted before it is made, where
// it is found also if the engine never comes back. A table of C functions knows nothing but its
// match, so one engine of the program can be watched at a time, from one thread.
#pragma once

#include "engines/engine.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gamehub::engines::contract {

enum class function : std::uint8_t {
  none,
  load_file,  // No function of the border: the code that runs as soon as a plugin is there.
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
};
inline constexpr std::size_t function_count = static_cast<std::size_t>(function::player_choose) + 1;
std::string_view to_string(function);

// The call that runs now. Another thread or process may look at it; what it sees of seat and action
// may belong to the call before.
struct current_call {
  std::atomic<std::uint64_t> number{0};  // Of the calls so far.
  std::atomic<function> inside{function::none};
  std::atomic<std::int32_t> seat{0};
  std::atomic<std::int64_t> value{0};
};

// How long calls took, to about 6 %.
class durations {
 public:
  void add(std::chrono::nanoseconds);

  std::uint64_t count() const { return count_; }
  std::chrono::nanoseconds most() const { return most_; }
  // How many took longer than that, give or take those of about that time.
  std::uint64_t longer_than(std::chrono::nanoseconds) const;
  // No more than this share of the calls took longer. Requires: share is in 0 to 1.
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

struct watch {
  current_call* note = nullptr;
  std::array<durations, function_count> times{};

  const durations& of(function f) const { return times[static_cast<std::size_t>(f)]; }
};

// The same engine, watched from now on. Requires: the watch and its note outlive every match of it.
engine watched(const engine&, watch&);

}  // namespace gamehub::engines::contract
