// A table: one match, the players at it, and the rules of play. A plain value without runtime. Each
// call appends to a transition the records to log and the events to send once those records are
// committed. A game actor owns the table, logs the records and sends the events. A watched table
// also makes the updates for spectators, and for players who read updates those with their own
// view; each action is applied once, and each position is rendered once for all who see the same.
#pragma once

#include "actors/table/game_offers.hpp"
#include "actors/table/position_store.hpp"
#include "actors/table/substitutes.hpp"
#include "engines/host/engine.hpp"
#include "engines/host/observation.hpp"
#include "hub/base/random.hpp"
#include "hub/base/require.hpp"
#include "hub/core/event.hpp"
#include "hub/core/player_clocks.hpp"
#include "hub/core/spectator_service.hpp"
#include "hub/core/wire.hpp"
#include "hub/journal/record.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gamehub::actors::table {

// One seat of a table and its player.
struct table_seat {
  player_id player;
  std::string name;
  view_form form = view_form::cells;
  bool can_return = false;  // has a resume token, which is valid after a restart too
  client_features features = {};
  // Its client can be connected to another hub than the game's (wire_info::crossing).
  bool can_follow = false;
  // An engine plays this seat at this level. The seat receives no events.
  std::optional<engines::level> engine_level = {};
  // The time of the last message from the player.
  base::wall_time last_seen = {};
};
static_assert(sizeof(table_seat) <= 64, "each idle game has two or more");

// Origin of a player, for the log.
struct join {
  std::string secret;  // digest of the resume token; empty: none
  std::string wire;    // name of the protocol
};

// The result of one call: records to log, and events to send when they are committed.
struct transition {
  struct outbound_event {
    seat_index to = 0;
    event what;
  };

  // The clock before the call. A turn that begins in the call has the whole time of a turn.
  struct clock_reading {
    base::instant at{};
    std::chrono::milliseconds turn_time{0};  // zero: no limit, or the table has the clocks
    std::chrono::milliseconds left{0};
    std::uint64_t turn = 0;
    bool runs = false;
    hub_lateness late = {};  // for the clocks of the table
  };

  // Of the game, for the events and the clocks: set by the caller.
  clock_reading clock;
  std::shared_ptr<const game_terms> terms;  // for `started`

  // Of all transitions before. Not cleared.
  position_store positions;

  std::vector<journal::record> records;
  std::vector<outbound_event> outbound;
  // Of a watched table: the public form of each record, still without its time.
  std::vector<std::shared_ptr<game_update>> updates;
  // The same updates as the players of set_own_views() see them.
  std::vector<std::shared_ptr<game_update>> own_updates;
  // The seat (engines::chance: a draw) for which the engine acted last, and the action that it
  // applied or failed to apply, for the log of failures.
  struct attempt {
    int seat = 0;
    std::optional<engines::action> what;
  };
  std::optional<attempt> attempted;
  // The failure of the engine that ended `updates`. The players' game goes on.
  std::optional<engines::host::engine_failure> view_failure;
  // Time of turns that was not charged to players because the hub was late.
  std::chrono::microseconds credited{0};

  void clear() {
    records.clear(), outbound.clear(), updates.clear(), own_updates.clear();
    view_failure.reset(), terms.reset(), attempted.reset();
    credited = {};
  }
};

class table {
 public:
  // The match has as many players as there are seats.
  table(game_id, const engines::host::engine&, engines::host::match, std::vector<table_seat>);

  // The players have clocks of this kind, which has a store of time. Called before open() or
  // restore().
  void use_clocks(const clock_rule& rule) {
    clocks_ = std::make_unique<player_clocks>(rule, seats_.size());
  }
  // Null: the players have no store of time.
  player_clocks* clocks() { return clocks_.get(); }
  const player_clocks* clocks() const { return clocks_.get(); }

  // Keeps the actions from now on if the search of an engine seat replays them, also of one that is
  // to come. `options` are those of the match. Called before open() or restore().
  void keep_actions(const std::string& options);
  // The kept actions, or null.
  const engines::host::played_game* played() const { return played_.get(); }

  // Starts the game: logs the first records and sends `started` and the first position to every
  // player. There are as many joins as seats. `clock_text` is the clock for the log, or empty.
  void open(std::span<const join>, base::random_source&, transition&, bool closed = false,
            std::string clock_text = {});

  // Continues after the last of these records. The match is the result of their replay. Clocks
  // stand still until they are resumed.
  void restore(std::span<const journal::record>);

  // Makes updates from the next record on, or no more if the metadata is null. The table is not
  // watched any more if it could not make an update; spectators then read the log.
  void set_watched(std::shared_ptr<const game_metadata>);
  // Sets the seats for which updates have the player's own view, from the next record on. Requires:
  // the table is watched.
  void set_own_views(seat_set);
  bool watched() const { return watched_ != nullptr; }

