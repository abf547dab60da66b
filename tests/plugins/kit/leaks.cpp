// Chance deals a secret number to each player; then the players call in turn. After the second call
// the view of seat 0 reveals whether the opponent's number is high.
#include "engines/plugin.hpp"

#include <cstdint>
#include <span>

namespace gamehub::tests::broken {

using engines::action;

class leaks {
 public:
  static constexpr engines::description about{.id = "leaks",
                                              .title = "Leaks",
                                              .perfect_information = false,
                                              .has_chance = true,
                                              .actions_max = 6,
                                              .plies_max = 6,
                                              .actions_end = 6};

  engines::seats to_move() const noexcept {
    if (plies_ < 2) return engines::only(engines::chance);
    return plies_ < 6 ? engines::only(plies_ % 2) : 0;
  }
  void legal_actions(int seat, engines::action_list& out) const {
    for (action a = 0; a < (seat == engines::chance ? 6 : 2); ++a) out.add(a);
  }
  engines::reason apply(int seat, action a) noexcept {
    if (a < 0 || a >= (seat == engines::chance ? 6 : 2)) return engines::reasons::out_of_bounds;
    if (plies_ < 2) held_[plies_] = static_cast<std::uint8_t>(a);
    if (plies_ >= 2) calls_ = static_cast<std::uint8_t>(2 * calls_ + a);
    ++plies_;
    return nullptr;
  }
  engines::seats audience(int seat, action) const {
    return seat == engines::chance ? engines::only(plies_) : engines::everyone;
  }
  void scores(std::span<double> out) const {
    out[0] = held_[0] - held_[1];
    out[1] = -out[0];
  }
  void view(int viewer, engines::writer& out) const {
    out << "{\"plies\":" << plies_ << ",\"calls\":" << calls_;
    if (viewer >= 0 && viewer < plies_) out << ",\"held\":" << held_[viewer];
    if (viewer == 0 && plies_ >= 4) out << ",\"hint\":" << (held_[1] > 3);
    out << '}';
  }
  bool valid() const {
    return plies_ <= 6 && held_[0] < 6 && held_[1] < 6 && (held_[1] == 0 || plies_ > 1) &&
           (held_[0] == 0 || plies_ > 0) && calls_ < (plies_ > 2 ? 1 << (plies_ - 2) : 1);
  }

 private:
  std::uint8_t plies_ = 0;
  std::uint8_t held_[2] = {0, 0};
  std::uint8_t calls_ = 0;
};

}  // namespace gamehub::tests::broken

GAMEHUB_ENGINE(gamehub::tests::broken::leaks);
