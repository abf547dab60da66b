#include "actors/system/gateway.hpp"

#include <tuple>
#include <utility>

namespace gamehub::actors::system {

void session_count::add() {
  const std::lock_guard lock{mutex_};
  ++all_;
}

bool session_count::add_client() {
  const std::lock_guard lock{mutex_};
  if (!closed_) ++all_;
  return !closed_;
}

std::uint64_t session_count::close() {
  const std::lock_guard lock{mutex_};
  closed_ = true;
  return all_;
}

gateway::gateway(caf::actor_config& config, session_count& begun, std::function<void()> drained)
    : typed_loop_actor(config), begun_(begun), drained_(std::move(drained)) {}

void gateway::on_down(const caf::down_msg& m) {
  sessions_.erase(m.source.id());
  report_if_drained();
}

bool gateway::receive(caf::message& what) {
  return dispatch(what, std::tuple{
                            [this](actors::runtime::opened& m) { admit(m.session); },
                            [this](const actors::runtime::drain& m) {
                              draining_ = true;
                              for (const auto& [id, s] : sessions_) send(s, m);
                              report_if_drained();
                            },
                        });
}

void gateway::admit(actors::runtime::session_actor& s) {
  monitor(*actors::runtime::actor_of(s));
  ++admitted_;
  // The session was spawned just before the drain, or its client comes to its player.
  if (draining_) send(s, actors::runtime::drain{});
  const auto id = s.id();
  sessions_.emplace(id, std::move(s));
}

void gateway::report_if_drained() {
  if (!draining_ || !sessions_.empty() || !drained_) return;
  // Sessions that have begun may be on their way here.
  if (begun_.close() == admitted_) std::exchange(drained_, nullptr)();
}

void gateway::on_exit() { sessions_.clear(); }

}  // namespace gamehub::actors::system
