// What `gamehub engine play` shows and reads, as text. Texts of an engine are untrusted: what is
// returned for the terminal has no control characters. Plain functions, any thread.
#pragma once

#include "engines/host/engine.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gamehub::tools::engine {

// Bounds of what is shown of one text of an engine, and of the moves of one turn.
inline constexpr std::size_t shown_bytes_max = 4'096;
inline constexpr std::size_t shown_moves_max = 60;
inline constexpr std::size_t shown_columns_max = 96;

// Returns the text for a terminal: line feeds and tabs as blanks; if the rest is no display text,
// each byte that is no visible ASCII as '?'. Cut after `bytes_max`.
std::string terminal_text(std::string_view text, std::size_t bytes_max = shown_bytes_max);

// What people call the seats and the actions of an engine, from its board and its face.
class labels {
 public:
  explicit labels(const engines::host::engine&);

  // "player 1 (X)"
  std::string seat(int seat) const;
  // "0 (Roll)"; `text` is the engine's text of an action.
  std::string move(const std::string& text) const;
  // The words of an action; empty: none.
  std::string words(const std::string& text) const;

 private:
  std::string marks_;                                         // by seat, on the board
  std::vector<std::string> names_;                            // by seat, of the face
  std::vector<std::pair<std::string, std::string>> actions_;  // text and words
};

struct legal_move {
  engines::action value = 0;
  std::string text;
};
std::vector<legal_move> legal_moves(const engines::host::match&, int seat);

// True if a move can be named by its place in the list: no text of a move is a number.
bool numbered(std::span<const legal_move>);

// Returns the moves in lines, the first `count_max` of them.
std::string list_of(std::span<const legal_move>, const labels&, std::size_t count_max);

// Returns the position as a viewer sees it, in lines: the board with the number of the first cell
// of each row, or else the view as JSON; then score and summary, if the engine has them.
std::string position_text(const engines::host::engine&, const engines::host::match&, int viewer);

// Returns the result of a match that is over.
std::string result_text(const engines::host::match&, const labels&);

enum class command : std::uint8_t { help, moves, view, undo, quit };

inline constexpr std::string_view help_text =
    "A move is one of the listed texts, its number before a point, or its JSON.\n"
    "moves lists all legal moves, view prints your view as JSON, undo takes your last move back,\n"
    "quit ends the game.\n";

// Reads a line: an action that is legal, a command, or the sentence for a mistake. The text of a
// legal move comes before a command of that name.
std::variant<engines::action, command, std::string> read_move(std::string_view line,
                                                              const engines::host::match&, int seat,
                                                              std::span<const legal_move>,
                                                              const labels&);

}  // namespace gamehub::tools::engine
