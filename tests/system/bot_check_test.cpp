// `gamehub bot check`: what it says of bots that play by the protocol, and of those that break it
// in one way each, over HTTP and TLS. It calls them by the code by which the hub does.
#include "tests/support/catch.hpp"
#include "tests/system/bot_server.hpp"
#include "tests/system/program.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests::system {
namespace {

run_result check(const std::string& url, std::vector<std::string> more = {},
                 std::map<std::string, std::string> variables = {}) {
  std::vector<std::string> words{tools_program(), "bot", "check", url};
  words.insert(words.end(), more.begin(), more.end());
  return run({words, std::move(variables)});
}

TEST_CASE("bot check: has nothing to say of bots that play by the protocol") {
  const bot_server many, one{{"--single"}};
  for (const auto& url : {many.url("strict"), one.url("plain"), many.url("last")}) {
    const auto said = check(url);
    CAPTURE(url, said.output, said.errors);
    CHECK(said.exit_code == 0);
    CHECK(has(said.output, "ok     Status.Ping"));
    CHECK(has(said.output, "ok     TicTacToe.NextMove"));
    CHECK(has(said.output, "ok     TicTacToe.Complete"));
    CHECK(has(said.output, "ok     TicTacToe.Error"));
    CHECK(has(said.output, "let it register as TICTACTOE"));
    CHECK(has(said.output, "127.0.0.1 is a loopback address: a hub calls it only if"));
  }
}

TEST_CASE("bot check: calls bots that can do more as a hub would") {
  bot_server bots;
  const auto kept = check(bots.url("plain", "A"), {"--keep-alive", "--opponent", "Bob"});
  CAPTURE(kept.output);
  CHECK(kept.exit_code == 0);
  CHECK_FALSE(has(kept.output, "You closed the connection"));
  const auto asked = bots.await_call("A", "NextMove");
  CHECK(asked["params"]["opponent"] == "Bob");
  CHECK(bots.await_call("A", "Complete")["connection"] == asked["connection"]);
  const auto fickle = check(bots.url("fickle"), {"--keep-alive"});
  CAPTURE(fickle.output);
  CHECK(fickle.exit_code == 0);
  const auto closing = check(bots.url("closing"), {"--keep-alive"});
  CAPTURE(closing.output);
  CHECK(closing.exit_code == 0);
  CHECK(has(closing.output, "so that --bot-keep-alive gains little"));
  const auto strict = check(bots.url("strict"), {"--opponent", "Bob"});
  CAPTURE(strict.output);
  CHECK(strict.exit_code == 1);
}

TEST_CASE("bot check: asks for the game of any engine for two (H5)") {
  bot_server bots;
  const auto said = check(bots.url("last"), {"--engine", "connect-four"});
  CAPTURE(said.output);
  CHECK(has(said.output, "ConnectFour.NextMove"));
  CHECK(has(check(bots.url("last"), {"--engine", "chess"}).errors, "there is no engine"));
  struct other_game {
    const char* engine;
    const char* method;
    bool hidden, simultaneous;
  };
  for (const auto& each :
       {other_game{"nim", "Nim", false, false}, other_game{"kuhn-poker", "KuhnPoker", true, false},
        other_game{"rock-paper-scissors", "RockPaperScissors", true, true}}) {
    const auto result = check(bots.url("guest", each.engine), {"--engine", each.engine});
    CAPTURE(result.output, result.errors);
    CHECK(result.exit_code == 0);
    CHECK(has(result.output, std::string{"ok     "} + each.method + ".NextMove"));
    const auto asked = bots.await_call(each.engine, "NextMove")["params"];
    CHECK(asked["seats"] == 2);
    CHECK(asked["options"].empty());
    CHECK(asked["hidden"] == each.hidden);
    CHECK(asked["simultaneous"] == each.simultaneous);
    CHECK(asked["gamestate"].is_object());
    CHECK(bots.await_call(each.engine, "Complete")["params"]["forfeits"].empty());
  }
  const auto wrong = check(bots.url("stranger"), {"--engine", "nim"});
  CHECK(wrong.exit_code == 1);
  CHECK(has(wrong.output, "You played an invalid move"));
}

TEST_CASE("bot check: an engine for one player is refused, and of one or more two play") {
  bot_server bots;
  const auto folder = std::string{GAMEHUB_TEST_PLUGINS};
  const auto alone =
      check(bots.url("guest"), {"--engine", "seats-1", "--plugins", folder + "/seats"});
  CHECK(alone.exit_code == 2);
  CHECK(has(alone.errors,
            "seats-1 can't be played by bots: it is for one player, and a bot plays with others"));
  const auto from_one = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--engine", "from-one", "--plugins", folder + "/from_one"});
    return check(bots.url("guest", "Dot"), more);
  };
  const auto two = from_one({});
  CAPTURE(two.output, two.errors);
  CHECK(two.exit_code == 0);
  const auto asked = bots.await_call("Dot", "NextMove")["params"];
  CHECK(asked["seats"] == 2);
  CHECK(asked["options"]["players"] == 2);
  CHECK(has(from_one({"--players", "1"}).errors, "--players: from-one is for 2 to 3 players"));
}

