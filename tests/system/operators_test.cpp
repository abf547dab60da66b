// What the operators' page asks of a running hub: its requests, as a browser sends them.
#include "tests/support/catch.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/runbook.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

constexpr auto* token_text = "a-token-for-the-operator";

// A browser at the admin port. Its requests have the origin of the page.
struct browser {
  explicit browser(hub& at, std::string token = {})
      : client(at.admin()),
        origin("http://localhost:" + std::to_string(at.admin())),
        authorization(token.empty() ? "" : "Authorization: Bearer " + token + "\r\n") {}

  api_answer post(const std::string& path, const json& body = nullptr,
                  const std::string& site = "same-origin") {
    const auto host = origin.substr(origin.find("//") + 2);
    client.send("POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\nOrigin: " + origin +
                "\r\nSec-Fetch-Site: " + site + "\r\n" + authorization +
                "Content-Length: " + std::to_string(body.is_null() ? 0 : body.dump().size()) +
                "\r\n\r\n" + (body.is_null() ? "" : body.dump()));
    return client.answer().value();
  }
  json list(const std::string& path, const json& body = json::object()) {
    const auto said = post(path, body);
    INFO(said.body);
    CHECK(said.status == 200);
    return said.json();
  }

  api_client client;
  std::string origin, authorization;
};

struct guarded_hub {
  temporary_folder folder;
  std::string token_file = folder.path() + "/token";
  hub at{[this]() -> std::vector<std::string> {
    std::ofstream{token_file} << token_text << '\n';
    return {"--admin-token-file", token_file};
  }()};
};

TEST_CASE("operators: without a token on loopback the page has games, boards and orders at once") {
  hub at;
  http_table t{at};
  t.begin();
  t.play(0, 1);
  browser page{at};
  CHECK(page.client.get("/").body.starts_with("<!doctype html>"));
  CHECK(page.client.get("/operators.js").status == 200);
  const auto games = page.list("/games", {{"status", "running"}})["games"];
  REQUIRE(games.size() == 1);
  const auto game = page.list("/game", {{"game", games[0]["game"]}});
  CHECK(game["engine"] == "tictactoe");
  CHECK(game["status"] == "running");
  CHECK(game["players"] == json::parse(R"(["stan","kyle"])"));
  CHECK(game["rows"] == 3);
  CHECK(game["columns"] == 3);
  CHECK(game["board"] == "X--------");
  CHECK(game["to_move"] == json::parse("[1]"));
  CHECK(game["outcome"].is_null());
  for (const auto* path : {"/sanctions", "/ban", "/say"})
    CHECK(page.post(path, json::object()).status == 403);
  CHECK(page.post("/games/" + t.game + "/end?reason=it+is+late").status == 202);
  at.await_count("gamehub_games_running", {}, 0);
  const auto ended = page.list("/game", {{"game", games[0]["game"]}});
  CHECK(ended["status"] == "ended");
  CHECK(ended["outcome"]["reason"] == "operator");
  CHECK(page.post("/game", {{"game", 99'999'999}}).status == 404);
  const auto orders = page.list("/orders")["orders"];
  REQUIRE(orders.size() == 1);
  CHECK(orders[0]["order"] == "end");
  CHECK(orders[0]["target"] == "game " + t.game);
  CHECK(orders[0]["reason"] == "it is late");
  CHECK(orders[0]["address"] == "127.0.0.1");
  CHECK(orders[0]["page"] == true);
  CHECK(orders[0]["status"] == 202);
}

TEST_CASE("operators: a page of another origin can do nothing, also with the token") {
  guarded_hub g;
  browser own{g.at, token_text};
  const auto port = g.at.admin();
  const auto origins = {std::string{"https://evil.example"}, std::string{"null"},
                        "http://localhost:" + std::to_string(port - 1),
                        "http://127.0.0.1:" + std::to_string(port)};
  for (const auto& origin : origins) {
    INFO(origin);
    browser other{g.at, token_text};
    const auto host = other.origin.substr(other.origin.find("//") + 2);
    for (const auto* path : {"/drain", "/games", "/say", "/games/1/end?reason=x", "/arena/runs"}) {
      INFO(path);
      other.client.send("POST " + std::string{path} + " HTTP/1.1\r\nHost: " + host +
                        "\r\nOrigin: " + origin + "\r\nSec-Fetch-Site: same-origin\r\n" +
                        other.authorization + "Content-Length: 0\r\n\r\n");
      CHECK(other.client.answer().value().status == 403);
    }
  }
  CHECK(own.post("/drain", nullptr, "same-site").status == 403);
  CHECK(own.post("/drain", nullptr, "cross-site").status == 403);
  CHECK(g.at.count("gamehub_admin_refusals_total", {{"reason", "web-page"}}) == 22);
  CHECK(g.at.get("/readyz").status == 200);
  CHECK(own.list("/orders")["orders"].empty());
  browser without{g.at};
  CHECK(without.post("/games", json::object()).status == 401);
  CHECK(without.post("/orders", json::object()).status == 401);
}

TEST_CASE(
    "operators: with the token the page lists the players, page by page and by a part of a name") {
  guarded_hub g;
  http_table t{g.at};
  CHECK(t.o.post("/api/rename", "&name=kai").status == 200);
  browser page{g.at, token_text};
  CHECK(browser{g.at}.post("/players", json::object()).status == 401);
  const auto all = page.list("/players");
  REQUIRE(all["players"].size() == 2);
  CHECK(all["next"].is_null());
  CHECK(all["players"][0]["name"] == "stan");
  CHECK(all["players"][0]["waits_on"] == "http");
  CHECK(all["players"][1]["waits_on"].is_null());
  const auto first = page.list("/players", {{"limit", 1}});
  CHECK(first["players"].size() == 1);
  CHECK(page.list("/players", {{"limit", 1}, {"after", first["next"]}})["players"][0] ==
        all["players"][1]);
  // A former name finds its player, too.
  for (const auto* part : {"ka", "yl"}) {
    const auto found = page.list("/players", {{"name", part}})["players"];
    REQUIRE(found.size() == 1);
    CHECK(found[0]["name"] == "kai");
    CHECK(found[0]["former_names"] == json{"kyle"});
  }
  CHECK(t.x.post("/api/quit").status == 200);
}

TEST_CASE("operators: with the token the page imposes sanctions and drains") {
  guarded_hub g;
  browser page{g.at, token_text};
  CHECK(page.post("/ban", {{"name", "eve"}, {"reason", "rude"}}).status == 200);
  CHECK(page.list("/sanctions")["sanctions"][0]["whom"] == "eve");
  CHECK(page.post("/unban", {{"name", "mallory"}}).status == 404);
  const auto orders = page.list("/orders")["orders"];
  REQUIRE(orders.size() == 2);
  CHECK(orders[0]["status"] == 404);
  CHECK(orders[1]["target"] == "eve");
  CHECK(orders[1]["reason"] == "rude");
  CHECK(page.post("/drain").status == 202);
  CHECK(g.at.wait() == 0);
  CHECK(g.at.process().errors().find("an order came to the admin port order=drain") !=
        std::string::npos);
  CHECK(g.at.process().errors().find("an order came to the admin port order=ban target=eve "
                                     "address=127.0.0.1 page=true status=200") !=
        std::string::npos);
}

}  // namespace
}  // namespace gamehub::tests::system
