// Pairs players. They wait in queues, first come first served, one queue per engine and options. A
// plain value without runtime; the lobby owns it and uses it on its loop.
//
// The cost of a call does not depend on the number of waiting players: a queue is an index by
// required opponent, name and seat, and a rematch pause is kept with the waiting player.
#pragma once

#include "actors/lobby/standing_seek_counts.hpp"
#include "hub/base/spare_nodes.hpp"
#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/reasons.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::actors::lobby {

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
//   unless the seat of one of them had to be reported immediately, or no other player could come:
//   both play nothing, no other player waits in the queue, and no other standing seek is for it.
// - A seek against an engine is never queued.
// - A standing seek by name is not queued: the challenger takes the first seat, and the first
//   challenger is served first.
// - Engines and bots take their seats of a table once players have all others. A bot that is not
//   ready then is waited for, and serves those first who waited for it first.
// - Without room for a table no player is paired. A standing seek then waits for room, and is
//   served before later ones.
// - A player who has no game is served at once. Further games of players wait, as for room, when
//   this turn of the loop has opened its tables: the moves of others come between.
class matchmaker {
 public:
  // The tables of all calls in one turn of the loop, without those against engines and the first
  // game of a player, and the places that one call looks at again. If more are due, next() returns
  // a time that has passed.
  static constexpr std::size_t tables_per_turn_max = 16;
  static constexpr std::size_t retries_per_call_max = 32;
  // The waiting tables of three seats or more that a player who fits none of them is tried at.
  static constexpr std::size_t tables_tried_max = 8;
  // More players than a game has seats.
  static constexpr std::size_t group_max = 64;
  // The clocks that a player who is asked for by name looks at for challengers, in one call.
  static constexpr std::size_t clocks_tried_max = 64;

  explicit matchmaker(std::vector<int> players_needed = {})
      : players_needed_(std::move(players_needed)), waiting_(players_needed_.size(), 0) {}
  // Queues refer to the strings of seeks.
  matchmaker(const matchmaker&) = delete;
  matchmaker& operator=(const matchmaker&) = delete;

  // Sets the number of players of an engine. `engine` is the kind, because a seek is for the newest
  // version.
  void set_players(std::uint16_t engine, int players_needed);

  // Sets the number of tables that can be opened now. Each pairing uses one.
  void set_room(std::size_t tables) { room_ = tables; }

  // A turn of the loop begins: its calls may open tables_per_turn_max tables. Before the first turn
  // there is no bound.
  void begin_turn() { tables_left_ = tables_per_turn_max; }

  // Adds a seek and pairs it if possible. Refuses a second seek while the first one exists.
  std::variant<placement, refusal> place(open_seek, base::instant now);

  // Pairs the player with one that waits in a queue of the seek, whom it names itself: neither
  // order nor pauses count. An earlier seek of the player is withdrawn. A refusal changes nothing.
  // Requires: the seek has one queue, stands for one game, and names no opponent.
  std::variant<placement, refusal> join(const open_seek&, player_id host, base::instant now);

  // The standing seek of the player waits for one game in the queue and with the seat of this seek,
  // in place of those that it had: until that game begins, or end_rematch(). A refusal changes
  // nothing.
  std::variant<placement, refusal> seek_rematch(const open_seek&, base::instant now);
  // The standing seek waits as before. Returns false if it does.
  bool end_rematch(player_id, base::instant now, std::vector<pairing>&);

  // The player has another name.
  void rename(player_id, const std::string& name, base::instant now);

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
  // True if it also plays that engine, with whatever options.
  bool is_ready(const std::string& name, std::uint16_t engine) const;
  // True if that player is ready for the engine, but with other clocks only.
  bool refuses_clock(const std::string& name, std::uint16_t engine, const clock_rule&) const;

  // Pairs two players with standing seeks by name, the challenger in the first seat, or returns the
  // refusal. With `only_ask` it only checks and seats no player.
  std::variant<pairing, refusal> challenge(player_id, const std::string& opponent, bool only_ask,
                                           base::instant now);

