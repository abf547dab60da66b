#include "gateways/bots/call_bytes.hpp"

#include "tests/support/catch.hpp"

#include <variant>

using namespace gamehub;
using namespace gamehub::gateways::bots;

TEST_CASE("call_bytes: one request, to exactly that URL, with its length and its trace") {
  const auto url = std::get<bot_url>(read_url("http://bots.example:8000/rpc/x?y=1"));
  CHECK(call_bytes(url, {R"({"id":1})", {0xabc}, {0xdef}}) ==
        "POST /rpc/x?y=1 HTTP/1.1\r\n"
        "Host: bots.example:8000\r\n"
        "User-Agent: gamehub\r\n"
        "Content-Type: application/json\r\n"
        "Content-Length: 8\r\n"
        "traceparent: 00-00000000000000000000000000000abc-0000000000000def-01\r\n"
        "Connection: close\r\n"
        "\r\n"
        R"({"id":1})");
}

// The digest is that of: printf '1700000000.{"id":1}' | openssl dgst -sha256 -hmac SECRET
TEST_CASE("call_bytes: a signature is the HMAC of time and body by the bot's secret") {
  const auto secret = "0123456789abcdef";
  const base::wall_time at{std::chrono::seconds{1'700'000'000} + std::chrono::milliseconds{999}};
  const auto signature = signature_of(secret, at, R"({"id":1})");
  CHECK(signature ==
        "t=1700000000,v1=4bcaced68dfea90a68df035b89cb7fb26692d899d32a1ccb1b0616cf48e4d1ed");
  CHECK(signature_of("0123456789abcdeF", at, R"({"id":1})") != signature);
  CHECK(signature_of(secret, at, R"({"id":2})") != signature);
  CHECK(signature_of(secret, at + std::chrono::seconds{1}, R"({"id":1})") != signature);
  const auto url = std::get<bot_url>(read_url("http://bots.example/"));
  CHECK(call_bytes(url, {"{}", {1}, {2}, false, signature})
            .find("\r\nGamehub-Signature: " + signature + "\r\n") != std::string::npos);
}

TEST_CASE("call_bytes: keeps the connection only on request") {
  const auto url = std::get<bot_url>(read_url("http://bots.example/"));
  const auto bytes = call_bytes(url, {"{}", {1}, {2}, true});
  CHECK(bytes.find("\r\nConnection: keep-alive\r\n\r\n{}") != std::string::npos);
  CHECK(bytes.find("close") == std::string::npos);
}
