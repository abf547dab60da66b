#include "gateways/net/outbox.hpp"

namespace gamehub::gateways::net {

sent send_waiting(stream_socket& to, std::string& outbox, metrics::cell& bytes) {
  while (!outbox.empty()) {
    const auto [what, size] = to.send(outbox);
    if (what == stream_socket::status::blocked) return sent::part;
    if (what == stream_socket::status::failed) return sent::failed;
    bytes.add(static_cast<std::int64_t>(size));
    if (size == outbox.size()) {
      outbox.clear();
      // Most replies are short; the memory of a long one is released.
      if (outbox.capacity() > 1024) std::string{}.swap(outbox);
    } else {
      outbox.erase(0, size);
    }
  }
  return sent::all;
}

}  // namespace gamehub::gateways::net
