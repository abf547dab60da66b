// The pages below /arena, without network: the bots of the league and their tournaments. Called on
// the admin server's thread.
#pragma once

#include "hub/admin/admin.hpp"
#include "hub/league/arena.hpp"

#include <string_view>

namespace gamehub::admin {

// Answers GET /arena, GET /arena/runs, GET /arena/runs/NUMBER, POST /arena/runs?engine=… and POST
// /arena/runs/NUMBER/cancel. Results are JSON, errors a sentence.
page arena_page(league::arena&, std::string_view method, std::string_view target,
                base::wall_time now);

}  // namespace gamehub::admin
