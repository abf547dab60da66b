// What each kind of actor understands. Read this file first: it is the map of the hub.
//
// Actors tell, they don't ask: every answer is itself a message, so none ever waits. Whoever
// spawns an actor monitors it. All actors are pinned to a loop and never leave it.
#pragma once

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

#include "actors/messages.hpp"
#include "engines/engine.hpp"
#include "hub/core/update.hpp"
#include "hub/core/wire.hpp"

namespace gamehub::actors {

struct reserve_seat;

// A game: one table with a mailbox and a clock. One per game, on the loop of the player who
// opened it. Spawned and monitored by the lobby.
using game_actor = caf::typed_actor<
    // Its players have their seats: the game begins.
    caf::result<void>(begin_game),
    // Plays a move. Answered by a position or a refusal, through the seat's session.
    caf::result<void>(play_request),
    // A player says something. Answered by done or a refusal.
    caf::result<void>(chat_request),
    // A player leaves: the others win. After the end: that session asks nothing more.
    caf::result<void>(leave_request),
    // Tells one player again where the game stands.
    caf::result<void>(show_request),
    // Somebody watches, or looks once.
    caf::result<void>(watch_request), caf::result<void>(look_request),
    // Ends the game, to nobody's loss.
    caf::result<void>(end_request),
    // After a restart: whom to tell what happens at a seat.
    caf::result<void>(reserve_seat),
    // Rests until the hub is up again, if all its players can come back.
    caf::result<void>(park),
    // The journal has made the log safe up to a number; what waited for it may be told.
    caf::result<void>(log_committed),
    // The move that was thought of for a seat of the house.
    caf::result<void>(search_result),
    // The clock of the turn with that number.
    caf::result<void>(timer_up)>;

// A player's place at a table, as the lobby gives it. The game's events come after it.
struct seated {
  game_actor game;
  game_id id;
  std::uint16_t engine = 0;  // its number in the catalog
  seat_index seat = 0;
};

struct resume_accepted;

// A session: one player, with its seats and attachments. On the loop of its first attachment.
// Spawned by the reception, monitored by the gateway of its wire.
using session_actor = caf::typed_actor<
    // Something the client said.
    caf::result<void>(envelope),
    // Something the client should know; goes to the attachment that asked, or to all.
    caf::result<void>(event),
    // The lobby seats this player in a game, which ends with the position that has an outcome.
    caf::result<void>(seated),
    // The lobby's answers.
    caf::result<void>(named), caf::result<void>(resume_accepted), caf::result<void>(not_resumed),
    caf::result<void>(seek_answer), caf::result<void>(forgotten),
    // Attachments come and go.
    caf::result<void>(attach_client), caf::result<void>(detached),
    // The operator keeps this player out.
    caf::result<void>(expel),
    // The hub goes down; a game rests until it is up again.
    caf::result<void>(drain), caf::result<void>(parked),
    // Its handshake, idle or grace time is over.
    caf::result<void>(timer_up)>;

// After a restart: the session of a seat, to which its player has yet to come back.
struct reserve_seat {
  seat_index seat = 0;
  session_actor session;
};

// The lobby's answer to resume: the client's player is that one, if it has not just left. The
// attachment is on its way there.
struct resume_accepted {
  session_actor to;
};

// A player asks for a name of its own.
struct enter {
  session_actor session;
  player_id player;
  std::string name;    // empty: any
  std::string secret;  // brings it back
  receipt answers;
  bool exact = false;  // that name or none
};

// Whoever has this secret shall get the attachment. The session that asks goes away if so.
struct resume_request {
  session_actor asking;
  player_id player;
  std::string secret;
  std::string name;
  attach_client what;
  // Where nobody has the secret, the player that asks enters with it.
  bool brings_secret = false;
  bool exact = false;  // then, that name or none
};

// A player waits for opponents.
struct seek_request {
  session_actor session;
  player_id player;
  std::string name;
  seek what;
  std::uint32_t playing = 0;  // games that it is in already
  std::uint16_t wire = 0;
  loop* home = nullptr;
  receipt answers;
  game_id rematch_of = {};
  std::vector<player_id> awaits = {};  // of a rematch, as the lobby finds it: who else has to come
  // What isolated engines make of the options, by their numbers: the lobby asks them elsewhere, and
  // the request comes back with it.
  std::map<std::uint16_t, std::variant<engine_traits, std::string>> asked = {};
};

// Of two who wait to be asked for by name: a game between them, this one in the first seat, as
// gamehub::meet has it. Answered by placed or a refusal.
struct meet_request {
  session_actor session;
  player_id player;
  std::string opponent;
  game_id game;
  receipt answers;
};

// A player waits no more. Answered by done.
struct withdraw_request {
  session_actor session;
  player_id player;
  receipt answers;
};

// A game of this player ended, and it waits for another.
struct place_free {
  player_id player;
};

// A player with a standing offer has lost its last attachment for now, or has one again.
struct presence {
  player_id player;
  bool away = false;
};

// A player is gone for good. Answered by forgotten, so that no seat is given to it unseen.
struct gone {
  session_actor session;
  player_id player;
};

// End the games that still run: all, or those of the engine that has this host.
struct end_games {
  end_reason why = end_reason::drained;
  const engines::host* host = nullptr;
};

// An operator ends one game, in its own words. Says whether there is such a game.
struct end_one {
  game_id game;
  std::string note;
  std::function<void(bool)> found;
};

// Whom the operator keeps out has changed.
struct bans_changed {};

// Where a game is: exactly one of the two goes on to it, waits with the lobby until there is a
// game, or is dropped.
struct find_game {
  game_id game;
  std::shared_ptr<line> to_follow;
  std::shared_ptr<snapshot_query> to_look;
};

// What waits and runs, by descending ids below `before`, closed games that wait left out.
struct list_games {
  std::optional<std::uint16_t> kind;  // of engine; none: all
  game_id before;
  std::size_t limit = 0;

