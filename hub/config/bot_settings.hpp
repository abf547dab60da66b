// The settings of bot calls: a part of setting_list.hpp. Used once, at program start.
#pragma once

#include "hub/config/setting_maker.hpp"

namespace gamehub::config {

void add_bots(maker&, const settings& defaults);

}  // namespace gamehub::config
