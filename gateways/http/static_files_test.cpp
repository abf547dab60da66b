#include "gateways/http/static_files.hpp"

#include "gateways/http/game_preview.hpp"
#include "gateways/http/http_limits.hpp"
#include "hub/base/digest.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <string>

using namespace gamehub;
using namespace gamehub::gateways::http;

namespace {

const static_file& front() {
  const auto* found = find_static_file("/");
  REQUIRE(found != nullptr);
  return *found;
}

response requested(std::string_view accept_encoding, std::string_view if_none_match = {}) {
  request r;
  r.accept_encoding = accept_encoding;
  r.if_none_match = if_none_match;
  return page_answer(front(), r);
}

std::string header_of(const response& r, std::string_view name) {
  const auto at = std::find_if(r.fields.begin(), r.fields.end(),
                               [name](const auto& each) { return each.name == name; });
  return at == r.fields.end() ? "" : at->value;
}

const static_file& named(std::string_view name) {
  const auto all = page_files();
  const auto at = std::find_if(all.begin(), all.end(),
                               [name](const auto& each) { return each.path.ends_with(name); });
  REQUIRE(at != all.end());
  return *at;
}

// Returns what a browser gets that asks for this path as a page and meets this error.
std::optional<response> error_page(const error& e, std::string_view path,
                                   std::string_view accept = "text/html,*/*;q=0.8") {
  request r;
  r.method = "GET";
  r.path = path;
  r.accept = accept;
  return page_of_error(e, r);
}

error not_found() {
  auto e = bad_request("no such path: GET /api/openapi.json");
  e.status = 404;
  return e;
}

}  // namespace

TEST_CASE("http page: has a size limit") {
  std::size_t bytes = 0;
  for (const auto& each : page_files()) {
    INFO(each.path << ": " << each.plain.size() << " bytes, " << each.gzipped.size());
    CHECK(each.plain.size() > 0);
    CHECK(each.gzipped.size() > 0);
    bytes += each.gzipped.size();
  }
  INFO("together " << bytes);
  CHECK(bytes < limits::http_page_bytes_max);
}

TEST_CASE("http page: finds each file with its type") {
  CHECK(front().content_type == "text/html; charset=utf-8");
  CHECK(front().plain.starts_with("<!doctype html>"));
  std::set<std::string_view> tags;
  for (const auto& each : page_files()) {
    CHECK(find_static_file(each.path) == &each);
    CHECK(each.etag.starts_with("W/\""));
    tags.insert(each.etag);
  }
  CHECK(tags.size() == page_files().size());
  for (const auto* path : {"", "index.html", "/index.html", "//", "/../", "/x.js"})
    CHECK(find_static_file(path) == nullptr);
}

TEST_CASE("http page: index.html names every file but the worker, in one folder of a version") {
  CHECK(page_files().size() == 6);
  const auto folder = named("/main.js").path.substr(0, sizeof "/v/0123456789ab/" - 1);
  for (const auto& each : page_files()) {
    if (each.path == "/") continue;
    INFO(each.path);
    CHECK(each.path.starts_with(folder));
    const auto name = '"' + std::string{each.path.substr(1)} + '"';
    CHECK((front().plain.find(name) != std::string::npos) == !each.path.ends_with("/worker.js"));
  }
  CHECK(front().plain.find("\"@/") == std::string::npos);
}

TEST_CASE("http page: a second visit asks for one file") {
  request r;
  r.path = named("/main.js").path;
  CHECK(page_answer(named("/main.js"), r).cache_control == "public, max-age=31536000, immutable");
  r.path = "/favicon.ico";
  REQUIRE(find_static_file(r.path) == &named("/icon.svg"));
  CHECK(page_answer(named("/icon.svg"), r).cache_control == "no-cache");
}

TEST_CASE("http page: a bundle has its modules and no import") {
  const auto& text = named("/main.js").plain;
  for (const auto* module : {"in_main", "in_words", "in_feed"})
    CHECK(text.find("const " + std::string{module} + " = (") != text.npos);
  for (const auto* rest : {"\nimport ", "\nexport "}) CHECK(text.find(rest) == text.npos);
  CHECK(named("/worker.js").plain.find("const in_words") == text.npos);
}

