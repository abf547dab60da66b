#include "hub/core/address_ledger.hpp"

#include "hub/base/address.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"

#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace gamehub;
using std::chrono::seconds;

namespace {

constexpr base::hash_key test_key{7, 9};
const base::instant start{std::chrono::hours{1}};

base::endpoint at(const std::string& address) { return *base::read_address(address); }

address_limits with_connections(std::uint32_t max) {
  address_limits out;
  out.connections = max;
  return out;
}

}  // namespace

TEST_CASE("address_ledger: each limit has a different word") {
  std::set<std::string_view> words;
  for (int i = 0; i < address_limit_count; ++i)
    words.insert(to_string(static_cast<address_limit>(i)));
  CHECK(words.size() == address_limit_count);
  CHECK_FALSE(words.contains(""));
}

TEST_CASE("address_ledger: an IPv6 network of 64 bits is one address (S24)") {
  address_ledger all{with_connections(256), test_key};
  std::vector<address_hold> held;
  for (int i = 0; i < 256; ++i) {
    auto one = address_hold::of_one(all.account_of(at("2001:db8::" + std::to_string(1000 + i))),
                                    address_limit::connections);
    REQUIRE(one);
    held.push_back(*std::move(one));
  }
  const auto more = [&](const std::string& from) {
    return address_hold::of_one(all.account_of(at(from)), address_limit::connections).has_value();
  };
  CHECK_FALSE(more("2001:db8::7:7:7:7"));
  CHECK(more("2001:db8:0:1::1"));
  CHECK(all.refusals(address_limit::connections) == 1);
  held.pop_back();
  CHECK(more("2001:db8::7:7:7:7"));
}

TEST_CASE("address_ledger: an IPv4 address is one in both of its forms") {
  address_ledger all{with_connections(1), test_key};
  const auto one =
      address_hold::of_one(all.account_of(at("192.0.2.1")), address_limit::connections);
  CHECK(one);
  CHECK(all.account_of(at("::ffff:192.0.2.1")) == one->account());
  CHECK(all.account_of(at("192.0.2.2")) != one->account());
}

TEST_CASE("address_ledger: loopback and trusted proxies have no account as peers") {
  auto limits = with_connections(1);
  limits.proxies = {*base::read_network("10.0.0.0/8")};
  address_ledger all{limits, test_key};
  CHECK(all.account_of_peer(at("127.0.0.1")) == nullptr);
  CHECK(all.account_of_peer(at("::1")) == nullptr);
  CHECK(all.account_of_peer(at("10.1.2.3")) == nullptr);
  CHECK(all.account_of_peer(at("192.0.2.1")) != nullptr);
  // A client that a proxy names has one, wherever it is.
  CHECK(all.account_of(at("127.0.0.1")) != nullptr);

  limits.count_loopback = true;
  address_ledger strict{limits, test_key};
  CHECK(strict.account_of_peer(at("127.0.0.1")) != nullptr);
  CHECK(strict.account_of_peer(at("10.1.2.3")) == nullptr);
}

TEST_CASE("address_ledger: a hold of several takes what is left") {
  address_limits limits;
  limits.seats = 10;
  address_ledger all{limits, test_key};
  address_hold first{all.account_of(at("192.0.2.1")), address_limit::seats};
  address_hold second{first.account(), address_limit::seats};
  CHECK(first.take(7) == 7);
  CHECK(second.take(7) == 3);
  CHECK(all.refusals(address_limit::seats) == 1);
  CHECK(second.take(1) == 0);
  first.set(2);
  CHECK(first.account()->held(address_limit::seats) == 5);
  CHECK(second.take(7) == 5);
  // Beyond the limit, because it has happened already.
  first.set(20);
  CHECK(first.account()->held(address_limit::seats) == 28);
  CHECK(second.take(1) == 0);
  first = {};
  CHECK(second.account()->held(address_limit::seats) == 8);
}

