// What one address can take from others: next to nothing. Each case is a finding of an attack, with
// loopback limited as addresses from afar are.
#include "tests/support/catch.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/opcodes_client.hpp"
#include "tests/system/runbook.hpp"
#include "tests/system/turns_client.hpp"
#include "tests/system/whole_game.hpp"

#include <chrono>
#include <csignal>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

constexpr const char* attacker = "127.0.0.66";

hub limited_hub(std::vector<std::string> flags) {
  flags.push_back("--limit-loopback");
  return hub{std::move(flags)};
}

double limit_refusals(hub& at, const std::string& limit) {
  return at.count("gamehub_address_refusals_total", {{"limit", limit}});
}

// HTTP sessions outlive their connections.
void stop(hub& at) {
  at.process().signal(SIGTERM);
  CHECK(at.wait() == 0);
}

// Two of another address than the attacker's are seated at once.
void check_strangers_play(hub& at) {
  opcodes_client x{at.opcodes(), 9, {"127.0.0.2"}}, o{at.opcodes(), 9, {"127.0.0.3"}};
  x.ask();
  CHECK(x.next() == "ACK X");
  o.ask();
  CHECK(o.next() == "ACK O");
}

TEST_CASE("address limits: unused HTTP sessions make room for others of their address (S04)") {
  auto at = limited_hub({"--sessions-per-address-max", "10", "--arrivals-per-address", "0"});
  api_client flood{at.http(), {attacker}};
  for (int i = 0; i < 50; ++i) CHECK(flood.post("/api/connect", "").status == 200);
  at.await("keeps 10 sessions", [&] { return at.count("gamehub_sessions") <= 10; });
  CHECK(limit_refusals(at, "sessions") >= 40);
  // Those that play do not.
  for (int i = 0; i < 10; ++i) CHECK(flood.post("/api/play", "opponent=engine").status == 200);
  const auto no = flood.post("/api/play", "opponent=engine");
  CHECK(no.status == 429);
  CHECK(no.fields.contains("retry-after"));
  CHECK(no.code() == 105);
  check_strangers_play(at);
  stop(at);
}

TEST_CASE("address limits: a full hub closes unused HTTP sessions (S04)") {
  auto at = limited_hub({"--connections-max", "4", "--loops", "1"});
  api_client flood{at.http(), {attacker}};
  for (int i = 0; i < 4; ++i) CHECK(flood.post("/api/connect", "").status == 200);
  check_strangers_play(at);
  CHECK(flood.post("/api/connect", "").status == 200);
  CHECK(at.count("gamehub_sessions") <= 4);
}

TEST_CASE("address limits: a full hub closes TCP clients without a game (S04)") {
  hub at{{"--connections-max", "2", "--loops", "1"}};
  opcodes_client idle{at.opcodes()};
  {
    opcodes_client other{at.opcodes()};
    idle.ask();
    CHECK(idle.next() == "ACK X");
    other.ask();
    CHECK(other.next() == "ACK O");
  }
  at.await_count("gamehub_games_running", {}, 0);
  at.await_count("gamehub_sessions", {}, 1);
  // The second newcomer takes the place of the client whose game is over.
  turns_client bea{at.turns()}, bob{at.turns()};
  bea.connect("bea", "nim");
  CHECK(bea.next() == "name bea");
  bob.connect("bob", "nim");
  CHECK(bob.next() == "name bob");
  for (auto* each : {&bea, &bob}) CHECK(each->next() == "start 0");
  std::string last;
  for (auto said = idle.next(); said != "end"; said = idle.next()) last = said;
  CHECK(last == "ERROR 2");
  CHECK(idle.error_text() == "You have been idle for too long: goodbye.");
  CHECK(at.count("gamehub_sessions_evicted_total", {{"gateway", "opcodes"}}) == 1);
  // Both play: there is no place.
  opcodes_client late{at.opcodes()};
  CHECK(late.next() == "ERROR 7");
  CHECK(at.count("gamehub_games_running") == 1);
}

