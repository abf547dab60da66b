// The games that the lobby knows: running games, and waiting games, which have an id because a
// protocol reported it but still lack players. Plain values; the lobby owns them and uses them on
// its loop.
#pragma once

#include "actors/lobby/matchmaker.hpp"
#include "actors/lobby/used_invitations.hpp"
#include "actors/runtime/interfaces.hpp"
#include "actors/runtime/subscription.hpp"
#include "hub/base/spare_nodes.hpp"
#include "hub/core/game_update.hpp"
#include "hub/core/ids.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gamehub::actors::lobby {

// The ids that lists may show, by kind of engine.
class listed_games {
 public:
  void add(std::uint16_t kind, game_id game) { spare_.append(by_kind_[kind], game); }
  void remove(std::uint16_t kind, game_id);
  void clear() { by_kind_.clear(); }

  // Calls `each(id)` for the newest games of one kind, or of every kind, with ids below `id`: at
  // most `most` for each kind.
  template <class Each>
  void for_each_before(std::optional<std::uint16_t> kind, game_id id, std::size_t most,
                       Each each) const {
    for (const auto& [of, games] : by_kind_) {
      if (kind && of != *kind) continue;
      auto at = games.lower_bound(id);
      for (std::size_t n = 0; n < most && at != games.begin(); ++n) each(*--at);
    }
  }

 private:
  std::map<std::uint16_t, std::set<game_id>> by_kind_;
  base::spare_nodes<std::set<game_id>, 64> spare_;
};

class running_games {
 public:
  // What concerns the sleep of a game. Most games never sleep.
  struct sleep_state {
    bool unread = false;   // its log could not be read
    bool on_file = false;  // of one that is asleep: the journal counts it
    base::instant due{};   // of one that is asleep: when it must be awake; max(): never
    seat_set to_move = 0;  // of one that fell asleep here
    std::vector<player_id> slept = {};  // its players who are asleep, or were
    // Its players whose sessions have no seat in it. They have it again when something happens.
    struct released_seat {
      player_id player;
      seat_index seat = 0;
      address_account_ref address = {};  // as of seat_released
    };
    std::vector<released_seat> here = {};
    // Those that the game has told of, while the session has not: it asks to sleep, or wants them.
    seat_set asks_without = 0, wants_back = 0;
    std::uint64_t filing = 0;  // the number of the latest call of put_to_sleep() for it

    seat_set seats_here() const {
      seat_set out = 0;
      for (const auto& each : here) out |= only(each.seat);
      return out;
    }
    bool has_here(player_id player) const {
      return std::any_of(here.begin(), here.end(),
                         [player](const auto& each) { return each.player == player; });
    }
  };

  struct entry {
    runtime::game_actor game = {};              // null: it is asleep
    const engines::host::host* host = nullptr;  // the process of its match; null: this one
    std::unique_ptr<sleep_state> sleeps = {};   // null: the defaults
    std::uint16_t engine = 0;                   // index in the engine directory
    std::uint16_t kind = 0;
    bool closed = false;
    bool lasts = false;  // its players may be away as long as its clock says
    // While it falls asleep, it has an actor that gets no further messages.
    enum class stage : std::uint8_t { awake, falling, asleep, waking } at = stage::awake;
    bool proven = false;  // this process has played or replayed it

    bool awake() const { return at == stage::awake; }
    sleep_state& sleep() {
      if (!sleeps) sleeps = std::make_unique<sleep_state>();
      return *sleeps;
    }
    const sleep_state& sleep() const {
      static const sleep_state none;
      return sleeps ? *sleeps : none;
    }
  };
  // There is an entry for each running game.
  static_assert(sizeof(entry) <= 32);

  // Adds a game that has started. A closed game is not listed.
  void add(game_id, entry);
  // Removes a game. Requires: there is one.
  entry remove(game_id);

  // The game leaves memory: it is asleep until then. Requires: it was falling asleep.
  void set_asleep(game_id, base::instant due);
  // Changes when it must be awake. Requires: it is asleep.
  void set_due(game_id, base::instant due);
  // Its log is read. Requires: it is asleep.
  void set_waking(game_id);
  // It is awake, with this actor. Requires: it is waking.
  void set_awake(game_id, runtime::game_actor);
  // Returns the first game that is due, and when; nothing: no game is asleep with a clock.
  std::optional<std::pair<base::instant, game_id>> first_due() const;
  // The number of games that are asleep, and that the journal does not count.
  std::size_t asleep() const { return asleep_; }

