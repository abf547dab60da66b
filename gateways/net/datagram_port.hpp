// A UDP socket of one wire on one loop, with everybody who speaks to it: reads what came as one
// batch, has the protocol decide, passes intents into the hub and events back, and sends what was
// said at the end of the loop's turn. Datagrams for another loop's peers it hands over.
//
// Owned by hub/app; used on its loop's thread once started, but for hand_over().
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "gateways/datagrams.hpp"
#include "gateways/net/connection.hpp"
#include "gateways/net/datagram_socket.hpp"
#include "gateways/net/entrance.hpp"
#include "gateways/net/loop_io.hpp"

namespace gamehub::gateways::net {

class datagram_port final : public listener, public loop_iteration_listener {
 public:
  // Requires: the loop runs none of its turns after this is gone.
  datagram_port(listener_context, datagram_socket, std::unique_ptr<datagram_protocol>);
  ~datagram_port() override;
  datagram_port(const datagram_port&) = delete;
  datagram_port& operator=(const datagram_port&) = delete;

  // All ports of the wire in the order of their sockets, this one among them. Requires: not
  // started.
  void meet(std::vector<datagram_port*> all) { all_ = std::move(all); }

  // What came to another loop's socket for the peers here. Any thread.
  void hand_over(std::vector<misrouted_datagram>);

  void start() override { reads_ = true; }
  void stop(std::function<void()> on_all_closed) override;
  void end_turn() override;
  void close_banned() override;

 private:
  class client;

  void wait();
  void read();
  void receive(const endpoint&, std::string_view bytes);
  void take(const std::vector<misrouted_datagram>&);
  void deliver(client&, const event&);
  void close(client&, close_reason);
  void carry_out();
  void submit(order&);
  void release(peer_id);
  void forward_misrouted();
  void flush();
  void arm();
  void time_is_up();
  void count();
  void report_if_closed();
  metrics::wire_cells& cells() { return wire_.loop->cells().wires[wire_.number]; }

  listener_context wire_;
  datagram_socket socket_;
  std::unique_ptr<datagram_protocol> protocol_;
  std::vector<datagram_port*> all_;
  peers_output out_;
  std::vector<std::shared_ptr<client>> clients_;  // by slot
  std::size_t clients_open_ = 0;
  instant now_{};  // when the latest batch came
  instant armed_for_ = instant::max();
  instant looked_at_{};  // when the kernel was asked what it had to drop
  std::function<void()> on_all_closed_;
  instant close_deadline_ = instant::max();
  bool reads_ = false;    // has started
  bool waiting_ = false;  // for something to come
  bool changed_ = false;  // something has happened in this turn
  bool stopped_ = false;
};

}  // namespace gamehub::gateways::net
