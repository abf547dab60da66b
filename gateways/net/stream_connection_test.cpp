#include "gateways/net/stream_connection.hpp"

#include "hub/base/address.hpp"
#include "hub/core/address_ledger.hpp"
#include "tests/support/catch.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::gateways::net {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

using client_socket = asio::ip::tcp::socket;

// Accepts the client that has connected.
accepted_stream accept_from(asio::ip::tcp::acceptor& at, int send_buffer) {
  auto socket = at.accept();
  socket.non_blocking(true);
  socket.set_option(asio::socket_base::send_buffer_size{send_buffer});
  return {stream_socket{socket.release()}, {}, {}};
}

constexpr std::size_t reply_bytes = 51'000;

// Each byte of the client is a request; the reply to 'q' is the last one.
class byte_protocol final : public stream_protocol {
 public:
  byte_protocol(const loop_context& context, accepted_stream from)
      : io(*this, context, std::move(from)) {}
  ~byte_protocol() override { io.drop(close_reason::failed); }

  void on_data(std::string_view bytes) override {
    received += bytes;
    process();
  }
  void on_sent() override {
    process();
    if (io.is_open()) io.continue_reading();
  }
  void on_timeout() override { ++timeouts; }
  void on_drain() override { drained = true; }
  void on_bans_changed() override {}
  void on_close() override {
    if (slow) work();
    closed = true;
  }
  bool wants_input() const override {
    return wants && !io.is_congested() && (!slow || io.loop().has_request_time());
  }

  void process() {
    while (io.is_open() && wants_input() && next < received.size()) {
      const char request = received[next++];
      if (slow) {
        work();
        io.loop().note_request();
      }
      io.outbox().append(quiet ? 0 : slow ? 1 : reply_bytes, request);
      io.mark_dirty();
      held_most = std::max(held_most, io.outbox().capacity());
      if (request == 'q') io.close(close_reason::client_left, 1'000);
    }
  }

  // As long as two fifths of the time that an iteration has for requests.
  static void work() {
    const auto end = std::chrono::steady_clock::now() + limits::request_time_of_iteration * 2 / 5;
    while (std::chrono::steady_clock::now() < end) continue;
  }

  stream_connection io;
  std::string received;
  std::size_t next = 0, held_most = 0;
  int timeouts = 0;
  bool wants = true, slow = false, quiet = false, drained = false, closed = false;
};

// A connection on a loop whose iterations the test runs, and its client.
struct connected {
  asio::io_context io;
  base::timers clock{std::chrono::steady_clock::now()};
  metrics::cells cells{1, 1};
  id_source<attachment_id> ids;
  loop_io loop{io, clock, cells, ids, 1};
  loop_context context{&loop, 0, nullptr};
  asio::io_context client_io;
  client_socket client{client_io};
  std::shared_ptr<byte_protocol> protocol;

