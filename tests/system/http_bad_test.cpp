// What the HTTP wire answers to what is no good request; others always play on.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/whole_game.hpp"

#include <string>
#include <string_view>

using namespace std::string_literals;

namespace gamehub::tests::system {
namespace {

struct wrong {
  std::string bytes;
  int status;
  int code;
};

// What comes of some bytes: one answer, then the end.
void check_refused(hub& at, const wrong& each) {
  INFO(each.bytes.substr(0, 200));
  api_client client{at.http()};
  client.send(each.bytes);
  const auto said = client.answer();
  REQUIRE(said);
  CHECK(said->status == each.status);
  CHECK(said->code() == each.code);
  CHECK(said->fields.at("content-type") == "application/json");
  CHECK(said->fields.at("connection") == "close");
  CHECK_FALSE(client.answer());
  CHECK(client.socket().ended());
}

TEST_CASE("http bad: a client_id that anybody guesses is not accepted") {
  hub at;
  api_client client{at.http()};
  const std::string repeated(16, 'a');
  CHECK(client.post("/api/connect", "client_id=" + repeated).code() == 100);
  CHECK(client.post("/api/connect", "", "Authorization: Bearer " + repeated + "\r\n").code() ==
        100);
  CHECK(client.post("/api/play", "client_id=" + repeated).code() == 101);
  CHECK(client.post("/api/connect", "client_id=" + repeated + "b").status == 200);
}

TEST_CASE("http bad: what is no clear request is answered, and ends its connection") {
  hub at;
  const std::string post = "POST /api/move HTTP/1.1\r\nHost: localhost\r\n";
  for (const auto& each : {
           wrong{"GET /api/engines HTTP/1.1\r\n\r\n", 400, 100},
           wrong{"GET /api/engines HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, 100},
           wrong{"GET /api/engines HTTP/3.0\r\nHost: a\r\n\r\n", 505, 100},
           wrong{"GET api HTTP/1.1\r\nHost: a\r\n\r\n", 400, 100},
           wrong{"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s, 400, 100},
           wrong{"hello\n", 400, 100},
           wrong{post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
                 100},
           wrong{post + "Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde", 400, 100},
           wrong{post + "Transfer-Encoding: gzip\r\n\r\n", 400, 100},
           wrong{post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501, 100},
           wrong{post + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n", 400, 100},
           wrong{post + "Transfer-Encoding: chunked\r\n\r\nz\r\n", 400, 100},
           wrong{post + "Content-Length: 65537\r\n\r\n", 413, 107},
           wrong{post + "X: " + std::string(9'000, 'x') + "\r\n\r\n", 431, 100},
       })
    check_refused(at, each);
  at.await_count("gamehub_connections_closed_total",
                 {{"gateway", "http"}, {"reason", "protocol-error"}}, 14);
  check_others_play(at);
}

TEST_CASE("http bad: a body of a megabyte is refused before it is read to its end") {
  hub at;
  const std::string body(1'024 * 1'024, 'b');
  check_refused(at, {"POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
                         std::to_string(body.size()) + "\r\n\r\n" + body,
                     413, 107});
}

TEST_CASE("http bad: errors of a clear request leave its connection open") {
  hub at;
  api_client client{at.http()};
  const auto code = [](const api_answer& a) { return std::pair{a.status, a.code()}; };
  CHECK(code(client.get("/nothing")) == std::pair{404, 100});
  CHECK(code(client.get("/api/nothing")) == std::pair{404, 100});
  CHECK(code(client.get("/api/engines/")) == std::pair{404, 100});
  const auto method = client.get("/api/connect");
  CHECK(code(method) == std::pair{405, 108});
  CHECK(method.fields.at("allow") == "POST");
  CHECK(code(client.request("DELETE", "/api/engines", "", "")) == std::pair{405, 108});
  CHECK(code(client.request("POST", "/api/connect", "Content-Type: text/xml\r\n", "<a/>")) ==
        std::pair{400, 100});
  CHECK(code(client.request("POST", "/api/connect", "Content-Type: application/json\r\n", "[]")) ==
        std::pair{400, 100});
  CHECK(code(client.post("/api/connect", "name=%zz")) == std::pair{400, 100});
  CHECK(code(client.post("/api/connect", "name=a&name=b")) == std::pair{400, 100});
  CHECK(code(client.post("/api/connect", "client_id=short")) == std::pair{400, 100});
  CHECK(code(client.post("/api/move", "client_id=short&position=1")) == std::pair{401, 101});
  CHECK(code(client.get("/api/updates/999")) == std::pair{404, 102});
  CHECK(code(client.get("/api/updates/none")) == std::pair{404, 102});
  const auto twice = "Content-Type: application/json\r\n"s;
  CHECK(code(client.request("POST", "/api/connect", twice + twice, "{}")) == std::pair{400, 100});
  CHECK(client.post("/tictactoe/api/connect", "").status == 200);
  CHECK(client.get("/api/engines").fields.at("cache-control") == "no-store");
}

TEST_CASE("http bad: requests that come all at once are answered in their order") {
  hub at;
  api_client client{at.http()};
  std::string all;
  for (int i = 0; i < 100; ++i)
    all += i % 3 == 0 ? "GET /api/engines HTTP/1.1\r\nHost: localhost\r\n\r\n"
           : i % 3 == 1
               ? "POST /api/connect HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
               : "GET /api/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n";
  client.send(all);
  for (int i = 0; i < 100; ++i) {
    const auto said = client.answer();
    REQUIRE(said);
    CHECK(said->status == (i % 3 == 2 ? 404 : 200));
    CHECK(said->json().contains(i % 3 == 0 ? "engines" : i % 3 == 1 ? "client_id" : "error"));
  }
}

TEST_CASE("http bad: a request with Expect gets 100 Continue") {
  hub at;
  api_client client{at.http()};
  client.send(
      "POST /api/connect HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: "
      "8\r\n\r\n");
  const auto go_on = client.answer();
  REQUIRE(go_on);
  CHECK(go_on->status == 100);
  client.send("name=ann");
  const auto said = client.answer();
  REQUIRE(said);
  CHECK(said->json()["name"] == "ann");
}

TEST_CASE("http bad: half a request is answered when its time is over, and harms no other client") {
  hub at;
  api_client slow{at.http()}, half{at.http()};
  slow.send("GET /api/engines HTT");
  half.send("POST /api/connect HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nname=");
  check_others_play(at);
  half.socket().close();
  at.await_count("gamehub_connections_closed_total",
                 {{"gateway", "http"}, {"reason", "client-left"}}, 1);
}

}  // namespace
}  // namespace gamehub::tests::system
