#include "hub/server/hangup_signal.hpp"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gamehub::server {

namespace {

// Never closed, because another thread may still be in the handler.
int event_descriptor() {
  static const int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor < 0) throw std::system_error{errno, std::generic_category(), "eventfd"};
  return descriptor;
}

volatile std::sig_atomic_t notified_descriptor = -1;

extern "C" void notify_of_hangup(int) {
  const auto error = errno;
  const std::uint64_t one = 1;
  static_cast<void>(write(notified_descriptor, &one, sizeof one) != 0);
  errno = error;
}

void act_on_hangup(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGHUP, &action, nullptr);
}

}  // namespace

hangup_signal::hangup_signal(boost::asio::io_context& io)
    : events_(io, fcntl(event_descriptor(), F_DUPFD_CLOEXEC, 0)) {
  notified_descriptor = event_descriptor();
  act_on_hangup(notify_of_hangup);
}

hangup_signal::~hangup_signal() { act_on_hangup(SIG_IGN); }

void hangup_signal::async_wait(std::function<void()> what) {
  events_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                     [this, what = std::move(what)](boost::system::error_code failed) {
                       if (failed) return;
                       std::uint64_t count = 0;
                       static_cast<void>(read(events_.native_handle(), &count, sizeof count) != 0);
                       what();
                     });
}

void hangup_signal::cancel() {
  boost::system::error_code ignored;
  events_.cancel(ignored);
}

}  // namespace gamehub::server
