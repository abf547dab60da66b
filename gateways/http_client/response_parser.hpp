// Parses the bytes of HTTP/1.1 responses with Beast's parser, within limits: any input gives a
// response or an error. Knows no socket. A call or a load generator owns it; one thread.
#pragma once

#include "gateways/http_client/outcome.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace gamehub::gateways::http_client {

class response_parser {
 public:
  explicit response_parser(const response_limits&);
  ~response_parser();
  response_parser(const response_parser&) = delete;
  response_parser& operator=(const response_parser&) = delete;

  enum class state : std::uint8_t { reading, done, failed };

  // Takes bytes from the server, split at any position. After `done` and `failed` further bytes are
  // ignored.
  state receive(std::string_view bytes);
  // The server has closed the connection, which ends a body without a length.
  state end();
  // Begins the next response.
  void reset();

  // True once the status and the header of the response are complete.
  bool has_header() const;
  // True if the body comes in chunks. Requires: has_header().
  bool is_chunked() const;
  // Returns what is read of the response. Its user may take parts of the body meanwhile.
  response& here() { return here_; }
  // True if another response may follow on the same connection. Requires: done.
  bool keeps_alive() const { return keeps_alive_; }
  // Returns the error. Requires: failed.
  call_error error() const { return error_; }

  // Returns the number of buffered bytes.
  std::size_t kept_bytes() const { return unread_.size() + here_.body.size(); }

 private:
  class parser;

  state parse(std::string_view bytes);
  state fail(call_error);
  void next_message();

  response_limits limits_;
  response here_;
  std::unique_ptr<parser> parser_;
  std::string unread_;
  std::size_t received_ = 0;
  state state_ = state::reading;
  call_error error_{};
  bool keeps_alive_ = false;
};

}  // namespace gamehub::gateways::http_client
