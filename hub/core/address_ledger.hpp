// What each address holds and causes, over all protocols, and the limits of it. An address is one
// of IPv4, or a network of 64 bits of IPv6: one host may use all addresses of it. Behind a trusted
// proxy it is the address of the client, never that of the proxy.
//
// hub/server owns the ledger, which outlives all accounts and holds. Any thread may use all of it.
#pragma once

#include "hub/base/address.hpp"
#include "hub/base/endpoint.hpp"
#include "hub/base/time.hpp"
#include "hub/base/token_bucket.hpp"

#include <array>
#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gamehub {

// What is limited. An address holds the first four and lets go of them; the others are rates.
enum class address_limit : std::uint8_t {
  connections,  // TCP connections; behind a trusted proxy the streams and WebSockets of a client
  sessions,     // players, also those of HTTP that have no connection
  seats,        // seats in games, running and wanted
  unsent,       // KiB of output that its clients over TCP do not take
  arrivals,     // new connections and new HTTP players, in a second
  games,        // games that began for its players, in a second
  guesses,      // sign-ins with a resume token that no player has, in a second
  requests,     // HTTP requests, in a second
  messages      // requests over TCP and WebSockets, in a second
};
inline constexpr int address_limit_count = 9;
inline constexpr int address_holdings = 4;
// Returns the word of the limit, as logs and metrics use it.
std::string_view to_string(address_limit);

class address_ledger;

// The account of one address. Shared by all that count in it; see address_ledger::account_of(). It
// leaves the ledger with the last reference. Its rates stay.
class address_account {
 public:
  address_account(address_ledger& ledger, const base::address_bytes& who, std::uint64_t hash)
      : ledger_(ledger), address_(who), hash_(hash) {}

  const base::address_bytes& address() const { return address_; }
  std::uint32_t held(address_limit what) const { return held_[index(what)].load(); }
  // Returns the limit of what is held; the greatest number: none.
  std::uint32_t limit(address_limit) const;
  // Counts and reports a refusal for a limit that the account does not count itself.
  void refuse(address_limit);

  // Takes one of a rate, or returns how long there will be none. A refusal is counted.
  std::optional<base::duration> try_spend(address_limit, base::instant now);
  // Returns how long there will be none of a rate; nothing if there is one. A refusal is counted.
  std::optional<base::duration> wait(address_limit, base::instant now);
  // Takes some of a rate, also beyond it: what has happened counts.
  void charge(address_limit, std::uint32_t count, base::instant now);

 private:
  friend class address_account_ref;
  friend class address_hold;
  friend class address_ledger;

  static std::size_t index(address_limit what) { return static_cast<std::size_t>(what); }
  // Adds up to `wanted`; returns how many.
  std::uint32_t take(address_limit, std::uint32_t wanted);
  // Ends one reference.
  void release();

  address_ledger& ledger_;
  const base::address_bytes address_;
  const std::uint64_t hash_;
  std::array<std::atomic<std::uint32_t>, address_holdings> held_{};
  std::atomic<std::uint32_t> references_{0};
};

// A reference to an account; null: no limits. It is one word, because each connection and each
// player has some.
class address_account_ref {
 public:
  address_account_ref() = default;
  address_account_ref(std::nullptr_t) {}
  address_account_ref(const address_account_ref& other) : of_(other.of_) {
    if (of_ != nullptr) ++of_->references_;
  }
  address_account_ref(address_account_ref&& other) noexcept
      : of_(std::exchange(other.of_, nullptr)) {}
  address_account_ref& operator=(address_account_ref other) noexcept {
    std::swap(of_, other.of_);
    return *this;
  }
  ~address_account_ref() {
    if (of_ != nullptr) of_->release();
  }

  explicit operator bool() const { return of_ != nullptr; }
  address_account* get() const { return of_; }
  address_account& operator*() const { return *of_; }
  address_account* operator->() const { return of_; }
  friend auto operator<=>(const address_account_ref&, const address_account_ref&) = default;

 private:
  friend class address_ledger;
  explicit address_account_ref(address_account& of) : of_(&of) { ++of.references_; }

  address_account* of_ = nullptr;
};

