// The waker actor: brings back the games of one loop that have left memory. It reads their logs and
// replays them on that loop, in the order of the requests and behind the output of moves. The
// runtime spawns one per loop that owns games.
#pragma once

#include "actors/runtime/actor_base.hpp"
#include "actors/runtime/interfaces.hpp"
#include "actors/system/restore.hpp"
#include "hub/journal/journal.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <string>

namespace gamehub::actors::system {

// Data that all wakers share. It outlives them.
struct waker_setup {
  const game_places* places = nullptr;
  journal::journal* log = nullptr;
  actors::runtime::lobby_actor lobby = {};
  // A game was put into quarantine, because its log does not replay. Empty: nothing is told.
  std::function<void(game_id, const std::string& why)> on_quarantined = {};
};

class waker : public actors::runtime::typed_loop_actor<actors::runtime::waker_actor> {
 public:
  waker(caf::actor_config& config, waker_setup& setup) : typed_loop_actor(config), setup_(setup) {}

  const char* name() const override { return "waker"; }
  void on_exit() override { ended_ = true; }

 protected:
  bool receive(caf::message&) override;

 private:
  // Runs what a request needs next, at the end of an iteration.
  void defer(actors::runtime::wake_request,
             void (waker::*step)(const actors::runtime::wake_request&));
  void next();
  void read(const actors::runtime::wake_request&);
  void replay(const actors::runtime::wake_request&);
  // Returns what the lobby is told.
  actors::runtime::game_woken restore(const actors::runtime::wake_request&);
  actors::runtime::game_woken put_aside(const actors::runtime::wake_request&,
                                        const table::replay_fault&);
  void answer(actors::runtime::game_woken);

  waker_setup& setup_;
  std::deque<actors::runtime::wake_request> waits_;
  std::size_t at_once_ = 0;  // games whose logs are in memory, and which are not replayed
  bool ended_ = false;
};

}  // namespace gamehub::actors::system
