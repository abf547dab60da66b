#include "gateways/http/parameters.hpp"

#include "gateways/http/routes.hpp"
#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

using namespace gamehub;
using namespace gamehub::gateways::http;

namespace {

constexpr parameter_spec specs[] = {
    {"client_id", parameter_type::client_id, false, ""},
    {"name", parameter_type::name, false, ""},
    {"resume", parameter_type::boolean, false, ""},
    {"position", parameter_type::integer, false, ""},
    {"limit", parameter_type::integer, false, "", 32, 1, 200},
    {"options", parameter_type::document, false, ""},
    {"message", parameter_type::text, false, "", 20},
};
constexpr parameter_spec needed[] = {{"message", parameter_type::text, true, ""}};
constexpr parameter_spec made[] = {{"client_id", parameter_type::new_client_id, false, ""}};
constexpr parameter_spec watching[] = {{"client_id", parameter_type::any_client_id, false, ""}};

constexpr std::string_view secret = "0123456789abcdef0123456789abcdef";

request get(std::string_view query) {
  request r;
  r.method = "GET";
  r.query = query;
  return r;
}

request form(std::string_view body) {
  request r;
  r.method = "POST";
  r.content_type = "application/x-www-form-urlencoded";
  r.body = body;
  return r;
}

request object(std::string_view body) {
  auto r = form(body);
  r.content_type = "application/json";
  return r;
}

parameters read(const request& r, std::span<const parameter_spec> list = specs) {
  auto out = parameters::read(r, list);
  if (const auto* wrong = std::get_if<error>(&out)) FAIL("refused: " << wrong->message);
  return std::get<parameters>(std::move(out));
}

// Returns the error message, with its code unless that is 100.
std::string mistake(const request& r, std::span<const parameter_spec> list = specs) {
  const auto out = parameters::read(r, list);
  const auto* wrong = std::get_if<error>(&out);
  if (wrong == nullptr) return "none";
  const auto code = static_cast<int>(wrong->code);
  return (code == 100 ? "" : std::to_string(code) + " ") + wrong->message;
}

}  // namespace

TEST_CASE("parameters: the id of a game is its number") {
  CHECK(read_game("17") == game_id{17});
  for (const auto* text : {"", "0", "017", "-1", "+1", "1a", " 1", "18446744073709551616"})
    CHECK_FALSE(read_game(text));
}

