// A bot as a client of the hub: its caller, its door, and the call that is under way. Lives on one
// loop, shared by its desk, its attachment and its pending call; all calls on that loop's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "gateways/jsonrpc/caller.hpp"
#include "gateways/jsonrpc/registrar.hpp"
#include "gateways/jsonrpc/server/http_call.hpp"
#include "gateways/jsonrpc/server/place.hpp"
#include "gateways/net/connection.hpp"
#include "hub/core/ports.hpp"
#include "hub/core/timers.hpp"

namespace gamehub::gateways::bots::server {

class bot_line;

// What the bots of one loop share. Outlives them.
struct bot_call_context {
  net::listener_context wire;
  http_call::means calls;
  bot_limits rules;
};

// How a bot is called.
struct call_options {
  std::string prefix;  // of its methods
  // As the operator has it, of bots that can do more than the plainest.
  bool keep_alive = false;
  bool tell_opponent = false;
};

class bot_client final : public std::enable_shared_from_this<bot_client> {
 public:
  // Told of all that others want to know, and whenever it has gone out of the hub.
  using listener = std::function<void(bot_client&, const bot_report&)>;

  bot_client(bot_call_context&, listener, std::function<void()> on_left_hub);
  ~bot_client();
  bot_client(const bot_client&) = delete;
  bot_client& operator=(const bot_client&) = delete;

  // Of several registrations the latest counts, once.
  void registered(registered_bot, call_options, std::shared_ptr<const place>);
  // It is no longer what is called at its place.
  void give_up(std::string why);
  void challenge(std::uint64_t fixture, const std::string& opponent);
  void begin(std::uint64_t fixture, const std::string& opponent, game_id);
  // The hub goes down: whoever is in no game is called no more.
  void stop();

  const registered_bot& who() const { return who_; }
  bool inside() const { return line_ != nullptr; }
  // It may be called, now or soon.
  bool at_work() const { return inside() || call_ != nullptr || session_.next() != instant::max(); }

  // From its line.
  void hear(const bot_line&, const event&);
  void closed(const bot_line&, close_reason);

 private:
  void carry_out(session_output&);
  void open_attachment();
  void drop_attachment();
  void start_call(call);
  void call_ended(call::method, instant began, const std::shared_ptr<const place>& to,
                  const call_outcome&);
  void keep(std::unique_ptr<bot_connection>);
  std::unique_ptr<bot_connection> take_idle_connection();
  void drop_idle_connection() { take_idle_connection().reset(); }
  void arm_timer();
  metrics::bot_cells& cells() { return context_.wire.loop->cells().bots; }

  bot_call_context& context_;
  listener listener_;
  std::function<void()> on_left_hub_;
  registered_bot who_;
  std::shared_ptr<const place> place_;
  bool keep_alive_ = false;
  bot_session session_;
  std::shared_ptr<bot_line> line_;
  std::shared_ptr<http_call> call_;
  // Of the latest call, for the next one; and when it is too late for that.
  std::unique_ptr<bot_connection> kept_;
  timers::token idle_timer_;
  timers::token clock_;
  bool online_ = false;  // is counted so
  bool stopped_ = false;
};

}  // namespace gamehub::gateways::jsonrpc::server
