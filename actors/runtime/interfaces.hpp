// Every kind of actor and every message that it receives: the map of the hub. The message types
// without an actor handle are in messages.hpp.
//
// Actors do not wait for replies: a reply is a separate message. The spawner of an actor monitors
// it. An actor belongs to one loop for its lifetime.
#pragma once

#include "actors/runtime/messages.hpp"
#include "engines/host/engine.hpp"
#include "hub/core/address_ledger.hpp"
#include "hub/core/game_update.hpp"
#include "hub/core/player_list.hpp"
#include "hub/core/spectator_service.hpp"
#include "hub/core/wire.hpp"
#include "hub/relay/messages.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/type_id.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::actors::runtime {

struct reserve_seat;

// A game: one table with a mailbox and a turn timer. It runs on the loop of the player who opened
// it. The lobby spawns and monitors it.
using game_actor = caf::typed_actor<
    // Starts the game: every player has its seat.
    caf::result<void>(begin_game),
    // Plays a move. The reply is a position or a refusal to the session of the seat.
    caf::result<void>(play_request),
    // Adds a chat message to the log. The reply is `done` or a refusal.
    caf::result<void>(chat_request),
    // Offers a draw or a takeback, or answers; claims the win from players who are away. The reply
    // is `done` or a refusal.
    caf::result<void>(offer_request), caf::result<void>(claim_request),
    // The player of a seat leaves, so the other players win. After the end of the game: the session
    // sends no further requests.
    caf::result<void>(leave_request),
    // Logs and publishes the new name of a player.
    caf::result<void>(rename_seat),
    // Sends the current position to one player again.
    caf::result<void>(resend_request),
    // Subscribes a spectator, or requests one snapshot, or the clock.
    caf::result<void>(watch_request), caf::result<void>(snapshot_request),
    caf::result<void>(clock_request),
    // The player of a seat has no client any more, or has one again.
    caf::result<void>(seat_presence),
    // The session of a seat ends, or has no use for the game now. The game may leave memory.
    caf::result<void>(seat_asleep), caf::result<void>(sleep_granted),
    // Ends the game without a result.
    caf::result<void>(end_request),
    // After a restart: sets the session of a seat.
    caf::result<void>(reserve_seat),
    // Suspends the game across a restart if all its players can reconnect.
    caf::result<void>(suspend_game),
    // Records up to this number are durable. The game now sends the output that depends on them.
    caf::result<void>(log_committed),
    // The result of an engine search.
    caf::result<void>(search_result),
    // The turn timer, or the timer of a restored game that waits for its players.
    caf::result<void>(timer_up)>;

// Lobby to session: the player has a seat in this game. Events of the game follow it.
struct seated {
  game_actor game;
  game_id id;
  std::uint16_t engine = 0;  // index in the engine directory
  seat_index seat = 0;
  bool restored = false;  // the game sends its position on request
  // How long the player may be away (clock_policy::away_time); nothing: the grace time.
  std::optional<std::chrono::seconds> away_time = {};
};

struct resume_accepted;
struct seats_found;
struct go_to_hub;
struct from_home;

// A session: one player, its seats and its attachments. It runs on the loop of its first
// attachment. The session factory spawns it; the gateway of its protocol monitors it.
using session_actor = caf::typed_actor<
    // An intent of the client.
    caf::result<void>(envelope),
    // An event for the client: for the attachment that sent the request, or for all attachments.
    caf::result<void>(event),
    // The player has a seat in a game. The game ends with the position that has an outcome.
    caf::result<void>(seated),
    // Replies of the lobby.
    caf::result<void>(name_assigned), caf::result<void>(name_changed),
    caf::result<void>(resume_accepted), caf::result<void>(resume_failed),
    caf::result<void>(seek_result), caf::result<void>(player_removed),
    // An attachment is added or removed, or its client comes and goes.
    caf::result<void>(attach_client), caf::result<void>(detached),
    caf::result<void>(client_presence),
    // The player is banned.
    caf::result<void>(ban_session),
    // The player is away for long: its session may end. A game that its client named is awake. A
    // game may fall asleep although the player is here.
    caf::result<void>(sleep_granted), caf::result<void>(seats_found),
    caf::result<void>(release_seat),
    // The hub is stopping, or a game is suspended until the hub runs again.
    caf::result<void>(drain), caf::result<void>(game_suspended),
    // The player is at another hub of the cluster, or moves there; what that hub says.
    caf::result<void>(go_to_hub), caf::result<void>(from_home),
    // The handshake, idle or grace time has expired.
    caf::result<void>(timer_up)>;

