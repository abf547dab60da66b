// The command lines of requests to a running hub: `gamehub status`, `gamehub drain`, `gamehub
// healthcheck`, and the operator commands (admin_requests.hpp). The address of the hub's admin
// server comes from the settings of `gamehub serve`. Read once, on the program's only thread.
#pragma once

#include "hub/admin/admin_flags.hpp"
#include "hub/config/settings.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>

namespace gamehub::admin {

struct operate_request {
  enum class verb : std::uint8_t { status, drain, healthcheck, order };

  // The request to the admin server, and the format of its answer.
  struct order {
    enum class kind : std::uint8_t { words, games, sanctions };

    std::string target, body;
    kind table = kind::words;
    bool raw = false;  // print the answer unchanged
  };

  verb what = verb::status;
  admin_place at;
  bool json = false;             // for status
  bool ready = false;            // for healthcheck: readiness instead of liveness
  std::chrono::seconds wait{0};  // for drain: for the end of the hub
  order what_to_do;              // for order
};

// Requires: argv[0] is the program, argv[1] the verb.
std::variant<operate_request, config::early_exit> parse_operate(int argc, const char* const* argv,
                                                                const config::environment&);

}  // namespace gamehub::admin
