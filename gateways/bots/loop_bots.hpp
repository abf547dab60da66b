// The bots of one loop: a listener without a socket, because its clients are called. Owned by the
// protocol's listener, used on its loop's thread once started; all loop_bots share the
// bot_dispatcher.
#pragma once

#include "gateways/bots/bot_client.hpp"
#include "gateways/bots/bot_dispatcher.hpp"
#include "gateways/net/listener.hpp"

#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>

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

  // Post a registration, or an action that does nothing without such a bot, to the loop. Any
  // thread.
  void registered(bot_record, call_options, std::shared_ptr<const bot_endpoint>,
                  std::shared_ptr<call_quota>);
  void post_to(bot_id, std::function<void(bot_client&)>);
  // Stops calling a bot, and drops it once its session has left the hub.
  void remove(bot_id);

 private:
  void arm_timer();
  void on_left_hub(const bot_client&);
  void report_if_closed();

  std::shared_ptr<bot_dispatcher> dispatcher_;
  bot_call_context context_;
  std::unordered_map<bot_id, std::shared_ptr<bot_client>> bots_;
  std::unordered_set<bot_id> removed_;  // that still have a session
  std::function<void()> on_all_closed_;
  base::timers::token timer_;
  bool first_;
  bool stopped_ = false;
};

}  // namespace gamehub::gateways::bots