  struct found_opponent {
    player_id who;
    // Of three seats or more: the players that wait for this game, who are not enough for it.
    std::uint32_t gathered = 0;
    std::vector<player_id> group = {};  // as group_of()
  };
  // Returns the player that would be seated with this seek if it were placed now. Changes nothing.
  std::optional<found_opponent> find_opponent(const open_seek&);
  // The players that wait with this one for a game of three seats or more, itself included.
  std::uint32_t gathered(player_id) const;
  // Returns them, but at most group_max.
  std::vector<player_id> group_of(player_id) const;
  // True if the player waits in a queue.
  bool waits(player_id) const;

  // Removes the seek. Returns false if the player has no seek.
  bool withdraw(player_id);

  // The player has left the hub.
  void remove(player_id);

  // Pairs players who waited for room, and players whose rematch pause has expired.
  void advance(base::instant now, std::vector<pairing>&);
  // Returns the time of the next advance(), or nothing. It may have passed.
  std::optional<base::instant> next() const;

  // True if the player has a standing seek with a free seat.
  bool may_play_more(player_id) const;
  // True if the player has a seek that is not used up.
  bool has_standing_seek(player_id player) const { return seeks_.contains(player); }
  // The number of players who wait for others or for room, by engine.
  const std::vector<std::size_t>& waiting() const { return waiting_; }
  std::size_t waiting(std::uint16_t engine) const { return waiting_[engine]; }
  bool waits_for_room() const { return !waiting_for_room_.empty(); }

  // The number of index entries that all calls have searched, added and removed, for tests.
  std::uint64_t steps() const { return steps_; }

 private:
  // Places in queues and visits of queues share one series of numbers: the order of arrival.
  using number = std::uint64_t;
  static constexpr number last_number = std::numeric_limits<number>::max();

  // A player in a queue. Without opponent or name the text is empty, without seat the seat is -1.
  // Each player has one entry with its name and one without.
  struct index_key {
    std::string_view opponent, name;
    seat_index seat = -1;
    bool reserved = false;  // has a reported game id
    number place = 0;

    friend auto operator<=>(const index_key&, const index_key&) = default;
  };
  // A queue is looked at again one pause after each arrival of a player who has to wait.
  struct visit {
    base::instant at;
    number order = 0;

    friend auto operator<=>(const visit&, const visit&) = default;
  };
  struct retry {
    base::instant from;
    number place = 0;

    friend auto operator<=>(const retry&, const retry&) = default;
  };
  using index_map = std::map<index_key, player_id>;
  struct queue {
    queue_key key;
    std::size_t size = 0;
    index_map index;
    std::map<seat_index, std::ptrdiff_t> seats;  // the number of players who require a seat
    // The places that a visit from that time on has to look at. The players of any other two places
    // can't share a table. At most one entry per place.
    std::map<retry, player_id> retries;
    // Of three seats or more: the players who were told the same id, in queue order.
    std::map<game_id, std::map<number, player_id>> tables;
    std::set<visit> visits;    // the times of the last second
    std::optional<visit> due;  // the next visit; set if there is something to do
    bool listed_as_empty = false;
  };
  struct place_in {
    queue* in = nullptr;
    number place = 0;
    base::instant since;
    std::optional<base::instant> retry_from = {};
    index_map::iterator unnamed = {}, named = {};  // its entries; without a name only the former
  };
  // The largest queue of the player for three seats or more, or null.
  const queue* largest_group(player_id) const;
  static std::vector<player_id> players_in(const queue&);
  // What a standing seek that waits for a rematch waits for otherwise.
  struct usual_place {
    std::vector<queue_key> queues;
    std::optional<seat_index> seat;
    std::string opponent;
    bool has_begun = false;  // the rematch
  };
  struct standing_seek {
    explicit standing_seek(open_seek&& of) : what(std::move(of)), playing(what.playing) {}

