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

namespace gamehub::gateways::jsonrpc::server {

class desk final : public net::entrance {
 public:
  // The first one keeps the clock of the switchboard.
  desk(std::shared_ptr<switchboard>, const net::wire_io&, bool first);
  ~desk() override;
  desk(const desk&) = delete;
  desk& operator=(const desk&) = delete;

  void start() override;
  void stop(std::function<void()> all_gone) override;

  net::loop_io& loop() const { return *means_.wire.loop; }

  // From any thread: what these do is done on the desk's loop, for nobody if there is no such bot.
  void registered(registered_bot, call_manner, std::shared_ptr<const place>);
  void give_up(std::uint64_t bot, std::string why);
  void meet(std::uint64_t bot, std::uint64_t fixture, std::string opponent);
  void begin(std::uint64_t bot, std::uint64_t fixture, std::string opponent, game_id);

 private:
  template <class What>
  void with(std::uint64_t bot, What);
  void watch_clock();
  void report_if_gone();

  std::shared_ptr<switchboard> board_;
  bot_means means_;
  std::unordered_map<std::uint64_t, std::shared_ptr<bot_client>> bots_;
  std::function<void()> all_gone_;
  timers::token clock_;
  bool first_;
  bool stopped_ = false;
};

}  // namespace gamehub::gateways::jsonrpc::server
