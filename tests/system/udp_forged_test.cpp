// A flood of UDP datagrams whose senders receive nothing, against the real program: its games take
// no place of other players, and no address gets more datagrams than came from it.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/udp_crowd.hpp"
#include "tests/system/whole_game.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <deque>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace gamehub::tests::system {
namespace {

using namespace std::chrono_literals;

// Sends from an address of the loopback network, and never reads.
class blind_sender {
 public:
  blind_sender(std::uint32_t number, std::uint16_t port)
      : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in own{}, hub{};
    own.sin_family = hub.sin_family = AF_INET;
    own.sin_addr.s_addr = htonl(0x7F0A0000 + number);  // 127.10.0.0
    hub.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    hub.sin_port = htons(port);
    if (socket_ < 0 || bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0 ||
        connect(socket_, reinterpret_cast<const sockaddr*>(&hub), sizeof hub) != 0)
      throw std::system_error{errno, std::generic_category(), "a UDP socket"};
  }
  ~blind_sender() { close(socket_); }
  blind_sender(const blind_sender&) = delete;
  blind_sender& operator=(const blind_sender&) = delete;

  void send(std::string_view bytes) {
    for (const char byte : bytes) REQUIRE(::send(socket_, &byte, 1, MSG_NOSIGNAL) == 1);
  }

 private:
  int socket_;
};

// Senders one after the other; the latest ones stay bound.
class flood {
 public:
  explicit flood(hub& at) : hub_(at) {}

  // Sends these bytes from as many new senders, no faster than the hub reads.
  void add(int senders, std::string_view bytes) {
    constexpr int at_once = 50;
    for (int i = 1; i <= senders; ++i) {
      if (senders_.size() == bound_max) senders_.pop_front();
      senders_.emplace_back(number_++, hub_.udp()).send(bytes);
      sent_ += bytes.size();
      if (i % at_once == 0 || i == senders) await_read();
    }
  }

 private:
  static constexpr std::size_t bound_max = 200;

  void await_read() {
    hub_.await("reads the datagrams", [this] {
      const auto now = hub_.metrics();
      return now.sum("gamehub_datagrams_received_total") +
                 now.sum("gamehub_datagrams_overflowed_total") >=
             static_cast<double>(sent_);
    });
  }

  hub& hub_;
  std::deque<blind_sender> senders_;
  std::uint32_t number_ = 1;
  std::size_t sent_ = 0;
};

// The middle of the times until an opcodes client is answered.
std::chrono::nanoseconds answer_time(opcodes_client& client) {
  std::vector<std::chrono::nanoseconds> times;
  for (int i = 0; i < 21; ++i) {
    const auto sent = std::chrono::steady_clock::now();
    client.move(0);
    REQUIRE(client.next() == "ERROR 2");
    times.push_back(std::chrono::steady_clock::now() - sent);
  }
  std::nth_element(times.begin(), times.begin() + 10, times.end());
  return times[10];
}

}  // namespace