// After a restart, to a game: the session of a seat whose player has not reconnected yet.
struct reserve_seat {
  seat_index seat = 0;
  session_actor session;
};

// Lobby to session, reply to resume_request: the secret belongs to the player of session `to`. The
// lobby has sent the attachment there; that session rejects it only if it is terminating.
struct resume_accepted {
  session_actor to;
};

// Session to lobby: registers the player under a name. The reply is name_assigned.
struct register_player {
  session_actor session;
  player_id player;
  std::string name;    // empty: any name
  std::string secret;  // resume token of the player
  receipt answers;
  name_choice choice = name_choice::similar;
  bool bot = false;  // it has this name at each hub of a cluster
  // The player moves here from another hub, with its name; null: it is new.
  std::shared_ptr<const relayed_player> relayed = {};
};

// Session to lobby: gives a registered player another name. The reply is name_changed.
struct rename_player {
  session_actor session;
  player_id player;
  std::string name;
  receipt answers;
};

// Session to lobby: moves the attachment to the player that has this secret. The requesting session
// ends if that succeeds. The reply is resume_accepted, resume_failed or, with brings_secret,
// name_assigned.
struct resume_request {
  session_actor asking;
  player_id player;
  std::string secret;
  std::string name;
  attach_client what;
  // If no player has the secret, register the requesting player with it.
  bool brings_secret = false;
  name_choice choice = name_choice::similar;  // of the name, in that case
  bool bot = false;                           // as of register_player
  // Of a client of another hub, in place of the secret; null: of this one.
  std::shared_ptr<const relayed_player> relayed = {};
  bool asked_hubs = false;  // set by the lobby: no other hub has the player
  bool has_waited = false;  // set by the lobby: for players of hubs that have died
  // The home of this client is gone. The reply is go_to_hub, also to this hub, or resume_failed.
  bool returns = false;
  std::string digest = {};     // then in place of the secret
  game_id game = {};           // as of sign_in
  bool games_awake = false;    // set by the lobby: those that the client needs
  bool looked_asleep = false;  // set by the lobby: it has taken those that hubs share
};

// Session to lobby: the player waits for opponents. The reply is seek_result.
struct seek_request {
  session_actor session;
  player_id player;
  std::string name;
  seek what;
  std::uint32_t playing = 0;  // number of running games of the player
  std::uint16_t wire = 0;     // index of the protocol
  loop* home = nullptr;       // loop of the session
  receipt answers;
  game_id rematch_of = {};  // of a standing seek (`what.again`): the reply is `done` or a refusal
  bool only_if_offered = false;        // the rematch
  address_account_ref address = {};    // of the player; null: exempt from limits
  std::vector<player_id> awaits = {};  // set by the lobby: the other players of a rematch
  player_id host = {};  // set by the lobby: the host of the game that the player joins
  // Set by the lobby: it has looked for the log of `rematch_of`; null: it was not found.
  bool looked_for_log = false;
  std::shared_ptr<const journal::game_log> ended_log = {};
  // Traits for these options of engines in their own process, by engine index, or the error text.
  // The lobby collects them on the loops of those engines and handles the request again.
  std::map<std::uint16_t, std::variant<engine_traits, std::string>> asked = {};
  // Whether the player may move to the hub of an opponent, and when that one is looked for there.
  enum class moving : std::uint8_t { never, later, at_once };
  moving moves = moving::never;
  bool asked_hubs = false;  // for the game that it joins
  // Set by the lobby: how many games of its address are asleep in the log that hubs share.
  std::optional<std::size_t> asleep_of_address = {};
  // The same of the game that it joins: it was looked for there, and if it is asleep, whether it is
  // closed.
  bool looked_asleep = false;
  std::optional<bool> asleep_closed = {};
};

// Lobby to session: the player is at another hub of the cluster, or moves there. The session
// becomes the entry of its client: it passes intents and events on. It sends the request back if
// that hub does not take the player.
struct go_to_hub {
  relay::member_id home;
  std::string digest;
  std::variant<resume_request, seek_request> why;
  std::vector<std::string> former_names = {};
};

// To a session that is an entry: what its home says.
struct from_home {
  struct accepted {};  // the player is there
  struct lost {};      // the hub is gone
  std::variant<event, close_reason, accepted, lost> what;
};

// Session to lobby: the player is at another hub now.
struct player_moved {
  player_id player;
};

// To the lobby: a question or an answer of another hub, and: the other hubs that can be asked have
// changed.
struct from_hub {
  relay::member_id from;
  relay::message what;
  std::shared_ptr<const void> counted = {};  // it waits for the lobby as long as this is kept
};
struct hubs_changed {};

