// The registry of bots, as the bot gateway uses it: it stores registrations and decides which bots
// play. hub/server provides the implementation. Calls come from any loop and never block on a
// device; callbacks may come from any thread, also within the call.
#pragma once

#include "hub/core/event.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gamehub {

// The errors of a bot, by the numbers that the protocol sends to it.
enum class bot_fault_code : std::uint16_t {
  occupied = 1548,       // the place of its move is taken
  out_of_bounds = 1549,  // the board has no such place
  unparsable = 1550,     // its answer names no place
  timeout = 1551,        // it took too long
  transport = 1552,      // it could not be reached, or did not answer as HTTP servers do
};
// As metrics and logs have it.
std::string_view to_string(bot_fault_code);

// The parameters of a registration, within their bounds. The game and the URL are only checked for
// their length.
struct bot_registration {
  std::string token;
  std::string name, version;
  std::string game;  // as the wire has it: TICTACTOE
  std::string endpoint;
  std::string language, website, description;
};

// One registration of a bot.
struct registered_bot {
  std::uint64_t id = 0;            // of the bot; never changes
  std::uint64_t registration = 0;  // counts registrations; reports about an earlier one are ignored
  std::string name, owner;
  std::string engine;    // its id
  std::string endpoint;  // as the bot gave it
  std::string secret;    // resume token of its player
};

// An error of a bot.
struct bot_fault {
  bot_fault_code code = bot_fault_code::transport;
  std::string text;     // a sentence
  game_id game = {};    // none: outside of any game
  trace_id trace = {};  // of the call with the wrong reply; none: there was no call
};

// A game of two bots, by seat.
struct scheduled_match {
  std::uint64_t id = 0;
  std::array<std::uint64_t, 2> bots{};
};

class bot_registry {
 public:
  virtual ~bot_registry() = default;

  // Registers a bot. Calls back once the registration is durable, with the bot or with a sentence
  // that says why it is refused.
  using entered = std::variant<registered_bot, std::string>;
  virtual void enter(const bot_registration&, const std::string& engine,
                     std::function<void(entered)>) = 0;
  // The bot answered its first call.
  virtual void on_online(const registered_bot&) = 0;
  // The bot made an error and gets no calls until it registers again.
  virtual void on_failure(const registered_bot&, const bot_fault&) = 0;
  // The reply to a call that needed none. For the log.
  virtual void on_reply(const registered_bot&, std::string_view method, game_id, trace_id,
                        const std::string& text) = 0;

  // Returns the bots that were online when the hub stopped. The gateway calls them at the start.
  virtual std::vector<registered_bot> bots_to_reconnect() = 0;

  // Returns the matches that can begin now. The caller reports each with game_opened() or
  // game_not_opened().
  virtual std::vector<scheduled_match> next_games() = 0;
  // Sets the callback for "next_games() may have new matches". Called once, before any other
  // function.
  virtual void when_due(std::function<void()>) = 0;
  // The match began as this game.
  virtual void game_opened(std::uint64_t fixture, game_id) = 0;
  // The match could not begin; the registry schedules it again.
  virtual void game_not_opened(std::uint64_t fixture) = 0;
  // A game of a bot has ended, also one against people. Reported once for each bot that played.
  virtual void game_ended(game_id, const outcome&) = 0;
};

}  // namespace gamehub
