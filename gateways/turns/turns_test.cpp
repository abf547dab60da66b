#include "gateways/turns/turns.hpp"

#include "gateways/turns/messages.hpp"
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
    // The last line of a connection is a close of no game, with a word.
    if (type == "close" && input.value("error", "") != "" && !input.contains("game_id")) continue;
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

// How a game closes that failed without an outcome.
const std::string closed_as_failed =
    R"({"type":"close","game_id":0,"winner":null,"winner_seat":null,"scores":[],"reason":"failed"})"
    "\n";

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

TEST_CASE("turns: a list of opponents that is invalid seeks no game, and its error is sent") {
  const std::string head = R"({"type":"connect","supported_games":["oh-hell"],"opponents":)";
  CHECK(input(head + R"(["engine"]})"
                     "\n")
            .back()
            .find("oh-hell") != std::string::npos);
  const auto c = new_codec();
  const auto said = tests::read(*c,
                                head + R"(["Bob"]})"
                                       "\n",
                                {})
                        .said;
  CHECK(said.back().find("oh-hell") == std::string::npos);
  const auto line = sent_in_game(*c, {{{}, {}, signed_in{"a", ""}},
                                      {{}, {}, refused{refusal::unknown_engine, "there are", {}}}});
  CHECK(line.find(R"("error":"malformed: entry 1 of opponents has to be any,)") !=
        std::string::npos);
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
  const auto start = [](int seat) {
    return R"({"type":"start","game_id":0,"seat":)" + std::to_string(seat) +
           R"(,"seats":2,"mark":")" + "XO"[seat] +
           R"(","players":["client-1","client-2"],"engine":"tictactoe"})" + "\n";
  };
  const auto mover = beginning(0), other = beginning(1);
  CHECK(sent_in_game(*new_codec(), {mover.begin() + 1, mover.end()}) ==
        start(0) + state +
            "{\"type\":\"message\",\"game_id\":0,\"payload\":\"{\\\"type\\\":\\\"turn\\\"}\"}\n");
  const auto c = new_codec();
  CHECK(sent_in_game(*c, {other[2]}) == start(1));
  CHECK(sent_in_game(*c, {told(position_of("---------", only(0)))}) == state);
}

