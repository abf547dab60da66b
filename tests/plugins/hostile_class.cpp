// As hostile.cpp, but a C++ class by plugin.hpp: its members throw while the file `orders` beside
// it contains "throw MEMBER" or "number MEMBER", by their names in abi.h. Chance draws once, before
// the first move.
#define GAMEHUB_ENGINE_ENTRY healthy_engine
#include "engines/tictactoe/tictactoe.cpp"
#undef GAMEHUB_ENGINE_ENTRY
#define GAMEHUB_ENGINE_ENTRY gamehub_engine
#include "tests/plugins/beside.hpp"

#include <stdexcept>
#include <string>

namespace gamehub::engines::tictactoe {

namespace {

void throw_if_told(const char* member) {
  const auto word = gamehub::tests::text_of("orders");
  if (word == std::string{"throw "} + member) throw std::runtime_error{"told to throw"};
  if (word == std::string{"number "} + member) throw 42;
}

}  // namespace

class hostile_game : public game {
 public:
  static constexpr description about{.id = "hostile-class",
                                     .title = "Hostile class",
                                     .has_chance = true,
                                     .actions_max = cells,
                                     .plies_max = cells + 1,
                                     .actions_end = cells};

  hostile_game() { throw_if_told("create"); }
  seats to_move() const noexcept { return drawn_ == 0 ? only(chance) : game::to_move(); }
  void legal_actions(int seat, action_list& out) const {
    throw_if_told(seat == chance ? "chance_outcomes" : "legal_actions");
    if (seat == chance)
      out.add(0);
    else
      game::legal_actions(seat, out);
  }
  reason apply(int seat, action a) {
    throw_if_told("apply");
    if (seat != chance) return game::apply(seat, a);
    if (a == 0) drawn_ = 1;
    return a == 0 ? nullptr : reasons::out_of_bounds;
  }
  reason from_text(int, std::string_view text, action& out) const {
    throw_if_told("action_from_text");
    if (text.size() != 1 || text[0] < '0' || text[0] >= '0' + cells) return reasons::malformed;
    out = text[0] - '0';
    return nullptr;
  }
  void to_text(action a, writer& out) const {
    throw_if_told("action_to_text");
    out << a;
  }
  reason from_json(int seat, std::string_view text, action& out) const {
    throw_if_told("action_from_json");
    return game::from_json(seat, text, out);
  }
  void to_json(action a, writer& out) const {
    throw_if_told("action_to_json");
    game::to_json(a, out);
  }
  reason action_at(int seat, std::int64_t cell, action& out) const {
    throw_if_told("action_at");
    return game::action_at(seat, cell, out);
  }
  void scores(std::span<double> out) const {
    throw_if_told("scores");
    game::scores(out);
  }
  void view(int viewer, writer& out) const {
    throw_if_told("view_json");
    game::view(viewer, out);
  }
  grid board() const {
    throw_if_told("size");
    return game::board();
  }
  char glyph(int viewer, int cell) const {
    throw_if_told("glyphs");
    return game::glyph(viewer, cell);
  }
  std::int64_t cell_of(action a) const {
    throw_if_told("cell_of");
    return game::cell_of(a);
  }
  bool valid() const { return game::valid() && drawn_ <= 1; }

 private:
  std::int32_t drawn_ = 0;
};

}  // namespace gamehub::engines::tictactoe

GAMEHUB_ENGINE(gamehub::engines::tictactoe::hostile_game);
