// The lobby actor: one per hub. It knows names and secrets, pairs waiting players, and spawns and
// monitors games. The decisions are in player_registry, matchmaker and party_queues; this class
// receives the messages and carries the decisions out. The runtime spawns it on the first loop.
#pragma once

#include "actors/game/game.hpp"
#include "actors/lobby/asleep_game.hpp"
#include "actors/lobby/early_requests.hpp"
#include "actors/lobby/game_directory.hpp"
#include "actors/lobby/hub_questions.hpp"
#include "actors/lobby/key_claims.hpp"
#include "actors/lobby/matchmaker.hpp"
#include "actors/lobby/party_queues.hpp"
#include "actors/lobby/rematch_offers.hpp"
#include "actors/lobby/seek_rules.hpp"
#include "actors/relay/exchange.hpp"
#include "actors/runtime/actor_base.hpp"
#include "actors/runtime/interfaces.hpp"
#include "actors/session/player_registry.hpp"
#include "actors/table/engine_directory.hpp"
#include "hub/core/ban_list.hpp"
#include "hub/core/id_pool.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace gamehub::actors::lobby {

// Data of the lobby. It outlives the lobby.
struct lobby_setup {
  const table::engine_directory* directory = nullptr;
  std::vector<game::game_setup>* games = nullptr;             // by index of the loop
  const std::vector<runtime::loop*>* engine_loops = nullptr;  // by host::number() of the engine
  id_pool* game_ids = nullptr;
  journal::journal* log = nullptr;
  std::uint32_t games_max = 0;
  const clock_policy* clocks = nullptr;
  const ban_list* rules = nullptr;        // null: no bans
  early_requests::may_arrive may_arrive;  // any thread may call it
  // Spawns the session of a player of a restored game.
  std::function<runtime::session_actor(const runtime::restored_game::seat&)> restore_session;
  // For names and digests of secrets, which no two hubs have. Empty: there is no other hub.
  journal::key_changer change_keys;
  relay::exchange* hubs = nullptr;  // null: there is no other hub
  // Has the log of a game that is asleep read and replayed; the answer is game_woken. Empty:
  // nothing falls asleep.
  std::function<void(const runtime::wake_request&)> wake_game = {};
  // Returns a game that only the journal's file has, without its actor; nothing: it has no
  // such game, or can't read it now. Not empty if wake_game is not.
  std::function<std::optional<runtime::restored_game>(game_id)> find_asleep = {};
  // In its place, if the log is that of several hubs (shares_sleepers()): reads a game that was
  // taken. Nothing: the engine is missing.
  std::function<std::optional<runtime::restored_game>(const journal::sleeping_game&)> read_taken =
      {};
  // The log of a game that is asleep can't be read, which is told once for a while; or it is
  // damaged, and the game in quarantine.
  std::function<void(game_id)> on_unreadable = {};
  std::function<void(game_id, const std::string& why)> on_quarantined = {};
  // The same moment on both clocks, so that a jump of the wall clock moves nothing that is due.
  base::wall_time wall_origin{};
  base::instant origin{};

  base::wall_time wall_of(base::instant t) const {
    return t == base::instant::max()
               ? base::wall_time::max()
               : wall_origin + std::chrono::duration_cast<std::chrono::milliseconds>(t - origin);
  }
  base::instant instant_of(base::wall_time t) const {
    return t == base::wall_time::max() ? base::instant::max() : origin + (t - wall_origin);
  }
};

class lobby : public runtime::typed_loop_actor<runtime::lobby_actor> {
 public:
  // A player without an opponent waits this long before other hubs are asked, if another one has
  // found none within this time: here the next opponent comes sooner than their answers.
  static constexpr std::chrono::milliseconds question_pause{10};

  lobby(caf::actor_config&, lobby_setup&);

  const char* name() const override { return "lobby"; }
  void on_exit() override;

 protected:
  bool receive(caf::message&) override;
  void on_down(const caf::down_msg&) override;

