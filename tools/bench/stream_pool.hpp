// Many sockets in one epoll, each with unsent output. Owned by a load, used on its thread.
#pragma once

#include "tools/bench/any_load.hpp"
#include "tools/bench/connector.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tools::bench {

// Not moved while it is open.
struct channel {
  std::size_t number = 0;  // the owner's number of it
  int fd = -1;
  bool writing = false;  // `out` did not fit into the socket
  std::string out;       // unsent bytes
};

class stream_pool {
 public:
  class listener {
   public:
    // The bytes are valid during the call, which may close the channel.
    virtual void on_data(channel&, std::string_view bytes) = 0;
    // The channel was closed, but not by close().
    virtual void on_closed(channel&, std::string_view why) = 0;

   protected:
    ~listener() = default;
  };

  explicit stream_pool(connector&);
  ~stream_pool();
  stream_pool(const stream_pool&) = delete;
  stream_pool& operator=(const stream_pool&) = delete;

  // Returns false on failure, with errno.
  bool open(channel&);
  void close(channel&);
  // Sends the channel's output, now or when the socket is writable.
  void send(channel&);
  // Passes received data to the listener; waits at most this time for it.
  void wait(std::chrono::milliseconds, listener&);
  // When the data of the current callback was read.
  clock::time_point received_at() const { return received_at_; }

 private:
  void read(channel&, listener&);
  void watch(channel&, bool for_writing);

  connector& connector_;
  std::vector<char> buffer_;
  int epoll_;
  clock::time_point received_at_;
};

}  // namespace gamehub::tools::bench