  // Returns null if the game is not running.
  const entry* find(game_id) const;
  entry* find(game_id);

  std::size_t size() const { return games_.size(); }
  std::size_t lasting() const { return lasting_; }
  void clear();
  const listed_games& listed() const { return listed_; }

  // Calls `each(id, entry)` for every running game.
  template <class Each>
  void for_each(Each each) const {
    for (const auto& [id, game] : games_) each(id, game);
  }

 private:
  std::map<game_id, entry> games_;
  base::spare_nodes<std::map<game_id, entry>, 64> spare_;
  listed_games listed_;
  std::set<std::pair<base::instant, game_id>> due_;  // of games that are asleep
  std::size_t lasting_ = 0, asleep_ = 0;
};

class waiting_games {
 public:
  struct entry {
    player_id by;         // the player who opened it
    seat_index seat = 0;  // of that player
    queue_key queue;      // in which it waits
    std::shared_ptr<const game_metadata> metadata;
    std::string invitation;               // party name of the invitation; empty: none is required
    std::vector<player_id> awaits;        // of a rematch: the other players
    std::uint16_t rows = 0, columns = 0;  // of the board; 0: no board
    std::vector<std::shared_ptr<runtime::subscription>> subscriptions = {};
    // Of three seats or more: the other players who have a seat already.
    std::vector<std::pair<player_id, seat_index>> others = {};
    address_account_ref address = {};  // of the player who opened it

    // Returns the seat that is wanted, or the first free one; nothing if it is not free.
    std::optional<seat_index> free_seat(std::optional<seat_index> wanted) const;
  };

  // The tables that a player who fits none of them is tried at.
  static constexpr std::size_t tables_tried_max = 8;

  // Adds a game. It replaces the waiting game of the same player: a player has at most one.
  void add(entry);

  // Adds a player to a waiting game of three seats or more. Requires: the seat is free, and the
  // player waits in no game.
  void add_player(game_id, player_id, seat_index, std::string name, seat_kind);

  // Returns the oldest game of three seats or more in this queue with the wanted seat free, or any
  // seat. Null: none of the oldest has one.
  const entry* find_table(const queue_key&, std::optional<seat_index> wanted) const;

  // Return null if no such game waits.
  entry* find(game_id);
  const entry* find(game_id) const;
  entry* find_invited(const std::string& party);
  // Returns the waiting game of this player, or zero.
  game_id game_of(player_id) const;
  // Returns the players whose rematch waits for this player.
  std::vector<player_id> waiting_for(player_id) const;

  // Returns what an invitation leads to, also one of the latest that were used; or nothing.
  std::optional<invitation_state> find_invitation(const std::string& party) const;

  // The player has another name.
  void rename(player_id, const std::string& name);

  // Removes the game because it starts, and returns the subscriptions to forward to its actor.
  std::vector<std::shared_ptr<runtime::subscription>> start(game_id);

  // The player waits no more. The game stays if other players wait in it. Otherwise it is removed:
  // destroying its subscriptions reports that to the spectators.
  void remove(player_id);

  // The player who opened a game is away, or is back.
  void set_away(player_id, bool away);

  // Neither closed games nor rematches are listed, nor games whose player is away.
  const listed_games& listed() const { return listed_; }
  void clear();

 private:
  void erase(game_id);
  // Changes the players, and tells the spectators of a game of three seats or more.
  static void tell(entry&, std::shared_ptr<const game_metadata> changed);
  // Decides for add() and set_away(), whatever the presence of the player.
  static bool may_be_listed(const entry&);
  // Returns the seat of a player of the waiting game.
  static seat_index seat_of(const entry&, player_id);
  static invitation_state state_of(const entry&, game_status);

  std::map<game_id, entry> games_;
  std::unordered_map<player_id, game_id> by_player_;
  std::unordered_map<std::string, game_id> by_invitation_;
  std::set<std::pair<player_id, player_id>> by_awaited_;  // the awaited and the waiting player
  used_invitations used_;
  listed_games listed_;
  std::map<queue_key, std::set<game_id>> tables_;  // of three seats or more
};

}  // namespace gamehub::actors::lobby
