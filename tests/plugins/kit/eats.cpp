// Allocates memory without end, and writes to its output.
#include "tests/plugins/kit/stones.hpp"

#include <cstdio>

namespace gamehub::tests::broken {

class eats : public stones {
 public:
  static constexpr engines::description about = stones_named("eats");

  reason apply(int seat, action take) {
    std::puts("more, please");
    constexpr std::size_t bite = std::size_t{64} << 20U;
    while (left_ < 5) kept_ = new char[bite];
    return stones::apply(seat, take);
  }

 private:
  static inline char* kept_ = nullptr;
};

}  // namespace gamehub::tests::broken

GAMEHUB_ENGINE(gamehub::tests::broken::eats);
