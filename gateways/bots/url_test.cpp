#include "gateways/bots/url.hpp"

#include "hub/base/address.hpp"
#include "tests/support/catch.hpp"

#include <string>

using namespace gamehub::gateways;
using bots::bot_url;
using bots::read_url;

namespace {

bot_url url(std::string_view text) {
  auto read = bots::read_url(text);
  INFO(text);
  if (const auto* wrong = std::get_if<std::string>(&read)) FAIL(*wrong);
  return std::get<bot_url>(std::move(read));
}

void refuses(std::string_view text, const std::string& words) {
  const auto read = bots::read_url(text);
  INFO(text);
  const auto* wrong = std::get_if<std::string>(&read);
  REQUIRE(wrong != nullptr);
  INFO(*wrong);
  CHECK(wrong->find(words) != wrong->npos);
}

}  // namespace

TEST_CASE("url: is split into host, port and target") {
  const auto plain = url("http://Bots.Example:8000/rpc?key=a%20b");
  CHECK_FALSE(plain.tls);
  CHECK(plain.host == "bots.example");
  CHECK(plain.port == 8000);
  CHECK(plain.target == "/rpc?key=a%20b");
  CHECK(plain.field == "bots.example:8000");
  CHECK_FALSE(plain.address);
  const auto secure = url("https://bots.example/");
  CHECK(secure.tls);
  CHECK(secure.port == 443);
  CHECK(secure.field == "bots.example");
}

TEST_CASE("url: without a path means the root") {
  CHECK(url("http://bots.example").target == "/");
  CHECK(url("http://bots.example?a=1").target == "/?a=1");
  CHECK(url("http://bots.example:80").field == "bots.example");
  CHECK(url("http://bots.example:").port == 80);
}

TEST_CASE("url: recognizes an address as host") {
  const auto four = url("http://10.1.2.3:9/x");
  REQUIRE(four.address);
  CHECK(gamehub::base::to_text(*four.address) == "10.1.2.3");
  CHECK(four.address->port == 9);
  const auto six = url("http://[2001:DB8::1]:9/x");
  REQUIRE(six.address);
  CHECK(six.host == "2001:db8::1");
  CHECK(six.field == "[2001:db8::1]:9");
  CHECK(gamehub::base::to_text(*url("http://[::ffff:127.0.0.1]/").address) == "127.0.0.1");
}

TEST_CASE("url: two spellings of an endpoint have one key") {
  CHECK(url("http://BOTS.example:80").key() == url("http://bots.example/").key());
  CHECK(url("http://bots.example/a").key() != url("http://bots.example/b").key());
}

TEST_CASE("url: refuses numbers that systems read as addresses") {
  for (const auto* each : {"http://2130706433/", "http://0x7f000001/", "http://0x7f.1/",
                           "http://0177.0.0.1/", "http://127.1/", "http://017700000001/",
                           "http://1.2.3.256/", "http://a.0x1/", "http://127.0.0.01/"})
    refuses(each, "write four numbers");
}

TEST_CASE("url: refuses ambiguous URLs") {
  refuses("", "is not a URL");
  refuses("bots.example/rpc", "is not a URL");
  refuses("/rpc", "is not a URL");
  refuses("http://", "host");
  refuses("http:///rpc", "host");
  refuses("http:bots.example", "names no host");
  refuses("ftp://bots.example/", "http:// or https://");
  refuses("file:///etc/passwd", "http:// or https://");
  refuses("gopher://bots.example:70/_x", "http:// or https://");
  refuses("http://ann:secret@bots.example/", "a user or a password");
  refuses("http://127.0.0.1@bots.example/", "a user or a password");
  refuses("http://bots.example/#there", "fragment");
  refuses("http://bots.example:0/", "port");
  refuses("http://bots.example:65536/", "port");
  for (const auto* each : {"99999", "65558", "131152", "4294967376", "99999999999999999999"})
    refuses("http://bots.example:" + std::string{each} + "/", "not from 1 to 65535");
  refuses("http://bots.example:80:80/", "is not a URL");
  refuses("http://127.0.0.1./", "is not a URL");
  refuses("http://127.0.0.1.bots.example/", "is not a URL");
  refuses("http://bots.example/a b", "is not a URL");
  refuses("http://bots.example/\r\nX-Evil: 1", "is not a URL");
  refuses("http://bots%2eexample/", "neither a name nor an address");
  refuses("http://bots..example/", "neither a name nor an address");
  refuses("http://[fe80::1%25eth0]/", "is not a URL");
  refuses("http://[v1.x]/", "neither a name nor an address");
  refuses("http://b\xC3\xBCts.example/", "is not a URL");
  refuses("http://bots.example/" + std::string(1'024, 'a'), "over 1024 bytes");
}
