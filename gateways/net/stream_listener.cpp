#include "gateways/net/listener.hpp"

#include <sys/socket.h>

#include <utility>

#include "hub/core/limits.hpp"

namespace gamehub::gateways::net {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

using reuse_port = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

// A burst of new clients takes the loop for so many at once.
constexpr int accepts_per_turn_max = 64;

}  // namespace

bool connections_per_address::enter(const asio::ip::address& a) {
  if (!counts(a)) return true;
  const std::lock_guard lock{mutex_};
  auto& count = counts_[a.to_string()];
  if (count >= limit_) return false;
  ++count;
  return true;
}

void connections_per_address::leave(const asio::ip::address& a) {
  if (!counts(a)) return;
  const std::lock_guard lock{mutex_};
  const auto at = counts_.find(a.to_string());
  if (at != counts_.end() && --at->second == 0) counts_.erase(at);
}

listener::acceptor listener::bind(asio::io_context& io, const tcp::endpoint& where,
                                  bool first) try {
  acceptor a{io};
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
  return a;
} catch (const boost::system::system_error& e) {
  throw listen_failed{e.code().message()};
}

listener::listener(const listener_context& wire, acceptor a, connections_per_address& addresses, welcome to)
    : wire_(wire),
      acceptor_(std::move(a)),
      addresses_(addresses),
      welcome_(std::move(to)),
      next_(wire_.loop->io()) {}

void listener::start() { accept(); }

void listener::stop(std::function<void()> on_all_closed) {
  stopped_ = true;
  on_all_closed_ = std::move(on_all_closed);
  error_code ignored;
  acceptor_.close(ignored);
  report_if_closed();
}

void listener::one_gone() {
  --connections_;
  report_if_closed();
}

void listener::report_if_closed() {
  if (stopped_ && connections_ == 0 && on_all_closed_) std::exchange(on_all_closed_, nullptr)();
}

void listener::accept() {
  if (stopped_) return;
  acceptor_.async_accept(next_, from_, [this](error_code failed) {
    if (stopped_) return;
    for (int i = 0; !failed; ++i) {
      admit(std::exchange(next_, stream_socket{wire_.loop->io()}), from_);
      if (i == accepts_per_turn_max) break;
      acceptor_.accept(next_, from_, failed);
    }
    // Out of descriptors: the clients in the queue wait until some are closed.
    if (failed == asio::error::no_descriptors || failed == asio::error::no_buffer_space ||
        failed == asio::error::no_memory ||
        failed == error_code{ENFILE, boost::system::system_category()})
      return pause();
    accept();
  });
}

void listener::pause() {
  wire_.loop->timers().arm(std::chrono::steady_clock::now() + limits::accept_pause,
                           [this] { accept(); });
}

void listener::admit(stream_socket socket, const tcp::endpoint& from) {
  const auto address = from.address();
  if (!addresses_.enter(address)) {
    auto& cells = wire_.loop->cells().wires[wire_.number];
    cells.connections_opened.add();
    cells.connections_closed[static_cast<std::size_t>(close_reason::address_limit)].add();
    return;  // closes the socket: who comes too often is owed no words
  }
  error_code failed;
  socket.non_blocking(true, failed);
  ++connections_;
  // Most addresses are not counted, or few: only those that are cost memory here.
  std::function<void()> leave = [this] { one_gone(); };
  if (addresses_.counts(address))
    leave = [this, address] {
      addresses_.leave(address);
      one_gone();
    };
  welcome_(std::move(socket), from, std::move(leave));
}

namespace {

class codec_listener final : public listener {
 public:
  codec_listener(const listener_context& wire, const protocol& p, engine_traits engine, listener::acceptor a,
                 connections_per_address& addresses)
      : wire_(wire),
        protocol_(p),
        engine_(std::move(engine)),
        listener_(wire, std::move(a), addresses,
                  [this](stream_socket socket, const tcp::endpoint&, std::function<void()> gone) {
                    std::make_shared<connection>(wire_, std::move(socket),
                                                 protocol_.make_codec(engine_), std::move(gone))
                        ->start();
                  }) {}

  void start() override { listener_.start(); }
  void stop(std::function<void()> on_all_closed) override { listener_.stop(std::move(on_all_closed)); }

 private:
  listener_context wire_;
  const protocol& protocol_;
  engine_traits engine_;
  listener listener_;
};

}  // namespace

std::unique_ptr<listener> listen_for_codecs(const listener_context& wire, const protocol& p,
                                            engine_traits engine, listener::acceptor a,
                                            connections_per_address& addresses) {
  return std::make_unique<codec_listener>(wire, p, std::move(engine), std::move(a), addresses);
}

}  // namespace gamehub::gateways::net
