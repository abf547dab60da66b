// A session's reference to one attachment, which may live on another loop. Calls and the release of
// the attachment happen on the attachment's loop. Owned by a session and used on its loop.
#pragma once

#include "actors/runtime/loop.hpp"
#include "hub/base/require.hpp"
#include "hub/core/ports.hpp"

#include <memory>
#include <utility>

namespace gamehub::actors::runtime {

class attachment_ref {
 public:
  // `client_loop` is the loop of the client, `session_loop` the loop of the session.
  attachment_ref(std::shared_ptr<attachment> client, loop& client_loop, loop& session_loop)
      : client_(std::move(client)),
        remote_loop_(&client_loop == &session_loop ? nullptr : &client_loop) {
    GAMEHUB_REQUIRE(client_ != nullptr);
    id_ = client_->id();
  }
  attachment_ref(const attachment_ref&) = delete;
  attachment_ref& operator=(const attachment_ref&) = delete;
  ~attachment_ref() {
    if (remote_loop_ != nullptr) remote_loop_->post([last = std::move(client_)] {});
  }

  attachment_id id() const { return id_; }
  std::shared_ptr<attachment> share() const { return client_; }

  // Sends an event to the client.
  void deliver(const event& e) {
    if (remote_loop_ == nullptr) return client_->deliver(e);
    remote_loop_->post([client = client_, e] { client->deliver(e); });
  }
  // Closes the connection of the client.
  void close(close_reason why) {
    if (remote_loop_ == nullptr) return client_->close(why);
    remote_loop_->post([client = client_, why] { client->close(why); });
  }
  // Replaces the session handle of the attachment.
  void set_session(std::unique_ptr<session_handle> to) {
    if (remote_loop_ == nullptr) return client_->set_session(std::move(to));
    // A posted function must be copyable, and a unique_ptr is not.
    auto shared = std::make_shared<std::unique_ptr<session_handle>>(std::move(to));
    remote_loop_->post([client = client_, shared] { client->set_session(std::move(*shared)); });
  }

 private:
  std::shared_ptr<attachment> client_;
  attachment_id id_;
  loop* remote_loop_;  // null: the attachment lives on the session's loop
};

}  // namespace gamehub::actors::runtime
