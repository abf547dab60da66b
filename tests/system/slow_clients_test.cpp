// Clients that do not read: they fill their own buffers, and at last have to go.
#include "tests/support/catch.hpp"
#include "tests/system/whole_game.hpp"

#include <string>

namespace gamehub::tests::system {
namespace {

using std::chrono::milliseconds;

constexpr double megabyte = 1024 * 1024;
constexpr tcp_options narrow{nullptr, 4096, 536};

TEST_CASE("slow clients: one that asks and never reads is not read from, and costs little") {
  hub at;
  turns_client rude{at.turns(), narrow};
  rude.connect("rude");
  at.await_waiting("tictactoe", 1);
  opcodes_client other{at.opcodes()};
  other.ask();
  REQUIRE(other.next() == "ACK O");
  const auto before = at.count("gamehub_process_resident_memory_bytes");
  const auto line = turns_client::message(0, std::string(60'000, 'x')) + "\n";
  constexpr int lines = 1'000;
  int sent = 0;
  while (sent < lines && rude.socket().stuff(line, milliseconds{200 * slowness}) == line.size())
    ++sent;
  CHECK(sent < lines);
  check_others_play(at);
  if (!sanitized) CHECK(at.count("gamehub_process_resident_memory_bytes") - before < 16 * megabyte);
  // The number of long answers may have dropped it already.
  rude.socket().abort();
  REQUIRE(other.next() == "STATE --------- O");
}

TEST_CASE("slow clients: opcodes moves without reading are held up, and all answered at last") {
  hub at;
  opcodes_client rude{at.opcodes(), 9, narrow};
  constexpr std::size_t moves = 100'000;
  std::string all;
  for (std::size_t i = 0; i < moves; ++i) all += opcodes_client::move_packet(0);
  const auto sent = rude.socket().stuff(all, milliseconds{200 * slowness});
  at.await_count("gamehub_connections", {}, 1);
  check_others_play(at);
  rude.socket().send(std::string_view{all}.substr(sent));
  for (std::size_t i = 0; i < moves; ++i)
    if (const auto said = rude.next(); said != "ERROR 2") FAIL("move " << i << " got " << said);
  at.await_count("gamehub_refusals_total", {{"reason", "not-in-game"}}, moves);
}

TEST_CASE("slow clients: one that does not read what others cause is dropped") {
  hub at;
  turns_client victim{at.turns(), narrow};
  victim.connect("victim", "connect-four", 1'000);
  at.await_waiting("connect-four", 1);
  const auto dropped = [&] {
    return at.count("gamehub_connections_closed_total",
                    {{"gateway", "turns"}, {"reason", "slow-reader"}}) == 1;
  };
  // Each opponent comes and goes: the victim is told of a game's beginning and end.
  constexpr int opponents = 5'000;
  int came = 0;
  for (; came < opponents; ++came) {
    turns_client opponent{at.turns()};
    opponent.connect(nullptr, "connect-four");
    REQUIRE(opponent.next().starts_with("name "));
    at.await("pairs or drops one", [&] { return opponent.socket().has_more() || dropped(); });
    if (!opponent.socket().has_more()) break;
    REQUIRE(opponent.next() == "start 0");
  }
  REQUIRE(came < opponents);
  REQUIRE(dropped());
  check_others_play(at);
  // Everything that it was sent in time is whole; then comes the end of the connection.
  REQUIRE(victim.next() == "name victim");
  for (auto said = victim.next(); victim.line()["type"] != "name"; said = victim.next()) {
    if (victim.socket().ended()) break;
    CAPTURE(said);
    REQUIRE((said.starts_with("start ") || said.starts_with("close ") ||
             said.find(" state ") != said.npos || said.ends_with(" turn")));
  }
  CHECK(victim.socket().ended());
}

}  // namespace
}  // namespace gamehub::tests::system
