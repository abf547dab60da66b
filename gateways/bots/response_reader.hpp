// Makes an answer of the bytes that a bot sends, by Beast's parser and within the bounds of
// jsonrpc_limits.hpp: whatever comes, there is an answer, or a sentence about what is wrong with
// it. Knows no socket. A call owns it; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "gateways/jsonrpc/caller.hpp"

namespace gamehub::gateways::bots::server {

class response_reader {
 public:
  response_reader();
  ~response_reader();
  response_reader(const response_reader&) = delete;
  response_reader& operator=(const response_reader&) = delete;

  enum class state : std::uint8_t { reading, done, wrong };

  // Bytes from the bot, cut anywhere. After done and wrong there is nothing more.
  state receive(std::string_view bytes);
  // The bot has closed, which ends some answers.
  state end();

  // Requires: done.
  answered take();
  // Another answer may follow on the same connection. Requires: done.
  bool keeps_alive() const { return keeps_alive_; }
  // Requires: wrong.
  const std::string& mistake() const { return mistake_; }

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

}  // namespace gamehub::gateways::jsonrpc::server