    open_seek what;
    std::uint32_t playing;
    bool away = false;
    std::optional<seat_index> reported_seat = {};  // its seat in the next game
    std::size_t engine_games =
        0;              // number of games opened against an engine; they rotate over its queues
    game_id game = {};  // the reported id
    std::vector<place_in> places = {};
    std::optional<number> waits_for_room = {};
    std::unique_ptr<usual_place> usual = {};  // null: the seek waits for no rematch
    number waits_for_bot = 0;                 // the order in which bots serve it; 0: it lacked none

    std::optional<seat_index> seat() const { return reported_seat ? reported_seat : what.seat; }
    bool has_capacity() const {
      return !away && !(usual && usual->has_begun) && playing < what.games_max;
    }
    place_in* place(const queue&);
  };
  using seek_map = std::unordered_map<player_id, standing_seek>;
  struct waiter {
    number place = 0;
    player_id player;
  };
  struct pause {
    player_id opponent;
    base::instant end;
  };
  struct room_waiter {
    player_id player;
    std::vector<std::uint16_t> engines;  // of the queues that it is not in; it counts as waiting
  };
  // What a further player must be like to share a table with those added.
  struct requirements {
    seat_set taken = 0;
    bool reserved = false;
    bool contradictory = false;    // two players require different opponents
    std::string_view name = {};    // the required name; empty: any
    std::string_view of_all = {};  // the name of all players; empty: their names differ
    void add(const standing_seek&);
    bool empty = true;
  };

  int seats_of(const queue_key& key) const {
    if (!key.fillers.empty()) return static_cast<int>(key.fillers.size());
    return key.players != 0 ? key.players : players_needed_[key.engine];
  }
  // The seats that players take.
  int needed(const queue_key& key) const {
    return seats_of(key) - static_cast<int>(count_filled(key.fillers));
  }
  // Returns the seek of the player if it has a place for one more game, or null.
  standing_seek* find_free(player_id);
  bool can_open() const { return room_ > 0 && tables_left_ > 0; }
  void use_room();
  // A call for a player without a game may open one table, however many this turn has opened.
  void begin_call(base::instant now, bool without_game);
  // Returns those whose rematch has begun to their queues, which may seat them and others.
  void end_call(base::instant now, std::vector<pairing>&);
  void erase_empty_queues();

  // Queues.
  queue& queue_of(const queue_key&);
  queue* find_queue(const queue_key&);
  void add_to_index(const standing_seek&, place_in&);
  void remove_from_index(const standing_seek&, const place_in&);
  // Calls `change`, which changes the seat or the reported id of the seek, and updates the queues.
  template <class Change>
  void update(standing_seek&, Change);
  void enter(standing_seek&, queue&, base::instant now);
  void leave(standing_seek&, queue&);
  void leave_queues(standing_seek&);
  void erase_seek(seek_map::iterator);
  void swap_places(standing_seek&);
  void return_to_queues(player_id, base::instant now, std::vector<pairing>&);
  void enter_room_queue(standing_seek&, number order);
  // Returns the order that the player had.
  std::optional<number> leave_room_queue(standing_seek&);
  void list_if_empty(queue&);
  void erase_if_empty(queue&);
  // Returns the seek of a player who still has this place, or null.
  standing_seek* seek_at(const queue&, const waiter&);

  // The first player in the queue who meets the requirements and requires exactly this opponent.
  // The place is between the two numbers.
  std::optional<waiter> first(const queue&, const requirements&, std::string_view opponent,
                              number after, number before, player_id except);
  // The same with or without a required opponent, for a table with this player.
  std::optional<waiter> first_for(standing_seek&, queue&, number after, number before,
                                  base::instant now);
  // Returns the opponent in the queue with whom the player, waiting since then, is in its rematch
  // pause, and the end of the pause.
  std::optional<pause> paused_opponent(player_id, const queue&, base::instant since,
                                       base::instant now);

