#include "gateways/turns/turns.hpp"

#include "hub/base/json.hpp"
#include "hub/core/limits.hpp"
#include "tests/contract/codec_contract.hpp"
#include "tests/contract/codec_events.hpp"
#include "tests/contract/codec_reading.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::gateways::turns {
namespace {

using nlohmann::json;
using tests::answered;
using tests::beginning;
using tests::final_position;
using tests::position_of;
using tests::told;
using decoded_inputs = std::vector<std::string>;

const std::string unknown_game = "play game=18446744073709551615 form=1 cell=0 text=";

decoded_inputs split(std::string_view text) {
  decoded_inputs out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return out;
}

// Returns what violates the protocol in a client's view.
std::string fault_of(std::string_view bytes) {
  if (!bytes.empty() && bytes.back() != '\n') return "a line without an end";
  for (const auto& line : split(bytes)) {
    const auto input = json::parse(line, nullptr, false);
    if (!input.is_object()) return "no JSON object: " + line;
    const auto type = input.value("type", "");
    const bool about_game = type == "start" || type == "message" || type == "close";
    if (!about_game && type != "name") return "unknown type: " + line;
    if (about_game && !input.value("game_id", json{}).is_number_integer())
      return "no game: " + line;
    if (type != "message") continue;
    // Not the library's opinion: it takes 1e999, which a client may have sent, for no number.
    const auto payload = input.value("payload", "");
    if (!payload.starts_with('{') || !base::json::valid(payload))
      return "a payload that is no object: " + line;
  }
  return {};
}

std::unique_ptr<codec> new_codec() { return describe().make_codec({}); }

decoded_inputs input(std::string_view bytes) { return tests::read(*new_codec(), bytes, {}).said; }

std::string first_input(std::string_view line) {
  const auto all = input(std::string{line} + "\n");
  return all.empty() ? "nothing" : all[0];
}

// Returns what a client reads for these events.
std::string sent_in_game(codec& c, const std::vector<event>& events) {
  std::string out;
  for (const auto& each : events) c.send(each, out);
  return out;
}

// The same, after its game 0 has started.
std::string sent_to(seat_index seat, const std::vector<event>& events) {
  const auto c = new_codec();
  sent_in_game(*c, beginning(seat));
  return sent_in_game(*c, events);
}

// What the client input first, once its game 0 has begun.
std::string input_in_game(const std::string& line) {
  const auto c = new_codec();
  sent_in_game(*c, beginning());
  const auto all = tests::read(*c, line + "\n", {}).said;
  return all.empty() ? "nothing" : all[0];
}

std::string played(const std::string& payload) {
  const auto input = input_in_game(R"({"type":"message","game_id":0,"payload":)" + payload + "}");
  const std::string expected = "play game=7 form=1 cell=0 text=";
  return input.starts_with(expected) ? input.substr(expected.size()) : "not played: " + input;
}

refused refusal_of(refusal why, std::string text, std::string detail = "") {
  refused out;
  out.why = why;
  out.detail = std::move(detail);
  out.what.as = move::form::document;
  out.what.text = std::move(text);
  return out;
}

// Returns the inner document of the only line.
json payload_of(const std::string& line) {
  INFO(line);
  REQUIRE(split(line).size() == 1);
  REQUIRE(fault_of(split(line)[0] + "\n").empty());
  return json::parse(json::parse(line).at("payload").get<std::string>());
}

TEST_CASE("turns: keeps the codec contract") {
  const auto protocol = describe();
  auto subject = tests::subject_of(protocol);
  subject.fault_of = fault_of;
  tests::check_codec_contract(subject);
}

TEST_CASE("turns: connects with a name and seeks what it supports") {
  const std::string line =
      R"({"type":"connect","name":"ann","supported_games":["tictactoe","chess"],"max_games":5})";
  CHECK(input(line + "\n") ==
        decoded_inputs{"sign_in name=ann resume=",
                       "seek engine=tictactoe engine=chess options= games_max=5 "
                       "again=yes seat_at_once=no"});
}

TEST_CASE("turns: without a name the hub assigns one") {
  for (const auto* line : {R"({"type":"connect","name":null})", R"({"type":"connect"})",
                           R"({"type":"connect","name":5})"})
    CHECK(first_input(line) == "sign_in name= resume=");
}

TEST_CASE("turns: resumes by secret, and seeks as well") {
  CHECK(input("{\"type\":\"connect\",\"resume\":\"s3cret\",\"supported_games\":[\"a\"]}\n") ==
        decoded_inputs{"sign_in name= resume=s3cret",
                       "seek engine=a options= games_max=1 again=yes seat_at_once=no"});
}

TEST_CASE("turns: accepts any max_games") {
  const auto games = [](const std::string& number) {
    const auto all = input(R"({"type":"connect","max_games":)" + number + "}\n");
    if (all.size() != 2) return std::string{"none"};
    const auto from = all[1].find("games_max=") + 10;
    return all[1].substr(from, all[1].find(' ', from) - from);
  };
  CHECK(games("1") == "1");
  CHECK(games("17") == "17");
  CHECK(games("1001") == "1000");
  CHECK(games("99999999999999999999999") == "1000");
  CHECK(games("null") == "1");
  CHECK(games("\"7\"") == "1");
  CHECK(games("2.5") == "1");
  CHECK(games("0") == "none");
  CHECK(games("-3") == "none");
  CHECK(games("-99999999999999999999999") == "none");
}

TEST_CASE("turns: reads no more engines than a player may wait for") {
  std::string games = "\"e\"";
  for (int i = 0; i < 1000; ++i) games += ",\"e\"";
  const auto all = input(R"({"type":"connect","supported_games":[)" + games + "]}\n");
  REQUIRE(all.size() == 2);
  std::size_t count = 0;
  for (auto at = all[1].find("engine=e"); at != std::string::npos;
       at = all[1].find("engine=e", at + 1))
    ++count;
  CHECK(count == limits::seeks_per_player_max);
}

TEST_CASE("turns: forwards a move unchanged") {
  CHECK(played(R"("{\"type\":\"move\",\"row\":0,\"column\":2}")") ==
        R"({"type":"move","row":0,"column":2})");
  CHECK(played(R"({"row": 1, "column" :[ ]})") == R"({"row": 1, "column" :[ ]})");
  CHECK(played(R"({"row":1e999})") == R"({"row":1e999})");
  CHECK(played(R"("\u00e4 no json\n")") == "\xC3\xA4 no json\n");
  CHECK(played(R"("")") == "");
  CHECK(played("17") == "17");
  CHECK(played("null") == "null");
  CHECK(input_in_game(R"({"type":"message","game_id":0})") ==
        "play game=7 form=1 cell=0 text=null");
}

TEST_CASE("turns: forwards moves of unknown games") {
  for (const auto* id : {"0", "1", "-1", "0.0", "\"0\"", "null", "[0]", "{}", "true", "1e999",
                         "99999999999999999999"}) {
    INFO(id);
    CHECK(first_input(R"({"type":"message","payload":"{}","game_id":)" + std::string{id} + "}") ==
          unknown_game);
  }
  CHECK(first_input(R"({"type":"message","payload":"{}"})") == unknown_game);
}

TEST_CASE("turns: close resigns one game or ends the connection") {
  CHECK(input_in_game(R"({"type":"close","game_id":0})") == "leave game=7");
  CHECK(input_in_game(R"({"type":"close","game_id":1})") == "leave game=18446744073709551615");
  CHECK(input_in_game(R"({"type":"close","game_id":"0"})") == "leave game=18446744073709551615");
  CHECK(input("{\"type\":\"close\"}\n{\"type\":\"connect\"}\n") == decoded_inputs{"goodbye"});
  CHECK(input_in_game(R"({"type":"close","game_id":null})") == "goodbye");
}

TEST_CASE("turns: a line that is not a JSON object ends the connection") {
  for (const auto* line : {"x", "[]", "1", "null", "\"{}\"", "{", "{}}", "{\"type\":\"connect\",}",
                           "{\"type\":\"connect\",\"name\":\"\xFF\"}", "GET / HTTP/1.1"}) {
    INFO(line);
    CHECK(first_input(line) == "error malformed");
  }
}

TEST_CASE("turns: an unknown type ends the connection") {
  for (const auto* line : {"{}", R"({"type":null})", R"({"type":"Connect"})", R"({"type":"start"})",
                           R"({"type":["connect"]})", R"({"type":"connect","type":""})"}) {
    INFO(line);
    CHECK(first_input(line) == "error unknown-type");
  }
}

TEST_CASE("turns: ignores blank lines and blanks around a line") {
  CHECK(input("\n \t\r\n\r\n").empty());
  CHECK(input("\r\n\t{\"type\":\"close\"} \r\n") == decoded_inputs{"goodbye"});
}

TEST_CASE("turns: takes a line of the largest size and no larger one") {
  const std::string head = R"({"type":"close","more":")";
  const auto line_of = [&](std::size_t bytes) {
    return head + std::string(bytes - head.size() - 2, 'x') + "\"}";
  };
  CHECK(input(line_of(limits::line_bytes_max) + "\n") == decoded_inputs{"goodbye"});
  CHECK(input(line_of(limits::line_bytes_max + 1) + "\n") == decoded_inputs{"error too-long"});
  CHECK(input(line_of(limits::line_bytes_max + 1)) == decoded_inputs{"error too-long"});
}

TEST_CASE("turns: survives nesting as deep as a line is long") {
  for (const auto* open : {"[", "{\"a\":"}) {
    std::string deep;
    while (deep.size() < limits::line_bytes_max - 100) deep += open;
    CHECK(first_input(R"({"type":"close","more":)" + deep) == "error malformed");
  }
}

TEST_CASE("turns: sends the name and the secret") {
  CHECK(sent_in_game(*new_codec(), {answered(signed_in{"client-1", "s3cret"})}) ==
        "{\"type\":\"name\",\"name\":\"client-1\",\"secret\":\"s3cret\"}\n");
  CHECK(sent_in_game(*new_codec(), {answered(signed_in{"a\"b\n", ""})}) ==
        "{\"type\":\"name\",\"name\":\"a\\\"b\\n\"}\n");
}

TEST_CASE("turns: begins a game with start, state and a turn for the mover") {
  const std::string state =
      R"({"type":"message","game_id":0,"payload":"{\"type\":\"state\",\"board\":)"
      R"([[null,null,null],[null,null,null],[null,null,null]],\"winner\":null}"})"
      "\n";
  const std::string start = "{\"type\":\"start\",\"game_id\":0}\n";
  const auto mover = beginning(0), other = beginning(1);
  CHECK(sent_in_game(*new_codec(), {mover.begin() + 1, mover.end()}) ==
        start + state +
            "{\"type\":\"message\",\"game_id\":0,\"payload\":\"{\\\"type\\\":\\\"turn\\\"}\"}\n");
  const auto c = new_codec();
  CHECK(sent_in_game(*c, {other[2]}) == start);
  CHECK(sent_in_game(*c, {told(position_of("---------", only(0)))}) == state);
}

