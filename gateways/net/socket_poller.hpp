// The TCP sockets of one loop in an epoll set (epoll(7)) that Asio's reactor waits for as for one
// descriptor. A socket is registered once, edge-triggered, and read when it has input. Asio would
// read it once more before each wait, a system call for each message, and keep an operation for it.
//
// Owned by loop_io and used on the loop's thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <sys/epoll.h>
#include <vector>

namespace gamehub::gateways::net {

class socket_poller {
 public:
  // What has become possible; a change is told once.
  struct readiness {
    bool input = false;   // bytes can be read
    bool output = false;  // bytes can be sent
    bool ended = false;  // the client has ended its output, perhaps behind unread bytes, or is gone
  };
  class listener {
   public:
    virtual void on_ready(readiness) = 0;

   protected:
    ~listener() = default;
  };

  // Names a socket of the set.
  using token = std::uint64_t;
  static constexpr token none = 0;

  explicit socket_poller(boost::asio::io_context&);
  socket_poller(const socket_poller&) = delete;
  socket_poller& operator=(const socket_poller&) = delete;

  // Adds an open socket, and keeps its listener until it is removed. Throws std::system_error.
  token add(int descriptor, std::shared_ptr<listener>);
  // Removes a socket that is being closed.
  void remove(token);
  // Removes a socket that stays open.
  void release(token, int descriptor);
  // Calls on_ready({}) in one of the next handlers, behind other sockets.
  void call_later(token at) { later_.push_back(at); }

  // Calls `each(listener)` for all sockets. Requires: it adds and removes none.
  template <class Each>
  void for_each(Each each) const {
    for (const auto& of : slots_)
      if (of.who) each(*of.who);
  }

  // Waits for sockets again. Called at the end of each iteration, which serves those that were
  // ready at once, for a bounded time.
  void wait();
  // Removes all.
  void clear();

 private:
  struct slot {
    std::shared_ptr<listener> who;
    std::uint32_t generation = 1;  // a new one when the slot is emptied
  };

  // The handler: serves those that are ready.
  void serve();
  void take_events();
  // A token of a socket that was removed meanwhile is ignored.
  void call(token, readiness) const;

  boost::asio::io_context& io_;
  boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type> set_;
  std::vector<slot> slots_;
  std::vector<std::uint32_t> free_;
  std::array<epoll_event, 128> events_;
  std::size_t next_event_ = 0, event_count_ = 0;
  std::deque<token> later_;
  bool waiting_ = false;  // for the set
  bool queued_ = false;   // the handler
};

}  // namespace gamehub::gateways::net
