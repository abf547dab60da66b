// The bots of one loop. An entrance like any other, although it listens nowhere: its clients are
// called. Owned by hub/app, used on its loop's thread once started; all desks share the
// switchboard.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "gateways/jsonrpc/server/bot_client.hpp"
#include "gateways/jsonrpc/server/switchboard.hpp"
#include "gateways/net/entrance.hpp"

namespace gamehub::gateways::bots::server {

class desk final : public net::listener {
 public:
  // The first one keeps the clock of the switchboard.
  desk(std::shared_ptr<bot_dispatcher>, const net::listener_context&, bool first);
  ~desk() override;
  desk(const desk&) = delete;
  desk& operator=(const desk&) = delete;

  void start() override;
  void stop(std::function<void()> on_all_closed) override;

  net::loop_io& loop() const { return *context_.wire.loop; }

  // From any thread: what these do is done on the desk's loop, for nobody if there is no such bot.
  void registered(registered_bot, call_options, std::shared_ptr<const place>);
  void give_up(std::uint64_t bot, std::string why);
  void challenge(std::uint64_t bot, std::uint64_t fixture, std::string opponent);
  void begin(std::uint64_t bot, std::uint64_t fixture, std::string opponent, game_id);

 private:
  template <class What>
  void with(std::uint64_t bot, What);
  void arm_timer();
  void report_if_closed();

  std::shared_ptr<bot_dispatcher> board_;
  bot_call_context context_;
  std::unordered_map<std::uint64_t, std::shared_ptr<bot_client>> bots_;
  std::function<void()> on_all_closed_;
  timers::token clock_;
  bool first_;
  bool stopped_ = false;
};

}  // namespace gamehub::gateways::jsonrpc::server
