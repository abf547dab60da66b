// The registered bots and the loops that they are on: handles registrations from HTTP, assigns bots
// to loops, starts scheduled matches between two bots, and reports to the bot_registry. One per
// hub, shared by the loop_bots of all loops; any thread.
#pragma once

#include "gateways/bots/bot_client.hpp"
#include "gateways/bots/call_quota.hpp"
#include "gateways/bots/resolver.hpp"
#include "gateways/http/server.hpp"
#include "gateways/net/loop_io.hpp"
#include "hub/base/token_bucket.hpp"
#include "hub/core/bot_registry.hpp"
#include "hub/core/wire.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gamehub::gateways::bots {

class loop_bots;

struct bot_dispatcher_setup {
  bot_limits rules;
  std::vector<base::network> allowed;  // exceptions from the default address policy
  // Names of the bots whose connections are kept, and of the bots that are told their opponents.
  std::vector<std::string> keep_alive, tell_opponent;
  std::function<std::vector<engine_traits>()>
      engines;         // the newest version of each engine; any thread
  base::hash_key key;  // random
  resolver::lookup lookup = resolver::ask_system;
};

using http::rpc_request;

class bot_dispatcher final : public std::enable_shared_from_this<bot_dispatcher> {
 public:
  bot_dispatcher(bot_dispatcher_setup, bot_registry&);

  // Adds a loop. Requires: all loops are added before the first one starts.
  void add(loop_bots& at) { loops_.push_back(&at); }

  // Handles a POST /rpc request. `answer` is called on the loop of the request, immediately or
  // later.
  void take(const rpc_request&, std::function<void(http::response)> answer);

  // Called once the hub is ready: reconnects the bots that were online when it stopped.
  void start();
  // The hub is stopping: registrations are refused and no match starts. Pending registrations are
  // answered immediately, because the league's file may be blocked.
  void stop();

  // Starts the scheduled matches that are due.
  void begin_games();

  // Handles a report of one bot. Called by a loop_bots.
  void on_report(bot_client&, const bot_report&);

  // Returns the limits of each bot.
  const bot_limits& rules() const { return setup_.rules; }

 private:
  // What all loops share of a bot.
  struct bot_entry {
    bot_record who;
    std::string session_name;  // the name of its session in the hub
    std::string endpoint_key;  // bots of one owner may share an endpoint
    bool called = false;       // online, or being reconnected
  };

  struct pending_registration;
  using pending_ref = std::shared_ptr<pending_registration>;
  using endpoint_ref = std::shared_ptr<const bot_endpoint>;

  // The steps of a registration. Nothing is resolved before the token has an owner.
  void on_owner(const pending_ref&, const std::optional<bot_owner>&);
  // Counts a registration for its account. Returns when to come again, if there are too many.
  std::optional<base::duration> admit(const pending_ref&);
  void on_resolved(const pending_ref&, const resolver::result&);
  void on_registered(const pending_ref&, const bot_registry::entered&, const endpoint_ref&);
  void refuse(const pending_ref&, std::string_view why);
  // False once it is answered.
  bool is_pending(const pending_ref&);
  // Removes a pending registration; returns false if it was answered already.
  bool take_pending(const pending_ref&);

  std::optional<engine_traits> find_engine(std::string_view game, std::string& why) const;
  // Reserves the endpoint for a bot. Returns why that is not possible: another owner's bot has it,
  // or the bot was removed meanwhile. `replaced` are the bots of the same owner that lose it.
  std::optional<std::string> check_endpoint(const bot_record&, const bot_endpoint&,
                                            std::vector<bot_id>& replaced);
  void assign_bot(const bot_record&, const engine_traits&, endpoint_ref);
  // Bots were removed: they get no calls any more.
  void remove(const std::vector<bot_id>&);
  std::shared_ptr<call_quota> quota_of(const std::string& account);
  void reconnect_all();
  void reconnect(const bot_record&);
  void begin_game(const scheduled_match&);
  void on_failure(const bot_client&, const bot_error&);
  void on_reserved(bot_client&, const report::reserved&);
  loop_bots& loop_of(bot_id bot) const { return *loops_[bot.value % loops_.size()]; }
  // Runs an action on the loop of a bot.
  void post_to(bot_id, std::function<void(bot_client&)>) const;

  bot_dispatcher_setup setup_;
  bot_registry& registry_;
  resolver addresses_;
  std::vector<loop_bots*> loops_;

  std::mutex mutex_;
  base::bucket_table rates_, owner_rates_;
  std::unordered_set<pending_ref> pending_;
  std::unordered_map<std::string, std::size_t> pending_by_account_;
  std::unordered_map<std::string, std::weak_ptr<call_quota>> quotas_;  // by account
  std::unordered_map<bot_id, bot_entry> bots_;
  std::unordered_map<match_id, bot_id> challenges_;  // scheduled match → second bot
  bool stopped_ = false;
};

}  // namespace gamehub::gateways::bots