TEST_CASE("address limits: a full hub closes idle HTTP connections, the oldest first (S04)") {
  hub at{{"--connections-max", "3", "--loops", "1"}};
  std::deque<api_client> idle;
  for (int i = 0; i < 3; ++i) CHECK(idle.emplace_back(at.http()).get("/api/engines").status == 200);
  // The first one is no longer the oldest.
  CHECK(idle[0].get("/api/engines").status == 200);
  api_player x{at.http(), "ann"};
  CHECK(idle[1].socket().rest().empty());
  CHECK(idle[1].socket().ended());
  CHECK(idle[0].get("/api/engines").status == 200);
  CHECK(at.count("gamehub_connections_evicted_total", {{"gateway", "http"}}) == 1);
  // Streams are in use.
  const auto updates = "/api/updates/" + x.play()["game_id"].get<std::string>();
  x.http.follow(updates);
  idle[0].follow(updates);
  api_client third{at.http()};
  CHECK(third.follow(updates).status == 200);
  CHECK(idle[2].socket().rest().empty());
  const auto refused = api_client{at.http()}.get("/api/engines");
  CHECK(refused.status == 503);
  CHECK(refused.code() == 106);
  CHECK(at.count("gamehub_connections_evicted_total", {{"gateway", "http"}}) == 2);
  CHECK(at.count("gamehub_connections_closed_total", {{"gateway", "http"}, {"reason", "idle"}}) ==
        2);
  CHECK(at.count("gamehub_streams") == 3);
  stop(at);
}

TEST_CASE("address limits: an idle HTTP connection of another loop makes room (S04)") {
  hub at{{"--connections-max", "1", "--loops", "4"}};
  // The system chooses the loop of each.
  std::deque<api_client> all;
  for (int i = 0; i < 20; ++i) CHECK(all.emplace_back(at.http()).get("/api/engines").status == 200);
  CHECK(at.count("gamehub_connections_evicted_total", {{"gateway", "http"}}) == 19);
}

TEST_CASE("address limits: an HTTP connection that says nothing makes room after a while (S04)") {
  hub at{{"--connections-max", "1", "--loops", "1"}};
  tcp_client silent{at.http()};
  at.await_count("gamehub_connections", {{"gateway", "http"}}, 1);
  const auto status = [&] { return api_client{at.http()}.get("/api/engines").status; };
  CHECK(status() == 503);
  at.await("takes the place", [&] { return status() == 200; });
  CHECK(silent.rest().empty());
  CHECK(silent.ended());
}

TEST_CASE("address limits: new HTTP sessions and connections have a rate") {
  auto at = limited_hub({"--arrivals-per-address", "2"});
  api_client flood{at.http(), {attacker}};
  // The connection was the first of 30.
  int begun = 0;
  for (int i = 0; i < 60; ++i) begun += flood.post("/api/connect", "").status == 200 ? 1 : 0;
  CHECK(begun >= 29);
  CHECK(begun < 50);
  CHECK(limit_refusals(at, "arrivals") > 0);
  opcodes_client refused{at.opcodes(), 9, {attacker}};
  CHECK(refused.next() == "ERROR 9");
  CHECK(refused.next() == "end");
  check_strangers_play(at);
}

TEST_CASE("address limits: seats over JSON turns (S05)") {
  auto at = limited_hub({"--seats-per-address-max", "64", "--games-per-address", "0"});
  std::vector<std::unique_ptr<turns_client>> all;
  for (int i = 0; i < 20; ++i) {
    all.push_back(std::make_unique<turns_client>(at.turns(), tcp_options{attacker}));
    all.back()->connect("m", "tictactoe", 8);
  }
  // Those that came too late are told by the end of their connections.
  at.await_count("gamehub_connections_closed_total",
                 {{"gateway", "turns"}, {"reason", "address-limit"}}, 12);
  at.await("plays", [&] { return at.count("gamehub_games_running") >= 28; });
  CHECK(at.count("gamehub_games_running") <= 32);
  // Others are seated at once, if need be with the attacker.
  opcodes_client x{at.opcodes(), 9, {"127.0.0.2"}}, o{at.opcodes(), 9, {"127.0.0.3"}};
  for (auto* each : {&x, &o}) {
    each->ask();
    CHECK(each->next().starts_with("ACK "));
  }
}

