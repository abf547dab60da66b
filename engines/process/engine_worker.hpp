// The side of an engine that is hosted in a process of its own: keeps the matches and does what the
// requests say, bytes in, bytes out. Where the bytes come from is its owner's affair. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engines/engine.hpp"
#include "engines/remote/words.hpp"

namespace gamehub::engines::remote {

description describe(const engine&);

class engine_worker {
 public:
  explicit engine_worker(engine rules) : rules_(rules) {}

  // The reply, or nothing if the request says nothing. A fault of the engine's that it can tell is
  // in the reply.
  std::optional<std::string> serve(std::string_view request_bytes);

 private:
  reply carry_out(const request&);
  reply begin(const request&, std::optional<match>, std::string refused);
  match* find(std::uint64_t id);

  engine rules_;
  std::unordered_map<std::uint64_t, match> matches_;
};

}  // namespace gamehub::engines::remote
