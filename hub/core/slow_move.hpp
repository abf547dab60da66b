// Report of an answer that took long. A loop calls the listener on its thread, right after the
// answer was sent.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/intent.hpp"

#include <cstdint>

namespace gamehub {

struct slow_move {
  std::uint16_t wire = 0;
  game_id game;
  receipt answers;
  base::duration took{};  // from the arrival of the bytes until the answer was sent
};

class slow_move_listener {
 public:
  // Reports one slow answer. Must not block.
  virtual void slow(const slow_move&) = 0;

 protected:
  ~slow_move_listener() = default;
};

}  // namespace gamehub