  struct found {
    // Those that wait have a card.
    std::vector<std::pair<game_id, std::shared_ptr<const game_metadata>>> games;
    game_id looked_down_to;  // zero: there are no others
  };
  std::function<void(found)> answer;  // on the lobby's loop
};

// After a restart: a game and a player of the journal's, with the digest of its secret.
struct restored_game {
  game_actor game;
  game_id id;
  std::uint16_t engine = 0;
};
struct restored_player {
  session_actor session;
  player_id player;
  std::string name;
  std::string secret_digest;
};

// The lobby: one for the whole hub. Knows names and secrets, seats waiting players at tables, opens
// games and monitors them.
using lobby_actor = caf::typed_actor<
    caf::result<void>(enter), caf::result<void>(resume_request), caf::result<void>(seek_request),
    caf::result<void>(meet_request), caf::result<void>(withdraw_request),
    caf::result<void>(place_free), caf::result<void>(presence), caf::result<void>(gone),
    // Seat nobody any more; then end what runs; a hub that drains sends both.
    caf::result<void>(drain), caf::result<void>(end_games), caf::result<void>(end_one),
    // Whose name is banned goes.
    caf::result<void>(bans_changed),
    // Of those who watch.
    caf::result<void>(find_game), caf::result<void>(list_games),
    // What the journal brought back.
    caf::result<void>(restored_game), caf::result<void>(restored_player),
    // Somebody has waited long enough for another opponent.
    caf::result<void>(timer_up)>;

// A new session of this gateway's wire.
struct opened {
  session_actor session;
};

// A gateway: one per wire. Monitors its sessions and drains them.
using gateway_actor = caf::typed_actor<caf::result<void>(opened), caf::result<void>(drain)>;

}  // namespace gamehub::actors

CAF_BEGIN_TYPE_ID_BLOCK(gamehub, caf::first_custom_type_id)
CAF_ADD_TYPE_ID(gamehub, (gamehub::envelope))
CAF_ADD_TYPE_ID(gamehub, (gamehub::event))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::detached))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::attach_client))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::named))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::not_resumed))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::seek_answer))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::drain))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::begin_game))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::forgotten))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::timer_up))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::play_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::chat_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::leave_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::show_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::list_games))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::find_game))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::look_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::watch_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::end_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::log_committed))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::search_result))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::seated))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::resume_accepted))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::enter))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::resume_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::seek_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::meet_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::withdraw_request))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::place_free))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::presence))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::gone))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::end_games))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::opened))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::park))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::parked))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::reserve_seat))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::end_one))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::restored_game))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::restored_player))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::expel))
CAF_ADD_TYPE_ID(gamehub, (gamehub::actors::bans_changed))
CAF_END_TYPE_ID_BLOCK(gamehub)

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::envelope)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::event)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::detached)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::attach_client)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::named)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::not_resumed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::seek_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::drain)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::begin_game)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::forgotten)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::timer_up)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::play_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::chat_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::leave_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::show_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::list_games)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::find_game)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::look_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::watch_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::end_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::log_committed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::search_result)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::seated)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::resume_accepted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::enter)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::resume_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::seek_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::meet_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::withdraw_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::place_free)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::presence)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::gone)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::end_games)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::opened)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::park)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::parked)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::reserve_seat)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::end_one)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::restored_game)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::restored_player)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::expel)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gamehub::actors::bans_changed)
