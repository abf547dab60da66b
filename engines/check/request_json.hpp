// Converts requests and verdicts to and from JSON, for the two processes of a check. A missing
// member keeps its default. Separate from request.hpp, because the JSON library is expensive to
// compile.
#pragma once

#include "engines/check/request.hpp"

#include <nlohmann/json.hpp>

namespace gamehub::engines::check {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(check_request, target, options, players, seed,
                                                seeds, seconds, quick, reveals_midway, json,
                                                playthrough, perft, examples, trace_only)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(breach, promise, detail, in_game, seed, after,
                                                state, options, players, other_seed, other)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(declared, id, version, actions_max, plies_max,
                                                state_bytes_max)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(seen, playouts, plies, plies_most, actions_most,
                                                state_bytes_most)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(calls, function, count, p50, p99, most, slow)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(perft_row, depth, nodes, ended, seconds)

}  // namespace gamehub::engines::check
