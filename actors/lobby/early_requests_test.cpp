#include "actors/lobby/early_requests.hpp"

#include "hub/base/address.hpp"
#include "hub/core/address_ledger.hpp"
#include "tests/support/catch.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>

using namespace gamehub;
using namespace std::chrono_literals;
using actors::lobby::early_requests;

namespace {

class client_of final : public attachment {
 public:
  explicit client_of(address_account_ref account) : account_(std::move(account)) {}
  attachment_id id() const override { return {1}; }
  address_account_ref account() const override { return account_; }
  void deliver(const event&) override {}
  void close(close_reason) override {}
  void set_session(std::unique_ptr<session_handle>) override {}

 private:
  address_account_ref account_;
};

struct takeover {
  // Returns false if the request is to be answered now.
  bool ask(int address, player_id player) {
    auto& account = accounts[address];
    if (!account && address != exempt)
      account = ledger.account_of(*base::read_address("203.0.113." + std::to_string(address)));
    actors::runtime::resume_request m;
    m.player = player;
    m.what.client = std::make_shared<client_of>(account);
    return early.hold(m, "digest", now, [](base::instant) { return true; });
  }
  // Takes all places, from this many addresses in turn.
  void fill(int addresses) {
    for (std::size_t i = 0; i < early_requests::requests_max; ++i) {
      const auto address = 1 + static_cast<int>(i % static_cast<std::size_t>(addresses));
      REQUIRE(ask(address, {++last}));
      address_of[{last}] = address;
    }
  }

  static constexpr int exempt = 0;
  base::instant now{1h};
  address_ledger ledger{{.connections = 1}, {1, 2}};
  std::map<int, address_account_ref> accounts;
  std::map<player_id, int> address_of;
  std::map<int, int> answered;  // by address
  std::uint64_t last = 0;
  early_requests early{[](base::instant) { return base::timers::token{}; },
                       [this](actors::runtime::resume_request& m) {
                         ++answered[address_of.at(m.player)];
                         // The lobby looks for the player again, and finds none.
                         CHECK_FALSE(early.hold(m, "digest", now, [](auto) { return true; }));
                       }};
};

}  // namespace

TEST_CASE("early_requests: few addresses that take all places keep no other player out") {
  constexpr int strangers = 16;
  takeover t;
  t.fill(strangers);
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    CHECK(t.ask(100 + i, {100'000U + static_cast<unsigned>(i)}));
  }
  int answered = 0;
  for (const auto& [address, times] : t.answered) {
    CHECK(address <= strangers);
    CHECK(times <= 100 / strangers + 1);
    answered += times;
  }
  CHECK(answered == 100);
}

TEST_CASE("early_requests: an address gets no more places than the others when all are taken") {
  takeover t;
  t.fill(16);
  CHECK_FALSE(t.ask(1, {100'000}));
  CHECK(t.answered.empty());
  CHECK(t.ask(takeover::exempt, {100'001}));
  CHECK(t.answered.size() == 1);
}

TEST_CASE("early_requests: a request that is dropped or answered frees its place") {
  takeover t;
  t.fill(16);
  t.early.forget({1});
  CHECK(t.ask(1, {1}));
  CHECK(t.answered.empty());
  t.now += early_requests::time_max;
  t.early.retry(t.now, {}, [](base::instant) { return true; });
  for (const auto& [address, times] : t.answered)
    CHECK(times == static_cast<int>(early_requests::requests_max) / 16);
  CHECK(t.answered.size() == 16);
  // Nothing is left of the counts: all places are free again.
  t.fill(1);
  CHECK(t.ask(2, {200'000}));
}
