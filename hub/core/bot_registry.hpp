// The registry of bots, as the bot gateway uses it: it stores registrations and decides which bots
// play. hub/league provides the implementation. Calls come from any loop and never block on a
// device; callbacks may come from any thread, also within the call.
#pragma once

#include "hub/core/bot_record.hpp"
#include "hub/core/event.hpp"
#include "hub/core/scheduled_match.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gamehub {

class bot_registry {
 public:
  virtual ~bot_registry() = default;

  // Finds the owner of a token; nothing: it is unknown or revoked. The gateway asks this before it
  // does anything for a bot. An owner without an account has no token of the operator: the
  // registration is open, and the gateway sets the account.
  using found_owner = std::function<void(const std::optional<bot_owner>&)>;
  virtual void find_owner(const std::string& token, found_owner) = 0;
  // Registers a bot. Calls back once the registration is durable, with the bot or with the reason
  // of a refusal.
  using entered = std::variant<bot_record, registration_refusal>;
  virtual void enter(const bot_profile&, const bot_owner&, std::function<void(const entered&)>) = 0;
  // False if the bot was removed.
  virtual bool is_registered(bot_id) const = 0;
  // Sets the callback for bots that were removed: they get no calls any more. Called once, before
  // bots_to_reconnect().
  virtual void when_removed(std::function<void(const std::vector<bot_id>&)>) = 0;
  // The bot answered its first call. Bots of an engine that is not for two play no scheduled
  // matches: these have two seats.
  virtual void on_online(const bot_record&, bool for_two) = 0;
  // The bot made an error and gets no calls until it registers again.
  virtual void on_failure(const bot_record&, const bot_error&) = 0;
  // The reply to a call that needed none. For the log.
  virtual void on_reply(const bot_record&, std::string_view method, game_id, trace_id,
                        const std::string& text) = 0;

  // Returns the bots that were online when the hub stopped. The gateway calls them at the start.
  virtual std::vector<bot_record> bots_to_reconnect() = 0;
  // False while another hub of the cluster has the bots, or no hub: no bot can register here.
  virtual bool is_here() const { return true; }
  // Sets the callback for bots to reconnect that came later, because this hub has the bots of its
  // cluster now. Called once, before bots_to_reconnect().
  virtual void when_arrived(std::function<void()>) {}

  // Returns the matches that can begin now. The caller reports each with game_opened() or
  // game_not_opened().
  virtual std::vector<scheduled_match> next_games() = 0;
  // Sets the callback for "next_games() may have new matches". Called once, before any other
  // function.
  virtual void when_due(std::function<void()>) = 0;
  // The match began as this game.
  virtual void game_opened(match_id, game_id) = 0;
  // The match could not begin; the registry schedules it again.
  virtual void game_not_opened(match_id) = 0;
  // A game of a bot has ended, also one against people. Reported once for each bot that played.
  virtual void game_ended(game_id, const outcome&) = 0;
};

}  // namespace gamehub
