// The base of every actor of the hub: a typed actor that runs on one loop and never elsewhere. The
// loop comes as the host of its actor_config; messages from any thread are handed to that loop,
// whoever sends them (the way CAF's own broker does it).
//
// This header and spawn_on are all that ties actors to CAF's scheduling.
#pragma once

#include <caf/actor_config.hpp>
#include <caf/actor_system.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <utility>

#include "actors/loop.hpp"

namespace gamehub::actors {

template <class Handle>
class pinned : public Handle::base {
 public:
  using super = typename Handle::base;

  explicit pinned(caf::actor_config& config)
      : super(config), loop_(static_cast<actors::loop*>(config.host)) {}

  bool enqueue(caf::mailbox_element_ptr what, caf::execution_unit*) override {
    return super::enqueue(std::move(what), loop_);
  }
  void launch(caf::execution_unit*, bool lazy, bool hide) override {
    super::launch(loop_, lazy, hide);
  }

 protected:
  actors::loop& home() const { return *loop_; }
  Handle self() { return caf::actor_cast<Handle>(this); }

 private:
  actors::loop* loop_;
};

// Spawns an actor on a loop; any thread may. Ready for messages at once, and run when one comes.
template <class Actor, class... Args>
typename Actor::actor_hdl spawn_on(loop& where, Args&&... args) {
  caf::actor_config config{&where};
  return where.system().template spawn_impl<Actor, caf::lazy_init>(config,
                                                                   std::forward<Args>(args)...);
}

}  // namespace gamehub::actors