TEST_CASE(
    "udp forged: while 44,000 datagrams of senders who receive nothing stand, all others play") {
  constexpr int connections = 200;
  // A quarter of the connections for UDP, and three quarters of these for senders that may be
  // forged.
  constexpr double players = 50, guests = 38;
  hub at{{"--connections-max", std::to_string(connections), "--games-max", "400",
          "--udp-guest-rate", "0"}};
  flood forged{at};
  const int senders = sanitized ? 1'100 : 11'000;
  // The corner, and the engine's only answer to it; then a move that is only echoed, and
  // resignations.
  forged.add(senders * 8 / 10, "A0E4");
  forged.add(senders / 10, "BE40");
  forged.add(senders / 10, "A4QQ");
  forged.add(100, "A0E4");
  const auto check_bounds = [&] {
    const auto now = at.metrics();
    CHECK(now.sum("gamehub_connections", {{"gateway", "udp"}}) <= players);
    CHECK(now.sum("gamehub_games_running") <= guests);
    CHECK(now.sum("gamehub_udp_addresses_guests") <= guests);
    CHECK(now.sum("gamehub_udp_addresses_guests") > 0);
    CHECK(now.sum("gamehub_udp_addresses_evicted_total") > senders / 2);
    CHECK(now.sum("gamehub_datagrams_said_total") <= now.sum("gamehub_datagrams_received_total"));
    CHECK(now.sum("gamehub_datagrams_repeated_total") == 0);
  };
  check_bounds();

  {
    std::deque<opcodes_client> crowd;
    for (int i = 0; i < connections; ++i) {
      crowd.emplace_back(at.opcodes()).move(0);
      REQUIRE(crowd.back().next() == "ERROR 2");
    }
    CHECK(answer_time(crowd.back()) < 50ms * slowness);
    opcodes_client one_more{at.opcodes()};
    // It is refused, or one of those makes room that have had their time to ask for a game.
    at.await("has no place for it", [&] {
      const auto now = at.metrics();
      return now.sum("gamehub_connections_closed_total",
                     {{"gateway", "opcodes"}, {"reason", "hub-full"}}) +
                 now.sum("gamehub_sessions_evicted_total", {{"gateway", "opcodes"}}) >=
             1;
    });
    check_bounds();
  }
  at.await_count("gamehub_connections", {{"gateway", "opcodes"}}, 0);
  play_whole_game(at, wire::opcodes, wire::turns, scripts().front());
  api_player web{at.http(), "web"};
  CHECK(web.play("&opponent=engine")["opponent_name"].is_string());
  CHECK(web.post("/api/quit").status == 200);
  // No more than one socket keeps of the guests that echoed nothing, which are a third of its 19:
  // each new guest removes the oldest of them.
  constexpr int at_once = 4;
  udp_crowd innocents;
  for (int i = 0; i < at_once; ++i) {
    udp_habits habits;
    habits.hub_first = i % 2 == 0;
    innocents.add(at.udp(), "innocent " + std::to_string(i), habits);
  }
  CHECK(innocents.play(patience) == 0);
  for (const auto& each : innocents.members()) CHECK(each.client.result() != '\0');
  // The guests would stay for some time: of their senders some are gone, and none reads.
  at.process().signal(SIGTERM);
  CHECK(at.wait() == 0);
}

TEST_CASE("udp forged: players over UDP have the places that udp-connections-max gives them") {
  hub at{{"--udp-connections-max", "2", "--loops", "1"}};
  const auto begin = [&](udp_socket& who) {
    REQUIRE(who.ask('A', 'A'));
    REQUIRE(who.ask('4', '4'));
  };
  udp_socket ann{at.udp()}, bob{at.udp()}, eve{at.udp()};
  begin(ann);
  begin(bob);
  at.await_count("gamehub_connections", {{"gateway", "udp"}}, 2);
  // A guest makes room for the next.
  begin(eve);
  at.await_count("gamehub_udp_addresses_evicted_total", {}, 1);
  CHECK(at.count("gamehub_connections", {{"gateway", "udp"}}) <= 2);
  for (auto* each : {&bob, &eve}) {
    REQUIRE(each->ask('Q', 'S'));
    REQUIRE(each->ask('S', 'Q'));
  }
}

TEST_CASE(
    "udp forged: a flood begins no more games than its rate, and a client that repeats plays") {
  hub at{{"--udp-guest-rate", "5", "--loops", "1"}};
  flood forged{at};
  forged.add(500, "A4");
  const auto now = at.metrics();
  const auto dropped = now.sum("gamehub_datagrams_throttled_total");
  CHECK(dropped > 0);
  at.await_count("gamehub_games_started_total", {}, 500 - dropped);
  CHECK(now.sum("gamehub_datagrams_ignored_total") == dropped);
  CHECK(now.sum("gamehub_datagrams_refused_total") == 0);
  udp_crowd innocents;
  innocents.add(at.udp(), "innocent", {});
  CHECK(innocents.play(patience) == 0);
  CHECK(innocents.members().front().client.result() != '\0');
  // The guests would stay for half a minute.
  at.process().signal(SIGTERM);
  CHECK(at.wait() == 0);
}

}  // namespace gamehub::tests::system
