#include "gateways/net/socket_poller.hpp"

#include <boost/asio/post.hpp>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

namespace gamehub::gateways::net {

namespace asio = boost::asio;
using std::chrono::steady_clock;

namespace {

// The time of one handler: 128 sockets of 4 microseconds, most of which are read. The clock is
// looked at now and then.
constexpr std::chrono::microseconds serving_time_max{500};
constexpr int looked_at_each = 8;

int make_set() {
  const auto made = ::epoll_create1(EPOLL_CLOEXEC);
  if (made < 0) throw std::system_error{errno, std::generic_category(), "epoll_create1"};
  return made;
}

socket_poller::token token_of(std::uint32_t index, std::uint32_t generation) {
  return socket_poller::token{generation} << 32 | index;
}

std::uint32_t index_of(socket_poller::token at) { return static_cast<std::uint32_t>(at); }

std::uint32_t generation_of(socket_poller::token at) {
  return static_cast<std::uint32_t>(at >> 32);
}

socket_poller::readiness readiness_of(std::uint32_t events) {
  const bool ended = (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
  const bool broken = (events & (EPOLLHUP | EPOLLERR)) != 0;
  return {ended || (events & EPOLLIN) != 0, broken || (events & EPOLLOUT) != 0, ended};
}

}  // namespace

socket_poller::socket_poller(asio::io_context& io) : io_(io), set_(io, make_set()) {}

socket_poller::token socket_poller::add(int descriptor, std::shared_ptr<listener> who) {
  if (free_.empty()) {
    slots_.emplace_back();
    free_.push_back(static_cast<std::uint32_t>(slots_.size() - 1));
  }
  const auto index = free_.back();
  const auto at = token_of(index, slots_[index].generation);
  epoll_event event{EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, {.u64 = at}};
  if (::epoll_ctl(set_.native_handle(), EPOLL_CTL_ADD, descriptor, &event) != 0)
    throw std::system_error{errno, std::generic_category(), "epoll_ctl"};
  free_.pop_back();
  slots_[index].who = std::move(who);
  return at;
}

void socket_poller::remove(token at) {
  auto& of = slots_[index_of(at)];
  if (of.generation != generation_of(at) || !of.who) return;
  if (++of.generation == 0) ++of.generation;
  free_.push_back(index_of(at));
  // The last, because it may destroy the listener, which may remove others.
  const auto last = std::exchange(of.who, nullptr);
}

void socket_poller::release(token at, int descriptor) {
  ::epoll_ctl(set_.native_handle(), EPOLL_CTL_DEL, descriptor, nullptr);
  remove(at);
}

void socket_poller::clear() {
  for (std::uint32_t i = 0; i < slots_.size(); ++i) remove(token_of(i, slots_[i].generation));
}

void socket_poller::wait() {
  if (next_event_ < event_count_ || !later_.empty()) {
    if (!std::exchange(queued_, true))
      asio::post(io_, [this] {
        queued_ = false;
        serve();
      });
  } else if (free_.size() < slots_.size() && !std::exchange(waiting_, true)) {
    set_.async_wait(decltype(set_)::wait_read, [this](boost::system::error_code failed) {
      waiting_ = false;
      if (!failed) serve();
    });
  }
}

void socket_poller::take_events() {
  const auto count =
      ::epoll_wait(set_.native_handle(), events_.data(), static_cast<int>(events_.size()), 0);
  next_event_ = 0;
  event_count_ = count > 0 ? static_cast<std::size_t>(count) : 0;
}

void socket_poller::serve() {
  if (next_event_ == event_count_) take_events();
  const auto end = steady_clock::now() + serving_time_max;
  auto has_time = [end, served = 0]() mutable {
    return ++served % looked_at_each != 0 || steady_clock::now() < end;
  };
  while (next_event_ < event_count_ && has_time()) {
    const auto& event = events_[next_event_++];
    call(event.data.u64, readiness_of(event.events));
  }
  // Those that they add wait for the next handler.
  for (auto left = later_.size(); left > 0 && has_time(); --left) {
    const auto at = later_.front();
    later_.pop_front();
    call(at, {});
  }
}

void socket_poller::call(token at, readiness what) const {
  const auto& of = slots_[index_of(at)];
  if (of.generation != generation_of(at)) return;
  const auto who = of.who;
  if (who) who->on_ready(what);
}

}  // namespace gamehub::gateways::net
