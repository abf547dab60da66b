// Pairs players. They wait in queues, first come first served, one queue per engine and options. A
// plain value without runtime; the lobby owns it and uses it on its loop.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/reasons.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::actors::lobby {

// One engine with one set of options, for all players or for one party: the players with the same
// invitation, or the players of a rematch. Each party has a separate queue.
struct queue_key {
  std::uint16_t engine = 0;
  std::string options;
  std::string party = {};
  bool closed = false;  // the game is not listed

  friend auto operator<=>(const queue_key&, const queue_key&) = default;
};

// A seek of one player.
struct open_seek {
  player_id player;
  std::vector<queue_key> queues;
  std::uint32_t games_max = 1;
  bool again = false;                   // stands until withdrawn; otherwise one game uses it up
  bool seat_at_once = false;            // the seat must be reported in the reply
  std::uint32_t playing = 0;            // number of running games of the player
  std::optional<seat_index> seat = {};  // required seat; it exists in every queue of the seek
  bool against_engine = false;          // engines take all other seats
  std::string name = {};                // name of the player
  std::string opponent = {};            // name of the required opponent; empty: any
  bool only_by_name = false;            // pairs only with challengers of this name
};

// A table to open, with its players in seat order. A zero id is an engine.
struct pairing {
  queue_key queue;
  std::vector<player_id> players;
  game_id game = {};  // the id that was reported to one of them; zero: a new id
};

// The result of a seek.
struct placement {
  std::optional<seat_index> seat;  // set if seat_at_once
  std::vector<pairing> tables;
};

// Rules:
// - The first player in the queue takes the first free seat. A player with a required or reported
//   seat gets that seat.
// - A player is not paired with itself, and not seated in more games than its seek allows.
// - Two players whose latest opponents were each other are not paired for limits::rematch_pause,
//   unless the seat of one of them had to be reported immediately.
// - A seek against an engine is never queued.
// - A standing seek by name is not queued: the challenger takes the first seat, and the first
//   challenger is served first.
class matchmaker {
 public:
  explicit matchmaker(std::vector<int> players_needed = {})
      : players_needed_(std::move(players_needed)), waiting_(players_needed_.size(), 0) {}

  // Sets the number of players of an engine. `engine` is the kind, because a seek is for the newest
  // version.
  void set_players(std::uint16_t engine, int players_needed);

  // Adds a seek and pairs it if possible. Refuses a second seek while the first one exists.
  std::variant<placement, refusal> place(const open_seek&, base::instant now);

  // Binds the seek of the player to a game id that was reported to it. Its opponents play that
  // game, so two players with reported ids are not paired. The player has a seek.
  void reserve(player_id, game_id);

  // A game of this player ended: its standing seek, if any, has one more free seat.
  void game_ended(player_id, base::instant now, std::vector<pairing>&);

  // The player has lost its last attachment, or has one again. The seek of an absent player stays
  // but is not paired.
  void set_away(player_id, bool away, base::instant now, std::vector<pairing>&);

  // True if a player of that name has a standing seek by name.
  bool is_ready(const std::string& name) const { return by_name_.contains(name); }

  // Pairs two players with standing seeks by name, the challenger in the first seat, or returns the
  // refusal. With `only_ask` it only checks and seats no player.
  std::variant<pairing, refusal> challenge(player_id, const std::string& opponent, bool only_ask,
                                           base::instant now);

  // Removes the seek. Returns false if the player has no seek.
  bool withdraw(player_id);

  // The player has left the hub.
  void remove(player_id);

  // Pairs players whose rematch pause has expired.
  void advance(base::instant now, std::vector<pairing>&);
  // Returns the time of the next advance(), or nothing.
  std::optional<base::instant> next() const;

  // True if the player has a seek that is not used up.
  bool has_standing_seek(player_id player) const { return seeks_.contains(player); }
  std::size_t waiting(std::uint16_t engine) const { return waiting_[engine]; }

 private:
  struct standing_seek {
    open_seek what;
    std::uint32_t playing = 0;
    bool away = false;
    std::optional<seat_index> reported_seat = {};  // its seat in the next game
    std::size_t engine_games =
        0;              // number of games opened against an engine; they rotate over its queues
    game_id game = {};  // the reported id

    std::optional<seat_index> seat() const { return reported_seat ? reported_seat : what.seat; }
  };
  struct queue_entry {
    player_id player;
    base::instant since;
  };
  using queue = std::deque<queue_entry>;

  int needed(const queue_key& key) const { return players_needed_[key.engine]; }
  bool in_rematch_pause(const queue_entry&, const queue_entry&, base::instant now) const;
  // True if the player cannot share a table with these: required opponents, seats or reported ids
  // differ.
  bool conflicts(player_id, const std::vector<player_id>&) const;
  std::vector<player_id> by_seat(std::vector<player_id>) const;
  // Returns the players of the queue to seat with this one. Fewer than needed: no table.
  std::vector<player_id> party_for(const queue&, const queue_key&, const queue_entry&) const;
  // Removes the empty queues of parties.
  void erase_empty_parties(const std::vector<queue_key>&);
  seat_index seat_to_report(player_id) const;
  void erase_seek(player_id);
  void play_engine(player_id, std::vector<pairing>&);
  bool has_capacity(player_id) const;
  void join_queues(player_id, base::instant now, std::vector<pairing>&);
  void join_queue(player_id, const queue_key&, base::instant now, std::vector<pairing>&);
  // Pair challengers with the player of that name, in both orders of arrival.
  void pair_with_named(player_id, const queue_key&, base::instant now, std::vector<pairing>&);
  void pair_with_challengers(player_id, const queue_key&, base::instant now, std::vector<pairing>&);
  void leave_queues(player_id);
  // Creates the pairing of these players, who are in queue order. `entering` is not in the queue
  // yet; its caller adds it if it has capacity left.
  void seat(const queue_key&, std::vector<player_id>, player_id entering, base::instant now,
            std::vector<pairing>&);

  std::vector<int> players_needed_;
  std::unordered_map<player_id, standing_seek> seeks_;
  std::map<queue_key, queue> queues_;
  std::vector<std::size_t> waiting_;
  std::unordered_map<player_id, player_id> latest_opponent_;
  std::multimap<base::instant, queue_key> rematch_pauses_;
  std::size_t named_seeks_ = 0;                         // number of seeks with a required opponent
  std::unordered_map<std::string, player_id> by_name_;  // standing seeks by name
};

}  // namespace gamehub::actors::lobby