  // Applies the move of a player or refuses it; then plays the immediate engine moves.
  void play(seat_index, const receipt&, move, base::random_source&, transition&);

  // Answers a move that was made before and is said again, with the present position.
  void answer_again(seat_index, const receipt&, transition&);

  // Applies the action that a search found at the turn with that number. Does nothing if the turn
  // is over. Throws engine_failure if the action is not legal.
  void apply_engine_move(seat_index, std::uint64_t turn, engines::action, base::random_source&,
                         transition&);

  // Plays the engine moves that need no search, as play() and open() do. A restored game calls it.
  void play_immediate_engine_moves(base::random_source&, transition&);

  // Logs a chat message and confirms it to its author. Spectators receive it from the log.
  void chat(seat_index, const receipt&, std::string text, transition&);

  // Reads the committed log of the game; nothing: it can't be read.
  using log_reader = std::function<std::optional<journal::game_log>()>;

  // A player offers a draw or a takeback, answers such an offer, or withdraws its own. What all
  // players have accepted is carried out. The log has all records of this table so far.
  void offer(seat_index, const receipt&, const gamehub::offer&, base::instant now,
             const log_reader&, base::random_source&, transition&);
  // A player claims the win from absent ones: they leave. Refused without absent players.
  void claim(seat_index, const receipt&, seat_set absent, base::random_source&, transition&);
  // Returns the offers that stand.
  std::vector<offer_update> open_offers() const;

  // The player of the seat has another name: logs it and notifies all players. After the end it
  // only changes the name.
  void rename(seat_index, std::string name, transition&);
  // The player of the seat, which had no resume token, has the one of this digest now.
  void set_digest(seat_index, std::string digest, transition&);

  // The player of the seat leaves or has disconnected. If the game can go on, an engine plays the
  // seat on and the game has ended for this player; otherwise the others win. Does nothing after
  // the end, also that of this player.
  void leave(seat_index, const receipt&, base::random_source&, transition&,
             leave_cause = leave_cause::quit);

  // A player whose time ran out is there again and plays its seat from now on, if an engine does.
  void come_back(seat_index, transition&);

  // Like leave(), but without a result: after a restart, while not all players have reconnected.
  void leave_without_result(seat_index, const receipt&, transition&);

  // Sends `started` and the current position to one player again; the position prompts the player
  // if it is to move. `form` and the features are those of the player's new attachment.
  void resend_position(seat_index, view_form, transition&, client_features = {});

  // Sets the seats whose clients are away. If they have changed, the clients that want presence get
  // their position again, as after a rename; if `repeat` is set, in any case.
  void set_away(seat_set, transition&, bool repeat = false);

  // The seats that are still to move in this turn lose, or an engine plays them on; with a store of
  // time those who have none left, who do not come back. Does nothing if the turn is over.
  void on_turn_expired(std::uint64_t turn, base::random_source&, transition&);

  // Sets the time of the last message from the seat's player.
  void set_last_seen(seat_index seat, base::wall_time at) {
    seats_[static_cast<std::size_t>(seat)].last_seen = at;
  }

  // Ends the game without a result. The note is for the log.
  void end(end_reason, std::string note, transition&);

  // Ends the game because of a fault, without an engine call: the positions have neither cells nor
  // document. An end that was logged before the fault stays. The seats of `announced` get `started`
  // first, because they have not received it.
  void abandon(transition&, seat_set announced = 0);

  // Destroys the match, which may throw engine_failure. No other call may follow.
  void destroy_match() { match_.destroy(); }

  bool over() const { return outcome_ != nullptr; }
  // Returns the outcome of a game that is over.
  const gamehub::outcome& outcome() const {
    GAMEHUB_REQUIRE(outcome_ != nullptr);
    return *outcome_;
  }
  // Returns the seats to move. Throws engine_failure if the engine names a seat that does not
  // exist.
  seat_set to_move() const;
  // Return the seats that an engine plays now, the others, and those of the former that need no
  // search.
  seat_set engine_seats() const { return immediate_seats_ | search_seats_; }
  seat_set player_seats() const {
    return (only(static_cast<seat_index>(seats_.size())) - 1) & ~engine_seats();
  }
  seat_set immediate_engine_seats() const { return immediate_seats_; }
  const substitutes& substituted() const { return substitutes_; }
  // The seats without a player: engine opponents, and the seats of players who are gone for good.
  seat_set unattended() const { return substitutes_.engines() | substitutes_.gone(); }
  // Returns the level at which an engine plays the seat. Requires: one of engine_seats().
  engines::level level_at(seat_index) const;
  // Returns the seats that have been prompted and have not moved since.
  seat_set awaited() const { return prompted_; }
  // Returns the seats to move that need a search.
  seat_set seats_awaiting_search() const;
  // Returns the players' clocks; empty: no clock, or the game is over.
  game_clock clock(const transition::clock_reading& at) const {
    game_clock out;
    read_clock(at, out);
    return out;
  }
  // Returns the number of turns that have started. Each turn has its own time limit.
  std::uint64_t turn() const { return turn_; }
  // Prefetches the data that a move reads.
  void prefetch() const {
    match_.prefetch();
    for (const auto& s : seats_) __builtin_prefetch(&s);
  }
  game_id id() const { return id_; }
  const engines::host::match& match() const { return match_; }
  const std::vector<table_seat>& seats() const { return seats_; }

