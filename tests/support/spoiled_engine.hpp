// Engines that break a promise, for tests of what the hub makes of it: a built-in engine under
// another id, some of whose functions were replaced. Kept until the program ends, as every engine.
#pragma once

#include "engines/host/engine.hpp"
#include "engines/host/registry.hpp"

#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace gamehub::tests {

// What a replaced function falls back on.
inline const gamehub_engine_abi& healthy_engine(std::string_view id) {
  for (const auto* abi : engines::host::built_in_engines())
    if (id == abi->id) return *abi;
  throw std::out_of_range{std::string{id}};
}

template <class Spoil>
engines::host::engine spoiled_engine(std::string_view like, std::string id, Spoil spoil) {
  struct kept {
    std::string id;
    gamehub_engine_abi abi;
  };
  static std::deque<kept> all;
  auto& mine = all.emplace_back(kept{std::move(id), healthy_engine(like)});
  mine.abi.id = mine.id.c_str();
  spoil(mine.abi);
  return std::get<engines::host::engine>(engines::host::engine::adopt(&mine.abi));
}

// TicTacToe, unchanged, under another version.
inline engines::host::engine tictactoe_of_version(std::uint32_t major, std::uint32_t minor) {
  return spoiled_engine("tictactoe", "tictactoe", [=](gamehub_engine_abi& abi) {
    abi.version_major = major;
    abi.version_minor = minor;
  });
}

// A TicTacToe that fails at the move into the last cell, and only there.
inline engines::host::engine engine_that_fails_at_cell_8() {
  return spoiled_engine("tictactoe", "fails-at-8", [](gamehub_engine_abi& abi) {
    abi.apply = [](gamehub_match* m, std::int32_t seat, std::int64_t a) -> gamehub_reason {
      if (a == 8) return engines::reasons::engine_failure;
      return healthy_engine("tictactoe").apply(m, seat, a);
    };
  });
}

// A TicTacToe that can't show a finished game.
inline engines::host::engine engine_that_fails_at_the_end() {
  return spoiled_engine("tictactoe", "fails-at-the-end", [](gamehub_engine_abi& abi) {
    abi.view_json = [](const gamehub_match* m, std::int32_t viewer, char* out,
                       std::size_t capacity) -> std::size_t {
      const auto& whole = healthy_engine("tictactoe");
      if (whole.to_move(m) == 0) return GAMEHUB_FAILED;
      return whole.view_json(m, viewer, out, capacity);
    };
  });
}

// A TicTacToe that can't begin while `broken` is set.
inline engines::host::engine engine_that_fails_to_begin(bool& is_broken) {
  static bool* broken = nullptr;
  broken = &is_broken;
  return spoiled_engine("tictactoe", "fails-to-begin", [](gamehub_engine_abi& abi) {
    abi.create = [](const char* options, std::size_t size, std::int32_t players,
                    gamehub_reason* reason) -> gamehub_match* {
      if (!*broken) return healthy_engine("tictactoe").create(options, size, players, reason);
      *reason = engines::reasons::engine_failure;
      return nullptr;
    };
  });
}

// A Kuhn Poker that can't deal.
inline engines::host::engine engine_that_fails_at_the_start() {
  return spoiled_engine("kuhn-poker", "fails-at-the-start", [](gamehub_engine_abi& abi) {
    abi.chance_outcomes = [](const gamehub_match*, std::int64_t*, std::uint32_t*,
                             std::size_t) -> std::size_t { return GAMEHUB_FAILED; };
  });
}

}  // namespace gamehub::tests
