// Webhooks of players in games of days: the hub's program calls tests/system/webhook_receiver.py,
// good receivers and bad ones, over restarts.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/hub.hpp"

#include <csignal>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

const std::string form_type = "Content-Type: application/x-www-form-urlencoded\r\n";

class webhook_receiver {
 public:
  webhook_receiver() : process_(python()) {
    const auto line = process_.read_line();
    if (!line.starts_with("port ")) throw std::runtime_error{"no receiver: " + line};
    port_ = line.substr(5);
  }
  // The secret of a receiver is its name.
  std::string url(const std::string& kind, const std::string& name) const {
    return "http://127.0.0.1:" + port_ + "/" + kind + "/" + name;
  }
  json next() {
    const auto line = process_.read_line();
    if (line.empty()) throw std::runtime_error{"no call came: " + process_.errors()};
    return json::parse(line);
  }
  // The next event, which is signed; challenges are left out.
  json next_event() {
    for (;;) {
      const auto heard = next();
      if (!heard.contains("body")) continue;
      if (!heard["signed"]) throw std::runtime_error{"a call is not signed: " + heard.dump()};
      if (heard["body"]["type"] != "challenge") return heard["body"];
    }
  }
  void change(const std::string& kind, const std::string& other) {
    process_.say(kind + " " + other);
    while (next().value("changed", "") != kind) {
    }
  }

 private:
  static invocation python() {
    invocation out;
    out.words = {"python3", std::string{GAMEHUB_SOURCE_DIR} + "/tests/system/webhook_receiver.py"};
    out.hears = true;
    return out;
  }

  program process_;
  std::string port_;
};

