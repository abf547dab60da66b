// The admin server: /metrics, what probes ask for, and the operator's end of a game or of the whole
// hub over HTTP, on a thread of its own, so that a loop that stalls is reported rather than waited
// for. Whoever makes it owns it; the callbacks run on its thread, one at a time, and must stay
// valid until stop() has returned.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hub/app/admin/commands.hpp"
#include "hub/core/ids.hpp"

namespace gamehub::app {

// What is answered to a request.
struct page {
  int status = 200;
  std::string type;
  std::string body;
  std::string_view allow = {};      // of status 405: the methods that there are
  std::string_view challenge = {};  // of status 401: how to prove who one is
};

// What ails the hub: a sentence for each loop that fails; none when it is well.
struct health {
  std::vector<std::string> failing;
};

struct admin_sources {
  std::function<std::string()> metrics;                 // in Prometheus' text format
  std::function<health()> healthy;                      // may it live
  std::function<std::optional<std::string>()> unready;  // why no players shall come; nothing: ready

  // Passes on that a game shall end, for a reason. `found` is called once, by any thread, at any
  // time. Without it no games are ended.
  using found = std::function<void(bool)>;
  std::function<void(game_id, std::string reason, found)> end_game = {};

  // Why the hub has not yet started; nothing: it has, and never goes back. Without it, it has.
  std::function<std::optional<std::string>()> starting = {};
  // What stands at a path that begins with /arena; without it there is nothing.
  std::function<page(std::string_view method, std::string_view target)> arena = {};
  // Passes on that the hub shall drain, as by SIGTERM. Without it, it can't be told so here.
  std::function<void()> drain = {};

  // What an operator has to bring along as a bearer to change anything; empty: nothing, but then
  // there are no commands either.
  std::string token = {};
  // Carries a command out. `done` is called once, by any thread, at any time.
  std::function<void(const operator_command&, std::function<void(command_answer)> done)> carry_out =
      {};
};

class admin {
 public:
  // Listens and serves. Port 0 is any free one. Throws operator_mistake if it can't listen there.
  admin(const std::string& address, std::uint16_t port, admin_sources);
  ~admin();

  std::uint16_t port() const;

  // Closes everything and waits for the thread. Again, it does nothing.
  void stop();

 private:
  class server;
  std::unique_ptr<server> server_;
};

}  // namespace gamehub::app
