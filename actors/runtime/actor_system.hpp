// CAF's actor system, for the code that creates it (actors/system/runtime.cpp). Other actors use
// actor_base.hpp.
#pragma once

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/exit_reason.hpp>
#include <caf/init_global_meta_objects.hpp>
