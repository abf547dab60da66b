// Bots that the hub calls, over real sockets: registrations good and bad, schedules between good
// and broken bots, and games against people on every wire.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/bot_server.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/opcodes_client.hpp"
#include "tests/system/runbook.hpp"
#include "tests/system/turns_client.hpp"
#include "tests/system/udp_socket.hpp"

#include <sqlite3.h>

#include <csignal>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

void enter_greeted(bot_server& bots, hub& at, const std::string& kind, const std::string& name) {
  const auto answer = bots.enter(at.http(), kind, name);
  INFO(answer.dump());
  REQUIRE(answer["result"]["message"] ==
          "Hello, " + name + " (version: 1.0), good luck with Tic-Tac-Toe!");
}

void await_online(hub& at, double bots) { at.await_count("gamehub_bots_online", {}, bots); }

TEST_CASE("bots: two of them play a game each way, strictly by the protocol") {
  bot_server many, one{{"--single"}};
  hub at{with_bots()};
  enter_greeted(many, at, "strict", "Ann");
  // Names may have what no path has.
  const auto bob =
      one.enter(at.http(), "plain", "Bob (single) [1]", {{"rpcendpoint", one.url("plain", "Bob")}});
  REQUIRE(error_of(bob).empty());
  // X takes the first free place each time, and so does O: X wins with 2, 4 and 6.
  std::set<std::string> marks;
  for (int game = 0; game < 2; ++game) {
    const auto end = many.await_call("Ann", "TicTacToe.Complete")["params"];
    const auto other = one.await_call("Bob", "TicTacToe.Complete")["params"];
    CHECK(end["gameid"] == other["gameid"]);
    CHECK(end["gamestate"] == json::parse(R"(["X","O","X","O","X","O","X","",""])"));
    CHECK(other["gamestate"] == end["gamestate"]);
    CHECK(end["winner"] == (end["mark"] == "X"));
    CHECK(other["winner"] == (other["mark"] == "X"));
    marks.insert(end["mark"].get<std::string>());
  }
  CHECK(marks == std::set<std::string>{"O", "X"});
  CHECK(many.violations().empty());
  at.await_count("gamehub_games_finished_total", {{"reason", "rules"}}, 2);
  CHECK(at.count("gamehub_bot_faults_total") == 0);
}

TEST_CASE("bots: one that listens only when it has its answer is waited for") {
  bot_server late{{"--late"}};
  hub at{with_bots()};
  enter_greeted(late, at, "plain", "Late");
  at.await("a failed ping", [&] {
    return at.count("gamehub_bot_calls_total", {{"method", "ping"}, {"result", "failed"}}) > 0;
  });
  late.listen();
  await_online(at, 1);
}

TEST_CASE("bots: the right one is blamed for each mistake, and its opponent wins") {
  struct mistake {
    const char* kind;
    int code;
  };
  const mistake mistakes[] = {
      {"occupied", 1548}, {"beyond", 1549},  {"negative", 1549}, {"huge", 1549},
      {"fraction", 1550}, {"missing", 1550}, {"null", 1550},     {"error", 1550},
      {"sigh", 1550},     {"prose", 1550},   {"nothing", 1550},  {"bomb", 1550},
      {"slow", 1551},     {"status", 1552},  {"redirect", 1552}, {"endless", 1552},
      {"chunk", 1552},    {"half", 1552},    {"silence", 1552},  {"rubbish", 1552},
  };
  bot_server bots;
  // The good one has to be asked and to answer within that, too.
  hub at{with_bots({"--bot-move-seconds", "3"})};
  enter_greeted(bots, at, "strict", "Good");
  await_online(at, 1);
  double blamed = 0;
  for (const auto& each : mistakes) {
    CAPTURE(each.kind);
    enter_greeted(bots, at, each.kind, each.kind);
    const auto told = bots.await_call(each.kind, "TicTacToe.Error")["params"];
    CHECK(told["errorcode"] == each.code);
    CHECK_FALSE(told["message"].get<std::string>().empty());
    const auto won = bots.await_call("Good", "TicTacToe.Complete")["params"];
    CHECK(won["gameid"] == told["gameid"]);
    CHECK(won["winner"] == true);
    await_online(at, 1);
    at.await_count("gamehub_bot_faults_total", {}, ++blamed);
    if (each.code != 1548) continue;
    // Its game is told apart from one that a player quit (clients 10).
    at.await_count("gamehub_games_running", {}, 0);
    const auto replay = api_client{at.http()}.get("/api/replays/" + told["gameid"].dump());
    REQUIRE(replay.status == 200);
    CHECK(replay.json()["updates"].back()["reason"] == "occupied made an error");
  }
  CHECK(bots.violations().empty());
}

