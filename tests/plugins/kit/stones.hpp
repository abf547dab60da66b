// A correct game: fifteen stones, a player takes one, two or three; the last one wins. Each plugin
// beside this file is the same game and violates one rule.
#pragma once

#include "engines/plugin.hpp"

#include <cstdint>
#include <span>

namespace gamehub::tests::broken {

using engines::action;
using engines::action_list;
using engines::reason;
using engines::seats;

constexpr engines::description stones_named(const char* id) {
  return {.id = id, .title = "Stones", .actions_max = 3, .plies_max = 15, .actions_end = 4};
}

class stones {
 public:
  seats to_move() const noexcept { return left_ == 0 ? 0 : engines::only(mover_); }

  void legal_actions(int, action_list& out) const {
    for (action take = 1; take <= 3 && take <= left_; ++take) out.add(take);
  }

  reason apply(int seat, action take) noexcept {
    if (take < 1 || take > 3) return engines::reasons::out_of_bounds;
    if (take > left_) return "too-few-stones";
    left_ = static_cast<std::uint8_t>(left_ - take);
    mover_ = static_cast<std::uint8_t>(1 - seat);
    ++plies_;
    return nullptr;
  }

  void scores(std::span<double> out) const {
    out[mover_] = -1;
    out[1U - mover_] = 1;
  }

  void view(int, engines::writer& out) const { out << "{\"stones\":" << left_ << '}'; }
  bool valid() const { return left_ + plies_ <= 15 && mover_ <= 1; }

 protected:
  std::uint8_t left_ = 15;
  std::uint8_t mover_ = 0;
  std::uint8_t plies_ = 0;
  std::uint8_t mark_ = 0;  // For the plugins that violate a rule.
};

}  // namespace gamehub::tests::broken