TEST_CASE("turns: names the engine of a game to a client that supports several") {
  const auto c = new_codec();
  // Also if it only resumes its games and wants no new ones.
  const std::string most = GENERATE("", ",\"max_games\":0");
  tests::read(
      *c, "{\"type\":\"connect\",\"supported_games\":[\"tictactoe\",\"chess\"]" + most + "}\n", {});
  CHECK(sent_in_game(*c, {beginning()[2]}) ==
        "{\"type\":\"start\",\"game_id\":0,\"game\":\"tictactoe\"}\n");
}

TEST_CASE("turns: puts the type before the engine's members") {
  const auto shown = [](const std::string& document) {
    auto now = std::make_shared<position>();
    now->document = document;
    return payload_of(sent_to(0, {told(now)}));
  };
  CHECK(shown("{}") == json{{"type", "state"}});
  CHECK(shown(" { } ") == json{{"type", "state"}});
  CHECK(shown(R"({"a":"\"\\"})") == json{{"type", "state"}, {"a", "\"\\"}});
  CHECK(shown("") == json{{"type", "state"}});
}

TEST_CASE("turns: repeat-turn has the engine's word and the unchanged move") {
  const auto again = [](const refused& no) { return payload_of(sent_to(0, {answered(no)})); };
  const std::string move = R"({"type":"move","row":0,"column":0})";
  CHECK(again(refusal_of(refusal::space_not_empty, move, "space-not-empty")) ==
        json{{"type", "repeat-turn"},
             {"error", "space-not-empty"},
             {"last-move", json::parse(move)}});
  CHECK(again(refusal_of(refusal::out_of_bounds, "4.5"))["error"] == "out-of-bounds");
  CHECK(again(refusal_of(refusal::illegal_move, "{}", "into-check"))["error"] == "into-check");
  CHECK(again(refusal_of(refusal::illegal_move, "{}"))["error"] == "illegal-move");
  CHECK(again(refusal_of(refusal::malformed, "{}", "malformed"))["error"] == "out-of-bounds");
  CHECK(again(refusal_of(refusal::out_of_bounds, "no json\n"))["last-move"] == "no json\n");
  CHECK(again(refusal_of(refusal::out_of_bounds, ""))["last-move"] == "");
  CHECK(again(refusal_of(refusal::out_of_bounds, "null"))["last-move"].is_null());
}