TEST_CASE("bots: one that is away when its game begins has lost it, and hears why") {
  bot_server bots;
  hub at{with_bots()};
  enter_greeted(bots, at, "strict", "Good");
  await_online(at, 1);
  enter_greeted(bots, at, "tired", "Tired");
  const auto told = bots.await_call("Tired", "TicTacToe.Error")["params"];
  CHECK(told["errorcode"] == 1552);
  CHECK(told["message"] ==
        "Before the game you were asked by Status.Ping. You answered with the HTTP status 503.");
  const auto won = bots.await_call("Good", "TicTacToe.Complete")["params"];
  CHECK(won["gameid"] == told["gameid"]);
  CHECK(won["winner"] == true);
  await_online(at, 1);
  CHECK(bots.violations().empty());
}

TEST_CASE("bots: a bot that made an error is scheduled again when it registers again") {
  bot_server bots;
  hub at{with_bots()};
  enter_greeted(bots, at, "strict", "Good");
  enter_greeted(bots, at, "prose", "Bad");
  bots.await_call("Bad", "TicTacToe.Error");
  await_online(at, 1);
  const auto again = bots.enter(at.http(), "plain", "Bad",
                                {{"rpcendpoint", bots.url("plain", "Bad")}, {"botversion", "2"}});
  CHECK(error_of(again).empty());
  for (int game = 0; game < 3; ++game) bots.await_call("Good", "TicTacToe.Complete");
  await_online(at, 2);
}

TEST_CASE("bots: people play them on every wire") {
  bot_server bots;
  hub at{with_bots({"--turns-opponent", "bot:Ann", "--opcodes-opponent", "bot:Ann",
                    "--udp-opponent", "bot:Ann"})};
  // The bot is not online yet: clients whose protocol has words for it are told.
  opcodes_client early{at.opcodes()};
  early.ask();
  CHECK(early.next() == "ERROR 7");
  CHECK(early.error_text().find("not online") != std::string::npos);
  api_player http{at.http(), "person"};
  CHECK(http.post("/api/play", "&opponent=bot:Ann").status >= 400);

  enter_greeted(bots, at, "last", "Ann");
  await_online(at, 1);
  SECTION("opcodes") {
    early.ask();
    REQUIRE(early.next() == "ACK X");
    REQUIRE(early.next() == "STATE --------- -");
    early.move(0);
    REQUIRE(early.next() == "ACK X");
    CHECK(early.next() == "STATE X-------O -");
  }
  SECTION("turns") {
    turns_client c{at.turns()};
    c.connect("bo");
    CHECK(c.next() == "name bo");
    CHECK(c.next() == "start 0");
    CHECK(c.next() == "0 state ---/---/--- null");
    CHECK(c.next() == "0 turn");
    c.move(0, 0, 0);
    CHECK(c.next() == "0 state X--/---/--- null");
    CHECK(c.next() == "0 state X--/---/--O null");
    CHECK(c.next() == "0 turn");
  }
  SECTION("udp") {
    udp_socket s{at.udp()};
    REQUIRE(s.ask('B', 'B'));
    REQUIRE(s.ask('E', '8'));
    REQUIRE(s.ask('8', 'E'));
    REQUIRE(s.ask('Q', 'S'));
    REQUIRE(s.ask('S', 'Q'));
  }
  SECTION("http") {
    const auto seat = http.play("&opponent=bot:Ann");
    REQUIRE(seat.contains("game_id"));
    CHECK(http.move(0).status == 200);
    const auto asked = bots.await_call("Ann", "TicTacToe.NextMove")["params"];
    CHECK(asked["mark"] == "O");
    CHECK(asked["gamestate"][0] == "X");
    CHECK(http.post("/api/quit").status == 200);
    CHECK(bots.await_call("Ann", "TicTacToe.Complete")["params"]["winner"] == true);
  }
}

TEST_CASE("bots: only its opponent waits for a slow bot") {
  bot_server bots;
  hub at{with_bots({"--bot-move-seconds", "60", "--loops", "1"})};
  enter_greeted(bots, at, "held", "Slow");
  await_online(at, 1);
  api_player person{at.http(), "person"};
  REQUIRE(person.play("&opponent=bot:Slow").contains("game_id"));
  CHECK(person.move(4).status == 200);
  bots.await_call("Slow", "TicTacToe.NextMove");
  // It thinks. Two people play a whole game meanwhile, and a bot another.
  opcodes_client x{at.opcodes()}, o{at.opcodes()};
  x.ask();
  REQUIRE(x.next() == "ACK X");
  o.ask();
  REQUIRE(o.next() == "ACK O");
  REQUIRE(x.next() == "STATE --------- -");
  for (int row = 0; row < 2; ++row) {
    x.move(row);
    REQUIRE(x.next() == "ACK X");
    REQUIRE(o.next().starts_with("STATE"));
    o.move(row + 3);
    REQUIRE(o.next() == "ACK O");
    REQUIRE(x.next().starts_with("STATE"));
  }
  x.move(2);
  REQUIRE(x.next() == "ACK X");
  CHECK(x.next() == "STATE XXXOO---- X");
  enter_greeted(bots, at, "plain", "Quick");
  await_online(at, 2);
  api_player other{at.http(), "other"};
  REQUIRE(other.play("&opponent=bot:Quick").contains("game_id"));
  CHECK(other.move(0).status == 200);
  bots.await_call("Quick", "TicTacToe.NextMove");
  CHECK(other.post("/api/quit").status == 200);
  // Those between the two bots have yet to be played.
  for (int move = 0; move < 10; ++move) bots.let_move("Slow");
  CHECK(person.post("/api/quit").status == 200);
  for (int game = 0; game < 2; ++game) bots.await_call("Quick", "TicTacToe.Complete");
}

