// What the calls of a match throw if an exception left the engine, which the ABI forbids. The
// conformance suite distinguishes it from other failures. A plain value, any thread.
#pragma once

#include "engines/host/engine.hpp"

namespace gamehub::engines::host {

class engine_exception : public engine_failure {
 public:
  using engine_failure::engine_failure;
};

}  // namespace gamehub::engines::host