  // True if only these two players wait in the queue, or may come to it after a game.
  bool are_alone(queue&, player_id, player_id);
  // Returns the players in seat order, with the bots of the queue. Zero: an engine.
  std::vector<player_id> by_seat(const queue_key&, const std::vector<player_id>&) const;
  // Returns the players of the queue to seat with this one. Fewer than needed: no table.
  std::vector<player_id> party_for(queue&, const standing_seek&, base::instant now);
  // The same for three seats or more. The players of a reported id are taken together.
  std::vector<player_id> big_party_for(const queue&, const standing_seek&);
  // Adds the players of a table to the party if all of them fit.
  bool add_table(const queue&, game_id, player_id except, std::size_t others,
                 std::vector<player_id>& party, requirements&) const;
  // Returns the first bot of the table that can't begin a game of this queue now, or null.
  const std::string* missing_bot(const queue_key&);
  // Seats the player, if it is in the queue, as often as its table is complete.
  void complete_table(player_id, const queue_key&, base::instant now, std::vector<pairing>&);
  // The bot can begin games: seats those who wait for it.
  void serve_tables(player_id bot, base::instant now, std::vector<pairing>&);
  void wait_for_bot(player_id, const std::string& name, std::uint16_t engine);
  void forget_bots(const standing_seek&);
  seat_index seat_to_report(const standing_seek&);
  void play_engine(player_id, std::vector<pairing>&);
  void join_queues(player_id, base::instant now, std::vector<pairing>&);
  // Requires: the seek has capacity.
  void join_queue(standing_seek&, queue&, base::instant now, std::vector<pairing>&);
  // True if the seek, which is by name, is for games of this queue.
  static bool plays(const open_seek&, const queue_key&);
  // Pair challengers with the player of that name, in both orders of arrival. The first one returns
  // the seek if it has capacity left, or null. Requires: it has some.
  standing_seek* pair_with_named(standing_seek&, const queue_key&, base::instant now,
                                 std::vector<pairing>&);
  void pair_with_challengers(player_id, const queue_key&, base::instant now, std::vector<pairing>&);
  // Creates the pairing of these players, who are in the order of the queue of that key; null:
  // there is no such queue. `entering` is not in the queue yet; its caller adds it if it has
  // capacity left.
  void seat(const queue_key&, queue*, std::vector<player_id>, player_id entering, base::instant now,
            std::vector<pairing>&);

  // Visits.
  void add_visit(queue&, base::instant at);
  void set_retry(standing_seek&, place_in&, std::optional<base::instant> from);
  void schedule(queue&);
  // Pairs each player of the queue, in order, with the first one before it. Returns false if a
  // bound was reached; another visit has to continue.
  bool visit_queue(queue&, base::instant now, std::size_t& looked_at, std::vector<pairing>&);
  // Returns false if there is no room left.
  bool pair_in_order(queue&, const std::vector<waiter>& due, base::instant now,
                     std::vector<pairing>&);
  void admit_waiting(base::instant now, std::vector<pairing>&);

  std::vector<int> players_needed_;
  seek_map seeks_;
  std::map<queue_key, queue> queues_;
  queue* latest_queue_ = nullptr;  // that was looked up
  std::vector<std::size_t> waiting_;
  std::unordered_map<player_id, player_id> latest_opponent_;
  std::map<visit, queue*> due_;  // at most one per queue
  visit visited_{};              // earlier visits have been made, or had nothing to do
  std::vector<queue*> empty_;    // queues that may have to be erased at the end of the call
  std::map<number, room_waiter> waiting_for_room_;
  standing_seek_counts standing_;
  base::spare_nodes<index_map, 16> spare_;
  std::vector<player_id> begun_rematches_;  // in this call
  number numbers_ = 0;
  std::size_t room_ = std::numeric_limits<std::size_t>::max();
  std::size_t tables_left_ = std::numeric_limits<std::size_t>::max();  // in this turn
  std::size_t named_seeks_ = 0;                         // number of seeks with a required opponent
  std::unordered_map<std::string, player_id> by_name_;  // standing seeks by name
  // The players whose tables lacked only the bot of that name, in the order in which they came.
  std::set<std::tuple<std::string, std::uint16_t, number, player_id>> waiting_for_bot_;
  std::uint64_t steps_ = 0;
};

}  // namespace gamehub::actors::lobby
