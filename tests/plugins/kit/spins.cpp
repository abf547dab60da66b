// Loops for ever in scores().
#include "tests/plugins/kit/stones.hpp"

namespace gamehub::tests::broken {

class spins : public stones {
 public:
  static constexpr engines::description about = stones_named("spins");

  void scores(std::span<double> out) const {
    for (volatile bool on = true; on;) continue;
    stones::scores(out);
  }
};

}  // namespace gamehub::tests::broken

GAMEHUB_ENGINE(gamehub::tests::broken::spins);
