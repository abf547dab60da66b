// The attachment of a client of another hub: events for it cross to its entry, its intents come
// from there. Shared by the exchange and its session; used on one loop.
#pragma once

#include "actors/relay/exchange.hpp"
#include "hub/core/limits.hpp"

#include <memory>

namespace gamehub::actors::relay {

class home_client final : public attachment, public std::enable_shared_from_this<home_client> {
 public:
  // `arrives`: the player moves here now.
  home_client(exchange& by, runtime::loop& where, member_id entry, attachment_id at_entry,
              attachment_id id, bool arrives, address_account_ref account)
      : exchange_(by),
        loop_(where),
        entry_(entry),
        at_entry_(at_entry),
        id_(id),
        arrives_(arrives),
        account_(std::move(account)) {}

  // Unanswered intents of the client; more are refused. Its entry reads it only up to
  // limits::intents_in_flight_max, and asks for some itself.
  static constexpr std::size_t unanswered_max = 2 * limits::intents_in_flight_max;

  // The client signs in: with the ticket 0 its player moves here.
  void begin(std::unique_ptr<session_handle>, gamehub::ticket, sign_in);
  void submit(gamehub::relay::request);
  void set_away(std::optional<base::instant> kept_until);
  // The client's requests come by its gateway, which takes the place of this attachment; it ends if
  // they do not come within limits::return_time_max.
  void await_successor();
  // The client has gone.
  void leave() { session_.reset(); }
  // A hub on the way to the client has gone, and the client too, or it comes by another way: its
  // own hub may have been paused, and goes on as another member.
  void lose_way();

  attachment_id id() const override { return id_; }
  address_account_ref account() const override { return account_; }
  bool comes_to_its_player() const override { return !arrives_; }
  void deliver(const event&) override;
  void close(close_reason) override;
  void set_session(std::unique_ptr<session_handle> to) override {
    if (session_) session_ = std::move(to);
  }

 private:
  // Of the sign-in of a player that moves here. Clients count from 1, and not so far.
  static constexpr gamehub::ticket arrival = ~gamehub::ticket{0};

  exchange& exchange_;
  runtime::loop& loop_;
  const member_id entry_;
  const attachment_id at_entry_, id_;
  const bool arrives_;
  const address_account_ref account_;
  std::unique_ptr<session_handle> session_;  // null: the client has gone
  std::size_t unanswered_ = 0;               // intents
};

}  // namespace gamehub::actors::relay
