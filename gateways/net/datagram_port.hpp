// A UDP socket of one port on one loop, with all its sessions: reads datagrams in batches, passes
// them to the protocol, passes intents to the hub and events back, and sends at the end of the loop
// iteration. Datagrams for a session of another loop are forwarded to that loop's port.
//
// Owned by its listener; used on its loop's thread once started, except forward().
#pragma once

#include "gateways/datagrams.hpp"
#include "gateways/net/datagram_socket.hpp"
#include "gateways/net/listener.hpp"
#include "gateways/net/loop_io.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::gateways::net {

class datagram_port final : public loop_listener, public loop_iteration_listener {
 public:
  // Requires: the loop runs no iteration after this object is destroyed.
  datagram_port(const loop_context&, datagram_socket, std::unique_ptr<datagram_protocol>);
  ~datagram_port() override;
  datagram_port(const datagram_port&) = delete;
  datagram_port& operator=(const datagram_port&) = delete;

  // Sets the ports of all sockets of the same number, this one included. Requires: not started.
  void link_sockets(std::vector<datagram_port*> all) { all_ = std::move(all); }

  // Takes datagrams that another loop's socket received for sessions of this port. Any thread.
  void forward(std::vector<misrouted_datagram>);

  void start() override { reads_ = true; }
  void stop(std::function<void()> on_all_closed) override;
  void end_turn() override;
  void close_banned() override;

 private:
  class client;

  void wait();
  void read();
  void receive(const base::endpoint&, std::string_view bytes);
  void receive_forwarded(const std::vector<misrouted_datagram>&);
  void deliver(client&, const event&);
  void close(client&, close_reason);
  void run_commands();
  void submit(peer_command&);
  void release(peer_id);
  void forward_misrouted();
  void flush();
  void arm();
  void on_timeout();
  void count();
  void count_guests(std::size_t now);
  void count_refusals(refusal, std::uint64_t now, std::uint64_t& counted);
  void report_if_closed();
  metrics::wire_cells& cells() { return context_.loop->cells().wires[context_.number]; }

  loop_context context_;
  datagram_socket socket_;
  std::unique_ptr<datagram_protocol> protocol_;
  std::vector<datagram_port*> all_;
  peers_output out_;
  std::vector<std::shared_ptr<client>> clients_;  // by slot
  std::size_t clients_open_ = 0;
  int accepted_ = 0;  // new players of the latest read
  std::uint64_t out_of_bounds_counted_ = 0, space_not_empty_counted_ = 0;  // as refusals
  std::size_t guests_counted_ = 0;  // clients that are not counted as connections of the hub
  base::instant now_{};             // time of the latest batch
  base::instant armed_for_ = base::instant::max();
  base::instant drops_read_at_{};  // when the kernel's drop counter was last read
  std::function<void()> on_all_closed_;
  base::instant close_deadline_ = base::instant::max();
  bool reads_ = false;    // the port has started and is not stopped
  bool waiting_ = false;  // an asynchronous wait for datagrams is pending
  bool changed_ = false;  // there is output to flush in this iteration
  bool stopped_ = false;
};

using datagram_factory = datagram_protocols (*)(const datagram_setup&, base::random_source&);

// Returns the listener of a datagram protocol.
std::unique_ptr<listener> make_datagram_listener(const listener_context&, datagram_factory);

}  // namespace gamehub::gateways::net
