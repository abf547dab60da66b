#include "gateways/opcodes/opcodes.hpp"

#include "gateways/opcodes/messages.hpp"
#include "tests/contract/codec_contract.hpp"
#include "tests/contract/codec_events.hpp"
#include "tests/contract/codec_reading.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::gateways::opcodes {
namespace {

using namespace std::string_literals;
using tests::answered;
using tests::beginning;
using tests::final_position;
using tests::position_of;
using tests::tictactoe_traits;
using tests::told;
using decoded_inputs = std::vector<std::string>;

// Parses the hub's bytes as a client of a board of nine cells, one word per packet, then "broken"
// after an error.
decoded_inputs packets_of(std::string_view bytes) {
  decoded_inputs out;
  while (bytes.size() >= opcode_bytes) {
    const auto packet = static_cast<opcode>(read_opcode(bytes));
    bytes.remove_prefix(opcode_bytes);
    if (packet == opcode::ack && !bytes.empty()) {
      out.push_back("ACK "s + bytes[0]);
      bytes.remove_prefix(1);
    } else if (packet == opcode::state && bytes.size() >= 10) {
      out.push_back("STATE " + std::string{bytes.substr(0, 9)} + " " + bytes[9]);
      bytes.remove_prefix(10);
    } else if (packet == opcode::error && bytes.size() >= 3 && bytes.find('\0', 2) != bytes.npos) {
      const auto text = bytes.substr(2, bytes.find('\0', 2) - 2);
      bool ascii = text.size() <= error_text_bytes_max;
      for (const char c : text) ascii = ascii && c >= ' ' && c <= '~';
      out.push_back(ascii ? "ERROR " + std::to_string(read_opcode(bytes)) : "broken");
      bytes.remove_prefix(2 + text.size() + 1);
    } else {
      break;
    }
  }
  if (!bytes.empty()) out.push_back("broken");
  return out;
}

std::string fault_of(std::string_view bytes) {
  for (const auto& each : packets_of(bytes))
    if (each == "broken") return "a packet that no client can read";
  return {};
}

std::unique_ptr<codec> new_codec() { return describe().make_codec(tictactoe_traits()); }

decoded_inputs input(std::string_view bytes) { return tests::read(*new_codec(), bytes, {}).said; }

// Returns what the client of this seat reads for these events, after its game has started.
decoded_inputs sent_to(seat_index seat, const std::vector<event>& events) {
  const auto c = new_codec();
  std::string out;
  for (const auto& each : beginning(seat)) c->send(each, out);
  out.clear();
  for (const auto& each : events) c->send(each, out);
  return packets_of(out);
}

decoded_inputs refusal_text(refusal why) {
  refused no;
  no.why = why;
  return sent_to(0, {answered(no)});
}

decoded_inputs farewell_of(close_reason why) {
  std::string out;
  new_codec()->farewell(why, out);
  return packets_of(out);
}

TEST_CASE("opcodes: keeps the codec contract") {
  const auto protocol = describe();
  auto subject = tests::subject_of(protocol);
  subject.fault_of = fault_of;
  tests::check_codec_contract(subject);
}

TEST_CASE("opcodes: asks for the engine of its port and for a seat at once") {
  CHECK(input("\0\1"s) ==
        decoded_inputs{"seek engine=tictactoe options= games_max=1 again=no seat_at_once=yes"});
}

TEST_CASE("opcodes: reads a move as a cell, in binary or as a digit") {
  const auto cell = [](const std::string& byte) {
    const auto all = input("\0\2"s + byte);
    return all.size() == 1 ? all[0] : "nothing";
  };
  CHECK(cell("\0"s) == "play game=0 form=0 cell=0 text=");
  CHECK(cell("\x08") == "play game=0 form=0 cell=8 text=");
  CHECK(cell("\x09") == "play game=0 form=0 cell=9 text=");
  CHECK(cell("0") == "play game=0 form=0 cell=0 text=");
  CHECK(cell("8") == "play game=0 form=0 cell=8 text=");
  CHECK(cell("9") == "play game=0 form=0 cell=57 text=");
  CHECK(cell("\xFF") == "play game=0 form=0 cell=255 text=");
}

TEST_CASE("opcodes: on large boards a digit's code is its cell number") {
  auto engine = tictactoe_traits();
  engine.rows = 7, engine.columns = 7;
  CHECK(tests::read(*describe().make_codec(engine),
                    "\0\2"
                    "0"s,
                    {})
            .said == decoded_inputs{"play game=0 form=0 cell=48 text="});
  engine.rows = 6, engine.columns = 8;
  CHECK(tests::read(*describe().make_codec(engine),
                    "\0\2"
                    "0"s,
                    {})
            .said == decoded_inputs{"play game=0 form=0 cell=0 text="});
}

TEST_CASE("opcodes: waits for the rest of a packet") {
  CHECK(input("").empty());
  CHECK(input("\0"s).empty());
  CHECK(input("\0\2"s).empty());
}

TEST_CASE("opcodes: an unknown opcode ends the connection") {
  for (const auto& bytes : {"\0\0"s, "\0\3"s, "\0\4"s, "\0\5"s, "\0\6"s, "\1\1"s, "GE"s}) {
    INFO(bytes);
    CHECK(input(bytes + "\0\1"s) == decoded_inputs{"error unknown-type"});
  }
  CHECK(farewell_of(close_reason::protocol_error) == decoded_inputs{"ERROR 1"});
}

TEST_CASE("opcodes: acknowledges the seat before there is an opponent") {
  std::string out;
  const auto c = new_codec();
  c->send(answered(placed{"tictactoe", "XO", 1}), out);
  CHECK(out == "\0\4O"s);
}

TEST_CASE("opcodes: writes the packets of the specification byte by byte") {
  std::string out;
  append_state("XO-------", 9, 'X', out);
  append_error(error_code::space_not_empty, "taken", out);
  CHECK(out == "\0\3XO-------X\0\5\0\5taken\0"s);
}

TEST_CASE("opcodes: prompts only the player to move") {
  CHECK(sent_to(0, {told(position_of("---------", only(0)))}) ==
        decoded_inputs{"STATE --------- -"});
  CHECK(sent_to(1, {told(position_of("---------", only(0)))}).empty());
}

TEST_CASE("opcodes: acknowledges an accepted move to its mover and prompts the other") {
  const auto now = position_of("X--------", only(1));
  CHECK(sent_to(0, {answered(now)}) == decoded_inputs{"ACK X"});
  CHECK(sent_to(1, {told(now)}) == decoded_inputs{"STATE X-------- -"});
}

TEST_CASE("opcodes: reports the result to both players") {
  const auto won = final_position("XXXOO----", end_reason::rules, 0);
  CHECK(sent_to(0, {answered(won)}) == decoded_inputs{"ACK X", "STATE XXXOO---- X"});
  CHECK(sent_to(1, {told(won)}) == decoded_inputs{"STATE XXXOO---- X"});
  const auto drawn = final_position("XOXXOOOXX", end_reason::rules, std::nullopt);
  CHECK(sent_to(0, {answered(drawn)}) == decoded_inputs{"ACK X", "STATE XOXXOOOXX -"});
  CHECK(sent_to(1, {told(drawn)}) == decoded_inputs{"STATE XOXXOOOXX -"});
}

TEST_CASE("opcodes: distinguishes an early draw from a turn") {
  const auto drawn = final_position("XOXXOO---", end_reason::rules, std::nullopt);
  CHECK(sent_to(0, {told(drawn)}) == decoded_inputs{"STATE XOXXOO--- ="});
  auto odd = tictactoe_traits();
  odd.marks = "X=";
  CHECK(describe().unsupported_reason(odd) ==
        "has the mark '=', which says here that a game was drawn");
}

TEST_CASE("opcodes: asks for the game of its port with the options of its port") {
  auto engine = tictactoe_traits();
  const auto seek_for = [&] {
    const auto c = describe().make_codec(engine);
    c->receive({"\0\1", 2});
    return std::get<seek>(std::get<intent>(*c->next()));
  };
  CHECK(seek_for().options.empty());
  engine.options = R"({"rows":7})";
  CHECK(seek_for().options == decoded_inputs{engine.options});
}

TEST_CASE("opcodes: the remaining player wins") {
  for (const auto why : {end_reason::left, end_reason::clock})
    CHECK(sent_to(1, {told(final_position("X--------", why, 1))}) ==
          decoded_inputs{"STATE X-------- O"});
}

TEST_CASE("opcodes: never shows a game without a result as a draw") {
  for (const auto why : {end_reason::drained, end_reason::operator_, end_reason::failed,
                         end_reason::left, end_reason::clock})
    CHECK(sent_to(0, {told(final_position("X--------", why, std::nullopt))}) ==
          decoded_inputs{"ERROR 7"});
}

TEST_CASE("opcodes: has a code for every refusal") {
  CHECK(refusal_text(refusal::malformed) == decoded_inputs{"ERROR 1"});
  CHECK(refusal_text(refusal::not_in_game) == decoded_inputs{"ERROR 2"});
  CHECK(refusal_text(refusal::game_over) == decoded_inputs{"ERROR 2"});
  CHECK(refusal_text(refusal::not_your_turn) == decoded_inputs{"ERROR 3"});
  CHECK(refusal_text(refusal::out_of_bounds) == decoded_inputs{"ERROR 4"});
  CHECK(refusal_text(refusal::space_not_empty) == decoded_inputs{"ERROR 5"});
  CHECK(refusal_text(refusal::illegal_move) == decoded_inputs{"ERROR 5"});
  CHECK(refusal_text(refusal::already_in_game) == decoded_inputs{"ERROR 6"});
  CHECK(refusal_text(refusal::hub_full) == decoded_inputs{"ERROR 7"});
  CHECK(refusal_text(refusal::draining) == decoded_inputs{"ERROR 7"});
  CHECK(refusal_text(refusal::bad_options) == decoded_inputs{"ERROR 7"});
  CHECK(refusal_text(refusal::opponent_left) == decoded_inputs{"ERROR 8"});
  CHECK(refusal_text(refusal::rate_limited) == decoded_inputs{"ERROR 9"});
  for (int i = 0; i < refusal_count; ++i) CHECK(refusal_text(static_cast<refusal>(i)).size() == 1);
}

TEST_CASE("opcodes: limits the engine's text to ASCII and 255 bytes") {
  refused no;
  no.why = refusal::illegal_move;
  no.detail = "caf\xC3\xA9 " + std::string(400, 'x') + "\0"s;
  CHECK(sent_to(0, {answered(no)}) == decoded_inputs{"ERROR 5"});
}

TEST_CASE("opcodes: says in each refusal that the client is slowed down") {
  const auto c = new_codec();
  const auto sent = [&](refusal why) {
    refused no;
    no.why = why;
    std::string out;
    c->send(answered(no), out);
    return out;
  };
  const std::string slowed = "Too many requests in a row were refused: slow down. ";
  CHECK(sent(refusal::space_not_empty).find(slowed) == std::string::npos);
  c->set_slowed(true);
  CHECK(sent(refusal::space_not_empty) ==
        "\x00\x05\x00\x05"s + slowed + "That position is taken." + '\0');
  CHECK(sent(refusal::illegal_move).find(slowed) == 4);
}

TEST_CASE("opcodes: writes an error before a close") {
  CHECK(farewell_of(close_reason::hub_full) == decoded_inputs{"ERROR 7"});
  CHECK(farewell_of(close_reason::draining) == decoded_inputs{"ERROR 7"});
  CHECK(farewell_of(close_reason::failed) == decoded_inputs{"ERROR 7"});
  CHECK(farewell_of(close_reason::address_limit) == decoded_inputs{"ERROR 9"});
  CHECK(farewell_of(close_reason::idle) == decoded_inputs{"ERROR 2"});
  CHECK(farewell_of(close_reason::handshake_timeout) == decoded_inputs{"ERROR 2"});
  CHECK(farewell_of(close_reason::client_left).empty());
  CHECK(farewell_of(close_reason::slow_reader).empty());
}

TEST_CASE("opcodes: writes a board of the engine's size in every case") {
  auto short_board = std::make_shared<position>();
  short_board->cells = "X";
  short_board->prompted = only(0);
  CHECK(sent_to(0, {told(short_board)}) == decoded_inputs{"STATE X-------- -"});
}

TEST_CASE("opcodes: refuses unsupported engines with a reason") {
  const auto unsupported = describe().unsupported_reason;
  CHECK_FALSE(unsupported(tictactoe_traits()));
  auto engine = tictactoe_traits();
  engine.rows = 16, engine.columns = 16;
  CHECK_FALSE(unsupported(engine));
  engine.rows = 19, engine.columns = 19;
  CHECK(unsupported(engine).value().find("361 cells") != std::string::npos);
  engine = tictactoe_traits();
  engine.marks.clear();
  CHECK(unsupported(engine).value().find("no board") != std::string::npos);
  engine = tictactoe_traits();
  engine.simultaneous = true;
  CHECK(unsupported(engine).value().find("at the same time") != std::string::npos);
  engine = tictactoe_traits();
  engine.perfect_information = false;
  CHECK(unsupported(engine).value().find("hides") != std::string::npos);
  engine = tictactoe_traits();
  engine.players = 3;
  CHECK(unsupported(engine).value().find("played by 3") != std::string::npos);
}

}  // namespace
}  // namespace gamehub::gateways::opcodes
