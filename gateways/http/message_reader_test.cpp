#include "gateways/http/message_reader.hpp"

#include "gateways/http/http_limits.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <string_view>
#include <vector>

using namespace std::string_literals;

namespace gamehub::gateways::http {
namespace {

using read_result = message_reader::read_result;

// Returns what is read from bytes that arrive in pieces: one line per request, then the error if
// there is one.
std::string read_in_pieces(std::string_view bytes, std::size_t piece) {
  message_reader reader;
  std::string out;
  while (!bytes.empty()) {
    // A temporary copy, so that later reads of it are detected.
    const std::string now{bytes.substr(0, piece)};
    bytes.remove_prefix(now.size());
    reader.receive(now);
    for (auto what = reader.next(); what != read_result::nothing; what = reader.next()) {
      if (what == read_result::wrong) {
        const auto& e = reader.mistake();
        out += "wrong " + std::to_string(e.status != 0 ? e.status : status_of(e.code)) + "\n";
        break;
      }
      const auto& m = reader.here();
      out += std::string{m.what.method} + " " + std::string{m.what.path} + "?" +
             std::string{m.what.query} + " [" + std::string{m.what.content_type} + "|" +
             std::string{m.what.accept} + "|" + std::string{m.what.forwarded_for} + "] " +
             std::string{m.what.body} + (m.keep_alive ? " on" : " off") +
             (m.what.repeated_field.empty() ? "" : " twice " + std::string{m.what.repeated_field}) +
             "\n";
    }
    reader.keep_rest();
  }
  return out;
}

// Bytes read the same however they are split.
std::string read(std::string_view bytes) {
  const auto whole = read_in_pieces(bytes, bytes.size());
  for (const std::size_t piece : {1U, 2U, 3U, 7U, 16U, 61U})
    if (const auto other = read_in_pieces(bytes, piece); other != whole)
      return "cut by " + std::to_string(piece) + ": " + other + "whole: " + whole;
  return whole;
}

const std::string get = "GET /api/engines HTTP/1.1\r\nHost: hub\r\n\r\n";

TEST_CASE("message reader: reads a request, and the next ones behind it") {
  CHECK(read(get) == "GET /api/engines? [||]  on\n");
  CHECK(read(get + get + get) == read(get) + read(get) + read(get));
  CHECK(read("\r\n" + get + "\r\n" + get) == read(get) + read(get));
  CHECK(read("POST /api/move?a=b HTTP/1.1\r\nHost: hub\r\nContent-Length: 10\r\n"
             "Content-Type: application/json\r\n\r\nposition=4" +
             get) == "POST /api/move?a=b [application/json||] position=4 on\n" + read(get));
  CHECK(read("GET http://hub/api/engines HTTP/1.1\r\nHost: hub\r\n\r\n") == read(get));
}

TEST_CASE("message reader: reports whether the connection is kept") {
  CHECK(read("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") == "GET /? [||]  off\n");
  CHECK(read("GET / HTTP/1.0\r\n\r\n") == "GET /? [||]  off\n");
  CHECK(read("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n") == "GET /? [||]  on\n");
}

TEST_CASE("message reader: reads a chunked body and ignores trailers") {
  const std::string head =
      "POST /api/chat HTTP/1.1\r\nHost: hub\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string wanted = "POST /api/chat? [||] message=hi on\n";
  CHECK(read(head + "8\r\nmessage=\r\n2\r\nhi\r\n0\r\n\r\n") == wanted);
  CHECK(read(head + "a;x=y\r\nmessage=hi\r\n0\r\n\r\n" + get) == wanted + read(get));
  CHECK(read(head + "a\r\nmessage=hi\r\n0\r\nContent-Type: evil\r\nAccept: evil\r\n\r\n" + get) ==
        wanted + read(get));
}

TEST_CASE("message reader: joins lists, and reports repeated single fields") {
  CHECK(read("GET / HTTP/1.1\r\nHost: a\r\nAccept: a\r\nX-Forwarded-For: 1\r\naccept: b\r\n"
             "x-forwarded-for: 2\r\n\r\n") == "GET /? [|a, b|1, 2]  on\n");
  CHECK(read("GET / HTTP/1.1\r\nHost: a\r\nContent-Type: a\r\nContent-Type: a\r\n\r\n") ==
        "GET /? [a||]  on twice Content-Type\n");
}

TEST_CASE("message reader: reads the fields of cached files") {
  message_reader reader;
  const std::string bytes =
      "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\nAccept-Encoding: gzip\r\n"
      "If-None-Match: W/\"a\", \"b\"\r\n\r\n";
  reader.receive(bytes);
  REQUIRE(reader.next() == read_result::request);
  CHECK(reader.here().what.accept_encoding == "br, gzip");
  CHECK(reader.here().what.if_none_match == "W/\"a\", \"b\"");
}

TEST_CASE("message reader: ambiguous requests are errors") {
  const std::string post = "POST /api/move HTTP/1.1\r\nHost: hub\r\n";
  for (const std::string& bytes : {
           post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           post + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
           post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
           post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
           post + "Transfer-Encoding: identity\r\n\r\n0\r\n\r\n",
           post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
           post + "Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
           post + "Content-Length: 4, 5\r\n\r\nabcde",
           post + "Content-Length: -4\r\n\r\nabcd",
           post + "Content-Length: +4\r\n\r\nabcd",
           post + "Content-Length: 0x4\r\n\r\nabcd",
           post + "Content-Length: 4 4\r\n\r\nabcd",
           post + "Content-Length:\r\n\r\nabcd",
           post + "Content-Length: 99999999999999999999\r\n\r\nabcd",
           post + "Accept: a\r\n b\r\n\r\n",
           post + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
           post + "Content-Length:\r\n\t4\r\n\r\nabcd",
           post + "Authorization:\r\n Bearer secret\r\n\r\n",
           post + "X-Empty:\r\n \r\n\r\n",
           "GET / HTTP/1.1\r\nHost:\r\n hub\r\n\r\n"s,
           post + "Transfer-Encoding: chunked\r\n\r\n4\nabcd\r\n0\r\n\r\n",
           post + "Transfer-Encoding: chunked\r\n\r\n-4\r\nabcd\r\n0\r\n\r\n",
           post + "Transfer-Encoding: chunked\r\n\r\n4\r\nabcde\r\n0\r\n\r\n",
           post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
           "GET / HTTP/1.1\r\n\r\n"s,
           "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"s,
           "GET / HTTP/1.1\nHost: a\n\n"s,
           "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n"s,
           "GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n"s,
           "GET / HTTP/1.1\r\nHo st: a\r\n\r\n"s,
           "GET / HTTP/1.1\r\n: a\r\n\r\n"s,
           "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"s,
           "GET api HTTP/1.1\r\nHost: a\r\n\r\n"s,
           "CONNECT hub:80 HTTP/1.1\r\nHost: a\r\n\r\n"s,
           "G\x01T / HTTP/1.1\r\nHost: a\r\n\r\n"s,
           "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s,
           "what is this?\n"s,
           "\n"s,
           "\nGET / HTTP/1.1"s,
       }) {
    INFO(bytes);
    const auto result = read(bytes);
    CAPTURE(result);
    CHECK(result == "wrong 400\n");
  }
  CHECK(read("GET / HTTP/2.0\r\nHost: a\r\n\r\n") == "wrong 505\n");
  CHECK(read("GET / HTTP/0.9\r\n\r\n") == "wrong 505\n");
  CHECK(read("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n") == "wrong 505\n");
}

TEST_CASE("message reader: a body that is coded otherwise than in chunks is not implemented") {
  const std::string post = "POST / HTTP/1.1\r\nHost: hub\r\n";
  for (const std::string coding : {"gzip, chunked", "gzip,chunked", "identity, chunked"})
    CHECK(read(post + "Transfer-Encoding: " + coding + "\r\n\r\n0\r\n\r\n") == "wrong 501\n");
  CHECK(read(post + "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n") ==
        "wrong 501\n");
  CHECK(read(post + "Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\n") == "POST /? [||]  on\n");
}

TEST_CASE("message reader: an upgrade counts only in HTTP/1.1 with Connection: Upgrade") {
  const auto upgrade = [](const std::string& head) {
    message_reader reader;
    reader.receive(head);
    REQUIRE(reader.next() == read_result::request);
    return std::string{reader.here().what.upgrade};
  };
  const std::string fields = "Host: a\r\nUpgrade: websocket\r\n";
  const std::string connection = "Connection: keep-alive, Upgrade\r\n";
  CHECK(upgrade("GET / HTTP/1.1\r\n" + fields + connection + "\r\n") == "websocket");
  CHECK(upgrade("GET / HTTP/1.1\r\n" + connection + fields + "\r\n") == "websocket");
  CHECK(upgrade("GET / HTTP/1.1\r\n" + fields + "\r\n") == "");
  CHECK(upgrade("GET / HTTP/1.0\r\n" + fields + connection + "\r\n") == "");
}

TEST_CASE("message reader: limits header and body") {
  const auto header = [](std::size_t bytes) {
    const std::string rest = "GET / HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n";
    return "GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(bytes - rest.size(), 'x') + "\r\n\r\n";
  };
  CHECK(read(header(limits::http_header_bytes_max)) == "GET /? [||]  on\n");
  CHECK(read(header(limits::http_header_bytes_max + 1)) == "wrong 431\n");
  CHECK(read("GET /" + std::string(limits::http_header_bytes_max, 'a')) == "wrong 431\n");
  const auto body = [](std::size_t bytes) {
    return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(bytes) + "\r\n\r\n" +
           std::string(bytes, 'b');
  };
  const auto most = std::string(limits::http_body_bytes_max, 'b');
  CHECK(read_in_pieces(body(most.size()), 1'000) == "POST /? [||] " + most + " on\n");
  CHECK(read_in_pieces(body(most.size() + 1), 1'000) == "wrong 413\n");
  CHECK(read("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n10001\r\n") ==
        "wrong 413\n");
  const std::string chunks = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  CHECK(read_in_pieces(chunks + "1;" + std::string(70'000, 'x'), 1'000) == "wrong 400\n");
}

TEST_CASE("message reader: buffers nothing between requests, and a limited amount within one") {
  message_reader reader;
  CHECK_FALSE(reader.midway());
  reader.receive(get);
  CHECK(reader.next() == read_result::request);
  reader.keep_rest();
  CHECK(reader.kept_bytes() == 0);
  CHECK_FALSE(reader.midway());
  reader.receive("GET");
  CHECK(reader.next() == read_result::nothing);
  reader.keep_rest();
  CHECK(reader.midway());
  CHECK(reader.kept_bytes() == 3);
}

TEST_CASE("message reader: reports an expected 100 Continue once") {
  message_reader reader;
  const auto head =
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"s;
  reader.receive(head);
  CHECK(reader.next() == read_result::nothing);
  CHECK(reader.take_expectation());
  reader.keep_rest();
  reader.receive("o");
  CHECK(reader.next() == read_result::nothing);
  CHECK_FALSE(reader.take_expectation());
  reader.keep_rest();
  reader.receive("k");
  CHECK(reader.next() == read_result::request);
  CHECK(reader.here().what.body == "ok");
  // A client that has sent its body does not wait.
  reader.keep_rest();
  const auto whole = head + "ok";
  reader.receive(whole);
  CHECK(reader.next() == read_result::request);
  CHECK_FALSE(reader.take_expectation());
}

}  // namespace
}  // namespace gamehub::gateways::http
