// The session handle: it sends the intents of an attachment to its session.
#include "actors/session/session.hpp"

#include <utility>

namespace gamehub::actors::session {

namespace {

class attached_session_handle final : public session_handle {
 public:
  attached_session_handle(runtime::session_actor to, attachment_id from,
                          std::atomic<std::uint32_t>& attachment_count, address_hold hold)
      : to_(std::move(to)),
        session_(static_cast<session*>(runtime::actor_of(to_))),
        from_(from),
        attachment_count_(attachment_count),
        hold_(std::move(hold)) {
    attachment_count_.fetch_add(1, std::memory_order_relaxed);
  }
  ~attached_session_handle() override {
    attachment_count_.fetch_sub(1, std::memory_order_relaxed);
    caf::anon_send(to_, runtime::detached{from_});
  }
  attached_session_handle(const attached_session_handle&) = delete;
  attached_session_handle& operator=(const attached_session_handle&) = delete;

  void submit(envelope e) override {
    if (!session_->try_forward(e)) caf::anon_send(to_, std::move(e));
  }
  void set_away(std::optional<base::instant> kept_until) override {
    caf::anon_send(to_, runtime::client_presence{from_, kept_until});
  }

 private:
  runtime::session_actor to_;
  session* session_;  // the same
  attachment_id from_;
  std::atomic<std::uint32_t>& attachment_count_;
  const address_hold hold_;
};

}  // namespace

std::unique_ptr<session_handle> make_session_handle(runtime::session_actor to, attachment_id from,
                                                    std::atomic<std::uint32_t>& attachment_count,
                                                    address_hold hold) {
  return std::make_unique<attached_session_handle>(std::move(to), from, attachment_count,
                                                   std::move(hold));
}

}  // namespace gamehub::actors::session
