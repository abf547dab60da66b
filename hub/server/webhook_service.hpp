// The webhooks of a running hub, if the settings have them on: opens the file, and logs what
// happens to them. Owned by the composition.
#pragma once

#include "hub/config/settings.hpp"
#include "hub/webhook/service.hpp"
#include "metrics/webhook_numbers.hpp"

#include <memory>

namespace gamehub::server {

// Returns null if webhooks are off. Throws base::usage_error if the file can't be used.
std::unique_ptr<webhook::service> make_webhooks(const config::settings&);

// Returns the counts for metrics.
metrics::webhook_numbers numbers_of(const webhook::service&);

// Checks that the file could be opened, and changes nothing. Throws base::usage_error.
void check_webhooks(const config::settings&);

}  // namespace gamehub::server
