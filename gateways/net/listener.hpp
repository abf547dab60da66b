// A listening socket per loop for one wire: accepts clients, within the limit per address, and
// hands them to whoever makes connections of them. Owned by hub/app or an entrance of it, used on
// its loop's thread once started.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "gateways/net/connection.hpp"
#include "gateways/net/entrance.hpp"
#include "gateways/protocol.hpp"

namespace gamehub::gateways::net {

// How many connections each address has, over all loops and wires. Any thread.
class address_book {
 public:
  // Loopback is exempt unless `count_loopback`; a limit of zero is none.
  address_book(std::uint32_t limit, bool count_loopback)
      : limit_(limit), count_loopback_(count_loopback) {}

  bool counts(const boost::asio::ip::address& a) const {
    return limit_ != 0 && (count_loopback_ || !a.is_loopback());
  }
  // False if the address has as many as it may. Otherwise leave() has to follow.
  bool enter(const boost::asio::ip::address&);
  void leave(const boost::asio::ip::address&);

 private:
  const std::uint32_t limit_;
  const bool count_loopback_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::uint32_t> counts_;
};

class listener final : public listener {
 public:
  using acceptor = boost::asio::basic_socket_acceptor<tcp, boost::asio::io_context::executor_type>;

  // A socket that clients of `wire` reach, listening already. The first of a port is bound before
  // SO_REUSEPORT is set, so that a second hub on the same port still gets "address in use"; the
  // others share it. Throws listen_failed.
  static acceptor bind(boost::asio::io_context&, const tcp::endpoint&, bool first);

  // Who makes a connection of a client, and sees to it that `gone` is called once when it is
  // closed.
  using welcome =
      std::function<void(stream_socket, const tcp::endpoint& from, std::function<void()> gone)>;

  // The welcome is called on the loop's thread.
  listener(const wire_io&, acceptor, address_book&, welcome);
  listener(const listener&) = delete;
  listener& operator=(const listener&) = delete;

  void start() override;
  void stop(std::function<void()> on_all_closed) override;

 private:
  void accept();
  void admit(stream_socket, const tcp::endpoint&);
  void pause();
  void one_gone();
  void report_if_gone();

  wire_io wire_;
  acceptor acceptor_;
  address_book& addresses_;
  welcome welcome_;
  stream_socket next_;
  tcp::endpoint from_;
  std::function<void()> all_gone_;
  std::size_t connections_ = 0;
  bool stopped_ = false;
};

// The listener of a protocol over a stream: its clients are connections with a codec each.
// Requires: the protocol outlives it.
std::unique_ptr<listener> listen_for_codecs(const wire_io&, const protocol&, engine_traits,
                                            listener::acceptor, address_book&);

}  // namespace gamehub::gateways::net
