#include "hub/admin/admin.hpp"

#include "hub/admin/guess_limiter.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/settings.hpp"
#include "tests/support/catch.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace gamehub::admin {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

admin_sources healthy() {
  return {[] { return std::string{"a_metric 1\n"}; }, [] { return health{}; },
          [] { return std::optional<std::string>{}; }};
}

// A client that writes bytes and reads what comes.
class client {
 public:
  explicit client(const admin& to) : socket_(io_) {
    socket_.connect({asio::ip::make_address("127.0.0.1"), to.port()});
  }

  void write(std::string_view bytes) {
    boost::system::error_code closed;
    asio::write(socket_, asio::buffer(bytes), closed);
  }
  // One answer whose body ends with a known text; nothing if the server closed first.
  std::string read_until(std::string_view end) {
    boost::system::error_code closed;
    const auto size =
        asio::read_until(socket_, asio::dynamic_buffer(rest_), std::string{end}, closed);
    auto out = rest_.substr(0, size);
    rest_.erase(0, size);
    return out;
  }
  // All that comes until the server closes.
  std::string read_all() {
    boost::system::error_code end;
    std::string out = std::exchange(rest_, {});
    for (char bytes[4096]; !end;) out.append(bytes, socket_.read_some(asio::buffer(bytes), end));
    return out;
  }
  std::string ask_bytes(std::string_view request) {
    write(request);
    return read_all();
  }
  std::string ask(std::string_view method, std::string_view target) {
    write(std::string{method} + " " + std::string{target} +
          " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    return read_all();
  }

 private:
  asio::io_context io_;
  tcp::socket socket_;
  std::string rest_;
};

bool starts(const std::string& answer, const std::string& line) {
  UNSCOPED_INFO(answer);
  return answer.starts_with("HTTP/1.1 " + line + "\r\n");
}

TEST_CASE("admin: serves its pages") {
  admin a{"127.0.0.1", 0, healthy()};
  REQUIRE(a.port() != 0);
  const auto metrics = client{a}.ask("GET", "/metrics");
  CHECK(starts(metrics, "200 OK"));
  CHECK(metrics.ends_with("\r\n\r\na_metric 1\n"));
  CHECK(starts(client{a}.ask("GET", "/readyz"), "200 OK"));
  CHECK(starts(client{a}.ask("GET", "/nothing"), "404 Not Found"));
}

TEST_CASE("admin: refuses other methods and says which it has") {
  admin a{"127.0.0.1", 0, healthy()};
  const auto refused = client{a}.ask("DELETE", "/metrics");
  CHECK(starts(refused, "405 Method Not Allowed"));
  CHECK(refused.find("Allow: GET, HEAD\r\n") != refused.npos);
}

TEST_CASE("admin: answers HEAD with the length and no body") {
  admin a{"127.0.0.1", 0, healthy()};
  const auto head = client{a}.ask("HEAD", "/metrics");
  CHECK(starts(head, "200 OK"));
  CHECK(head.find("Content-Length: 11\r\n") != head.npos);
  CHECK(head.ends_with("\r\n\r\n"));
}

TEST_CASE("admin: keeps a connection for the next request") {
  admin a{"127.0.0.1", 0, healthy()};
  client c{a};
  for (int i = 0; i < 3; ++i) {
    c.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK(starts(c.read_until("ready\n"), "200 OK"));
  }
}

TEST_CASE("admin: answers bytes that are no request and ends the connection") {
  admin a{"127.0.0.1", 0, healthy()};
  client nonsense{a};
  nonsense.write("\x16\x03\x01 hello\r\n\r\n");
  CHECK(starts(nonsense.read_all(), "400 Bad Request"));
}

TEST_CASE("admin: refuses a request for another host, and keeps the connection") {
  auto sources = healthy();
  sources.hosts = {"gamehub-pods"};
  admin a{"127.0.0.1", 0, std::move(sources)};
  client c{a};
  const auto status_for = [&](const std::string& fields) {
    c.write("GET /readyz HTTP/1.1\r\n" + fields + "\r\n");
    const auto head = c.read_until("\r\n\r\n");
    c.read_until("\n");
    return head.substr(0, head.find("\r\n"));
  };
  const std::string well_directed = "HTTP/1.1 200 OK",
                    misdirected = "HTTP/1.1 421 Misdirected Request";
  CHECK(status_for("Host: 127.0.0.1:" + std::to_string(a.port()) + "\r\n") == well_directed);
  CHECK(status_for("Host: rebind.evil.example\r\n") == misdirected);
  CHECK(status_for("Host: gamehub-pods:9464\r\n") == well_directed);
  CHECK(status_for("Host: 127.0.0.1\r\nHost: rebind.evil.example\r\n") == misdirected);
  CHECK(status_for("Host:\r\n") == misdirected);
  CHECK(status_for("") == well_directed);
}

// A server with a token, and what it reports.
struct guarded {
  std::mutex guard;
  std::vector<admin_refusal> refused;
  std::vector<std::uint64_t> logged;
  admin a{"127.0.0.1", 0, [this] {
            auto out = healthy();
            out.token = "the word";
            out.arena = [](std::string_view, std::string_view) { return page{200, "", "it\n"}; };
            out.on_refused = [this](admin_refusal why) {
              const std::lock_guard lock{guard};
              refused.push_back(why);
            };
            out.on_wrong_token = [this](const base::endpoint& from, std::uint64_t left_out) {
              const std::lock_guard lock{guard};
              if (base::is_loopback(from)) logged.push_back(left_out);
            };
            return out;
          }()};