TEST_CASE(
    "address limits: streams and WebSockets behind a trusted proxy are those of its clients "
    "(S07)") {
  auto at = limited_hub({"--connections-per-address-max", "4", "--arrivals-per-address", "0",
                         "--http-trusted-proxy", "127.0.0.50"});
  const tcp_options proxy{"127.0.0.50"};
  const std::string watcher = "X-Forwarded-For: 203.0.113.66\r\n";
  http_table table{at};
  std::vector<std::unique_ptr<api_client>> streams;
  for (int i = 0; i < 4; ++i) {
    streams.push_back(std::make_unique<api_client>(at.http(), proxy));
    CHECK(streams.back()->follow(table.path, watcher).status == 200);
  }
  api_client more{at.http(), proxy};
  const auto no = more.get(table.path, watcher);
  CHECK(no.status == 429);
  CHECK(no.body.find("streams") != std::string::npos);
  const std::string upgrade =
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  CHECK(more.get("/api/ws", watcher + upgrade).status == 429);
  // What is no stream is answered, and others have their own.
  CHECK(more.get("/api/games", watcher).status == 200);
  for (int i = 0; i < 5; ++i) {
    CAPTURE(i);
    const auto someone = "X-Forwarded-For: 198.51.100." + std::to_string(i) + "\r\n";
    CHECK(more.get("/api/engines", someone).status == 200);
    api_client other{at.http(), proxy};
    CHECK(other.follow(table.path, someone).status == 200);
    api_client socket{at.http(), proxy};
    CHECK(socket.follow("/api/ws", someone + upgrade).status == 101);
  }
  // A stream that has ended is not counted.
  streams.pop_back();
  at.await("lets it go", [&] {
    api_client again{at.http(), proxy};
    return again.follow(table.path, watcher).status == 200;
  });
  stop(at);
}

TEST_CASE("address limits: wrong resume tokens are refused, counted and logged (S23)") {
  auto at = limited_hub({"--guesses-per-address", "1", "--arrivals-per-address", "0"});
  const auto guess = [&](int i) {
    turns_client c{at.turns(), {attacker}};
    c.say(R"({"type":"connect","name":"eve","resume":"a-wrong-token-)" + std::to_string(i) +
          R"(","supported_games":["tictactoe"],"max_games":1})");
    return c.next();
  };
  int closed = 0;
  for (int i = 0; i < 20; ++i) {
    const auto said = guess(i);
    if (said == "end" || said == "reset") ++closed;
  }
  CHECK(closed >= 10);
  CHECK(limit_refusals(at, "guesses") >= 10);
  const auto line =
      promised("an address has reached a limit") + " address=127.0.0.66 limit=guesses";
  at.await("logs it", [&] { return at.process().errors().find(line) != std::string::npos; });
  api_client http{at.http(), {attacker}};
  CHECK(http.post("/api/move", "client_id=aaaaaaaaaaaaaaaab&position=1").status == 429);
}

TEST_CASE("address limits: the log names who violates a protocol at debug, once a minute (H1)") {
  auto at = limited_hub({"--log-level", "debug"});
  const auto logged = [&] { return at.process().errors(); };
  const auto line = promised("a client violated its protocol") + " address=127.0.0.66 gateway=";
  for (int i = 0; i < 3; ++i) {
    turns_client{at.turns(), {attacker}}.say("\x1b[2Jhello");
    opcodes_client bytes{at.opcodes(), 9, {attacker}};
    bytes.socket().send("\xff\xff");
    CHECK(bytes.next() == "ERROR 1");
    CHECK(bytes.next() == "end");
    api_client web{at.http(), {attacker}};
    web.send("\x1b[2J\r\n\r\n");
    const auto said = web.answer();
    REQUIRE(said);
    CHECK(said->status == 400);
  }
  for (const auto* gateway : {"turns", "opcodes", "http"})
    at.await_count("gamehub_protocol_errors_total", {{"gateway", gateway}}, 3);
  for (const auto* cause :
       {"turns reason=malformed", "opcodes reason=unknown-type", "http reason=malformed"}) {
    CAPTURE(cause);
    const auto log = logged();
    const auto first = log.find(line + cause);
    CHECK(first != std::string::npos);
    CHECK(log.find(line + cause, first + 1) == std::string::npos);
  }
  CHECK(logged().find('\x1b') == std::string::npos);
}

