// What the admin server answers below /arena, without any network: who the bots are, and
// tournaments among them. Called on the admin server's thread only.
#pragma once

#include <string_view>

#include "hub/app/admin/admin.hpp"
#include "hub/arena/arena.hpp"

namespace gamehub::app {

// GET /arena, GET /arena/runs, GET /arena/runs/NUMBER, POST /arena/runs?engine=…,
// POST /arena/runs/NUMBER/cancel. JSON; mistakes are a sentence.
page arena_page(arena::arena&, std::string_view method, std::string_view target, wall_time now);

}  // namespace gamehub::app