TEST_CASE("bots: what is registered badly is said so") {
  bot_server bots;
  hub at{with_bots({"--limit-loopback"})};
  api_client c{at.http()};
  const std::string json_type = "Content-Type: application/json; charset=utf-8\r\n";
  const auto post = [&](const std::string& body, const std::string& type) {
    return c.request("POST", "/rpc", type, body);
  };
  CHECK(c.get("/rpc").status == 405);
  CHECK(post("{}", "Content-Type: text/plain\r\n").status == 415);
  CHECK(post("no", json_type).status == 400);
  CHECK(post(R"({"method":"Other","id":"x"})", json_type).status == 400);
  const auto no_params = post(R"({"method":"RegistrationService.Register","id":"x"})", json_type);
  CHECK(no_params.status == 200);
  CHECK(no_params.json()["id"] == "x");
  CHECK(no_params.json()["result"].is_null());
  const auto why = [&](const json& more) {
    return error_of(bots.enter(at.http(), "plain", "B", more));
  };
  CHECK(why({{"game", "CHESS"}}) == "Game \"CHESS\" is not known");
  CHECK(why({{"botname", ""}}).find("botname") != std::string::npos);
  CHECK(why({{"rpcendpoint", "bots.example"}}).find("is not a URL") != std::string::npos);
}

TEST_CASE("bots: an address of the hub's own network is refused") {
  bot_server bots;
  hub at{{"--open-registration"}};
  const std::map<std::string, std::string> refused{
      {"http://127.0.0.1:1/", "loopback"},
      {"http://localhost:1/", "was not found, or leads to no address that this hub calls"},
      {"http://no-such-host.invalid:1/",
       "was not found, or leads to no address that this hub calls"},
      {"http://[::1]:1/", "loopback"},
      {"http://[::ffff:127.0.0.1]:1/", "loopback"},
      {"http://[64:ff9b::7f00:1]/", "loopback"},
      {"http://[::ffff:0:127.0.0.1]:1/", "loopback"},
      {"http://127.0.0.1:99999/", "from 1 to 65535"},
      {"http://10.0.0.1/", "private"},
      {"http://172.16.0.1/", "private"},
      {"http://192.168.1.1/", "private"},
      {"http://[fd00::1]/", "private"},
      {"http://169.254.1.1/", "link-local"},
      {"http://[fe80::1]/", "link-local"},
      {"http://169.254.169.254/latest/meta-data/", "metadata"},
      {"http://[::ffff:a9fe:a9fe]/", "metadata"},
      {"http://[2002:7f00:1::]/", "6to4"},
      {"http://[2001:0:1::]/", "Teredo"},
      {"http://0.0.0.0/", "this host"},
      {"http://2130706433/", "four numbers"},
      {"http://0x7f000001/", "four numbers"},
      {"http://0177.0.0.1/", "four numbers"},
      {"http://127.1/", "four numbers"},
  };
  for (const auto& [url, words] : refused) {
    const auto answer = bots.enter(at.http(), "plain", "B", {{"rpcendpoint", url}});
    CAPTURE(url, answer.dump());
    CHECK(answer["result"].is_null());
    CHECK(error_of(answer).find(words) != std::string::npos);
  }
  CHECK(at.count("gamehub_bot_calls_total") == 0);
}

TEST_CASE("bots: who has no token learns nothing of names and addresses") {
  bot_server bots;
  hub at{{"--bot-allow", "127.0.0.0/8"}};
  for (const auto* url :
       {"http://localhost:1/", "http://no-such-host.invalid/", "http://10.0.0.1/"})
    CHECK(error_of(bots.enter(at.http(), "plain", "B", {{"rpcendpoint", url}})) ==
          "The token is not known: the operator of the hub makes one (gamehub token add OWNER)");
}

