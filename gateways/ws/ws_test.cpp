#include "gateways/ws/ws.hpp"

#include "gateways/ws/frames.hpp"
#include "tests/contract/codec_contract.hpp"
#include "tests/contract/codec_events.hpp"
#include "tests/contract/codec_reading.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gamehub::gateways::ws {
namespace {

using namespace std::string_literals;
using tests::answered;

// Parses the hub's bytes as a client, one word per frame: "text …", "pong …", "close 1002"; or
// "broken" at the end.
std::vector<std::string> frames_of(std::string_view bytes) {
  std::vector<std::string> out;
  while (bytes.size() >= 2) {
    const auto opcode = static_cast<unsigned char>(bytes[0]);
    std::size_t size = static_cast<unsigned char>(bytes[1]), head = 2;
    if (size == 126 && bytes.size() >= 4) {
      size = static_cast<std::size_t>(static_cast<unsigned char>(bytes[2])) << 8 |
             static_cast<unsigned char>(bytes[3]);
      head = 4;
    } else if (size == 127 && bytes.size() >= 10) {
      size = 0;
      for (int i = 2; i < 10; ++i)
        size = size << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
      head = 10;
    }
    if (size > bytes.size() - head) break;
    const auto payload = std::string{bytes.substr(head, size)};
    bytes.remove_prefix(head + size);
    if (opcode == 0x81)
      out.push_back("text " + payload);
    else if (opcode == 0x8A)
      out.push_back("pong " + payload);
    else if (opcode == 0x88 && payload.size() >= 2)
      out.push_back("close " +
                    std::to_string(static_cast<unsigned char>(payload[0]) * 256 +
                                   static_cast<unsigned char>(payload[1])) +
                    (payload.size() > 2 ? " " : "") + payload.substr(2));
    else
      out.push_back("what");
  }
  if (!bytes.empty()) out.push_back("broken");
  return out;
}

constexpr char mask[] = {0x11, 0x22, 0x33, 0x44};

// Returns a client's frame.
std::string frame(unsigned char first, std::string_view payload) {
  std::string out(1, static_cast<char>(first));
  if (payload.size() < 126) {
    out += static_cast<char>(0x80 | payload.size());
  } else {
    out += static_cast<char>(0x80 | 126);
    out += static_cast<char>(payload.size() >> 8);
    out += static_cast<char>(payload.size() & 0xFF);
  }
  out.append(mask, sizeof mask);
  for (std::size_t i = 0; i < payload.size(); ++i)
    out += static_cast<char>(payload[i] ^ mask[i % sizeof mask]);
  return out;
}
std::string text(std::string_view message) { return frame(0x81, message); }

std::unique_ptr<codec> new_codec() { return describe().make_codec({}); }

// The decoded inputs, then the control output and the close message.
struct codec_output {
  std::string words, own, last;
};
codec_output decode(std::string_view bytes) {
  const auto c = new_codec();
  codec_output out;
  c->receive(bytes);
  close_cause why = close_reason::client_left;
  for (auto input = c->next(); input; input = c->next()) {
    if (const auto* what = std::get_if<intent>(&*input))
      out.words += std::to_string(what->index()) + " ";
    else if (std::holds_alternative<goodbye>(*input))
      out.words += "goodbye ";
    else
      out.words += "wrong ", why = {close_reason::protocol_error, std::get<protocol_error>(*input)};
  }
  c->compact();
  c->append_control_output(out.own);
  c->farewell(why, out.last);
  return out;
}

std::vector<std::string> all(const char* one) { return {one}; }

const auto hello = R"({"type":"connect","name":"ann","supported_games":["tictactoe"]})"s;
// The variant indices of sign_in and seek.
const auto connects = "0 1 "s;

TEST_CASE("ws: keeps the contract of codecs") {
  auto subject = tests::subject_of(tests::protocol_named("ws"));
  tests::check_codec_contract(subject);
}

TEST_CASE("ws: a message is a line of JSON turns, in one frame or several") {
  CHECK(decode(text(hello)).words == connects);
  CHECK(decode(frame(0x01, hello.substr(0, 9)) + frame(0x00, hello.substr(9, 3)) +
               frame(0x80, hello.substr(12)))
            .words == connects);
  auto spread = hello;
  spread.insert(1, "\r\n");
  CHECK(decode(text(spread)).words == connects);
  CHECK(decode(text(hello) + text(R"({"type":"close","game_id":0})")).words.starts_with(connects));
}

TEST_CASE("ws: every line is a message") {
  const auto c = new_codec();
  std::string out;
  c->send(answered(signed_in{"ann", "secret"}), out);
  const auto frames = frames_of(out);
  REQUIRE(frames.size() == 1);
  CHECK(frames[0] == R"(text {"type":"name","name":"ann","secret":"secret"})");
}

TEST_CASE("ws: long messages are framed as long ones") {
  for (const std::size_t size : {125U, 126U, 65'535U, 65'536U}) {
    std::string out;
    append_text(std::string(size, 'x'), out);
    CHECK(frames_of(out) == std::vector<std::string>{"text " + std::string(size, 'x')});
  }
}

TEST_CASE("ws: a pong has the payload of its ping, also within a message") {
  const auto got = decode(frame(0x01, hello.substr(0, 9)) + frame(0x89, "there?") +
                          frame(0x80, hello.substr(9)) + frame(0x8A, "x"));
  CHECK(got.words == connects);
  CHECK(frames_of(got.own) == all("pong there?"));
  CHECK(frames_of(decode(frame(0x89, "one") + frame(0x89, "two")).own) == all("pong two"));
}

TEST_CASE("ws: a close frame is answered") {
  const auto got = decode(text(hello) + frame(0x88, "\x03\xe8"s) + text(hello));
  CHECK(got.words == connects + "goodbye ");
  CHECK(frames_of(got.last) == all("close 1000"));
}

TEST_CASE("ws: each violation has its close code") {
  const auto close = [](const std::string& bytes) {
    const auto got = decode(bytes + text(hello));
    CHECK(got.words == "wrong ");
    const auto last = frames_of(got.last);
    return last.empty() ? "" : last.back();
  };
  CHECK(close("\x81\x02{}"s) == "close 1002 malformed");                 // no mask
  CHECK(close(frame(0xC1, "{}")) == "close 1002 malformed");             // a reserved bit
  CHECK(close(frame(0x80, "{}")) == "close 1002 malformed");             // goes on with nothing
  CHECK(close(frame(0x01, "{") + text("}")) == "close 1002 malformed");  // begins within a message
  CHECK(close(frame(0x83, "")) == "close 1002 malformed");               // no such opcode
  CHECK(close(frame(0x09, "")) == "close 1002 malformed");               // a ping in pieces
  CHECK(close(frame(0x89, std::string(126, 'x'))) == "close 1002 malformed");
  CHECK(close(frame(0x82, "{}")) == "close 1003 malformed");
  CHECK(close(text("\xFF")) == "close 1007 malformed");
  CHECK(close(text("no JSON")) == "close 1008 malformed");
  CHECK(close("\x81\xFF\x00\x00\x00\x00\x00\x01\x00\x01mask"s) == "close 1009 too-long");
  CHECK(close(frame(0x01, std::string(60'000, ' ')) + frame(0x80, std::string(6'000, ' '))) ==
        "close 1009 too-long");
}

TEST_CASE("ws: an unknown type has its own word, in a line and in the close frame") {
  CHECK(frames_of(decode(text(R"({"type":"hello"})")).last) ==
        std::vector<std::string>{R"(text {"type":"close","error":"unknown-type"})",
                                 "close 1008 unknown-type"});
}

TEST_CASE("ws: the hub's reasons have their codes and their words") {
  const auto code = [](close_reason why) {
    std::string out;
    new_codec()->farewell(why, out);
    return frames_of(out).back();
  };
  CHECK(code(close_reason::draining) == "close 1001 draining");
  CHECK(code(close_reason::hub_full) == "close 1013 hub-full");
  CHECK(code(close_reason::replaced) == "close 1008 replaced");
  CHECK(code(close_reason::failed) == "close 1011 failed");
}

}  // namespace
}  // namespace gamehub::gateways::ws
