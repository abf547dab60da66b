// The properties that the hub needs of a wire (a protocol that is on) and that a wire needs of an
// engine: the form of its positions, and the reasons to refuse an engine. Plain values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gamehub {

// The protocol name of bots. A log has it for each seat that a bot takes.
inline constexpr std::string_view bot_wire = "jsonrpc";

// The forms of a rendered position.
enum class view_form : std::uint8_t { cells, document };

// What of a client can have its player at another hub of a cluster.
enum class hub_crossing : std::uint8_t {
  none,      // nothing: its player is where it is connected
  sessions,  // its session passes intents on, and gets events, which are all that the client needs
  requests,  // the gateway passes each request on to the hub of the player, which answers it
};

// The properties of an engine under given options. They are copied from the engine, so that
// gateways need no engine header.
struct engine_traits {
  std::string id;
  std::string title;
  std::string marks;  // one glyph per seat; empty: no cells
  int rows = 0, columns = 0;
  std::string start;  // the cells of a new game as spectators see them; empty: no cells
  int players = 2;
  int players_max = 2;            // the most that the options can choose
  std::uint64_t actions_max = 0;  // the most actions that can be legal at once
  bool simultaneous = false;
  bool perfect_information = true;
  bool allows_takeback = false;
  std::string options;  // as JSON; empty: the engine's defaults

  bool has_cells() const { return !marks.empty(); }
  int cells() const { return rows * columns; }
};

}  // namespace gamehub
