// The game actor: a table with a mailbox, a turn timer and a commit gate. The table applies the
// rules; the actor logs the records, waits for the commit, and then sends the events to players and
// spectators. The lobby or the recovery spawns it, and the lobby monitors it. It runs on one loop.
#pragma once

#include "actors/runtime/actor_base.hpp"
#include "actors/runtime/interfaces.hpp"
#include "actors/runtime/search_pool.hpp"
#include "actors/spectate/spectator_list.hpp"
#include "actors/table/commit_gate.hpp"
#include "actors/table/engine_directory.hpp"
#include "actors/table/table.hpp"
#include "actors/table/turn_reports.hpp"
#include "hub/core/absence_listener.hpp"
#include "hub/core/clock_policy.hpp"
#include "hub/journal/journal.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::actors::game {

// Data that all games of one loop share. It outlives them.
struct game_setup {
  const table::engine_directory* directory = nullptr;
  journal::journal* log = nullptr;
  base::random_source* random = nullptr;
  clock_rule clock;                     // of games whose log has none
  std::chrono::seconds rejoin_time{0};  // after a restart
  table::transition scratch;            // used by the game whose message is being handled
  table::spare_lists spare = {};        // for the gates of all games
  runtime::search_executor* searcher =
      nullptr;  // null: engine seats that need a search play random actions
  // After which the win may be claimed from a player who is away; zero: never.
  std::chrono::seconds claim_time{0};
  const std::atomic<runtime::game_owner>* owner = nullptr;  // null: no other hub can be
  // The keys of the players of a log, which go with a game to another hub.
  std::function<std::vector<std::string>(const std::vector<journal::record>&)> keys_of = {};
  // Digests of it and a player's number are those of the players who have no secret, when their
  // games go to another hub.
  std::string secrets_from = {};
  const clock_policy* clocks = nullptr;  // null: the grace time bounds all games
  // Hears of the players who are away from lasting games; null: nothing does.
  absence_listener* absences = nullptr;
  // A game of days in which nothing is due for this time asks the lobby to leave memory; zero:
  // never.
  std::chrono::seconds sleep_after{0};
  runtime::lobby_actor lobby = {};  // null: no game asks
};

// The players of a new game, by seat.
struct game_players {
  std::vector<runtime::session_actor> sessions;  // null: an engine seat
  std::vector<table::table_seat> seats;
  std::vector<table::join> joins;

  void reserve(std::size_t count) {
    sessions.reserve(count), seats.reserve(count), joins.reserve(count);
  }
  void add(runtime::session_actor session, table::table_seat&& seat, table::join&& join = {}) {
    sessions.push_back(std::move(session));
    seats.push_back(std::move(seat));
    joins.push_back(std::move(join));
  }
};

// The state of a game that was restored from the journal.
struct restored_game_state {
  engines::host::match match;  // replayed
  std::vector<table::table_seat> seats;
  std::vector<journal::record> records;
  // Duration of the current turn until the hub stopped.
  std::chrono::milliseconds turn_lasted{0};
  base::wall_time down_since{};  // when it stopped
  base::wall_time turn_began{};
  bool proven = false;  // this process has made its moves before: the next one is not announced
  // Of a game that was asleep, while its clock ran on: the end of the turn.
  std::optional<base::instant> slept_until = {};
  std::string options = {};  // of the match
};

// Returns the clock of a game of the journal: the one given, if its log has none.
clock_rule clock_of(const std::vector<journal::record>& log, const clock_rule& otherwise);

// What a turn that a restart interrupted has left at least, unless it had less: the player has to
// come back, and may have sent a move that was lost.
inline constexpr std::chrono::seconds least_after_restart{5};

// Returns how long the turn has lasted of a game of days that a restart has interrupted: it goes on
// while the hub is away, but for its last part. The hub was away from `down_since` until now.
std::chrono::milliseconds lasted_over_restart(const clock_rule&, base::wall_time began,
                                              base::wall_time down_since, base::wall_time now);
