// How predictable the moves of the hub's side are, learned from the games of one socket: how often
// each cell was chosen in each position. The echo of a move proves that its sender received it only
// as far as the move could not be guessed: an engine that plays perfectly often has one best move,
// and a sender who never receives anything knows it. Constant memory; one peer_table owns it, one
// thread.
#pragma once

#include "gateways/udp/udp_limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace gamehub::gateways::udp {

class move_statistics {
 public:
  // Counts a move to `cell`. Returns the information of the move in eighths of a bit: the negative
  // logarithm of the chance of the best guess, which is the most frequent move in the position.
  // Nothing is known of a position that was never seen, so its first move is worth nothing.
  std::uint8_t add(std::string_view cells, int cell) {
    const auto key = key_of(cells, cell);
    if (!seen_.contains(key) && seen_.size() >= limits::udp_positions_max) return 0;
    auto& counts = seen_[key];
    if (++counts[static_cast<std::size_t>(cell)] == count_max)
      for (auto& each : counts) each = static_cast<std::uint16_t>(each / 2);
    const auto all = std::accumulate(counts.begin(), counts.end(), 0.0);
    const double best = *std::max_element(counts.begin(), counts.end());
    const auto bits = std::log2((all + 1) / (best + 1));
    return static_cast<std::uint8_t>(bits * limits::udp_information_unit);
  }

 private:
  static constexpr std::uint16_t count_max = 0x8000;

  // The position before the move.
  static std::uint64_t key_of(std::string_view cells, int cell) {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const char glyph = i == static_cast<std::size_t>(cell) ? '-' : cells[i];
      out = out * 257 + static_cast<unsigned char>(glyph);
    }
    return out;
  }

  std::unordered_map<std::uint64_t, std::array<std::uint16_t, limits::udp_cells_max>> seen_;
};

}  // namespace gamehub::gateways::udp