TEST_CASE("turns: splices the last move byte by byte") {
  const auto line = sent_to(0, {answered(refusal_of(refusal::out_of_bounds, R"({"row" :1e999})"))});
  CHECK(line.find(R"(\"last-move\":{\"row\" :1e999}})") != std::string::npos);
}

TEST_CASE("turns: ignores all other refusals") {
  for (int i = 0; i < refusal_count; ++i) {
    const auto why = static_cast<refusal>(i);
    INFO(to_string(why));
    const bool shown = why == refusal::malformed || why == refusal::out_of_bounds ||
                       why == refusal::space_not_empty || why == refusal::illegal_move;
    CHECK(sent_to(0, {answered(refusal_of(why, "{}"))}).empty() == !shown);
    auto elsewhere = answered(refusal_of(why, "{}"));
    elsewhere.game = game_id{99};
    CHECK(sent_to(0, {elsewhere}).empty());
  }
}

TEST_CASE("turns: a game that fails to begin is told to clients with and without options") {
  const auto sent_after = [](const std::string& connect) {
    const auto c = new_codec();
    c->receive(connect);
    while (c->next()) {
    }
    std::string out;
    event hello;
    hello.answers.ticket = 1;
    hello.what = signed_in{"ann", {}, false, 0};
    c->send(hello, out);
    out.clear();
    event e;
    e.game = game_id{7};
    refused no;
    no.why = refusal::engine_failed;
    e.what = no;
    c->send(e, out);
    return out;
  };
  CHECK(sent_after("{\"type\":\"connect\",\"supported_games\":[\"nim\"]}\n") ==
        "{\"type\":\"start\",\"game_id\":0}\n{\"type\":\"close\",\"game_id\":0}\n");
  CHECK(sent_after("{\"type\":\"connect\",\"supported_games\":[\"nim\"],"
                   "\"options\":{\"nim\":{}}}\n") ==
        "{\"type\":\"name\",\"name\":\"ann\",\"error\":\"engine-failed\"}\n");
}

