// Clients that do not read: they fill their own buffers, and at last have to go.
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/whole_game.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using std::chrono::milliseconds;

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

TEST_CASE("slow clients: opcodes moves without reading are held up, and slowed down at last") {
  hub at;
  opcodes_client rude{at.opcodes(), 9, narrow};
  constexpr std::size_t moves = 100'000;
  std::string all;
  for (std::size_t i = 0; i < moves; ++i) all += opcodes_client::move_packet(0);
  const auto sent = rude.socket().stuff(all, milliseconds{200 * slowness});
  at.await_count("gamehub_connections", {}, 1);
  check_others_play(at);
  CHECK(sent <= moves * opcodes_client::move_packet(0).size());
  for (int i = 0; i < limits::refusals_in_row_max; ++i)
    if (const auto said = rude.next(); said != "ERROR 2") FAIL("move " << i << " got " << said);
  at.await_count("gamehub_connections_slowed_total", {{"gateway", "opcodes"}}, 1);
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

TEST_CASE("slow clients: pipelined HTTP answers that are not read cost 300 KiB a connection") {
  constexpr int requests = 400, clients = 10;
  constexpr double held_max = 300 * 1024;
  // On one loop: the games below are played after all requests that were read are processed.
  hub at{{"--loops", "1"}};
  const std::string request = "GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const auto sent = [&] { return at.count("gamehub_sent_bytes_total", {{"gateway", "http"}}); };
  const auto answered = [&] {
    return at.count("gamehub_requests_total", {{"gateway", "http"}, {"route", "openapi"}});
  };
  const auto received = [&] {
    return at.count("gamehub_received_bytes_total", {{"gateway", "http"}});
  };
  std::string document;
  double answer_bytes = 0;
  {
    api_client asker{at.http()};
    document = asker.get("/api/openapi.json").body;
    answer_bytes = static_cast<double>(asker.everything().size());
  }
  REQUIRE(document.size() > 40'000);
  const auto memory = at.count("gamehub_process_resident_memory_bytes");
  const auto sent_before = sent(), answered_before = answered(), received_before = received();
  std::string all;
  for (int i = 0; i < requests; ++i) all += request;
  std::vector<std::unique_ptr<api_client>> rude;
  for (int i = 0; i < clients; ++i) {
    rude.push_back(std::make_unique<api_client>(at.http(), narrow));
    REQUIRE(rude.back()->socket().stuff(all, patience) == all.size());
  }
  at.await("reads from all", [&] { return received() - received_before >= 512.0 * clients; });
  check_others_play(at);
  const auto held = (answered() - answered_before) * answer_bytes - (sent() - sent_before);
  CHECK(held < held_max * clients);
  if (!sanitized)
    CHECK(at.count("gamehub_process_resident_memory_bytes") - memory <
          held_max * clients + megabyte);
  // None was dropped, and a client that reads at last gets everything.
  CHECK(at.count("gamehub_connections_closed_total",
                 {{"gateway", "http"}, {"reason", "slow-reader"}}) == 0);
  for (int i = 0; i < requests; ++i) {
    const auto got = rude.front()->answer();
    REQUIRE(got);
    REQUIRE(got->body == document);
  }
  for (auto& each : rude) each->socket().abort();
}

}  // namespace
}  // namespace gamehub::tests::system
