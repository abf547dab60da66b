// Who plays whom: players wait in queues, first come first served, one queue per engine and
// options. A plain value without runtime; the lobby owns it.
//
// Rules: the first to wait takes the first seat that is free, but nobody another seat than it must
// have or was told. Nobody is seated against itself, or in more games than it asked for. Two whose
// latest opponents were each other are kept apart for limits::rematch_pause, unless one had to be
// told its seat at once. Who wants the house never waits. Who is asked for by name meets who asked
// first; who meets nobody else stands beside the queues, and leaves the first seat to who asks.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "hub/core/ids.hpp"
#include "hub/core/reasons.hpp"
#include "hub/core/time.hpp"

namespace gamehub::actors {

// One engine with one set of options, for everybody or for one party: those with an invitation, or
// those who played together. Parties meet in queues of their own.
struct queue_key {
  std::uint16_t engine = 0;
  std::string options;
  std::string party = {};
  bool closed = false;  // the game is in no list

  friend auto operator<=>(const queue_key&, const queue_key&) = default;
};

struct offer {
  player_id player;
  std::vector<queue_key> queues;
  std::uint32_t games_max = 1;
  bool again = false;                   // stands until withdrawn; else it is used up by one game
  bool seat_at_once = false;            // needs to know its seat now
  std::uint32_t playing = 0;            // games that it is in already
  std::optional<seat_index> seat = {};  // must have it; every table of its queues has that seat
  bool against_house = false;           // the house takes all other seats
  std::string name = {};                // the player's
  std::string opponent = {};            // who must sit opposite; empty: anybody
  bool only_by_name = false;            // meets only those who ask for its name
};

// A table to be opened, its players in the order of their seats; no player: the house.
struct pairing {
  queue_key queue;
  std::vector<player_id> players;
  game_id game = {};  // that one of them was told; none: any
};

struct placement {
  std::optional<seat_index> seat;  // where seat_at_once
  std::vector<pairing> tables;
};

class matchmaker {
 public:
  explicit matchmaker(std::vector<int> players_needed = {})
      : players_needed_(std::move(players_needed)), waiting_(players_needed_.size(), 0) {}

  // How many players a table of this engine takes. Engines are numbered by their kind: whoever
  // waits for one gets its version of the day.
  void know(std::uint16_t engine, int players_needed);

  // Refuses a second offer while the first one stands.
  std::variant<placement, refusal> place(const offer&, instant now);

  // The player was told that it waits for this game: whoever comes to it plays that one. Nobody
  // else who was told of a game does. Requires: an offer that was not used up.
  void reserve(player_id, game_id);

  // A game of this player ended: its standing offer, if any, has one place more.
  void game_ended(player_id, instant now, std::vector<pairing>&);

  // The player has gone away for a while, or is back: meanwhile its offer stands and is not served.
  void set_away(player_id, bool away, instant now, std::vector<pairing>&);

  // Somebody of that name stands to be asked for.
  bool is_ready(const std::string& name) const { return by_name_.contains(name); }

  // A table for two who both stand to be asked for by name, this one in the first seat; or why
  // there is none. With `only_ask` nobody is seated yet.
  std::variant<pairing, refusal> challenge(player_id, const std::string& opponent, bool only_ask,
                                         instant now);

  // Takes the offer back. False if there is none.
  bool withdraw(player_id);

  // The player is gone for good.
  void forget(player_id);

  // Seats those who were kept apart for long enough.
  void advance(instant now, std::vector<pairing>&);
  // When advance() has something to do, if ever.
  std::optional<instant> next() const;

  // Whether the player has an offer that was not used up.
  bool stands(player_id player) const { return seeks_.contains(player); }
  std::size_t waiting(std::uint16_t engine) const { return waiting_[engine]; }

 private:
  struct standing {
    offer what;
    std::uint32_t playing = 0;
    bool away = false;
    std::optional<seat_index> told = {};  // its seat in the next game
    std::size_t house_games = 0;          // that were opened; they go around its queues
    game_id game = {};                    // that it was told of

    std::optional<seat_index> seat() const { return told ? told : what.seat; }
  };
  struct queue_entry {
    player_id player;
    instant since;
  };
  using queue = std::deque<queue_entry>;

  int needed(const queue_key& key) const { return players_needed_[key.engine]; }
  bool in_rematch_pause(const queue_entry&, const queue_entry&, instant now) const;
  // Whether these, together, leave each the opponent and the seat that it must have and the game
  // that it was told.
  bool conflicts(player_id, const std::vector<player_id>&) const;
  std::vector<player_id> by_seat(std::vector<player_id>) const;
  // Takes from the queue those who play with this one, if there are enough; or takes nobody.
  std::vector<player_id> party_for(const queue&, const queue_key&, const queue_entry&) const;
  // Nobody comes to these any more.
  void erase_empty_parties(const std::vector<queue_key>&);
  seat_index seat_to_tell(player_id) const;
  void erase_seek(player_id);
  void play_house(player_id, std::vector<pairing>&);
  bool has_capacity(player_id) const;
  void join_queues(player_id, instant now, std::vector<pairing>&);
  void enter_queue(player_id, const queue_key&, instant now, std::vector<pairing>&);
  // Seats those who ask for a name with who has it; whichever of them comes.
  void pair_with_named(player_id, const queue_key&, instant now, std::vector<pairing>&);
  void pair_with_challengers(player_id, const queue_key&, instant now, std::vector<pairing>&);
  void leave_queues(player_id);
  // The party is in the order of waiting. `entering` is not in the queue yet; it goes there by
  // itself if it has places left.
  void seat(const queue_key&, std::vector<player_id>, player_id entering, instant now,
            std::vector<pairing>&);

  std::vector<int> players_needed_;
  std::unordered_map<player_id, standing> seeks_;
  std::map<queue_key, queue> queues_;
  std::vector<std::size_t> waiting_;
  std::unordered_map<player_id, player_id> latest_opponent_;
  std::multimap<instant, queue_key> rematch_pauses_;
  std::size_t named_seeks_ = 0;                            // offers with an opponent's name
  std::unordered_map<std::string, player_id> by_name_;  // who stands to be asked for
};

}  // namespace gamehub::actors