// Returns the same, so that the turn has some time left.
std::chrono::milliseconds with_time_left(const clock_rule&, std::chrono::milliseconds lasted);
// Returns when a turn ends that was to end at `due`, by the same rule.
base::wall_time due_after(const std::vector<journal::pause>&, base::wall_time due);

class game : public runtime::typed_loop_actor<runtime::game_actor> {
 public:
  // Opens a new game. There is at least one player, and as many players as the match has.
  game(caf::actor_config&, game_setup&, game_id, std::uint16_t engine, std::string options,
       engines::host::match, game_players, const clock_rule&, bool closed = false);
  // Resumes a game of the journal. Its players have not reconnected yet: each seat whose player can
  // reconnect receives a reserve_seat after begin_game.
  game(caf::actor_config&, game_setup&, game_id, std::uint16_t engine, restored_game_state);

  const char* name() const override { return "game"; }
  // Any thread.
  game_id id() const { return table_.id(); }
  void on_exit() override;
  void prefetch() const override;
  bool try_commit(const runtime::log_committed& m) override {
    return try_call_directly([&] { on_committed(m.number); });
  }
  // A session that has just got the end of the game from send_to_players() has sent its last
  // request: a message would say only that.
  bool try_finish(const runtime::leave_request& m) override {
    if (!owning_loop().is_current() || !tells_end_) return false;
    finished_seats_ |= only(m.seat);
    return true;
  }

 protected:
  bool receive(caf::message&) override;

 private:
  static constexpr seat_index no_seat = -1;
  // The numbers of timer_up.
  static constexpr std::uint64_t turn_timer = 0, rejoin_timer = 1, confirmed_timer = 2,
                                 sleep_timer = 3;

