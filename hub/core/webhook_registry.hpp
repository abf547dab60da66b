// The webhooks of players, as the HTTP gateway registers and shows them. hub/webhook provides the
// implementation. Calls come from any loop and never block; `answer` is called once, on any thread.
#pragma once

#include "hub/base/time.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>

namespace gamehub {

// A player registers this URL.
struct webhook_request {
  std::string player;  // digest of the resume token, as in lasting_seat
  std::string url;
  std::string secret;  // signs the calls; never logged or shown
  // The address of the client, for limits; empty: it has none.
  std::string sender;
};

// A webhook as its player sees it.
struct webhook_state {
  std::string url;
  bool on = true;              // false: it gets no calls until it is registered again
  std::string why = {};        // it is off, in words
  std::uint32_t failures = 0;  // calls that failed since the last one that did not
  std::uint32_t waiting = 0;   // events that are still to be sent
};

// Why a request was not carried out, with a sentence for the client's author, without a full stop.
struct webhook_refusal {
  enum class reason : std::uint8_t {
    invalid,   // the URL, or the receiver's answer to the challenge
    unknown,   // the player has no webhook
    too_many,  // of this address, for now
    full,      // as many as the hub or the address may have
    stopping,
  };
  reason why = reason::invalid;
  std::string text = {};
  base::duration wait{};  // too_many: how long there will be too many
};

class webhook_registry {
 public:
  using outcome = std::variant<webhook_state, webhook_refusal>;
  using answer = std::function<void(const outcome&)>;

  virtual ~webhook_registry() = default;

  // Registers a webhook in the place of the player's former one, once its receiver has answered a
  // challenge: within seconds.
  virtual void set(webhook_request, answer) = 0;
  virtual void find(const std::string& player, answer) = 0;
  // Removes it, with its events. The answer is its last state.
  virtual void remove(const std::string& player, answer) = 0;
};

}  // namespace gamehub
