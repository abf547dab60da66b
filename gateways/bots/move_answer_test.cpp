#include "gateways/bots/move_answer.hpp"

#include "hub/base/utf8.hpp"
#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::gateways::bots;

namespace {

void reads(std::string_view body, std::int64_t position) {
  INFO(body);
  const auto read = read_position(body);
  if (const auto* bad = std::get_if<bot_error>(&read)) FAIL(bad->text);
  CHECK(std::get<std::int64_t>(read) == position);
}

void finds(std::string_view body, bot_error_code code, const std::string& words) {
  INFO(body);
  const auto read = read_position(body);
  const auto* bad = std::get_if<bot_error>(&read);
  REQUIRE(bad != nullptr);
  INFO(bad->text);
  CHECK(bad->code == code);
  CHECK(bad->text.find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("move_answer: the position is what counts") {
  reads(R"({"jsonrpc":"2.0","result":{"position":7},"error":null,"id":1})", 7);
  reads(R"({"result":{"position":0}})", 0);
  reads(R"( {"id":"other","result":{"why":"best","position":4}} )", 4);
  reads(R"({"result":{"position":3},"error":"but"})", 3);
  reads("\xEF\xBB\xBF{\"result\":{\"position\":3}}\r\n", 3);
  reads(R"({"result":{"position":1,"position":2}})", 2);
}

TEST_CASE("move_answer: accepts any integer as a position") {
  reads(R"({"result":{"position":-1}})", -1);
  reads(R"({"result":{"position":9}})", 9);
  finds(R"({"result":{"position":99999999999999999999}})", bot_error_code::out_of_bounds,
        "no position 9999");
}

TEST_CASE("move_answer: every other reply has an error text") {
  using enum bot_error_code;
  finds("", unparsable, "no body");
  finds("Internal error", unparsable, "is no JSON object: Internal error");
  finds("[1]", unparsable, "is no JSON object");
  finds(R"({"result":{"position":1}} tail)", unparsable, "is no JSON object");
  finds(R"({"result":{"position":1})", unparsable, "is no JSON object");
  finds("{}", unparsable, "no member \"result\"");
  finds(R"({"result":null})", unparsable, "The result of your answer is null");
  finds(R"({"result":"4"})", unparsable, "is \"4\" and not an object");
  finds(R"({"result":{}})", unparsable, "no member \"position\"");
  finds(R"({"result":{"Position":4}})", unparsable, "no member \"position\"");
  finds(R"({"result":{"position":4.5}})", unparsable, "4.5 and not an integer");
  finds(R"({"result":{"position":4.0}})", unparsable, "4.0 and not an integer");
  finds(R"({"result":{"position":"4"}})", unparsable, "\"4\" and not an integer");
  finds(R"({"result":{"position":null}})", unparsable, "null and not an integer");
  finds(R"({"error":{"code":-32601,"message":"no"}})", unparsable, "the error {\"code\":-32601");
  finds(R"({"result":null,"error":"tired"})", unparsable, "the error \"tired\"");
}

TEST_CASE("move_answer: an excerpt is one line of limited length") {
  CHECK(gamehub::gateways::bots::quoted("a\r\n\tb") == "a b");
  CHECK(gamehub::gateways::bots::quoted("caf\xC3\xA9") == "caf\xC3\xA9");
  const auto cut = gamehub::gateways::bots::quoted(std::string(79, 'x') + "\xC3\xA9tail");
  CHECK(cut == std::string(79, 'x') + "\xE2\x80\xA6");
  CHECK(gamehub::base::utf8::valid(gamehub::gateways::bots::quoted("\xFF\xFE\x80 rest")));
  CHECK(gamehub::gateways::bots::quoted("a\xE2\x80\xAE"
                                        "b") == "a b");
}

TEST_CASE("move_answer: a bot names the offers that it accepts") {
  const auto reads = [](std::string_view accepts) {
    const auto got =
        read_accepted(R"({"result":{"position":1,"accepts":)" + std::string{accepts} + "}}");
    return std::pair{got.draw, got.takeback};
  };
  CHECK(reads(R"(["draw"])") == std::pair{true, false});
  CHECK(reads(R"(["takeback",5,"draw","cake"])") == std::pair{true, true});
  for (const auto* none : {"[]", "\"draw\"", "null", "{}", "true"})
    CHECK(reads(none) == std::pair{false, false});
  CHECK_FALSE(read_accepted("no JSON").draw);
}

TEST_CASE("move_answer: of a table the move is any JSON value, or a position") {
  const auto move_of = [](std::string_view body) {
    return std::get<gamehub::move>(read_table_move(body));
  };
  CHECK(move_of(R"({"result":{"move":"h:0:1"}})").text == R"("h:0:1")");
  CHECK(move_of(R"({"result":{"move":"h:0:1"}})").as == move::form::document);
  CHECK(move_of(R"({"result":{"move":{"bid":2},"position":3}})").text == R"({"bid":2})");
  CHECK(move_of(R"({"result":{"move":7}})").text == "7");
  const auto cell = move_of(R"({"result":{"move":null,"position":3}})");
  CHECK(cell.as == move::form::cell);
  CHECK(cell.cell == 3);
  const auto error_of = [](std::string_view body) {
    return std::get<bot_error>(read_table_move(body)).text;
  };
  CHECK(error_of(R"({"result":{}})") ==
        R"(The result of your answer has no member "move" or "position".)");
  CHECK(error_of(R"({"result":{"position":4.5}})") == "Your position is 4.5 and not an integer.");
  CHECK(error_of("") == "Your answer has no body.");
}

TEST_CASE("move_answer: on a board a position counts, and without one a move") {
  const auto move_of = [](std::string_view body) {
    return std::get<gamehub::move>(read_board_move(body));
  };
  const auto cell = move_of(R"({"result":{"move":"e2e4","position":3}})");
  CHECK(cell.as == move::form::cell);
  CHECK(cell.cell == 3);
  CHECK(cell.text.empty());
  const auto own = move_of("\xEF\xBB\xBF{\"result\":{\"move\":\"e2e4\"}}");
  CHECK(own.as == move::form::document);
  CHECK(own.text == R"("e2e4")");
  const auto error_of = [](std::string_view body) {
    return std::get<bot_error>(read_board_move(body)).text;
  };
  // Without both the error is that of read_position().
  CHECK(error_of(R"({"result":{}})") == R"(The result of your answer has no member "position".)");
  CHECK(error_of(R"({"result":{"move":null}})") ==
        R"(The result of your answer has no member "position".)");
  CHECK(error_of(R"({"result":{"move":"e2e4","position":4.5}})") ==
        "Your position is 4.5 and not an integer.");
  CHECK(error_of("e2e4") == "Your answer is no JSON object: e2e4");
}
