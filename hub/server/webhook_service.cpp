#include "hub/server/webhook_service.hpp"

#include "hub/base/log.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/journal/sqlite_journal.hpp"
#include "hub/server/listeners.hpp"

#include <array>
#include <string>
#include <string_view>

namespace gamehub::server {
namespace {

// In the order of their enumerations.
constexpr std::array<std::string_view, webhook::registration_count> registration_words{
    "accepted", "invalid", "limited", "full"};
constexpr std::array<std::string_view, webhook::call_result_count> result_words{"delivered",
                                                                                "failed", "gone"};

// Called on the service's thread.
void log_webhook_off(const std::string& host, const std::string& why) {
  base::log::info("a webhook is off: its calls failed", {{"host", host}, {"why", why}});
}

void log_webhook_trouble(const std::string& why) {
  if (why.empty())
    base::log::info("the file of webhooks can be written again");
  else
    base::log::warning(
        "the file of webhooks can't be written; no webhook is registered until a write succeeds",
        {{"why", why}});
}

}  // namespace

std::unique_ptr<webhook::service> make_webhooks(const config::settings& s) {
  if (!s.webhooks) return nullptr;
  webhook::service_setup setup;
  setup.file = s.webhook_file;
  setup.fsync_each_commit = s.durability != gamehub::durability::process;
  setup.allowed = networks_of(s.bot_allow);
  setup.call_time = s.webhook_call;
  setup.rules = {s.webhook_delay, s.webhook_pause, s.webhook_failures_max, s.webhooks_max};
  setup.on_off = log_webhook_off;
  setup.on_trouble = log_webhook_trouble;
  try {
    return std::make_unique<webhook::service>(std::move(setup));
  } catch (const journal::unusable_file& unusable) {
    throw base::usage_error{unusable.what()};
  }
}

metrics::webhook_numbers numbers_of(const webhook::service& all) {
  const auto now = all.numbers();
  metrics::webhook_numbers out;
  out.ok = now.ok;
  out.on = now.totals.on;
  out.off = now.totals.off;
  out.waiting = now.totals.waiting;
  out.in_flight = now.totals.in_flight;
  out.dropped = now.totals.dropped + now.reports_dropped;
  for (std::size_t i = 0; i < registration_words.size(); ++i)
    out.registrations.emplace_back(registration_words[i], now.registrations[i]);
  for (std::size_t i = 0; i < result_words.size(); ++i)
    out.calls.emplace_back(result_words[i], now.calls[i]);
  return out;
}

void check_webhooks(const config::settings& s) {
  if (!s.webhooks) return;
  try {
    webhook::check_file(s.webhook_file);
  } catch (const journal::unusable_file& unusable) {
    throw base::usage_error{unusable.what()};
  }
}

}  // namespace gamehub::server
