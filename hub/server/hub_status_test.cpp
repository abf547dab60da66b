#include "hub/server/hub_status.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::server {
namespace {

constexpr auto by_rules = static_cast<std::size_t>(end_reason::rules);
constexpr auto first_won = static_cast<std::size_t>(metrics::result::first);

TEST_CASE("hub_status: sums the counts of all loops and engines") {
  metrics::cells a{2, 2}, b{2, 2};
  a.engines[0].games_started.add(7);
  a.engines[0].games_finished[first_won][by_rules].add(5);
  b.engines[1].games_started.add(3);
  b.engines[1].games_finished[first_won][by_rules].add(2);
  a.engines[1].players_waiting.add(1);
  b.loop.games_failed.add(1);
  a.wires[0].sessions_open.add(1);
  b.wires[0].sessions_open.add(1);
  a.wires[0].connections_open.add(2);
  b.wires[1].sessions_open.add(4);
  b.wires[1].connections_open.add(5);
  a.wires[0].moves[1].accepted.add(60);
  b.wires[1].moves[0].accepted.add(30);
  b.wires[1].moves[0].refused.add(3);
  a.bots.online.add(5);
  a.loop.busy_nanoseconds.set(3'661'000'000'000);
  b.loop.busy_nanoseconds.set(100);
  status_sources from;
  from.version = "1.2.3";
  from.wires = {"udp", "turns"};
  from.loops = {&a, &b};
  from.journal.file.emplace();
  from.journal.file->pending_records = 8;
  from.journal.file->file_bytes = 3145728;
  from.league.running = 2;
  from.league.waiting = 12;
  from.process.resident_bytes = 10485760;
  from.process.start_seconds = 1000;
  from.now_seconds = 1000 + 7322;
  from.unready = "draining";
  from.failing = {"loop 1 stands still"};
  CHECK(
      admin::json_of(status_of(from)) ==
      R"({"version":"1.2.3","up_seconds":7322.0,"ready":false,"why":"draining",)"
      R"("failing":["loop 1 stands still"],"games":{"running":3,"ended":7,"failed":1},)"
      R"("players":{"here":6,"waiting":1},"moves":{"accepted":90,"refused":3},)"
      R"("bots":{"online":5,"games_running":2,"games_waiting":12,"ok":true},)"
      R"("journal":{"ok":true,"pending_records":8,"file_bytes":3145728},)"
      R"("loops":{"count":2,"busiest":0.5,"each":[)"
      R"({"busy_seconds":3661.0,"players":1,"connections":2},)"
      R"({"busy_seconds":1e-07,"players":5,"connections":5}]},"resident_memory_bytes":10485760,)"
      R"("plugins":[],"wires":{"turns":{"players":4,"connections":5},"udp":{"players":2,"connections":2}}})"
      "\n");
}

TEST_CASE("hub_status: names the clients of each protocol that has any") {
  admin::hub_status s;
  s.wires = {{"http", 0, 3}, {"opcodes", 0, 0}, {"turns", 1, 1}};
  CHECK(clients_by_wire(s) == "http: 0 players, 3 connections; turns: 1 player, 1 connection");
  s.wires.resize(0);
  CHECK(clients_by_wire(s).empty());
}

TEST_CASE("hub_status: a clock that was set back, and a journal in memory that fails") {
  status_sources from;
  from.process.start_seconds = 1000;
  from.now_seconds = 5;
  from.journal.ok = false;
  from.league.ok = false;
  const auto s = status_of(from);
  CHECK(s.ready);
  CHECK(s.up_seconds == 0);
  CHECK(s.busiest == 0);
  CHECK_FALSE(s.journal_ok);
  CHECK_FALSE(s.league_ok);
  CHECK(s.journal_file_bytes == 0);
}

TEST_CASE("hub_status: shows the links between this hub and each member") {
  status_sources from;
  from.self = cluster::member_id{1};
  for (const auto* link : {"10.0.0.1:9465", "10.0.0.2:9465", "10.0.0.3:9465", ""}) {
    auto& at = from.cluster.emplace_back();
    at.row.id = cluster::member_id{from.cluster.size()};
    at.row.link = link;
  }
  link::net::link_status up, half;
  up.id = cluster::member_id{2};
  up.up_out = up.up_in = true;
  half.id = cluster::member_id{3};
  half.up_in = true;
  half.why = "unreachable";
  from.links = {up, half};
  const auto s = status_of(from);
  REQUIRE(s.cluster.size() == 4);
  CHECK(s.cluster[0].link == "10.0.0.1:9465");
  CHECK((s.cluster[1].link_out && s.cluster[1].link_in));
  CHECK(s.cluster[2].link == "10.0.0.3:9465");
  CHECK_FALSE(s.cluster[2].link_out);
  CHECK(s.cluster[2].link_in);
  CHECK(s.cluster[2].link_why == "unreachable");
  CHECK(s.cluster[3].link.empty());
}

}  // namespace
}  // namespace gamehub::server
