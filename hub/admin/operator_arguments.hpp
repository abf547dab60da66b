// The command lines of what an operator asks of a running hub: `gamehub status`, `gamehub drain`,
// `gamehub healthcheck`, and the orders. Which hub they mean is where its admin server listens,
// found as `gamehub serve` finds it. Read once, on the program's only thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>

#include "hub/app/operate/admin_flags.hpp"
#include "hub/app/settings.hpp"

namespace gamehub::app {

struct operate_request {
  enum class verb : std::uint8_t { status, drain, healthcheck, order };

  // What is posted to the admin server, and how the answer is shown.
  struct order {
    enum class kind : std::uint8_t { words, games, sanctions };

    std::string target, body;
    kind table = kind::words;
    bool raw = false;  // as the hub said it
  };

  verb what = verb::status;
  admin_place at;
  bool json = false;             // of status
  bool ready = false;            // of healthcheck: whether players are taken, not whether it lives
  std::chrono::seconds wait{0};  // of drain: for the hub to be gone
  order what_to_do;              // of order
};

// Requires: argv[0] is the program, argv[1] the verb.
std::variant<operate_request, reply> parse_operate(int argc, const char* const* argv,
                                                   const environment&);

}  // namespace gamehub::app
