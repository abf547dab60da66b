// Its state depends on an address of the program: constant in one process, different in another.
#include "tests/plugins/kit/stones.hpp"

namespace gamehub::tests::broken {

class by_address : public stones {
 public:
  static constexpr engines::description about = stones_named("by-address");

  by_address() {
    const auto where = reinterpret_cast<std::uintptr_t>(&about);
    mark_ = static_cast<std::uint8_t>((where >> 12U) ^ (where >> 20U) ^ (where >> 28U));
  }
};

}  // namespace gamehub::tests::broken

GAMEHUB_ENGINE(gamehub::tests::broken::by_address);
