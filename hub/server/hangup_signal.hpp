// Receives SIGHUP on an io_context. While no object exists SIGHUP is ignored, once main() has
// ignored it: unlike a signal_set, this class never restores the default action, which would end
// the process. At most one object at a time, used on the thread of its io_context.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <functional>

namespace gamehub::server {

class hangup_signal {
 public:
  // Signals that arrive from now on are kept for async_wait().
  explicit hangup_signal(boost::asio::io_context&);
  ~hangup_signal();
  hangup_signal(const hangup_signal&) = delete;
  hangup_signal& operator=(const hangup_signal&) = delete;

  // Calls `what` once, after the next signal or several.
  void async_wait(std::function<void()> what);
  void cancel();

 private:
  boost::asio::posix::stream_descriptor events_;
};

}  // namespace gamehub::server
