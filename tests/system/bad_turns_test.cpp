// Bad input over the turns wire: each is answered in the protocol or ignored, counted, and hurts
// nobody else.
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/system/whole_game.hpp"

#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

double turns_refusals(hub& at, std::string_view reason) {
  return at.count("gamehub_refusals_total", {{"gateway", "turns"}, {"reason", reason}});
}

// Two clients of a hub that play: X is prompted.
struct turns_game {
  explicit turns_game(hub& at) : x(at.turns()), o(at.turns()) {
    x.connect("x");
    REQUIRE(x.next() == "name x");
    at.await_waiting("tictactoe", 1);
    o.connect("o");
    for (const auto* said : {"name o", "start 0", "0 state ---/---/--- null"})
      REQUIRE(o.next() == said);
    for (const auto* said : {"start 0", "0 state ---/---/--- null", "0 turn"})
      REQUIRE(x.next() == said);
  }
  // That bad input left the game as it was: it goes on, and O wins it.
  void play_on() {
    x.move(0, 0, 0);
    for (auto* each : {&x, &o}) REQUIRE(each->next() == "0 state X--/---/--- null");
    REQUIRE(o.next() == "0 turn");
    x.socket().close();
    REQUIRE(o.next() == R"(0 state X--/---/--- "O")");
    REQUIRE(o.next() == "close 0");
  }

  turns_client x, o;
};