TEST_CASE("bots: what is allowed is called, and a redirect leads nowhere") {
  bot_server bots;
  hub at{with_bots()};
  // A name, judged by what it leads to.
  const auto named = bots.enter(
      at.http(), "plain", "Named",
      {{"rpcendpoint", "http://localhost:" + std::to_string(bots.port()) + "/plain/Named"}});
  CHECK(error_of(named).empty());
  await_online(at, 1);
  enter_greeted(bots, at, "turned", "Turned");
  bots.await_call("Turned", "Ping");
  bots.await_call("Turned", "Ping");
  at.await_count("gamehub_bots_online", {}, 1);
  // The name of another owner's bot is taken.
  const auto taken = bots.enter(
      at.http(), "plain", "Thief",
      {{"token", "another"},
       {"rpcendpoint", "http://LOCALHOST:" + std::to_string(bots.port()) + "/plain/Named"}});
  CHECK(error_of(taken).find("another owner's") != std::string::npos);
}

TEST_CASE("bots: without tokens of the operator the names of one address are bounded") {
  bot_server bots;
  hub at{with_bots(
      {"--limit-loopback", "--bot-names-per-owner-max", "3", "--http-trusted-proxy", "127.0.0.1"})};
  api_client c{at.http()};
  const auto enter_from = [&](const std::string& address, const std::string& name) {
    const json params{
        {"token", "made up for " + name},
        {"botname", name},
        {"botversion", "1"},
        {"game", "TICTACTOE"},
        {"rpcendpoint", bots.url("plain", std::to_string(std::hash<std::string>{}(name)))}};
    const json request{{"method", "RegistrationService.Register"}, {"params", params}, {"id", 1}};
    return error_of(
        c.request("POST", "/rpc",
                  "Content-Type: application/json\r\nX-Forwarded-For: " + address + "\r\n",
                  request.dump())
            .json());
  };
  for (const auto* name : {"one", "two", "three"}) CHECK(enter_from("2001:db8::1", name).empty());
  CHECK(enter_from("2001:db8::2", "four").starts_with("You have 3 bots here"));
  at.await_count("gamehub_bot_registrations_total", {{"result", "owner-limit"}}, 1);
  CHECK(enter_from("192.0.2.9", "four").empty());
  const auto listed = at.get("/arena").body;
  CHECK(listed.find(R"("account":"2001:db8::/64")") != std::string::npos);
  await_online(at, 4);
  at.await_count("gamehub_arena_games", {}, 0);
}

// Holds that file against all who would write to it.
class held_file {
 public:
  explicit held_file(const std::string& file) {
    REQUIRE(sqlite3_open(file.c_str(), &db_) == SQLITE_OK);
    REQUIRE(sqlite3_busy_timeout(db_, 10'000) == SQLITE_OK);
    REQUIRE(sqlite3_exec(db_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK);
  }
  ~held_file() { sqlite3_close(db_); }
  held_file(const held_file&) = delete;
  held_file& operator=(const held_file&) = delete;

 private:
  sqlite3* db_ = nullptr;
};

TEST_CASE("bots: a registration that waits for a stuck file is answered when the hub stops") {
  const temporary_folder folder;
  const auto file = folder.path() + "/arena.db";
  hub at{with_bots({"--arena", file, "--drain-seconds", "600"})};
  const held_file other{file};
  const std::string body =
      R"({"method":"RegistrationService.Register","id":"x","params":{"token":"t","botname":"B",)"
      R"("botversion":"1","game":"TICTACTOE","rpcendpoint":"http://127.0.0.1:1/"}})";
  api_client c{at.http()};
  c.send(
      "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
      "application/json\r\nContent-Length: " +
      std::to_string(body.size()) + "\r\n\r\n" + body);
  at.await_count("gamehub_arena_ok", {}, 0);
  at.await("logs it", [&, line = promised("the arena's file can't be written")] {
    return at.process().errors().find(line) != std::string::npos;
  });
  at.process().signal(SIGTERM);
  const auto answer = c.answer();
  REQUIRE(answer);
  CHECK(answer->json()["id"] == "x");
  CHECK(error_of(answer->json()) == "The hub is going down");
  c.socket().close();
  CHECK(at.wait() == 0);
}

TEST_CASE("bots: who registers too often is told to come later") {
  hub at{with_bots({"--limit-loopback", "--http-address-rate", "0"})};
  api_client c{at.http()};
  const auto body =
      R"({"method":"RegistrationService.Register","id":1,"params":{"token":"t","botname":"B",)"
      R"("botversion":"1","game":"TICTACTOE","rpcendpoint":"http://10.0.0.1/"}})";
  int later = 0;
  for (int i = 0; i < 40; ++i)
    later += c.request("POST", "/rpc", "Content-Type: application/json\r\n", body).status == 429;
  CHECK(later > 0);
  at.await_count("gamehub_bot_registrations_total", {{"result", "limited"}}, later);
}

}  // namespace
}  // namespace gamehub::tests::system