TEST_CASE("turns: reads options by the game they are for") {
  const auto c = new_codec();
  const std::string line =
      R"({"type":"connect","supported_games":["gomoku","nim","othello"],)"
      R"("options":{"nim":{"piles":"1,2"},"chess":{},"gom\u006fku": {"rows":[9]} ,"othello":null}})"
      "\n";
  c->receive(line);
  REQUIRE(std::holds_alternative<sign_in>(std::get<intent>(*c->next())));
  const auto request = std::get<seek>(std::get<intent>(*c->next()));
  CHECK(request.engines == decoded_inputs{"gomoku", "nim", "othello"});
  CHECK(request.options == decoded_inputs{R"({"rows":[9]})", R"({"piles":"1,2"})", ""});
}

TEST_CASE("turns: only clients with options get the reason of a refused seek") {
  const auto no_game = [] {
    refused no;
    no.why = refusal::bad_options;
    no.detail = "gomoku: option \"rows\" is wrong";
    event e;
    e.answers.ticket = 2;
    e.what = no;
    return e;
  };
  const auto sent_after = [&](const std::string& connect) {
    const auto c = new_codec();
    c->receive(connect);
    while (c->next()) {
    }
    std::string out;
    event hello;
    hello.answers.ticket = 1;
    hello.what = signed_in{"a\"b", "secret"};
    c->send(hello, out);
    out.clear();
    c->send(no_game(), out);
    return out;
  };
  const auto line = sent_after(
      R"({"type":"connect","supported_games":["gomoku"],"options":{"gomoku":{"rows":99}}})"
      "\n");
  CHECK(fault_of(line).empty());
  CHECK(json::parse(line) == json{{"type", "name"},
                                  {"name", "a\"b"},
                                  {"error", "bad-options: gomoku: option \"rows\" is wrong"}});
  CHECK(sent_after(R"({"type":"connect","supported_games":["gomoku"]})"
                   "\n")
            .empty());
}

