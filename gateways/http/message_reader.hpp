// Parses the bytes of one connection into complete requests with Beast's parser, within the limits
// of http_limits.hpp. Ambiguous requests are errors, and an error ends the connection. Knows no
// socket. A connection owns it; one thread.
#pragma once

#include "gateways/http/errors.hpp"
#include "gateways/http/request.hpp"
#include "hub/base/inbox.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gamehub::gateways::http {

// A request, and how its connection continues.
struct parsed_request {
  request what;  // without `remote` and `received`
  bool keep_alive = false;
  bool is_1_1 = false;
  // Lists that were sent in several lines; the request has views of them.
  std::array<std::string, 6> joined;
};

class message_reader {
 public:
  message_reader();
  ~message_reader();
  message_reader(const message_reader&) = delete;
  message_reader& operator=(const message_reader&) = delete;

  // Takes bytes from the client, split at any position. They must stay valid until keep_rest().
  void receive(std::string_view bytes);

  enum class read_result : std::uint8_t { nothing, request, wrong };
  // Reads the next complete request. After `wrong` it returns `nothing`.
  read_result next();

  // Returns the request that next() read; its views are valid until the next call of next() or
  // keep_rest().
  const parsed_request& here() const { return here_; }
  // Returns the error. Requires: next() returned `wrong`.
  const error& mistake() const { return mistake_; }

  // Copies the bytes that next() has not consumed, before the received bytes become invalid.
  void keep_rest();
  // Returns the number of buffered bytes.
  std::size_t kept_bytes() const;

  // True if a request is incomplete.
  bool midway() const;
  // True once for each request whose client waits for 100 Continue before it sends the body.
  bool take_expectation() { return std::exchange(expected_, false); }

  // Returns the bytes that next() has not consumed, for a connection that switches to another
  // protocol.
  std::string_view unread() const { return inbox_.unread().substr(taken_); }

 private:
  class parser;

  read_result read_head();
  read_result read_body(std::string_view head, std::uint64_t length);
  read_result read_chunks();
  read_result fail(error);
  void drop_message();

  base::inbox inbox_;
  parsed_request here_;
  error mistake_;
  std::size_t taken_ = 0;     // bytes of the current request
  std::size_t searched_ = 0;  // unread bytes that were searched for the end of a header
  std::size_t needed_ = 0;    // unread bytes required for a complete request
  bool wrong_ = false;
  bool expected_ = false;
  bool expectation_seen_ = false;

  // State of a chunked request, whose bytes are not kept.
  struct chunks;
  std::unique_ptr<chunks> chunks_;
};

}  // namespace gamehub::gateways::http
