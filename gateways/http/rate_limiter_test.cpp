#include "gateways/http/rate_limiter.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::gateways::http {
namespace {

using namespace std::chrono_literals;

constexpr base::instant limiter_start{std::chrono::hours{1}};

rate_limiter_settings setup(std::uint32_t clients, address_ledger* addresses = nullptr) {
  rate_limiter_settings s;
  s.client_rate = clients;
  s.addresses = addresses;
  return s;
}

// A limiter of two requests a second of an address.
struct address_gate {
  base::seeded_entropy random{1};
  address_ledger addresses{{.requests = 2}, {1, 2}};
  rate_limiter gate{setup(0, &addresses), random};
};

request request_from(const char* address) {
  request r;
  r.remote = *base::read_address(address);
  return r;
}

TEST_CASE("rate_limiter: limits an address, with the delay in the error") {
  address_gate at;
  auto& gate = at.gate;
  const auto who = gate.origin_of(request_from("203.0.113.9"));
  for (int i = 0; i < 4; ++i) CHECK_FALSE(gate.try_acquire(who, limiter_start));
  const auto no = gate.try_acquire(who, limiter_start);
  REQUIRE(no);
  CHECK(no->code == error_code::too_many_requests);
  CHECK(no->retry_after == limits::seconds{1});
  CHECK_FALSE(gate.try_acquire(gate.origin_of(request_from("203.0.113.10")), limiter_start));
  CHECK_FALSE(gate.try_acquire(who, limiter_start + 1s));
}

TEST_CASE("rate_limiter: an answer that costs as much as many requests counts as many") {
  address_gate at;
  auto& gate = at.gate;
  const auto who = gate.origin_of(request_from("203.0.113.9"));
  CHECK_FALSE(gate.try_acquire(who, limiter_start));
  gate.charge(who, 7, limiter_start);
  const auto no = gate.try_acquire(who, limiter_start);
  REQUIRE(no);
  CHECK(no->retry_after == limits::seconds{3});
  auto exempt = who;
  exempt.exempt = true;
  gate.charge(exempt, 1'000, limiter_start);
  CHECK_FALSE(gate.try_acquire(exempt, limiter_start));
  CHECK_FALSE(gate.try_acquire(who, limiter_start + 3s));
}

TEST_CASE("rate_limiter: limits a client over all addresses") {
  base::seeded_entropy random{1};
  rate_limiter gate{setup(1), random};
  const auto key = client_id::read("0123456789abcdef")->key();
  CHECK_FALSE(gate.try_acquire(gate.origin_of(request_from("203.0.113.9")), key, limiter_start));
  CHECK_FALSE(gate.try_acquire(gate.origin_of(request_from("203.0.113.10")), key, limiter_start));
  CHECK(gate.try_acquire(gate.origin_of(request_from("203.0.113.11")), key, limiter_start));
  const auto other = client_id::read("0123456789abcdeX")->key();
  CHECK_FALSE(gate.try_acquire(gate.origin_of(request_from("203.0.113.11")), other, limiter_start));
}

TEST_CASE("rate_limiter: loopback is exempt unless limited or a proxy") {
  base::seeded_entropy random{1};
  rate_limiter gate{setup(1), random};
  CHECK(gate.origin_of(request_from("127.0.0.1")).exempt);
  CHECK(gate.origin_of(request_from("::1")).exempt);
  auto bound = setup(1);
  bound.bound_loopback = true;
  CHECK_FALSE(rate_limiter(bound, random).origin_of(request_from("127.0.0.1")).exempt);
  auto behind = setup(1);
  behind.trusted_proxies = {*base::read_network("127.0.0.1")};
  auto r = request_from("127.0.0.1");
  r.forwarded_for = "198.51.100.7";
  const auto who = rate_limiter(behind, random).origin_of(r);
  CHECK_FALSE(who.exempt);
  CHECK(base::to_text(who.address) == "198.51.100.7");
}

TEST_CASE("rate_limiter: a request that an unknown proxy on this machine forwards is not exempt") {
  base::seeded_entropy random{1};
  rate_limiter gate{setup(1), random};
  for (const auto field : {&request::forwarded, &request::forwarded_for, &request::via}) {
    auto r = request_from("127.0.0.1");
    r.*field = "x";
    const auto who = gate.origin_of(r);
    CHECK_FALSE(who.exempt);
    CHECK(base::to_text(who.address) == "127.0.0.1");
  }
}

TEST_CASE("rate_limiter: a page of another site is foreign") {
  base::seeded_entropy random{1};
  auto s = setup(0);
  s.cors_origins = {"https://play.example"};
  s.public_url = "https://games.example/hub";
  const rate_limiter gate{s, random};
  const auto is_foreign = [&](std::string_view origin) {
    auto r = request_from("127.0.0.1");
    r.host = "127.0.0.1:8080";
    r.origin = origin;
    return gate.is_foreign(r);
  };
  for (const auto* own : {"", "http://127.0.0.1:8080", "https://127.0.0.1:8080",
                          "https://play.example", "https://games.example"})
    CHECK_FALSE(is_foreign(own));
  for (const auto* other :
       {"null", "https://evil.example", "http://127.0.0.1", "http://play.example",
        "https://games.exampl", "http://", "://127.0.0.1:80801"})
    CHECK(is_foreign(other));
}

TEST_CASE("rate_limiter: a request for another host is misdirected, if the Host is checked") {
  base::seeded_entropy random{1};
  const auto is_misdirected = [&](const rate_limiter_settings& s, std::string_view host,
                                  const char* from) {
    auto r = request_from(from);
    r.host = host;
    return rate_limiter{s, random}.is_misdirected(r);
  };
  auto s = setup(0);
  CHECK_FALSE(is_misdirected(s, "rebind.evil.example", "127.0.0.1"));
  s.check_host = true;
  for (const auto* own : {"", "127.0.0.1:8080", "[::1]", "localhost:8080"})
    CHECK_FALSE(is_misdirected(s, own, "127.0.0.1"));
  CHECK(is_misdirected(s, "rebind.evil.example", "127.0.0.1"));
  CHECK(is_misdirected(s, "games.example", "127.0.0.1"));
  s.public_url = "https://games.example:8443/hub";
  CHECK_FALSE(is_misdirected(s, "games.example", "127.0.0.1"));
  CHECK(is_misdirected(s, "rebind.evil.example", "127.0.0.1"));
  s.trusted_proxies = {*base::read_network("127.0.0.1")};
  CHECK_FALSE(is_misdirected(s, "any.name.of.the.proxy", "127.0.0.1"));
  CHECK(is_misdirected(s, "any.name.of.the.proxy", "203.0.113.9"));
  s.hosts = {"play.example"};
  CHECK(is_misdirected(s, "any.name.of.the.proxy", "127.0.0.1"));
  for (const auto* own : {"play.example", "games.example"})
    CHECK_FALSE(is_misdirected(s, own, "127.0.0.1"));
  for (const auto* no_name : {"", "/hub", "https://", "https://[::1]:8080"}) {
    s.public_url = no_name;
    CHECK(is_misdirected(s, "rebind.evil.example", "127.0.0.1"));
  }
}

TEST_CASE("rate_limiter: allows pages of configured sites only") {
  base::seeded_entropy random{1};
  auto s = setup(0);
  s.cors_origins = {"https://play.example"};
  const rate_limiter gate{s, random};
  REQUIRE(gate.allowed_site("https://play.example"));
  CHECK(*gate.allowed_site("https://play.example") == "https://play.example");
  for (const auto* other : {"", "null", "https://evil.example", "http://play.example"})
    CHECK_FALSE(gate.allowed_site(other));
}

}  // namespace
}  // namespace gamehub::gateways::http
