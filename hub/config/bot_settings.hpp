// The settings of how bots are called, which are among those of setting_list.hpp. Used once, when
// the program starts.
#pragma once

#include "hub/app/setting_maker.hpp"

namespace gamehub::app {

void add_bots(maker&, const settings& defaults);

}  // namespace gamehub::app