// To the lobby: calls `found`, on its loop, with the other hub of the cluster where this game waits
// or runs, or the game of this invitation waits; none: it does so here, or at no hub.
struct locate_game {
  game_id game;
  std::string invitation;
  std::function<void(std::optional<relay::member_id>)> found;
};

// To the lobby: this game answers to suspend_game.
struct game_settled {
  caf::actor_id actor = 0;
  game_id game;
  bool settled = false;
  loop* where = nullptr;
  std::vector<std::string> keys;
};

// Session to lobby: both players have a standing seek by name; pairs them, the challenger in the
// first seat. The reply is `placed` or a refusal.
struct challenge_request {
  session_actor session;
  player_id player;
  std::string opponent;
  game_id game;
  receipt answers;
};

// Session to lobby: removes the seek of the player. The reply is `done`.
struct withdraw_request {
  session_actor session;
  player_id player;
  receipt answers;
};

// Session to lobby: the player declines the rematch of that game that is offered to it, or
// withdraws its own offer. The reply is `done`, or a refusal if there is no such offer.
struct decline_request {
  session_actor session;
  player_id player;
  decline what;
  receipt answers;
};

// Session to lobby: a game of this player ended, and its standing seek has a free seat.
struct seat_capacity_freed {
  player_id player;
};

// Session to lobby: a player with a standing seek has lost its last attachment, or has one again.
struct player_presence {
  player_id player;
  bool away = false;
  bool other_client = false;  // the client that may have offered a rematch has gone
};

// Session to lobby: the client of a player with an open seat has gone, or is back. The open seat
// stays, but lists do not show it meanwhile.
struct waiting_presence {
  player_id player;
  bool away = false;
};

// Session to lobby: the player has left. The lobby replies with player_removed after any seat it
// assigned earlier.
struct player_left {
  session_actor session;
  player_id player;
  // A game of the player goes on after the end of this hub: its name and secret stay taken until
  // the hub that continues the game has them.
  bool suspended = false;
};

// Session to lobby: the player has no client and only games of days, and asks to leave memory. The
// reply is sleep_granted. If none comes, it asks again later.
struct player_may_sleep {
  session_actor session;
  player_id player;
};

// Session to lobby, reply to sleep_granted: the session has ended, and the player has these seats;
// or it stays, because something has happened.
struct player_sleeps {
  struct seat {
    game_id game;
    seat_index number = 0;
  };
  player_id player;
  bool stays = false;
  std::vector<seat> seats = {};
  std::uint16_t wire = 0;            // index of the protocol
  std::size_t home = 0;              // index of the loop of the session
  address_account_ref address = {};  // as of seek_request
};

// Session to lobby: the player is here, and its session has no seat in this game any more, which
// may fall asleep. If something happens in it, the session has the seat again.
struct seat_released {
  player_id player;
  game_id game;
  seat_index seat = 0;
  address_account_ref address = {};  // as of seek_request
};

// Session to lobby: the client names a game in which the session has no seat. If it is a game of
// this player that is asleep, it wakes. Zero: the most urgent ones, and for find_seat none. The
// reply is seats_found.
struct seats_wanted {
  session_actor session;
  player_id player;
  game_id game;
  envelope what;               // returned by the reply
  bool looked_asleep = false;  // as of resume_request
};

// Lobby to session, reply to seats_wanted: the player has its seat, or the game is not one of its
// games that are asleep; or its log can't be read now.
struct seats_found {
  game_id game;
  envelope what;
  bool unreadable = false;
  std::shared_ptr<const std::vector<sleeping_seat>> asleep = {};  // for find_seat of no game
};

// Game to lobby: all its players are asleep, nothing is due for long, and it asks to leave memory.
// The reply is sleep_granted. If none comes, it asks again later.
struct game_may_sleep {
  game_actor game;
  game_id id;
  seat_set released = 0;  // the seats of players who are here: a seat_released comes of each
};

// Game to lobby, reply to sleep_granted: the actor has ended, and the turn ends then; or it stays.
// Also if it stays and has not asked: sessions have released it, and something has happened in it.
struct game_sleeps {
  game_id id;
  bool stays = false;
  base::instant due{};  // max(): the game has no clock
  seat_set to_move = 0;
  seat_set released = 0;  // as of game_may_sleep, if it stays
};

// To the lobby: ends the running games, all of them or those of one engine process.
struct end_games {
  end_reason why = end_reason::drained;
  const engines::host::host* host = nullptr;
  // Called on the lobby's loop with their number; empty: not at all.
  std::function<void(std::size_t games)> counted = {};
};

