#include "hub/server/address_limit_log.hpp"

#include "hub/base/address.hpp"
#include "hub/base/log.hpp"
#include "hub/core/limits.hpp"

#include <chrono>

namespace gamehub::server {

namespace {

constexpr std::size_t logged_addresses = 1'024;
constexpr base::duration one_second = std::chrono::seconds{1};
constexpr base::request_rate lines_of_all{one_second / limits::address_limits_logged_a_second_max,
                                          limits::address_limits_logged_a_second_max};

}  // namespace

address_limit_log::address_limit_log(const base::hash_key& key)
    : key_(key), of_address_({limits::address_limit_logged_each, 1}, logged_addresses) {}

bool address_limit_log::is_due(address_limit what, const base::address_bytes& who,
                               base::instant now) {
  base::endpoint pair;
  pair.address = who;
  pair.port = static_cast<std::uint16_t>(what);
  const auto hash = base::hash_of(pair, key_);
  const std::lock_guard lock{mutex_};
  return !of_all_.wait(lines_of_all, now) && !of_address_.take(hash, now) &&
         !of_all_.take(lines_of_all, now);
}

void address_limit_log::on_refusal(address_limit what, const base::address_bytes& who) {
  if (!is_due(what, who, std::chrono::steady_clock::now())) return;
  base::log::warning("an address has reached a limit",
                     {{"address", base::to_text(who)}, {"limit", to_string(what)}});
}

}  // namespace gamehub::server
