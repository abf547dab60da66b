// Random actions of chance, for searches and tools. Used by one thread at a time.
#pragma once

#include "engines/dice.hpp"
#include "engines/host/engine.hpp"

#include <cstdint>
#include <vector>

namespace gamehub::engines::host {

class draw_source {
 public:
  // Returns a draw of a match that is at chance, by weight. Throws engine_failure if the match has
  // no draws, or one without weight.
  action draw(const match&, rng&);
  // Reads all draws and their weights, valid until the next call. Throws as draw().
  const std::vector<action>& read(const match&);
  const std::vector<std::uint32_t>& weights() const { return weights_; }

 private:
  std::vector<action> draws_;
  std::vector<std::uint32_t> weights_;
};

}  // namespace gamehub::engines::host
