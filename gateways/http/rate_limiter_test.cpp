#include "gateways/http/server/gatekeeper.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::gateways::http::server {
namespace {

using namespace std::chrono_literals;

constexpr instant start{std::chrono::hours{1}};

rate_limiter_settings setup(std::uint32_t addresses, std::uint32_t clients) {
  rate_limiter_settings s;
  s.address_rate = addresses;
  s.client_rate = clients;
  return s;
}

request request_from(const char* address) {
  request r;
  r.remote = *read_address(address);
  return r;
}

TEST_CASE("gatekeeper: an address may ask so often, and is told when it may again") {
  seeded_entropy luck{1};
  rate_limiter gate{setup(2, 0), luck};
  const auto who = gate.origin_of(request_from("203.0.113.9"));
  for (int i = 0; i < 4; ++i) CHECK_FALSE(gate.admit(who, start));
  const auto no = gate.admit(who, start);
  REQUIRE(no);
  CHECK(no->code == error_code::too_many_requests);
  CHECK(no->retry_after == limits::seconds{1});
  CHECK_FALSE(gate.admit(gate.origin_of(request_from("203.0.113.10")), start));
  CHECK_FALSE(gate.admit(who, start + 1s));
}

TEST_CASE("gatekeeper: a client may ask so often, wherever it asks from") {
  seeded_entropy luck{1};
  rate_limiter gate{setup(0, 1), luck};
  const auto key = client_id::read("0123456789abcdef")->key();
  CHECK_FALSE(gate.admit(gate.origin_of(request_from("203.0.113.9")), key, start));
  CHECK_FALSE(gate.admit(gate.origin_of(request_from("203.0.113.10")), key, start));
  CHECK(gate.admit(gate.origin_of(request_from("203.0.113.11")), key, start));
  const auto other = client_id::read("0123456789abcdeX")->key();
  CHECK_FALSE(gate.admit(gate.origin_of(request_from("203.0.113.11")), other, start));
}

TEST_CASE("gatekeeper: loopback is exempt unless it is bound, or stands between") {
  seeded_entropy luck{1};
  rate_limiter gate{setup(1, 1), luck};
  CHECK(gate.origin_of(request_from("127.0.0.1")).exempt);
  CHECK(gate.origin_of(request_from("::1")).exempt);
  auto bound = setup(1, 1);
  bound.bound_loopback = true;
  CHECK_FALSE(rate_limiter(bound, luck).origin_of(request_from("127.0.0.1")).exempt);
  auto behind = setup(1, 1);
  behind.trusted_proxies = {*read_network("127.0.0.1")};
  auto r = request_from("127.0.0.1");
  r.forwarded_for = "198.51.100.7";
  const auto who = rate_limiter(behind, luck).origin_of(r);
  CHECK_FALSE(who.exempt);
  CHECK(to_text(who.address) == "198.51.100.7");
}

TEST_CASE("gatekeeper: pages of other sites read only what they may") {
  seeded_entropy luck{1};
  auto s = setup(0, 0);
  s.cors_origins = {"https://play.example"};
  const rate_limiter gate{s, luck};
  REQUIRE(gate.allowed_site("https://play.example"));
  CHECK(*gate.allowed_site("https://play.example") == "https://play.example");
  for (const auto* other : {"", "null", "https://evil.example", "http://play.example"})
    CHECK_FALSE(gate.allowed_site(other));
}

}  // namespace
}  // namespace gamehub::gateways::http::server
