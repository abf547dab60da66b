// The session actor: one player, its seats and its attachments. It converts intents into messages
// to the lobby and to games, and delivers their events to the client. It outlives its attachments
// for the grace time of its protocol. The session factory spawns it, with the session_setup of its
// loop; the gateway monitors it.
#pragma once

#include "actors/relay/exchange.hpp"
#include "actors/runtime/actor_base.hpp"
#include "actors/runtime/attachment_ref.hpp"
#include "actors/runtime/interfaces.hpp"
#include "actors/session/player.hpp"
#include "actors/session/unused_sessions.hpp"
#include "actors/table/engine_directory.hpp"
#include "hub/base/random.hpp"
#include "hub/core/ban_list.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::actors::session {

// Data that all sessions of one protocol on one loop share. It outlives them.
struct session_setup {
  const table::engine_directory* directory = nullptr;
  std::uint16_t wire = 0;
  runtime::lobby_actor lobby;
  base::random_source* secrets = nullptr;
  std::atomic<std::uint32_t>* attachment_count = nullptr;  // open session handles of the whole hub
  std::chrono::seconds handshake_time{0};                  // zero: no limit
  std::chrono::seconds idle_time{0};                       // zero: no limit
  std::chrono::seconds rejoin_time{0};                     // after a restart
  const ban_list* rules = nullptr;                         // null: no player is muted
  unused_sessions* unused =
      nullptr;              // those of the loop, over all protocols; outlives its sessions
  bool names_wait = false;  // the lobby asks the other hubs of a cluster before it assigns a name
  relay::exchange* hubs = nullptr;  // null: there is no other hub
  // A player who is away for this time, and has games of days alone, leaves memory; zero: never.
  std::chrono::seconds sleep_after{0};
  bool wakes = false;  // the lobby brings games back that have left memory
};

// Returns a handle that sends the intents of an attachment to a session. The attachment's address
// has `hold`. Requires: the actor is a session.
std::unique_ptr<session_handle> make_session_handle(runtime::session_actor, attachment_id,
                                                    address_hold hold);

class session : public runtime::typed_loop_actor<runtime::session_actor> {
 public:
  // The session of a new client. The client lives on this loop.
  session(caf::actor_config&, session_setup&, player_id, std::shared_ptr<attachment> client);
  // The session of a restored player who has not reconnected yet. Spawned on the thread of the
  // lobby. `address` is the account of its seats; null: it is not known.
  session(caf::actor_config&, session_setup&, player_id, std::string name,
          std::vector<std::string> former_names, const address_account_ref& address = nullptr);

  const char* name() const override { return "session"; }
  void on_exit() override;
  // The hub is full: closes the client. Called by the session factory, on the session's loop.
  // Requires: the session is unused.
  void make_room();
  // Forwards a move to its game, and a seek for one game to the lobby, if the intent is one of them
  // and its message would be the session's next one. Returns false, and leaves the intent
  // unchanged, if it must be sent as a message. On the thread of the attachment's loop.
  bool try_forward(envelope&);
  bool try_receive(event& m) override {
    return handle_directly([&] { on_event(m); });
  }
  bool try_receive(runtime::seated& m) override {
    return handle_directly([&] { on_seated(m); });
  }
  bool try_receive(runtime::seek_result& m) override {
    return handle_directly([&] { on_seek_result(m); });
  }
  void prefetch() const override;
  // The number of open session handles of the hub. Any thread.
  std::atomic<std::uint32_t>& attachment_count() const { return *setup_.attachment_count; }

 protected:
  bool receive(caf::message&) override;

 private:
  template <class Handler>
  bool handle_directly(Handler what) {
    return !entry_ && try_call_directly(what);
  }

  using seat_entry = player<runtime::game_actor>::seat_entry;

  struct identity {
    std::string name, secret;
    std::vector<std::string> former_names = {};
    std::vector<base::instant> renamed_at = {};  // the latest ones
    std::uint32_t renames = 0;
    bool renaming = false;    // the lobby has not answered
    std::string digest = {};  // of the secret, if another hub has that
  };

  // Intents of a client whose sign-in the lobby has not answered yet: a resume request, or in a
  // cluster any.
  struct pending_resume {
    std::vector<envelope> held_intents;
    runtime::session_actor to;
    bool only_resume = false;  // do not register a new player if the resume fails
    bool relayed = false;      // by another hub: the lobby decides at once
  };