TEST_CASE("bot check: asks for tables of three seats or more") {
  bot_server bots;
  for (const auto* engine : {"dots-and-boxes", "oh-hell"}) {
    const auto said = check(bots.url("guest", engine), {"--engine", engine, "--players", "5"});
    CAPTURE(engine, said.output, said.errors);
    CHECK(said.exit_code == 0);
    const auto asked = bots.await_call(engine, "NextMove")["params"];
    CHECK(asked["seats"] == 5);
    CHECK(asked["marks"] == nlohmann::json{"X", "O", "3", "4", "5"});
    CHECK(asked["hidden"] == (std::string{engine} == "oh-hell"));
    CHECK(asked["gamestate"].is_object());
    CHECK(bots.await_call(engine, "Complete")["params"]["ranks"] == nlohmann::json{1, 2, 2, 2, 5});
  }
  const auto wrong = check(bots.url("stranger"), {"--engine", "dots-and-boxes"});
  CAPTURE(wrong.output);
  CHECK(wrong.exit_code == 1);
  CHECK(has(wrong.output, "You played an invalid move"));
  const auto silent = check(bots.url("speechless"), {"--engine", "oh-hell"});
  CAPTURE(silent.output);
  CHECK(has(silent.output, "has no member \"move\""));
  CHECK(has(check(bots.url("guest"), {"--engine", "tictactoe", "--players", "3"}).errors,
            "--players: tictactoe is for 2 to 2 players"));
}

TEST_CASE("bot check: says in words what is wrong with a bot") {
  struct wrong {
    const char* kind;
    const char* words;
  };
  const wrong all[] = {
      {"occupied", "is taken"},
      {"beyond", "The board has no position 9"},
      {"huge", "The board has no position 1234"},
      {"negative", "The board has no position -1"},
      {"fraction", "4.5 and not an integer"},
      {"word", "\"4\" and not an integer"},
      {"missing", "has no member \"position\""},
      {"null", "The result of your answer is null"},
      {"error", "You answered with the error"},
      {"sigh", "You answered with the error \"tired\""},
      {"prose", "Your answer is no JSON object: I would rather not."},
      {"nothing", "Your answer has no body"},
      {"status", "You answered with the HTTP status 500"},
      {"redirect", "You answered with the HTTP status 302"},
      {"endless", "over 64 KiB"},
      {"large", "over 64 KiB"},
      {"header", "over 8 KiB"},
      {"chunk", "A chunk of your answer's body is broken"},
      {"chunks", "over 64 KiB"},
      {"lengths", "It is not clear how long the body"},
      {"bomb", "Your answer is compressed"},
      {"half", "in the middle of your answer"},
      {"silence", "without an answer"},
      {"rubbish", "no HTTP/1.1"},
      {"deaf", "HTTP status 503: only 200"},
      {"turned", "HTTP status 302: only 200"},
  };
  const bot_server bots;
  for (const auto& each : all) {
    const auto said = check(bots.url(each.kind));
    CAPTURE(each.kind, said.output, said.errors);
    CHECK(said.exit_code == 1);
    CHECK(has(said.output, each.words));
    CHECK((has(said.output, "wrong.\n") || has(said.output, "things are wrong")));
  }
}

