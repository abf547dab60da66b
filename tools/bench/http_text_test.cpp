#include "tools/bench/http_text.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::tools::bench {
namespace {

TEST_CASE("http text: requests are those of the document") {
  std::string out;
  append_position("secret", 8, out);
  CHECK(out ==
        "POST /api/move HTTP/1.1\r\nHost: gamehub\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 27\r\n\r\n"
        "client_id=secret&position=8");
  out.clear();
  append_reading("17", "secret", out);
  CHECK(out == "GET /api/updates/17?client_id=secret HTTP/1.1\r\nHost: gamehub\r\n\r\n");
}

TEST_CASE("http text: the head of an answer describes its body") {
  const std::string plain = "HTTP/1.1 409 Conflict\r\nDate: x\r\nContent-Length: 17\r\n\r\n{";
  const auto head = read_head(plain);
  REQUIRE(head);
  CHECK(head->status == 409);
  CHECK(head->bytes == plain.size() - 1);
  CHECK(head->body_bytes == 17);
  CHECK_FALSE(head->in_chunks);
  CHECK_FALSE(read_head(plain.substr(0, plain.size() - 2)));
  CHECK(read_head("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")->in_chunks);
  CHECK(read_head("SSH-2.0\r\n\r\n")->status == 0);
}

TEST_CASE("http text: a chunk is read once it is whole") {
  const std::string bytes = "1b\r\n{\"type\":\"end\",\"more\":\"ab\"}\n\r\n0\r\n\r\n";
  for (std::size_t n = 0; n < 33; ++n)
    CHECK_FALSE(read_chunk(std::string_view{bytes}.substr(0, n)));
  const auto one = read_chunk(bytes);
  REQUIRE(one);
  CHECK(one->bytes == 33);
  CHECK(one->text.size() == 27);
  CHECK_FALSE(one->last);
  CHECK_FALSE(one->wrong);
  CHECK(read_chunk(bytes.substr(33))->last);
  CHECK(read_chunk("zz\r\n")->wrong);
  CHECK(read_chunk("ffffffffffffffffff\r\n")->wrong);
  CHECK(read_chunk("0123456789012345678")->wrong);
  CHECK(read_chunk("1\r\nabc")->wrong);
}

TEST_CASE("http text: a place is one at an empty board") {
  const auto x =
      read_seat_answer(R"({"game_id":"17","player":"X","board":"_________","turn":"X"})");
  REQUIRE(x);
  CHECK(x->game == "17");
  CHECK(x->plays_x);
  CHECK_FALSE(read_seat_answer(R"({"game_id":"17","player":"O","board":"_________"})")->plays_x);
  CHECK_FALSE(read_seat_answer(R"({"game_id":"17","player":"X","board":"____X____","turn":"O"})"));
  CHECK_FALSE(read_seat_answer(R"({"error":{"code":106,"message":"full"}})"));
}

TEST_CASE("http text: updates tell the board and how the game ended") {
  const auto move = read_update(
      R"({"type":"move","board":"XXXOO____","player":"X","position":2,"winner":"X","update_id":8})");
  REQUIRE(move);
  CHECK(move->what == update_message::kind::move);
  CHECK(move->number == 8);
  CHECK(move->board == board{}.with(0).with(3).with(1).with(4).with(2));
  CHECK(move->end == ending::x_won);
  CHECK(read_update(R"({"type":"status","board":"_________","turn":"X","update_id":1})")->end ==
        ending::none);
  CHECK(read_update(R"({"type":"end","reason":"X wins","update_id":9})")->what ==
        update_message::kind::end);
  CHECK(read_update(R"({"type":"connect","name":"a","update_id":2})")->what ==
        update_message::kind::other);
  CHECK_FALSE(read_update(R"({"type":"move","board":"XX","update_id":3})"));
  CHECK_FALSE(read_update(R"({"type":"end"})"));
}

}  // namespace
}  // namespace gamehub::tools::bench
