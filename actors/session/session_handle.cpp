// The session handle: it sends the intents of an attachment to its session, or calls it if that is
// idle.
#include "actors/session/session.hpp"

#include <utility>
#include <variant>

namespace gamehub::actors::session {

namespace {

class attached_session_handle final : public session_handle {
 public:
  attached_session_handle(runtime::session_actor to, attachment_id from, address_hold hold)
      : to_(std::move(to)), from_(from), hold_(std::move(hold)) {
    target().attachment_count().fetch_add(1, std::memory_order_relaxed);
  }
  ~attached_session_handle() override {
    target().attachment_count().fetch_sub(1, std::memory_order_relaxed);
    caf::anon_send(to_, runtime::detached{from_, way_lost_});
  }
  attached_session_handle(const attached_session_handle&) = delete;
  attached_session_handle& operator=(const attached_session_handle&) = delete;

  void submit(envelope e) override {
    if (!target().try_forward(e)) caf::anon_send(to_, std::move(e));
  }
  void set_away(std::optional<base::instant> kept_until) override {
    caf::anon_send(to_, runtime::client_presence{from_, kept_until});
  }
  void lose_way() override { way_lost_ = true; }

 private:
  session& target() const { return static_cast<session&>(*runtime::actor_of(to_)); }

  runtime::session_actor to_;
  attachment_id from_;
  const address_hold hold_;
  bool way_lost_ = false;
};

}  // namespace

bool session::try_forward(envelope& m) {
  if (!is_idle_here() || leaving_ || pending_resume_ || entry_ || follows_ ||
      !is_current(m.receipt.from))
    return false;
  if (auto* const what = std::get_if<play>(&m.what)) {
    auto* const at = player_.find(what->game);
    if (at == nullptr) return false;
    received_intent_ = true;
    send_move(at->game, {at->seat, m.receipt, std::move(what->move), what->repeated_after});
    return true;
  }
  auto* const what = std::get_if<seek>(&m.what);
  // A refusal would be delivered in the middle of the call of the gateway.
  if (what == nullptr || what->again || draining_ || player_.why_no_seek(*what)) return false;
  if (const auto why = hold_seats(*what)) {
    // It is counted.
    address_->refused = why;
    return false;
  }
  received_intent_ = true;
  call_directly([&] { send_held_seek(m.receipt, *what, {}); });
  return true;
}

std::unique_ptr<session_handle> make_session_handle(runtime::session_actor to, attachment_id from,
                                                    address_hold hold) {
  return std::make_unique<attached_session_handle>(std::move(to), from, std::move(hold));
}

}  // namespace gamehub::actors::session
