// The engine process: owns the matches and executes requests, bytes in, bytes out. Its owner
// transports the bytes. Used by one thread.
#pragma once

#include "engines/host/engine.hpp"
#include "engines/process/wire_format.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gamehub::engines::process {

// Returns the description that the process sends first.
description describe(const host::engine&);

class engine_worker {
 public:
  explicit engine_worker(host::engine rules) : rules_(rules) {}

  // Executes a request. Returns the reply, or nothing if the request is invalid. The reply contains
  // a failure of the engine.
  std::optional<std::string> serve(std::string_view request_bytes);

 private:
  reply carry_out(const request&);
  reply play(const request&);
  reply begin(const request&, std::optional<host::match>, std::string refused);
  host::match* find(std::uint64_t id);

  host::engine rules_;
  std::unordered_map<std::uint64_t, host::match> matches_;
};

}  // namespace gamehub::engines::process
