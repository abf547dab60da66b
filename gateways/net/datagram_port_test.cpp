#include "gateways/net/datagram_port.hpp"

#include "gateways/udp/peer_table.hpp"
#include "tests/support/catch.hpp"

#include <arpa/inet.h>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <variant>
#include <vector>

namespace gamehub::gateways::net {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

// A client with a separate socket.
class udp_client {
 public:
  explicit udp_client(const std::string& address = "127.0.0.1")
      : six_(address.find(':') != address.npos),
        socket_(::socket(six_ ? AF_INET6 : AF_INET, SOCK_DGRAM, 0)),
        address_(address) {}
  ~udp_client() { close(socket_); }
  udp_client(const udp_client&) = delete;
  udp_client& operator=(const udp_client&) = delete;

  void send(std::uint16_t port, std::string_view datagram) {
    sockaddr_in four{};
    sockaddr_in6 six{};
    four.sin_family = AF_INET;
    six.sin6_family = AF_INET6;
    four.sin_port = six.sin6_port = htons(port);
    REQUIRE(inet_pton(six_ ? AF_INET6 : AF_INET, address_.c_str(),
                      six_ ? static_cast<void*>(&six.sin6_addr) : &four.sin_addr) == 1);
    const auto* to = six_ ? reinterpret_cast<sockaddr*>(&six) : reinterpret_cast<sockaddr*>(&four);
    const socklen_t size = six_ ? sizeof six : sizeof four;
    REQUIRE(sendto(socket_, datagram.data(), datagram.size(), 0, to, size) ==
            static_cast<ssize_t>(datagram.size()));
  }

  // Returns the bytes of all received datagrams.
  std::string received() {
    std::string out;
    char byte = 0;
    while (recv(socket_, &byte, 1, MSG_DONTWAIT) == 1) out += byte;
    return out;
  }

 private:
  bool six_;
  int socket_;
  std::string address_;
};

// The hub behind the ports: records the intents of each attachment.
class recording_acceptor final : public session_acceptor {
 public:
  struct recorded_client {
    std::shared_ptr<attachment> client;
    std::vector<envelope> submitted;
    bool left = false;
  };

  std::vector<std::shared_ptr<recorded_client>> clients;
  bool takes = true;
  std::int64_t guests = 0;

  void add_guests(std::int64_t change) override { guests += change; }

  std::unique_ptr<gamehub::session_handle> accept(std::shared_ptr<attachment> client,
                                                  close_reason& why) override {
    why = close_reason::draining;
    if (!takes) return nullptr;
    auto g = std::make_shared<recorded_client>();
    g->client = std::move(client);
    clients.push_back(g);
    return std::make_unique<recording_handle>(g);
  }

 private:
  class recording_handle final : public gamehub::session_handle {
   public:
    explicit recording_handle(std::shared_ptr<recorded_client> from) : client_(std::move(from)) {}
    ~recording_handle() override { client_->left = true; }
    void submit(envelope e) override { client_->submitted.push_back(std::move(e)); }

   private:
    std::shared_ptr<recorded_client> client_;
  };
};

// One loop without a thread; the test runs its iterations.
struct manual_loop {
  asio::io_context io;
  base::timers clock{std::chrono::steady_clock::now()};
  metrics::cells cells{1, 1};
  id_source<attachment_id> ids;
  loop_io sockets{io, clock, cells, ids, 1};

  void turn(bool holds = false) {
    io.restart();
    io.poll();
    clock.advance(std::chrono::steady_clock::now());
    sockets.end_turn(holds);
  }
  // Runs iterations until the condition holds, the last one included.
  template <class Condition>
  void until(Condition is_so) {
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (!is_so()) {
      REQUIRE(std::chrono::steady_clock::now() < end);
      turn();
    }
  }
};

// The ports of one protocol, each on a separate loop and port number, so that a client can choose
// the socket of a datagram.
struct manual_port {
  recording_acceptor acceptor;
  std::vector<std::unique_ptr<manual_loop>> loops;
  std::vector<std::unique_ptr<datagram_port>> ports;
  std::vector<std::uint16_t> numbers;