// To the lobby: ends one game on behalf of the operator, with a note for the log. `found` is called
// on the lobby's loop and states whether the game is running.
struct end_game {
  game_id game;
  std::string note;
  std::function<void(bool)> found;
  bool looked_asleep = false;  // as of resume_request
};

// To the lobby: the ban list has changed.
struct bans_changed {};

// To the lobby: forwards exactly one of the two to the game. For a waiting game the lobby keeps a
// subscription until the game starts; for an unknown game it destroys the pointer.
struct find_game {
  game_id game;
  std::shared_ptr<runtime::subscription> subscriber;
  std::shared_ptr<runtime::snapshot_query> snapshot;
  bool looked_asleep = false;  // as of resume_request
};

// To the lobby: forwards the query to those of the games that run.
struct find_clocks {
  std::vector<game_id> games;
  std::shared_ptr<clock_query> by;
};

// To the lobby: lists waiting and running games by descending ids below `before`, without closed
// ones. The list has the newest games that match, up to the limit.
struct list_games {
  std::optional<std::uint16_t> kind;  // kind of engine; none: all
  game_id before;
  std::size_t limit = 0;
  bool waiting = true, running = true;
  bool shared = true;  // also those that are asleep in the log that hubs share

  struct found {
    // Only waiting games have metadata.
    std::vector<std::pair<game_id, std::shared_ptr<const game_metadata>>> games;
    bool more = false;  // further games match
  };
  std::function<void(found)> answer;  // called on the lobby's loop
};

// To the lobby: the players that are here. Reads all of them: for operators.
struct list_players {
  player_query which;
  std::function<void(player_page)> answer;  // called on the lobby's loop
};

// To the lobby: what an invitation leads to; nothing if it leads nowhere.
struct find_invitation {
  std::string invitation;
  std::function<void(std::optional<invitation_state>)> answer;  // called on the lobby's loop
};

// After a restart or a takeover, to the lobby: a game restored from the journal, and the seats
// whose players can come back. The lobby seats them, who may be here already, and begins the game.
struct restored_game {
  struct seat {
    seat_index number = 0;
    player_id player;
    std::string name;
    std::string secret_digest;
    std::vector<std::string> former_names = {};
    std::uint16_t wire = 0;
    std::size_t home = 0;              // index of the loop for the player's session
    address_account_ref address = {};  // as of player_sleeps; null: not known
  };
  game_actor game;  // null: it is asleep, and the lobby has asked for it
  game_id id;
  std::uint16_t engine = 0;
  const engines::host::host* host = nullptr;  // the process of its match; null: this one
  bool closed = false;
  std::vector<seat> seats = {};
  std::optional<std::chrono::seconds> away_time = {};  // as of `seated`
  base::wall_time due_at{};  // of one that is asleep: when it must be awake; max(): never
};

// To a waker: reads and replays a game that is asleep. The reply to the lobby is game_woken.
struct wake_request {
  game_id id;
  std::uint16_t engine = 0;
  base::instant due{};  // as of game_sleeps
  bool proven = false;  // this process has played or replayed it
};

// A waker: one per loop, while games may fall asleep. It brings the games of its loop back.
using waker_actor = caf::typed_actor<caf::result<void>(wake_request)>;

// To the lobby: a game that slept is back; or it is asleep still, because its log can't be read
// now; or its log does not replay, and it is in quarantine.
struct game_woken {
  enum class how : std::uint8_t { awake, unreadable, quarantined } result = how::awake;
  game_id id;
  game_actor game;  // null: it is not awake
};

// To the lobby: only the journal's file has this game now, unless it was woken since. `filing` is
// the number of the call (running_games::entry).
struct game_filed {
  game_id id;
  std::uint64_t filing = 0;
};

// To the lobby: the answer to a change of keys, which no two hubs of a cluster have
// (shared_log::change_keys).
struct keys_changed {
  std::optional<std::vector<std::string>> owned;
};

// To the lobby: all games of a hub that died are restored here, and its log is deleted.
struct takeover_ended {};

