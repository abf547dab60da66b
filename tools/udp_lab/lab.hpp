// The UDP proxy: clients send to one socket, and each client has another socket towards the hub, so
// that the hub sees one address per client. Owned by the verb; used on its thread, which runs the
// io_context.
#pragma once

#include "tools/udp_lab/relay.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <unordered_map>

namespace gamehub::tools::udp_lab {

using boost::asio::ip::udp;

struct lab_bounds {
  // Each client has a descriptor.
  std::size_t clients_max = 10'000;
  // A client without datagrams for this time is removed. A hub keeps its game equally long.
  base::duration idle_max = std::chrono::minutes{10};
  std::size_t waiting_max = 100'000;
};

class lab {
 public:
  // Listens. Throws boost::system::system_error if it can't.
  lab(boost::asio::io_context&, const udp::endpoint& listen, const udp::endpoint& to,
      const fault_rates&, std::uint64_t seed, const lab_bounds& = {});
  lab(const lab&) = delete;
  lab& operator=(const lab&) = delete;

  udp::endpoint local_endpoint() const { return front_.local_endpoint(); }

  // Closes all sockets and drops waiting datagrams, so that the io_context ends.
  void stop();

  const relay::tally& counts() const { return relay_.counts(); }
  std::uint64_t clients() const { return numbers_; }
  // Datagrams that exceeded a limit (clients, waiting datagrams), or that the system did not send.
  std::uint64_t refused() const { return refused_; }

 private:
  struct client {
    std::uint64_t number = 0;  // unique, so that a late datagram never reaches another client
    udp::endpoint from;
    udp::socket to_hub;
    base::instant active{};
  };
  using client_at = std::list<client>::iterator;

  void wait_for_clients();
  void wait_for_hub(client_at);
  void read_clients();
  void read_hub(client_at);
  // Finds or adds the client. Returns the end of the list if the limit is reached.
  client_at find(const udp::endpoint& from);
  client_at add_client(const udp::endpoint& from);
  void touch(client_at);
  void remove_client(client_at);
  void receive(std::uint64_t route, std::size_t size);
  void forward();
  void forward(const relayed_datagram&);
  void arm();

  boost::asio::io_context& io_;
  const udp::endpoint hub_;
  const lab_bounds bounds_;
  udp::socket front_;
  boost::asio::steady_timer timer_;
  relay relay_;
  std::list<client> clients_;  // the longest idle client is first
  std::map<udp::endpoint, client_at> by_address_;
  std::unordered_map<std::uint64_t, client_at> by_number_;
  std::uint64_t numbers_ = 0;
  std::uint64_t refused_ = 0;
  base::instant armed_for_ = base::instant::max();
  bool stopped_ = false;
  std::array<char, 64 * 1024> buffer_;
};

}  // namespace gamehub::tools::udp_lab
