#include "gateways/http_client/response_parser.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <string>

using namespace gamehub;
using namespace gamehub::gateways::http_client;
using state = response_parser::state;

namespace {

constexpr response_limits limits{8 * 1'024, 64 * 1'024, 192 * 1'024};

struct reading {
  state state_reached = state::reading;
  response answer;
  call_error error{};
};

// Reads the bytes in pieces of `piece` bytes, then closes if no result was reached.
reading read(std::string_view bytes, std::size_t piece) {
  response_parser r{limits};
  reading out;
  while (!bytes.empty() && out.state_reached == state::reading) {
    out.state_reached = r.receive(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  if (out.state_reached == state::reading) out.state_reached = r.end();
  if (out.state_reached == state::done) out.answer = r.here();
  if (out.state_reached == state::failed) out.error = r.error();
  return out;
}

response good(std::string_view bytes) {
  response first;
  for (const std::size_t piece : {bytes.size() + 1, std::size_t{1}, std::size_t{3}}) {
    const auto r = read(bytes, piece);
    INFO(bytes);
    INFO(piece);
    REQUIRE(r.state_reached == state::done);
    first = r.answer;
  }
  return first;
}

void bad(std::string_view bytes, call_error why) {
  for (const std::size_t piece : {bytes.size() + 1, std::size_t{1}}) {
    const auto r = read(bytes, piece);
    INFO(bytes.substr(0, 80));
    INFO(piece);
    CHECK(r.state_reached == state::failed);
    CHECK(r.error == why);
  }
}

}  // namespace

TEST_CASE("response_parser: reads responses in every framing") {
  const auto known = good("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  CHECK(known.status == 200);
  CHECK(known.body == "{}");
  CHECK_FALSE(known.encoded);
  CHECK(good("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nuntil the end").body ==
        "until the end");
  CHECK(good("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n"
             "0\r\nTrailer: x\r\n\r\n")
            .body == "abcde");
  CHECK(good("HTTP/1.1 204 No Content\r\n\r\n").body.empty());
  CHECK(good("HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n").status == 500);
}

TEST_CASE("response_parser: skips interim responses") {
  const auto r = good(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1");
  CHECK(r.status == 200);
  CHECK(r.body == "1");
}

TEST_CASE("response_parser: reports a compressed response") {
  CHECK(good("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx").encoded);
  CHECK_FALSE(
      good("HTTP/1.1 200 OK\r\ncontent-encoding: Identity\r\nContent-Length: 1\r\n\r\nx").encoded);
}

TEST_CASE("response_parser: every invalid response has its error") {
  bad("", call_error::none);
  // The 101 response ends the reading.
  bad("HTTP/1.1 050 Continue\r\n\r\nand nothing else", call_error::none);
  bad("HELO there\r\n\r\n", call_error::not_http);
  bad("HTTP/1.1 200 OK\r\nContent-Le", call_error::partial);
  bad("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{}", call_error::partial);
  bad("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n12345", call_error::length);
  bad("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n12345", call_error::length);
  bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n12345", call_error::length);
  bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", call_error::chunk);
  bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
      call_error::chunk);
  bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", call_error::partial);
}

TEST_CASE("response_parser: limits the size of a response in every framing") {
  bad("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", call_error::body_size);
  bad("HTTP/1.1 200 OK\r\nX: " + std::string(limits.header, 'x'), call_error::header_size);
  std::string endless = "HTTP/1.1 200 OK\r\n\r\n";
  endless.append(limits.body + 1, 'x');
  bad(endless, call_error::body_size);
  std::string chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 70; ++i) chunks += "400\r\n" + std::string(1'024, 'x') + "\r\n";
  bad(chunks, call_error::body_size);
  std::string lines = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;";
  lines.append(limits.total, 'x');
  const auto r = read(lines, 1'000);
  CHECK(r.state_reached == state::failed);
  std::string hints;
  while (hints.size() <= limits.total) hints += "HTTP/1.1 100 Continue\r\n\r\n";
  CHECK(read(hints, 1'000).error == call_error::total_size);
}

TEST_CASE("response_parser: limits the buffered bytes") {
  response_parser r{limits};
  std::string piece(1'000, 'x');
  CHECK(r.receive("HTTP/1.1 200 OK\r\n\r\n") == state::reading);
  while (r.receive(piece) == state::reading) REQUIRE(r.kept_bytes() <= limits.body + piece.size());
  CHECK(r.kept_bytes() == 0);
}

TEST_CASE("response_parser: a stream is read while it comes") {
  response_parser r{limits};
  CHECK_FALSE(r.has_header());
  CHECK(r.receive("HTTP/1.1 100 Continue\r\n\r\n") == state::reading);
  CHECK_FALSE(r.has_header());
  CHECK(r.receive("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n") == state::reading);
  REQUIRE(r.has_header());
  CHECK(r.is_chunked());
  CHECK(r.here().status == 200);
  CHECK(r.receive("1b\r\n{\"type\":\"end\",") == state::reading);
  CHECK(r.here().body == "{\"type\":\"end\",");
  r.here().body.clear();
  CHECK(r.receive("\"more\":\"ab\"}\n\r\n0\r\n\r\n") == state::done);
  CHECK(r.here().body == "\"more\":\"ab\"}\n");
  CHECK(r.keeps_alive());
}

TEST_CASE("response_parser: reads one response after the other") {
  response_parser r{limits};
  REQUIRE(r.receive("HTTP/1.1 409 Conflict\r\nContent-Length: 2\r\n\r\n{}") == state::done);
  CHECK(r.keeps_alive());
  r.reset();
  REQUIRE(r.receive("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1") == state::done);
  CHECK(r.here().status == 200);
  CHECK(r.here().body == "1");
  r.reset();
  REQUIRE(r.receive("SSH-2.0\r\n\r\n") == state::failed);
  r.reset();
  REQUIRE(r.receive("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n1") ==
          state::done);
  CHECK_FALSE(r.keeps_alive());
}

TEST_CASE("response_parser: bytes after a response end the connection") {
  response_parser r{limits};
  REQUIRE(r.receive("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1HTTP/1.1") == state::done);
  CHECK_FALSE(r.keeps_alive());
}