TEST_CASE("http page: a browser that asks for a page gets sentences, and a program gets JSON") {
  const auto page = error_page(not_found(), "/x");
  REQUIRE(page);
  CHECK(page->status == 404);
  CHECK(page->content_type == "text/html; charset=utf-8");
  CHECK(page->body.find("There is no such page") != std::string::npos);
  CHECK(page->body.find("openapi") == std::string::npos);
  CHECK_FALSE(error_page(not_found(), "/x", "*/*"));

  const auto banned = error_page(kept_out(), "/");
  REQUIRE(banned);
  CHECK(banned->status == 403);
  CHECK(banned->body.find("The operator of this hub does not let you play from this network "
                          "address, until the ban of it is lifted.</p>") != std::string::npos);
  CHECK(banned->body.find("lobby") == std::string::npos);

  const auto full = error_page(from(refusal::hub_full), "/");
  REQUIRE(full);
  CHECK(header_of(*full, "Retry-After") == "5");
  CHECK(full->body.find("<p>The hub is full.</p>") != std::string::npos);
  CHECK(full->body.find("loaded again in 5 seconds.") != std::string::npos);
  CHECK(full->body.find("<meta http-equiv=\"refresh\" content=\"5\">") != std::string::npos);
  CHECK(error_page(bad_request("a < b & c"), "/")->body.find("A &lt; b &amp; c.") !=
        std::string::npos);
}

