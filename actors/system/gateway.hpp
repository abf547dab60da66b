// The gateway actor: one per protocol, on the first loop. It monitors the sessions of its protocol.
// When the hub stops, it sends drain to them and reports when the last one has ended. It has no
// sockets: those are in gateways/net. The session factories register each new session here, and
// count it before that in the session_count of the protocol.
#pragma once

#include "actors/runtime/actor_base.hpp"
#include "actors/runtime/interfaces.hpp"

#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>

namespace gamehub::actors::system {

// Clients come to a hub that drains until the last session of their protocol has ended. Any thread.
class session_count {
 public:
  // Counts a session that is about to begin.
  void add();
  // The same for one of a client. Returns false if none may come any more.
  bool add_client();
  // No client comes from now on. Returns how many sessions have begun.
  std::uint64_t close();

 private:
  std::mutex mutex_;
  std::uint64_t all_ = 0;
  bool closed_ = false;
};

class gateway : public actors::runtime::typed_loop_actor<actors::runtime::gateway_actor> {
 public:
  // `drained` is called on the gateway's loop when the gateway drains and its last session has
  // ended. The count outlives it.
  gateway(caf::actor_config&, session_count&, std::function<void()> drained);

  const char* name() const override { return "gateway"; }
  void on_exit() override;

 protected:
  bool receive(caf::message&) override;
  void on_down(const caf::down_msg&) override;

 private:
  void admit(actors::runtime::session_actor&);
  void report_if_drained();

  session_count& begun_;
  std::uint64_t admitted_ = 0;
  std::function<void()> drained_;
  std::unordered_map<caf::actor_id, actors::runtime::session_actor> sessions_;
  bool draining_ = false;
};

}  // namespace gamehub::actors::system