TEST_CASE("turns: names the engine of a game to a client that supports several") {
  const auto c = new_codec();
  // Also if it only resumes its games and wants no new ones.
  const std::string most = GENERATE("", ",\"max_games\":0");
  tests::read(
      *c, "{\"type\":\"connect\",\"supported_games\":[\"tictactoe\",\"chess\"]" + most + "}\n", {});
  CHECK(sent_in_game(*c, {beginning()[2]})
            .starts_with(R"({"type":"start","game_id":0,"game":"tictactoe","seat":0,)"));
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

TEST_CASE("turns: each state has its own document, whatever was sent before it") {
  const auto long_text = "{\"text\":\"" + std::string(2000, 'x') + "\"}";
  const std::string a = R"({"a":"1"})", b = R"({"b":"1"})";
  for (const auto& document : {a, b, b, long_text, b, a, std::string{"{}"}, a, long_text}) {
    auto now = std::make_shared<position>();
    now->document = document;
    auto expected = json::parse(document);
    expected["type"] = "state";
    CHECK(payload_of(sent_to(0, {told(position_ref{now})})) == expected);
  }
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
        "{\"type\":\"start\",\"game_id\":0}\n" + closed_as_failed);
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

// What a client reads after this `connect` line and the refusal of its seek.
std::string refused_seek(const std::string& connect, refusal why, std::string detail,
                         bool returned = false) {
  const auto c = new_codec();
  const auto line = connect + "\n";
  c->receive(line);
  while (c->next()) {
  }
  std::string out;
  event hello;
  hello.answers.ticket = 1;
  hello.what = signed_in{"a\"b", "secret", returned};
  c->send(hello, out);
  out.clear();
  event e;
  e.answers.ticket = 2;
  e.what = refused{why, std::move(detail), {}};
  c->send(e, out);
  return out;
}

TEST_CASE("turns: a client that can wait for no game gets the reason") {
  const auto error = [](const std::string& connect, refusal why, const std::string& detail) {
    const auto line = refused_seek(connect, why, detail);
    CHECK(fault_of(line).empty());
    const auto read = json::parse(line);
    CHECK(read["type"] == "name");
    CHECK(read["name"] == "a\"b");
    return read["error"].get<std::string>();
  };
  CHECK(error(R"({"type":"connect","supported_games":["gomoku"],"options":{"gomoku":{"rows":99}}})",
              refusal::bad_options, "gomoku: option \"rows\" is wrong") ==
        "bad-options: gomoku: option \"rows\" is wrong");
  CHECK(error(R"({"type":"connect","supported_games":["gomoku"]})", refusal::hub_full, "") ==
        "hub-full");
}

TEST_CASE("turns: a connect that names no game is told which there are") {
  const auto error = [](const std::string& games, const std::string& detail) {
    const auto line =
        refused_seek(R"({"type":"connect")" + games + "}", refusal::unknown_engine, detail);
    REQUIRE(fault_of(line).empty());
    return json::parse(line)["error"].get<std::string>();
  };
  CHECK(error(R"(,"supported_games":["tic-tac-toe"])", "tic-tac-toe; there are nim") ==
        "unknown-game: tic-tac-toe; there are nim");
  CHECK(error("", "there are nim") == "malformed: supported_games is missing; there are nim");
  CHECK(error(R"(,"supported_games":"nim")", "there are nim") ==
        "malformed: supported_games is no list; there are nim");
  CHECK(error(R"(,"supported_games":[])", "there are nim") ==
        "malformed: supported_games is empty; there are nim");
  CHECK(error(R"(,"supported_games":[1,{}])", "there are nim") ==
        "malformed: supported_games has no string; there are nim");
}

TEST_CASE("turns: a client that only resumes, or connects twice, gets no error") {
  CHECK(refused_seek(R"({"type":"connect","resume":"s"})", refusal::unknown_engine, "there are nim",
                     true)
            .empty());
  CHECK_FALSE(refused_seek(R"({"type":"connect","resume":"s"})", refusal::unknown_engine,
                           "there are nim", false)
                  .empty());
  for (const auto why : {refusal::already_signed_in, refusal::already_in_game})
    CHECK(refused_seek(R"({"type":"connect","supported_games":["nim"]})", why, "").empty());
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
  CHECK(
      split(won)[1] ==
      R"({"type":"close","game_id":0,"winner":"X","winner_seat":0,"scores":[],"reason":"rules"})");
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
    return std::pair{json::parse(first)["game_id"].get<int>(),
                     json::parse(split(sent_in_game(*c, {end})).back())["game_id"].get<int>()};
  };
  CHECK(play_game(5) == std::pair{0, 0});
  CHECK(play_game(6) == std::pair{1, 1});
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

TEST_CASE("turns: says why the hub closes the connection, in one word for each cause") {
  const auto last = [](const close_cause& cause) {
    const auto c = new_codec();
    sent_in_game(*c, beginning());
    std::string out;
    c->farewell(cause, out);
    return out;
  };
  const auto line = [](std::string_view word) {
    return R"({"type":"close","error":")" + std::string{word} + "\"}\n";
  };
  for (int i = 0; i < close_reason_count; ++i) {
    const auto why = static_cast<close_reason>(i);
    INFO(to_string(why));
    // The client has closed the connection itself.
    if (why == close_reason::client_left)
      CHECK(last(why).empty());
    else if (why == close_reason::failed)
      CHECK(last(why) == closed_as_failed + line("failed"));
    else
      CHECK(last(why) == line(to_string(why)));
  }
  for (int i = 0; i < protocol_error_count; ++i) {
    const auto wrong = static_cast<protocol_error>(i);
    CHECK(last({close_reason::protocol_error, wrong}) == line(to_string(wrong)));
  }
}

