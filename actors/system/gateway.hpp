// The gateway actor: one per wire, on the first loop. It monitors the sessions of its wire and,
// when the hub goes down, tells them and reports when the last one is gone. Its sockets are
// elsewhere (gateways/net): what it hears of them are the sessions that receptions spawn in its
// name.
#pragma once

#include <functional>
#include <unordered_map>

#include "actors/interfaces.hpp"
#include "actors/pinned.hpp"

namespace gamehub::actors {

class gateway : public typed_loop_actor<gateway_actor> {
 public:
  // `drained` is called on the gateway's loop when it drains and has no session left.
  gateway(caf::actor_config&, std::function<void()> drained);

  const char* name() const override { return "gateway"; }
  void on_exit() override;

 protected:
  bool receive(caf::message&) override;
  void on_down(const caf::down_msg&) override;

 private:
  void admit(session_actor&);
  void report_if_drained();

  std::function<void()> drained_;
  std::unordered_map<caf::actor_id, session_actor> sessions_;
  bool draining_ = false;
};

}  // namespace gamehub::actors
