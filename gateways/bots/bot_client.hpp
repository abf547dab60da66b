// A bot as a client of the hub: its bot_session, its attachment, and its active call. It lives on
// one loop, shared by its loop_bots and its pending call; used on that loop's thread.
#pragma once

#include "gateways/bots/bot_session.hpp"
#include "gateways/bots/call_quota.hpp"
#include "gateways/bots/resolver.hpp"
#include "gateways/http_client/call.hpp"
#include "gateways/net/loop_io.hpp"
#include "hub/base/timers.hpp"
#include "hub/core/ports.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace gamehub::gateways::bots {

class bot_attachment;

// What the bots of one loop share. Outlives them.
struct bot_call_context {
  net::loop_context wire;
  http_client::call::context calls;
  bot_limits rules;
};

class bot_client final : public std::enable_shared_from_this<bot_client> {
 public:
  // Called with each report, and `on_left_hub` whenever the bot has no session in the hub.
  using listener = std::function<void(bot_client&, const bot_report&)>;

  bot_client(bot_call_context&, listener, std::function<void(const bot_client&)> on_left_hub);
  ~bot_client();
  bot_client(const bot_client&) = delete;
  bot_client& operator=(const bot_client&) = delete;

  // Takes a registration. The latest one counts; an older or equal one is ignored. Without a quota
  // its calls are not limited.
  void registered(bot_record, call_options, std::shared_ptr<const bot_endpoint>,
                  std::shared_ptr<call_quota>);
  // Stops calling the bot until it registers again.
  void stop_calling(std::string why);
  // Stops calling the bot for good: its games end as if it had left.
  void remove();
  // Opens a scheduled match: challenge() reserves it, begin() starts it.
  void challenge(match_id, const std::string& opponent);
  void begin(match_id, const std::string& opponent, game_id);
  // The hub is stopping: bots without a game are not called any more.
  void stop();

  // Returns the latest registration.
  const bot_record& who() const { return session_.who(); }
  // True if its engine is for two, so that it plays scheduled matches.
  bool plays_in_pairs() const { return session_.options().for_two; }
  // True while the bot has a session in the hub.
  bool in_hub() const { return attachment_ != nullptr; }

  // Called by its attachment.
  void on_event(const bot_attachment&, const event&);
  void closed(const bot_attachment&, close_reason);

 private:
  void apply(session_output);
  void open_attachment();
  void drop_attachment();
  // Starts a call, or lets it wait for the quota of its account.
  void start_call(call);
  void on_turn(base::instant queued, const std::shared_ptr<call_quota>&);
  void make_call(call, std::shared_ptr<call_quota>);
  void call_ended(call::method, base::instant began, const std::shared_ptr<const bot_endpoint>& to,
                  const call_outcome&);
  void keep_connection(std::unique_ptr<http_client::connection>);
  std::unique_ptr<http_client::connection> take_idle_connection();
  void drop_idle_connection() { take_idle_connection().reset(); }
  void arm_timer();
  metrics::bot_cells& cells() { return context_.wire.loop->cells().bots; }

  bot_call_context& context_;
  listener listener_;
  std::function<void(const bot_client&)> on_left_hub_;
  std::shared_ptr<const bot_endpoint> endpoint_;
  std::shared_ptr<call_quota> quota_;
  bot_session session_;
  std::shared_ptr<bot_attachment> attachment_;
  std::shared_ptr<http_client::call> call_;
  std::optional<call> waiting_call_;  // for the quota
  // The connection of the latest call, kept for the next one until idle_timer_ fires.
  std::unique_ptr<http_client::connection> idle_connection_;
  base::timers::token idle_timer_;
  base::timers::token timer_;
  bool online_ = false;  // counted in the metric of online bots
  bool stopped_ = false;
};

}  // namespace gamehub::gateways::bots
