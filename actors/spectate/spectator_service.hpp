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

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace gamehub::actors::spectate {

class log_replay;

class loop_spectator_service final : public spectator_service,
                                     public std::enable_shared_from_this<loop_spectator_service> {
 public:
  explicit loop_spectator_service(spectator_setup setup) : setup_(std::move(setup)) {}

  // Ends all feeds without notification. Pending queries receive no reply.
  void close();

  std::unique_ptr<watch_handle> watch(game_id, std::uint64_t after,
                                      std::shared_ptr<watcher>) override;
  void query_snapshot(game_id, std::optional<seat_index> as,
                      std::function<void(std::optional<game_snapshot>)>) override;
  void list(const list_query&, std::function<void(game_page)>) override;
  void replay(game_id, std::function<void(std::optional<game_replay>)>) override;

  // Builds the snapshot from the log, because the game is not running.
  void snapshot_from_log(game_id, const std::function<void(std::optional<game_snapshot>)>&);

  // The service calls and is called on this loop.
  runtime::loop& where() const { return *setup_.where; }

  // Calls of a feed. Sends the subscription to the lobby.
  void find(game_id, std::shared_ptr<runtime::subscription>);
  // Calls the function with the replayed log of the game, or with nothing if there is no log.
  void replay_log(game_id, std::function<void(std::optional<game_replay>)>);
  // The feed has had no readers for a while, or the game does not exist.
  void remove_feed(game_id);

 private:
  using replay_callback = std::function<void(std::optional<game_replay>)>;

  void replay_log(std::optional<journal::game_log>, replay_callback);
  void replay_next(const std::shared_ptr<log_replay>&, const replay_callback&);
  void list_next(const std::shared_ptr<game_listing>&);

  spectator_setup setup_;
  ended_game_cache ended_games_;
  std::unordered_map<game_id, std::shared_ptr<feed>> feeds_;
  bool closed_ = false;
};

}  // namespace gamehub::actors::spectate
