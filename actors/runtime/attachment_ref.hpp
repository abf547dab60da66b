// A session's hold on one attachment, on whatever loop that lives: calls reach it on its own
// thread, and so does its end. Owned by a session, used on the session's loop.
#pragma once

#include <memory>
#include <utility>

#include "actors/loop.hpp"
#include "hub/core/ports.hpp"

namespace gamehub::actors {

class attachment_ref {
 public:
  // Requires: the client lives on `home`; `here` is the session's loop.
  attachment_ref(std::shared_ptr<attachment> client, loop& home, loop& here)
      : client_(std::move(client)), id_(client_->id()), remote_loop_(&home == &here ? nullptr : &home) {}
  attachment_ref(attachment_ref&&) noexcept = default;
  attachment_ref& operator=(attachment_ref&& other) noexcept {
    std::swap(client_, other.client_);
    std::swap(id_, other.id_);
    std::swap(remote_loop_, other.remote_loop_);
    return *this;
  }
  ~attachment_ref() {
    if (client_ && remote_loop_ != nullptr) remote_loop_->post([last = std::move(client_)] {});
  }

  attachment_id id() const { return id_; }
  std::shared_ptr<attachment> share() const { return client_; }

  void deliver(const event& e) {
    if (remote_loop_ == nullptr) return client_->deliver(e);
    remote_loop_->post([client = client_, e] { client->deliver(e); });
  }
  void close(close_reason why) {
    if (remote_loop_ == nullptr) return client_->close(why);
    remote_loop_->post([client = client_, why] { client->close(why); });
  }
  void set_session(std::unique_ptr<session_handle> to) {
    if (remote_loop_ == nullptr) return client_->set_session(std::move(to));
    // A function that is posted has to be copyable, and a door is not.
    auto shared = std::make_shared<std::unique_ptr<session_handle>>(std::move(to));
    remote_loop_->post([client = client_, shared] { client->set_session(std::move(*shared)); });
  }

 private:
  std::shared_ptr<attachment> client_;
  attachment_id id_;
  loop* remote_loop_;
};

}  // namespace gamehub::actors