// The lobby: one per hub, on the first loop. It knows names and secrets, pairs waiting players, and
// spawns and monitors games.
using lobby_actor = caf::typed_actor<
    caf::result<void>(register_player), caf::result<void>(rename_player),
    caf::result<void>(resume_request), caf::result<void>(seek_request),
    caf::result<void>(challenge_request), caf::result<void>(withdraw_request),
    caf::result<void>(decline_request), caf::result<void>(seat_capacity_freed),
    caf::result<void>(player_presence), caf::result<void>(waiting_presence),
    caf::result<void>(player_left),
    // Stops pairing; then ends the running games. A hub that stops sends both.
    caf::result<void>(drain), caf::result<void>(end_games), caf::result<void>(end_game),
    // Disconnects players whose names are banned.
    caf::result<void>(bans_changed),
    // Requests of spectators.
    caf::result<void>(find_game), caf::result<void>(find_clocks), caf::result<void>(list_games),
    caf::result<void>(find_invitation),
    // The request of an operator.
    caf::result<void>(list_players),
    // A game restored from the journal.
    caf::result<void>(restored_game),
    // Players and games that leave memory, and games that come back.
    caf::result<void>(player_may_sleep), caf::result<void>(player_sleeps),
    caf::result<void>(seats_wanted), caf::result<void>(seat_released),
    caf::result<void>(game_may_sleep), caf::result<void>(game_sleeps),
    caf::result<void>(game_woken), caf::result<void>(game_filed),
    // Of a cluster.
    caf::result<void>(keys_changed), caf::result<void>(takeover_ended),
    caf::result<void>(player_moved), caf::result<void>(from_hub), caf::result<void>(hubs_changed),
    caf::result<void>(locate_game), caf::result<void>(game_settled),
    // The pause between two games of the same opponents has expired.
    caf::result<void>(timer_up)>;

// To a gateway: a new session of its protocol.
struct opened {
  session_actor session;
};

// A gateway: one per protocol. It monitors its sessions and drains them.
using gateway_actor = caf::typed_actor<caf::result<void>(opened), caf::result<void>(drain)>;

}  // namespace gamehub::actors::runtime

CAF_BEGIN_TYPE_ID_BLOCK(gamehub, caf::first_custom_type_id)
CAF_ADD_TYPE_ID(gamehub, (gamehub::envelope))
CAF_ADD_TYPE_ID(gamehub, (gamehub::event))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::detached))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::client_presence))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::attach_client))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::name_assigned))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::resume_failed))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::seek_result))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::drain))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::begin_game))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::player_removed))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::timer_up))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::play_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::chat_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::leave_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::resend_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::seat_presence))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::list_games))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::list_players))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::find_game))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::find_clocks))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::snapshot_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::clock_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::watch_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::end_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::log_committed))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::search_result))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::seated))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::resume_accepted))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::register_player))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::resume_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::seek_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::challenge_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::withdraw_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::decline_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::seat_capacity_freed))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::player_presence))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::waiting_presence))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::player_left))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::end_games))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::opened))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::suspend_game))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::game_suspended))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::reserve_seat))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::end_game))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::restored_game))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::ban_session))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::bans_changed))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::name_changed))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::rename_seat))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::rename_player))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::find_invitation))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::offer_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::claim_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::keys_changed))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::takeover_ended))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::go_to_hub))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::from_home))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::player_moved))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::from_hub))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::hubs_changed))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::locate_game))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::sleep_granted))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::seat_asleep))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::player_may_sleep))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::player_sleeps))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::seats_wanted))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::seats_found))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::game_may_sleep))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::game_sleeps))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::seat_released))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::release_seat))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::game_woken))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::game_filed))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::wake_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::runtime::game_settled))
CAF_END_TYPE_ID_BLOCK(gamehub)

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::envelope)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::event)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::detached)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::client_presence)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::attach_client)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::name_assigned)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::resume_failed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::seek_result)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::drain)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::begin_game)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::player_removed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::timer_up)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::play_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::chat_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::leave_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::resend_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::seat_presence)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::list_games)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::list_players)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::find_game)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::find_clocks)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::snapshot_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::clock_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::watch_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::end_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::log_committed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::search_result)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::seated)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::resume_accepted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::register_player)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::resume_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::seek_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::challenge_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::withdraw_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::decline_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::seat_capacity_freed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::player_presence)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::waiting_presence)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::player_left)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::end_games)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::opened)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::suspend_game)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::game_suspended)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::reserve_seat)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::end_game)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::restored_game)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::ban_session)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::bans_changed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::name_changed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::rename_seat)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::rename_player)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::find_invitation)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::offer_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::claim_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::keys_changed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::takeover_ended)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::go_to_hub)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::from_home)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::player_moved)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::from_hub)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::hubs_changed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::locate_game)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::sleep_granted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::seat_asleep)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::player_may_sleep)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::player_sleeps)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::seats_wanted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::seats_found)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::game_may_sleep)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::game_sleeps)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::seat_released)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::release_seat)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::game_woken)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::game_filed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::wake_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::runtime::game_settled)
