// The former name of abi_adapter_extensions.hpp, which plugins may still include.
#pragma once

#include "engines/abi_adapter_extensions.hpp"
