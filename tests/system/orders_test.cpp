// What an operator orders a running hub to do: by the real program, seen by clients of all wires.
#include "tests/support/catch.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/runbook.hpp"
#include "tests/system/whole_game.hpp"

#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

struct operated {
  explicit operated(std::vector<std::string> flags = {}) : at(with_token(std::move(flags))) {}

  run_result order(std::vector<std::string> words) {
    words.insert(words.begin(), hub_program());
    words.insert(words.end(),
                 {"--admin-port", std::to_string(at.admin()), "--admin-token-file", token_file});
    return run({std::move(words), {}, ""});
  }
  std::string done(std::vector<std::string> words) {
    const auto said = order(std::move(words));
    INFO(said.errors);
    CHECK(said.exit_code == 0);
    return said.output;
  }

  std::vector<std::string> with_token(std::vector<std::string> flags) {
    std::ofstream{token_file} << "a-token-for-the-operator\n";
    flags.insert(flags.end(), {"--admin-token-file", token_file});
    return flags;
  }

  temporary_folder folder;
  std::string token_file = folder.path() + "/token";
  hub at;
};

// The hub ends the connection, whatever it says before.
bool has_ended(turns_client& c) {
  auto said = c.next();
  while (said != "end") said = c.next();
  return true;
}

TEST_CASE("orders: without the token, or on a hub that has none, nothing is done") {
  operated o;
  const auto port = std::to_string(o.at.admin());
  const auto none = run({{hub_program(), "say", "hello", "--admin-port", port}, {}, ""});
  CHECK(none.exit_code == 1);
  CHECK(has(none.errors, "token is needed"));
  CHECK(run({{hub_program(), "drain", "--admin-port", port}, {}, ""}).exit_code == 1);
  CHECK(o.at.get("/readyz").status == 200);
  CHECK(o.at.post("/ban").status == 401);
  hub open;
  CHECK(open.post("/ban").status == 403);
  const auto missing = run({{hub_program(), "serve", "--check", "--journal", "memory",
                             "--admin-token-file", o.folder.path() + "/missing"},
                            {},
                            ""});
  CHECK(missing.exit_code == 2);
}

TEST_CASE("orders: wrong tokens are counted, are in the log once, and limit no other address") {
  operated o;
  const auto sentence = promised("a wrong operator token came to the admin port");
  const auto status_of = [&](const std::string& token, const char* from) {
    api_client client{o.at.admin(), {.from = from}};
    return client.get("/arena", "Authorization: Bearer " + token + "\r\n").status;
  };
  std::vector<std::unique_ptr<api_client>> guessers;
  for (int i = 0; i < 40; ++i) {
    guessers.push_back(
        std::make_unique<api_client>(o.at.admin(), tcp_options{.from = "127.0.0.2"}));
    guessers.back()->send("GET /arena HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer guess" +
                          std::to_string(i) + "\r\n\r\n");
  }
  CHECK(status_of("a-token-for-the-operator", "127.0.0.3") == 200);
  int wrong = 0, limited = 0;
  for (auto& each : guessers) {
    const auto status = each->answer().value().status;
    wrong += status == 401 ? 1 : 0;
    limited += status == 429 ? 1 : 0;
  }
  CHECK(wrong + limited == 40);
  CHECK(limited > 0);
  CHECK(o.at.count("gamehub_admin_refusals_total", {{"reason", "wrong-token"}}) == wrong);
  CHECK(o.at.count("gamehub_admin_refusals_total", {{"reason", "limited"}}) == limited);
  const auto log = o.at.process().errors();
  CHECK(has(log, "warning " + sentence + " address=127.0.0.2 left_out=0"));
  CHECK(log.find(sentence) == log.rfind(sentence));
  CHECK_FALSE(has(log, "guess"));
}

TEST_CASE("orders: games are listed, and ended without a result") {
  operated o;
  http_table t{o.at};
  t.begin();
  CHECK(o.done({"games"}) == t.game + "  tictactoe  running  stan, kyle\n");
  CHECK(json::parse(o.done({"games", "--json", "--engine", "tictactoe"}))["games"].size() == 1);
  CHECK(o.done({"games", "--status", "waiting"}) == "no games\n");
  CHECK(has(o.done({"end", t.game, "--reason", "it is late"}), "told to end"));
  o.at.await_count("gamehub_games_running", {}, 0);
  CHECK(has(t.x.http.get("/api/replays/" + t.game).body, "it is late"));
  CHECK(o.order({"end", t.game, "--reason", "it is late"}).exit_code == 1);
}

