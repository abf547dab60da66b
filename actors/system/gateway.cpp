#include "actors/system/gateway.hpp"

#include <tuple>
#include <utility>

namespace gamehub::actors::system {

gateway::gateway(caf::actor_config& config, std::function<void()> drained)
    : typed_loop_actor(config), drained_(std::move(drained)) {}

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
  // The session was spawned just before the drain.
  if (draining_) send(s, actors::runtime::drain{});
  const auto id = s.id();
  sessions_.emplace(id, std::move(s));
}

void gateway::report_if_drained() {
  if (draining_ && sessions_.empty() && drained_) std::exchange(drained_, nullptr)();
}

void gateway::on_exit() { sessions_.clear(); }

}  // namespace gamehub::actors::system
