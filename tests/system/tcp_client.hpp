// A TCP connection as a test has one: everything that blocks has a deadline, and everything that is
// read stays until it is taken. One thread.
#pragma once

#include "tests/system/patience.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::tests::system {

struct tcp_options {
  const char* from = nullptr;  // the client's own address
  // 0: the system's choice. Both small, little fits between the hub and a client.
  int receive_buffer_bytes = 0;
  int segment_bytes = 0;
};

class tcp_client {
 public:
  // Throws std::system_error if no server listens.
  explicit tcp_client(std::uint16_t port, tcp_options = {});
  ~tcp_client();
  tcp_client(tcp_client&&) noexcept;
  tcp_client& operator=(tcp_client&&) = delete;

  // Sends all, reading what comes meanwhile. What the hub does not take any more is lost silently:
  // the next read says that it is gone.
  void send(std::string_view bytes);
  // Sends without reading. Returns how much went before nothing more did for a while.
  std::size_t stuff(std::string_view bytes, std::chrono::milliseconds a_while);

  // Exactly this many bytes, or a line without its line feed; nothing if the connection ended first
  // or the deadline passed: see state_text().
  std::optional<std::string> read(std::size_t bytes);
  std::optional<std::string> read_line();
  // What comes until the hub ends the connection.
  std::string rest();
  // Whether something can be read without waiting for it.
  bool has_more();
  // "open", "end" or "reset", and after a read that got nothing "nothing came".
  std::string state_text() const;
  bool ended() const { return state_ == state::ended || state_ == state::reset; }
  // What was received and not taken.
  const std::string& unread() const { return inbox_; }

  void close();
  void half_close();
  // Ends the connection by a reset, as a crash does.
  void abort();

 private:
  enum class state { open, silent, ended, reset };

  // False if nothing more comes.
  bool fill(const deadline&);

  int socket_ = -1;
  state state_ = state::open;
  std::string inbox_;
};

}  // namespace gamehub::tests::system
