// A client of the opcodes wire, written from the protocol's document alone: what it hears, it says
// in words that a test compares with what it should hear. One thread.
#pragma once

#include "tests/system/tcp_client.hpp"

#include <cstdint>
#include <string>

namespace gamehub::tests::system {

class opcodes_client {
 public:
  explicit opcodes_client(std::uint16_t port, std::size_t cells = 9, tcp_options options = {})
      : socket_(port, options), cells_(cells) {}

  void ask() { socket_.send(sgr()); }
  void move(int position) { socket_.send(move_packet(position)); }

  // The next packet: "ACK X", "STATE XO------- -" (board and status), or "ERROR 3"; or "end" if the
  // hub ended the connection.
  std::string next();
  // The text of the latest ERROR.
  const std::string& error_text() const { return error_text_; }

  tcp_client& socket() { return socket_; }

  static std::string sgr() { return std::string{"\0\1", 2}; }
  static std::string move_packet(int position) {
    return std::string{"\0\2", 2} + static_cast<char>(position);
  }

 private:
  std::string next_error();

  tcp_client socket_;
  std::size_t cells_;
  std::string error_text_;
};

}  // namespace gamehub::tests::system
