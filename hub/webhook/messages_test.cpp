#include "hub/webhook/messages.hpp"

#include "tests/support/catch.hpp"

#include <chrono>
#include <string>
#include <variant>

namespace gamehub::webhook {
namespace {

using namespace std::chrono_literals;

const std::string key = "0123456789abcdef";
const lasting_seat seat{"digest", game_id{12}, "tictactoe", 1};

// Computed by Python's hmac module from key and "challenge.abc".
const std::string answer = "8dd7fd5f2914e570ad5493bff3f12a1291367e7fe566cac8efdc22f1454e1379";

}  // namespace

TEST_CASE("webhook messages: an event names the game, the seat and its times, and no secret") {
  absent_turn turn{seat, 7, base::wall_time{1'700'000'000s}};
  CHECK(turn_body(turn) ==
        R"({"type":"your-turn","id":"12.7","game_id":"12","engine":"tictactoe","player":"O",)"
        R"("since":"2023-11-14T22:13:20.000000"})");
  turn.until = base::wall_time{1'700'000'060s};
  CHECK(turn_body(turn).ends_with(R"("until":"2023-11-14T22:14:20.000000"})"));
  lasting_end end{seat, 9, true};
  end.how = {end_reason::clock, 0, {1, -1}};
  CHECK(end_body(end) ==
        R"({"type":"game-ended","id":"12.9","game_id":"12","engine":"tictactoe","player":"O",)"
        R"("code":"clock","winner":"X"})");
  end.how = {end_reason::rules, std::nullopt, {0, 0}};
  CHECK(end_body(end).ends_with(R"("code":"draw","winner":"D"})"));
  end.how = {end_reason::operator_, std::nullopt, {}};
  CHECK(end_body(end).ends_with(R"("code":"operator","winner":null})"));
}

TEST_CASE("webhook messages: only who knows the secret answers the challenge") {
  CHECK(challenge_body("abc") == R"({"type":"challenge","challenge":"abc"})");
  CHECK(challenge_answer(key, "abc") == answer);
  CHECK(is_answer(R"({"answer":")" + answer + "\"}", key, "abc"));
  CHECK(is_answer(" {\"more\": [1], \"answer\" : \"" + answer + "\"} \n", key, "abc"));
  for (const std::string& wrong :
       {challenge_body("abc"), R"({"answer":"abc"})" + std::string{}, std::string{"abc"}, answer,
        std::string{}, std::string{"{"}, R"({"answer":1})" + std::string{},
        R"({"answer":")" + answer, R"([{"answer":")" + answer + "\"}]", std::string(4'000, '{')}) {
    INFO(wrong);
    CHECK_FALSE(is_answer(wrong, key, "abc"));
  }
  CHECK_FALSE(is_answer(R"({"answer":")" + answer + "\"}", key, "abd"));
  CHECK_FALSE(is_answer(R"({"answer":")" + answer + "\"}", key + "0", "abc"));
}

TEST_CASE("webhook messages: a request is signed, and closes its connection") {
  const auto url =
      std::get<gateways::bots::bot_url>(gateways::bots::read_url("http://a.example:8000/hook?x=1"));
  // The example of gateways/bots/README.md.
  CHECK(request_bytes(url, key, base::wall_time{1'700'000'000s}, R"({"id":1})") ==
        "POST /hook?x=1 HTTP/1.1\r\nHost: a.example:8000\r\nUser-Agent: gamehub\r\n"
        "Content-Type: application/json\r\nContent-Length: 8\r\n"
        "Gamehub-Signature: t=1700000000,v1="
        "4bcaced68dfea90a68df035b89cb7fb26692d899d32a1ccb1b0616cf48e4d1ed\r\n"
        "Connection: close\r\n\r\n{\"id\":1}");
}

}  // namespace gamehub::webhook
