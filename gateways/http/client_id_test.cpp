#include "gateways/http/client_id.hpp"

#include "hub/base/random.hpp"
#include "tests/support/catch.hpp"

#include <map>
#include <set>
#include <sstream>

using namespace gamehub;
using namespace gamehub::gateways::http;

TEST_CASE("http client_id: is 16 to 64 visible characters of ASCII") {
  CHECK(client_id::read("920d14a9a2204d8bbc553ef94f6d6773"));
  CHECK(client_id::read(std::string(15, '!') + '~'));
  CHECK(client_id::read('!' + std::string(63, '~')));
  CHECK(!client_id::read(std::string(14, 'a') + 'b'));
  CHECK(!client_id::read(std::string(64, 'a') + 'b'));
  CHECK(!client_id::read(""));
  for (const char c : {' ', '\0', '\n', '\t', '\x1F', '\x7F', '\x80', '\xFF'})
    CHECK(!client_id::read(std::string(15, 'a') + c));
}

TEST_CASE("http client_id: is not one character repeated") {
  for (const char c : {'a', '0', '!', '~', 'x'})
    for (const std::size_t size : {16U, 17U, 32U, 64U}) {
      INFO(c << " " << size);
      CHECK(!client_id::acceptable(std::string(size, c)));
      CHECK(!client_id::read(std::string(size, c)));
    }
  for (const auto* text : {"aaaaaaaaaaaaaaab", "baaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaA",
                           "abababababababab", "0000000000000001"})
    CHECK(client_id::read(text));
}

TEST_CASE("http client_id: accepts the hub's own ids") {
  base::seeded_entropy random{1};
  CHECK(client_id::read(random.secret()));
}

TEST_CASE("http client_id: reads acceptable ids only") {
  for (std::size_t size = 0; size < 100; ++size)
    for (const auto* end : {"", "b"}) {
      const auto text = std::string(size, 'a') + end;
      CHECK(client_id::acceptable(text) == client_id::read(text).has_value());
    }
}

TEST_CASE("http client_id: its key is half of its SHA-256") {
  const auto id = client_id::read("920d14a9a2204d8bbc553ef94f6d6773");
  const std::string wanted{"\x2a\xbe\xc0\xf3\x4c\x78\x70\x04\x8c\xe0\x24\xf5\x99\x41\xba\xc5", 16};
  CHECK(id->key().text() == wanted);
  CHECK(id->reveal() == "920d14a9a2204d8bbc553ef94f6d6773");
}

TEST_CASE("http client_id: keys are unique and comparable") {
  std::map<client_key, int> sessions;
  std::set<client_key> keys;
  base::seeded_entropy random{2};
  const auto first = *client_id::read(random.secret());
  sessions[first.key()] = 7;
  for (int i = 0; i < 1'000; ++i) keys.insert(client_id::read(random.secret())->key());
  CHECK(keys.size() == 1'000);
  CHECK(keys.count(first.key()) == 0);
  CHECK(sessions.at(client_id::read(first.reveal())->key()) == 7);
  CHECK(first == *client_id::read(first.reveal()));
  CHECK(!(first == *client_id::read(random.secret())));
}

TEST_CASE("http client_id: streams neither the secret nor the key") {
  const std::string secret = "visible-secret-0123456789";
  const auto id = *client_id::read(secret);
  std::ostringstream out;
  out << id << id.key();
  CHECK(out.str() == "(a client_id)(a client's key)");
  CHECK(Catch::Detail::stringify(id).find(secret) == std::string::npos);
}

TEST_CASE("http client_id: reads a bearer token") {
  CHECK(bearer_token("Bearer abc") == "abc");
  CHECK(bearer_token("bearer   abc  ") == "abc");
  CHECK(bearer_token("BEARER a b") == "a b");
  for (const auto* field : {"", "Bearer", "Bearer ", "Basic abc", "Bearerabc", " Bearer abc"})
    CHECK(!bearer_token(field));
}
