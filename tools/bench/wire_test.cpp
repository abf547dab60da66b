#include "tools/bench/wire.hpp"

#include "tests/support/catch.hpp"

#include <string>

namespace gamehub::tools::bench {
namespace {

using namespace std::string_literals;
using kind = server_message::kind;

std::vector<server_message> parsed(const wire& w, const std::string& bytes, std::size_t left = 0) {
  std::vector<server_message> out;
  CHECK(w.read(bytes, out) == bytes.size() - left);
  return out;
}

std::vector<kind> kinds(const std::vector<server_message>& all) {
  std::vector<kind> out;
  for (const auto& t : all) out.push_back(t.what);
  return out;
}

TEST_CASE("opcodes wire: asks and moves in the documented bytes") {
  std::string out;
  opcodes().greet(1, out);
  opcodes().move(0, 8, out);
  opcodes().again(out);
  CHECK(out == "\0\1\0\2\x08\0\1"s);
}

TEST_CASE("opcodes wire: reads tokens, states, ends and errors, and leaves what is unfinished") {
  // Messages refer to the input.
  const auto bytes = "\0\4X\0\3----X----\x2d\0\3XXXOO----X\0\5\0\5Taken.\0\0\3--"s;
  const auto all = parsed(opcodes(), bytes, 4);
  REQUIRE(kinds(all) == std::vector{kind::token, kind::state, kind::turn, kind::state, kind::over,
                                    kind::refused});
  CHECK(all[0].mark == 'X');
  CHECK(all[1].board == board{}.with(4));
  CHECK(all[3].end == ending::x_won);
  CHECK(all[5].text == "Taken.");
}

TEST_CASE("opcodes wire: a full board without a winner is a draw") {
  const auto all = parsed(opcodes(), "\0\3XOXXOOOXX-"s);
  REQUIRE(all.size() == 2);
  CHECK(all[0].end == ending::draw);
  CHECK(all[1].what == kind::over);
}

TEST_CASE("opcodes wire: what the hub never sends is refused") {
  CHECK(kinds(parsed(opcodes(), "\0\7abc"s)) == std::vector{kind::refused});
}

TEST_CASE("turns wire: connects and moves in the documented lines") {
  std::string out;
  turns().greet(5, out);
  turns().again(out);
  turns().move(12, 5, out);
  CHECK(out ==
        R"({"type":"connect","name":null,"supported_games":["tictactoe"],"max_games":5})"
        "\n"
        R"({"type":"message","game_id":12,"payload":"{\"type\":\"move\",\"row\":1,\"column\":2}"})"
        "\n");
}

TEST_CASE("turns wire: reads whole games by their numbers, and leaves what is unfinished") {
  const auto all = parsed(
      turns(),
      R"({"type":"name","name":"client-1","secret":"5"})"
      "\n"
      R"({"type":"start","game_id":3})"
      "\n"
      R"({"type":"message","game_id":3,"payload":"{\"type\":\"state\",\"board\":[[\"X\",null,null],[null,\"O\",null],[null,null,null]],\"winner\":null}"})"
      "\n"
      R"({"type":"message","game_id":3,"payload":"{\"type\":\"turn\"}"})"
      "\n"
      R"({"type":"message","game_id":3,"payload":"{\"type\":\"state\",\"board\":[[\"X\",\"X\",\"X\"],[\"O\",\"O\",null],[null,null,null]],\"winner\":\"X\"}"})"
      "\n"
      R"({"type":"close","game_id":3})"
      "\n{",
      1);
  REQUIRE(kinds(all) == std::vector{kind::welcome, kind::started, kind::state, kind::turn,
                                    kind::state, kind::over});
  CHECK(all[1].game == 3);
  CHECK(all[2].board == board{}.with(0).with(4));
  CHECK(all[2].end == ending::none);
  CHECK(all[4].end == ending::x_won);
  CHECK(all[5].game == 3);
}

TEST_CASE("turns wire: a move that the hub asks to repeat is refused") {
  const auto all = parsed(
      turns(),
      R"({"type":"message","game_id":0,"payload":"{\"type\":\"repeat-turn\",\"error\":\"space-not-empty\",\"last-move\":null}"})"
      "\n");
  CHECK(kinds(all) == std::vector{kind::refused});
}

// As the hub sends it: not masked.
std::string framed(const std::string& text) {
  std::string out{'\x81'};
  if (text.size() <= 125)
    out += static_cast<char>(text.size());
  else
    out += {'\x7e', static_cast<char>(text.size() >> 8), static_cast<char>(text.size() & 0xff)};
  return out + text;
}

constexpr auto switching =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

TEST_CASE("ws wire: shakes hands first, then speaks in masked frames") {
  std::string out;
  web_sockets().greet(5, out);
  CHECK(out.starts_with("GET /api/ws HTTP/1.1\r\n"));
  out.clear();
  web_sockets().join(5, out);
  REQUIRE(out.size() > 8);
  CHECK(out.substr(0, 2) == "\x81\xcc"s);
  const auto mask = out.substr(2, 4);
  std::string unmasked;
  for (std::size_t i = 6; i < out.size(); ++i)
    unmasked += static_cast<char>(out[i] ^ mask[(i - 6) % 4]);
  CHECK(unmasked ==
        R"({"type":"connect","name":null,"supported_games":["tictactoe"],"max_games":5})");
}

TEST_CASE("ws wire: reads the answer and frames of any length, and leaves what is unfinished") {
  const auto long_name = std::string(300, 'n');
  const auto bytes = switching + framed(R"({"type":"name","name":")" + long_name + "\"}") +
                     framed(R"({"type":"start","game_id":3})") + "\x81\x7e\x01"s;
  const auto all = parsed(web_sockets(), bytes, 3);
  REQUIRE(kinds(all) == std::vector{kind::open, kind::welcome, kind::started});
  CHECK(all[2].game == 3);
  CHECK(parsed(web_sockets(), std::string{switching}.substr(0, 40), 40).empty());
}

TEST_CASE("ws wire: another answer, the end and unknown frames are refused") {
  CHECK(kinds(parsed(web_sockets(), "HTTP/1.1 503 Service Unavailable\r\n\r\n")) ==
        std::vector{kind::refused});
  CHECK(kinds(parsed(web_sockets(), "\x88\x02\x03\xe9"s)) == std::vector{kind::refused});
  CHECK(kinds(parsed(web_sockets(), "\x82\x01z"s)) == std::vector{kind::refused});
}

TEST_CASE("wires are found by name") {
  CHECK(find_wire("ws") == &web_sockets());
  CHECK(find_wire("opcodes") == &opcodes());
  CHECK(find_wire("turns") == &turns());
  CHECK(find_wire("udp") == nullptr);
}

}  // namespace
}  // namespace gamehub::tools::bench