TEST_CASE("bot check: waits no longer than it was told to") {
  const bot_server bots;
  for (const auto* kind : {"slow", "drip"}) {
    const auto said = run({{tools_program(), "bot", "check", bots.url(kind), "--seconds", "1"},
                           {},
                           {},
                           6 * patience});
    CAPTURE(kind, said.output);
    CHECK(said.exit_code == 1);
    CHECK(has(said.output, "You did not answer within 1 second."));
  }
}

TEST_CASE("bot check: says which URL does not answer, and what is no URL") {
  std::string nowhere;
  {
    const bot_server late{{"--late"}};
    const auto said = check(late.url("plain"), {"--seconds", "1"});
    CHECK(said.exit_code == 1);
    CHECK(has(said.output, "You could not be reached at 127.0.0.1:"));
    CHECK(has(said.output, "Is the bot running"));
  }
  CHECK(has(check("ftp://127.0.0.1/").output, "has to begin with http:// or https://"));
  CHECK(has(check("http://0x7f.1/").output, "write four numbers"));
  CHECK(has(check("http://no-such-host.invalid/").output, "no-such-host.invalid"));
}

// A new certificate for these names, as OpenSSL's option has them.
std::string certificate(const temporary_folder& in, const std::string& name,
                        const std::string& names) {
  const auto base = in.path() + "/" + name;
  const auto made =
      run({{"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-nodes", "-days", "2", "-subj", "/CN=" + name, "-addext", "subjectAltName=" + names,
            "-keyout", base + ".key", "-out", base + ".pem"},
           {}});
  INFO(made.errors);
  REQUIRE(made.exit_code == 0);
  return base;
}

TEST_CASE("bot check: speaks TLS only with a host that the certificate names") {
  const temporary_folder folder;
  const auto right = certificate(folder, "right", "IP:127.0.0.1,DNS:localhost");
  const auto other = certificate(folder, "other", "DNS:bots.example");
  const bot_server good{{"--tls", right + ".pem", right + ".key"}};
  const bot_server bad{{"--tls", other + ".pem", other + ".key"}};
  const auto https = [](const bot_server& at, const std::string& host) {
    return "https://" + host + ":" + std::to_string(at.port()) + "/last";
  };
  const auto with = [](const std::string& trusted) {
    return std::map<std::string, std::string>{{"SSL_CERT_FILE", trusted + ".pem"}};
  };
  const auto well = check(https(good, "127.0.0.1"), {}, with(right));
  CAPTURE(well.output);
  CHECK(well.exit_code == 0);
  CHECK(check(https(good, "localhost"), {}, with(right)).exit_code == 0);
  const auto kept = check(https(good, "127.0.0.1"), {"--keep-alive"}, with(right));
  CAPTURE(kept.output);
  CHECK(kept.exit_code == 0);
  CHECK_FALSE(has(kept.output, "You closed the connection"));
  const auto stranger = check(https(good, "127.0.0.1"), {"--seconds", "1"}, with(other));
  CAPTURE(stranger.output);
  CHECK(has(stranger.output, "Your TLS certificate is not trusted"));
  const auto misnamed = check(https(bad, "127.0.0.1"), {"--seconds", "1"}, with(other));
  CAPTURE(misnamed.output);
  CHECK(misnamed.exit_code == 1);
  CHECK(has(misnamed.output, "Your TLS certificate"));
  const bot_server plain;
  const auto no_tls =
      check("https://127.0.0.1:" + std::to_string(plain.port()) + "/", {"--seconds", "1"});
  CAPTURE(no_tls.output);
  CHECK(has(no_tls.output, "You could not be spoken to by TLS"));
}

}  // namespace
}  // namespace gamehub::tests::system
