// The gateway actor: one per protocol, on the first loop. It monitors the sessions of its protocol.
// When the hub stops, it sends drain to them and reports when the last one has ended. It has no
// sockets: those are in gateways/net. The session factories register each new session here.
#pragma once

#include "actors/runtime/actor_base.hpp"
#include "actors/runtime/interfaces.hpp"

#include <functional>
#include <unordered_map>

namespace gamehub::actors::system {

class gateway : public actors::runtime::typed_loop_actor<actors::runtime::gateway_actor> {
 public:
  // `drained` is called on the gateway's loop when the gateway drains and its last session has
  // ended.
  gateway(caf::actor_config&, std::function<void()> drained);

  const char* name() const override { return "gateway"; }
  void on_exit() override;

 protected:
  bool receive(caf::message&) override;
  void on_down(const caf::down_msg&) override;

 private:
  void admit(actors::runtime::session_actor&);
  void report_if_drained();

  std::function<void()> drained_;
  std::unordered_map<caf::actor_id, actors::runtime::session_actor> sessions_;
  bool draining_ = false;
};

}  // namespace gamehub::actors::system