  explicit manual_port(std::size_t count = 1, const std::string& address = "127.0.0.1") {
    gateways::udp::peers_setup setup;
    setup.engine = "tictactoe";
    setup.key = {1, 2};
    setup.settings.proof = 0;  // the first true echo proves an address
    if (count > 1) setup.directory = std::make_shared<gateways::udp::directory>();
    std::vector<datagram_port*> all;
    for (std::size_t i = 0; i < count; ++i) {
      auto& at = *loops.emplace_back(std::make_unique<manual_loop>());
      datagram_socket socket{at.io, {asio::ip::make_address(address), 0}, true};
      numbers.push_back(socket.port());
      setup.number = i;
      ports.push_back(std::make_unique<datagram_port>(
          loop_context{&at.sockets, 0, &acceptor}, std::move(socket),
          std::make_unique<gateways::udp::peer_table>(setup)));
      all.push_back(ports.back().get());
    }
    for (auto& each : ports) {
      each->link_sockets(all);
      each->start();
    }
    turn();
  }

  // Breaks the cycle: a client owns its handle, and the handle the record that owns the client.
  ~manual_port() {
    for (auto& each : acceptor.clients) each->client.reset();
  }

  void turn() {
    for (auto& each : loops) each->turn();
  }
  template <class Condition>
  void until(Condition is_so) {
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (!is_so()) {
      REQUIRE(std::chrono::steady_clock::now() < end);
      turn();
    }
  }
  metrics::wire_cells& cells(std::size_t loop = 0) { return loops[loop]->cells.wires[0]; }

  // Sends a datagram and waits for `bytes` bytes of answers.
  std::string exchange(udp_client& from, std::string_view datagram, std::size_t bytes = 1,
                       std::size_t port = 0) {
    from.send(numbers[port], datagram);
    std::string received;
    until([&] { return (received += from.received()).size() >= bytes; });
    return received;
  }
  // What the client asked of the hub last; and what the hub tells it.
  recording_acceptor::recorded_client& recorded_client(std::size_t i = 0) {
    return *acceptor.clients.at(i);
  }
  void deliver(decltype(event::what) what, receipt answers = {}, std::size_t i = 0) {
    event e;
    e.answers = answers;
    e.game = game_id{7};
    e.what = std::move(what);
    recorded_client(i).client->deliver(e);
  }
};

position_ref position_with(std::string cells, std::optional<seat_index> by, seat_index to_move) {
  position p;
  p.cells = std::move(cells);
  p.by = by;
  p.to_move = p.prompted = only(to_move);
  return std::make_shared<const position>(p);
}

}  // namespace

TEST_CASE(
    "datagram port: bytes become intents, and events become bytes at the end of the iteration") {
  manual_port r;
  udp_client ann;
  CHECK(r.exchange(ann, "A") == "A");
  CHECK(r.acceptor.clients.empty());
  CHECK(r.exchange(ann, "4") == "4");
  REQUIRE(r.acceptor.clients.size() == 1);
  auto& g = r.recorded_client();
  REQUIRE(g.submitted.size() == 1);
  CHECK(std::get<seek>(g.submitted[0].what).engines == std::vector<std::string>{"tictactoe"});
  CHECK(g.submitted[0].receipt.from == g.client->id());
  CHECK(g.submitted[0].receipt.ticket == 1);
  r.deliver(started{});
  r.deliver(position_with("---------", std::nullopt, 0));
  ann.send(r.numbers[0], "E");
  r.until([&] { return g.submitted.size() == 2; });
  CHECK(std::get<play>(g.submitted[1].what).move.cell == 4);
  r.deliver(position_with("----X----", 0, 1), g.submitted[1].receipt);
  r.deliver(position_with("O---X----", 1, 0));
  CHECK(ann.received() == "");
  r.turn();
  CHECK(ann.received() == "0");
  CHECK(r.cells().move_duration.sum_seconds() > 0);
  CHECK(r.cells().bytes_received.value() == 3);
  CHECK(r.cells().bytes_sent.value() == 3);
  CHECK(r.cells().datagrams.received.value() == 3);
  CHECK(r.cells().datagrams.sent.value() == 3);
  CHECK(r.cells().datagrams.sessions.value() == 1);
  CHECK(r.cells().connections_open.value() == 1);
}

