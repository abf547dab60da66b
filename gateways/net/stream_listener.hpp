// A listening TCP socket of one port on one loop: accepts clients within the limits of their
// addresses and passes them to a connection factory. Owned by a listener, used on its loop's thread
// once started.
#pragma once

#include "gateways/net/listener.hpp"
#include "gateways/net/stream_connection.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace gamehub::gateways::net {

using tcp = boost::asio::ip::tcp;

class stream_listener final : public loop_listener, public loop_iteration_listener {
 public:
  using acceptor = boost::asio::basic_socket_acceptor<tcp, boost::asio::io_context::executor_type>;

  // Returns a socket that listens on the port at one loop. The socket of loop 0 is bound before
  // SO_REUSEPORT is set, so that a second hub on the same port still gets "address in use"; the
  // others share the port. A port of zero is replaced by a free one. Throws listen_failed.
  static acceptor bind(const listener_context&, std::size_t loop, std::uint16_t& port);

  // Makes and starts a connection.
  using connection_factory = std::function<void(const loop_context&, accepted_stream)>;

  // The factory is called on the loop's thread. `total`, if not null, counts the connections of all
  // listeners that have it. `refusal` is sent to a client whose address has reached a limit, as far
  // as the socket takes it at once.
  stream_listener(const loop_context&, acceptor, address_ledger&, connection_factory,
                  std::atomic<std::uint32_t>* total = nullptr, std::string refusal = {});
  stream_listener(const stream_listener&) = delete;
  stream_listener& operator=(const stream_listener&) = delete;

  void start() override;
  void stop(std::function<void()> on_all_closed) override;
  void end_turn() override;

 private:
  friend struct leave_listener;

  // Waits for clients.
  void accept();
  void accept_waiting();
  void accept_client(stream_socket, const base::endpoint&);
  // Counts a connection of its address; nothing if the address has reached a limit.
  std::optional<address_hold> admit(const base::endpoint&);
  void pause();
  void leave();
  void report_if_closed();

  loop_context context_;
  acceptor acceptor_;
  address_ledger& addresses_;
  connection_factory make_connection_;
  std::atomic<std::uint32_t>* total_;
  const std::string refusal_;
  std::function<void()> on_all_closed_;
  std::size_t connections_ = 0;
  bool accepts_more_ = false;  // in the next iteration
  bool stopped_ = false;
};

}  // namespace gamehub::gateways::net
