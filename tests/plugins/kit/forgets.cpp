// Lists an action that it refuses: to take one stone if exactly four are left.
#include "tests/plugins/kit/stones.hpp"

namespace gamehub::tests::broken {

class forgets : public stones {
 public:
  static constexpr engines::description about = stones_named("forgets");

  reason apply(int seat, action take) noexcept {
    if (left_ == 4 && take == 1) return "one-is-too-few";
    return stones::apply(seat, take);
  }
};

}  // namespace gamehub::tests::broken

GAMEHUB_ENGINE(gamehub::tests::broken::forgets);
