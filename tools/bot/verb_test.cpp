#include "tools/bot/verb.hpp"

#include "tests/support/verb_line.hpp"

#include <string>

using namespace gamehub::tools::bot;
using gamehub::tests::words;

namespace {

const gamehub::tests::verb_line<check_request> line{add_bot_verbs};

check_request good(words of) {
  of.insert(of.begin(), "bot");
  return line.request(of);
}

void refuses(words of, const std::string& sentence) {
  of.insert(of.begin(), "bot");
  const auto message = line.mistake(of);
  INFO(message);
  CHECK(message.find(sentence) != std::string::npos);
}

}  // namespace

TEST_CASE("bot check: asks for tictactoe, with five seconds a call") {
  const auto r = good({"check", "http://127.0.0.1:1/"});
  CHECK(r.url == "http://127.0.0.1:1/");
  CHECK(r.engine == "tictactoe");
  CHECK(r.call_time == std::chrono::seconds{5});
  const auto other =
      good({"check", "http://a/", "--engine", "connect-four", "--seconds", "2", "--plugins", "x"});
  CHECK(other.engine == "connect-four");
  CHECK(other.players == 0);
  CHECK(good({"check", "http://a/", "--engine", "oh-hell", "--players", "4"}).players == 4);
  CHECK_FALSE(other.keep_alive);
  CHECK(other.opponent.empty());
  const auto more = good({"check", "http://a/", "--keep-alive", "--opponent", "Bob",
                          "--signing-secret", "0123456789abcdef"});
  CHECK(more.keep_alive);
  CHECK(more.opponent == "Bob");
  CHECK(more.signing_secret == "0123456789abcdef");
  CHECK(other.call_time == std::chrono::seconds{2});
  CHECK(other.plugins == "x");
}

TEST_CASE("bot check: a mistake is one sentence") {
  refuses({"check"}, "URL is missing: give the URL of the bot");
  refuses({"check", "http://a/", "--seconds", "0"}, "from 1 to 60");
  refuses({"check", "http://a/", "--seconds", "x"}, "from 1 to 60");
  refuses({"check", "http://a/", "--players", "99"}, "0 to 62");
  refuses({"check", "http://a/", "--sideways"}, "is not for gamehub bot check");
  refuses({"check", ""}, "URL is \"\": give the URL of the bot");
  refuses({}, "gamehub bot --help");
}

TEST_CASE("bot check: help is an answer") {
  CHECK(line.help({"bot", "check", "--help"}).find("Exit code 0") != std::string::npos);
}
