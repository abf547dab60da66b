// The games of other hubs that are watched at this one. Each is asked for once, however many loops
// and clients watch it here, and asked for again at the hub that takes it over. One object for each
// loop, for a share of the games; used on its loop, but for the constructor.
#pragma once

#include "actors/runtime/loop.hpp"
#include "actors/runtime/subscription.hpp"
#include "hub/relay/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gamehub::actors::relay {

class exchange;

class followed_games final : public std::enable_shared_from_this<followed_games> {
 public:
  using member_id = journal::member_id;
  // Of all loops together. A hub passes requests to watch more games on one by one.
  static constexpr std::size_t games_max = 4'096;

  // The numbers of its requests have the rest `index` when they are divided by `of`.
  followed_games(exchange& by, runtime::loop& where, std::size_t index, std::size_t of)
      : by_(by), loop_(where), step_(of), last_number_(index) {}

  void add(member_id at, game_id, std::shared_ptr<runtime::subscription>);
  std::optional<game_replay> replay_of(game_id) const;

  // Messages of the hub of a game.
  void receive(member_id from, gamehub::relay::watch_found&);
  void receive(member_id from, gamehub::relay::watch_update&);
  void receive(member_id from, gamehub::relay::watch_present&);
  void receive(member_id from, gamehub::relay::watch_end&);

  // These hubs do not live any more.
  void lose(const std::vector<member_id>&);
  // The actors end: nothing is followed any more.
  void close();

 private:
  struct followed {
    member_id at;
    std::uint64_t number = 0;  // of the request; 0: no hub is asked now
    std::vector<std::shared_ptr<runtime::subscription>> readers;
    std::shared_ptr<const game_metadata> about;  // null: not known yet
    std::vector<update_ref> updates;             // all, from the first one
    std::uint64_t awaited = 0;                   // readers join when there are as many
    present_ref present;
    std::uint32_t untaken = 0;             // updates that its hub was not told of
    std::optional<base::instant> lost_at;  // no hub has sent anything of it since
    bool waiting = true;                   // for players
    bool joined = false;
    bool ended = false;
    bool looked_for = false;
  };

  followed* find(member_id from, std::uint64_t number);
  void ask(game_id, followed&);
  void lose(followed&);
  void look_for(game_id, followed&);
  void on_located(game_id, std::optional<member_id>);
  void join_if_complete(followed&);
  void publish(followed&, const update_ref&);
  void take(followed&);
  void arm();
  void on_timer();
  // Returns false if the game is followed no more.
  bool check(game_id, followed&);

  exchange& by_;
  runtime::loop& loop_;
  const std::uint64_t step_;
  std::uint64_t last_number_;
  std::map<game_id, followed> games_;
  std::unordered_map<std::uint64_t, game_id> numbers_;
  base::timers::token timer_;
  bool closed_ = false;
};

}  // namespace gamehub::actors::relay
