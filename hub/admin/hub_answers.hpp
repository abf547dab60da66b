// What the hubs of a cluster answered to one operator command, as one answer. Each entry of a list
// gets the number of its hub as `hub`, and the answer those that did not say as `unreached`. Plain
// functions; any thread.
#pragma once

#include "hub/admin/commands.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::admin {

struct hub_answer {
  std::uint64_t hub = 0;               // the number of the member
  std::optional<command_answer> said;  // none: it did not answer in time
};

// Merge the pages of a list, that of the asked hub first: if it is an error, that is the answer. An
// entry that several hubs have is that of the first; a game that has ended is no hub's. The page
// ends where that of a hub with more entries ends.
command_answer merge_games(const std::vector<hub_answer>&, std::size_t limit);
command_answer merge_players(const std::vector<hub_answer>&, std::size_t limit);
// The latest orders of all hubs, at most orders_max.
command_answer merge_orders(const std::vector<hub_answer>&);

// Returns the asked hub's answer with the hubs that were not reached.
command_answer merge_done(const std::vector<hub_answer>&);

// Returns the first answer that succeeded, with its hub. Without one, an error of the asked hub;
// but if a hub did not answer, what was looked for may be there: status 504, with its number.
command_answer first_success(const std::vector<hub_answer>&);

}  // namespace gamehub::admin
