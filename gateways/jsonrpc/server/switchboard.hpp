// Which bots there are, on which loops, and what goes on between them: takes registrations from
// HTTP, hands bots to the desks of their loops, brings two of them together when the registrar says
// so, and tells it what came of that. One a hub, shared by its desks; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "gateways/http/server/server.hpp"
#include "gateways/http/token_bucket.hpp"
#include "gateways/jsonrpc/registrar.hpp"
#include "gateways/jsonrpc/server/address_finder.hpp"
#include "gateways/jsonrpc/server/bot_client.hpp"
#include "gateways/net/loop_io.hpp"
#include "hub/core/wire.hpp"

namespace gamehub::gateways::jsonrpc::server {

class desk;

struct switchboard_setup {
  caller_rules rules;
  std::vector<http::network> allowed;  // addresses that are called although usual bots have no such
  // Names of bots whose connections are kept, and of those who are told their opponents.
  std::vector<std::string> keep_alive, tell_opponent;
  std::function<std::vector<engine_traits>()> engines;  // the newest of each kind; any thread
  hash_key key;                                         // random
};

using http::server::rpc_request;

class switchboard final : public std::enable_shared_from_this<switchboard> {
 public:
  switchboard(switchboard_setup, registrar&);

  // Requires: all are added before the first of them starts.
  void add(desk& at) { desks_.push_back(&at); }

  // Answered on its loop, here or later.
  void take(const rpc_request&, std::function<void(http::response)> answer);

  // Once the hub is up: calls those that were online when it went down.
  void start();
  // Nobody registers any more, and no game begins. Who waits for an answer has one, whatever that
  // would have waited for: the arena's file may be stuck.
  void stop();

  // Begins what the registrar has for now.
  void begin_games();

  // From a desk: what one of its bots did.
  void hear(bot_client&, const bot_news&);

  const caller_rules& rules() const { return setup_.rules; }

 private:
  // What is known of a bot beside its desk.
  struct entry {
    std::uint64_t registration = 0;
    std::string name;   // in the hub
    std::string owner;  // who may have other bots at the same place
    std::string place;
    desk* at = nullptr;
    bool called = false;  // it is online, or is tried
  };

  struct asking;

  void find_place(const std::shared_ptr<asking>&);
  // False: it was answered meanwhile.
  bool still_asks(const std::shared_ptr<asking>&);
  void enter(const std::shared_ptr<asking>&, std::shared_ptr<const place>);
  void entered(const std::shared_ptr<asking>&, const registrar::entered&,
               std::shared_ptr<const place>);
  std::optional<engine_traits> find_engine(std::string_view game, std::string& why) const;
  // Why this bot may not be called there, or which ones are called there no more.
  std::optional<std::string> claim(const registered_bot&, const place&,
                                   std::vector<std::uint64_t>& replaced);
  void hand_over(const registered_bot&, const engine_traits&, std::shared_ptr<const place>);
  void welcome_back(const registered_bot&);
  void begin_game(const fixture&);
  void heard(const bot_client&, const news::went_wrong&);
  void heard(bot_client&, const news::reserved&);
  desk& home_of(std::uint64_t bot) const { return *desks_[bot % desks_.size()]; }

  switchboard_setup setup_;
  registrar& registrar_;
  address_finder addresses_;
  std::vector<desk*> desks_;

  std::mutex mutex_;
  http::bucket_table rates_;
  std::unordered_set<std::shared_ptr<asking>> asking_;
  std::unordered_map<std::uint64_t, entry> bots_;
  std::unordered_map<std::uint64_t, std::uint64_t> meeting_;  // fixture → second bot
  bool stopped_ = false;
};

}  // namespace gamehub::gateways::jsonrpc::server