// Some connections, sessions, seats or unsent KiB of an address, until it is destroyed. A value
// that is moved.
class address_hold {
 public:
  // Holds nothing.
  address_hold() = default;
  address_hold(address_account_ref of, address_limit what) : of_(std::move(of)), what_(what) {}
  address_hold(address_hold&& other) noexcept
      : of_(std::move(other.of_)), count_(std::exchange(other.count_, 0)), what_(other.what_) {}
  address_hold& operator=(address_hold&& other) noexcept {
    std::swap(of_, other.of_);
    std::swap(count_, other.count_);
    std::swap(what_, other.what_);
    return *this;
  }
  ~address_hold() { set(0); }

  // Returns a hold of one, or nothing at the limit. Of no account it is a hold without limit.
  static std::optional<address_hold> of_one(address_account_ref, address_limit);

  const address_account_ref& account() const { return of_; }
  std::uint32_t count() const { return count_; }

  // Takes up to this many more; returns how many. Fewer than wanted count as a refusal.
  std::uint32_t take(std::uint32_t wanted);
  // Holds exactly this many, whatever the limit.
  void set(std::uint32_t);

 private:
  address_account_ref of_;
  std::uint32_t count_ = 0;
  address_limit what_ = address_limit::connections;
};

// Zero: no limit.
struct address_limits {
  std::uint32_t connections = 0, sessions = 0, seats = 0, unsent = 0;
  std::uint32_t arrivals = 0, games = 0, guesses = 0, requests = 0, messages = 0;  // in a second
  bool count_loopback = false;
  std::vector<base::network> proxies = {};  // trusted ones, which speak for many clients
};

class address_ledger {
 public:
  // `on_refusal` is called for each refusal, on the thread of it.
  using refusal_listener = std::function<void(address_limit, const base::address_bytes&)>;
  address_ledger(const address_limits&, const base::hash_key&, refusal_listener on_refusal = {});
  ~address_ledger();
  address_ledger(const address_ledger&) = delete;
  address_ledger& operator=(const address_ledger&) = delete;

  // Returns the account of an address.
  address_account_ref account_of(const base::endpoint&);
  // Returns the account of who is directly connected; null for a trusted proxy, and for loopback
  // unless that is counted.
  address_account_ref account_of_peer(const base::endpoint&);

  // As the functions of an account, for who holds nothing.
  std::optional<base::duration> try_spend(address_limit, const base::endpoint&, base::instant now);
  void charge(address_limit, std::uint32_t count, const base::endpoint&, base::instant now);

  // The number of addresses that hold something, and of all refusals.
  std::size_t accounts() const;
  std::uint64_t refusals(address_limit what) const {
    return refusals_[static_cast<std::size_t>(what)].load();
  }

 private:
  friend class address_account;

  struct sender_hash {
    base::hash_key key;
    std::size_t operator()(const base::address_bytes& a) const {
      return base::hash_of_sender({a, 0, 0}, key);
    }
  };
  struct rate {
    std::mutex mutex;
    std::optional<base::bucket_table> buckets;  // none: no limit
  };

  void set_rate(address_limit, std::uint32_t in_a_second, std::uint32_t seconds_of_burst);
  rate& rate_of(address_limit what) {
    return rates_[static_cast<std::size_t>(what) - address_holdings];
  }
  std::uint32_t limit_of(address_limit) const;
  // Asks the bucket of an address for the time until it has one, and may take one.
  std::optional<base::duration> ask(bool take, address_limit, const base::address_bytes&,
                                    std::uint64_t hash, base::instant now);
  void charge(address_limit, std::uint32_t count, std::uint64_t hash, base::instant now);
  void refused(address_limit, const base::address_bytes&);
  void release_last(address_account&);

  const address_limits limits_;
  const base::hash_key key_;
  const refusal_listener on_refusal_;
  mutable std::mutex mutex_;
  std::unordered_map<base::address_bytes, std::unique_ptr<address_account>, sender_hash> accounts_;
  std::array<rate, address_limit_count - address_holdings> rates_;
  std::array<std::atomic<std::uint64_t>, address_limit_count> refusals_{};
};

}  // namespace gamehub
