// The bots of one loop: a listener without a socket, because its clients are called. Owned by the
// protocol's listener, used on its loop's thread once started; all loop_bots share the
// bot_dispatcher.
#pragma once

#include "gateways/bots/bot_client.hpp"
#include "gateways/bots/bot_dispatcher.hpp"
#include "gateways/net/listener.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

namespace gamehub::gateways::bots {

class loop_bots final : public net::loop_listener {
 public:
  // The first one starts the dispatcher and its periodic check.
  loop_bots(std::shared_ptr<bot_dispatcher>, const net::loop_context&, bool first);
  ~loop_bots() override;
  loop_bots(const loop_bots&) = delete;
  loop_bots& operator=(const loop_bots&) = delete;

  void start() override;
  void stop(std::function<void()> on_all_closed) override;

  // Returns the sockets' state of its loop.
  net::loop_io& loop() const { return *context_.wire.loop; }

  // Post an action to the bot's loop; without such a bot they do nothing. Any thread.
  void registered(registered_bot, call_options, std::shared_ptr<const bot_endpoint>);
  void stop_calling(std::uint64_t bot, std::string why);
  void challenge(std::uint64_t bot, std::uint64_t fixture, std::string opponent);
  void begin(std::uint64_t bot, std::uint64_t fixture, std::string opponent, game_id);

 private:
  template <class What>
  void post_to(std::uint64_t bot, What);
  void arm_timer();
  void report_if_closed();

  std::shared_ptr<bot_dispatcher> dispatcher_;
  bot_call_context context_;
  std::unordered_map<std::uint64_t, std::shared_ptr<bot_client>> bots_;
  std::function<void()> on_all_closed_;
  base::timers::token timer_;
  bool first_;
  bool stopped_ = false;
};

}  // namespace gamehub::gateways::bots
