// The sessions of one loop whose player neither plays nor waits, so that their clients make room
// when the hub is full. Owned by the session factories of the loop; used on its thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ports.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <list>

namespace gamehub::actors::session {

class session;

class unused_sessions {
  struct entry {
    session* who = nullptr;
    base::instant since{};
    unused_client kind = unused_client::newcomer;
  };

 public:
  // A client that has not asked for a game makes room after this time.
  static constexpr std::chrono::seconds newcomers_kept_for{2};

  // The place of a session in its list, which the session keeps.
  using place = std::list<entry>::iterator;

  // Adds a session behind those of its kind that have been unused for longer.
  place add(session& who, unused_client kind, base::instant now) {
    auto& all = of(kind);
    if (removed_.empty()) removed_.emplace_back();
    all.splice(all.end(), removed_, removed_.begin());
    all.back() = {&who, now, kind};
    return std::prev(all.end());
  }
  void remove(place p) { removed_.splice(removed_.begin(), of(p->kind), p); }

  // Returns the session of this kind that has been unused for the longest time. Null: no session is
  // of this kind, or it is a newcomer whose first request may be on its way.
  session* first(unused_client kind, base::instant now) const {
    const auto& all = lists_[static_cast<std::size_t>(kind)];
    if (all.empty()) return nullptr;
    const auto& e = all.front();
    const bool may_ask = kind == unused_client::newcomer && now - e.since < newcomers_kept_for;
    return may_ask ? nullptr : e.who;
  }

 private:
  std::list<entry>& of(unused_client kind) { return lists_[static_cast<std::size_t>(kind)]; }

  std::array<std::list<entry>, 2> lists_;
  // As many as sessions were unused at once: most of them are so again after a game.
  std::list<entry> removed_;
};

}  // namespace gamehub::actors::session
