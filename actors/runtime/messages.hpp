// The values that actors send to each other, in addition to the types of hub/core. interfaces.hpp
// lists the receivers. Messages stay within the process and are never serialised. Times are
// nanoseconds of the steady clock unless a type states otherwise.
#pragma once

#include "hub/core/event.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/ports.hpp"
#include "hub/core/wire.hpp"
#include "hub/journal/record.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::actors::runtime {

class loop;
class clock_query;
class snapshot_query;
class subscription;

// To a session.

// The attachment has ended: its client disconnected, or the gateway closed it.
struct detached {
  attachment_id from;
  bool way_lost = false;  // session_handle::lose_way
};

// The client of an attachment, which stays, has gone or is back (session_handle::set_away).
struct client_presence {
  attachment_id from;
  std::optional<base::instant> kept_until;
};

// A client proved by `secret` that it is this session's player. Its attachment uses protocol `wire`
// and lives on loop `home`. The session replies to the sign-in of `answers`.
struct attach_client {
  std::shared_ptr<attachment> client;
  loop* home = nullptr;
  std::uint16_t wire = 0;
  std::string secret;
  receipt answers;
  client_features features = {};
  std::string digest = {};  // of the player's secret, also if `secret` is empty
  std::uint8_t hubs = 0;    // from that of the client to this one
};

// Reply to register_player: the name of this player, or the refusal `why`.
struct name_assigned {
  std::string name;
  std::optional<refusal> why;
  receipt answers;
  std::string detail = {};
};

// Reply to rename_player: the new name of this player, or the refusal `why`.
struct name_changed {
  std::string name;
  std::optional<refusal> why;
  std::string detail;
  receipt answers;
};

// Reply to resume_request: no player has that secret.
struct resume_failed {
  std::string name;  // the requested name
  name_choice choice = name_choice::similar;
  receipt answers;
};

// Reply to seek_request: the placement, or the refusal `why`.
struct seek_result {
  placed place;
  game_id game;  // set if the client requires the id of the game now
  std::optional<refusal> why;
  std::string detail;
  receipt answers;
};

// Reply to player_left. The lobby has sent every `seated` for this player before.
struct player_removed {};

// The player is banned.
struct ban_session {};

// Which games a hub that drains hands over to other hubs at once.
enum class hand_over : std::uint8_t {
  none,
  of_returning,  // whose clients have all shown that they come back
  // Also those whose clients go on at the other hub while they are connected here: this hub passes
  // on what they send.
  of_following,
  // Also those of such clients without a secret: the log gets one (record format 2).
  of_all,
};

// Whose the games of this hub are: those of another one as soon as that has adopted them.
enum class game_owner : std::uint8_t {
  here,
  elsewhere,  // nothing more is said of them here
  followed,   // the same; their clients stay connected here and go on at the other hub
};

// The hub is stopping: the session ends when no game of its player runs. The lobby stops pairing.
struct drain {
  runtime::hand_over what = runtime::hand_over::none;
  bool at_last = false;  // to a session: the time of the drain is over
};

// The game is suspended until the hub runs again. It sends no further messages.
struct game_suspended {
  game_id game;
  // The game is another hub's, and the client goes on there. The session answers by a leave_request
  // without a ticket. Until then the game returns what the session has sent, and then sends this
  // message once more, with `all_returned`.
  bool follows = false, all_returned = false;
  std::uint64_t number = 0;  // of the latest record, which the client knows
  std::string digest = {};   // of the secret that a seat without one has got
  bool is_over = false;      // it does not go on for this player: it has ended
};

// Reply to player_may_sleep and game_may_sleep: the actor leaves memory now, unless something has
// happened since it asked. It replies with player_sleeps or game_sleeps in any case.
struct sleep_granted {};

// Game to session: nothing has happened in the game for long, and it may leave memory if the
// session has no use for it now. Then the answer is seat_asleep.
struct release_seat {
  game_id game;
};

// A timer that the receiving actor started. `number` identifies it, so that the actor can ignore a
// timer that it has replaced.
struct timer_up {
  std::uint64_t number = 0;
};

// To a game.

// Starts the game, or lets one go on that was asleep.
struct begin_game {
  seat_set here = 0;  // the seats whose players have a client: their sessions take them
};

// Plays a move for a seat.
struct play_request {
  seat_index seat = 0;
  gamehub::receipt receipt;
  move what;
  journal::record_number repeated_after = 0;  // as of gamehub::play
};

// The player of the seat leaves by request, or has disconnected if the ticket of the receipt is
// zero. In the latter case the session sends no further requests.
struct leave_request {
  seat_index seat = 0;
  gamehub::receipt receipt;
  leave_cause why = leave_cause::quit;
};

// A chat message of a seat.
struct chat_request {
  seat_index seat = 0;
  gamehub::receipt receipt;
  std::string text;
};

// A seat offers a draw or a takeback, or answers such an offer; a seat claims the win.
struct offer_request {
  seat_index seat = 0;
  gamehub::receipt receipt;
  offer what;
};
struct claim_request {
  seat_index seat = 0;
  gamehub::receipt receipt;
};

// The player of the seat has another name.
struct rename_seat {
  seat_index seat = 0;
  std::string name;
};

// The player of the seat has a new attachment, which uses this form. The game sends `started` and
// its position again; the receipts of these events name the attachment, without a ticket.
struct resend_request {
  seat_index seat = 0;
  view_form form = view_form::cells;
  client_features features = {};
  attachment_id client = {};
  bool visits = true;  // false: the attachment is not new, and has asked for nothing
};

// The player of the seat has no client, and its seat is kept until then; none: it has one again.
struct seat_presence {
  seat_index seat = 0;
  std::optional<base::instant> kept_until;
};

// The player of the seat is away for long, and its session ends; or it is here, and its client does
// not follow the game. The player keeps the seat; the session sends no further requests.
struct seat_asleep {
  seat_index seat = 0;
  bool here = false;
};

// Ends the game without a result.
struct end_request {
  end_reason why = end_reason::operator_;
  std::string note;  // for the log
};

// The hub is stopping: suspends the game if all its players can reconnect after the restart. At the
// begin of a drain only if their clients have shown that they do: the others have the time of the
// drain to end the game.
struct suspend_game {
  bool at_last = false;  // the time of the drain is over
  runtime::hand_over what = runtime::hand_over::none;
  // If it is to be handed over: the game calls it on its loop, when all its records are committed
  // and none follows, or at once if it goes on. In the first case it gets a commit when the game is
  // another hub's, or `not_taken`.
  std::function<void(bool settled, loop&, std::vector<std::string> keys)> answer = {};
  bool not_taken = false;  // it is suspended here after all
};

// Subscribes a spectator.
struct watch_request {
  std::shared_ptr<subscription> by;
};
// Requests one snapshot.
struct snapshot_request {
  std::shared_ptr<snapshot_query> by;
};
// Requests the clock.
struct clock_request {
  std::shared_ptr<clock_query> by;
};

// Records up to this number are durable.
struct log_committed {
  journal::record_number number = 0;
};

// The result of an engine search for a seat at the turn with that number. The game ignores it if
// the turn is over.
struct search_result {
  seat_index seat = 0;
  std::uint64_t turn = 0;
  std::optional<std::int64_t> what;  // the action; none: the engine failed
  std::chrono::nanoseconds took{};
  bool hurried = false;  // the search had less time than configured
  // If the engine failed: the function of abi.h, and the text of the exception.
  std::string failed_function = {}, failure = {};
};

}  // namespace gamehub::actors::runtime
