// Builds the C tables of the extensions from the optional members of an author's class. Only
// abi_adapter.hpp includes it. Stateless, any thread.
#pragma once

#include "engines/abi_adapter.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#pragma GCC visibility push(hidden)

namespace gamehub::engines {

// The extension cells of a class that has it.
template <rules Class>
struct cells_adapter {
  using base = abi_adapter<Class>;

  static void size(const gamehub_match* m, std::int32_t* rows, std::int32_t* columns) noexcept {
    const grid board = base::guarded("size", grid{}, [&] { return base::of(m).board(); });
    *rows = board.rows;
    *columns = board.columns;
  }

  static std::size_t glyphs(const gamehub_match* m, std::int32_t viewer, char* out,
                            std::size_t capacity) noexcept {
    return base::guarded("glyphs", GAMEHUB_FAILED, [&] {
      const Class& state = base::of(m);
      const int sees = base::viewer_of(m, viewer);
      const auto count = static_cast<std::size_t>(state.board().cells());
      if (count <= capacity)
        for (std::size_t i = 0; i < count; ++i) out[i] = state.glyph(sees, static_cast<int>(i));
      return count;
    });
  }

  static gamehub_reason action_at(const gamehub_match* m, std::int32_t seat, std::int64_t cell,
                                  std::int64_t* out) noexcept {
    return base::reason_of("action_at", [&] { return base::of(m).action_at(seat, cell, *out); });
  }

  static std::int64_t cell_of(const gamehub_match* m, std::int64_t a) noexcept {
    return base::guarded("cell_of", std::int64_t{-1},
                         [&] { return std::int64_t{base::of(m).cell_of(a)}; });
  }

  static constexpr gamehub_cells table{.struct_size = sizeof(gamehub_cells),
                                       .reserved = 0,
                                       .marks = Class::marks,
                                       .size = size,
                                       .glyphs = glyphs,
                                       .action_at = action_at,
                                       .cell_of = cell_of};
};

// The extension player of a class that has it.
template <rules Class>
struct player_adapter {
  using base = abi_adapter<Class>;

  static gamehub_reason ask(const gamehub_match* m, std::int32_t seat, const play_style& style,
                            std::int64_t* out) noexcept {
    if (!holds(base::of(m).to_move(), seat) || seat == chance) return reasons::not_your_turn;
    return base::reason_of("choose", [&] {
      if constexpr (has_style<Class>)
        return base::of(m).choose(seat, style, *out);
      else
        return base::of(m).choose(seat, style.budget, *out);
    });
  }

  // The clock type is signed; a budget over 292 years is cut.
  static std::chrono::nanoseconds budget_of(std::uint64_t ns) {
    return std::chrono::nanoseconds{
        static_cast<std::int64_t>(std::min<std::uint64_t>(ns, INT64_MAX))};
  }

  static gamehub_reason choose(const gamehub_match* m, std::int32_t seat, std::uint64_t budget_ns,
                               std::int64_t* out) noexcept {
    return ask(m, seat, {.budget = budget_of(budget_ns)}, out);
  }

  static gamehub_reason choose_in_style(const gamehub_match* m, std::int32_t seat,
                                        const gamehub_play_style* style,
                                        std::int64_t* out) noexcept {
    const auto skill = static_cast<level>(
        std::min<std::uint32_t>(style->level, static_cast<std::uint32_t>(level::perfect)));
    return ask(m, seat, {skill, style->seed, budget_of(style->budget_ns)}, out);
  }

  static constexpr gamehub_player table{
      .struct_size = sizeof(gamehub_player),
      .immediate = Class::immediate ? 1U : 0U,
      .choose = choose,
      .choose_in_style = has_style<Class> ? choose_in_style : nullptr};
};

template <rules Class>
const void* abi_adapter<Class>::extension(const char* id) noexcept {
  const std::string_view wanted{id};
  if constexpr (has_cells<Class>)
    if (wanted == GAMEHUB_CELLS) return &cells_adapter<Class>::table;
  if constexpr (has_player<Class>)
    if (wanted == GAMEHUB_PLAYER) return &player_adapter<Class>::table;
  if (wanted == GAMEHUB_FAILURE) return &failure_adapter::table;
  return nullptr;
}

}  // namespace gamehub::engines

#pragma GCC visibility pop
