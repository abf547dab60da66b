#include "gateways/udp/fit.hpp"

#include "gateways/udp/udp_limits.hpp"

namespace gamehub::gateways::udp {

std::optional<std::string> unfit(const engine_traits& engine) {
  if (!engine.has_cells()) return "has no board of cells, and a move is the digit of a cell here";
  if (engine.players != 2)
    return "is played by " + std::to_string(engine.players) + ", and this protocol is for two";
  if (engine.cells() > limits::udp_cells_max)
    return "has a board of " + std::to_string(engine.cells()) +
           " cells, and a move is one digit from 0 to 8";
  if (engine.actions_max > static_cast<std::uint64_t>(engine.cells()))
    return "has more moves than cells, and a move is the digit of the cell it takes";
  if (engine.simultaneous)
    return "lets its players move at the same time, and this protocol has turns";
  if (!engine.perfect_information)
    return "hides things from its players, and a digit tells everything or nothing";
  return std::nullopt;
}

}  // namespace gamehub::gateways::udp