  // What the player's address holds by it. A standing seek beyond the rate of games waits.
  struct address_use {
    explicit address_use(const address_account_ref& of)
        : account(*of), seats(of, address_limit::seats) {}

    address_account& account;
    address_hold seats;
    bool by_invitation = false;           // the latest seek
    std::uint32_t freed_seats = 0;        // of the standing seek, and not told to the lobby yet
    std::optional<refusal> refused = {};  // of the seek that comes as the next message
    std::unique_ptr<std::pair<receipt, seek>> delayed_seek = {};
    base::timers::token timer = {};
  };

  // The session is the entry of a client whose player is at another hub of the cluster, its home.
  struct entry_state {
    enum class step : std::uint8_t {
      resumes,
      arrives,
      there,
      lost,     // the home is gone, and the lobby looks for the player
      returns,  // it is at another home, which has not shown all its games yet
    };
    struct passed_intent {
      receipt answers;
      game_id game;
      gamehub::relay::crossing_intent what;
      bool repeated = false;  // it was passed on before to a home that is gone
    };
    // A running game of the player, as the client knows it.
    struct shown_game {
      std::uint64_t number = 0;   // of the latest position
      std::size_t picture = 0;    // a hash of what it shows; 0: another hub was the home
      bool by_this_home = true;   // which has shown it
      bool unseen = false;        // the client was not told of it
      std::optional<event> held;  // the latest position, until a move that is repeated is answered
    };

    attachment_id client;
    gamehub::relay::member_id home;
    step at = step::resumes;
    std::string digest = {};                     // of the player's secret
    std::vector<passed_intent> unanswered = {};  // passed on
    std::vector<envelope> held_intents = {};     // until the player is there
    // What goes back to the lobby if the home does not take the player.
    std::variant<runtime::resume_request, runtime::seek_request> why = {};
    std::map<game_id, shown_game> games = {};
    std::optional<seek> seeks = {};  // the latest one, while it stands or waits
    bool departs = true;             // the home hears when the client has gone
    std::size_t returning = 0;  // games of this hub that may still return what the client has sent
    bool removing = false;      // the lobby is to forget the player
    bool withdraws = false;     // no_more_games is not answered
    bool seek_refused = false;  // the home does not take the standing seek
    base::instant lost_at = {};
    base::timers::token timer = {};  // of return_timer
  };

  // The functions of an entry are in session_entry.cpp.
  // This hub drains and has handed a game over: the client goes on at the other hub, and this
  // session becomes its entry when the player has no game here any more.
  void on_game_follows(const runtime::game_suspended&);
  bool can_follow() const;
  // True if the intent is for a game that was handed over.
  bool is_for_followed(const intent&);
  void hold_for_followed(envelope&);
  void follow_games();
  void become_entry();
  void drain_entry(const runtime::drain&);
  // The player is to get no further games: the hub drains.
  void withdraw_at_home();
  // The hub drains: disconnects the client when it has no game any more.
  void leave_when_done();
  bool receive_at_entry(caf::message&);
  void on_go(runtime::go_to_hub&);
  // True if the gateway passes the client's requests on to the hub of its player.
  bool passes_requests() const;
  // Such a client, whose player is at that hub, is told so, and this session ends. What it has sent
  // meanwhile is not answered: it sends it again there.
  void give_up_client(const receipt&, gamehub::relay::member_id home);
  gamehub::relay::client_at client_at_entry(std::uint32_t moves) const;
  void pass_on(envelope&);
  // The lobby of this hub has answered what the client sent before its player was to move.
  void on_late_answer(event&);
  void pass_on(const receipt&, gamehub::relay::crossing_intent);
  // Returns false if the link takes no more.
  bool send_home(const receipt&, gamehub::relay::crossing_intent);
  void on_home(runtime::from_home&);
  void on_home_event(event&);
  void on_arrival();
  // The player is not at the home: this session is that of its player again.
  void return_from_home();
  void on_home_lost();
  // The client, which has no name, is a new player here.
  void begin_anew();
  // Looks for the hub that has its games now, until limits::return_time_max. Requires: a client.
  void look_for_home();
  void on_go_again(runtime::go_to_hub&);
  void look_again_later();
  void on_return_timer();
  // The new home has signed the player in, or not.
  void on_returned(const event&);
  // If it has shown all games: what was not answered is said again, once.
  void end_return();
  void repeat(entry_state::passed_intent);
  // True if the client's former home has ended, and it goes on here.
  static bool returns(const runtime::attach_client&);
  // Each hub on the way from a client looks for its player when the home ends, and the nearest one
  // to the client goes on. Two hubs that are as near have two clients: the player has come back
  // over another connection while the hub of this one was away. Closes a client that must not
  // replace the one that is attached, and returns false.
  bool comes_nearer(runtime::attach_client&) const;
  // The home has answered seek_again.
  void on_seek_answered(const event&);
  // Follows what the client knows of its games. Returns false if the event is not for it now.
  bool follow(event&);
  // A move that was repeated is refused because its game has ended since: its last position answers
  // it, if the game has the move.
  void answer_with_end(game_id, event& answer);
  // A move that was repeated is answered: the position that waited for it.
  void release_held(game_id);
  // The home hears that the client has gone, or that it is not its entry any more.
  void leave_home(bool way_lost = false);
  void leave_both(bool way_lost = false);

