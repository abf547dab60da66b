// The attachment of a client of another hub: events for it cross to its entry, its intents come
// from there. Shared by the exchange and its session; used on one loop.
#pragma once

#include "actors/relay/exchange.hpp"

#include <memory>

namespace gamehub::actors::relay {

class home_client final : public attachment {
 public:
  home_client(exchange& by, runtime::loop& where, member_id entry, attachment_id at_entry,
              attachment_id id, address_account_ref account)
      : exchange_(by),
        loop_(where),
        entry_(entry),
        at_entry_(at_entry),
        id_(id),
        account_(std::move(account)) {}

  // The client signs in: with the ticket 0 its player moves here.
  void begin(std::unique_ptr<session_handle>, gamehub::ticket, sign_in);
  void submit(gamehub::relay::request);
  void set_away(std::optional<base::instant> kept_until);
  // The client has gone, or its hub.
  void leave() { session_.reset(); }

  attachment_id id() const override { return id_; }
  address_account_ref account() const override { return account_; }
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
  const address_account_ref account_;
  std::unique_ptr<session_handle> session_;  // null: the client has gone
};

}  // namespace gamehub::actors::relay