  void on_begin(const runtime::begin_game&);
  void begin_restored();
  void run_deferred();
  void defer(std::function<void()>);
  void on_play(runtime::play_request&);
  void play(runtime::play_request&);
  // The log, which has all that this game has told, has a move of the seat after this record.
  bool has_moved(seat_index, journal::record_number after) const;
  // Returns true if the move waits until the log says that it is about to be played, because it may
  // crash the hub: of a restored game, until one was played.
  bool announces(runtime::play_request&);
  void withdraw_announcement();
  bool awaits_announcement() const { return first_move_ && !first_move_->waits.empty(); }
  void on_chat(runtime::chat_request&);
  void on_offer(const runtime::offer_request&);
  void on_claim(const runtime::claim_request&);
  void on_leave(const runtime::leave_request&);
  void on_rename(const runtime::rename_seat&);
  void on_resend(const runtime::resend_request&);
  void on_end(runtime::end_request&);
  void on_watch(runtime::watch_request&);
  void add_spectator(std::shared_ptr<runtime::subscription>);
  void on_snapshot(runtime::snapshot_request&);
  void answer_snapshot(runtime::snapshot_query&);
  void on_clock(runtime::clock_request&);
  void on_presence(const runtime::seat_presence&);
  void end_interrupted();
  void on_player_back(seat_index);
  void end_interruption();
  // How long the turn has lasted that ends then.
  std::chrono::milliseconds lasted_at(base::instant ends, base::instant now) const;
  // Of a restored game whose players may be away: it goes on without them.
  void continue_without_players();
  // As of the policy.
  std::optional<std::chrono::seconds> away_time() const {
    return setup_.clocks == nullptr ? std::nullopt : setup_.clocks->away_time(clock_);
  }
  // True if all who still play can come back after a restart.
  bool all_can_return() const;
  void drop_finished_players();
  // The following are in game_sleep.cpp.
  void on_seat_asleep(const runtime::seat_asleep&);
  // Asks the lobby, or arms the timer after which it is looked at again. Does nothing if a session
  // has a seat.
  void ask_to_sleep();
  void arm_sleep_timer();
  void on_sleep_timer();
  // True if nothing is due for long, so that all that the game is can be read from its log.
  bool is_at_rest() const;
  bool may_sleep() const { return finished_seats_ == all_seats() && is_at_rest(); }
  void on_sleep_granted();
  // Asks the sessions that have a seat to release it, if all of their clients ask for their games
  // and none has for a while.
  void ask_to_release();
  // Those who have released their seat take it again: something has happened.
  void take_back();
  // The session of this seat has ended, and does not take it again.
  void forget_released(seat_index);
  void on_reserve(runtime::reserve_seat&);
  void suspend(const runtime::suspend_game&);
  // Returns false if the game goes on.
  bool try_suspend(const runtime::suspend_game&);
  bool may_suspend(const runtime::suspend_game&) const;
  // Logs the digest of a new secret for each player that has no secret. The hub that takes the game
  // over finds the player by it.
  void log_digests();
  void finish_suspension();
  // Another hub goes on with the game from the log. Requests that this log may lack go back.
  void follow_owner();
  void give_back_uncommitted();
  // What the player of the seat asked for with these records; nothing: it can't be said again.
  std::optional<intent> intent_of(seat_index, std::span<const journal::record>,
                                  const journal::game_log&) const;
  void await_commits();
  void notify_suspended();
  void tell_suspended(seat_index);
  // True if the game is suspended, and its clients follow it to another hub: what a client asked
  // for goes back to its session, which passes it on. `make` returns the intent, which is needed
  // only then.
  template <class Make>
  bool returns(seat_index seat, const receipt& answers, Make make) {
    return suspended_ && give_back(seat, answers, make());
  }
  bool give_back(seat_index, const receipt&, intent);
  // The session of the seat has sent its last request.
  void on_followed(seat_index);
  void on_timeout(const runtime::timer_up&);
  void on_turn_timeout();
  void on_turn_timeout_confirmed();
  // A move that was received in time may be on its way from another loop: asks these loops, and
  // then sends this game a timer_up.
  void confirm_turn_timeout();
  // True if a player's time is up at that moment.
  bool is_out_of_time(base::instant) const;
  // True if the present turn can end by the clock now.
  bool runs_out() const;
  // A move was received after the time of its turn: ends the turn, unless the hub was late.
  void check_time(base::instant received);
  void end_turn_by_clock();
  // Returns the time in which the loops of the game and of the player were late.
  std::chrono::microseconds late(seat_index, base::instant from, base::instant to) const;
  hub_lateness lateness() const;
  // The same for the turn of the players that are to move, whose clock is that of the turn.
  std::chrono::microseconds late_in_turn(base::instant to) const;
  // The clock if the log has it: it is another one than the hub's time for each turn.
  std::optional<clock_rule> own_clock() const {
    return clock_ == setup_.clock ? std::nullopt : std::optional{clock_};
  }
  void count_credit(metrics::credit_cause, std::chrono::microseconds);
  void on_committed(journal::record_number);
  void on_search_result(const runtime::search_result&);

  // Requests a search for each engine seat that is to move and needs one. If the search queue is
  // full, the seat plays a random action.
  void request_search();
  bool needs_search() const {
    return (table_.seats_awaiting_search() &
            ~(table_.turn() == searched_turn_ ? searched_seats_ : 0)) != 0;
  }

  // Reports a failure with the seat and action of setup_.scratch, or else with this seat.
  void report(const engines::host::engine_failure&, seat_index from = no_seat);
  // Reports the exception that is being handled. Requires: called in a catch block.
  void report_failure(seat_index from = no_seat);

  // Calls `change`, which changes the table on behalf of seat `from` (no_seat: none), then commits
  // the transition. A failure of the engine ends the game.
  template <class Change>
  void update_table(seat_index from, const receipt&, Change);

