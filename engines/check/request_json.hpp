// Requests and verdicts as JSON, for the kit's two processes. What is missing stays as it was.
#pragma once

#include <nlohmann/json.hpp>

#include "hub/app/kit/request.hpp"

namespace gamehub::app::kit {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(check_request, target, options, players, seed,
                                                seeds, seconds, quick, reveals_midway, json,
                                                playthrough, perft, trace_only)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(breach, promise, detail, in_game, seed, after,
                                                state, options, players, other_seed, other)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(declared, id, version, actions_max, plies_max,
                                                state_bytes_max)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(seen, playouts, plies, plies_most, actions_most,
                                                state_bytes_most)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(calls, function, count, p50, p99, most, slow)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(perft_row, depth, nodes, ended, seconds)

}  // namespace gamehub::app::kit
