#include "gateways/bots/registration.hpp"

#include "hub/base/json.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/deceptive_names.hpp"

using namespace gamehub;
using namespace gamehub::gateways::bots;

namespace {

constexpr std::string_view usual =
    R"({"jsonrpc":"2.0","method":"RegistrationService.Register","params":{"token":"t","botname":"B",)"
    R"("botversion":"1.0","game":"TICTACTOE","rpcendpoint":"http:\/\/bots.example\/",)"
    R"("programminglanguage":"C++","website":"","description":"two\nlines"},"id":1})";

bot_registration good(std::string_view body) {
  const auto read = read_register(body);
  const auto* asked = std::get_if<register_request>(&read);
  REQUIRE(asked != nullptr);
  if (const auto* wrong = std::get_if<std::string>(&asked->what)) FAIL(*wrong);
  return std::get<bot_registration>(asked->what);
}

// A request with these params.
std::string body_with(const std::string& params, const std::string& id = "1") {
  return R"({"method":"RegistrationService.Register","params":)" + params + R"(,"id":)" + id + "}";
}

std::string complaint(const std::string& params) {
  const auto read = read_register(body_with(params));
  const auto* asked = std::get_if<register_request>(&read);
  REQUIRE(asked != nullptr);
  const auto* wrong = std::get_if<std::string>(&asked->what);
  return wrong == nullptr ? "" : *wrong;
}

std::string id_of(const std::string& id) {
  const auto read = read_register(body_with("{}", id));
  return std::get<register_request>(read).id;
}

}  // namespace

TEST_CASE("registration: reads all parameters") {
  const auto r = good(usual);
  CHECK(r.token == "t");
  CHECK(r.name == "B");
  CHECK(r.version == "1.0");
  CHECK(r.game == "TICTACTOE");
  CHECK(r.endpoint == "http://bots.example/");
  CHECK(r.language == "C++");
  CHECK(r.description == "two\nlines");
}

TEST_CASE("registration: parameter names match in any case, unknown ones are ignored") {
  const auto r = good(body_with(
      R"-({"Token":"t","botName":"B [x] (y)","BOTVERSION":2,"game":"g","rpcEndpoint":"u","extra":[]})-"));
  CHECK(r.name == "B [x] (y)");
  CHECK(r.version == "2");
  CHECK(r.endpoint == "u");
  CHECK(r.language.empty());
}

TEST_CASE("registration: an error names the parameter") {
  CHECK(complaint("null").find("params have to be an object") != std::string::npos);
  CHECK(complaint("{}") == "The parameter \"token\" is missing or empty");
  const std::string rest = R"("botversion":"1","game":"g","rpcendpoint":"u"})";
  CHECK(complaint(R"({"token":"t","botname":5,)" + rest) ==
        "The parameter \"botname\" has to be a string");
  CHECK(complaint(R"({"token":"t","botname":null,)" + rest) ==
        "The parameter \"botname\" is missing or empty");
  CHECK(complaint(R"({"token":"t","botname":"a\u0007",)" + rest).find("can't be printed") !=
        std::string::npos);
  CHECK(complaint(R"({"token":"t","botname":")" + std::string(65, 'x') + R"(",)" + rest) ==
        "The parameter \"botname\" is over 64 bytes long");
  CHECK(complaint(R"({"token":"t","botname":" x",)" + rest).find("no blank") != std::string::npos);
  for (const auto& name : tests::deceptive_names) {
    CAPTURE(name);
    const auto why = complaint(R"({"token":"t","botname":")" + std::string{name} + R"(",)" + rest);
    CHECK((why.find("of one script") != why.npos || why.find("can't be printed") != why.npos ||
           why.find("the hub's own") != why.npos));
  }
}

TEST_CASE("registration: a secret for signatures is optional, and long enough") {
  const std::string rest =
      R"("token":"t","botname":"b","botversion":"1","game":"g","rpcendpoint":"u"})";
  CHECK(good(body_with('{' + rest)).signing_secret.empty());
  CHECK(good(body_with(R"({"signingsecret":null,)" + rest)).signing_secret.empty());
  CHECK(good(body_with(R"({"signingSecret":"0123456789abcdef",)" + rest)).signing_secret ==
        "0123456789abcdef");
  for (const auto& wrong :
       {std::string(15, 'x'), std::string(16, ' '), std::string{"0123456789abcde\xc3\xa9"}})
    CHECK(complaint(R"({"signingsecret":")" + wrong + R"(",)" + rest) ==
          "The parameter \"signingsecret\" has to be 16 to 128 characters of ASCII without blanks");
  CHECK(complaint(R"({"signingsecret":")" + std::string(129, 'x') + R"(",)" + rest) ==
        "The parameter \"signingsecret\" is over 128 bytes long");
}

TEST_CASE("registration: returns the id unchanged") {
  CHECK(id_of("1") == "1");
  CHECK(id_of("\"abc\"") == "\"abc\"");
  CHECK(id_of("null") == "null");
  CHECK(id_of("1.5") == "1.5");
  CHECK(id_of("{\"a\":[1]}") == "{\"a\":[1]}");
  const auto none = read_register(R"({"method":"RegistrationService.Register","params":{}})");
  CHECK(std::get<register_request>(none).id == "null");
  const auto huge = read_register(body_with("{}", '"' + std::string(2'000, 'x') + '"'));
  CHECK(std::get<bad_rpc>(huge).id == "null");
}

TEST_CASE("registration: refuses other requests") {
  for (const auto* each : {"", "no", "[]", "[{}]", "{", R"({"method":5})", R"({"params":{}})",
                           R"({"method":"RegistrationService.Other","id":3})"}) {
    INFO(each);
    CHECK(std::holds_alternative<bad_rpc>(read_register(each)));
  }
  CHECK(std::get<bad_rpc>(read_register(R"({"method":"x","id":3})")).id == "3");
}

TEST_CASE("registration: responses have the form that existing bots read") {
  bot_registration b;
  b.name = "Ann\"s";
  b.version = "1.0";
  const auto yes = accepted_answer("1", greeting(b, "Tic-Tac-Toe"));
  CHECK(yes == R"({"jsonrpc":"2.0","result":{"message":"Hello, Ann\"s (version: 1.0), )"
               R"(good luck with Tic-Tac-Toe!"},"error":null,"id":1})");
  const auto no = refused_answer("\"abc\"", "Game \"CHESS\" is not known");
  CHECK(no ==
        R"({"jsonrpc":"2.0","result":null,"error":"Game \"CHESS\" is not known","id":"abc"})");
  CHECK(gamehub::base::json::valid(yes));
  CHECK(gamehub::base::json::valid(no));
}