  static std::string request(const std::string& token) {
    return "GET /arena HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
           (token.empty() ? "" : "Authorization: Bearer " + token + "\r\n") + "\r\n";
  }
  std::size_t count(admin_refusal why) {
    const std::lock_guard lock{guard};
    return static_cast<std::size_t>(std::count(refused.begin(), refused.end(), why));
  }
};

TEST_CASE("admin: few wrong tokens of an address are compared, and all are counted") {
  guarded g;
  // As many at once as there are connections, so that the pauses take the time of one.
  std::size_t wrong = 0, limited = 0;
  for (int round = 0; round < 2; ++round) {
    std::vector<std::unique_ptr<client>> guessers;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 40; ++i) {
      guessers.push_back(std::make_unique<client>(g.a));
      guessers.back()->write(guarded::request("guess" + std::to_string(i)));
    }
    for (auto& each : guessers) {
      const auto answer = each->read_all();
      if (answer.starts_with("HTTP/1.1 401 ")) ++wrong;
      if (!answer.starts_with("HTTP/1.1 429 ")) continue;
      ++limited;
      // Else one connection could have thousands of them answered in a second.
      CHECK(std::chrono::steady_clock::now() - begin >= wrong_token_pause);
      CHECK(answer.find("\r\nRetry-After: 1\r\n") != answer.npos);
    }
  }
  CHECK(wrong + limited == 80);
  CHECK(limited > 0);
  CHECK(g.count(admin_refusal::wrong_token) == wrong);
  CHECK(g.count(admin_refusal::limited) == limited);
  CHECK(g.logged == std::vector<std::uint64_t>{0});
}

TEST_CASE("admin: a wrong token is answered later than a right one, which is never limited") {
  guarded g;
  for (int i = 0; i < 100; ++i)
    CHECK(starts(client{g.a}.ask_bytes(guarded::request("the word")), "200 OK"));
  CHECK(starts(client{g.a}.ask_bytes(guarded::request("")), "401 Unauthorized"));
  CHECK(g.count(admin_refusal::no_token) == 1);
  const auto begin = std::chrono::steady_clock::now();
  CHECK(starts(client{g.a}.ask_bytes(guarded::request("a word")), "401 Unauthorized"));
  CHECK(std::chrono::steady_clock::now() - begin >= wrong_token_pause);
  CHECK(starts(client{g.a}.ask_bytes(guarded::request("the word")), "200 OK"));
  CHECK(g.count(admin_refusal::wrong_token) == 1);
  CHECK(g.count(admin_refusal::limited) == 0);
}

