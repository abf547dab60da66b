#include "gateways/net/outbox.hpp"

#include "tests/support/catch.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>

#include <array>

namespace gamehub::gateways::net {
namespace {

// Both ends of a connection over loopback; writes to `ours` do not block.
struct pair_of_sockets {
  boost::asio::io_context loop;
  stream_socket ours;
  boost::asio::ip::tcp::socket theirs{loop};

  pair_of_sockets() {
    boost::asio::ip::tcp::acceptor acceptor{loop, {boost::asio::ip::address_v4::loopback(), 0}};
    theirs.connect(acceptor.local_endpoint());
    auto accepted = acceptor.accept();
    accepted.non_blocking(true);
    ours = stream_socket{accepted.release()};
  }
};

TEST_CASE("outbox: keeps unsent bytes in order") {
  pair_of_sockets ends;
  metrics::cell bytes;
  std::string whole(8 << 20, ' ');
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = static_cast<char>('a' + i % 23);
  auto outbox = whole;
  REQUIRE(send_waiting(ends.ours, outbox, bytes) == sent::part);
  CHECK(!outbox.empty());
  CHECK(bytes.value() == static_cast<std::int64_t>(whole.size() - outbox.size()));
  CHECK(outbox == whole.substr(whole.size() - outbox.size()));

  std::string received;
  std::array<char, 65'536> some{};
  while (received.size() < whole.size()) {
    received.append(some.data(), ends.theirs.read_some(boost::asio::buffer(some)));
    if (!outbox.empty()) static_cast<void>(send_waiting(ends.ours, outbox, bytes));
  }
  CHECK(received == whole);
  CHECK(bytes.value() == static_cast<std::int64_t>(whole.size()));
  CHECK(send_waiting(ends.ours, outbox, bytes) == sent::all);
  CHECK(outbox.capacity() <= 1024);
}

TEST_CASE("outbox: distinguishes a broken connection from a slow client") {
  pair_of_sockets ends;
  metrics::cell bytes;
  ends.ours.close();
  std::string outbox = "hello";
  CHECK(send_waiting(ends.ours, outbox, bytes) == sent::failed);
  CHECK(outbox == "hello");
  CHECK(bytes.value() == 0);
}

}  // namespace
}  // namespace gamehub::gateways::net
