// The connections of one loop that wait for a request, so that they make room when the hub is full.
// Owned by the service of the loop; used on its thread.
#pragma once

#include "hub/base/time.hpp"

#include <array>
#include <iterator>
#include <list>

namespace gamehub::gateways::http {

class connection;

class idle_connections {
  struct entry {
    connection* who = nullptr;
    base::instant since{};
  };

 public:
  // The place of a connection in its list, which the connection keeps.
  struct place {
    bool has_asked;
    std::list<entry>::iterator at;
  };

  // Adds a connection behind those of its kind that have been idle for longer: those that have sent
  // a request, and those that have not.
  place add(connection& who, bool has_asked, base::instant now) {
    auto& all = lists_[has_asked];
    if (spare_.empty()) spare_.emplace_back();
    all.splice(all.end(), spare_, spare_.begin());
    all.back() = {&who, now};
    return {has_asked, std::prev(all.end())};
  }
  void remove(const place& p) { spare_.splice(spare_.begin(), lists_[p.has_asked], p.at); }

  // Returns the connection that makes room first: one that has sent nothing since `silent_since`,
  // else the one that has sent a request and has been idle for the longest time. Null: none.
  connection* first(base::instant silent_since) const {
    const auto& [silent, others] = lists_;
    if (!silent.empty() && silent.front().since <= silent_since) return silent.front().who;
    return others.empty() ? nullptr : others.front().who;
  }

 private:
  std::array<std::list<entry>, 2> lists_;
  std::list<entry> spare_;  // so that a request allocates none; as many as were idle at once
};

}  // namespace gamehub::gateways::http
