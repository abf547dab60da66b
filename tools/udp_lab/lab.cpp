#include "tools/udp_lab/lab.hpp"

#include <boost/asio/buffer.hpp>

#include <iterator>
#include <string>
#include <utility>

namespace gamehub::tools::udp_lab {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::steady_clock;

// Maximum of datagrams from one socket before other sockets are read.
constexpr int datagrams_per_turn = 64;
constexpr int receive_bytes = 4 * 1024 * 1024;

// A route is a client's number and a direction.
constexpr std::uint64_t to_hub(std::uint64_t number) { return 2 * number; }
constexpr std::uint64_t to_client(std::uint64_t number) { return 2 * number + 1; }
constexpr std::uint64_t number_of(std::uint64_t route) { return route / 2; }
constexpr bool is_to_hub(std::uint64_t route) { return route % 2 == 0; }

}  // namespace

lab::lab(asio::io_context& io, const udp::endpoint& listen, const udp::endpoint& to,
         const fault_rates& faults, std::uint64_t seed, const lab_bounds& bounds)
    : io_(io), hub_(to), bounds_(bounds), front_(io, listen), timer_(io), relay_(faults, seed) {
  front_.non_blocking(true);
  // With a smaller buffer a burst may lose datagrams in addition to the drop rate.
  error_code ignored;
  front_.set_option(udp::socket::receive_buffer_size{receive_bytes}, ignored);
  wait_for_clients();
}

void lab::stop() {
  error_code ignored;
  stopped_ = true;
  timer_.cancel();
  front_.close(ignored);
  while (!clients_.empty()) remove_client(clients_.begin());
}

void lab::wait_for_clients() {
  front_.async_wait(udp::socket::wait_read, [this](const error_code& failed) {
    if (failed || stopped_) return;
    read_clients();
    arm();
    wait_for_clients();
  });
}

void lab::wait_for_hub(client_at who) {
  who->to_hub.async_wait(udp::socket::wait_read,
                         [this, number = who->number](const error_code& failed) {
                           if (failed) return;
                           const auto at = by_number_.find(number);
                           if (at == by_number_.end()) return;
                           read_hub(at->second);
                           arm();
                           wait_for_hub(at->second);
                         });
}

void lab::read_clients() {
  udp::endpoint from;
  for (int i = 0; i < datagrams_per_turn; ++i) {
    error_code failed;
    const auto size = front_.receive_from(asio::buffer(buffer_), from, 0, failed);
    if (failed == asio::error::would_block) return;
    // An error of one client does not concern the others.
    if (failed) continue;
    const auto who = find(from);
    if (who == clients_.end())
      ++refused_;
    else
      receive(to_hub(who->number), size);
  }
}

void lab::read_hub(client_at who) {
  for (int i = 0; i < datagrams_per_turn; ++i) {
    error_code failed;
    const auto size = who->to_hub.receive(asio::buffer(buffer_), 0, failed);
    if (failed == asio::error::would_block) return;
    // The hub does not listen at the moment.
    if (failed) continue;
    touch(who);
    receive(to_client(who->number), size);
  }
}

lab::client_at lab::find(const udp::endpoint& from) {
  if (const auto at = by_address_.find(from); at != by_address_.end()) {
    touch(at->second);
    return at->second;
  }
  const auto idle_since = steady_clock::now() - bounds_.idle_max;
  while (!clients_.empty() && clients_.front().active <= idle_since)
    remove_client(clients_.begin());
  return clients_.size() < bounds_.clients_max ? add_client(from) : clients_.end();
}

lab::client_at lab::add_client(const udp::endpoint& from) {
  error_code failed;
  udp::socket socket{io_};
  socket.open(hub_.protocol(), failed);
  if (!failed) socket.connect(hub_, failed);
  if (!failed) socket.non_blocking(true, failed);
  if (failed) return clients_.end();
  clients_.push_back({++numbers_, from, std::move(socket), steady_clock::now()});
  const auto who = std::prev(clients_.end());
  by_address_.emplace(from, who);
  by_number_.emplace(who->number, who);
  wait_for_hub(who);
  return who;
}

void lab::touch(client_at who) {
  who->active = steady_clock::now();
  clients_.splice(clients_.end(), clients_, who);
}

void lab::remove_client(client_at who) {
  by_address_.erase(who->from);
  by_number_.erase(who->number);
  clients_.erase(who);
}

void lab::receive(std::uint64_t route, std::size_t size) {
  if (relay_.waiting() >= bounds_.waiting_max) {
    ++refused_;
    return;
  }
  relay_.push({route, std::string(buffer_.data(), size)}, steady_clock::now());
}

void lab::forward() {
  const auto now = steady_clock::now();
  while (const auto what = relay_.pop(now)) forward(*what);
}

void lab::forward(const relayed_datagram& what) {
  const auto at = by_number_.find(number_of(what.route));
  if (at == by_number_.end()) return;
  auto& who = *at->second;
  error_code failed;
  if (is_to_hub(what.route))
    who.to_hub.send(asio::buffer(what.bytes), 0, failed);
  else
    front_.send_to(asio::buffer(what.bytes), who.from, 0, failed);
  // This error belongs to an earlier datagram.
  if (failed && failed != asio::error::connection_refused) ++refused_;
}

void lab::arm() {
  const auto next = relay_.next();
  if (next >= armed_for_) return;
  armed_for_ = next;
  timer_.expires_at(next);
  timer_.async_wait([this](const error_code& failed) {
    if (failed || stopped_) return;
    armed_for_ = base::instant::max();
    forward();
    arm();
  });
}

}  // namespace gamehub::tools::udp_lab