TEST_CASE("admin: takes no header over its bound and no body") {
  admin a{"127.0.0.1", 0, healthy()};
  client big{a};
  big.write("GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(9'000, 'x'));
  CHECK(starts(big.read_all(), "431 Request Header Fields Too Large"));
  client body{a};
  body.write("GET /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx");
  CHECK(starts(body.read_all(), "413 Payload Too Large"));
}

TEST_CASE("admin: answers a request to end a game after the reply of a loop") {
  std::mutex guard;
  std::vector<std::thread> loops;
  auto sources = healthy();
  sources.end_game = [&](game_id game, const std::string& reason,
                         const admin_sources::found& found) {
    const std::lock_guard lock{guard};
    loops.emplace_back([=] { found(game == game_id{17} && reason == "it is late"); });
  };
  admin a{"127.0.0.1", 0, std::move(sources)};
  CHECK(starts(client{a}.ask("POST", "/games/17/end?reason=it+is%20late"), "202 Accepted"));
  CHECK(starts(client{a}.ask("POST", "/games/18/end?reason=x"), "404 Not Found"));
  const auto refused = client{a}.ask("GET", "/games/17/end?reason=x");
  CHECK(starts(refused, "405 Method Not Allowed"));
  CHECK(refused.find("Allow: POST\r\n") != refused.npos);
  client page{a};
  page.write(
      "POST /games/17/end?reason=x HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil\r\n"
      "Connection: close\r\n\r\n");
  CHECK(starts(page.read_all(), "403 Forbidden"));
  client body{a};
  body.write(
      "POST /games/17/end?reason=x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx");
  CHECK(starts(body.read_all(), "413 Payload Too Large"));
  client kept{a};
  for (int i = 0; i < 3; ++i) {
    kept.write("POST /games/17/end?reason=it+is+late HTTP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK(starts(kept.read_until("is told to end\n"), "202 Accepted"));
  }
  a.stop();
  for (auto& each : loops) each.join();
}

// A server that ends games, and what it reports of its orders.
struct ordered {
  std::mutex guard;
  std::vector<order> orders;
  admin a{"127.0.0.1", 0, [this] {
            auto out = healthy();
            out.end_game = [](game_id game, const std::string&, const admin_sources::found& found) {
              found(game == game_id{17});
            };
            out.carry_out = [](const operator_command&,
                               const std::function<void(command_answer)>& done) {
              done({200, "{}"});
            };
            out.on_order = [this](const order& o) {
              const std::lock_guard lock{guard};
              orders.push_back(o);
            };
            return out;
          }()};

  // The first line of the answer to a request to end the game, with these fields.
  std::string end(const std::string& game, const std::string& fields) {
    const auto said = client{a}.ask_bytes("POST /games/" + game +
                                          "/end?reason=late HTTP/1.1\r\nHost: localhost:" + port() +
                                          "\r\nConnection: close\r\n" + fields + "\r\n");
    return said.substr(0, said.find("\r\n"));
  }
  std::string port() const { return std::to_string(a.port()); }
};

TEST_CASE("admin: its own page may give orders, and no other page may") {
  ordered o;
  const std::string own = "Origin: http://localhost:" + o.port() + "\r\n";
  const std::string same = "Sec-Fetch-Site: same-origin\r\n";
  const std::string done = "HTTP/1.1 202 Accepted", refused = "HTTP/1.1 403 Forbidden";
  CHECK(o.end("17", own + same) == done);
  CHECK(o.end("17", "") == done);
  // Pages of other sites, of another port, and of another name of this machine.
  CHECK(o.end("17", "Origin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\n") == refused);
  CHECK(o.end("17", "Origin: https://evil.example\r\n" + same) == refused);
  CHECK(o.end("17", "Origin: http://localhost:1\r\nSec-Fetch-Site: same-site\r\n") == refused);
  CHECK(o.end("17", "Origin: http://localhost:1\r\n" + same) == refused);
  CHECK(o.end("17", "Origin: http://127.0.0.1:" + o.port() + "\r\n" + same) == refused);
  CHECK(o.end("17", "Origin: null\r\n" + same) == refused);
  // The browser does not confirm it, or fields are repeated.
  CHECK(o.end("17", own) == refused);
  CHECK(o.end("17", own + "Sec-Fetch-Site: same-site\r\n") == refused);
  CHECK(o.end("17", own + own + same) == refused);
  CHECK(o.end("17", own + same + same) == refused);
  CHECK(o.end("17", own + "Origin: https://evil.example\r\n" + same) == refused);
  CHECK(o.end("17", "Sec-Fetch-Site: cross-site\r\n") == refused);
  const std::lock_guard lock{o.guard};
  REQUIRE(o.orders.size() == 2);
  CHECK(o.orders[0].by_page);
  CHECK_FALSE(o.orders[1].by_page);
}

TEST_CASE("admin: tells which orders were given, by whom and with which result") {
  ordered o;
  o.end("17", "");
  o.end("18", "");
  const auto said = client{o.a}.ask_bytes(
      "POST /orders HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  CHECK(starts(said, "200 OK"));
  const auto first = said.find(R"("order":"end","target":"game 18","reason":"late",)"
                               R"("address":"127.0.0.1","page":false,"status":404})"),
             second = said.find(R"("order":"end","target":"game 17","reason":"late",)"
                                R"("address":"127.0.0.1","page":false,"status":202})");
  CHECK(first < second);
  CHECK(second != said.npos);
  // A list is no order.
  CHECK(starts(client{o.a}.ask_bytes("POST /games HTTP/1.1\r\nHost: localhost\r\n"
                                     "Connection: close\r\n\r\n"),
               "200 OK"));
  const std::lock_guard lock{o.guard};
  CHECK(o.orders.size() == 2);
}

TEST_CASE("admin: serves the operators' page without a token, and 304 to a current copy") {
  guarded g;
  const auto ask = [&](const std::string& fields) {
    return client{g.a}.ask_bytes("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
                                 fields + "\r\n");
  };
  const auto whole = ask("");
  CHECK(starts(whole, "200 OK"));
  CHECK(whole.find("\r\n\r\n<!doctype html>") != whole.npos);
  CHECK(whole.find("Content-Security-Policy: default-src 'none'; script-src 'self';") !=
        whole.npos);
  CHECK(whole.find("Cache-Control: no-cache\r\n") != whole.npos);
  const auto tag = whole.find("ETag: ");
  REQUIRE(tag != whole.npos);
  const auto etag = whole.substr(tag + 6, whole.find("\r\n", tag) - tag - 6);
  CHECK(starts(ask("If-None-Match: " + etag + "\r\n"), "304 Not Modified"));
  CHECK(ask("Accept-Encoding: gzip\r\n").find("Content-Encoding: gzip\r\n") != std::string::npos);
  CHECK(g.count(admin_refusal::no_token) == 0);
}

TEST_CASE("admin: pages of an arena that another hub has, and orders of other hubs, come later") {
  std::vector<std::thread> hubs;
  std::mutex guard;
  std::vector<order> orders;
  auto sources = healthy();
  sources.arena = [](std::string_view, std::string_view) { return page{200, "", "here\n"}; };
  sources.arena_is_elsewhere = [] { return true; };
  sources.ask_arena = [&](const league_request& what, const std::function<void(page)>& done) {
    hubs.emplace_back([=] { done({202, "text/plain", what.method + " " + what.target + "\n"}); });
  };
  sources.carry_out = [](const operator_command&, const std::function<void(command_answer)>&) {};
  sources.list_orders = [&](const command_answer& own, const auto& done) {
    hubs.emplace_back([=] { done({200, own.json + " and more"}); });
  };
  sources.on_order = [&](const order& o) {
    const std::lock_guard lock{guard};
    orders.push_back(o);
  };
  admin a{"127.0.0.1", 0, std::move(sources)};
  CHECK(client{a}.ask("GET", "/arena").find("GET /arena\n") != std::string::npos);
  const auto begun = client{a}.ask("POST", "/arena/runs?games=2");
  CHECK(starts(begun, "202 Accepted"));
  CHECK(begun.find("POST /arena/runs?games=2\n") != std::string::npos);
  const auto listed = client{a}.ask("POST", "/orders");
  CHECK(listed.find("arena/runs?games=2") != std::string::npos);
  CHECK(listed.find(" and more") != std::string::npos);
  a.stop();
  for (auto& each : hubs) each.join();
  REQUIRE(orders.size() == 1);
  CHECK((orders[0].verb == "arena" && orders[0].status == 202));
}

TEST_CASE("admin: stops while the reply of a loop is pending") {
  admin_sources::found late;
  std::promise<void> asked;
  auto sources = healthy();
  sources.end_game = [&](game_id, const std::string&, const admin_sources::found& found) {
    late = found;
    asked.set_value();
  };
  admin a{"127.0.0.1", 0, std::move(sources)};
  client waiting{a};
  waiting.write("POST /games/17/end?reason=x HTTP/1.1\r\nHost: localhost\r\n\r\n");
  asked.get_future().wait();
  a.stop();
  late(true);
  CHECK(waiting.read_all().empty());
}

TEST_CASE("admin: closes the connection that was idle longest at the limit") {
  admin a{"127.0.0.1", 0, healthy()};
  client oldest{a};
  std::vector<std::unique_ptr<client>> others;
  const auto is_served = [](client& c) {
    c.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return starts(c.read_until("ready\n"), "200 OK");
  };
  for (int i = 0; i < 63; ++i) {
    others.push_back(std::make_unique<client>(a));
    REQUIRE(is_served(*others.back()));
  }
  CHECK(is_served(oldest));
  client one_more{a};
  CHECK(is_served(one_more));
  CHECK_FALSE(is_served(*others.front()));
  CHECK(is_served(*others.back()));
  CHECK(is_served(oldest));
}

TEST_CASE("admin: stops under open connections, once or twice") {
  admin a{"127.0.0.1", 0, healthy()};
  client idle{a};
  client half{a};
  half.write("GET /met");
  a.stop();
  a.stop();
  CHECK(idle.read_all().empty());
  CHECK(half.read_all().empty());
}

TEST_CASE("admin: explains in one sentence why it can't listen") {
  const admin first{"127.0.0.1", 0, healthy()};
  const auto port = std::to_string(first.port());
  CHECK_THROWS_WITH(
      (admin{"127.0.0.1", first.port(), healthy()}),
      "the admin server can't listen on 127.0.0.1 port " + port +
          " (Address already in use): give another --admin-port or --admin-listen, or turn it off");
  CHECK_THROWS_AS((admin{"nowhere", 0, healthy()}), base::usage_error);
}

TEST_CASE("admin: serves IPv6, too") {
  try {
    const admin a{"::1", 0, healthy()};
    CHECK(a.port() != 0);
  } catch (const base::usage_error& e) {
    WARN("no IPv6 here: " << e.what());
  }
}

}  // namespace
}  // namespace gamehub::admin
