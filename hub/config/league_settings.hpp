// The settings of the league: a part of setting_list.hpp. Used once, at program start.
#pragma once

#include "hub/config/setting_maker.hpp"

namespace gamehub::config {

void add_arena(maker&, const settings& defaults);

}  // namespace gamehub::config
