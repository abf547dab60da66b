// One call over plain HTTP that blocks, for programs that do nothing else meanwhile. Plain
// function, any thread.
#pragma once

#include "gateways/http_client/outcome.hpp"
#include "hub/base/time.hpp"

#include <cstdint>
#include <string>

namespace gamehub::gateways::http_client {

// Resolves the host, sends the bytes of `request` and reads one response. The time does not cover
// the resolution.
outcome call_and_wait(const std::string& host, std::uint16_t port, std::string request,
                      const response_limits&, base::duration time);

}  // namespace gamehub::gateways::http_client
