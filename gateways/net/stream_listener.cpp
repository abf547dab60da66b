#include "gateways/net/stream_listener.hpp"

#include "gateways/net/address.hpp"
#include "hub/core/limits.hpp"

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <sys/socket.h>
#include <utility>

namespace gamehub::gateways::net {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

using reuse_port = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

// Limit of clients accepted in one iteration, at some 20 microseconds each, so that the others do
// not wait for a burst of them.
constexpr int accepts_per_turn_max = 16;

}  // namespace

void leave_listener::operator()(stream_listener* from) const { from->leave(); }

stream_listener::acceptor stream_listener::bind(const listener_context& context, std::size_t loop,
                                                std::uint16_t& port) try {
  const tcp::endpoint where{asio::ip::make_address(context.hub->settings.address), port};
  const bool first = loop == 0;
  acceptor a{context.loops[loop].loop->io()};
  a.open(where.protocol());
  a.set_option(acceptor::reuse_address(true));
  // Accepted sockets inherit these two from their listener (tcp(7), socket(7)).
  a.set_option(tcp::no_delay(true));
  a.set_option(asio::socket_base::keep_alive(true));
  if (!first) a.set_option(reuse_port(true));
  a.bind(where);
  if (first) a.set_option(reuse_port(true));
  a.listen(asio::socket_base::max_listen_connections);
  a.non_blocking(true);
  port = a.local_endpoint().port();
  return a;
} catch (const boost::system::system_error& e) {
  throw listen_failed{e.code().message()};
}

stream_listener::stream_listener(const loop_context& context, acceptor a, address_ledger& addresses,
                                 connection_factory to, std::atomic<std::uint32_t>* total,
                                 std::string refusal)
    : context_(context),
      acceptor_(std::move(a)),
      addresses_(addresses),
      make_connection_(std::move(to)),
      total_(total),
      refusal_(std::move(refusal)) {
  context_.loop->at_turn_end(*this);
}

void stream_listener::start() { accept(); }

void stream_listener::stop(std::function<void()> on_all_closed) {
  stopped_ = true;
  on_all_closed_ = std::move(on_all_closed);
  error_code ignored;
  acceptor_.close(ignored);
  context_.loop->drain(context_);
  report_if_closed();
}

void stream_listener::leave() {
  --connections_;
  if (total_ != nullptr) total_->fetch_sub(1);
  report_if_closed();
}

void stream_listener::report_if_closed() {
  if (stopped_ && connections_ == 0 && on_all_closed_) std::exchange(on_all_closed_, nullptr)();
}

void stream_listener::accept() {
  if (stopped_) return;
  acceptor_.async_wait(acceptor::wait_read, [this](error_code failed) {
    if (!failed && !stopped_) accept_waiting();
  });
}

void stream_listener::accept_waiting() {
  // In the next iteration, also after an exception: to wait for a client now would accept it in
  // this one.
  accepts_more_ = true;
  for (int tried = 0; tried < accepts_per_turn_max; ++tried) {
    socket_address from{};
    socklen_t size = sizeof from;
    stream_socket client{
        ::accept4(acceptor_.native_handle(), &from.any, &size, SOCK_NONBLOCK | SOCK_CLOEXEC)};
    if (client.is_open()) {
      accept_client(std::move(client), endpoint_of(from));
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      // No descriptors or memory: clients stay in the kernel's queue until connections are closed.
      accepts_more_ = false;
      return pause();
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      accepts_more_ = false;
      return accept();
    }
    // Else this client is gone again (accept(2)).
  }
}

void stream_listener::end_turn() {
  if (std::exchange(accepts_more_, false)) accept();
}

void stream_listener::pause() {
  context_.loop->timers().arm(std::chrono::steady_clock::now() + limits::accept_pause,
                              [this] { accept(); });
}

std::optional<address_hold> stream_listener::admit(const base::endpoint& from) {
  auto account = addresses_.account_of_peer(from);
  if (account && account->try_spend(address_limit::arrivals, std::chrono::steady_clock::now()))
    return std::nullopt;
  return address_hold::of_one(std::move(account), address_limit::connections);
}

void stream_listener::accept_client(stream_socket socket, const base::endpoint& from) {
  auto hold = admit(from);
  if (!hold) {
    auto& cells = context_.loop->cells().wires[context_.number];
    cells.connections_opened.add();
    cells.connections_closed[static_cast<std::size_t>(close_reason::address_limit)].add();
    // The socket is closed at once: a client that has sent something may miss the message.
    if (!refusal_.empty())
      ::send(socket.descriptor(), refusal_.data(), refusal_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    return;
  }
  ++connections_;
  if (total_ != nullptr) total_->fetch_add(1);
  make_connection_(context_,
                   {std::move(socket), from, admission{this, leave_listener{*std::move(hold)}}});
}

}  // namespace gamehub::gateways::net
