// As hostile.cpp, but a C++ class by plugin.hpp: its members throw while the file that
// HOSTILE_ORDERS names contains "throw MEMBER" or "number MEMBER".
#define GAMEHUB_ENGINE_ENTRY healthy_engine
#include "engines/tictactoe/tictactoe.cpp"
#undef GAMEHUB_ENGINE_ENTRY
#define GAMEHUB_ENGINE_ENTRY gamehub_engine

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace gamehub::engines::tictactoe {

namespace {

void throw_if_told(const char* member) {
  const char* file = std::getenv("HOSTILE_ORDERS");
  if (file == nullptr) return;
  std::ifstream in{file};
  const std::string word{std::istreambuf_iterator<char>{in}, {}};
  if (word == std::string{"throw "} + member) throw std::runtime_error{"told to throw"};
  if (word == std::string{"number "} + member) throw 42;
}

}  // namespace

class hostile_game : public game {
 public:
  static constexpr description about{.id = "hostile-class",
                                     .title = "Hostile class",
                                     .actions_max = cells,
                                     .plies_max = cells,
                                     .actions_end = cells};

  hostile_game() { throw_if_told("create"); }
  void legal_actions(int seat, action_list& out) const {
    throw_if_told("legal_actions");
    game::legal_actions(seat, out);
  }
  reason apply(int seat, action a) {
    throw_if_told("apply");
    return game::apply(seat, a);
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
};

}  // namespace gamehub::engines::tictactoe

GAMEHUB_ENGINE(gamehub::engines::tictactoe::hostile_game);
