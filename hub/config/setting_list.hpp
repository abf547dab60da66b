// Every setting of `gamehub serve` by name: its help, its default and its valid values. The command
// line, the environment and the configuration file use this one list. Built at program start, on
// the only thread.
#pragma once

#include "hub/config/option.hpp"
#include "hub/config/settings.hpp"

namespace gamehub::config {

// Sets the defaults that depend on the environment. Requires: `into` outlives the list.
option_list setting_list(const environment&, settings& into);

}  // namespace gamehub::config
