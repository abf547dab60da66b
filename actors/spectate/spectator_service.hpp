// The spectator service of one loop: the feeds of the games that are watched there, and one-time
// queries. The runtime creates it. It is used on its loop until close(). Replies are never sent
// within the call.
#pragma once

#include "actors/runtime/interfaces.hpp"
#include "actors/spectate/feed.hpp"
#include "actors/spectate/game_listing.hpp"
#include "actors/table/engine_directory.hpp"
#include "hub/core/spectator_service.hpp"
#include "hub/journal/journal.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gamehub::actors::spectate {

class log_replay;

class loop_spectator_service final : public spectator_service,
                                     public std::enable_shared_from_this<loop_spectator_service> {
 public:
  explicit loop_spectator_service(spectator_setup setup) : setup_(std::move(setup)) {}

  // Ends all feeds without notification. Pending queries receive no reply.
  void close();

  bool busy() const override;
  std::unique_ptr<watch_handle> watch(game_id, std::uint64_t after, std::optional<seat_index> as,
                                      std::shared_ptr<watcher>) override;
  std::unique_ptr<watch_handle> watch_elsewhere(std::uint64_t hub, game_id, std::uint64_t after,
                                                std::shared_ptr<watcher>) override;
  void query_snapshot(game_id, std::optional<seat_index> as,
                      std::function<void(std::optional<game_snapshot>)>) override;
  void query_clock(game_id, std::function<void(game_clock)>) override;
  void list(const list_query&, std::function<void(game_page)>) override;
  void query_invitation(const std::string& invitation,
                        std::function<void(std::optional<invitation_state>)>) override;
  void replay(game_id, std::optional<seat_index> as,
              std::function<void(std::optional<game_replay>)>) override;

  // Builds the snapshot from the log, because the game is not running.
  void snapshot_from_log(game_id, std::optional<seat_index> as,
                         const std::function<void(std::optional<game_snapshot>)>&);
  // Builds the snapshot of a waiting game, with the start position that spectators see.
  void snapshot_of_waiting(const std::shared_ptr<const game_metadata>&,
                           const std::function<void(std::optional<game_snapshot>)>&);

  // The service calls and is called on this loop.
  runtime::loop& where() const { return *setup_.where; }

  // Calls of a feed. Sends the subscription to the lobby, or to the other hub.
  void find(game_id, std::optional<journal::member_id> far, std::shared_ptr<runtime::subscription>);
  // Calls the function with the replayed log of the game, or with nothing if there is no log.
  void replay_log(game_id, std::optional<seat_index> as,
                  std::function<void(std::optional<game_replay>)>);
  // The same of a game that another hub has, from what it has sent.
  void replay_far(game_id, std::function<void(std::optional<game_replay>)>);
  // The feed has had no readers for a while, or the game does not exist.
  void remove_feed(const feed&);

 private:
  using replay_callback = std::function<void(std::optional<game_replay>)>;
  using log_callback = std::function<void(std::optional<journal::game_log>)>;
  std::unique_ptr<watch_handle> watch(game_id, std::uint64_t after, std::optional<seat_index> as,
                                      std::optional<journal::member_id> far,
                                      std::shared_ptr<watcher>);
  using clocks = std::unordered_map<game_id, game_clock>;

  // Begins waiting replays while there are places. A place is given back when its replay, and what
  // was made from it, is destroyed.
  void begin_replays();
  // Calls the function with the clocks of those games that run.
  void find_clocks(std::vector<game_id>, std::function<void(clocks&)>);
  void replay_log(std::optional<journal::game_log>, std::optional<seat_index> as, replay_callback);
  // Replays the rest of a log in parts on the loop `there`, then calls the function on this one.
  void replay_next(runtime::loop& there, std::shared_ptr<log_replay>, replay_callback);
  void find_log(game_id, log_callback);
  // Has the function called where logs are read; later, if too many reads wait.
  void read_later(std::function<void()>);
  void list_next(const std::shared_ptr<game_listing>&);
  void list_part(const std::shared_ptr<game_listing>&);
  void list_on(const std::shared_ptr<game_listing>&, game_listing::result);
  void add_clocks(const std::shared_ptr<game_listing>&);

  spectator_setup setup_;
  ended_game_cache ended_games_;
  // By game and seat, and whether another hub has the game.
  std::map<std::tuple<game_id, std::optional<seat_index>, bool>, std::shared_ptr<feed>> feeds_;
  std::size_t replays_ = 0;  // that have a place
  std::deque<std::function<void(std::shared_ptr<const void> place)>> waiting_replays_;
  bool closed_ = false;
};

}  // namespace gamehub::actors::spectate
