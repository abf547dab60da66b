// Makes requests of the bytes of one connection, by Beast's parser: whole ones, one after the
// other, each within the wire's bounds, or the error that ends the connection. What could be read
// in two ways is an error. Knows no socket. A connection owns it; one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gateways/http/errors.hpp"
#include "gateways/http/request.hpp"
#include "gateways/inbox.hpp"

namespace gamehub::gateways::http::server {

// Beyond what a request says: how its connection goes on.
struct message {
  request what;  // without remote and received
  bool keep_alive = false;
  bool is_1_1 = false;
  bool upgrades = false;  // Connection: Upgrade
  // Lists that came in several lines, of which the request has views.
  std::array<std::string, 6> joined;
};

class message_reader {
 public:
  message_reader();
  ~message_reader();
  message_reader(const message_reader&) = delete;
  message_reader& operator=(const message_reader&) = delete;

  // Bytes from the client, cut anywhere. They must stay valid until keep_rest().
  void receive(std::string_view bytes);

  enum class found : std::uint8_t { nothing, request, wrong };
  // The next request, if it is there whole. After wrong there is nothing more.
  found next();

  // The request that next() found: views that are good until the next call of next() or
  // keep_rest().
  const message& here() const { return here_; }
  const error& mistake() const { return mistake_; }

  // The received bytes are about to go: copies what next() has not taken.
  void keep_rest();
  std::size_t kept_bytes() const;

  // A request has begun that is not there whole.
  bool midway() const;
  // True once for each request whose client waits with its body until it is told to go on.
  bool take_expectation() { return std::exchange(expected_, false); }

  // What next() has not taken, for whoever goes on with the connection in another protocol.
  std::string_view unread() const { return inbox_.unread().substr(taken_); }

 private:
  class parser;

  found read_head();
  found read_body(std::string_view head, std::uint64_t length);
  found read_chunks();
  found fail(error);
  void drop_message();

  inbox inbox_;
  message here_;
  error mistake_;
  std::size_t taken_ = 0;     // bytes of the request that is here
  std::size_t searched_ = 0;  // of the unread ones, for the end of a header
  std::size_t needed_ = 0;    // unread bytes without which there is no whole request
  bool wrong_ = false;
  bool expected_ = false;
  bool expectation_seen_ = false;

  // Of a request in chunks, which comes in pieces that do not stay.
  struct chunks;
  std::unique_ptr<chunks> chunks_;
};

}  // namespace gamehub::gateways::http::server