  void on_intent(envelope&);
  void on_intent(const receipt&, sign_in&);
  void on_intent(const receipt&, seek&);
  void on_intent(const receipt&, play&);
  void on_intent(const receipt&, const leave&);
  void on_intent(const receipt&, chat&);
  void on_intent(const receipt&, const rematch&);
  void on_intent(const receipt&, challenge&);
  void on_intent(const receipt&, const sign_out&);
  void on_intent(const receipt&, change_name&);
  void on_intent(const receipt&, const decline&);
  void on_intent(const receipt&, const offer&);
  void on_intent(const receipt&, const claim&);
  void on_intent(const receipt&, const find_seat&);
  void carry_out(envelope&);
  void send_seek(const receipt&, seek&, const rematch&);
  // The same for a seek that is not refused, and whose seats are held.
  void send_held_seek(const receipt&, seek&, const rematch&);
  // Moves the seek to the request.
  runtime::seek_request seek_for(const receipt&, seek&, const rematch&);
  // Takes seats of the address for the seek. Returns the refusal if it has no more.
  std::optional<refusal> hold_seats(seek&);
  // Holds the seats that the player has or waits for.
  void hold_seats();
  // Sends what the rate of games has delayed, or waits until it may be sent.
  void continue_seeks();
  void withdraw_seek(const receipt&, game_id);
  void on_event(event&);
  // Keeps the end of a game that a client of another hub may miss.
  void keep_end(const event&);
  void game_ended(game_id, const outcome&);
  void pause_seek();
  void on_stayed();
  void on_seated(runtime::seated&);
  void on_seated_late(const runtime::seated&);
  void register_player(std::string name, const receipt&, name_choice,
                       std::shared_ptr<const relayed_player> relayed = nullptr);
  void on_name_assigned(runtime::name_assigned&);
  void on_name_changed(runtime::name_changed&);
  void on_player_removed();
  bool is_muted() const;
  bool is_bot() const;
  // A client that was replaced may send an intent before it hears of that. The intent is dropped,
  // because the new client was shown its games without it.
  bool is_current(attachment_id client) const { return client_ && client_->id() == client; }
  void on_resume_failed(runtime::resume_failed&);
  // The player of the client is known: handles the intents that arrived meanwhile.
  void replay_held_intents();
  void on_seek_result(runtime::seek_result&);
  void on_attach(runtime::attach_client&);
  // The game sends its position to the client that has not seen it.
  void request_position(const seat_entry&, bool visits = true);
  // Returns false for an event that was made before its game was shown to the client.
  bool may_receive(const event&);
  void set_wire(std::uint16_t wire);
  void on_detached(const runtime::detached&);
  void on_presence(const runtime::client_presence&);
  // The player has no client now, or has one again. The games and lists that show the player hear
  // of it after a while, and not more often than that.
  void begin_absence(base::instant kept_until);
  void end_absence();
  void publish_absence(std::optional<base::instant> kept_until);
  // Until when a player without a client keeps its seat.
  base::instant kept_until(const seat_entry&) const;
  // The same for others to see: `otherwise`, unless the clock of the game allows more.
  base::instant shown_until(const seat_entry&, base::instant otherwise) const;
  // Leaves the games and ends the session when the lobby has removed the player.
  void leave_hub();
  // Leaves the games whose seats are kept until that moment at most.
  void leave_games(base::instant until);
  void leave_all();
  void on_seats_expired();
  // True if the player is away and its seats are kept without an end, so that the lobby can make
  // this session again when it is needed.
  bool may_sleep() const;
  void ask_to_sleep();
  void on_sleep_granted();
  // Returns the game that the intent names if it may be asleep without this session; zero: the
  // intent is for all of them.
  std::optional<game_id> game_to_wake(const intent&);
  void on_seats_found(runtime::seats_found&);
  void on_release(const runtime::release_seat&);
  bool may_release(const seat_entry&) const;
  // Answers requests that waited until the client was shown this game.
  void answer_shown(game_id);
  void on_banned();
  void on_drain(const runtime::drain&);
  void on_game_suspended(const runtime::game_suspended&);
  // A game of this player is over or suspended: ends the session or sets its next deadline.
  void on_grace_expired();
  void on_timeout(std::uint64_t number);