  // Logs the records of setup_.scratch and sends its events, or holds them until the commit.
  void commit();
  void append(table::transition&);
  void send_to_players(std::vector<table::transition::outbound_event>&);
  // Sets the timer of the current turn, which has lasted for `lasted` already.
  void update_turn_timer(std::chrono::milliseconds lasted = {});
  // Sets `deadline_` to the end of the turn that begins now.
  void find_deadline(std::chrono::milliseconds lasted = {});
  void arm_turn_timer();
  // True if the absences of the players are reported to the absence_listener.
  bool is_reported() const;
  // Reports what has changed, once all records are committed.
  void report_absences();
  lasting_seat lasting_seat_of(seat_index) const;
  void count_end();
  void count_substitution(std::string_view cause);
  void count_engine_move(metrics::effort how) {
    cells().engine_moves[static_cast<std::size_t>(how)].add();
  }
  void quit_if_done();
  // Sends the committed updates to the spectators. The spectator list exists.
  void publish_updates();
  // Sends the present state to the spectators, which has changed without a record.
  void publish_present();
  // Return the present state for spectators or for one seat, and its parts.
  present_ref present(std::optional<seat_index> as);
  game_clock clock();
  std::vector<absence> absences() const;
  seat_set away_seats() const;  // the same, as seats
  // Returns the spectator list. Creates it if necessary.
  spectate::spectator_list& spectators();
  std::shared_ptr<const game_metadata> logged_metadata() const;
  table::transition::clock_reading read_clock() const;
  seat_set all_seats() const { return only(static_cast<seat_index>(table_.seats().size())) - 1; }
  metrics::engine_cells& cells() {
    return owning_loop().cells().engines[setup_.directory->engines[engine_].kind];
  }

  // First the small members, together: they fill a gap behind the base class.
  std::uint16_t engine_;
  bool started_ = false;
  bool announced_ = false;  // the players have received `started`
  bool finished_ = false;   // all output was sent
  bool awaits_commits_ = false;
  bool suspended_ = false;
  bool end_counted_ = false;
  bool prompt_held_ = false;  // the prompt of the present turn waits for a commit
  bool touched_ = false;      // something has happened, or was looked at, since the sleep timer
  bool tells_end_ = false;    // sends the end of the game, and no request waits for an answer
  game_setup& setup_;
  const clock_rule clock_;
  table::table table_;
  table::commit_gate gate_;
  std::vector<runtime::session_actor> players_;  // by seat; null: an engine's, or gone
  // Data for the first records of the log, until the game starts.
  struct opening {
    std::string options;
    std::vector<table::join> joins;
    bool closed = false;
  };
  std::unique_ptr<opening> opening_;
  // After a restart, until all players have reconnected. The turn timer does not run meanwhile.
  struct interruption {
    seat_set away = 0;
    std::uint64_t turn = 0;
    std::chrono::milliseconds turn_lasted{0};
    base::wall_time since{};
    base::timers::token deadline;
    base::instant ends{};
    std::optional<base::instant> slept_until = {};
    seat_set here = 0;  // as of begin_game
  };
  std::unique_ptr<interruption> interruption_;
  // After a restart, until a move was played here.
  struct first_move {
    bool announced = false;
    std::vector<runtime::play_request> waits;  // until it is announced
  };
  std::unique_ptr<first_move> first_move_;
  // The players without a client; null: none.
  std::unique_ptr<std::vector<absence>> absences_;
  // Null: nothing is reported.
  std::unique_ptr<table::turn_reports> reports_;
  // Requests that arrived before begin_game: a session may use its seat before the game starts.
  std::unique_ptr<std::vector<std::function<void()>>> deferred_;
  // Null until the first spectator subscribes.
  std::unique_ptr<spectate::spectator_list> spectators_;
  // Of a suspended game that another hub is to continue.
  struct handover {
    // As of suspend_game; empty: it was called.
    std::function<void(bool, runtime::loop&, std::vector<std::string>)> answer;
    bool follows = false;  // its clients go on there
    bool told = false;     // the other hub has the game, and the clients have heard
    std::vector<std::pair<seat_index, envelope>> late = {};  // requests since it was suspended
    std::vector<std::string> digests = {};  // by seat, of new secrets; empty: it had one
  };
  std::unique_ptr<handover> handover_;
  seat_set finished_seats_ = 0;  // seats that send no further requests
  seat_set released_ = 0;        // those of them whose players are here
  // The engine seats for which a search was requested, and the turn of those requests.
  std::uint64_t searched_turn_ = 0;
  seat_set searched_seats_ = 0;
  base::timers::token turn_timer_, sleep_timer_;
  std::uint64_t timed_turn_ = 0;
  base::instant deadline_{};
};
static_assert(sizeof(game) <= 552, "there is one for each idle game");

}  // namespace gamehub::actors::game
