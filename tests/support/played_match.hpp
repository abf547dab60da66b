// What tests of an engine's rules do with a match: whose turn it is, moves by their words, and what
// it shows. Plain functions, any thread.
#pragma once

#include "engines/host/engine.hpp"

#include <sstream>
#include <string>
#include <vector>

namespace gamehub::tests {

// The player to move, or chance. Requires: players move in turn, and the match has two.
inline int mover(const engines::host::match& m) {
  return m.at_chance() ? engines::chance : m.to_move() == engines::only(0) ? 0 : 1;
}

// Plays words, for chance or the player to move. Returns the first refusal with its word, or "".
inline std::string play(engines::host::match& m, const std::string& words) {
  std::istringstream all{words};
  for (std::string word; all >> word;) {
    const auto read = m.from_text(mover(m), word);
    const char* why = read.reason != nullptr ? read.reason : m.apply(mover(m), read.value);
    if (why != nullptr) return word + ": " + why;
  }
  return {};
}

// The words of all legal actions.
inline std::string legal(const engines::host::match& m) {
  std::vector<engines::action> all;
  m.legal_actions(mover(m), all);
  std::string out;
  for (const auto a : all) out += (out.empty() ? "" : " ") + m.to_text(a);
  return out;
}

inline std::string board(const engines::host::match& m, int viewer = engines::spectator) {
  std::string out;
  m.glyphs(viewer, out);
  return out;
}

inline std::string view(const engines::host::match& m, int viewer = engines::spectator) {
  std::string out;
  m.view_json(viewer, out);
  return out;
}

}  // namespace gamehub::tests
