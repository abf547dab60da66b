// A connected TCP socket. It never blocks. Owned by one connection at a time, used on its loop's
// thread.
#pragma once

#include "hub/base/endpoint.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace gamehub::gateways::net {

class stream_socket {
 public:
  stream_socket() = default;
  // Takes over a connected, non-blocking descriptor.
  explicit stream_socket(int descriptor) : descriptor_(descriptor) {}
  stream_socket(stream_socket&& from) noexcept
      : descriptor_(std::exchange(from.descriptor_, closed)) {}
  stream_socket& operator=(stream_socket&& from) noexcept {
    std::swap(descriptor_, from.descriptor_);
    return *this;
  }
  ~stream_socket() { close(); }

  int descriptor() const { return descriptor_; }
  bool is_open() const { return descriptor_ != closed; }
  void close();

  // The result of a system call. It has moved bytes only if it is done.
  enum class status { done, blocked, failed };
  struct result {
    status what = status::done;
    std::size_t bytes = 0;
  };

  // Reads what is there. The end of the input is a failure.
  result receive(std::span<char>);
  // Sends as much as the system takes. A broken connection raises no signal.
  result send(std::string_view);
  // Ends the output.
  void shut_down_output();
  // Nothing: the socket is closed or reset.
  std::optional<base::endpoint> peer() const;

 private:
  static constexpr int closed = -1;
  int descriptor_ = closed;
};

}  // namespace gamehub::gateways::net