// A new client says this and is sent away with one word.
void check_sends_away(hub& at, const std::string& bytes, std::string_view reason) {
  const std::vector<scrape::label> counted{{"gateway", "turns"}, {"reason", reason}};
  const auto before = at.count("gamehub_protocol_errors_total", counted);
  turns_client client{at.turns()};
  client.socket().send(bytes);
  const auto said = client.next();
  CAPTURE(bytes.substr(0, 80), said);
  // What the hub would not read any more may have been thrown away with the connection.
  CHECK((said == "end" || (said == "reset" && bytes.size() > 65'536)));
  if (said == "end") CHECK(client.closed_because() == reason);
  client.socket().close();
  at.await_count("gamehub_protocol_errors_total", counted, before + 1);
}

TEST_CASE("bad turns: half a line and silence harm no other client and need the other half") {
  hub at;
  turns_client half{at.turns()};
  half.socket().send(R"({"type":"connect","na)");
  at.await_count("gamehub_connections", {}, 1);
  check_others_play(at);
  half.socket().send("me\":\"half\"}\n");
  CHECK(half.next() == "name half");
}

TEST_CASE("bad turns: lines may come one byte at a time, and many at once") {
  hub at;
  turns_game game{at};
  for (const char each : turns_client::message(0, turns_client::move_payload(1, 1)) + "\r\n\n")
    game.x.socket().send({&each, 1});
  for (auto* each : {&game.x, &game.o}) REQUIRE(each->next() == "0 state ---/-X-/--- null");
  REQUIRE(game.o.next() == "0 turn");
  game.o.socket().send(turns_client::message(0, turns_client::move_payload(1, 1)) + "\n" +
                       turns_client::message(0, turns_client::move_payload(0, 0)) + "\n");
  REQUIRE(game.o.next() == R"(0 repeat-turn space-not-empty {"column":1,"row":1,"type":"move"})");
  REQUIRE(game.o.next() == "0 state O--/-X-/--- null");
}

TEST_CASE("bad turns: a line that is no JSON object ends the connection") {
  hub at;
  for (const std::string line :
       {"hello", "[]", "7", "null", "\"connect\"", "{", "{\"type\":}", "{\"type\":\"connect\"",
        "{} {}", "{\"type\":\"connect\"}}", "GET / HTTP/1.1", "{'type':'connect'}"})
    check_sends_away(at, line + "\n", "malformed");
  check_sends_away(at, std::string(16, '\0') + "\n", "malformed");
  check_others_play(at);
}

TEST_CASE("bad turns: a line that is no UTF-8 ends the connection") {
  hub at;
  for (const std::string bytes : {"\xff", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    check_sends_away(at, R"({"type":"connect","name":")" + bytes + "\"}\n", "malformed");
    check_sends_away(at, R"({"type":"message","game_id":0,"payload":")" + bytes + "\"}\n",
                     "malformed");
  }
  check_others_play(at);
}

TEST_CASE("bad turns: an unknown type ends the connection") {
  hub at;
  for (const std::string line :
       {R"({"type":"state"})", R"({"type":"name"})", R"({"type":"Connect"})", R"({"type":7})",
        R"({"type":null})", R"({"type":["connect"]})", R"({})", R"({"name":"ann"})"})
    check_sends_away(at, line + "\n", "unknown-type");
  check_others_play(at);
}

TEST_CASE("bad turns: an unknown type in a game gives it to the opponent") {
  hub at;
  turns_game game{at};
  game.x.say(R"({"type":"resign"})");
  REQUIRE(game.o.next() == R"(0 state ---/---/--- "O")");
  REQUIRE(game.o.next() == "close 0");
  for (auto said = game.x.next(); said != "end"; said = game.x.next()) {
    CAPTURE(said);
    REQUIRE((said == R"(0 state ---/---/--- "O")" || said == "close 0"));
  }
}

TEST_CASE("bad turns: a line over 64 KiB ends the connection, one of 64 KiB does not") {
  hub at;
  const auto line_of = [](std::size_t bytes) {
    const std::string head = R"({"type":"connect","max_games":0,"name":")";
    return head + std::string(bytes - head.size() - 2, 'n') + "\"}";
  };
  turns_client fits{at.turns()};
  fits.say(line_of(65'536));
  CHECK(fits.next() == "name " + std::string(64, 'n'));
  check_sends_away(at, line_of(65'537) + "\n", "too-long");
  check_others_play(at);
}

TEST_CASE("bad turns: lines of a megabyte, ended or not, cost the hub no memory") {
  hub at;
  check_others_play(at);
  const auto before = at.count("gamehub_process_resident_memory_bytes");
  for (int i = 0; i < 50; ++i) {
    check_sends_away(at, std::string(1024 * 1024, 'x') + "\n", "too-long");
    check_sends_away(at, std::string(1024 * 1024, '\\'), "too-long");
  }
  check_others_play(at);
  if (!sanitized) CHECK(at.count("gamehub_process_resident_memory_bytes") - before < 8 * megabyte);
}

TEST_CASE("bad turns: an invalid move is echoed exactly, and the game goes on") {
  hub at;
  turns_game game{at};
  int bad = 0;
  for (const std::string value : {"9", "255", "-1", "4.5", "\"a\"", "null", "1e99", "-0.0", "1.0",
                                  "99999999999999999999", "true", "[]", "{}", "[[1]]"})
    for (const std::string& move : {R"({"type":"move","row":)" + value + R"(,"column":0})",
                                    R"({"type":"move", "row":1 ,"column":)" + value + "}"}) {
      game.x.play(0, move);
      const auto said = game.x.next();
      CAPTURE(move, said);
      CHECK(said.starts_with("0 repeat-turn out-of-bounds "));
      // As text, so that 1e99 stays 1e99.
      const auto line = game.x.line()["payload"].get<std::string>();
      CHECK(line == R"({"type":"repeat-turn","error":"out-of-bounds","last-move":)" + move + "}");
      ++bad;
    }
  for (const std::string move :
       {R"({"row":0})", R"({"column":0})", "{}", "[]", "null", "7", R"("a")"}) {
    game.x.play(0, move);
    CHECK(game.x.next() == "0 repeat-turn out-of-bounds " + move);
    ++bad;
  }
  // What is no JSON comes back as a string.
  for (const std::string move : {"", "north", "{\"row\":0,\"column\":0", "\x01"}) {
    game.x.play(0, move);
    CHECK(game.x.next().starts_with("0 repeat-turn out-of-bounds "));
    CHECK(game.x.payload()["last-move"] == move);
    ++bad;
  }
  CHECK(turns_refusals(at, "out-of-bounds") + turns_refusals(at, "malformed") == bad);
  // The type within is not looked at, and more members do no harm.
  game.x.play(0, R"({"type":"pass","row":2,"column":2,"why":"not"})");
  REQUIRE(game.x.next() == "0 state ---/---/--X null");
}

TEST_CASE("bad turns: JSON nested 100,000 levels deep is survived") {
  hub at;
  turns_game game{at};
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  // The line is over its bound, wherever the brackets are.
  check_sends_away(at, R"({"type":"connect","x":)" + nested(100'000) + "}\n", "too-long");
  check_sends_away(at, turns_client::message(0, nested(100'000)) + "\n", "too-long");
  check_sends_away(at, std::string(100'000, '{') + "\n", "too-long");
  // As deep as a line can be long.
  check_sends_away(at, std::string(65'000, '[') + "\n", "malformed");
  check_sends_away(at, nested(32'000) + "\n", "malformed");
  turns_client deep{at.turns()};
  deep.say(R"({"type":"connect","name":"deep","max_games":0,"x":)" + nested(32'000) + "}");
  CHECK(deep.next() == "name deep");
  game.x.play(0, nested(32'000));
  // Read as text here: the JSON library of the test need not be as patient.
  const auto line = game.x.socket().read_line();
  REQUIRE(line);
  CHECK(line->find(nested(32'000)) != line->npos);
  CHECK(line->find("out-of-bounds") != line->npos);
  game.x.play(0, std::string(60'000, '['));
  CHECK(game.x.next().starts_with("0 repeat-turn out-of-bounds \"[[["));
  game.play_on();
  game.o.socket().close();
  check_others_play(at);
}

TEST_CASE("bad turns: messages for games that are not one's own are ignored and counted") {
  hub at;
  turns_game game{at};
  int bad = 0;
  const auto move = turns_client::move_payload(0, 0);
  for (const int number : {1, -1, 2147483647}) {
    game.x.play(number, move);
    ++bad;
  }
  for (const std::string number :
       {"null", "\"0\"", "0.5", "99999999999999999999", "[0]", "-99999999999999999999"}) {
    game.x.say(R"({"type":"message","game_id":)" + number + R"(,"payload":"{}"})");
    ++bad;
  }
  game.x.say(R"({"type":"message","payload":"{}"})");
  game.x.say(R"({"type":"close","game_id":5})");
  bad += 2;
  turns_client stranger{at.turns()};
  stranger.move(0, 0, 0);
  ++bad;
  game.play_on();
  at.await_count("gamehub_refusals_total", {{"gateway", "turns"}, {"reason", "not-in-game"}}, bad);
}

TEST_CASE("bad turns: a move out of turn is ignored and counted") {
  hub at;
  turns_game game{at};
  for (int i = 0; i < 3; ++i) game.o.move(0, i, i);
  game.o.say(R"({"type":"connect","name":"again"})");
  at.await_count("gamehub_refusals_total", {{"gateway", "turns"}, {"reason", "not-your-turn"}}, 3);
  game.play_on();
  CHECK(turns_refusals(at, "already-signed-in") == 1);
}

TEST_CASE("bad turns: a move that crosses the opponent's leaving is ignored and counted") {
  hub at;
  turns_game game{at};
  game.o.socket().abort();
  REQUIRE(game.x.next() == R"(0 state ---/---/--- "X")");
  REQUIRE(game.x.next() == "close 0");
  game.x.move(0, 0, 0);
  at.await_count("gamehub_refusals_total", {{"gateway", "turns"}}, 1);
  game.x.socket().close();
  check_others_play(at);
}

TEST_CASE("bad turns: 999 bad moves in one go are answered one by one and in order") {
  hub at;
  turns_game game{at};
  // One more would slow the client down.
  constexpr int moves = limits::refusals_in_row_max - 1;
  std::string all;
  for (int i = 0; i < moves; ++i)
    all += turns_client::message(0, "{\"row\":-1,\"n\":" + std::to_string(i) + "}") + "\n";
  game.x.socket().send(all);
  for (int i = 0; i < moves; ++i) {
    const auto said = game.x.next();
    if (!said.starts_with("0 repeat-turn ") || game.x.payload()["last-move"]["n"] != i)
      FAIL("move " << i << " got " << said);
  }
  game.play_on();
  CHECK(turns_refusals(at, "out-of-bounds") == moves);
}

TEST_CASE("bad turns: what a client says of itself may be nonsense") {
  hub at;
  for (const std::string more :
       {R"("supported_games":null)", R"("supported_games":"tictactoe")", R"("supported_games":[7])",
        R"("supported_games":["chess"])", R"("supported_games":["tictactoe"],"max_games":-1)",
        R"("supported_games":[],"max_games":1e99)", R"("resume":7,"max_games":0)",
        R"("resume":"","max_games":0)", R"("name":{"first":"ann"},"max_games":0)",
        R"("type":"connect","max_games":"many")"}) {
    turns_client client{at.turns()};
    client.say(R"({"type":"connect",)" + more + "}");
    const auto said = client.next();
    CAPTURE(more, said);
    CHECK(said.starts_with("name client-"));
    client.say(R"({"type":"close"})");
    // A client that names no known game is told so first.
    const auto last = client.next();
    CHECK((last == "end" ||
           (last == said && client.line().contains("error") && client.next() == "end")));
  }
  check_others_play(at);
}

}  // namespace
}  // namespace gamehub::tests::system
