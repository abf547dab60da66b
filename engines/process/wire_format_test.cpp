#include "engines/process/wire_format.hpp"

#include "engines/process/reply_validation.hpp"
#include "tests/support/catch.hpp"

#include <charconv>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::engines::process {
namespace {

description some_description() {
  description d;
  d.flags = 5;
  d.id = "last-stone";
  d.title = "Last Stone";
  d.options_schema = "{}";
  d.version_minor = 2;
  d.players_min = 2;
  d.players_max = 4;
  d.actions_max = 3;
  d.plies_max = 15;
  d.state_bytes_max = 8;
  d.marks = "XO";
  d.face = "{}";
  d.has_summary = true;
  d.has_player = true;
  return d;
}

request some_request() {
  request r;
  r.what = request::kind::apply;
  r.released = {1, 0x0102030405060708};
  r.match = 7;
  r.seat = -1;
  r.number = -2;
  r.text = "{}";
  query q;
  q.what = query::kind::choose;
  q.seat = 1;
  q.number = -5;
  q.text = "4,4";
  q.level = 2;
  q.seed = 9;
  q.budget_ns = 1'000;
  r.queries = {query{}, q};
  return r;
}

reply some_reply() {
  reply r;
  r.reason = "out-of-bounds";
  r.state = state_summary{2, only(chance), 99, {3, 4}, {1.0, -0.5}, {1, 2}, {7, 8}};
  query_result a;
  a.failed = true;
  a.reason = "malformed";
  a.number = -1;
  a.audience = everyone;
  a.bytes = std::string{"\0\xff", 2};
  a.actions = {-1, 5};
  a.scores = {0.5, -3};
  r.answers = {a, query_result{}};
  return r;
}

// What is cut off or has something after it is nothing.
template <class What, class Decode>
void check_both_ways(const What& what, Decode decode) {
  const auto bytes = encode(what);
  const auto back = decode(bytes);
  REQUIRE(back);
  CHECK(*back == what);
  for (std::size_t i = 0; i < bytes.size(); ++i) CHECK_FALSE(decode(bytes.substr(0, i)));
  CHECK_FALSE(decode(bytes + '\0'));
}

TEST_CASE("wire_format: what is written is read again, and nothing less or more than it") {
  check_both_ways(some_description(), [](std::string_view b) { return decode_description(b); });
  check_both_ways(description{}, [](std::string_view b) { return decode_description(b); });
  check_both_ways(some_request(), [](std::string_view b) { return decode_request(b); });
  check_both_ways(request{}, [](std::string_view b) { return decode_request(b); });
  check_both_ways(some_reply(), [](std::string_view b) { return decode_reply(b); });
  check_both_ways(reply{}, [](std::string_view b) { return decode_reply(b); });
}

TEST_CASE("wire_format: a request has these bytes") {
  request r;
  r.what = request::kind::apply;
  r.released = {258};
  r.match = 3;
  r.seat = 1;
  r.number = -2;
  r.text = "ab";
  const std::string wanted{
      "\x03"
      "\x01\0\0\0"
      "\x02\x01\0\0\0\0\0\0"
      "\x03\0\0\0\0\0\0\0"
      "\x01\0\0\0"
      "\xfe\xff\xff\xff\xff\xff\xff\xff"
      "\x02\0\0\0"
      "ab"
      "\0\0\0\0",
      43};
  CHECK(encode(r) == wanted);
}

TEST_CASE("wire_format: what stands for nothing is refused") {
  auto bytes = encode(request{});
  bytes[0] = static_cast<char>(request_kind_count);
  CHECK_FALSE(decode_request(bytes));
  request asks;
  asks.queries.emplace_back();
  bytes = encode(asks);
  // The first byte of the query: all before it is the request without any.
  bytes[encode(request{}).size()] = static_cast<char>(query_kind_count);
  CHECK_FALSE(decode_request(bytes));
  bytes = encode(reply{});
  bytes[0] = 2;  // neither true nor false
  CHECK_FALSE(decode_reply(bytes));
}

TEST_CASE("wire_format: the first message has a name, a version and a description") {
  const auto bytes = encode_hello(some_description());
  CHECK(bytes.starts_with(std::string{"GHENGINE\1\0\0\0", 12}));
  const auto back = decode_hello(bytes);
  REQUIRE(std::holds_alternative<description>(back));
  CHECK(std::get<description>(back) == some_description());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    CHECK(std::holds_alternative<std::string>(decode_hello(bytes.substr(0, i))));
  const auto fault = [](const std::string& message) {
    return std::get<std::string>(decode_hello(message));
  };
  CHECK(fault("hello, world") == not_an_engine);
  CHECK(fault(bytes + '\0') == "its description is malformed");
  auto later = bytes;
  later[10] = 1;
  CHECK(std::get<description>(decode_hello(later)).protocol_minor == 1);
  later[10] = 2;
  CHECK(fault(later) == "it needs version 1.2 of the engine protocol, and this hub speaks 1.1");
  later[8] = 2;
  CHECK(fault(later) == "it needs version 2.2 of the engine protocol, and this hub speaks 1.1");
}

TEST_CASE("wire_format: a count that can't be true reserves nothing") {
  auto bytes = encode(reply{});
  // The number of answers comes last.
  for (std::size_t i = bytes.size() - 4; i < bytes.size(); ++i) bytes[i] = '\xff';
  CHECK_FALSE(decode_reply(bytes));
}

// The match in README.md, read with the functions of the hub. tests/system/engine_transcript.py
// plays it with the engine that it shows.
struct message {
  char from = 0;  // 'E' or 'H'
  std::string bytes;
};

// Appends "0a00 \"text\"" without its comment.
void append_bytes(std::string_view text, std::string& to) {
  while (!text.empty() && text.front() != '#') {
    const char c = text.front();
    if (c == '"' || c == '\'') {
      const auto end = text.find(c, 1);
      REQUIRE(end != text.npos);
      to += text.substr(1, end - 1);
      text.remove_prefix(end + 1);
    } else if (c == ' ') {
      text.remove_prefix(1);
    } else {
      unsigned value = 0;
      REQUIRE(text.size() >= 2);
      REQUIRE(std::from_chars(text.data(), text.data() + 2, value, 16).ptr == text.data() + 2);
      to += static_cast<char>(value);
      text.remove_prefix(2);
    }
  }
}

// The messages without their sizes, which must be right.
std::vector<message> messages_in_readme() {
  std::ostringstream readme;
  readme << std::ifstream{GAMEHUB_ENGINES_DIR "/process/README.md"}.rdbuf();
  const auto text = readme.str();
  constexpr std::string_view begin = "```transcript engine\n";
  auto from = text.find(begin);
  REQUIRE(from != text.npos);
  from += begin.size();
  std::istringstream lines{text.substr(from, text.find("```", from) - from)};
  std::vector<message> out;
  bool within = false;
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    if (line.empty()) {
      within = false;
      continue;
    }
    if (!std::exchange(within, true)) out.push_back({line.front(), {}});
    REQUIRE(line.front() == out.back().from);
    append_bytes(std::string_view{line}.substr(1), out.back().bytes);
  }
  for (auto& each : out) {
    REQUIRE(each.bytes.size() >= 4);
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i)
      size |= static_cast<std::size_t>(static_cast<unsigned char>(each.bytes[i])) << (8 * i);
    each.bytes.erase(0, 4);
    CHECK(each.bytes.size() == size);
  }
  return out;
}

