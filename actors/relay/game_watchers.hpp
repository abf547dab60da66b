// The other hubs that watch games of this one: each has one subscription for all its clients. What
// a hub has not taken, and what its link has no room for, stays with the game. One object for each
// loop, used on that loop, but for the constructor.
#pragma once

#include "actors/runtime/loop.hpp"
#include "hub/core/spectator_service.hpp"
#include "hub/relay/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace gamehub::actors::relay {

class exchange;

class game_watchers final : public std::enable_shared_from_this<game_watchers> {
 public:
  using member_id = journal::member_id;
  // Of one hub at this loop; more are refused.
  static constexpr std::size_t watchers_max = 4'096;

  // The service is that of the loop.
  game_watchers(exchange& by, runtime::loop& where, spectator_service& games)
      : by_(by), loop_(where), games_(games) {}
  ~game_watchers();

  // Messages of a hub that watches.
  void receive(member_id from, const gamehub::relay::watch&);
  void receive(member_id from, const gamehub::relay::watch_taken&);
  void receive(member_id from, const gamehub::relay::watch_gone&);

  // These hubs do not live any more.
  void lose(const std::vector<member_id>&);
  // The actors end.
  void close();

 private:
  class one;

  void remove(member_id, std::uint64_t number);

  exchange& by_;
  runtime::loop& loop_;
  spectator_service& games_;
  std::map<member_id, std::map<std::uint64_t, std::shared_ptr<one>>> all_;
  bool closed_ = false;
};

}  // namespace gamehub::actors::relay