  void refuse(const receipt&, game_id, refusal, move what = {}, std::string detail = {});
  void deliver(const event&);
  void count(const event&);
  void close_all(close_reason);
  // Sets the deadline for the state of the player: handshake, idle or grace time. Without game and
  // seek the session is unused.
  void set_deadline();
  void set_unused(std::optional<unused_client>);
  std::string public_name() const;
  metrics::wire_cells& cells() { return owning_loop().cells().wires[wire_]; }
  // How long a player without a client keeps its seats, without regard to clocks.
  std::chrono::seconds grace() const;
  // True if the player may come back after a game has ended that its client has not been told of.
  bool may_miss_end() const { return awaits_return_ || way_is_lost(); }
  bool way_is_lost() const { return absence_ && absence_->way_lost; }

  // First the small members, together: they fill a gap behind the base class.
  std::uint16_t wire_;        // of the latest attachment
  client_features features_;  // of the same
  bool known_to_lobby_ = false;
  bool received_intent_ = false;
  bool draining_ = false;
  bool has_suspended_ = false;  // a game of this player goes on after the end of the hub
  bool leaving_ = false;
  bool banned_ = false;
  bool awaits_return_ = false;  // restored after a restart, and the player has not reconnected
  session_setup& setup_;
  player_id id_;
  player<runtime::game_actor> player_;
  std::optional<runtime::attachment_ref> client_;   // nothing: the player has no client
  std::unique_ptr<address_use> address_;            // null: no limits
  std::unique_ptr<identity> identity_;              // null: the player has not signed in
  std::unique_ptr<pending_resume> pending_resume_;  // not null while it is pending
  struct absence_state {
    base::instant kept_until{};
    bool published = false;
    bool way_lost = false;           // as of runtime::detached
    base::timers::token timer = {};  // of the next report; none: nothing to report
  };
  std::unique_ptr<absence_state> absence_;  // null: the player has a client
  // A find_seat that is answered when these games were shown.
  struct open_find {
    receipt answers;
    std::vector<game_id> games;
  };
  // Requests that are not answered at once.
  struct open_requests {
    std::vector<open_find> finds;
    std::optional<receipt> sign_out;  // to be answered at the end
  };
  std::unique_ptr<open_requests> open_requests_;  // null: there were none
  open_requests& hold_request() {
    if (!open_requests_) open_requests_ = std::make_unique<open_requests>();
    return *open_requests_;
  }
  bool signs_out() const { return open_requests_ && open_requests_->sign_out; }
  std::unique_ptr<entry_state> entry_;  // null: the player is here
  // What entry_ will be; null: no game was handed over. A client of another hub goes on there: what
  // it has sent is dropped with this.
  std::unique_ptr<entry_state> follows_;
  // The latest ends of games that ended while the client was at another hub, or none was here.
  std::unique_ptr<std::vector<event>> ends_;
  // The numbers of the timers of address_use and absence_state, which no deadline has.
  static constexpr std::uint64_t rate_timer = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint64_t stay_timer = rate_timer - 1;
  static constexpr std::uint64_t absence_timer = rate_timer - 2;
  static constexpr std::uint64_t return_timer = rate_timer - 3;

  std::optional<unused_sessions::place> unused_;
  base::timers::token stay_timer_;  // of the pause after a game
  game_id sought_rematch_;          // the latest seek is for the rematch of this game, and no other
  base::timers::token deadline_;
  std::uint32_t deadline_number_ = 0;
  std::uint8_t hubs_ = 0;         // from that of the client to this one
  base::instant absent_since_{};  // without an attachment: since when
};
static_assert(sizeof(session) <= 376, "there is one for each idle client");
static_assert(sizeof(seat_of<runtime::game_actor>) <= 40, "each idle client has one");

}  // namespace gamehub::actors::session
