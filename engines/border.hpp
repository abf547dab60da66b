// The former name of abi_adapter.hpp, which plugins may still include.
#pragma once

#include "engines/abi_adapter.hpp"

namespace gamehub::engines {

template <class Game>
using border = abi_adapter<Game>;

}  // namespace gamehub::engines
