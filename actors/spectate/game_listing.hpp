// One query of the list of games: merges the waiting and running games of the lobby with the ended
// games of the log, the newest first. It filters before it counts, so that games of other engines
// or states do not shorten a page. Owned by the spectator service and used on its loop.
#pragma once

#include "actors/runtime/interfaces.hpp"
#include "actors/table/engine_directory.hpp"
#include "hub/core/spectator_service.hpp"
#include "hub/journal/journal.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gamehub::actors::spectate {

// Data of the service. The pointers outlive it.
struct spectator_setup {
  runtime::loop* where = nullptr;
  const table::engine_directory* directory = nullptr;
  journal::journal* log = nullptr;
  const std::vector<runtime::loop*>* engine_loops = nullptr;  // by host::number() of the engine
  runtime::lobby_actor lobby;
  runtime::far_games* far = nullptr;  // null: there is no other hub
};

// The engines and names of the newest ended games that a loop has read, because the log has no
// index by them. Lists begin with the newest games, and a walk through old ones pushes none of them
// out.
class ended_game_cache {
 public:
  static constexpr std::size_t games_max = 16'384;

  struct entry {
    std::uint16_t kind = 0;
    bool listed = true;       // not closed
    std::uint64_t names = 0;  // name_bit() of each player
  };
  const entry* find(game_id) const;
  void add(game_id, entry);

  // One of 64 bits. A game whose names lack the bit of a name does not have that player.
  static std::uint64_t name_bit(std::string_view name) {
    return std::uint64_t{1} << (std::hash<std::string_view>{}(name) % 64);
  }

 private:
  std::map<game_id, entry> games_;
};

class game_listing {
 public:
  // The games that one query looks at, the logs that it reads, and those of one step, at some 30
  // microseconds each. A page that reaches one of the first bounds is shorter than its limit.
  static constexpr std::size_t looked_at_max = 8'192;
  static constexpr std::size_t logs_max = 2'048;
  static constexpr std::size_t logs_per_step = 10;

  enum class result : std::uint8_t { complete, continue_later, ask_lobby };

  // Requires: the limit of the query is at least 1, and `before` is set.
  game_listing(const spectator_setup&, ended_game_cache&, list_query,
               std::optional<std::uint16_t> kind, std::function<void(game_page)> to);

  // Does one step.
  result run();
  // After ask_lobby: the query, without its function, and the reply.
  runtime::list_games live_query() const;
  void add_live(runtime::list_games::found);
  // Of a complete page: returns its running games, and sets their clocks.
  std::vector<game_id> running() const;
  void set_clocks(std::unordered_map<game_id, game_clock>&);
  void answer() { to_(std::move(page_)); }

 private:
  // With metadata: it waits. Lists have the newest game at the end.
  using listed = std::pair<game_id, std::shared_ptr<const game_metadata>>;

  bool wants(game_status status) const {
    return (!query_.status || *query_.status == status) &&
           !(query_.open && status == game_status::ended);
  }
  void fetch_ended();
  // Returns the next game of both lists and removes it, or nothing.
  std::optional<listed> take();
  bool wants_ended(game_id) const;
  bool wants_players(const game_metadata&) const;
  void add_to_page(const listed&);
  std::optional<game_summary> summary_of(game_id) const;

  const spectator_setup& setup_;
  ended_game_cache& cache_;
  list_query query_;
  std::optional<std::uint16_t> kind_;
  std::function<void(game_page)> to_;
  game_page page_;
  game_id looked_down_to_;  // all greater games, and this one, have been looked at
  std::vector<listed> live_;
  std::vector<game_id> ended_;
  bool more_live_ = false, more_ended_ = false;
  std::size_t looked_at_ = 0, logs_read_ = 0;
};

}  // namespace gamehub::actors::spectate