TEST_CASE("http page: a page of sentences has its style in itself, and nothing else (M11)") {
  const auto banned = error_page(kept_out(), "/game/17");
  REQUIRE(banned);
  CHECK(banned->body.size() < 1'500);
  for (const auto* fetched : {"src=", "href=", "url(", "@import", "<script"})
    CHECK(banned->body.find(fetched) == std::string::npos);
  const auto begin = banned->body.find("<style>") + 7;
  const auto style = banned->body.substr(begin, banned->body.find("</style>") - begin);
  CHECK(style.find("prefers-color-scheme:dark") != std::string::npos);
  const auto policy = header_of(*banned, "Content-Security-Policy");
  CHECK(policy.starts_with("default-src 'none'; style-src 'sha256-" +
                           base::base64(base::sha256(style)) + "'; "));
  CHECK(policy.find("script-src") == policy.npos);
}

TEST_CASE("http page: an error of the API is JSON, also for a program that accepts HTML (M11)") {
  for (const auto* path : {"/api/engines", "/tictactoe/api/play", "/rpc"})
    CHECK_FALSE(error_page(kept_out(), path));
  for (const auto* path : {"/", "/game/17", "/api", "/favicon.ico"})
    CHECK(error_page(kept_out(), path));
}

TEST_CASE("http page: the path of a game leads to its view, for each client that takes a page") {
  const auto game_of = [](std::string_view path, std::string_view accept, std::string_view method) {
    request r;
    r.method = method;
    r.path = path;
    r.accept = accept;
    return previewed_game(r);
  };
  CHECK(game_of("/game/17", "text/html,*/*;q=0.8", "GET") == game_id{17});
  CHECK(game_of("/game/17", "*/*", "HEAD") == game_id{17});
  CHECK_FALSE(game_of("/game/17", "application/json", "GET"));
  CHECK_FALSE(game_of("/game/17", "", "GET"));
  CHECK_FALSE(game_of("/game/17", "text/html", "POST"));
  for (const auto* path : {"/game/", "/game/1x", "/game/1/2", "/games/1", "/game/-1"})
    CHECK_FALSE(game_of(path, "text/html", "GET"));
}

TEST_CASE("http page: a shared game is shown with its players and how it stands") {
  game_snapshot found;
  auto game = std::make_shared<game_metadata>();
  game->players = {"Ann <b>", "Bob \"B\""};
  found.progress = {game, game_status::running, 7};
  const auto has = [&](const game_snapshot* what, const std::string& part) {
    const auto page = preview_page({17}, what, "Othello");
    INFO(page.body);
    CHECK(page.body.find(part) != std::string::npos);
    CHECK(page.status == 200);
  };
  has(&found,
      "<meta property=\"og:title\" content=\"Othello: Ann &lt;b> \u2013 Bob &quot;B&quot;\">");
  has(&found, "<meta property=\"og:description\" content=\"Being played.\">");
  has(&found, "<meta http-equiv=\"refresh\" content=\"0; url=/#/game/17\">");
  found.position.summary = "Black leads by 2 discs.";
  has(&found, "content=\"Being played. Black leads by 2 discs.\">");
  found.progress.status = game_status::ended;
  found.position.outcome = outcome{end_reason::rules, 0, {}};
  has(&found, "content=\"Ann &lt;b> won. Black");
  found.position.outcome = outcome{end_reason::rules, {}, {}};
  has(&found, "content=\"A draw. Black");
  found.position.outcome = outcome{end_reason::failed, {}, {}};
  has(&found, "content=\"Over. Black");
  found.progress.status = game_status::waiting;
  game->players = {"", "Ann"};
  has(&found, "og:title\" content=\"Othello: Ann\">");
  has(&found, "Waits for another player.");
  game->closed = true;
  has(&found, "og:title\" content=\"A game at gamehub\">");
  has(nullptr, "og:title\" content=\"A game at gamehub\">");
}

TEST_CASE("http page: sites that a setting names may show it in a frame, and no others") {
  request r;
  const auto policy = header_of(page_answer(front(), r, "https://a.example https://b.example"),
                                "Content-Security-Policy");
  CHECK(policy.ends_with("; frame-ancestors https://a.example https://b.example"));
}

TEST_CASE("http page: is fetched from nowhere else") {
  for (const auto& each : page_files()) {
    INFO(each.path);
    auto text = std::string{each.plain};
    // A namespace URI is an identifier and is not fetched.
    for (const std::string name : {"http://www.w3.org/2000/svg"})
      for (auto at = text.find(name); at != text.npos; at = text.find(name))
        text.erase(at, name.size());
    CHECK(text.find("http://") == text.npos);
    CHECK(text.find("https://") == text.npos);
    CHECK(text.find("innerHTML") == text.npos);
  }
}

TEST_CASE("http page: is compressed if the client accepts gzip") {
  for (const auto* accepts : {"gzip", "br, gzip", "gzip;q=0.5", "deflate , gzip ; q=1.0, br"}) {
    const auto r = requested(accepts);
    CHECK(header_of(r, "Content-Encoding") == "gzip");
    CHECK(r.body == front().gzipped);
  }
  for (const auto* accepts : {"", "br", "gzip;q=0", "gzip;q=0.000", "xgzip", "identity"}) {
    const auto r = requested(accepts);
    CHECK(header_of(r, "Content-Encoding").empty());
    CHECK(r.body == front().plain);
  }
  CHECK(header_of(requested(""), "Vary") == "Accept-Encoding");
}

TEST_CASE("http page: a current copy gets 304") {
  const std::string tag{front().etag};
  CHECK(requested("").cache_control == "no-cache");
  CHECK(header_of(requested(""), "ETag") == tag);
  for (const auto& has : {tag, "\"x\", " + tag, std::string{"*"}}) {
    const auto r = requested("gzip", has);
    CHECK(r.status == 304);
    CHECK(r.body.empty());
    CHECK(header_of(r, "ETag") == tag);
  }
  CHECK(requested("", "W/\"other\"").status == 200);
  CHECK(requested("", ",").status == 200);
}

TEST_CASE("http page: allows scripts of the hub only, and no frames") {
  const auto policy = header_of(requested(""), "Content-Security-Policy");
  for (const auto* part : {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'",
                           "require-trusted-types-for 'script'", "trusted-types gamehub"})
    CHECK(policy.find(part) != policy.npos);
  CHECK(policy.find("unsafe") == policy.npos);
}