 private:
  // The engine's to_move(), which is read once after each action.
  engines::seats status() const;
  journal::record& log(journal::record::kind, transition&);
  // Reads what spectators may know of an action that is to be applied. The table is watched.
  void describe(engines::action, bool hidden, transition&);
  // Applies and logs an action. Returns nullptr, or the engine's reason for a refusal.
  const char* apply(journal::record::kind, int seat, engines::action, transition&);
  void apply_chance(base::random_source&, transition&);
  void finish(gamehub::outcome, transition&);
  void forfeit(seat_set losers, end_reason, transition&, std::string_view note = {});
  // Returns why the seat can't offer that now; empty: it can. Of a takeback, the log is there.
  std::string_view why_no_offer(seat_index, offer_kind) const;
  void log_offer(const game_offers::change&, transition&);
  // The player of the seat leaves, or can't answer: its offers, and those to it, end. Returns true
  // if there were any.
  bool withdraw_offers(seat_index, transition&);
  void carry_out(const game_offers::standing&, const journal::game_log*, base::random_source&,
                 transition&);
  // An engine plays these seats from now on.
  void substitute(seat_set, leave_cause, base::random_source&, transition&);
  // An engine plays the seat, or plays it no more.
  void set_engine_plays(seat_index, bool);
  // True if the seat has a player who gets events.
  bool has_player(seat_index seat) const { return !holds(unattended(), seat); }
  void refuse(seat_index, const receipt&, refusal, std::string_view detail, move, transition&);
  engines::host::match::parsed read(seat_index, const move&) const;
  void apply_engine_action(seat_index, engines::action, base::random_source&, transition&);
  // Continues after a logged move and publishes the position.
  void after_move(seat_index, const receipt&, base::random_source&, transition&);
  // The turns of seats that are to move begin at that moment. Returns those seats.
  seat_set start_turns(base::instant);
  // Stops the clock of a seat that has moved, and logs what is left to it.
  void charge(seat_index, const receipt&, transition&);
  void publish_position(std::optional<seat_index> by, const receipt& answers, seat_set prompted,
                        transition&);
  position_ref render(int viewer, view_form, std::optional<seat_index> by, seat_set prompted,
                      transition&) const;
  position_ref render_public(transition&) const;
  // As clock(). Requires: `out` is that of no clock.
  void read_clock(const transition::clock_reading&, game_clock& out) const;
  // Returns the position with score and summary, which positions of players do not have.
  position_ref with_score(position_ref) const;
  // Renders the public position as the player of the seat sees it.
  position_ref render_own(seat_index, const position_ref& shown) const;
  // Makes the updates of the records that have none. `then` is a function that returns the
  // position. `has_views`: the engine can be asked for the views of players.
  template <class Position>
  void publish_updates(Position then, bool has_views, transition&);
  // Adds the updates from this index on as the players of set_own_views() see them.
  void publish_own_updates(std::size_t first, const position_ref& shown, bool has_views,
                           transition&);
  void repeat_position(transition&);
  void add_started(seat_index, transition&) const;

  game_id id_;
  const engines::host::engine* engine_;
  engines::host::match match_;
  std::vector<table_seat> seats_;
  journal::record_number last_record_ = 0;
  std::uint64_t turn_ = 0;
  std::uint16_t chats_ = 0;
  std::uint8_t lists_refused_ = 0;         // refusals with a list of actions since the latest move
  std::unique_ptr<game_offers> offers_;    // null: there was none
  std::unique_ptr<player_clocks> clocks_;  // null: no player has a store of time
  seat_set prompted_ = 0;                  // prompted, and has not moved since
  seat_set immediate_seats_ = 0, search_seats_ = 0;  // seats
  substitutes substitutes_;
  seat_set wants_actions_ = 0;                       // seats whose clients want the legal actions
  seat_set away_ = 0;                                // set_away()
  mutable std::optional<engines::seats> status_;     // none: not read since the last action
  std::unique_ptr<const gamehub::outcome> outcome_;  // null: the game goes on
  struct projection {
    std::shared_ptr<const game_metadata> game;
    std::optional<legal_action> action;  // the latest one; none: the engine has no text for it
    std::optional<engines::host::engine_failure> undescribed;  // why there is no text
    seat_set own = 0;                                          // set_own_views()
  };
  std::unique_ptr<projection> watched_;                 // null: no spectators
  std::unique_ptr<engines::host::played_game> played_;  // null: no search replays the game
};

}  // namespace gamehub::actors::table