 private:
  // A seek whose player may move to the hub of an opponent. The client is told of its place once no
  // other hub has one, or when it is seated.
  struct open_meeting {
    runtime::seek_request request;
    std::optional<runtime::seek_result> reply;
    // A player of another hub was told to come for it, and is awaited until then.
    base::instant expects_until{};
  };

  // A seek that is not used up.
  struct seek_entry {
    runtime::session_actor session;
    std::string name;
    std::string digest;
    std::uint16_t wire = 0;
    runtime::loop* home = nullptr;
    base::wall_time asked{};
    engines::level level = engines::level::perfect;
    client_features features = {};
    game_id rematch_of = {};  // the seek is, or was last, for the rematch of this game
    // Null: the player meets those only that come to this hub.
    std::unique_ptr<open_meeting> meeting = {};
  };

  // A player with a name, and the requests that are resuming it.
  struct player_entry {
    runtime::session_actor session;
    std::vector<runtime::resume_request> resume_requests;
    client_features features = {};  // of its latest seek or resume
    bool partly = false;            // its session may have only some of its games
    // The games that its session has released and that are in memory.
    std::vector<game_id> released = {};
  };

  // Sign-ins that wait for the other hubs, which the database tells of. More are refused, and so
  // are those that wait longer.
  static constexpr std::size_t sign_ins_waiting_max = 4'096;
  static constexpr std::chrono::seconds sign_in_waits_max{5};
  // How long it waits for what a hub had that seems dead.
  static constexpr std::chrono::seconds lost_key_waits_max{3};
  // The keys of a player who has left are free after this time, in which its games have logged that
  // it left: if this hub dies before, the player has its seats again.
  static constexpr std::chrono::seconds keys_kept{2};
  // Of the timer_up for waiting sign-ins and for changes of keys that are repeated.
  static constexpr std::uint64_t key_timer = 2;
  // Of the timer_up for questions to other hubs.
  static constexpr std::uint64_t hub_timer = 3;
  static constexpr std::chrono::milliseconds hub_timer_pause{100};
  // Of the timer_up after which no game is awaited that has not answered.
  static constexpr std::uint64_t handover_timer = 5;
  static constexpr std::chrono::milliseconds handover_waits_max{500};
  static constexpr std::chrono::milliseconds key_timer_pause{100};
  // If it is later than this, the hub was paused, and its games have logged nothing meanwhile.
  static constexpr std::chrono::milliseconds key_timer_late{1'500};

  struct waiting_sign_in {
    runtime::register_player what;
    base::instant since{};
    int lost = 0;  // names that others had
    bool again = false;
    // Of clients that have its secret.
    std::vector<runtime::resume_request> resume_requests = {};
  };
  struct waiting_rename {
    runtime::rename_player what;
    base::instant since{};
  };
  // Where another thread leaves answers as long as the lobby lives.
  struct key_answers {
    std::mutex mutex;
    runtime::lobby_actor to;
  };
  struct key_state {
    key_claims claims;
    std::unordered_map<player_id, waiting_sign_in> sign_ins;
    std::unordered_map<player_id, waiting_rename> renames;
    std::shared_ptr<key_answers> answers = std::make_shared<key_answers>();
    base::timers::token timer;
    base::instant timer_at{};
  };

  // A player whose session has ended, or is about to, while its games go on.
  struct sleeping_player {
    // While it falls asleep, its session has not answered yet.
    enum class stage : std::uint8_t { falling, asleep, waking } at = stage::falling;
    std::uint16_t wire = 0;
    std::uint32_t home = 0;     // index of the loop of its session
    std::uint32_t pending = 0;  // while it wakes: the games that are not awake yet
    std::vector<runtime::player_sleeps::seat> seats = {};
    bool others_asleep = false;                         // it has others in the log that hubs share
    address_hold held = {};                             // the seats of its address
    std::vector<runtime::resume_request> resumes = {};  // until it is awake
    std::vector<runtime::seats_wanted> wants = {};      // until its session has answered
  };
  // Calls that wait until a game is awake; false: its log can't be read.
  struct waking_game {
    std::vector<std::function<void(bool awake)>> then = {};
    base::instant since{};
    metrics::wake_cause why = metrics::wake_cause::player;
  };
  // Of the timer_up for games that are asleep and due.
  static constexpr std::uint64_t due_timer = 4;
  // Of the timer_up for those of them that are in the log which hubs share. Each hub looks at the
  // time that the last look has told, and once a minute: for what fell asleep at others since.
  static constexpr std::uint64_t look_timer = 6;
  static constexpr std::chrono::seconds look_pause{60};
  static constexpr std::chrono::seconds look_pause_min{1};
  // Games that the clock wakes in one iteration.
  static constexpr int wakes_by_clock_max = 256;
  // A game that is due and could not be read is tried again after this time.
  static constexpr std::chrono::seconds wake_retry{10};
  // Games of a player who comes back that are woken with it, those that are due first. The others
  // wake when something happens in them.
  static constexpr std::size_t wakes_of_player_max = 64;
  // Games whose logs can't be read that are reported once.
  static constexpr std::size_t unreadable_kept_max = 1'024;

  void on_register(const runtime::register_player&);
  void on_arrival(const runtime::register_player&);
  void on_resume(runtime::resume_request&);
  void on_rename(const runtime::rename_player&);
  void rename(const runtime::rename_player&);
  void expire_names();
  // The following do nothing without other hubs. The player's keys are to be this hub's. Returns
  // true if they are. `keeps` as of key_claims.
  bool hold_keys(player_id, bool keeps = false);
  void free_keys(player_id);
  // Has the next change of keys carried out.
  void change_keys();
  void on_keys_changed(const runtime::keys_changed&);
  void on_key_timer();
  void end_keys();
  void settle(player_id, const std::vector<std::string>& lost);
  void settle_rename(player_id, const std::vector<std::string>& lost);
  void admit(player_id);
  void refuse_sign_in(player_id, refusal);
  // The hub that has a key may have been dead at this time, or its games are being taken over.
  bool may_be_freed(base::instant since) const;
  bool bans(std::string_view name) const {
    return setup_.rules != nullptr && setup_.rules->bans(name);
  }
  // True if one of the names is banned that the player has or had.
  bool bans(const session::player_registry::entry&) const;
  // The following, in lobby_hubs.cpp, do nothing without other hubs.
  // Looks for the player of the secret at other hubs. Returns true if they were asked; the request
  // comes back, or its session becomes the entry to one of them.
  bool ask_for_player(runtime::resume_request&, const std::string& digest);
  // Asks the other hubs for an opponent of a player that waits, and sends the reply when they have
  // answered. Returns false if the player can't move.
  bool ask_for_opponent(const runtime::seek_request&, const runtime::seek_result& reply);
  void ask_again(player_id);
  void on_hub(runtime::from_hub&);
  void on_hubs_changed();
  void on_hub_timer();
  void arm_hub_timer();
  bool is_here(const std::string& digest) const;
  // Asks the other hubs for a game that is not here. Returns false if no hub was asked. `about` is
  // what the answer is for.
  bool ask_for_game(player_id about, game_id, const std::string& invitation);
  // Looks for a game here, then at the other hubs.
  void on_locate(runtime::locate_game&);
  // `party` as in find_game of hub/relay.
  bool is_here(game_id game, const std::string& party) {
    return running_.find(game) != nullptr || waiting_.find(game) != nullptr ||
           (!party.empty() && waiting_.find_invited(party) != nullptr);
  }
  // Looks for the game that a seek joins at other hubs. Returns true if they were asked; the
  // request comes back, or its player moves to one of them.
  bool ask_for_game(runtime::seek_request&);
  // The players that move to no other hub.
  std::uint32_t staying(const std::vector<player_id>& group) const;
  // Returns the name of a bot that the seek asks for and that is not online here; null: all are.
  const std::string* missing_bot(const runtime::seek_request&) const;
  // The same for the bots that a seek misses.
  bool ask_for_bots(runtime::seek_request&);
  // True if for one of the seek's engines all bots are online here that it asks for.
  bool has_bots(const gamehub::relay::find_opponent&);
  std::optional<matchmaker::found_opponent> opponent_for(const gamehub::relay::find_opponent&);
  void on_question_ended(const hub_questions::result&);
  void move(player_id, relay::member_id to);
  void move(runtime::seek_request&&, relay::member_id to);
  void on_moved(player_id);
  // The player has not moved after all.
  void on_return(player_id);
  void resume_again(player_id);
  // Sends what the client was not told yet.
  void send_reply(player_id);
  void send_placed(const runtime::session_actor&, runtime::seek_result&&);
  // Has the session handle the message at once if it is idle on this loop, or sends it.
  template <class What>
  void tell(const runtime::session_actor& to, What&& what) {
    if (to && !runtime::actor_of(to)->try_receive(what)) send(to, std::move(what));
  }

  // The following are in lobby_takes.cpp, for games that are asleep in the log that hubs share.
  bool shares_sleepers() const { return static_cast<bool>(setup_.read_taken); }
  struct taken {
    bool certain = false;        // false: the log can't be read now
    std::vector<game_id> games;  // they are here, and wake
    // As of journal::taken_sleepers.
    journal::member_id elsewhere = {};
    bool more = false;
    std::optional<base::wall_time> next_due = {};
  };
  // Takes the games of a query and wakes them. Calls `then` later, or at once if it can't.
  void take(journal::sleeper_query, metrics::wake_cause, std::function<void(const taken&)> then);
  taken add_taken(const journal::taken_sleepers&, metrics::wake_cause);
  // The game has left this hub, and is wanted here.
  void take_back(game_id);
  // The journal's file, or the log that hubs share, has the game: nothing of it stays here.
  void forget_filed(game_id);
  // Looks for games that are due.
  void take_due();
  void arm_look_timer(base::instant when);
  // The following return false if the log was looked at before, or is not shared. Otherwise the
  // request comes back.
  bool look_for(runtime::resume_request&, const std::string& digest);
  // What follows from it: the player is looked for, with the games that its client needs; it is
  // here now, asleep, or no player is known.
  void look_for_player(const std::shared_ptr<runtime::resume_request>&, const std::string& digest);
  void resume_looked(runtime::resume_request&, const std::string& digest, const taken&);
  void add_sleeper(const journal::sleeping_game&, const std::string& digest);
  // Returns what reads the most urgent games with a key, where it may wait.
  std::function<std::vector<journal::sleeping_game>()> rows_with(const std::string& key,
                                                                 std::size_t most) const;
  bool look_for(runtime::seats_wanted&);
  bool look_for(runtime::find_game&);
  bool look_for(runtime::end_game&);
  // Of a seek: the game that it joins.
  bool look_for(runtime::seek_request&);
  // The same for a seek with one of these clocks: counts the games of its address that are asleep.
  bool count_asleep(runtime::seek_request&, const std::vector<queue_key>&);
  // No other hub has the game: finds the one of its players, which is to wake it. Returns false if
  // it is not looked for.
  bool look_for_owner(game_id, const std::function<void(std::optional<relay::member_id>)>& found);
  // Reads clocks of games that are asleep.
  void read_clocks(std::vector<game_id>, std::shared_ptr<runtime::clock_query>) const;
  // Calls the function where it may wait for the database, and its result on this loop. Returns
  // false if too many wait.
  bool read_later(std::function<std::function<void()>()> read);

  // The following are in lobby_sleep.cpp.
  void on_player_may_sleep(const runtime::player_may_sleep&);
  void on_player_sleeps(runtime::player_sleeps&);
  // Has the journal's file keep a game that is asleep, which then leaves memory.
  void file_game(game_id);
  void on_game_filed(const runtime::game_filed&);
  // Returns a game that only the file has; nothing: it has no such game, or can't read it.
  std::optional<runtime::restored_game> find_on_file(game_id) const;
  // Reads a game that is asleep, and leaves it so. Nothing: it is not, or can't be read.
  std::optional<asleep_game> look_at(game_id) const;
  // Brings it to memory, asleep, with those of its players that are not here.
  void add_from_file(runtime::restored_game&);
  // Returns true if the game is in memory, where one that only the file has is brought.
  bool recall(game_id);
  // Brings a game that only the file has to memory if one of its seats passes the test. Returns
  // true if it did.
  using seat_test = std::function<bool(const runtime::restored_game::seat&)>;
  bool recall_for(game_id, const seat_test&);
  // Finds a player with this secret whose games are all asleep: by this one, or else by its most
  // urgent one. Returns false if that can't be read.
  bool find_sleeper(game_id, const std::string& digest);
  // Returns the most urgent games of the player that only the file has; the second one also those
  // that are asleep in memory.
  std::vector<game_id> asleep_of(const std::string& digest) const;
  std::vector<game_id> asleep_of(player_id) const;
  // Returns those that a client needs which comes back (sign_in::game).
  std::vector<game_id> needed_by(player_id, const runtime::resume_request&) const;
  // The player has no session, and needs only these games: the others that are asleep stay so.
  void leave_asleep(player_id, const std::vector<game_id>& needed);
  void on_seat_released(runtime::seat_released&);
  // Answers a find_seat of no game, with these of the log that hubs share.
  void list_asleep(runtime::seats_wanted, const std::vector<journal::sleeping_game>& shared = {});
  // Disconnects the player, who is here, and has it leave all its games.
  void expel(player_id);
  void on_seats_wanted(runtime::seats_wanted&);
  // Wakes those of the games that are asleep, and are of this player, who is here. Calls `then`
  // when it has its seats; false: it has not all of them.
  void wake_seats(player_id, const std::vector<game_id>&, std::function<void(bool)> then);
  void note_unreadable(game_id);
  // Its players who are here take their seats. Requires: it is awake.
  void seat_those_here(running_games::entry&, game_id);
  void forget_released(const running_games::entry&, game_id);
  // True if the player has a session, which may send to games.
  bool has_session(player_id) const;
  // The keys of the players of a game who can come back.
  std::vector<std::string> keys_of(const journal::game_log&) const;
  // The session of the player, which has none of its seats in this game, has this one.
  void seat_here(player_id, seat_index, game_id, const running_games::entry&);
  void wake_due_on_file(base::instant now);
  // The address has as many games asleep as it may have seats.
  bool is_full_of_asleep(const runtime::seek_request&) const;
  // Returns the player of a game of the journal, who has no session yet, and needs none. The second
  // one adds a seat.
  sleeping_player& sleeper_of(runtime::restored_game::seat&);
  void add_sleeper(runtime::restored_game::seat&, game_id);
  // Makes the player's session again, once its games are awake. Does nothing if the player falls
  // asleep or wakes.
  void wake_player(player_id, metrics::wake_cause);
  void on_game_ready(player_id);
  void seat_player(player_id);
  // The player has left.
  void forget_sleeper(player_id);
  void on_game_may_sleep(const runtime::game_may_sleep&);
  void on_game_sleeps(const runtime::game_sleeps&);
  // Calls `then` when the game is awake: at once, if it is, or does not run at all.
  void wake_game(game_id, metrics::wake_cause, std::function<void(bool awake)> then);
  void begin_wake(game_id, waking_game&);
  void on_game_woken(const runtime::game_woken&);
  void finish_wake(game_id, bool awake);
  // The game has ended, in which these players are or were asleep.
  void drop_seats(game_id, const std::vector<player_id>&);
  void on_due();
  void arm_due_timer();
  void count_sleepers();
  void on_timer(std::uint64_t number);
  void on_restored(runtime::restored_game&);
  void expel_banned();
  // Those that are here, or asleep in the journal's file.
  void expel_known();
  void on_capacity_freed(player_id);
  void on_presence(const runtime::player_presence&);
  void on_seek(runtime::seek_request&);
  void refuse_seek(const runtime::seek_request&, runtime::seek_result no);
  void refuse_seek(const runtime::seek_request&, refusal, std::string detail = {});
  void place_seek(runtime::seek_request&, std::vector<queue_key>, const std::string& invitation);
  void on_challenge(runtime::challenge_request&);
  std::variant<placed, refusal> challenge_in_queue(runtime::challenge_request&,
                                                   std::vector<pairing>&);
  void withdraw(runtime::withdraw_request&);
  void decline(runtime::decline_request&);
  void remove(player_id);
  void on_drain(const runtime::drain&);
  // All games, or one; those that are handed over are in one step, so that the games of a player go
  // to the same hub.
  void suspend_games(bool at_last, runtime::hand_over);
  void suspend(const runtime::game_actor&, game_id, bool at_last, runtime::hand_over);
  void on_settled(runtime::game_settled&);
  void on_handover_timer();
  void hand_over_settled();
  void on_game_down(caf::actor_id);
  void on_end_games(const runtime::end_games&);
  void end(runtime::end_game&);
  void track_game(runtime::game_actor, game_id, running_games::entry);
  // Whether the game that runs is closed; nothing: it does not run.
  std::optional<bool> runs_closed(const runtime::seek_request&) const;
  void find(runtime::find_game&);
  void find_clocks(const runtime::find_clocks&);
  void list(const runtime::list_games&);
  void answer(const runtime::list_games&, const std::vector<game_id>& asleep) const;
  void list(const runtime::list_players&) const;
  void find(const runtime::find_invitation&);

  void load_new_engines();
  // Finds the log of the game before a rematch. Returns true if the request was moved to the thread
  // that reads, which sends it back, or was refused because too many are there.
  bool read_rematch(runtime::seek_request&);
  // Returns true if the request was moved to the loop of an engine process, which sends it back.
  bool query_isolated_engine(runtime::seek_request&);
  // Reads what seeks ask for.
  seek_rules rules_of_seeks() const {
    return {*setup_.directory, matches_, *setup_.clocks, owning_loop()};
  }
  engines::level pairing_level(const pairing&) const;
  // Returns why the player can't offer or accept the rematch that it asks for, or nothing. Until
  // its party is resolved, the other players are not known.
  std::optional<runtime::seek_result> why_no_rematch(const runtime::seek_request&);
  // The player waits for a rematch: offers it to the others, or accepts it.
  void offer_rematch(const runtime::seek_request&);
  // The player has another seat. Declines what is offered to it, but for the rematch of one game.
  void decline_others(player_id, game_id except);
  // Tells the players of offers, and gives back the seats of those whose offer was declined.
  void carry_out(const rematch_offers::effects&);
  // Assigns an id to each pairing. Returns the id of the player's game if its client requires it
  // now.
  game_id assign_games(const runtime::seek_request&, const queue_key&, const placed& answer,
                       placement&, game_id shared);
  // Of three seats or more: the waiting game in which the player takes a seat, which is set in the
  // request; zero: it opens one.
  std::variant<game_id, refusal> shared_game(runtime::seek_request&, const queue_key&,
                                             int seats) const;
  game_id reserve(const runtime::seek_request&, const queue_key&, const placed& answer);
  // Returns true if no new game may begin: the hub has too many, or can't write them.
  bool is_full() const;
  // The same for a game with this clock, if it lasts (clock_policy::away_time). Counts a refusal.
  bool is_full_of_lasting(const clock_rule&) const;
  // Why the player gets no game with one of these clocks, if it is one that lasts.
  std::optional<runtime::seek_result> why_not_lasting(const runtime::seek_request&,
                                                      const std::vector<queue_key>&) const;
  void count_lasting();
  // Returns an id that is unique across restarts, although no record of the game exists yet.
  game_id claim_game();
  // Removes the seek and the waiting game of the player, and withdraws its offer.
  void remove_seek(player_id, offer_cause = offer_cause::request);
  void open_tables(std::vector<pairing>&);
  void open_table(pairing&);
  bool all_have_seeks(const pairing&) const;
  // Creates the match of a pairing, or refuses all its players and returns nothing.
  std::optional<engines::host::match> create_match(const engines::host::engine&,
                                                   std::uint16_t number, const pairing&);
  runtime::loop& loop_for(const engines::host::engine&, runtime::loop& opener) const;
  void refuse_all(const pairing&, refusal why, const std::string& detail);
  // Pairs the players whose time has come, or who waited for room.
  void pair_waiting();
  void update_room();
  void arm_pairing_timer();
  void count_waiting();
  void count_questions();

  lobby_setup& setup_;
  session::player_registry names_;
  matchmaker matches_;
  std::size_t engines_known_ = 0;
  std::unordered_map<player_id, player_entry> players_;
  std::unordered_map<player_id, player_id> resuming_as_;  // requesting player to resumed player
  std::unordered_map<player_id, seek_entry> seeks_;       // players with a seek
  running_games running_;
  std::unordered_map<player_id, sleeping_player> sleepers_;
  std::unordered_map<game_id, waking_game> waking_;
  std::uint64_t filings_ = 0;
  std::unordered_set<game_id> unreadable_;  // that was reported
  // When the next game that only the file has is due; nothing: none is. Those up to the cursor were
  // woken.
  std::optional<base::instant> due_on_file_;
  journal::journal::due_game due_cursor_{base::wall_time::min(), {}};
  std::optional<journal::journal::due_game> due_again_;  // not read: from here once more
  // That did not leave memory, because this hub had logs of others.
  std::unordered_set<game_id> unfiled_;
  base::timers::token look_timer_;
  base::instant look_timer_at_{};
  bool ended_ = false;
  base::timers::token due_timer_;
  base::instant due_timer_at_{};
  waiting_games waiting_;
  party_queues parties_;
  rematch_offers offers_;
  game_id claimed_until_;  // the journal has reserved the ids up to this one
  std::unordered_multiset<player_id>
      pending_queries_;  // players with a request on an engine loop, or at the thread that reads
  std::unique_ptr<key_state> keys_;  // null: there is no other hub
  hub_questions questions_;
  std::unordered_map<player_id, runtime::resume_request> asked_for_;  // by the asking player
  // By the number that the question has in place of a player's.
  struct open_location {
    game_id game;
    std::function<void(std::optional<relay::member_id>)> found;
  };
  std::unordered_map<player_id, open_location> locating_;
  std::uint64_t last_located_ = 0;
  std::unordered_map<player_id, runtime::seek_request> joining_;  // of ask_for_game()
  std::unordered_set<player_id> moving_;                          // to other hubs
  // Players for whom the other hubs are asked again at that time, if they still wait.
  std::multimap<base::instant, player_id> expected_;
  base::instant lone_at_{};  // when the last player found no opponent here
  base::timers::token hub_timer_;
  base::instant hub_timer_at_{};
  early_requests early_{
      [this](base::instant when) { return arm_timer(when, early_requests::timer_number); },
      [this](runtime::resume_request& m) { on_resume(m); }};
  bool draining_ = false;
  runtime::hand_over hands_over_ = runtime::hand_over::none;
  struct handover {
    std::unordered_set<caf::actor_id> awaited;  // games that have not answered
    std::vector<runtime::game_settled> settled;
    std::unordered_set<caf::actor_id> given;  // handed over, and not gone yet
    base::timers::token timer;
  };
  handover handover_;
  std::uint64_t turn_ = 0;  // the turn of the loop in which the latest table was opened
  base::timers::token pairing_timer_;
  base::instant pairing_timer_at_{};
};

}  // namespace gamehub::actors::lobby
