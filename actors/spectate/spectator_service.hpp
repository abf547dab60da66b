// The gallery of one loop: feeds of the games that are watched there, and answers about games that
// are asked for once. Made by the runtime; used on its loop, until close().
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "actors/catalog.hpp"
#include "actors/feed.hpp"
#include "actors/interfaces.hpp"
#include "hub/core/gallery.hpp"
#include "hub/journal/journal.hpp"

namespace gamehub::actors {

struct spectator_setup {
  loop* where = nullptr;
  const catalog* directory = nullptr;
  journal::journal* log = nullptr;
  const std::vector<loop*>* engine_loops = nullptr;  // by the number of an engine's host
  lobby_actor lobby;
};

class loop_spectator_service final : public spectator_service,
                           public feed_host,
                           public std::enable_shared_from_this<loop_spectator_service> {
 public:
  explicit loop_spectator_service(spectator_setup setup) : setup_(std::move(setup)) {}

  // Whoever watches hears nothing more, and whoever asks gets no answer.
  void close();

  std::unique_ptr<watching> watch(game_id, std::uint64_t after, std::shared_ptr<watcher>) override;
  void look(game_id, std::optional<seat_index> as,
            std::function<void(std::optional<game_snapshot>)>) override;
  void list(const list_query&, std::function<void(game_page)>) override;
  void replay(game_id, std::function<void(std::optional<game_replay>)>) override;

  // Nobody asked the game itself: what its log says of it.
  void snapshot_from_log(game_id, const std::function<void(std::optional<game_snapshot>)>&);

  loop& where() const override { return *setup_.where; }
  void find(game_id, std::shared_ptr<line>) override;
  void replay_log(game_id, std::function<void(std::optional<replayed_game>)>) override;
  void forget(game_id) override;

 private:
  using told = std::function<void(std::optional<replayed_game>)>;

  void replay_log(std::optional<journal::game_log>, told);
  void go_on(const std::shared_ptr<log_replay>&, const told&);
  game_page page_of(const list_query&, const list_games::found&) const;
  std::optional<game_summary> summary_of(game_id) const;

  spectator_setup setup_;
  std::unordered_map<game_id, std::shared_ptr<feed>> feeds_;
  bool closed_ = false;
};

}  // namespace gamehub::actors