TEST_CASE("address_ledger: a hold of no account has no limit and counts nothing") {
  auto none = address_hold::of_one(nullptr, address_limit::sessions);
  REQUIRE(none);
  CHECK(none->take(1'000) == 1'000);
  none->set(5);
  CHECK(none->count() == 0);
}

TEST_CASE("address_ledger: an account leaves with its last hold, its rates stay") {
  address_limits limits;
  limits.arrivals = 1;
  address_ledger all{limits, test_key};
  for (std::uint32_t i = 0; i < limits::arrivals_burst_seconds; ++i)
    CHECK_FALSE(all.account_of(at("192.0.2.1"))->try_spend(address_limit::arrivals, start));
  CHECK(all.accounts() == 0);
  const auto again = all.account_of(at("192.0.2.1"));
  CHECK(all.accounts() == 1);
  CHECK(again->try_spend(address_limit::arrivals, start) == seconds{1});
  CHECK_FALSE(again->try_spend(address_limit::arrivals, start + seconds{1}));
  CHECK_FALSE(all.account_of(at("192.0.2.2"))->try_spend(address_limit::arrivals, start));
}

TEST_CASE("address_ledger: what happened is charged beyond the rate, and has to be paid back") {
  address_limits limits;
  limits.games = 2;
  address_ledger all{limits, test_key};
  const auto who = all.account_of(at("192.0.2.1"));
  const auto burst = 2 * limits::address_games_burst_seconds;
  for (std::uint32_t i = 0; i < burst + 20; ++i) who->charge(address_limit::games, 1, start);
  CHECK(who->wait(address_limit::games, start) == std::chrono::milliseconds{10'500});
  CHECK(who->wait(address_limit::games, start + seconds{10}));
  CHECK_FALSE(who->wait(address_limit::games, start + seconds{11}));
  CHECK(all.refusals(address_limit::games) == 2);
}

TEST_CASE("address_ledger: rates are those of the address, with and without an account") {
  address_limits limits;
  limits.requests = 5;
  address_ledger all{limits, test_key};
  const auto who = all.account_of(at("2001:db8::1"));
  all.charge(address_limit::requests, 8, at("2001:db8::2"), start);
  CHECK_FALSE(who->try_spend(address_limit::requests, start));
  CHECK_FALSE(all.try_spend(address_limit::requests, at("2001:db8::3"), start));
  CHECK(who->try_spend(address_limit::requests, start) == std::chrono::milliseconds{200});
  CHECK(all.try_spend(address_limit::requests, at("2001:db8::3"), start));
  CHECK_FALSE(all.try_spend(address_limit::requests, at("2001:db8:0:1::3"), start));
  CHECK(all.refusals(address_limit::requests) == 2);
}

TEST_CASE("address_ledger: zero means no limit") {
  address_ledger all{{}, test_key};
  const auto who = all.account_of(at("192.0.2.1"));
  address_hold seats{who, address_limit::seats};
  CHECK(seats.take(1'000'000) == 1'000'000);
  for (int i = 0; i < 10'000; ++i) CHECK_FALSE(who->try_spend(address_limit::arrivals, start));
}

TEST_CASE("address_ledger: a refusal is told with its address") {
  std::vector<std::pair<address_limit, std::string>> told;
  address_ledger all{with_connections(1), test_key,
                     [&](address_limit what, const base::address_bytes& who) {
                       told.emplace_back(what, base::to_text(who));
                     }};
  const auto one =
      address_hold::of_one(all.account_of(at("2001:db8::1")), address_limit::connections);
  CHECK_FALSE(address_hold::of_one(one->account(), address_limit::connections));
  CHECK(told == std::vector<std::pair<address_limit, std::string>>{
                    {address_limit::connections, "2001:db8::"}});
}

TEST_CASE("address_ledger: threads take no more than the limit together") {
  address_ledger all{with_connections(100), test_key};
  std::atomic<int> taken{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        std::vector<address_hold> held;
        for (int i = 0; i < 50; ++i)
          if (auto one = address_hold::of_one(all.account_of(at("192.0.2.1")),
                                              address_limit::connections)) {
            if (++taken > 100) FAIL("more than the limit");
            held.push_back(*std::move(one));
          }
        taken -= static_cast<int>(held.size());
      }
    });
  for (auto& each : threads) each.join();
  CHECK(all.accounts() == 0);
}
