#include "tools/bot/check_request.hpp"

#include "hub/base/usage_error.hpp"
#include "tests/support/catch.hpp"

#include <vector>

using namespace gamehub::tools::bot;

namespace {

std::variant<check_request, gamehub::config::early_exit> read(std::vector<const char*> words) {
  words.insert(words.begin(), {"gamehub", "bot"});
  return parse(static_cast<int>(words.size()), words.data());
}

check_request good(std::vector<const char*> words) {
  auto got = read(std::move(words));
  if (const auto* message = std::get_if<gamehub::config::early_exit>(&got)) FAIL(message->text);
  return std::get<check_request>(got);
}

void refuses(std::vector<const char*> words, const std::string& sentence) {
  const auto got = read(std::move(words));
  const auto* message = std::get_if<gamehub::config::early_exit>(&got);
  REQUIRE(message != nullptr);
  INFO(message->text);
  CHECK(message->exit_code == gamehub::base::usage_error_exit_code);
  CHECK(message->text.find(sentence) != std::string::npos);
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
  CHECK_FALSE(other.keep_alive);
  CHECK(other.opponent.empty());
  const auto more = good({"check", "http://a/", "--keep-alive", "--opponent", "Bob"});
  CHECK(more.keep_alive);
  CHECK(more.opponent == "Bob");
  CHECK(other.call_time == std::chrono::seconds{2});
  CHECK(other.plugins == "x");
}

TEST_CASE("bot check: a mistake is one sentence") {
  refuses({"check"}, "missing URL of the bot");
  refuses({"check", "http://a/", "--seconds", "0"}, "from 1 to 60");
  refuses({"check", "http://a/", "--seconds", "x"}, "from 1 to 60");
  refuses({"check", "http://a/", "--sideways"}, "is not for gamehub bot check");
  refuses({}, "gamehub bot --help");
}

TEST_CASE("bot check: help is an answer") {
  const auto got = read({"check", "--help"});
  const auto* message = std::get_if<gamehub::config::early_exit>(&got);
  REQUIRE(message != nullptr);
  CHECK(message->exit_code == 0);
  CHECK(message->text.find("Exit code 0") != std::string::npos);
}
