// Who keeps what bots registered and decides which of them play: the other side of this wire, which
// hub/app provides. Calls come from any loop and never wait for a device; callbacks may come from
// any thread, also within the call.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gateways/jsonrpc/messages.hpp"
#include "gateways/jsonrpc/registration.hpp"
#include "hub/core/event.hpp"

namespace gamehub::gateways::bots {

// One registration of a bot.
struct registered_bot {
  std::uint64_t id = 0;            // of the bot, the same for ever
  std::uint64_t registration = 0;  // counts them: a report about an earlier one changes nothing
  std::string name, owner;
  std::string engine;    // its id
  std::string endpoint;  // as the bot gave it
  std::string secret;    // of its player
};

// What a bot did wrong.
struct bot_fault {
  bot_fault_code code = bot_fault_code::transport;
  std::string text;     // a sentence
  game_id game = {};    // none: outside of any
  trace_id trace = {};  // of the call that was answered badly; none: there was no call
};

// A game of two bots, by seat.
struct fixture {
  std::uint64_t id = 0;
  std::array<std::uint64_t, 2> bots{};
};

class bot_registry {
 public:
  virtual ~bot_registry() = default;

  // Answers once it is safe: the bot, or why not, as a sentence.
  using entered = std::variant<registered_bot, std::string>;
  virtual void enter(const registration&, const std::string& engine,
                     std::function<void(entered)>) = 0;
  virtual void came_online(const registered_bot&) = 0;
  virtual void went_wrong(const registered_bot&, const bot_fault&) = 0;
  // What came of a call of that method, which needed no reply.
  virtual void replied(const registered_bot&, std::string_view method, game_id, trace_id,
                       const std::string& text) = 0;

  // Those to be called when the hub comes up, as they were online when it went down.
  virtual std::vector<registered_bot> expected() = 0;

  // What can begin now. Each of them is answered by game_opened() or game_not_opened().
  virtual std::vector<fixture> next_games() = 0;
  // Called whenever there may be something new to begin. Set once, before all else.
  virtual void when_due(std::function<void()>) = 0;
  virtual void game_opened(std::uint64_t fixture, game_id) = 0;
  virtual void game_not_opened(std::uint64_t fixture) = 0;
  // Any game of a bot's, also against people; said by each bot that played it.
  virtual void game_ended(game_id, const outcome&) = 0;
};

}  // namespace gamehub::gateways::jsonrpc
