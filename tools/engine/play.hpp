// `gamehub engine play`: a game at a terminal, of persons against engine players. The game reads
// and writes streams; on the program's only thread.
#pragma once

#include "engines/host/engine.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::tools::engine {

struct play_request {
  std::string target;  // as of open_engine()
  std::string options;
  int players = 0;  // 0: as the engine has it
  // The seats of persons, from 0; none: all seats are played by the engine.
  std::vector<int> persons = {0};
  bool all_persons = false;
  std::optional<engines::level> skill;
  std::uint64_t seed = 1;
  std::filesystem::path moves;  // empty: standard input
};

// Bytes of a line that are read; the rest of it is left out.
inline constexpr std::size_t input_line_bytes_max = 4'096;

// Returns the level of the engine's seats: the requested one, or else medium if the engine has it.
// Throws usage_error for a level that it does not have.
engines::level level_for(const engines::host::engine&, std::optional<engines::level> wanted);

// Plays one game to its end, to `quit` or to the end of the input. `terminal`: a person types the
// lines and sees them; else they are written out. Throws usage_error, and engine_failure.
void play_game(const engines::host::engine&, const play_request&, std::istream& in,
               std::ostream& out, bool terminal);

}  // namespace gamehub::tools::engine
