// A game of SEATS players: each marks one cell in turn, then the last one has won.
#include "engines/plugin.hpp"

namespace gamehub::engines {

class seats_game {
 public:
  static constexpr description about{.id = SEATS_ID,
                                     .title = "Seats",
                                     .players_min = SEATS,
                                     .players_max = SEATS,
                                     .actions_max = SEATS,
                                     .plies_max = SEATS,
                                     .actions_end = SEATS};
  static constexpr const char* marks = "ABCDEFGH";

  seats to_move() const noexcept { return made_ == SEATS ? 0 : only(made_); }
  void legal_actions(int, action_list& out) const { out.add(made_); }
  reason apply(int, action a) noexcept {
    if (a != made_) return reasons::out_of_bounds;
    ++made_;
    return nullptr;
  }
  void scores(std::span<double> out) const {
    for (auto& each : out) each = -1;
    out.back() = 1;
  }
  void view(int, writer& out) const { out << "{\"made\":" << made_ << '}'; }
  bool valid() const { return made_ >= 0 && made_ <= SEATS; }

  grid board() const { return {1, SEATS}; }
  char glyph(int, int cell) const { return cell < made_ ? marks[cell] : GAMEHUB_BLANK; }
  reason action_at(int, std::int64_t cell, action& out) const {
    if (cell < 0 || cell >= SEATS) return reasons::out_of_bounds;
    out = cell;
    return nullptr;
  }
  std::int64_t cell_of(action a) const { return a; }

 private:
  std::int32_t made_ = 0;
};

}  // namespace gamehub::engines

GAMEHUB_ENGINE(gamehub::engines::seats_game);
