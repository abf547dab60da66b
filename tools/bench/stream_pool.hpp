// Sockets of a load that asks and is answered: many of them in one epoll, each with what it has yet
// to send and what it has read but not understood. Owned by a load, used on its thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hub/app/bench/any_load.hpp"
#include "hub/app/bench/dialer.hpp"

namespace gamehub::app::bench {

// Stays where it is once it was opened.
struct channel {
  std::size_t number = 0;  // by which its owner knows it
  int fd = -1;
  bool writing = false;  // what is in `out` did not fit into the socket
  std::string in, out;   // an unfinished message; what has to be sent
};

class stream_pool {
 public:
  class listener {
   public:
    // How many of the bytes were understood; the rest comes again, with more. May close the
    // channel, and then it does not matter.
    virtual std::size_t hear(channel&, std::string_view bytes) = 0;
    // It is closed, and not by close().
    virtual void lost(channel&, std::string_view why) = 0;

   protected:
    ~listener() = default;
  };

  explicit stream_pool(connector&);
  ~stream_pool();
  stream_pool(const stream_pool&) = delete;
  stream_pool& operator=(const stream_pool&) = delete;

  // False: errno tells why.
  bool open(channel&);
  void close(channel&);
  // Sends what the channel has to send, now or as soon as the socket takes it.
  void send(channel&);
  // Hears what has come, or waits so long for it.
  void wait(std::chrono::milliseconds, listener&);
  // When what is heard just now was read.
  clock::time_point received_at() const { return received_at_; }

 private:
  void read(channel&, listener&);
  void watch(channel&, bool for_writing);

  connector& connector_;
  std::vector<char> buffer_;
  int epoll_;
  clock::time_point received_at_;
};

}  // namespace gamehub::app::bench
