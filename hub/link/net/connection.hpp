// One connection of a link: its socket, its frames and its pulse. What the frames mean is decided
// by its owner, the worker of links. Used on the thread of the links, except its members that say
// otherwise.
#pragma once

#include "hub/base/endpoint.hpp"
#include "hub/base/time.hpp"
#include "hub/link/codec.hpp"
#include "hub/link/net/channel.hpp"
#include "hub/link/protocol.hpp"
#include "hub/link/state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::link::net {

class connection;

// What a connection tells its owner. Calls with bytes and errors come from handlers, one at a time.
class connection_owner {
 public:
  virtual ~connection_owner() = default;
  // The TLS handshake is over, if there is one.
  virtual void on_open(connection&) = 0;
  // Bytes are in `frames`.
  virtual void on_bytes(connection&, std::size_t) = 0;
  // Bytes were written. `done`: all of them, so that more may be.
  virtual void on_written(connection&, std::size_t, bool done) = 0;
  // It is unusable. `tls`: its certificate, or that of this side, was not accepted.
  virtual void on_failure(connection&, const std::string& why, bool tls) = 0;
};

class connection : public std::enable_shared_from_this<connection> {
 public:
  connection(connection_owner& owner, tcp::socket socket, boost::asio::ssl::context* tls,
             const pulse::tuning& by, base::instant now, base::instant deadline)
      : heart(by, now), hello_until(deadline), owner_(owner), channel_(std::move(socket), tls) {}

  // Connects, and opens.
  void connect(const tcp::endpoint&, int buffer_bytes);
  // A connected socket: opens.
  void open(bool as_server, int buffer_bytes);
  // Reads, again and again.
  void read();
  // Writes what is in `output`, unless a write is pending.
  void write();
  bool is_writing() const { return writing_; }
  // No handler does anything after this.
  void close();
  bool is_closed() const { return closed_; }

  // Guarded by the mutex of the owner:
  reader frames;
  std::string output;
  pulse heart;
  const base::instant hello_until;
  std::optional<member_id> peer;               // known from the hello on, or from the start
  std::optional<caller> calls;                 // of the side that has connected
  std::optional<answerer> answers;             // of the other side, once it has answered
  bool closes = false;                         // after what is in `output`
  std::optional<base::address_bytes> counted;  // this address has it among the unidentified

 private:
  static constexpr std::size_t read_bytes = 16 * 1024;

  void fail(const boost::system::error_code&);

  connection_owner& owner_;
  channel channel_;
  std::array<char, read_bytes> input_;
  std::string writing_bytes_;
  std::size_t written_ = 0;
  bool writing_ = false, closed_ = false, opened_ = false;

  void write_rest();
};

}  // namespace gamehub::link::net
