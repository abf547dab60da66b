#include "hub/admin/pages.hpp"

#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::admin {
namespace {

admin_sources well() {
  return {[] { return std::string{"a_metric 1\n"}; }, [] { return health{}; },
          [] { return std::optional<std::string>{}; }};
}

page asked(const admin_sources& from, std::string_view method, std::string_view target) {
  return std::get<page>(answer(from, {method, target}));
}

TEST_CASE("pages: serve metrics, liveness and readiness") {
  CHECK(asked(well(), "GET", "/metrics").body == "a_metric 1\n");
  CHECK(asked(well(), "GET", "/metrics").type == "text/plain; version=0.0.4; charset=utf-8");
  CHECK(asked(well(), "GET", "/healthz").body == "ok\n");
  CHECK(asked(well(), "GET", "/readyz").body == "ready\n");
  CHECK(asked(well(), "HEAD", "/readyz?verbose").status == 200);
}

TEST_CASE("pages: have the status as JSON, where the hub gives one") {
  CHECK(asked(well(), "GET", "/status.json").status == 404);
  auto counted = well();
  counted.status = [] {
    hub_status s;
    s.games_running = 3;
    return s;
  };
  const auto answered = asked(counted, "GET", "/status.json");
  CHECK(answered.status == 200);
  CHECK(answered.type == "application/json");
  const auto read = read_status(answered.body);
  REQUIRE(read);
  CHECK(read->games_running == 3);
  CHECK(asked(counted, "POST", "/status.json").allow == "GET, HEAD");
}

TEST_CASE("pages: name every loop that fails") {
  auto ill = well();
  ill.healthy = [] { return health{{"loop 0 stands still", "loop 2 stands still"}}; };
  const auto said = asked(ill, "GET", "/healthz");
  CHECK(said.status == 503);
  CHECK(said.body == "loop 0 stands still\nloop 2 stands still\n");
  CHECK(asked(ill, "GET", "/readyz").status == 200);
}

TEST_CASE("pages: give the reason why no players are taken") {
  auto leaving = well();
  leaving.unready = [] { return std::optional<std::string>{"draining"}; };
  const auto said = asked(leaving, "GET", "/readyz");
  CHECK(said.status == 503);
  CHECK(said.body == "draining\n");
  CHECK(asked(leaving, "GET", "/healthz").status == 200);
}

TEST_CASE("pages: keep the way to a hub that drains, while it needs it") {
  auto leaving = well();
  CHECK(asked(leaving, "GET", "/servingz").body == "serving\n");
  leaving.unready = [] { return std::optional<std::string>{"draining"}; };
  CHECK(asked(leaving, "GET", "/servingz").status == 503);
  leaving.unserved = [] { return std::optional<std::string>{}; };
  CHECK(asked(leaving, "GET", "/servingz").status == 200);
  CHECK(asked(leaving, "GET", "/readyz").status == 503);
  leaving.unserved = leaving.unready;
  CHECK(asked(leaving, "GET", "/servingz").body == "draining\n");
}

TEST_CASE("pages: report the start, regardless of later failures") {
  CHECK(asked(well(), "GET", "/startupz").body == "started\n");
  auto recovering = well();
  recovering.starting = [] { return std::optional<std::string>{"recovering: 5 of 9 games"}; };
  CHECK(asked(recovering, "GET", "/startupz").status == 503);
  CHECK(asked(recovering, "GET", "/startupz").body == "recovering: 5 of 9 games\n");
  CHECK(asked(recovering, "GET", "/healthz").status == 200);
  auto ill = well();
  ill.unready = [] { return std::optional<std::string>{"journal: no room"}; };
  CHECK(asked(ill, "GET", "/startupz").status == 200);
}

TEST_CASE("pages: a request for a host that is not this server's is misdirected") {
  auto named = well();
  named.arena = [](std::string_view, std::string_view) { return page{200, "", "arena"}; };
  const auto status_for = [&](const char* method, const char* target, const char* host) {
    admin_request r{method, target};
    r.host = host;
    return std::get<page>(answer(named, r)).status;
  };
  for (const auto* target :
       {"/arena", "/metrics", "/healthz", "/readyz", "/startupz", "/nothing"}) {
    INFO(target);
    CHECK(status_for("GET", target, "rebind.evil.example") == 421);
    CHECK(status_for("GET", target, "gamehub-pods.gamehub.svc:9464") == 421);
  }
  for (const auto* own : {"127.0.0.1:9464", "10.0.0.7:9464", "[::1]:9464", "localhost"})
    CHECK(status_for("GET", "/arena", own) == 200);
  named.hosts = {".gamehub-pods.gamehub.svc"};
  CHECK(status_for("GET", "/arena", "gamehub-0.gamehub-pods.gamehub.svc:9464") == 200);
  CHECK(status_for("GET", "/arena", "rebind.evil.example") == 421);
  int drained = 0;
  named.drain = [&] { ++drained; };
  CHECK(status_for("POST", "/drain", "rebind.evil.example") == 421);
  CHECK(drained == 0);
  admin_request foreign{"GET", "/arena"};
  foreign.host = "rebind.evil.example";
  const auto why = std::get<page>(answer(named, foreign)).body;
  CHECK(why.find("--admin-host") != why.npos);
  CHECK(why.find("evil") == why.npos);
}

TEST_CASE("pages: drain the hub by POST alone, and never for a web page") {
  int told = 0;
  auto obedient = well();
  obedient.drain = [&] { ++told; };
  CHECK(asked(obedient, "GET", "/drain").status == 405);
  CHECK(asked(obedient, "GET", "/drain").allow == "POST");
  CHECK(std::get<page>(answer(obedient, {"POST", "/drain", true})).status == 403);
  CHECK(told == 0);
  CHECK(asked(obedient, "POST", "/drain").status == 202);
  CHECK(asked(obedient, "POST", "/drain").body == "draining\n");
  CHECK(told == 2);
  CHECK(asked(well(), "POST", "/drain").status == 405);
}

TEST_CASE("pages: refuse other targets and other methods") {
  CHECK(asked(well(), "GET", "/").type == "text/html; charset=utf-8");
  CHECK(asked(well(), "POST", "/").allow == "GET, HEAD");
  CHECK(asked(well(), "GET", "/index.html").status == 404);
  CHECK(asked(well(), "GET", "").status == 404);
  CHECK(asked(well(), "GET", "/metrics/").status == 404);
  CHECK(asked(well(), "POST", "/metrics").status == 405);
  CHECK(asked(well(), "DELETE", "/nothing").status == 405);
}

TEST_CASE("pages: survive a source that fails") {
  auto broken = well();
  broken.metrics = []() -> std::string { throw std::runtime_error{"no numbers"}; };
  CHECK(asked(broken, "GET", "/metrics").status == 500);
  CHECK(asked(broken, "GET", "/metrics").body == "no numbers\n");
}

admin_sources with_games() {
  auto out = well();
  out.end_game = [](game_id, const std::string&, const admin_sources::found&) {};
  return out;
}

TEST_CASE("pages: parse a request to end a game") {
  const auto said = answer(with_games(), {"POST", "/games/17/end?reason=clean%20up+%c3%a9"});
  const auto& wanted = std::get<end_request>(said);
  CHECK(wanted.game == game_id{17});
  CHECK(wanted.reason == "clean up \xc3\xa9");
  CHECK(end_page(wanted, true).status == 202);
  CHECK(end_page(wanted, true).body == "game 17 is told to end\n");
  CHECK(end_page(wanted, false).status == 404);
  CHECK(end_page(wanted, false).body == "no game 17 runs here\n");
  CHECK(end_page(wanted, std::nullopt).status == 504);
}

TEST_CASE("pages: take the longest reason and no longer one") {
  const std::string longest(limits::end_note_bytes_max, 'x');
  const std::string target = "/games/17/end?reason=";
  CHECK(std::holds_alternative<end_request>(answer(with_games(), {"POST", target + longest})));
  CHECK(asked(with_games(), "POST", target + longest + "x").status == 400);
}

TEST_CASE("pages: explain what is wrong with a request to end a game") {
  for (const auto* target :
       {"/games/x/end?reason=a", "/games//end?reason=a", "/games/0/end?reason=a",
        "/games/-1/end?reason=a", "/games/18446744073709551616/end?reason=a", "/games/1/end",
        "/games/1/end?", "/games/1/end?reason=", "/games/1/end?why=a", "/games/1/end?reason=a&b=c",
        "/games/1/end?reason=%0a", "/games/1/end?reason=%4", "/games/1/end?reason=%zz",
        "/games/1/end?reason=%c3", "/games/1/end?reason=%ff"}) {
    INFO(target);
    const auto said = asked(with_games(), "POST", target);
    CHECK(said.status == 400);
    CHECK(said.body.size() > 10);
  }
}

// RFC 3629, 3 and 4: only the shortest form of a character, and no surrogates.
TEST_CASE("pages: refuse a reason with overlong forms or surrogates, which are not UTF-8") {
  for (const auto* reason : {"%c0%af", "%e0%80%af", "%e0%9f%bf", "%f0%80%80%af", "%f0%8f%bf%bf",
                             "%ed%a0%80", "%ed%bf%bf", "%f4%90%80%80"}) {
    INFO(reason);
    CHECK(asked(with_games(), "POST", std::string{"/games/1/end?reason="} + reason).status == 400);
  }
  for (const auto* reason :
       {"%e0%a0%80", "%ed%9f%bf", "%ee%80%80", "%f0%90%80%80", "%f4%8f%bf%bf"}) {
    INFO(reason);
    CHECK(std::holds_alternative<end_request>(
        answer(with_games(), {"POST", std::string{"/games/1/end?reason="} + reason})));
  }
}

TEST_CASE("pages: end games by POST alone, and never for a web page") {
  const auto* target = "/games/17/end?reason=x";
  CHECK(asked(with_games(), "GET", target).status == 405);
  CHECK(asked(with_games(), "GET", target).allow == "POST");
  CHECK(asked(with_games(), "POST", "/metrics").allow == "GET, HEAD");
  CHECK(std::get<page>(answer(with_games(), {"POST", target, true})).status == 403);
  CHECK(asked(well(), "POST", target).status == 405);
  CHECK(asked(with_games(), "GET", "/games/17").status == 404);
  CHECK(asked(with_games(), "GET", "/games/1/2/end").status == 404);
  CHECK(asked(with_games(), "GET", "/games/end").status == 404);
}

admin_sources with_token() {
  auto out = with_games();
  out.drain = [] {};
  out.token = "the word";
  out.carry_out = [](const operator_command&, const std::function<void(command_answer)>&) {};
  out.arena = [](std::string_view, std::string_view) { return page{200, "text/plain", "it"}; };
  return out;
}

constexpr const char* bearer = "Bearer the word";

page commanded(std::string_view path, std::string_view body, std::string_view who = bearer) {
  return std::get<page>(answer(with_token(), {"POST", path, false, who, body}));
}

TEST_CASE("pages: accept commands with the token only") {
  const auto said =
      answer(with_token(), {"POST", "/ban", false, bearer, R"({"name":"eve","reason":"rude"})"});
  const auto& command = std::get<operator_command>(said);
  CHECK(command.what == operator_command::verb::ban);
  CHECK(command.name == "eve");
  CHECK(command.reason == "rude");
  for (const auto* who : {"", "Bearer", "Bearer the wor", "Bearer the work", "the word",
                          "Bearer the word and more"}) {
    CHECK(commanded("/ban", R"({"name":"eve"})", who).status == 401);
    CHECK(commanded("/ban", R"({"name":"eve"})", who).challenge == "Bearer");
    CHECK(commanded("/drain", "", who).status == 401);
    CHECK(commanded("/arena/runs", "", who).status == 401);
    CHECK(commanded("/arena/forget", R"({"bot":"dot"})", who).status == 401);
    CHECK(commanded("/games/17/end?reason=x", "", who).status == 401);
  }
  CHECK(commanded("/drain", "").status == 202);
  CHECK(commanded("/arena/runs", "").status == 200);
  CHECK(asked(with_token(), "GET", "/arena").status == 401);
  CHECK(std::get<page>(answer(with_token(), {"GET", "/arena", false, bearer, ""})).status == 200);
  CHECK(std::get<page>(answer(with_token(), {"POST", "/say", true, bearer, "{}"})).status == 403);
  auto none = with_token();
  none.token.clear();
  CHECK(std::get<page>(answer(none, {"POST", "/say", false, "Bearer ", "{}"})).status == 403);
  CHECK(std::get<page>(answer(none, {"POST", "/drain"})).status == 202);
  CHECK(asked(well(), "POST", "/ban").status == 405);
  // As tournaments: without a token it needs none.
  const auto forget =
      answer(none, {"POST", "/arena/forget", false, "", R"({"owner":"192.0.2.7"})"});
  CHECK(std::get<operator_command>(forget).what == operator_command::verb::forget_bots);
  CHECK(std::get<operator_command>(forget).owner == "192.0.2.7");
  CHECK(std::get<page>(answer(none, {"POST", "/arena/forget", true, "", "{}"})).status == 403);
}

TEST_CASE("pages: only a page of this server is no foreign page") {
  constexpr auto own = "same-origin";
  const auto foreign = [](std::optional<std::string_view> host,
                          std::optional<std::string_view> origin, std::string_view site) {
    return is_from_foreign_page(host, origin, site);
  };
  CHECK_FALSE(foreign("127.0.0.1:9464", "http://127.0.0.1:9464", own));
  CHECK_FALSE(foreign("localhost:9464", "http://localhost:9464", own));
  CHECK_FALSE(foreign("[::1]:9464", "http://[::1]:9464", own));
  CHECK_FALSE(foreign("hub.example", "https://hub.example", own));
  // Another site, another port, another name of the same machine, another scheme, a sandbox.
  for (const auto* origin :
       {"https://evil.example", "http://localhost:3000", "http://localhost",
        "http://127.0.0.1:9464", "http://localhost:9464.evil.example", "http://evil.example:9464",
        "file://localhost:9464", "chrome-extension://localhost:9464", "http://localhost:9464/",
        "HTTP://localhost:9464", "localhost:9464", "null", "", "?"}) {
    INFO(origin);
    CHECK(foreign("localhost:9464", origin, own));
  }
  // The browser says that the page is another one, or does not say it.
  for (const auto* site : {"", "cross-site", "same-site", "none", "?", "Same-Origin"}) {
    INFO(site);
    CHECK(foreign("localhost:9464", "http://localhost:9464", site));
  }
  CHECK(foreign(std::nullopt, "http://", own));
  CHECK(foreign("", "http://", own));
  // Programs send neither field; a browser that leaves out Origin is told by the other one.
  CHECK_FALSE(foreign("localhost:9464", std::nullopt, ""));
  CHECK_FALSE(foreign(std::nullopt, std::nullopt, ""));
  CHECK_FALSE(foreign("localhost:9464", std::nullopt, "none"));
  CHECK(foreign("localhost:9464", std::nullopt, "cross-site"));
  CHECK(foreign("localhost:9464", std::nullopt, "same-site"));
}

TEST_CASE("pages: a hub without a token lists games and orders, and no sanctions") {
  auto none = with_token();
  none.token.clear();
  const auto result = [&](std::string_view path, std::string_view body, bool from_web_page) {
    return answer(none, {"POST", path, from_web_page, "", body});
  };
  for (const auto& [path, body] :
       {std::pair{"/games", "{}"}, {"/game", R"({"game":17})"}, {"/orders", "{}"}}) {
    INFO(path);
    CHECK(std::holds_alternative<operator_command>(result(path, body, false)));
    CHECK(std::get<page>(result(path, body, true)).status == 403);
    CHECK(commanded(path, body, "").status == 401);
  }
  for (const auto* path : {"/players", "/sanctions", "/ban", "/mute", "/say"}) {
    INFO(path);
    CHECK(std::get<page>(result(path, "{}", false)).status == 403);
  }
}

TEST_CASE("pages: parse a look at a game") {
  const auto read = [](std::string_view path, std::string_view body) {
    return std::get<operator_command>(answer(with_token(), {"POST", path, false, bearer, body}));
  };
  CHECK(read("/game", R"({"game":17})").what == operator_command::verb::show_game);
  CHECK(read("/game", R"({"game":17})").game == game_id{17});
  CHECK(read("/orders", "").what == operator_command::verb::list_orders);
  const auto players = read("/players", R"({"name":"an","after":17,"limit":5})");
  CHECK(players.what == operator_command::verb::list_players);
  CHECK(players.name == "an");
  CHECK(players.after == player_id{17});
  CHECK(players.limit == 5);
}

TEST_CASE("pages: a drain and a change below /arena are orders, refused requests are not") {
  const auto drained = commanded("/drain", "");
  REQUIRE(drained.done);
  CHECK(drained.done->verb == "drain");
  CHECK_FALSE(commanded("/drain", "", "").done);
  const auto begun = commanded("/arena/runs?engine=nim", "");
  REQUIRE(begun.done);
  CHECK(begun.done->verb == "arena");
  CHECK(begun.done->target == "/arena/runs?engine=nim");
  CHECK_FALSE(std::get<page>(answer(with_token(), {"GET", "/arena", false, bearer, ""})).done);
}

TEST_CASE("pages: explain what is wrong with a command") {
  for (const auto& [path, body] : std::vector<std::pair<const char*, const char*>>{
           {"/ban", ""},
           {"/ban", "{}"},
           {"/ban", "eve"},
           {"/ban", R"(["eve"])"},
           {"/ban", R"({"name":"eve","address":"10.0.0.1"})"},
           {"/ban", R"({"name":7})"},
           {"/ban", R"({"name":"a\nb"})"},
           {"/ban", R"({"name":"eve","why":"rude"})"},
           {"/unban", R"({"name":"eve","reason":"rude"})"},
           {"/mute", R"({"address":"10.0.0.1"})"},
           {"/say", "{}"},
           {"/games", R"({"status":"lost"})"},
           {"/games", R"({"limit":1000})"},
           {"/games", R"({"before":-1})"},
           {"/game", "{}"},
           {"/game", R"({"game":0})"},
           {"/game", R"({"game":"17"})"},
           {"/orders", R"({"limit":1})"},
           {"/arena/forget", "{}"},
           {"/arena/forget", R"({"bot":"dot","owner":"ann"})"},
           {"/arena/forget", R"({"name":"dot"})"},
           {"/sanctions", R"({"name":"eve"})"}}) {
    INFO(path << ' ' << body);
    CHECK(commanded(path, body).status == 400);
  }
  const auto get = std::get<page>(answer(with_token(), {"GET", "/ban", false, bearer}));
  CHECK(get.status == 405);
  CHECK(get.allow == "POST");
}

}  // namespace
}  // namespace gamehub::admin
