#include "gateways/http/chat_history.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::gateways::http;
using namespace std::chrono_literals;

namespace {

const base::instant start{1h};

std::string mistake(std::string_view message) {
  const auto wrong = check_message(message);
  return wrong ? wrong->message : "none";
}

}  // namespace

TEST_CASE("http chat: a message is one line of text") {
  CHECK(mistake("hi!") == "none");
  CHECK(mistake("caf\xC3\xA9 \xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x9A\x80") == "none");
  CHECK(mistake("\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D") == "none");
  for (const std::string text : {"a\nb", "a\tb", "a\x7F",
                                 "a\xC2\x9B"
                                 "b",
                                 "a\xE2\x80\xAE"
                                 "b",
                                 "a\xE2\x80\xA8"
                                 "b",
                                 "a\xE2\x81\xA6", "a\xFF", "a\xC3"})
    CHECK(mistake(text) == "message has a character that is no part of a line of text");
  CHECK(mistake(std::string(1, '\0')) == mistake("\n"));
}

TEST_CASE("http chat: a message is not blank") {
  for (const auto* text : {"", "   ", "\xC2\xA0", "\xE2\x80\x8B\xE2\x80\x8B", "\xEF\xBB\xBF "})
    CHECK(mistake(text) == "message is missing");
}

TEST_CASE("http chat: a message is bounded in bytes") {
  CHECK(mistake(std::string(limits::http_chat_bytes_max, 'a')) == "none");
  CHECK(mistake(std::string(limits::http_chat_bytes_max + 1, 'a')) ==
        "message is longer than 500 bytes");
}

TEST_CASE("http chat: messages have a rate limit") {
  chat_history c;
  for (std::uint32_t i = 0; i < limits::http_chat_burst; ++i)
    CHECK(!c.check_and_add("hi", false, start));
  const auto wrong = c.check_and_add("hi", false, start);
  REQUIRE(wrong);
  CHECK(wrong->code == error_code::too_many_requests);
  CHECK(wrong->retry_after == 2s);
  CHECK(!c.check_and_add("hi", false, start + 2s));
  CHECK(c.check_and_add("hi", false, start + 2s));
}

TEST_CASE("http chat: a refused message does not count") {
  chat_history c;
  for (int i = 0; i < 100; ++i)
    CHECK(c.check_and_add("\n", false, start)->code == error_code::bad_request);
  for (int i = 0; i < 100; ++i) CHECK(c.check_and_add("hi", true, start));
  CHECK(!c.check_and_add("hi", false, start));
}

TEST_CASE("http chat: a muted player gets an error") {
  chat_history c;
  const auto wrong = c.check_and_add("hi", true, start);
  REQUIRE(wrong);
  CHECK(to_response(*wrong).status == 403);
  CHECK(wrong->message == "an operator has muted you");
}
