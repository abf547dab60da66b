// Parses the bytes of a bot's response with Beast's parser, within the limits of bot_limits.hpp:
// any input gives a response or an error text. Knows no socket. An http_call owns it; one thread.
#pragma once

#include "gateways/bots/bot_session.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace gamehub::gateways::bots {

class response_reader {
 public:
  response_reader();
  ~response_reader();
  response_reader(const response_reader&) = delete;
  response_reader& operator=(const response_reader&) = delete;

  enum class state : std::uint8_t { reading, done, wrong };

  // Takes bytes from the bot, split at any position. After `done` and `wrong` further bytes are
  // ignored.
  state receive(std::string_view bytes);
  // The bot has closed the connection, which ends a body without a length.
  state end();

  // Returns the response. Requires: done.
  answered take();
  // True if another response may follow on the same connection. Requires: done.
  bool keeps_alive() const { return keeps_alive_; }
  // Returns the error text. Requires: wrong.
  const std::string& mistake() const { return mistake_; }

  // Returns the number of buffered bytes.
  std::size_t kept_bytes() const;

 private:
  class parser;

  state parse();
  state finish();
  state fail(std::string why);

  std::unique_ptr<parser> parser_;
  std::string unread_;
  std::size_t received_ = 0;
  std::string mistake_;
  state state_ = state::reading;
  bool keeps_alive_ = false;
};

}  // namespace gamehub::gateways::bots
