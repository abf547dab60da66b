// The verbs that call a running hub: `gamehub status`, `cluster status`, `drain`, `healthcheck`,
// and the operator commands. The address of the hub's admin server comes from the settings of
// `gamehub serve`. On the program's only thread.
#pragma once

#include "hub/config/command_line.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gamehub::admin {

// The admin server of a running hub.
struct admin_place {
  std::string host;
  std::uint16_t port = 0;
  std::filesystem::path token_file;  // the operator's token, if the hub requires one
};

// The settings that find_admin() needs.
std::vector<std::string> admin_settings();
// Throws usage_error.
admin_place find_admin(const config::settings&);

struct operate_request {
  enum class verb : std::uint8_t { status, cluster_status, drain, healthcheck, order };

  // The request to the admin server, and the format of its answer.
  struct order {
    enum class kind : std::uint8_t { words, games, sanctions, orders };

    std::string target, body;
    kind table = kind::words;
    bool raw = false;  // print the answer unchanged
  };

  verb what = verb::status;
  admin_place at;
  bool json = false;             // for status and cluster_status
  bool ready = false;            // for healthcheck: readiness instead of liveness
  std::chrono::seconds wait{0};  // for drain: for the end of the hub
  order what_to_do;              // for order
};

// Adds the verbs to a program.
void add_operator_verbs(config::verb& to, std::function<int(const operate_request&)> run);

// Prints to standard output, and errors to standard error. Returns the program's exit code.
int carry_out(const operate_request&);

}  // namespace gamehub::admin
