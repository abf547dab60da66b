#include "gateways/net/loop_io.hpp"

#include "gateways/net/connection.hpp"

namespace gamehub::gateways::net {

void loop_io::flush() {
  // Flushing lets paused connections go on, which may end them and owe them their last words.
  while (!dirty_.empty()) {
    flushing_.swap(dirty_);
    for (const auto& c : flushing_) c->flush();
    flushing_.clear();
  }
  if (answered_.empty()) return;
  const auto now = std::chrono::steady_clock::now();
  for (const auto& a : answered_) cells_.wires[a.wire].move_duration.observe(now - a.received);
  answered_.clear();
}

}  // namespace gamehub::gateways::net
