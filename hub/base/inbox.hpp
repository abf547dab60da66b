// The unread bytes of one connection as a codec sees them: a view of what was just received,
// and a copy only of what is left over between two reads. An idle connection keeps nothing.
// Owned by a codec; one thread at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gamehub::base {

class inbox {
 public:
  inbox() = default;
  // A copy would look at the bytes of the original.
  inbox(const inbox&) = delete;
  inbox& operator=(const inbox&) = delete;

  // Requires: keep_rest() was called for what was received before.
  void receive(std::string_view bytes) {
    if (kept_.empty()) {
      unread_ = bytes;
    } else {
      kept_.append(bytes);
      unread_ = kept_;
    }
  }

  std::string_view unread() const { return unread_; }
  void skip(std::size_t bytes) { unread_.remove_prefix(bytes); }

  void keep_rest() {
    if (unread_.empty()) {
      kept_.clear();
      if (kept_.capacity() > small_bytes) std::string{}.swap(kept_);
    } else if (kept_.empty()) {
      std::string{unread_}.swap(kept_);
    } else {
      kept_.erase(0, kept_.size() - unread_.size());
    }
    unread_ = kept_;
  }

  std::size_t kept_bytes() const { return kept_.size(); }

 private:
  // Worth keeping for the next unfinished message.
  static constexpr std::size_t small_bytes = 32;

  std::string kept_;
  std::string_view unread_;
};

}  // namespace gamehub::base
