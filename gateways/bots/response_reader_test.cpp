#include "gateways/bots/response_reader.hpp"

#include "gateways/bots/bot_limits.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <string>

using namespace gamehub;
using namespace gamehub::gateways::bots;
using state = response_reader::state;

namespace {

struct reading {
  state state_reached = state::reading;
  answered answer;
  std::string mistake;
};

// Reads the bytes in pieces of `piece` bytes, then closes if no result was reached.
reading read(std::string_view bytes, std::size_t piece) {
  response_reader r;
  reading out;
  while (!bytes.empty() && out.state_reached == state::reading) {
    out.state_reached = r.receive(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  if (out.state_reached == state::reading) out.state_reached = r.end();
  if (out.state_reached == state::done) out.answer = r.take();
  if (out.state_reached == state::wrong) out.mistake = r.mistake();
  return out;
}

answered good(std::string_view bytes) {
  answered first;
  for (const std::size_t piece : {bytes.size() + 1, std::size_t{1}, std::size_t{3}}) {
    const auto r = read(bytes, piece);
    INFO(bytes);
    INFO(piece << ": " << r.mistake);
    REQUIRE(r.state_reached == state::done);
    first = r.answer;
  }
  return first;
}

void bad(std::string_view bytes, const std::string& words) {
  for (const std::size_t piece : {bytes.size() + 1, std::size_t{1}}) {
    const auto r = read(bytes, piece);
    INFO(piece << ": " << r.mistake);
    CHECK(r.state_reached == state::wrong);
    CHECK(r.mistake.find(words) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("response_reader: reads responses in every framing") {
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

TEST_CASE("response_reader: skips interim responses") {
  const auto r = good(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1");
  CHECK(r.status == 200);
  CHECK(r.body == "1");
}

TEST_CASE("response_reader: reports a compressed response") {
  CHECK(good("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx").encoded);
  CHECK_FALSE(
      good("HTTP/1.1 200 OK\r\ncontent-encoding: Identity\r\nContent-Length: 1\r\n\r\nx").encoded);
}

TEST_CASE("response_reader: every invalid response has an error text") {
  bad("", "without an answer");
  // The 101 response ends the reading.
  bad("HTTP/1.1 050 Continue\r\n\r\nand nothing else", "without an answer");
  bad("HELO there\r\n\r\n", "no HTTP/1.1");
  bad("HTTP/1.1 200 OK\r\nContent-Le", "in the middle");
  bad("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{}", "in the middle");
  bad("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n12345", "how long");
  bad("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n12345", "how long");
  bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n12345", "how long");
  bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "chunk");
  bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", "chunk");
  bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "in the middle");
}

TEST_CASE("response_reader: limits the size of a response in every framing") {
  bad("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", "over 64 KiB");
  bad("HTTP/1.1 200 OK\r\nX: " + std::string(limits::bot_header_bytes_max, 'x'), "over 8 KiB");
  std::string endless = "HTTP/1.1 200 OK\r\n\r\n";
  endless.append(limits::bot_body_bytes_max + 1, 'x');
  bad(endless, "over 64 KiB");
  std::string chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 70; ++i) chunks += "400\r\n" + std::string(1'024, 'x') + "\r\n";
  bad(chunks, "over 64 KiB");
  std::string lines = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;";
  lines.append(limits::bot_answer_bytes_max, 'x');
  const auto r = read(lines, 1'000);
  CHECK(r.state_reached == state::wrong);
  std::string hints;
  while (hints.size() <= limits::bot_answer_bytes_max) hints += "HTTP/1.1 100 Continue\r\n\r\n";
  CHECK(read(hints, 1'000).mistake.find("over 192 KiB") != std::string::npos);
}

TEST_CASE("response_reader: limits the buffered bytes") {
  response_reader r;
  std::string piece(1'000, 'x');
  CHECK(r.receive("HTTP/1.1 200 OK\r\n\r\n") == state::reading);
  while (r.receive(piece) == state::reading)
    REQUIRE(r.kept_bytes() <= limits::bot_body_bytes_max + piece.size());
  CHECK(r.kept_bytes() == 0);
}
