#include "gateways/net/outbox.hpp"

#include <boost/asio/buffer.hpp>

namespace gamehub::gateways::net {

sent send_waiting(stream_socket& to, std::string& outbox, metrics::cell& bytes) {
  while (!outbox.empty()) {
    boost::system::error_code failed;
    const auto size = to.write_some(boost::asio::buffer(outbox), failed);
    if (failed == boost::asio::error::would_block) return sent::part;
    if (failed) return sent::failed;
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