std::vector<std::string> with_webhooks(std::vector<std::string> more = {}) {
  std::vector<std::string> out{"--webhooks",
                               "--bot-allow",
                               "127.0.0.0/8",
                               "--webhook-delay-seconds",
                               "0",
                               "--webhook-pause-seconds",
                               "1",
                               "--http-grace-seconds",
                               "1"};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

api_answer put_webhook(api_client& http, const std::string& id, const std::string& url,
                       const std::string& secret) {
  return http.request("PUT", "/api/me/webhook", form_type,
                      "client_id=" + id + "&url=" + url + "&secret=" + secret);
}
api_answer get_webhook(api_client& http, const std::string& id) {
  return http.get("/api/me/webhook?client_id=" + id);
}
api_answer delete_webhook(api_client& http, const std::string& id) {
  return http.request("DELETE", "/api/me/webhook?client_id=" + id, "", "");
}

// Ann (X) and Bob have a game of days. Bob has read its updates, and goes away.
struct days_table {
  explicit days_table(hub& at)
      : ann(at.http(), "ann"), bob(at.http(), "bob"), secret("the-secret-of-bob-" + bob.id) {
    game = ann.play("&clock=days:2")["game_id"];
    REQUIRE(bob.play("&clock=days:2")["game_id"] == game);
  }
  void leave(hub& at, api_player& who) const {
    const auto before = at.count("gamehub_presence_changes_total", {{"change", "away"}});
    who.http.get("/api/updates/" + game + "?wait=0&client_id=" + who.id);
    at.await_count("gamehub_presence_changes_total", {{"change", "away"}}, before + 1);
  }
  void move(api_player& who, int position) const {
    const auto answer =
        who.post("/api/move", "&game_id=" + game + "&position=" + std::to_string(position));
    REQUIRE(answer.body == "{}");
  }
  void quit() { CHECK(ann.post("/api/quit", "&game_id=" + game).body == "{}"); }

  api_player ann, bob;
  std::string game, secret;
};

TEST_CASE("webhooks: a player who is away is told its turn and the end, also after a restart") {
  const temporary_folder folder;
  const auto flags = with_webhooks({"--journal", "sqlite:" + folder.path() + "/journal.db"});
  webhook_receiver to;
  std::string ann, bob, game, secret;
  {
    hub at{flags};
    days_table t{at};
    ann = t.ann.id, bob = t.bob.id, game = t.game, secret = t.secret;
    const auto url = to.url("good", secret);
    const auto done = put_webhook(t.bob.http, bob, url, secret);
    INFO(done.body);
    REQUIRE(done.status == 200);
    CHECK(done.json() == json{{"url", url}, {"on", true}, {"failures", 0}, {"waiting", 0}});
    CHECK(get_webhook(t.ann.http, bob).json() == done.json());
    const auto challenge = to.next();
    CHECK(challenge["body"]["type"] == "challenge");
    CHECK(challenge["signed"] == true);
    t.leave(at, t.bob);
    t.move(t.ann, 0);
    const auto turn = to.next_event();
    CHECK(turn["type"] == "your-turn");
    CHECK(turn["game_id"] == game);
    CHECK(turn["player"] == "O");
    CHECK(turn["engine"] == "tictactoe");
    CHECK(turn["since"].get<std::string>() < turn["until"].get<std::string>());
    at.await_count("gamehub_webhook_calls_total", {{"result", "delivered"}}, 1);
    // He looks and goes: it is the same turn.
    t.leave(at, t.bob);
    t.move(t.bob, 4);
    t.leave(at, t.bob);
    CHECK(at.count("gamehub_webhook_calls_total") == 1);
    at.process().signal(SIGTERM);
    CHECK(at.wait() == 0);
  }
  hub at{flags};
  api_client guest{at.http()};
  // All are away after the restart, and Bob has moved.
  CHECK(guest.post("/api/move", "position=1&game_id=" + game + "&client_id=" + ann).body == "{}");
  CHECK(to.next_event()["type"] == "your-turn");
  CHECK(guest.post("/api/quit", "game_id=" + game + "&client_id=" + ann).body == "{}");
  const auto end = to.next_event();
  CHECK(end["type"] == "game-ended");
  CHECK(end["code"] == "left");
  CHECK(end["winner"] == "O");
  at.await_count("gamehub_webhook_events_waiting", {}, 0);
  at.await_count("gamehub_webhook_calls_total", {{"result", "delivered"}}, 2);
  // His session is gone with his last game, and the webhook is still his.
  CHECK(delete_webhook(guest, bob).status == 200);
  CHECK(get_webhook(guest, bob).code() == 102);
  CHECK(delete_webhook(guest, bob).code() == 102);
}

TEST_CASE("webhooks: no turn is told to a player who reads the game") {
  webhook_receiver to;
  hub at{with_webhooks()};
  days_table t{at};
  REQUIRE(put_webhook(t.bob.http, t.bob.id, to.url("good", t.secret), t.secret).status == 200);
  api_client reader{at.http()};
  reader.follow("/api/updates/" + t.game + "?client_id=" + t.bob.id);
  t.move(t.ann, 0);
  while (reader.update().value("type", "") != "move") {
  }
  CHECK(at.count("gamehub_webhook_events_waiting") == 0);
  t.quit();
  while (!reader.update().is_null()) {
  }
  CHECK(get_webhook(t.bob.http, t.bob.id).json()["waiting"] == 0);
  CHECK(at.count("gamehub_webhook_calls_total") == 0);
}

TEST_CASE("webhooks: what does not prove that it wants the calls is not registered") {
  webhook_receiver to;
  hub at{with_webhooks({"--webhook-call-seconds", "1"})};
  api_player ann{at.http(), "ann"};
  const std::string secret = "the-secret-of-ann";
  for (const auto* kind : {"echo", "deaf", "redirecting", "garbage", "endless"}) {
    INFO(kind);
    const auto answer = put_webhook(ann.http, ann.id, to.url(kind, secret), secret);
    CHECK(answer.code() == 100);
    CHECK(answer.body.find("did not answer the challenge") != std::string::npos);
  }
  // With another secret than the receiver's.
  CHECK(put_webhook(ann.http, ann.id, to.url("good", secret), secret + "1").code() == 100);
  CHECK(get_webhook(ann.http, ann.id).code() == 102);
  CHECK(at.count("gamehub_webhook_registrations_total", {{"result", "invalid"}}) == 6);
  CHECK(put_webhook(ann.http, "a-secret-of-no-player", to.url("good", secret), secret).code() ==
        101);
}

TEST_CASE("webhooks: bad URLs and secrets, and addresses of the hub's own network, are refused") {
  hub at{{"--webhooks"}};
  api_player ann{at.http(), "ann"};
  const std::string secret = "the-secret-of-ann";
  for (const std::string& url :
       {"http://127.0.0.1:" + std::to_string(at.admin()) + "/drain", std::string{"http://[::1]/"},
        std::string{"http://10.0.0.1/"}, std::string{"http://169.254.169.254/latest/meta-data"},
        std::string{"http://localhost/"}, std::string{"http://2130706433/"},
        std::string{"ftp://a.example/"}, std::string{"http://a.example/%0d%0aX:y"} + "%00",
        "http://a.example/" + std::string(60'000, 'a'), std::string{"x"}}) {
    INFO(url.substr(0, 60));
    CHECK(put_webhook(ann.http, ann.id, url, secret).code() == 100);
  }
  const auto large = put_webhook(ann.http, ann.id, std::string(100'000, 'a'), secret);
  CHECK(large.code() == 107);
  api_client http{at.http()};
  CHECK(put_webhook(http, ann.id, "http://a.example/", "short").code() == 100);
  CHECK(put_webhook(http, ann.id, "http://a.example/", std::string(200, 's')).code() == 100);
  CHECK(http.post("/api/me/webhook", "client_id=" + ann.id).status == 405);
  CHECK(http.get("/healthz").status == 404);
  CHECK(at.get("/readyz").status == 200);
}

TEST_CASE("webhooks: a receiver that fails is called again later, and then it is off") {
  webhook_receiver to;
  hub at{with_webhooks({"--webhook-failures-max", "3"})};
  days_table t{at};
  const auto url = to.url("failing", t.secret);
  REQUIRE(put_webhook(t.bob.http, t.bob.id, url, t.secret).status == 200);
  t.leave(at, t.bob);
  t.move(t.ann, 0);
  const auto first = to.next_event();
  CHECK(to.next_event() == first);
  CHECK(to.next_event() == first);
  at.await_count("gamehub_webhooks", {{"state", "off"}}, 1);
  const auto state = get_webhook(t.bob.http, t.bob.id).json();
  CHECK(state["on"] == false);
  CHECK(state["why"] == "it answered with the status 500");
  CHECK(state["failures"] == 3);
  CHECK(at.process().errors().find("a webhook is off: its calls failed") != std::string::npos);
  // Registered again, it is on; then the receiver says that it is gone.
  to.change("failing", "gone");
  REQUIRE(put_webhook(t.bob.http, t.bob.id, url, t.secret).json()["on"] == true);
  t.leave(at, t.bob);
  // The same turn, with the time that is left now.
  CHECK(to.next_event()["id"] == first["id"]);
  at.await_count("gamehub_webhook_calls_total", {{"result", "gone"}}, 1);
  at.await_count("gamehub_webhooks", {{"state", "off"}}, 1);
  t.quit();
}

TEST_CASE("webhooks: many registrations of one address end in error 105, and others play on") {
  webhook_receiver to;
  hub at{with_webhooks({"--limit-loopback", "--http-address-rate", "1000", "--http-client-rate",
                        "1000", "--webhook-call-seconds", "1"})};
  api_player ann{at.http(), "ann"};
  const auto url = to.url("deaf", "the-secret-of-ann");
  int limited = 0, all = 0;
  for (; all < 40; ++all) {
    const auto answer = put_webhook(ann.http, ann.id, url, "the-secret-of-ann");
    if (answer.code() != 105) continue;
    ++limited;
    CHECK(answer.fields.at("retry-after") >= "1");
  }
  CHECK(limited >= 25);
  CHECK(at.count("gamehub_webhook_registrations_total", {{"result", "limited"}}) == limited);
  api_player bob{at.http(), "bob"};
  bob.play("&opponent=engine:random");
  CHECK(bob.move(4).body == "{}");
  bob.post("/api/quit");
}

TEST_CASE("webhooks: without the setting no player has one, and a cluster refuses it") {
  hub at;
  api_player ann{at.http(), "ann"};
  const auto no = put_webhook(ann.http, ann.id, "http://a.example/", "the-secret-of-ann");
  CHECK(no.code() == 102);
  CHECK(no.body.find("--webhooks") != std::string::npos);
  CHECK(get_webhook(ann.http, ann.id).code() == 102);
  CHECK(delete_webhook(ann.http, ann.id).code() == 102);
  CHECK(at.metrics().sum("gamehub_webhooks", {}) == 0);
  const auto refused =
      run({{hub_program(), "serve", "--check", "--webhooks", "--cluster", "host=/nowhere"}, {}});
  CHECK(refused.exit_code == 2);
  CHECK(refused.errors.find("webhooks is on together with cluster") != std::string::npos);
}

TEST_CASE("webhooks: a page of another site registers none") {
  hub at{with_webhooks()};
  api_player ann{at.http(), "ann"};
  const std::string foreign = form_type + "Origin: https://evil.example\r\n";
  CHECK(ann.http.request("PUT", "/api/me/webhook", foreign, "client_id=" + ann.id).status == 403);
  CHECK(ann.http
            .request("DELETE", "/api/me/webhook?client_id=" + ann.id,
                     "Origin: https://evil.example\r\n", "")
            .status == 403);
}

}  // namespace
}  // namespace gamehub::tests::system