  connected(const connected&) = delete;
  connected& operator=(const connected&) = delete;
  connected() {
    asio::ip::tcp::acceptor acceptor{io, {asio::ip::address_v4::loopback(), 0}};
    client.open(asio::ip::tcp::v4());
    client.set_option(asio::socket_base::receive_buffer_size{4'096});
    client.connect(acceptor.local_endpoint());
    client.non_blocking(true);
    protocol = std::make_shared<byte_protocol>(context, accept_from(acceptor, 4'096));
    protocol->io.start();
  }
  ~connected() {
    protocol->io.drop(close_reason::failed);
    turn();
  }

  // Connects another client of this account to the loop.
  std::shared_ptr<byte_protocol> connect(client_socket& other, int send_buffer = 256 * 1024,
                                         address_account_ref of = {}) {
    asio::ip::tcp::acceptor acceptor{io, {asio::ip::address_v4::loopback(), 0}};
    other.connect(acceptor.local_endpoint());
    auto from = accept_from(acceptor, send_buffer);
    from.counted = admission{nullptr, {address_hold{std::move(of), address_limit::connections}}};
    auto made = std::make_shared<byte_protocol>(context, std::move(from));
    made->io.start();
    return made;
  }
  void send(std::string_view bytes) {
    REQUIRE(client.send(asio::buffer(bytes.data(), bytes.size())) == bytes.size());
  }
  void turn() {
    io.restart();
    io.poll();
    clock.advance(std::chrono::steady_clock::now());
    loop.end_turn(false);
  }
  // True if the loop does not wait before its next iteration.
  bool goes_on() {
    io.restart();
    return io.poll_one() > 0;
  }
  template <class Condition>
  void until(Condition is_so) {
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (!is_so()) {
      REQUIRE(std::chrono::steady_clock::now() < end);
      turn();
    }
  }
  // Returns what the client can read now; nothing at the end of the connection.
  std::optional<std::string> read() {
    std::array<char, 65'536> bytes;
    boost::system::error_code failed;
    const auto size = client.read_some(asio::buffer(bytes), failed);
    if (failed && failed != asio::error::would_block) return std::nullopt;
    return std::string(bytes.data(), size);
  }
};

TEST_CASE("loop_io: an iteration sends all short outboxes, and one long one, in their order") {
  connected c;
  std::array<client_socket, 3> clients{client_socket{c.client_io}, client_socket{c.client_io},
                                       client_socket{c.client_io}};
  std::array<std::shared_ptr<byte_protocol>, 3> longs;
  for (std::size_t i = 0; i < longs.size(); ++i) {
    longs[i] = c.connect(clients[i]);
    longs[i]->io.outbox().append(limits::long_outbox_bytes + 1, 'l');
    longs[i]->io.mark_dirty();
  }
  c.protocol->io.outbox() += "short";
  c.protocol->io.mark_dirty();
  const auto unsent = [&] {
    return std::count_if(longs.begin(), longs.end(),
                         [](const auto& each) { return !each->io.outbox().empty(); });
  };
  c.loop.end_turn(false);
  CHECK(c.protocol->io.outbox().empty());
  CHECK(longs[0]->io.outbox().empty());
  CHECK(unsent() == 2);
  // Another iteration follows at once, also without input.
  CHECK(c.goes_on());
  longs[2]->io.mark_dirty();
  c.loop.end_turn(false);
  CHECK(longs[1]->io.outbox().empty());
  CHECK(unsent() == 1);
  // One that is closed meanwhile is not sent, and not kept.
  longs[2]->io.drop(close_reason::failed);
  c.turn();
  CHECK(longs[2].use_count() == 1);
  for (const auto& each : longs) each->io.drop(close_reason::failed);
}

TEST_CASE("loop_io: an iteration serves few slow requests, and those who wait take turns") {
  connected c;
  std::array<client_socket, 3> clients{client_socket{c.client_io}, client_socket{c.client_io},
                                       client_socket{c.client_io}};
  std::array<std::shared_ptr<byte_protocol>, 3> busy;
  constexpr std::size_t asked = 100;
  for (std::size_t i = 0; i < busy.size(); ++i) {
    busy[i] = c.connect(clients[i]);
    busy[i]->slow = true;
    clients[i].send(asio::buffer(std::string(asked, 'a')));
  }
  const auto served = [&] {
    std::size_t sum = 0;
    for (const auto& each : busy) sum += each->next;
    return sum;
  };
  std::size_t before = 0;
  c.until([&] {
    const auto now = served();
    // Of the bytes that were just read, or else of those that waited.
    CHECK(now - before <= 3);
    before = now;
    // While one has unserved bytes, another iteration follows at once, also without input.
    if (std::any_of(busy.begin(), busy.end(),
                    [](const auto& each) { return each->next < each->received.size(); }))
      CHECK(c.goes_on());
    // Each of them gets its share.
    const auto [least, most] = std::minmax({busy[0]->next, busy[1]->next, busy[2]->next});
    CHECK(most - least <= asked / 3);
    return now == busy.size() * asked;
  });
  for (const auto& each : busy) each->io.drop(close_reason::failed);
}

TEST_CASE("loop_io: an iteration ends few of the connections whose clients are gone") {
  connected c;
  constexpr std::size_t count = 12;
  std::vector<client_socket> clients;
  std::vector<std::shared_ptr<byte_protocol>> gone;
  for (std::size_t i = 0; i < count; ++i) {
    gone.push_back(c.connect(clients.emplace_back(c.client_io)));
    gone.back()->slow = true;
  }
  c.turn();
  clients.clear();
  std::size_t before = 0;
  c.until([&] {
    const auto closed = static_cast<std::size_t>(
        std::count_if(gone.begin(), gone.end(), [](const auto& each) { return each->closed; }));
    CHECK(closed - before <= 3);
    before = closed;
    return closed == count;
  });
  CHECK(c.cells.wires[0].connections_open.value() == 1);
}

TEST_CASE("stream connection: requests whose replies are not read wait, and are all answered") {
  connected at;
  const std::string requests(400, 'a');
  at.send(requests);
  at.until([&] { return at.protocol->io.is_blocked(); });
  for (int i = 0; i < 10; ++i) at.turn();
  CHECK(at.protocol->next < 10);
  CHECK(at.protocol->held_most <= 300 * 1024);
  std::size_t got = 0;
  at.until([&] {
    got += at.read().value().size();
    return got == requests.size() * reply_bytes;
  });
  CHECK(at.protocol->received == requests);
  CHECK(at.protocol->held_most <= 300 * 1024);
  CHECK(at.protocol->io.is_open());
}

TEST_CASE("stream connection: what the clients of an address do not take is bounded (S23)") {
  address_limits limits;
  limits.unsent = 300;
  address_ledger ledger{limits, {7, 9}};
  const auto account = ledger.account_of(*base::read_address("192.0.2.1"));
  {
    connected c;
    std::array<client_socket, 2> clients{client_socket{c.client_io}, client_socket{c.client_io}};
    std::array<std::shared_ptr<byte_protocol>, 2> unread;
    for (std::size_t i = 0; i < unread.size(); ++i) {
      unread[i] = c.connect(clients[i], 4'096, account);
      unread[i]->io.outbox().append(250 * 1'024, 'x');
      unread[i]->io.mark_dirty();
    }
    c.turn();
    CHECK(unread[0]->io.is_open());
    // One iteration sends one long outbox.
    c.until([&] { return !unread[1]->io.is_open(); });
    CHECK(unread[0]->io.is_open());
    CHECK(account->held(address_limit::unsent) > 100);
    CHECK(account->held(address_limit::unsent) <= 300);
    for (const auto& each : unread) each->io.drop(close_reason::failed);
    CHECK(account->held(address_limit::unsent) == 0);
  }
}

TEST_CASE("stream connection: sends the outbox before it closes, and discards a bounded input") {
  connected at;
  at.send("aq" + std::string(900, 'x'));
  std::string got;
  at.until([&] {
    const auto some = at.read();
    if (some) got += *some;
    return !some;
  });
  CHECK(got == std::string(reply_bytes, 'a') + std::string(reply_bytes, 'q'));
  CHECK_FALSE(at.protocol->closed);
  at.send(std::string(2'000, 'x'));
  at.until([&] { return at.protocol->closed; });
  CHECK(at.protocol->next == 2);
}

TEST_CASE(
    "stream connection: a client that reads nothing is closed some time after the last reply") {
  connected at;
  at.send("q");
  at.until([&] { return at.protocol->io.is_blocked(); });
  CHECK_FALSE(at.protocol->closed);
  at.clock.advance(std::chrono::steady_clock::now() + limits::linger_max + 1s);
  CHECK(at.protocol->closed);
  CHECK(at.protocol->timeouts == 0);
}

TEST_CASE("stream connection: is not read while its protocol wants no input") {
  connected at;
  at.protocol->wants = false;
  at.send(std::string(16, 'a'));
  at.until([&] { return at.protocol->received.size() == 16; });
  at.send("b");
  for (int i = 0; i < 10; ++i) at.turn();
  CHECK(at.protocol->received.size() == 16);
  at.protocol->wants = true;
  at.protocol->io.mark_dirty();
  at.until([&] {
    static_cast<void>(at.read());
    return at.protocol->received.size() == 17;
  });
}

TEST_CASE("stream connection: reads all that has come, however much, and the end behind it") {
  connected at;
  at.protocol->quiet = true;
  at.turn();
  // Several times the buffer of the loop.
  const std::string much(5 * limits::read_bytes_max + 7, 'a');
  std::size_t sent = 0;
  at.until([&] {
    boost::system::error_code blocked;
    sent += at.client.write_some(asio::buffer(much) + sent, blocked);
    if (sent == much.size()) at.client.shutdown(asio::socket_base::shutdown_send, blocked);
    return at.protocol->closed;
  });
  CHECK(at.protocol->received == much);
}

TEST_CASE("stream connection: reads what a client has left behind once input is wanted again") {
  connected at;
  at.protocol->quiet = true;
  at.protocol->wants = false;
  at.send("a");
  at.until([&] { return at.protocol->received == "a"; });
  at.send("b");
  at.client.close();
  for (int i = 0; i < 10; ++i) at.turn();
  CHECK(at.protocol->received == "a");
  CHECK(at.protocol->io.has_peer_closed());
  CHECK_FALSE(at.protocol->closed);
  at.protocol->wants = true;
  at.protocol->io.mark_dirty();
  at.until([&] { return at.protocol->closed; });
  CHECK(at.protocol->received == "ab");
}

TEST_CASE("stream connection: is told of its time, of a stopped listener, and once of its end") {
  connected at;
  at.protocol->io.set_timer(std::chrono::steady_clock::now() + 1h);
  at.protocol->io.set_timer(std::chrono::steady_clock::now() + 2h);
  at.clock.advance(std::chrono::steady_clock::now() + 3h);
  CHECK(at.protocol->timeouts == 1);
  const loop_context another = at.context;
  at.loop.drain(another);
  CHECK_FALSE(at.protocol->drained);
  at.loop.drain(at.context);
  CHECK(at.protocol->drained);
  at.client.close();
  at.until([&] { return at.protocol->closed; });
  at.protocol->closed = false;
  at.protocol->io.drop(close_reason::failed);
  CHECK_FALSE(at.protocol->closed);
  CHECK(at.cells.wires[0].connections_open.value() == 0);
}

TEST_CASE("stream connection: hands its socket over with all bytes, also while a read is pending") {
  connected at;
  at.turn();
  REQUIRE(at.protocol->io.is_reading());
  at.protocol->io.outbox() = "last";
  auto socket = at.protocol->io.release();
  CHECK(at.protocol->closed);
  const auto closed = [&](close_reason why) {
    return at.cells.wires[0].connections_closed[static_cast<std::size_t>(why)].value();
  };
  CHECK(closed(close_reason::upgraded) == 1);
  CHECK(closed(close_reason::client_left) == 0);
  const auto next = std::make_shared<byte_protocol>(at.context, std::move(socket));
  next->io.start("b");
  at.send("c");
  at.until([&] { return next->received == "bc"; });
  CHECK(at.protocol->received.empty());
  std::string got;
  const std::string wanted = "last" + std::string(reply_bytes, 'b') + std::string(reply_bytes, 'c');
  at.until([&] {
    got += at.read().value();
    return got.size() == wanted.size();
  });
  CHECK(got == wanted);
  next->io.drop(close_reason::failed);
}

}  // namespace
}  // namespace gamehub::gateways::net
