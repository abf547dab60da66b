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

TEST_CASE("call_bytes: keeps the connection only on request") {
  const auto url = std::get<bot_url>(read_url("http://bots.example/"));
  const auto bytes = call_bytes(url, {"{}", {1}, {2}, true});
  CHECK(bytes.find("\r\nConnection: keep-alive\r\n\r\n{}") != std::string::npos);
  CHECK(bytes.find("close") == std::string::npos);
}
