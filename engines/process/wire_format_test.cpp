#include "engines/process/wire_format.hpp"

#include "tests/support/catch.hpp"

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

TEST_CASE("wire_format: a count that can't be true reserves nothing") {
  auto bytes = encode(reply{});
  // The number of answers comes last.
  for (std::size_t i = bytes.size() - 4; i < bytes.size(); ++i) bytes[i] = '\xff';
  CHECK_FALSE(decode_reply(bytes));
}

}  // namespace
}  // namespace gamehub::engines::process