TEST_CASE("datagram port: a result is repeated, and its echo releases the player") {
  manual_port r;
  udp_client ann;
  r.exchange(ann, "A");
  r.exchange(ann, "4");
  const auto client = r.recorded_client().client;
  CHECK(r.acceptor.guests == 1);
  r.deliver(started{});
  r.deliver(position_with("---------", std::nullopt, 0));
  ann.send(r.numbers[0], "E");
  r.until([&] { return r.recorded_client().submitted.size() == 2; });
  r.deliver(position_with("----X----", 0, 1));
  r.deliver(position_with("O---X----", 1, 0));
  CHECK(r.exchange(ann, "0", 2) == "0E");
  CHECK(r.acceptor.guests == 0);
  position over;
  over.cells = "---------";
  over.outcome = outcome{end_reason::left, 0, {}};
  r.deliver(std::make_shared<const position>(over));
  std::string received;
  r.until([&] { return (received += ann.received()).size() == 2; });
  CHECK(received == "CC");
  CHECK(r.cells().datagrams.resent.value() == 1);
  CHECK_FALSE(r.recorded_client().left);
  CHECK(r.exchange(ann, "C") == "Q");
  CHECK(r.recorded_client().left);
  CHECK(r.cells().connections_open.value() == 0);
  CHECK(r.cells().connections_closed[static_cast<std::size_t>(close_reason::client_left)].value() ==
        1);
  // Events for a released player are ignored.
  r.deliver(std::make_shared<const position>(over));
  client->close(close_reason::failed);
  r.turn();
  CHECK(ann.received() == "");
}

