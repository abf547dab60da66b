#include "tools/bench/report.hpp"

#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

namespace gamehub::tools::bench {
namespace {

figures sample() {
  figures f;
  f.wire = "opcodes";
  f.where = "127.0.0.1 port 8890";
  f.games = 64;
  f.connections = 128;
  f.seconds = 10;
  f.games_running = 64;
  f.games_played = 123'456;
  f.moves = 800'000;
  f.moves_timed = 400'000;
  f.p50_us = 512.4;
  f.server = {4711, 8.0, 10'240, 10'880, 20, 148};
  return f;
}

bool has(const std::string& text, std::string_view what) {
  INFO(text);
  const auto found = text.find(what) != text.npos;
  CHECK(found);
  return found;
}

TEST_CASE("report: the text has games, throughput and cost") {
  const auto t = text(sample());
  has(t, "opcodes on 127.0.0.1 port 8890: 64 concurrent games over 128 connections, for 10.0 s");
  has(t, "games/s       12,346");
  has(t, "moves/s       80,000");
  has(t, "p50 512 us");
  has(t, "of 50 % of the moves");
  has(t, "10.00 us per move, 0.800 of a core");
  has(t, "errors        0");
  CHECK(t.find("starts") == t.npos);
}

TEST_CASE("report: how long games took to start is in the text and in JSON") {
  auto f = sample();
  f.starts = {140, 210.5, 3'300, 4'000};
  has(text(f), "starts        p50 210 us, p99 3,300 us, max 4,000 us");
  const auto j = nlohmann::json::parse(json(f));
  CHECK(j["start_us"]["p99"] == 3'300);
  CHECK(j["start_us"]["starts"] == 140);
}

TEST_CASE("report: a server that can't be looked at has no CPU, and divides nothing by nothing") {
  auto f = sample();
  f.server.reset();
  CHECK_FALSE(f.server_us_per_move());
  has(text(f), "not on this machine");
  CHECK_FALSE(nlohmann::json::parse(json(f)).contains("server"));
  f = figures{};
  f.server.emplace();
  CHECK_FALSE(f.server_us_per_move());
  CHECK_FALSE(f.kib_per_game());
  has(text(f), "games/s       0");
}

TEST_CASE("report: idle games are reported by their memory") {
  auto f = sample();
  f.idle = true;
  CHECK(f.kib_per_game() == 10.0);
  has(text(f), "10.00 KiB per game");
}

TEST_CASE("report: a busy load is reported as the limit") {
  auto f = sample();
  f.load_cpu_seconds = 9.8;
  has(text(f), "the load is the limit");
}

TEST_CASE("report: errors and counts that do not add up fail a run and are reported") {
  auto f = sample();
  CHECK(f.passed());
  f.counters = server_counters{10, 8, 1};
  CHECK_FALSE(f.passed());
  has(text(f), "10 started, 8 finished, 1 running: the counts do not add up");
  f.counters.reset();
  f.errors = 3;
  f.errors_by_text["the hub closed a connection"] = 3;
  CHECK_FALSE(f.passed());
  has(text(f), "3x the hub closed a connection");
}

TEST_CASE("report: the JSON has the same figures, also with words that are no UTF-8") {
  auto f = sample();
  f.errors_by_text["\xff"] = 1;
  const auto j = nlohmann::json::parse(json(f));
  CHECK(j["games_per_second"] == 12'345.6);
  CHECK(j["server"]["cpu_us_per_move"] == 10.0);
  CHECK(j["latency_us"]["p50"] == 512.4);
  CHECK(j["latency_us"]["moves_timed"] == 400'000);
  CHECK(json(f).find('\n') == json(f).size() - 1);
}

TEST_CASE("report: idle games that the hub has ended fail the run") {
  auto f = sample();
  f.errors = 0;
  f.idle = true;
  f.games_running = 64;
  f.counters = server_counters{64, 64, 0};
  f.running_at_hub = 63;
  CHECK_FALSE(f.passed());
  has(text(f), "63 games ran while they were measured: the hub has ended some");
  CHECK(nlohmann::json::parse(json(f))["hub"]["running_measured"] == 63);
  f.running_at_hub = 64;
  CHECK(f.passed());
  f.running_at_hub = 63;
  f.idle = false;
  CHECK(f.passed());
}

TEST_CASE("report: over UDP it is datagrams that cost") {
  auto f = sample();
  f.wire = "udp";
  f.connections = 1;
  f.moves_timed = 3'200'000;
  f.datagrams = {3'200'000, 3'200'000, 5};
  f.opening_most_us = 12'340;
  CHECK(text(f).find(" s, the slowest answer took 12.3 ms\n") != std::string::npos);
  CHECK(f.server_us_per_datagram() == 2.5);
  const auto t = text(f);
  has(t, "64 concurrent games over 1 sockets, for 10.0 s");
  has(t, "320,000 answers, 5 repeated");
  has(t, "2.50 us per datagram");
  has(t, "(of answers)");
  const auto j = nlohmann::json::parse(json(f));
  CHECK(j["datagrams"]["repeated"] == 5);
  CHECK(j["opening_most_us"] == 12'340);
  CHECK(j["server"]["cpu_us_per_datagram"] == 2.5);
  f.datagrams->received = 0;
  CHECK_FALSE(f.server_us_per_datagram());
  CHECK_FALSE(nlohmann::json::parse(json(sample())).contains("datagrams"));
}

TEST_CASE("report: over HTTP it is requests that cost, and streams that are remembered") {
  auto f = sample();
  f.wire = "http";
  f.streams = 128;
  f.requests = 1'000'000;
  CHECK(f.server_us_per_request() == 8.0);
  const auto t = text(f);
  has(t, "over 128 connections and 128 streams, for 10.0 s");
  has(t, "requests/s    100,000");
  has(t, "8.00 us per request");
  const auto j = nlohmann::json::parse(json(f));
  CHECK(j["requests"] == 1'000'000);
  CHECK(j["streams"] == 128);
  CHECK(j["server"]["cpu_us_per_request"] == 8.0);
  f.idle = true;
  CHECK(f.kib_per_stream() == 5.0);
  has(text(f), "5.00 KiB per stream with its player");
  CHECK_FALSE(nlohmann::json::parse(json(sample())).contains("requests"));
}

}  // namespace
}  // namespace gamehub::tools::bench