TEST_CASE("address limits: messages over TCP are read at the rate of the address (S23)") {
  auto at = limited_hub({"--messages-per-address", "100"});
  opcodes_client flood{at.opcodes(), 9, {attacker}};
  // 200 may come at once; the others wait for 3 s.
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 500; ++i) flood.move(0);
  for (int i = 0; i < 100; ++i) REQUIRE(flood.next() == "ERROR 2");
  check_strangers_play(at);
  for (int i = 0; i < 400; ++i) REQUIRE(flood.next() == "ERROR 2");
  CHECK(std::chrono::steady_clock::now() - begin > std::chrono::seconds{2});
  CHECK(limit_refusals(at, "messages") > 0);
}

TEST_CASE("address limits: output that the clients of an address do not take is bounded (S23)") {
  auto at = limited_hub({"--unsent-kib-per-address-max", "256"});
  const std::string request = "GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
  std::string all;
  for (int i = 0; i < 200; ++i) all += request;
  const auto dropped = [&] {
    return at.count("gamehub_connections_closed_total",
                    {{"gateway", "http"}, {"reason", "slow-reader"}});
  };
  // A stranger who does not read, either, keeps its connection.
  api_client stranger{at.http(), {"127.0.0.2", 4096, 536}};
  REQUIRE(stranger.socket().stuff(all, patience) == all.size());
  std::vector<std::unique_ptr<api_client>> rude;
  while (dropped() == 0) {
    REQUIRE(rude.size() < 50);
    rude.push_back(std::make_unique<api_client>(at.http(), tcp_options{attacker, 4096, 536}));
    rude.back()->socket().stuff(all, patience);
  }
  CHECK(limit_refusals(at, "unsent") > 0);
  const auto got = stranger.answer();
  REQUIRE(got);
  CHECK(got->status == 200);
}

TEST_CASE("address limits: long answers count as many requests (S23)") {
  auto at = limited_hub({"--http-address-rate", "20"});
  api_client reader{at.http(), {attacker}};
  // 40 requests may come at once; the document is as long as about 30 of them.
  CHECK(reader.get("/api/openapi.json").status == 200);
  CHECK(reader.get("/api/openapi.json").status == 200);
  const auto no = reader.get("/api/openapi.json");
  CHECK(no.status == 429);
  api_client other{at.http(), {"127.0.0.2"}};
  CHECK(other.get("/api/openapi.json").status == 200);
}

TEST_CASE("address limits: reading an ended game costs the replay of its log (S23)") {
  constexpr int rate = 20, burst = 2 * rate;
  auto at = limited_hub({"--http-address-rate", std::to_string(rate)});
  play_whole_game(at, wire::opcodes, wire::opcodes, scripts().front());
  api_client other{at.http(), {"127.0.0.2"}};
  at.await("has the whole log", [&] { return other.get("/api/replays/1").status == 200; });
  int last = 60;
  for (const std::string path :
       {"/game/1", "/api/games/1?history=false", "/api/updates/1?wait=0"}) {
    CAPTURE(path);
    const auto address = "127.0.0." + std::to_string(++last);
    api_client reader{at.http(), {address.c_str()}};
    const auto begin = std::chrono::steady_clock::now();
    double answered = 0;
    while (answered < burst && reader.get(path, "Accept: */*\r\n").status == 200) ++answered;
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    // Each counts as two.
    CHECK(answered > 0);
    CHECK(answered <= (burst + rate * time.count()) / 2 + 1);
  }
}

}  // namespace
}  // namespace gamehub::tests::system
