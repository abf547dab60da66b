#include "hub/app/operate/status.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::app {
namespace {

constexpr auto* told =
    "gamehub_build_info{version=\"1.2.3\",compiler=\"gcc\",caf_version=\"0.18.7\"} 1\n"
    "gamehub_process_start_time_seconds 1000\n"
    "gamehub_process_resident_memory_bytes 10485760\n"
    "gamehub_games_running{engine=\"nim\"} 2\n"
    "gamehub_games_running{engine=\"othello\"} 1\n"
    "gamehub_games_finished_total{engine=\"nim\",result=\"first\",reason=\"rules\"} 7\n"
    "gamehub_games_failed_total 1\n"
    "gamehub_sessions{gateway=\"turns\"} 4\n"
    "gamehub_sessions{gateway=\"udp\"} 2\n"
    "gamehub_connections{gateway=\"turns\"} 5\n"
    "gamehub_connections{gateway=\"udp\"} 2\n"
    "gamehub_players_waiting{engine=\"nim\"} 1\n"
    "gamehub_moves_total{engine=\"nim\",gateway=\"turns\",outcome=\"accepted\"} 90\n"
    "gamehub_moves_total{engine=\"nim\",gateway=\"turns\",outcome=\"refused\"} 3\n"
    "gamehub_bots_online 5\n"
    "gamehub_arena_games{state=\"running\"} 2\n"
    "gamehub_arena_games{state=\"waiting\"} 12\n"
    "gamehub_arena_ok 1\n"
    "gamehub_journal_ok 1\n"
    "gamehub_journal_pending_records 8\n"
    "gamehub_journal_file_bytes 3145728\n"
    "gamehub_loop_turns_total{loop=\"0\"} 9\n"
    "gamehub_loop_turns_total{loop=\"1\"} 9\n"
    "gamehub_loop_busy_seconds_total{loop=\"0\"} 3661\n"
    "gamehub_loop_busy_seconds_total{loop=\"1\"} 100\n";

TEST_CASE("status: is a page for people") {
  CHECK(text_of({true, "", {}, samples{told}, 1000 + 7322}) ==
        "gamehub 1.2.3, up 2 h 2 min: ready\n"
        "games     3 running, 7 ended, 1 of them by a fault\n"
        "players   6 here, 1 waiting for an opponent\n"
        "moves     90 made, 3 refused\n"
        "bots      5 online, 2 of their games running, 12 waiting\n"
        "journal   ok, 8 records pending, 3 MiB\n"
        "loops     2, the busiest for 50 % of the time\n"
        "memory    10 MiB\n"
        "turns     4 players, 5 connections\n"
        "udp       2 players, 2 connections\n");
}

TEST_CASE("status: says why a hub takes nobody, and what stands still") {
  CHECK(text_of({false, "draining", {}, samples{told}, 1005})
            .starts_with("gamehub 1.2.3, up 5 s: not ready (draining)\ngames"));
  CHECK(text_of({true, "", {"loop 0 stands still"}, samples{told}, 1000 + 200'000})
            .starts_with("gamehub 1.2.3, up 2 d 7 h: not well\nloop      loop 0 stands still\n"));
}

TEST_CASE("status: knows a journal in memory, files that fail, and a clock that goes wrong") {
  const auto text =
      text_of({true, "", {}, samples{"gamehub_journal_ok 0\ngamehub_arena_ok 0\n"}, 0});
  CHECK(text.starts_with("gamehub of unknown version, up 0 s: ready\n"));
  CHECK(text.find("journal   FAILS, in memory\n") != text.npos);
  CHECK(text.find("0 waiting; their file FAILS\n") != text.npos);
  CHECK(text_of({true, "", {}, samples{told}, 5}).find("up 0 s") != text.npos);
}

TEST_CASE("status: is JSON for programs") {
  CHECK(json_of({false, "draining", {"loop 1 stands still"}, samples{told}, 1000 + 7322}) ==
        R"({"version":"1.2.3","up_seconds":7322.0,"ready":false,"why":"draining",)"
        R"("failing":["loop 1 stands still"],"games":{"running":3,"ended":7,"failed":1},)"
        R"("players":{"here":6,"waiting":1},"moves":{"accepted":90,"refused":3},)"
        R"("bots":{"online":5,"games_running":2,"games_waiting":12,"ok":true},)"
        R"("journal":{"ok":true,"pending_records":8,"file_bytes":3145728},)"
        R"("loops":{"count":2,"busiest":0.5},"resident_memory_bytes":10485760,)"
        R"("wires":{"turns":{"players":4,"connections":5},"udp":{"players":2,"connections":2}}})"
        "\n");
}

}  // namespace
}  // namespace gamehub::app