TEST_CASE("turns: writes no refusal longer than the limits say") {
  for (const char c : {'"', '\\', '\x01', 'x'}) {
    std::string text, line;
    std::size_t sent = 0;
    // The longest text that fits into a line; a quote or backslash takes two bytes and a control
    // character six.
    for (; sent < limits::line_bytes_max - 60; sent += c == 'x' ? 1 : c == '\x01' ? 6 : 2)
      text += c;
    CHECK(sent_to(0, {answered(refusal_of(refusal::out_of_bounds, text))}).size() <=
          limits::refusal_bytes_max);
  }
}

TEST_CASE("turns: ends a game with its final state, then close, then silence") {
  const auto won = sent_to(1, {told(final_position("XXXOO----", end_reason::rules, 0))});
  REQUIRE(split(won).size() == 2);
  CHECK(split(won)[1] == R"({"type":"close","game_id":0})");
  // The engine reports a winner by the rules.
  CHECK(payload_of(split(won)[0])["winner"].is_null());
  const auto end = told(final_position("XXXOO----", end_reason::rules, 0));
  CHECK(sent_to(1, {end, end, told(position_of("---------", only(1)))}) == won);
}

TEST_CASE("turns: sets the remaining player as winner in the engine's document") {
  for (const auto why : {end_reason::left, end_reason::clock}) {
    const auto lines = split(sent_to(1, {told(final_position("X--------", why, 1))}));
    REQUIRE(lines.size() == 2);
    CHECK(payload_of(lines[0])["winner"] == "O");
    CHECK(lines[0].find(R"({\"type\":\"state\",\"board\":)") != std::string::npos);
  }
}

TEST_CASE("turns: names the seat of a winner without a mark") {
  const auto c = new_codec();
  sent_in_game(*c, {told(started{"kuhn-poker", "", {"a", "b"}, 0})});
  const auto end = sent_in_game(*c, {told(final_position("", end_reason::left, 1))});
  CHECK(payload_of(split(end)[0])["winner"] == 1);
}

TEST_CASE("turns: without a result there is no winner") {
  const auto lines =
      split(sent_to(0, {told(final_position("X--------", end_reason::drained, {}))}));
  REQUIRE(lines.size() == 2);
  CHECK(payload_of(lines[0])["winner"].is_null());
}

TEST_CASE("turns: never uses the number of a game twice") {
  const auto c = new_codec();
  const auto play_game = [&](std::uint64_t id) {
    auto begin = told(started{"tictactoe", "XO", {"a", "b"}, 0});
    auto end = told(final_position("X--------", end_reason::left, 0));
    begin.game = end.game = game_id{id};
    const auto first = sent_in_game(*c, {begin});
    return first + split(sent_in_game(*c, {end})).back();
  };
  CHECK(play_game(5) == "{\"type\":\"start\",\"game_id\":0}\n{\"type\":\"close\",\"game_id\":0}");
  CHECK(play_game(6) == "{\"type\":\"start\",\"game_id\":1}\n{\"type\":\"close\",\"game_id\":1}");
}

TEST_CASE("turns: distinguishes several running games") {
  const auto c = new_codec();
  for (const std::uint64_t id : {11U, 12U, 13U}) {
    auto begin = told(started{"tictactoe", "XO", {"a", "b"}, 0});
    begin.game = game_id{id};
    sent_in_game(*c, {begin});
  }
  auto end = told(final_position("X--------", end_reason::left, 0));
  end.game = game_id{12};
  sent_in_game(*c, {end});
  const auto input = [&](int number) {
    return tests::read(*c, "{\"type\":\"close\",\"game_id\":" + std::to_string(number) + "}\n", {})
        .said;
  };
  CHECK(input(0) == decoded_inputs{"leave game=11"});
  CHECK(input(1) == decoded_inputs{"leave game=18446744073709551615"});
  CHECK(input(2) == decoded_inputs{"leave game=13"});
}

TEST_CASE("turns: closes its games after a failure, and is silent when they are suspended") {
  for (int i = 0; i < close_reason_count; ++i) {
    const auto why = static_cast<close_reason>(i);
    const auto c = new_codec();
    sent_in_game(*c, beginning());
    std::string out;
    c->farewell(why, out);
    const bool over = why == close_reason::failed;
    CHECK(out == (over ? "{\"type\":\"close\",\"game_id\":0}\n" : ""));
  }
}

TEST_CASE("turns: can carry every engine") {
  engine_traits engine;
  engine.simultaneous = true;
  engine.perfect_information = false;
  CHECK_FALSE(describe().unsupported_reason(engine));
}

}  // namespace
}  // namespace gamehub::gateways::turns
