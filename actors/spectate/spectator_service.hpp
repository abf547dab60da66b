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

struct gallery_setup {
  loop* where = nullptr;
  const catalog* offered = nullptr;
  journal::journal* log = nullptr;
  const std::vector<loop*>* engine_loops = nullptr;  // by the number of an engine's host
  lobby_actor lobby;
};

class loop_gallery final : public gallery,
                           public feed_source,
                           public std::enable_shared_from_this<loop_gallery> {
 public:
  explicit loop_gallery(gallery_setup setup) : setup_(std::move(setup)) {}

  // Whoever watches hears nothing more, and whoever asks gets no answer.
  void close();

  std::unique_ptr<watching> watch(game_id, std::uint64_t after, std::shared_ptr<watcher>) override;
  void look(game_id, std::optional<seat_index> as,
            std::function<void(std::optional<game_look>)>) override;
  void list(const list_query&, std::function<void(game_page)>) override;
  void replay(game_id, std::function<void(std::optional<game_replay>)>) override;

  // Nobody asked the game itself: what its log says of it.
  void look_in_log(game_id, const std::function<void(std::optional<game_look>)>&);

  loop& where() const override { return *setup_.where; }
  void find(game_id, std::shared_ptr<line>) override;
  void retell(game_id, std::function<void(std::optional<retold>)>) override;
  void forget(game_id) override;

 private:
  using told = std::function<void(std::optional<retold>)>;

  void retell(std::optional<journal::game_log>, told);
  void go_on(const std::shared_ptr<retelling>&, const told&);
  game_page page_of(const list_query&, const list_games::found&) const;
  std::optional<game_summary> summary_of(game_id) const;

  gallery_setup setup_;
  std::unordered_map<game_id, std::shared_ptr<feed>> feeds_;
  bool closed_ = false;
};

}  // namespace gamehub::actors
