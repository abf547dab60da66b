#include "hub/core/address_ledger.hpp"

#include "hub/base/require.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace gamehub {

std::string_view to_string(address_limit what) {
  switch (what) {
    case address_limit::connections: return "connections";
    case address_limit::sessions: return "sessions";
    case address_limit::seats: return "seats";
    case address_limit::unsent: return "unsent";
    case address_limit::arrivals: return "arrivals";
    case address_limit::games: return "games";
    case address_limit::guesses: return "guesses";
    case address_limit::requests: return "requests";
    case address_limit::messages: return "messages";
  }
  return "";
}

std::optional<base::duration> address_account::try_spend(address_limit what, base::instant now) {
  return ledger_.ask(true, what, address_, hash_, now);
}

std::optional<base::duration> address_account::wait(address_limit what, base::instant now) {
  return ledger_.ask(false, what, address_, hash_, now);
}

void address_account::charge(address_limit what, std::uint32_t count, base::instant now) {
  ledger_.charge(what, count, hash_, now);
}

std::uint32_t address_account::take(address_limit what, std::uint32_t wanted) {
  const auto limit = ledger_.limit_of(what);
  auto& held = held_[index(what)];
  auto now = held.load();
  std::uint32_t taken = 0;
  do taken = std::min(wanted, limit - std::min(limit, now));
  while (!held.compare_exchange_weak(now, now + taken));
  if (taken < wanted) ledger_.refused(what, address_);
  return taken;
}

// The last reference ends under the lock with which account_of() makes one.
void address_account::release() {
  auto count = references_.load();
  while (count > 1)
    if (references_.compare_exchange_weak(count, count - 1)) return;
  ledger_.release_last(*this);
}

std::optional<address_hold> address_hold::of_one(address_account_ref of, address_limit what) {
  address_hold out{std::move(of), what};
  if (out.take(1) == 0) return std::nullopt;
  return out;
}

std::uint32_t address_hold::take(std::uint32_t wanted) {
  if (!of_) return wanted;
  const auto taken = of_->take(what_, wanted);
  count_ += taken;
  return taken;
}

void address_hold::set(std::uint32_t count) {
  if (!of_) return;
  of_->held_[address_account::index(what_)] += count - count_;  // modulo 2^32
  count_ = count;
}

address_ledger::address_ledger(const address_limits& limits, const base::hash_key& key,
                               refusal_listener on_refusal)
    : limits_(limits),
      key_(key),
      on_refusal_(std::move(on_refusal)),
      accounts_(0, sender_hash{key}) {
  set_rate(address_limit::arrivals, limits.arrivals, limits::arrivals_burst_seconds);
  set_rate(address_limit::games, limits.games, limits::address_games_burst_seconds);
  set_rate(address_limit::guesses, limits.guesses, limits::guesses_burst_seconds);
  set_rate(address_limit::requests, limits.requests, limits::requests_burst_seconds);
  set_rate(address_limit::messages, limits.messages, limits::messages_burst_seconds);
}

address_ledger::~address_ledger() { GAMEHUB_REQUIRE(accounts_.empty()); }

void address_ledger::set_rate(address_limit what, std::uint32_t in_a_second,
                              std::uint32_t seconds_of_burst) {
  if (in_a_second == 0) return;
  constexpr base::duration second = std::chrono::seconds{1};
  rate_of(what).buckets.emplace(
      base::request_rate{second / in_a_second, in_a_second * seconds_of_burst},
      limits::address_buckets);
}

std::uint32_t address_account::limit(address_limit what) const { return ledger_.limit_of(what); }

void address_account::refuse(address_limit what) { ledger_.refused(what, address_); }

std::uint32_t address_ledger::limit_of(address_limit what) const {
  std::uint32_t limit = 0;
  if (what == address_limit::connections) limit = limits_.connections;
  if (what == address_limit::sessions) limit = limits_.sessions;
  if (what == address_limit::seats) limit = limits_.seats;
  if (what == address_limit::unsent) limit = limits_.unsent;
  return limit == 0 ? std::numeric_limits<std::uint32_t>::max() : limit;
}

address_account_ref address_ledger::account_of(const base::endpoint& e) {
  const auto sender = base::sender_of(e.address);
  const std::lock_guard lock{mutex_};
  auto& at = accounts_[sender];
  if (!at) at = std::make_unique<address_account>(*this, sender, sender_hash{key_}(sender));
  return address_account_ref{*at};
}

address_account_ref address_ledger::account_of_peer(const base::endpoint& e) {
  const bool exempt =
      (base::is_loopback(e) && !limits_.count_loopback) || base::contains(limits_.proxies, e);
  return exempt ? nullptr : account_of(e);
}

std::optional<base::duration> address_ledger::ask(bool take, address_limit what,
                                                  const base::address_bytes& who,
                                                  std::uint64_t hash, base::instant now) {
  auto& in = rate_of(what);
  if (!in.buckets) return std::nullopt;
  std::optional<base::duration> none;
  {
    const std::lock_guard lock{in.mutex};
    none = take ? in.buckets->take(hash, now) : in.buckets->wait(hash, now);
  }
  if (none) refused(what, who);
  return none;
}

void address_ledger::charge(address_limit what, std::uint32_t count, std::uint64_t hash,
                            base::instant now) {
  auto& in = rate_of(what);
  if (!in.buckets) return;
  const std::lock_guard lock{in.mutex};
  in.buckets->charge(hash, count, now);
}

std::optional<base::duration> address_ledger::try_spend(address_limit what, const base::endpoint& e,
                                                        base::instant now) {
  return ask(true, what, e.address, base::hash_of_sender(e, key_), now);
}

void address_ledger::charge(address_limit what, std::uint32_t count, const base::endpoint& e,
                            base::instant now) {
  charge(what, count, base::hash_of_sender(e, key_), now);
}

void address_ledger::release_last(address_account& of) {
  const std::lock_guard lock{mutex_};
  // Otherwise account_of() has made another reference.
  if (--of.references_ == 0) accounts_.erase(accounts_.find(of.address()));
}

std::size_t address_ledger::accounts() const {
  const std::lock_guard lock{mutex_};
  return accounts_.size();
}

void address_ledger::refused(address_limit what, const base::address_bytes& who) {
  refusals_[static_cast<std::size_t>(what)].fetch_add(1);
  if (on_refusal_) on_refusal_(what, who);
}

}  // namespace gamehub