TEST_CASE("turns: start says what a client needs to play") {
  started begins{"kuhn-poker", "", {"ann", "bob\""}, 1};
  begins.terms = std::make_shared<const game_terms>(
      game_terms{"1.2.0", R"({"rows":5})", std::chrono::seconds{60}});
  CHECK(sent_in_game(*new_codec(), {told(begins)}) ==
        R"({"type":"start","game_id":0,"seat":1,"seats":2,"players":["ann","bob\""],)"
        R"("engine":"kuhn-poker","version":"1.2.0","options":{"rows":5},)"
        R"("turn_milliseconds":60000})"
        "\n");
  begins.marks = "BW";
  begins.terms = std::make_shared<const game_terms>(game_terms{"1.2.0", "", {}});
  CHECK(sent_in_game(*new_codec(), {told(begins)}) ==
        R"({"type":"start","game_id":0,"seat":1,"seats":2,"mark":"W","players":["ann","bob\""],)"
        R"("engine":"kuhn-poker","version":"1.2.0","options":{}})"
        "\n");
}

TEST_CASE("turns: start and the clocks have the clock that the players chose") {
  started begins{"nim", "", {"ann", "bob"}, 1};
  begins.terms = std::make_shared<const game_terms>(
      game_terms{"1.0.0", "", {}, {}, std::get<clock_rule>(read_clock("byoyomi:600+5x30"))});
  CHECK(sent_in_game(*new_codec(), {told(begins)})
            .find(R"("options":{},"clock_rule":"byoyomi:600+5x30"})") != std::string::npos);
  game_clock clock;
  clock.left = {std::chrono::milliseconds{600'000}, std::chrono::milliseconds{29'500}};
  clock.running = only(1);
  CHECK(gateways::turns::clock_json(clock, "XO") ==
        R"({"milliseconds_left":[600000,29500],"runs":["O"]})");
  clock.periods = {5, 2};
  CHECK(gateways::turns::clock_json(clock, "XO") ==
        R"({"milliseconds_left":[600000,29500],"runs":["O"],"periods":[5,2]})");
}