TEST_CASE("wire_format: the match in the README is valid, and means what it says") {
  const auto all = messages_in_readme();
  REQUIRE(all.size() == 11);
  const auto hello = decode_hello(all[0].bytes);
  REQUIRE(std::holds_alternative<description>(hello));
  const auto& engine = std::get<description>(hello);
  CHECK(engine.id == "last-stone");
  CHECK(engine.protocol_minor == minor_with_play);
  CHECK(encode_hello(engine) == all[0].bytes);
  CHECK(validate(engine).empty());

  std::vector<request> asked;
  std::vector<reply> said;
  for (std::size_t i = 1; i < all.size(); i += 2) {
    CAPTURE(i);
    REQUIRE(all[i].from == 'H');
    REQUIRE(all[i + 1].from == 'E');
    const auto r = decode_request(all[i].bytes);
    const auto answered = decode_reply(all[i + 1].bytes);
    REQUIRE(r);
    REQUIRE(answered);
    CHECK(encode(*r) == all[i].bytes);
    CHECK(validate(*answered, *r).empty());
    asked.push_back(*r);
    said.push_back(*answered);
  }
  using kind = request::kind;
  CHECK(asked[0].what == kind::create);
  CHECK(said[0].state->to_move == only(0));
  CHECK(asked[1].queries.at(0).text == R"({"action":3})");
  CHECK(said[1].answers.at(0).number == 3);
  CHECK(asked[2].what == kind::apply);
  CHECK(validate(*said[2].state, engine, &*said[0].state).empty());
  CHECK(said[2].answers.at(0).actions == std::vector<action>{1, 2, 3});
  CHECK(said[2].answers.at(1).bytes == R"({"stones":12})");
  CHECK(said[3].reason == "not-your-turn");
  CHECK(asked[4].what == kind::play);
  CHECK(asked[4].number == 2);
  CHECK(said[4].answers.at(0).number == 2);
  CHECK(validate(*said[4].state, engine, &*said[2].state).empty());
  CHECK(said[4].answers.at(1).bytes == R"({"stones":10})");
}

}  // namespace
}  // namespace gamehub::engines::process