TEST_CASE("datagram port: long and empty datagrams are read and counted with their full length") {
  manual_port r;
  udp_client ann;
  ann.send(r.numbers[0], "");
  CHECK(r.exchange(ann, std::string(60'000, 'A')) == "A");
  CHECK(r.cells().bytes_received.value() == 60'000);
  CHECK(r.cells().datagrams.received.value() == 2);
  CHECK(r.cells().datagrams.ignored.value() == 1);
}

TEST_CASE("datagram port: many clients are answered in batches") {
  manual_port r;
  std::vector<std::unique_ptr<udp_client>> crowd;
  for (int i = 0; i < 300; ++i) crowd.push_back(std::make_unique<udp_client>());
  for (auto& each : crowd) each->send(r.numbers[0], "B");
  std::map<std::string, int> received;
  std::size_t answered = 0;
  r.until([&] {
    for (auto& each : crowd)
      if (const auto what = each->received(); !what.empty()) ++received[what], ++answered;
    return answered == crowd.size();
  });
  CHECK(received == std::map<std::string, int>{{"B", 300}});
}

TEST_CASE("datagram port: accepts a bounded number of players in one iteration") {
  manual_port r;
  std::vector<std::unique_ptr<udp_client>> crowd;
  for (int i = 0; i < 300; ++i) crowd.push_back(std::make_unique<udp_client>());
  for (auto& each : crowd) r.exchange(*each, "A");
  for (auto& each : crowd) each->send(r.numbers[0], "4");
  r.turn();
  // One batch more than the limit at most.
  const auto most =
      static_cast<std::size_t>(limits::datagram_players_per_turn_max) + datagram_socket::batch_max;
  CHECK(r.acceptor.clients.size() > 0);
  CHECK(r.acceptor.clients.size() < most);
  // While new players come, batches are as small as the limit.
  const auto first = r.acceptor.clients.size();
  r.turn();
  CHECK(r.acceptor.clients.size() - first < 2 * limits::datagram_players_per_turn_max);
  r.until([&] { return r.acceptor.clients.size() == crowd.size(); });
}

TEST_CASE("datagram port: serves IPv6, and IPv4 on a dual-stack socket") {
  manual_port six{1, "::1"};
  udp_client ann{"::1"};
  CHECK(six.exchange(ann, "A") == "A");
  manual_port both{1, "::"};
  udp_client bob{"127.0.0.1"}, eve{"::1"};
  CHECK(both.exchange(bob, "A") == "A");
  CHECK(both.exchange(eve, "B") == "B");
  CHECK(both.cells().datagrams.sessions.value() == 2);
}

TEST_CASE("datagram port: an address whose datagrams come to another loop keeps its game") {
  manual_port r{2};
  udp_client ann, bob;
  CHECK(r.exchange(ann, "A", 1, 0) == "A");
  CHECK(r.exchange(ann, "4", 1, 1) == "4");
  // The address does not start another game there.
  ann.send(r.numbers[1], "A");
  CHECK(r.exchange(ann, "Q", 1, 1) == "S");
  CHECK(r.exchange(ann, "S", 1, 1) == "Q");
  CHECK(r.exchange(bob, "A", 1, 1) == "A");
  CHECK(r.cells(0).datagrams.sessions.value() == 1);
  CHECK(r.cells(1).datagrams.sessions.value() == 1);
  CHECK(r.cells(1).datagrams.misrouted.value() == 4);
  CHECK(r.cells(0).datagrams.received.value() == 5);
  CHECK(r.cells(1).datagrams.received.value() == 1);
}

TEST_CASE("datagram port: while reading is paused, the kernel buffers datagrams") {
  manual_port r;
  auto& loop = *r.loops[0];
  udp_client ann;
  loop.turn(true);
  loop.turn(true);
  ann.send(r.numbers[0], "A");
  // What it waited for before it began to hold may still come; then it does not wait.
  loop.turn(true);
  ann.received();
  ann.send(r.numbers[0], "A");
  for (int i = 0; i < 10; ++i) loop.turn(true);
  CHECK(ann.received() == "");
  loop.turn(false);
  std::string received;
  loop.until([&] { return !(received += ann.received()).empty(); });
  CHECK(received == "A");
}

TEST_CASE("datagram port: a hub that accepts no player answers Q") {
  manual_port r;
  r.acceptor.takes = false;
  udp_client ann;
  CHECK(r.exchange(ann, "A") == "A");
  CHECK(r.exchange(ann, "4") == "4");
  CHECK(r.exchange(ann, "E") == "Q");
  CHECK(r.acceptor.guests == 0);
  CHECK(r.cells().connections_open.value() == 0);
  CHECK(r.cells().connections_closed[static_cast<std::size_t>(close_reason::draining)].value() ==
        1);
}

TEST_CASE("datagram port: drops what a player that is not accepted has sent in the same batch") {
  manual_port r;
  r.acceptor.takes = false;
  udp_client ann;
  CHECK(r.exchange(ann, "A") == "A");
  // One call reads both: a seek, and the leaving of its game.
  ann.send(r.numbers[0], "4");
  CHECK(r.exchange(ann, "Q", 2) == "4S");
  CHECK(r.acceptor.clients.empty());
  CHECK(r.acceptor.guests == 0);
  CHECK(r.cells().connections_open.value() == 0);
  CHECK(r.cells().connections_closed[static_cast<std::size_t>(close_reason::draining)].value() ==
        1);
}

TEST_CASE("datagram port: closes after its last player has acknowledged the end") {
  manual_port r;
  udp_client ann, bob;
  r.exchange(ann, "A");
  r.exchange(ann, "4");
  bool closed = false;
  r.ports[0]->stop([&] { closed = true; });
  // Newcomers come too late, and those from play play on.
  bob.send(r.numbers[0], "A");
  CHECK(r.exchange(ann, "Q") == "S");
  r.turn();
  CHECK(bob.received() == "");
  CHECK_FALSE(closed);
  r.recorded_client().client->close(close_reason::draining);
  SECTION("who says so") {
    CHECK(r.exchange(ann, "S") == "Q");
    r.until([&] { return closed; });
  }
  SECTION("who does not is waited for, but not for ever") {
    r.turn();
    CHECK_FALSE(closed);
    r.until([&] { return closed; });
  }
}

TEST_CASE("datagram port: closes immediately without players") {
  manual_port r;
  bool closed = false;
  r.ports[0]->stop([&] { closed = true; });
  r.turn();
  CHECK(closed);
}

TEST_CASE("datagram socket: a shared port is in use for another hub") {
  asio::io_context io;
  const auto here = asio::ip::make_address("127.0.0.1");
  datagram_socket first{io, {here, 0}, true};
  datagram_socket second{io, {here, first.port()}, false};
  CHECK(second.port() == first.port());
  CHECK_THROWS_WITH((datagram_socket{io, {here, first.port()}, true}), "Address already in use");
}

TEST_CASE("datagram socket: an unsendable datagram does not block the rest") {
  asio::io_context io;
  const auto here = asio::ip::make_address("127.0.0.1");
  datagram_socket one{io, {here, 0}, true}, other{io, {here, 0}, true};
  base::endpoint good, nowhere;
  good.address = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1};
  good.port = other.port();
  nowhere = good;
  nowhere.port = 0;
  const std::vector<datagram> all{{good, '1'}, {nowhere, '2'}, {good, '3'}};
  CHECK(one.send(all) == 2);
  const auto received = other.receive();
  REQUIRE(received.size() == 2);
  CHECK(received[0].bytes == "1");
  CHECK(received[1].bytes == "3");
  CHECK(received[0].from.port == one.port());
  CHECK(other.receive().empty());
  CHECK(other.overflowed() == 0);
}

}  // namespace gamehub::gateways::net
