// Bots of others: tests/system/bots.py as a process, and what its bots heard. One thread.
#pragma once

#include "tests/system/program.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gamehub::tests::system {

// The flags of a hub that takes bots of this machine without a token, and more.
std::vector<std::string> with_bots(std::vector<std::string> more = {});

// The error of an answer to a registration; empty if it has a result.
std::string error_of(const nlohmann::json& answer);

class bot_server {
 public:
  explicit bot_server(std::vector<std::string> flags = {});

  std::string url(const std::string& kind, const std::string& name = "") const;
  std::uint16_t port() const { return port_; }

  // Registers a bot of that kind, by POST /rpc of the hub at that port. The answer's `result` or
  // `error` tells what came of it. `more` are members of params.
  nlohmann::json enter(std::uint16_t hub, const std::string& kind, const std::string& name,
                       const nlohmann::json& more = {});

  void let_move(const std::string& name) { process_.say("go " + name); }
  void listen() { process_.say("listen"); }

  // The next call that is so; those before it stay for others. Throws std::runtime_error with
  // `what` in its words if it never comes.
  nlohmann::json await(const std::string& what,
                       const std::function<bool(const nlohmann::json&)>& is_so);
  nlohmann::json await_call(const std::string& name, const std::string& method);
  // What strict bots had to complain of, so far.
  std::string violations() const;

 private:
  nlohmann::json read();

  program process_;
  std::uint16_t port_ = 0;
  std::vector<nlohmann::json> heard_;  // that nobody has awaited
  std::string violations_;
};

}  // namespace gamehub::tests::system