TEST_CASE("turns: connect may have the text of a clock, which the hub reads") {
  const auto asked = [](const std::string& clock) {
    const auto text = R"({"type":"connect","supported_games":["nim"],"clock":)" + clock + "}";
    const auto line = gateways::turns::read_line(text);  // has views of `text`
    REQUIRE(line);
    return gateways::turns::seek_of(*line).clock;
  };
  CHECK(asked(R"("fischer:180+2")") == "fischer:180+2");
  CHECK(asked("null").empty());
  CHECK(asked(R"("")").empty());
  CHECK(asked('"' + std::string(1'000, '9') + '"').size() == clock_rule::text_bytes_max + 1);
  for (const auto* wrong : {"5", "{}", "[]", "true"}) {
    CAPTURE(wrong);
    const auto c = new_codec();
    const auto line =
        R"({"type":"connect","supported_games":["nim"],"clock":)" + std::string{wrong} + "}\n";
    CHECK(tests::read(*c, line, {}).said.back().find("nim") == std::string::npos);
    CHECK(sent_in_game(*c, {{{}, {}, signed_in{"a", ""}},
                            {{}, {}, refused{refusal::unknown_engine, "there are", {}}}})
              .find(R"("error":"malformed: clock is no string)") != std::string::npos);
  }
}

// The last two lines of a game of seats with these marks, with this last document.
decoded_inputs end_of(const std::string& marks, const std::string& document, outcome how) {
  const auto c = new_codec();
  sent_in_game(*c, {told(started{"nim", marks, {"a", "b"}, 0})});
  auto last = std::make_shared<position>();
  last->document = document;
  last->outcome = std::move(how);
  return split(sent_in_game(*c, {told(position_ref{last})}));
}

TEST_CASE("turns: close has winner, scores and reason, for each reason and each engine") {
  const auto close = [](const std::string& marks, outcome how) {
    return end_of(marks, "{}", std::move(how)).at(1);
  };
  CHECK(close("XO", {end_reason::rules, 1, {-1, 1}}) ==
        R"({"type":"close","game_id":0,"winner":"O","winner_seat":1,"scores":[-1.0,1.0],)"
        R"("reason":"rules"})");
  CHECK(close("", {end_reason::clock, 0, {1, -1}}) ==
        R"({"type":"close","game_id":0,"winner":0,"winner_seat":0,"scores":[1.0,-1.0],)"
        R"("reason":"clock"})");
  CHECK(close("XO", {end_reason::rules, {}, {0.0, -0.0}}) ==
        R"({"type":"close","game_id":0,"winner":null,"winner_seat":null,"scores":[0.0,0.0],)"
        R"("reason":"draw"})");
  const std::vector<std::pair<end_reason, std::string>> words{
      {end_reason::left, "left"},       {end_reason::operator_, "operator"},
      {end_reason::failed, "failed"},   {end_reason::interrupted, "interrupted"},
      {end_reason::drained, "drained"},
  };
  for (const auto& [why, word] : words)
    CHECK(json::parse(close("XO", {why, {}, {0, 0}}))["reason"] == word);
}

TEST_CASE("turns: the last state has a winner, also if the engine shows none or failed") {
  const auto state = [](const std::string& document, outcome how) {
    return payload_of(end_of("XO", document, std::move(how)).at(0) + "\n");
  };
  CHECK(state(R"({"stones":0})", {end_reason::rules, 1, {}}) ==
        json{{"type", "state"}, {"stones", 0}, {"winner", "O"}});
  CHECK(state("{ }", {end_reason::rules, {}, {}}) == json{{"type", "state"}, {"winner", nullptr}});
  CHECK(state("", {end_reason::failed, {}, {}}) == json{{"type", "state"}, {"winner", nullptr}});
  // The engine's own word stays at an end by its rules.
  CHECK(state(R"({"winner":"both"})", {end_reason::rules, 1, {}})["winner"] == "both");
  CHECK(state(R"({"winner":null})", {end_reason::left, 1, {}})["winner"] == "O");
  // A winner inside is not that of the game.
  const auto inside = R"({"round":{"number":1,"winner":"X"}})";
  CHECK(state(inside, {end_reason::rules, {}, {}})["winner"].is_null());
  CHECK(state(R"({"winner":"both","rounds":[{"number":1,"winner":"X"}]})",
              {end_reason::rules, 1, {}})["winner"] == "both");
}

TEST_CASE("turns: who wants actions gets them with turn and repeat-turn") {
  auto now = std::make_shared<position>(*position_of("---------", only(0)));
  now->actions.push_back({0, R"([{"row":0,"column":0}])"});
  const auto turn = split(sent_to(0, {told(position_ref{now})})).at(1) + "\n";
  CHECK(turn == R"({"type":"message","game_id":0,"payload":"{\"type\":\"turn\",)"
                R"(\"actions\":[{\"row\":0,\"column\":0}]}"})"
                "\n");
  auto no = refusal_of(refusal::out_of_bounds, "7");
  no.actions = std::make_shared<const seat_actions>(seat_actions{0, "[1,2]", false});
  CHECK(payload_of(sent_to(0, {answered(no)})) == json{{"type", "repeat-turn"},
                                                       {"error", "out-of-bounds"},
                                                       {"last-move", 7},
                                                       {"actions", {1, 2}},
                                                       {"more_actions", true}});
}

TEST_CASE("turns: who wants the clock gets it with state and turn") {
  const auto c = new_codec();
  tests::read(*c,
              R"({"type":"connect","supported_games":["tictactoe"],"wants":["clock"]})"
              "\n",
              {});
  sent_in_game(*c, {told(started{"tictactoe", "XO", {"a", "b"}, 0})});
  auto now = std::make_shared<position>(*position_of("---------", only(0)));
  using std::chrono::milliseconds;
  now->clock = {{}, {milliseconds{44'400}, milliseconds{60'000}}, only(0)};
  const json clock{{"milliseconds_left", {44'400, 60'000}}, {"runs", {"X"}}};
  auto lines = split(sent_in_game(*c, {told(position_ref{now})}));
  REQUIRE(lines.size() == 2);
  CHECK(payload_of(lines[0] + "\n")["clock"] == clock);
  CHECK(payload_of(lines[1] + "\n") == json{{"type", "turn"}, {"clock", clock}});
  // After a restart it stands still; without a limit it is absent.
  now = std::make_shared<position>(*now);
  now->clock.running = 0;
  lines = split(sent_in_game(*c, {told(position_ref{now})}));
  CHECK(payload_of(lines[0] + "\n")["clock"]["runs"] == json::array());
  now = std::make_shared<position>(*now);
  now->clock = {};
  CHECK_FALSE(
      payload_of(split(sent_in_game(*c, {told(position_ref{now})}))[0] + "\n").contains("clock"));
}

TEST_CASE("turns: start has the kinds of the players, by the hub's data") {
  auto begins = started{"tictactoe", "XO", {"a", "engine"}, 0};
  begins.terms = std::make_shared<const game_terms>(
      game_terms{"1.0.0", "", {}, {seat_kind::player, seat_kind::engine}});
  const auto start = json::parse(split(sent_in_game(*new_codec(), {told(begins)})).at(0));
  CHECK(start["kinds"] == json{"player", "engine"});
  CHECK(sent_in_game(*new_codec(), beginning()).find("kinds") == std::string::npos);
}

TEST_CASE("turns: who wants presence gets who is away, and other names, with state") {
  const auto c = new_codec();
  tests::read(*c,
              R"({"type":"connect","supported_games":["tictactoe"],"wants":["presence"]})"
              "\n",
              {});
  sent_in_game(*c, {told(started{"tictactoe", "XO", {"a", "b"}, 0})});
  auto now = std::make_shared<position>(*position_of("---------", 0));
  const auto state = [&] {
    return payload_of(sent_in_game(*c, {told(position_ref{std::make_shared<position>(*now)})}));
  };
  CHECK(state()["away"] == json::array());
  now->away = only(1);
  CHECK(state()["away"] == json{"O"});
  CHECK(sent_in_game(*c, {told(renamed{1, "bea", "b"})}).empty());
  CHECK(state()["players"] == json{"a", "bea"});
  CHECK_FALSE(state().contains("players"));

  const auto other = new_codec();
  sent_in_game(*other, beginning());
  CHECK(sent_in_game(*other, {told(renamed{1, "bea", "b"})}).empty());
  const auto plain = payload_of(sent_in_game(*other, {told(position_ref{now})}));
  CHECK_FALSE(plain.contains("away"));
  CHECK_FALSE(plain.contains("players"));
}

TEST_CASE("turns: connect shows what a client wants, and whether it resumes") {
  const auto features = [](const std::string& members) {
    const auto c = new_codec();
    const auto line = R"({"type":"connect","supported_games":["nim"])" + members + "}\n";
    c->receive(line);
    const auto who = std::get<sign_in>(std::get<intent>(*c->next())).features;
    const auto request = std::get<seek>(std::get<intent>(*c->next()));
    CHECK(request.may_leave);
    CHECK(request.features.wants_actions == who.wants_actions);
    CHECK(request.features.resumes == who.resumes);
    return std::pair{who.wants_actions, who.resumes};
  };
  CHECK(features("") == std::pair{false, false});
  CHECK(features(R"(,"wants":["actions","x",5])") == std::pair{true, false});
  CHECK(features(R"(,"wants":"actions")") == std::pair{false, false});
  CHECK(features(R"(,"wants":["resume"])") == std::pair{false, true});
  CHECK(features(R"(,"resume":null)") == std::pair{false, true});
}

TEST_CASE("turns: says in each refusal that the client is slowed down") {
  const auto c = new_codec();
  sent_in_game(*c, beginning());
  const auto no = answered(refusal_of(refusal::out_of_bounds, "7"));
  CHECK_FALSE(payload_of(sent_in_game(*c, {no})).contains("slowed"));
  c->set_slowed(true);
  CHECK(payload_of(sent_in_game(*c, {no}))["slowed"] == "too many refusals in a row");
  c->set_slowed(false);
  CHECK_FALSE(payload_of(sent_in_game(*c, {no})).contains("slowed"));
}

TEST_CASE("turns: can carry every engine") {
  engine_traits engine;
  engine.simultaneous = true;
  engine.perfect_information = false;
  CHECK_FALSE(describe().unsupported_reason(engine));
}

}  // namespace
}  // namespace gamehub::gateways::turns
