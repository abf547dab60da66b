#include "hub/admin/status.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::admin {
namespace {

hub_status example() {
  hub_status s;
  s.version = "1.2.3";
  s.up_seconds = 7322;
  s.ready = true;
  s.games_running = 3;
  s.games_ended = 7;
  s.games_failed = 1;
  s.players_here = 6;
  s.players_waiting = 1;
  s.moves_accepted = 90;
  s.moves_refused = 3;
  s.bots_online = 5;
  s.bot_games_running = 2;
  s.bot_games_waiting = 12;
  s.league_ok = true;
  s.journal_ok = true;
  s.journal_pending_records = 8;
  s.journal_file_bytes = 3145728;
  s.loops = 2;
  s.busiest = 0.5;
  s.resident_memory_bytes = 10485760;
  s.wires = {{"turns", 4, 5}, {"udp", 2, 2}};
  s.each_loop = {{3661.5, 4, 5}, {12.25, 2, 2}};
  s.plugins = {{"/p/hex.so", "hex", "1.0.0", ""}, {"/p/x.so", "", "", "it is empty"}};
  return s;
}

constexpr auto* example_json =
    R"({"version":"1.2.3","up_seconds":7322.0,"ready":false,"why":"draining",)"
    R"("failing":["loop 1 stands still"],"games":{"running":3,"ended":7,"failed":1},)"
    R"("players":{"here":6,"waiting":1},"moves":{"accepted":90,"refused":3},)"
    R"("bots":{"online":5,"games_running":2,"games_waiting":12,"ok":true},)"
    R"("journal":{"ok":true,"pending_records":8,"file_bytes":3145728},)"
    R"("loops":{"count":2,"busiest":0.5,"each":[)"
    R"({"busy_seconds":3661.5,"players":4,"connections":5},)"
    R"({"busy_seconds":12.25,"players":2,"connections":2}]},"resident_memory_bytes":10485760,)"
    R"("plugins":[{"file":"/p/hex.so","state":"loaded","engine":"hex","version":"1.0.0"},)"
    R"({"file":"/p/x.so","state":"refused","why":"it is empty"}],)"
    R"("wires":{"turns":{"players":4,"connections":5},"udp":{"players":2,"connections":2}}})"
    "\n";

TEST_CASE("status: is a page for people") {
  CHECK(text_of(example()) ==
        "gamehub 1.2.3, up 2 h 2 min: ready\n"
        "games     3 running, 7 ended, 1 of them by a fault\n"
        "players   6 here, 1 waiting for an opponent\n"
        "moves     90 made, 3 refused\n"
        "bots      5 online, 2 of their games running, 12 waiting\n"
        "journal   ok, 8 records pending, 3 MiB\n"
        "loops     2, the busiest for 50 % of the time\n"
        "memory    10 MiB\n"
        "plugins   1 loaded, 1 refused\n"
        "refused   /p/x.so: it is empty\n"
        "turns     4 players, 5 connections\n"
        "udp       2 players, 2 connections\n");
}

TEST_CASE("status: names the reason of a hub that takes no players, and each stuck loop") {
  auto draining = example();
  draining.ready = false;
  draining.why = "draining";
  draining.up_seconds = 5;
  CHECK(text_of(draining).starts_with("gamehub 1.2.3, up 5 s: not ready (draining)\ngames"));
  auto stuck = example();
  stuck.failing = {"loop 0 stands still"};
  stuck.up_seconds = 200'000;
  CHECK(text_of(stuck).starts_with(
      "gamehub 1.2.3, up 2 d 7 h: not well\nloop      loop 0 stands still\n"));
}

TEST_CASE("status: knows a journal in memory, and files that fail") {
  hub_status s;
  s.ready = true;
  const auto text = text_of(s);
  CHECK(text.starts_with("gamehub of unknown version, up 0 s: ready\n"));
  CHECK(text.find("journal   FAILS, in memory\n") != text.npos);
  CHECK(text.find("0 waiting; their file FAILS\n") != text.npos);
}

TEST_CASE("status: is JSON for programs") {
  auto s = example();
  s.ready = false;
  s.why = "draining";
  s.failing = {"loop 1 stands still"};
  CHECK(json_of(s) == example_json);
}

TEST_CASE("status: its JSON is read back without loss") {
  const auto read = read_status(example_json);
  REQUIRE(read);
  CHECK(json_of(*read) == example_json);
  CHECK(text_of(*read_status(json_of(example()))) == text_of(example()));
}

TEST_CASE("status: missing members keep their defaults, and other documents are refused") {
  REQUIRE(read_status("{}"));
  CHECK(json_of(*read_status("{}")) == json_of(hub_status{}));
  for (const auto* text :
       {"", "ok\n", "[]", "1", R"({"ready":1})", R"({"games":3})", R"({"games":{"running":"x"}})",
        R"({"wires":{"turns":1}})", "{", R"({"loops":{"each":[{"players":"x"}]}})"}) {
    INFO(text);
    CHECK_FALSE(read_status(text));
  }
}

TEST_CASE("status: shows the hubs of a cluster, and its JSON is read back") {
  auto s = example();
  CHECK(cluster_text_of(s) == "this hub has no cluster\n");
  s.cluster = {{7, "a:1", "1.0", "here", 12, 0.1, 0},
               {8, "b:2", "1.0", "silent", 3, 1.25, 0},
               {5, "c:3", "0.9", "adopted", 0, 0, 7}};
  CHECK(cluster_text_of(s) ==
        "member 7  here     beat 100 ms ago   12 games           1.0  a:1\n"
        "member 8  silent   beat 1250 ms ago  3 games   no link  1.0  b:2\n"
        "member 5  adopted  by member 7       0 games            0.9  c:3\n");
  CHECK(text_of(s).ends_with("cluster   1 hubs alive, 1 silent\n"));
  const auto read = read_status(json_of(s));
  REQUIRE(read);
  CHECK(json_of(*read) == json_of(s));
  CHECK(cluster_json_of(*read).starts_with(
      R"({"members":[{"member":7,"state":"here","games":12,"beat_seconds_ago":0.1,)"));
  CHECK(cluster_json_of(*read).find(R"("adopted_by":7)") != std::string::npos);
}

TEST_CASE("status: shows the links between the hubs of a cluster") {
  auto s = example();
  const auto add = [&](std::uint64_t id, const char* state, const char* link, bool out, bool in) {
    auto& m = s.cluster.emplace_back();
    m.id = id;
    m.state = state;
    m.link = link;
    m.link_out = out;
    m.link_in = in;
  };
  add(1, "here", "10.0.0.1:9465", false, false);
  add(2, "alive", "10.0.0.2:9465", true, true);
  add(3, "alive", "10.0.0.3:9465", true, false);
  add(4, "alive", "10.0.0.4:9465", false, true);
  add(5, "silent", "10.0.0.5:9465", false, false);
  add(6, "alive", "", false, false);
  s.cluster[4].link_why = "silent";
  const auto text = cluster_text_of(s);
  std::vector<std::string> links;
  for (const auto* state :
       {"link up", "link out only", "link in only", "link down", "no link", "10.0.0"})
    if (text.find(state) != text.npos) links.emplace_back(state);
  CHECK(links == std::vector<std::string>{"link up", "link out only", "link in only", "link down",
                                          "no link"});
  const auto read = read_status(json_of(s));
  REQUIRE(read);
  CHECK(json_of(*read) == json_of(s));
  const auto json = cluster_json_of(*read);
  for (const auto* link : {R"("link":{"address":"10.0.0.1:9465"})",
                           R"("link":{"address":"10.0.0.2:9465","out":true,"in":true})",
                           R"("link":{"address":"10.0.0.4:9465","out":false,"in":true})",
                           R"("address":"10.0.0.5:9465","out":false,"in":false,"why":"silent"})"})
    CHECK(json.find(link) != std::string::npos);
  CHECK(json.find(R"("link")", json.find("10.0.0.5:9465")) == std::string::npos);
}

}  // namespace
}  // namespace gamehub::admin
