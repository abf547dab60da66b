// An engine in C++, built with no flags but -shared and -fPIC. The dynamic linker must not confuse
// its two releases.
#include "engines/plugin.hpp"

namespace plain {

namespace engines = gamehub::engines;
using engines::action;
using engines::reason;

class game {
 public:
  static constexpr engines::description about{
      .id = "plain",
      .title = "Plain",
      .version = {PLAIN_RELEASE, 0, 0},
      .actions_max = 2,
      .plies_max = 3,
      .actions_end = 3,
  };

  engines::seats to_move() const noexcept { return stones_ == 0 ? 0 : engines::only(mover_); }

  void legal_actions(int, engines::action_list& out) const {
    for (action take = 1; take <= 2 && take <= stones_; ++take) out.add(take);
  }

  reason apply(int seat, action take) noexcept {
    if (take < 1 || take > 2) return engines::reasons::out_of_bounds;
    if (take > stones_) return "too-few-stones";
    stones_ = static_cast<std::uint8_t>(stones_ - take);
    mover_ = static_cast<std::uint8_t>(1 - seat);
    return nullptr;
  }

  void scores(std::span<double> out) const {
    out[mover_] = -1;
    out[1U - mover_] = 1;
  }

  void view(int, engines::writer& out) const {
    out << R"({"release":)" << PLAIN_RELEASE << R"(,"stones":)" << stones_ << '}';
  }

  bool valid() const { return stones_ <= 3 && mover_ <= 1; }

 private:
  std::uint8_t stones_ = 3;
  std::uint8_t mover_ = 0;
};

#ifdef PLAIN_SHARES
// The program has one copy of it: that of the release that was loaded first.
template <class Game>
struct constants {
  static int release;
};
template <class Game>
int constants<Game>::release = PLAIN_RELEASE;

extern "C" int* plain_release();
extern "C" int* plain_release() { return &constants<game>::release; }
#endif

}  // namespace plain

GAMEHUB_ENGINE(plain::game);