TEST_CASE("orders: whose name is banned loses its game and comes in by no wire") {
  operated o;
  turns_client eve{o.at.turns()}, bob{o.at.turns()};
  eve.connect("eve");
  CHECK(eve.next() == "name eve");
  bob.connect("bob");
  CHECK(bob.next() == "name bob");
  CHECK(bob.next() == "start 0");
  api_player web{o.at.http(), "web"};
  CHECK(o.done({"ban", "--name", "eve", "--reason", "rude"}) == "banned-name eve\n");
  CHECK(has_ended(eve));
  o.at.await_count("gamehub_games_running", {}, 0);
  o.at.await_count("gamehub_connections_closed_total", {{"gateway", "turns"}, {"reason", "banned"}},
                   1);
  turns_client again{o.at.turns()};
  again.connect("eve");
  CHECK(has_ended(again));
  CHECK(o.done({"ban", "--name", "web"}) == "banned-name web\n");
  o.at.await_count("gamehub_sessions", {{"gateway", "http"}}, 0);
  CHECK(web.move(0).code() == 101);
  api_client other{o.at.http()};
  CHECK(other.post("/api/connect", "name=web").code() == 109);
  CHECK(has(o.done({"sanctions"}), "rude"));
  CHECK(o.done({"unban", "--name", "web"}) == "banned-name web\n");
  CHECK(o.order({"unban", "--name", "web"}).exit_code == 1);
  CHECK(other.post("/api/connect", "name=web").status == 200);
}

TEST_CASE("orders: whose address is banned is closed on every wire, also after a restart") {
  const temporary_folder kept;
  const std::vector<std::string> flags{"--moderation-file", kept.path() + "/moderation"};
  {
    operated o{flags};
    turns_client lines{o.at.turns()};
    lines.connect("ann");
    CHECK(lines.next() == "name ann");
    opcodes_client bytes{o.at.opcodes()};
    bytes.ask();
    api_client web{o.at.http()};
    CHECK(web.get("/api/engines").status == 200);
    CHECK(o.order({"ban", "--address", "127.0.0.1/24"}).exit_code == 1);
    CHECK(o.done({"ban", "--address", "127.0.0.0/8"}) == "banned-address 127.0.0.0/8\n");
    CHECK(has_ended(lines));
    o.at.await_count("gamehub_connections", {{"gateway", "opcodes"}}, 0);
    o.at.await_count("gamehub_connections", {{"gateway", "http"}}, 0);
    api_client later{o.at.http()};
    CHECK(later.get("/api/engines").status == 403);
    CHECK(later.get("/api/games").code() == 109);
  }
  operated o{flags};
  opcodes_client bytes{o.at.opcodes()};
  CHECK(has(bytes.next(), "ERROR"));
  o.done({"unban", "--address", "127.0.0.0/8"});
  api_client web{o.at.http()};
  CHECK(web.get("/api/engines").status == 200);
}

TEST_CASE("orders: who is muted plays on and says nothing, the operator is heard by all") {
  operated o{{"--http-guests-max", "0"}};
  http_table t{o.at};
  t.begin();
  api_client reader{o.at.http()};
  reader.follow(t.path + "?last_update_id=3");
  CHECK(o.done({"mute", "--name", "stan"}) == "muted-name stan\n");
  CHECK(t.x.post("/api/chat", "&message=hello").code() == 109);
  CHECK(t.o.post("/api/chat", "&message=hello").status == 200);
  CHECK(next_numbered(reader)["name"] == "kyle");
  CHECK(o.done({"unmute", "--name", "stan"}) == "muted-name stan\n");
  CHECK(t.x.post("/api/chat", "&message=hello").status == 200);
  CHECK(next_numbered(reader)["name"] == "stan");
  CHECK(o.done({"say", "back in five minutes"}) == "back in five minutes\n");
  const auto heard = next_numbered(reader);
  CHECK(heard["type"] == "chat");
  CHECK(heard["name"] == "operator");
  CHECK(heard["message"] == "back in five minutes");
  CHECK(heard["update_id"] == 5);
  api_client impostor{o.at.http()};
  CHECK(impostor.post("/api/connect", "name=operator").code() == 104);
  CHECK(t.x.post("/api/quit").status == 200);
}

}  // namespace
}  // namespace gamehub::tests::system
