#include "hub/server/address_log.hpp"

#include "hub/base/address.hpp"
#include "hub/base/log.hpp"
#include "hub/core/limits.hpp"

#include <chrono>

namespace gamehub::server {

namespace {

constexpr std::size_t logged_addresses = 1'024;
constexpr base::duration one_second = std::chrono::seconds{1};
constexpr base::request_rate lines_of_all{one_second / limits::addresses_logged_a_second_max,
                                          limits::addresses_logged_a_second_max};

}  // namespace

address_log::sampler::sampler(const base::hash_key& key)
    : key_(key), of_address_({limits::address_logged_each, 1}, logged_addresses) {}

bool address_log::sampler::is_due(std::uint16_t cause, const base::address_bytes& who,
                                  base::instant now) {
  base::endpoint pair;
  pair.address = base::sender_of(who);
  pair.port = cause;
  const auto hash = base::hash_of(pair, key_);
  const std::lock_guard lock{mutex_};
  return !of_all_.wait(lines_of_all, now) && !of_address_.take(hash, now) &&
         !of_all_.take(lines_of_all, now);
}

void address_log::on_refusal(address_limit what, const base::address_bytes& who) {
  if (!limits_.is_due(static_cast<std::uint16_t>(what), who, std::chrono::steady_clock::now()))
    return;
  base::log::warning("an address has reached a limit",
                     {{"address", base::to_text(who)}, {"limit", to_string(what)}});
}

void address_log::on_protocol_error(std::uint16_t number, std::string_view protocol,
                                    gateways::protocol_error what, const base::address_bytes& who) {
  const auto cause = number * gateways::protocol_error_count + static_cast<int>(what);
  if (!errors_.is_due(static_cast<std::uint16_t>(cause), who, std::chrono::steady_clock::now()))
    return;
  base::log::debug("a client violated its protocol", {{"address", base::to_text(who)},
                                                      {"gateway", protocol},
                                                      {"reason", gateways::to_string(what)}});
}

}  // namespace gamehub::server
