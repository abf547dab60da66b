// Very many connections, and the limits of how many there may be.
#include "tests/support/catch.hpp"
#include "tests/system/whole_game.hpp"

#include <algorithm>
#include <sys/resource.h>
#include <vector>

namespace gamehub::tests::system {
namespace {

// As many of the wanted connections as this process may have.
int connections_possible(int wanted) {
  rlimit most{};
  getrlimit(RLIMIT_NOFILE, &most);
  most.rlim_cur = most.rlim_max;
  setrlimit(RLIMIT_NOFILE, &most);
  constexpr rlim_t kept_for_others = 200;
  const auto possible = static_cast<int>(std::min<rlim_t>(
      static_cast<rlim_t>(wanted), most.rlim_cur - std::min(most.rlim_cur, kept_for_others)));
  if (possible < wanted) WARN("this process may open " << possible << " connections only");
  return possible;
}

std::vector<tcp_client> silent_crowd(hub& at, int size) {
  std::vector<tcp_client> out;
  out.reserve(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) out.emplace_back(i % 2 == 0 ? at.turns() : at.opcodes());
  return out;
}

TEST_CASE(
    "crowd: beside 9,000 connections that say nothing others play, and few bytes go to each") {
  const int size = connections_possible(sanitized ? 1'000 : 9'000);
  hub at{{"--handshake-seconds", "0"}};
  check_others_play(at);
  at.await_count("gamehub_connections", {}, 0);
  const auto before = at.count("gamehub_process_resident_memory_bytes");
  const auto crowd = silent_crowd(at, size);
  at.await_count("gamehub_connections", {}, size);
  for (const auto w : wires) play_whole_game(at, w, wire::turns, scripts().back());
  if (!sanitized) CHECK(at.count("gamehub_process_resident_memory_bytes") - before < 50 * megabyte);
}

TEST_CASE("crowd: connections that say nothing have to go when the time of a handshake is over") {
  const int size = connections_possible(sanitized ? 500 : 9'000);
  hub at{{"--handshake-seconds", "1"}};
  auto crowd = silent_crowd(at, size);
  for (std::size_t i = 0; i < crowd.size(); ++i) {
    const auto last_words = crowd[i].rest();
    if (!crowd[i].ended()) FAIL("connection " << i << " is still open");
    if (i % 2 == 1 && last_words.substr(0, 4) != std::string{"\0\5\0\2", 4})
      FAIL("connection " << i << " was sent away with " << last_words.size() << " bytes");
    crowd[i].close();
  }
  at.await_count("gamehub_connections_closed_total", {{"reason", "handshake-timeout"}}, size);
  check_others_play(at);
}

TEST_CASE("crowd: connections over the limit of the hub are told so and closed") {
  hub at{{"--connections-max", "2"}};
  opcodes_client first{at.opcodes()};
  turns_client second{at.turns()};
  first.move(0);
  REQUIRE(first.next() == "ERROR 2");
  second.connect("second");
  REQUIRE(second.next() == "name second");
  {
    opcodes_client third{at.opcodes()};
    CHECK(third.next() == "ERROR 7");
    CHECK(third.next() == "end");
    turns_client fourth{at.turns()};
    CHECK(fourth.next() == "end");
  }
  at.await_count("gamehub_connections_closed_total", {{"reason", "hub-full"}}, 2);
  first.socket().close();
  second.socket().close();
  at.await_count("gamehub_sessions", {}, 0);
  check_others_play(at);
}

TEST_CASE("crowd: games over the limit of the hub are refused") {
  hub at{{"--games-max", "1"}};
  const auto game = open_game(at, wire::opcodes, wire::turns);
  opcodes_client third{at.opcodes()};
  third.ask();
  CHECK(third.next() == "ERROR 7");
  at.await_count("gamehub_refusals_total", {{"gateway", "opcodes"}, {"reason", "hub-full"}}, 1);
  game.x->socket().close();
  game.o->wins_alone(game.board, 'O');
  game.o->socket().close();
  at.await_count("gamehub_sessions", {}, 1);
  third.ask();
  CHECK(third.next() == "ACK X");
}

TEST_CASE("crowd: one address has its limit, loopback only if asked for, others have their own") {
  hub at{{"--connections-per-address-max", "2", "--limit-loopback"}};
  {
    opcodes_client first{at.opcodes()};
    first.move(0);
    REQUIRE(first.next() == "ERROR 2");
    turns_client second{at.turns()};
    second.connect("second", "connect-four");
    REQUIRE(second.next() == "name second");
    opcodes_client third{at.opcodes()};
    CHECK(third.next() == "ERROR 9");
    CHECK(third.next() == "end");
    // Each is told why (H2f).
    turns_client fourth{at.turns()};
    CHECK(fourth.next() == "end");
    CHECK(fourth.closed_because() == "address-limit");
    opcodes_client elsewhere{at.opcodes(), 9, {"127.0.0.2"}};
    elsewhere.ask();
    CHECK(elsewhere.next() == "ACK X");
    at.await_count("gamehub_connections_closed_total", {{"reason", "address-limit"}}, 2);
  }
  at.await_count("gamehub_sessions", {}, 0);
  check_others_play(at);

  hub open{{"--connections-per-address-max", "2"}};
  const auto crowd = silent_crowd(open, 10);
  open.await_count("gamehub_connections", {}, 10);
  check_others_play(open);
}

}  // namespace
}  // namespace gamehub::tests::system
