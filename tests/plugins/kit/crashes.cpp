// Crashes at the fourth move.
#include "tests/plugins/kit/stones.hpp"

namespace gamehub::tests::broken {

class crashes : public stones {
 public:
  static constexpr engines::description about = stones_named("crashes");

  reason apply(int seat, action take) noexcept {
    if (plies_ == 3 && take == 2) __builtin_trap();
    return stones::apply(seat, take);
  }
};

}  // namespace gamehub::tests::broken

GAMEHUB_ENGINE(gamehub::tests::broken::crashes);
