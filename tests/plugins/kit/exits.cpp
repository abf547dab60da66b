// Exits the program when it is loaded.
#include "tests/plugins/kit/stones.hpp"

#include <cstdlib>

namespace gamehub::tests::broken {

class exits : public stones {
 public:
  static constexpr engines::description about = stones_named("exits");
};

namespace {
[[gnu::constructor]] void at_once() { std::_Exit(0); }
}  // namespace

}  // namespace gamehub::tests::broken

GAMEHUB_ENGINE(gamehub::tests::broken::exits);
