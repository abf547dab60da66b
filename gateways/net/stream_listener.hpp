// A listening TCP socket of one port on one loop: accepts clients within the limit per address and
// passes them to a connection factory. Owned by a listener, used on its loop's thread once started.
#pragma once

#include "gateways/net/listener.hpp"
#include "gateways/net/stream_connection.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace gamehub::gateways::net {

// The number of connections of each sender (an IPv4 address, or a /64 of IPv6), over all loops and
// protocols. Any thread.
class connections_per_address {
 public:
  // Loopback is exempt unless `count_loopback`; a limit of zero means no limit.
  connections_per_address(std::uint32_t limit, bool count_loopback)
      : limit_(limit), count_loopback_(count_loopback) {}

  // True if connections of this address are limited.
  bool counts(const boost::asio::ip::address& a) const {
    return limit_ != 0 && (count_loopback_ || !a.is_loopback());
  }
  // Counts one more connection; returns false if the address has reached the limit. After true,
  // remove() must follow.
  bool add(const boost::asio::ip::address&);
  void remove(const boost::asio::ip::address&);

 private:
  const std::uint32_t limit_;
  const bool count_loopback_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::uint32_t> counts_;  // by the bytes of the sender
};

class stream_listener final : public loop_listener {
 public:
  using acceptor = boost::asio::basic_socket_acceptor<tcp, boost::asio::io_context::executor_type>;

  // Returns a socket that listens on the port at one loop. The socket of loop 0 is bound before
  // SO_REUSEPORT is set, so that a second hub on the same port still gets "address in use"; the
  // others share the port. A port of zero is replaced by a free one. Throws listen_failed.
  static acceptor bind(const listener_context&, std::size_t loop, std::uint16_t& port);

  // Makes and starts a connection.
  using connection_factory = std::function<void(const loop_context&, accepted_stream)>;

  // The factory is called on the loop's thread. `total`, if not null, counts the connections of all
  // listeners that have it.
  stream_listener(const loop_context&, acceptor, connections_per_address&, connection_factory,
                  std::atomic<std::uint32_t>* total = nullptr);
  stream_listener(const stream_listener&) = delete;
  stream_listener& operator=(const stream_listener&) = delete;

  void start() override;
  void stop(std::function<void()> on_all_closed) override;

 private:
  friend struct leave_listener;

  void accept();
  void accept_client(stream_socket, const tcp::endpoint&);
  void pause();
  void leave();
  void report_if_closed();

  loop_context context_;
  acceptor acceptor_;
  connections_per_address& addresses_;
  connection_factory make_connection_;
  std::atomic<std::uint32_t>* total_;
  stream_socket next_;
  tcp::endpoint from_;
  std::function<void()> on_all_closed_;
  std::size_t connections_ = 0;
  bool stopped_ = false;
};

}  // namespace gamehub::gateways::net
