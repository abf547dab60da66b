// The settings of the arena of bots, which are among those of setting_list.hpp. Used once, when the
// program starts.
#pragma once

#include "hub/app/setting_maker.hpp"

namespace gamehub::app {

void add_arena(maker&, const settings& defaults);

}  // namespace gamehub::app