TEST_CASE("http parameters: read the same from a query, a form and an object") {
  const auto check = [](const parameters& p) {
    CHECK(p.text("name") == "Ann B\xC3\xB6ll");
    CHECK(p.boolean("resume") == true);
    CHECK(p.integer("position") == -4);
    CHECK(p.text("options") == R"({"rows":6})");
    CHECK(!p.has("message"));
    CHECK(!p.mentions("message"));
    CHECK(p.integer("limit") == std::nullopt);
    CHECK(p.boolean("message") == std::nullopt);
  };
  const std::string pairs =
      "name=Ann+B%C3%B6ll&resume=true&position=-4&options=%7B%22rows%22%3A6%7D";
  check(read(get(pairs)));
  check(read(form(pairs)));
  check(read(
      object(R"( {"name":"Ann B\u00f6ll","resume":true,"position":-4,"options":{"rows":6}} )")));
  check(read(object(
      R"({"name":"Ann B\u00f6ll","resume":"true","position":"-4","options":"{\"rows\":6}"})")));
}

TEST_CASE("http parameters: a form may have empty values and pairs") {
  const auto p = read(form("&&message=a b=c&&name=&"));
  CHECK(p.text("message") == "a b=c");
  CHECK(p.mentions("name"));
  CHECK(!p.has("name"));
}

TEST_CASE("http parameters: the query of a POST counts, too") {
  auto r = form("message=hello");
  r.query = "name=ann";
  CHECK(read(r).text("name") == "ann");
  CHECK(read(r).text("message") == "hello");
  r.query = "message=again";
  CHECK(mistake(r) == "message is given more than once");
}

TEST_CASE("http parameters: the body's type decides how it is read") {
  for (const auto* type :
       {"", "application/x-www-form-urlencoded", "Application/X-WWW-Form-Urlencoded; charset=UTF-8",
        "application/x-www-form-urlencoded ;charset=\"utf-8\"; other=1"}) {
    auto r = form("name=ann");
    r.content_type = type;
    CHECK(read(r).text("name") == "ann");
  }
  for (const auto* type : {"", "application/json", "APPLICATION/JSON;charset=utf-8"}) {
    auto r = form(R"({"name":"ann"})");
    r.content_type = type;
    CHECK(read(r).text("name") == "ann");
  }
  for (const auto* type : {"text/plain", "multipart/form-data; boundary=x", "application/jsonx",
                           "application/json; charset=latin1", "application/json, text/plain"}) {
    auto r = form("name=ann");
    r.content_type = type;
    CHECK(mistake(r).starts_with("Content-Type has to be "));
  }
}

TEST_CASE("http parameters: without a body there are no parameters") {
  auto r = form("");
  r.content_type = "text/plain";
  CHECK(mistake(r) == "none");
  CHECK(mistake(object("")) == "the body is no JSON object");
  auto with_body = get("");
  with_body.body = "name=ann";
  CHECK(mistake(with_body) == "a GET has its parameters in the query, and no body");
}

TEST_CASE("http parameters: repeated ones are refused in every part") {
  CHECK(mistake(get("name=a&name=a")) == "name is given more than once");
  CHECK(mistake(get("name=a&n%61me=b")) == "name is given more than once");
  CHECK(mistake(form("name=a&name=")) == "name is given more than once");
  CHECK(mistake(object(R"({"name":"a","na\u006de":"b"})")) == "name is given more than once");
  CHECK(mistake(get("other=1&other=2")) == "none");
  auto r = get("");
  r.repeated_field = "Content-Type";
  CHECK(mistake(r) == "Content-Type comes more than once");
}

TEST_CASE("http parameters: blank and null ones count as missing") {
  for (const auto& r : {form(""), form("message"), form("message="), form("Message=a"),
                        object("{}"), object(R"({"message":null})"), object(R"({"message":""})")})
    CHECK(mistake(r, needed) == "message is missing");
  CHECK(mistake(form("message=a"), needed) == "none");
}

TEST_CASE("http parameters: broken escapes and broken text are refused, also in unknown ones") {
  for (const auto* pairs : {"name=%", "name=%4", "name=%zz", "%zz=a", "other=%ff", "name=\xFF",
                            "other=%C0%80", "name=a&other=%"}) {
    CHECK(mistake(get(pairs)) == "the query has a broken % escape or no UTF-8");
    CHECK(mistake(form(pairs)) == "the form has a broken % escape or no UTF-8");
  }
}

TEST_CASE("http parameters: a body that is not a JSON object is refused") {
  for (const auto* body : {"[]", "1", "null", "{", "{}x", "{'name':1}", "name=ann", R"({"name":})",
                           "{\"name\":\"\xFF\"}", R"({"name":"\ud800"})", R"({"other":1,})"})
    CHECK(mistake(object(body)) == "the body is no JSON object");
  CHECK(mistake(object(R"({"name":["ann"]})")) == "name has to be a plain value");
  CHECK(mistake(object(R"({"other":{"deep":[1,2]}})")) == "none");
}

TEST_CASE("http parameters: controls are refused, and names have their own error") {
  CHECK(mistake(get("message=a%0Ab")) == "message has a control character");
  CHECK(mistake(get("message=a%00")) == "message has a control character");
  CHECK(mistake(get("message=%C2%85")) == "message has a control character");
  for (const auto* name : {"a%0A", "%00", "+a", "a+", "a%E2%80%AEb", "%7F"})
    CHECK(mistake(get("name=" + std::string{name})).starts_with("104 "));
  CHECK(mistake(get("name=" + std::string(64, 'n'))) == "none");
  CHECK(mistake(get("name=" + std::string(65, 'n'))).starts_with("104 "));
}

TEST_CASE("http parameters: values have a size limit") {
  CHECK(mistake(get("message=" + std::string(20, 'm'))) == "none");
  CHECK(mistake(get("message=" + std::string(21, 'm'))) == "message is longer than 20 bytes");
  CHECK(mistake(get("message=" + std::string(20, '+'))) == "none");
}

TEST_CASE("http parameters: their number is limited") {
  std::string pairs;
  for (std::size_t i = 0; i < limits::http_parameters_max; ++i) pairs += "a&";
  CHECK(mistake(get(pairs)) == "none");
  CHECK(mistake(get(pairs + "a")) == "there are too many parameters");
  std::string members = "{";
  for (std::size_t i = 0; i < limits::http_parameters_max; ++i) members += "\"a\":1,";
  CHECK(mistake(object(members + "\"b\":2}")) == "there are too many parameters");
}

TEST_CASE("http parameters: booleans and numbers have one notation") {
  CHECK(read(get("resume=false")).boolean("resume") == false);
  for (const auto* value : {"True", "1", "yes", "null", "+true"})
    CHECK(mistake(get("resume=" + std::string{value})) == "resume has to be true or false");
  for (const auto* value : {"4.5", "abc", "0x1", "%2B1", "1e3", "01", "--1", "-", "1+", "true"})
    CHECK(mistake(get("position=" + std::string{value})) == "position has to be a whole number");
  CHECK(mistake(object(R"({"position":2.0})")) == "position has to be a whole number");
  CHECK(read(get("position=0")).integer("position") == 0);
  CHECK(read(get("position=-0")).integer("position") == 0);
  CHECK(mistake(get("limit=0")) == "limit has to be a whole number, at least 1, at most 200");
  CHECK(mistake(get("limit=201")) == "limit has to be a whole number, at least 1, at most 200");
  CHECK(mistake(get("limit=200")) == "none");
}

TEST_CASE("http parameters: huge numbers are clamped") {
  const std::string digits(300, '9');
  CHECK(read(get("position=" + digits)).integer("position") ==
        std::numeric_limits<std::int64_t>::max());
  CHECK(read(get("position=-" + digits)).integer("position") ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(read_integer("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  CHECK(read_integer("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("http parameters: options are a JSON object") {
  for (const auto* value : {"1", "[]", "{", "{}}", "null", "x"})
    CHECK(mistake(get("options=" + std::string{value})) == "options has to be a JSON object");
  CHECK(read(get("options=%0A{+}")).text("options") == "\n{ }");
  CHECK(mistake(object(R"({"options":[1]})")) == "options has to be a JSON object");
}

TEST_CASE("http parameters: a client_id may be a parameter, a bearer token, or both if equal") {
  const std::string pair = "client_id=" + std::string{secret};
  CHECK(read(get(pair)).text("client_id") == secret);
  auto r = get("");
  const auto bearer = "Bearer " + std::string{secret};
  r.authorization = bearer;
  CHECK(read(r).text("client_id") == secret);
  r.query = pair;
  CHECK(read(r).text("client_id") == secret);
  r.query = "client_id=another-secret-of-somebody";
  CHECK(mistake(r) == "Authorization and client_id are not the same");
  r.query = "client_id=";
  CHECK(read(r).text("client_id") == secret);
  r.authorization = "Bearer \xFF";
  CHECK(mistake(r, watching) == "Authorization is no UTF-8");
  r.authorization = "Basic dXNlcjpwYXNz";
  r.query = pair;
  CHECK(read(r).text("client_id") == secret);
}

TEST_CASE("http parameters: a malformed client_id is unknown, or invalid for a new session") {
  CHECK(mistake(get("client_id=short")) == "101 there is no session with that client_id");
  CHECK(mistake(get("client_id=short"), made) ==
        "client_id has to be 16 to 64 visible characters of ASCII, not all the same");
  CHECK(mistake(get("client_id=short"), watching) == "none");
  CHECK(mistake(get("client_id="), made) == "none");
}

TEST_CASE("http parameters: no error message repeats input") {
  const std::string word = "SecretWord";
  for (const auto& each : routes()) {
    for (const auto& spec : each.parameters) {
      const std::string name{spec.name};
      for (const auto& value :
           {word, word + "%0A", word + "%zz", std::string(5'000, 'S') + word, "{" + word}) {
        for (const auto& pairs : {name + "=" + value, name + "=" + value + "&" + name + "=" + value,
                                  value + "=" + value + "&" + value + "=1"}) {
          const auto message = mistake(form(pairs), each.parameters);
          if (message.find(word) != message.npos) FAIL(pairs << " is answered with " << message);
        }
      }
    }
  }
}

TEST_CASE("parameters: a list has words with commas between them, or is a JSON array of strings") {
  constexpr parameter_spec lists[] = {{"opponents", parameter_type::list, false, ""}};
  const auto list_of = [&](const request& r) { return read(r, lists).list("opponents"); };
  using words = std::vector<std::string>;
  CHECK(list_of(form("opponents=any,+bot:Dot,engine")) == words{"any", "bot:Dot", "engine"});
  CHECK(list_of(form("opponents=any,,")) == words{"any", "", ""});
  CHECK(list_of(form("opponents=")).empty());
  CHECK(list_of(object(R"({"opponents":"any,engine"})")) == words{"any", "engine"});
  CHECK(list_of(object(R"({"opponents":["bot:A, B","any"]})")) == words{"bot:A, B", "any"});
  CHECK(list_of(object(R"({"opponents":[]})")).empty());
  for (const auto* body : {R"({"opponents":[1]})", R"({"opponents":[["any"]]})"})
    CHECK(mistake(object(body), lists) ==
          "opponents has to be words with commas between them, or a JSON array of strings");
  CHECK(mistake(object(R"({"opponents":{"a":1}})"), lists) == "opponents has to be a plain value");
}
