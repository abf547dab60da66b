#include "tools/bench/http_text.hpp"

#include "tests/support/catch.hpp"

#include <string>

namespace gamehub::tools::bench {
namespace {

TEST_CASE("http text: requests are those of the document") {
  std::string out;
  append_position("secret", 8, out);
  CHECK(out ==
        "POST /api/move HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 27\r\n\r\n"
        "client_id=secret&position=8");
  out.clear();
  append_reading("17", "secret", out);
  CHECK(out == "GET /api/updates/17?client_id=secret HTTP/1.1\r\nHost: localhost\r\n\r\n");
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
  for (const auto* type : {"state", "away", "back"})
    CHECK(read_update(R"({"type":")" + std::string{type} + R"(","update_id":3})")->what ==
          update_message::kind::live);
  CHECK_FALSE(read_update(R"({"type":"move","board":"XX","update_id":3})"));
  CHECK_FALSE(read_update(R"({"type":"end"})"));
}

}  // namespace
}  // namespace gamehub::tools::bench
