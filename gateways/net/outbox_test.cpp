#include "gateways/net/outbox.hpp"

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>

#include "tests/support/catch.hpp"

namespace gamehub::gateways::net {
namespace {

// Both ends of a connection over loopback; what is written to `ours` never waits.
struct pair_of_sockets {
  boost::asio::io_context loop;
  stream_socket ours{loop}, theirs{loop};

  pair_of_sockets() {
    boost::asio::basic_socket_acceptor<tcp, boost::asio::io_context::executor_type> door{
        loop, {boost::asio::ip::address_v4::loopback(), 0}};
    theirs.connect(door.local_endpoint());
    door.accept(ours);
    ours.non_blocking(true);
  }
};

TEST_CASE("outbox: what the socket does not take stays, in order, and is sent later") {
  pair_of_sockets ends;
  metrics::cell bytes;
  std::string whole(8 << 20, ' ');
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = static_cast<char>('a' + i % 23);
  auto outbox = whole;
  REQUIRE(send_waiting(ends.ours, outbox, bytes) == sent::part);
  CHECK(!outbox.empty());
  CHECK(bytes.value() == static_cast<std::int64_t>(whole.size() - outbox.size()));
  CHECK(outbox == whole.substr(whole.size() - outbox.size()));

  std::string came;
  std::array<char, 65'536> some{};
  while (came.size() < whole.size()) {
    came.append(some.data(), ends.theirs.read_some(boost::asio::buffer(some)));
    if (!outbox.empty()) static_cast<void>(send_waiting(ends.ours, outbox, bytes));
  }
  CHECK(came == whole);
  CHECK(bytes.value() == static_cast<std::int64_t>(whole.size()));
  CHECK(send_waiting(ends.ours, outbox, bytes) == sent::all);
  CHECK(outbox.capacity() <= 1024);
}

TEST_CASE("outbox: a client that is gone is told apart from one that reads slowly") {
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
