// The bad network between real sockets: clients speak to one, and each of them has another towards
// the hub, so that the hub sees as many addresses as there are clients. Owned by the verb; used on
// its thread, which runs the io_context.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <unordered_map>

#include "hub/app/udp_lab/relay.hpp"

namespace gamehub::app::udp_lab {

using boost::asio::ip::udp;

struct lab_bounds {
  // Each has a descriptor.
  std::size_t clients_max = 10'000;
  // A client that said and heard nothing for so long is gone: as long as a hub remembers its game.
  duration idle_max = std::chrono::minutes{10};
  std::size_t waiting_max = 100'000;
};

class lab {
 public:
  // Listens. Throws boost::system::system_error if it can't.
  lab(boost::asio::io_context&, const udp::endpoint& listen, const udp::endpoint& to,
      const fault_rates&, std::uint64_t seed, const lab_bounds& = {});
  lab(const lab&) = delete;
  lab& operator=(const lab&) = delete;

  udp::endpoint where() const { return front_.local_endpoint(); }

  // Closes everything: what is on the way is lost, and the io_context has nothing more to do.
  void stop();

  const relay::tally& counts() const { return relay_.counts(); }
  std::uint64_t clients() const { return numbers_; }
  // Datagrams that were neither relayed nor lost by the dice: of clients for whom there is no
  // room, more than may be on the way, or such as the system does not send.
  std::uint64_t refused() const { return refused_; }

 private:
  struct client {
    std::uint64_t number = 0;  // never used twice: what comes late for one reaches no other
    udp::endpoint from;
    udp::socket to_hub;
    instant active{};
  };
  using client_at = std::list<client>::iterator;

  void wait_for_clients();
  void wait_for_hub(client_at);
  void read_clients();
  void read_hub(client_at);
  // Where the client stands, or the end of the list if there is no room for it.
  client_at find(const udp::endpoint& from);
  client_at admit(const udp::endpoint& from);
  void touch(client_at);
  void forget(client_at);
  void take(std::uint64_t route, std::size_t size);
  void give();
  void give(const relayed_datagram&);
  void arm();

  boost::asio::io_context& io_;
  const udp::endpoint hub_;
  const lab_bounds bounds_;
  udp::socket front_;
  boost::asio::steady_timer timer_;
  relay relay_;
  std::list<client> clients_;  // who was silent longest is the first
  std::map<udp::endpoint, client_at> by_address_;
  std::unordered_map<std::uint64_t, client_at> by_number_;
  std::uint64_t numbers_ = 0;
  std::uint64_t refused_ = 0;
  instant armed_for_ = instant::max();
  bool stopped_ = false;
  std::array<char, 64 * 1024> buffer_;
};

}  // namespace gamehub::app::udp_lab
