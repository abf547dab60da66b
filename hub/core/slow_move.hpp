// An answer about a game that was long under way, for whoever writes such things down. Called on
// the loop of the client, right after the answer was sent.
#pragma once

#include <cstdint>

#include "hub/core/ids.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/time.hpp"

namespace gamehub {

struct slow_move {
  std::uint16_t wire = 0;
  game_id game;
  receipt answers;
  duration took{};  // from the bytes' arrival until the answer was sent
};

class slow_move_listener {
 public:
  virtual void slow(const slow_move&) = 0;

 protected:
  ~slow_move_listener() = default;
};

}  // namespace gamehub
