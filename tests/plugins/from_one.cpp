// A game of one to three players without a board: each counts once in turn, then the last one has
// won.
#include "engines/plugin.hpp"

namespace gamehub::engines {

class from_one_game {
 public:
  static constexpr description about{.id = "from-one",
                                     .title = "From One",
                                     .players_min = 1,
                                     .players_max = 3,
                                     .actions_max = 1,
                                     .plies_max = 3,
                                     .actions_end = 1};

  reason set_up(std::string_view, int players) {
    players_ = players;
    return nullptr;
  }
  int players() const { return players_; }

  seats to_move() const noexcept { return counted_ == players_ ? 0 : only(counted_); }
  void legal_actions(int, action_list& out) const { out.add(0); }
  reason apply(int, action a) noexcept {
    if (a != 0) return reasons::out_of_bounds;
    ++counted_;
    return nullptr;
  }
  void scores(std::span<double> out) const {
    for (auto& each : out) each = -1;
    out.back() = 1;
  }
  void view(int, writer& out) const { out << "{\"counted\":" << counted_ << '}'; }
  bool valid() const {
    return players_ >= 1 && players_ <= 3 && counted_ >= 0 && counted_ <= players_;
  }

 private:
  std::int32_t players_ = 1, counted_ = 0;
};

}  // namespace gamehub::engines

GAMEHUB_ENGINE(gamehub::engines::from_one_game);
