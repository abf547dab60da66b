// The messages between the hubs of a cluster about their players. The hub that a client is
// connected to is its entry; the hub that has its session is its home. A closed set; all other
// messages stay inside a process. Plain values; any thread.
#pragma once

#include "hub/base/endpoint.hpp"
#include "hub/core/event.hpp"
#include "hub/core/game_update.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/reasons.hpp"
#include "hub/core/spectator_service.hpp"
#include "hub/journal/member_id.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gamehub::relay {

using journal::member_id;

// What a client can do that is signed in. Secrets never cross, so sign_in does not.
using crossing_intent = std::variant<seek, play, leave, chat, rematch, challenge, sign_out,
                                     change_name, decline, offer, claim>;

// A client at its entry. With the entry's number, `id` is its name in the cluster.
struct client_at {
  attachment_id id = {};
  std::string wire = {};  // the name of its protocol
  client_features features = {};
  // That its entry counts; none: it has no limits.
  std::optional<base::address_bytes> address = {};
  // How many hubs the player is away from the one that the client is connected to: 1, if that is
  // the entry.
  std::uint32_t moves = 0;
};

// From the entry to the home.

// The client has the secret of this digest, whose player is at the home. The answer is `told`, with
// signed_in or a refusal and this ticket.
struct attach {
  client_at client;
  std::string digest;
  gamehub::ticket ticket = 0;
};

// The player of the client moves to the home with its name and the digest of its secret, which
// become keys of the home; both are empty if it has not signed in. The answer is `accepted` or
// `closed`.
struct arrive {
  client_at client;
  std::string name;
  std::string digest;
  std::vector<std::string> former_names;
};

// The ticket of `attach` of a client whose former home has ended. The answer is followed by the
// ends of games that the client may have missed.
inline constexpr gamehub::ticket coming_back = ~gamehub::ticket{0} - 2;

// The ticket of a request `leave` with which an entry that drains withdraws the seek of its client:
// a seat that the player has got meanwhile stays, and the answer has the id of its latest game.
// Clients count from 1.
inline constexpr gamehub::ticket no_more_games = ~gamehub::ticket{0} - 3;

// An intent of the client. The answer is `told` with the ticket.
struct request {
  attachment_id client;
  gamehub::ticket ticket = 0;
  trace_id trace;
  crossing_intent what;
};

// The client is away, or back.
struct presence {
  attachment_id client;
  std::optional<base::instant> kept_until;
};

// The client has disconnected.
struct depart {
  attachment_id client;
  bool way_lost = false;  // or a hub between it and the entry has ended: it may come by another way
};

// From the home to the entry.

// An event for the client. Its receipt names no attachment if it is for all.
struct told {
  attachment_id client;
  event what;
};

// The player of `arrive` is here.
struct accepted {
  attachment_id client;
};

// The home has ended the client's attachment.
struct closed {
  attachment_id client;
  close_reason why = close_reason::failed;
};

// From the hub that has read a request over HTTP to the hub that answers it, because the player of
// its client, or its game, is there. `number` is that of the reader.

struct web_request {
  std::uint64_t number = 0;
  std::string method = {}, path = {};  // without the query
  // The parameters that its route knows, but for the client_id.
  std::vector<std::string> names = {}, values = {};
  std::string accept = {}, last_event_id = {};      // fields of the head
  std::uint32_t error_pause = 0;                    // that the client asks for, in seconds
  std::string digest = {};                          // of the client_id; empty: a guest
  std::optional<base::address_bytes> address = {};  // as in client_at
  bool opens = false;                               // the answer names the player
};

// The reader has passed these bytes of the response on.
struct web_taken {
  std::uint64_t number = 0;
  std::uint32_t bytes = 0;
};

// The client has disconnected, or needs no more of the response.
struct web_gone {
  std::uint64_t number = 0;
};

// The response, in the other direction: a part of its body or stream, the head and the end of a
// response, or the head and the end of a stream.

struct web_part {
  std::uint64_t number = 0;
  std::string bytes = {};
};

struct web_answer {
  std::uint64_t number = 0;
  std::uint32_t status = 200;
  std::string content_type = {}, cache_control = {};
  std::vector<std::string> names = {}, values = {};  // of more fields
  std::string body = {};                             // after the parts
  std::uint32_t extra_requests = 0;                  // what it costs the client's address
  // Neither the player nor the game is there any more.
  bool not_here = false;
};

struct web_stream {
  std::uint64_t number = 0;
  std::string content_type = {};
  std::uint32_t extra_requests = 0;
};

struct web_end {
  std::uint64_t number = 0;
};

// From a hub whose clients watch a game to the hub of that game. `number` is that of the former,
// which has one for all its watchers of the game.

// Sends the updates after this number, as spectators see them. The answer is `watch_found` or
// `watch_end`.
struct watch {
  std::uint64_t number = 0;
  game_id game = {};
  std::uint64_t after = 0;
};

// Updates that are on the way at once of one game to one hub.
inline constexpr std::uint32_t watch_updates_max = 64;

// This number of updates has arrived.
struct watch_taken {
  std::uint64_t number = 0;
  std::uint32_t updates = 0;
};

// No more is needed.
struct watch_gone {
  std::uint64_t number = 0;
};

// In the other direction.

// The game is here. Again while it waits, when its players have changed.
struct watch_found {
  std::uint64_t number = 0;
  std::shared_ptr<const game_metadata> game = {};
  game_status status = game_status::waiting;
  std::uint64_t last = 0;
};

// The next update, without its game; `game` is there if it is another one than before. The state is
// that of the latest update.
struct watch_update {
  std::uint64_t number = 0;
  std::shared_ptr<const game_metadata> game = {};
  game_update what = {};
  present_ref present = {};
};

// The state has changed without an update.
struct watch_present {
  std::uint64_t number = 0;
  present_ref present = {};
};

// Nothing follows: the last update was sent, or the game is not here.
struct watch_end {
  std::uint64_t number = 0;
  bool complete = false;
};

// Between all hubs: a guest of this game, who watches it at that hub, has come or gone.
struct guest_change {
  game_id game = {};
  std::string name = {};
  bool left = false;
};

// Between two lobbies.

// Is the player of this digest at the other hub?
struct find_player {
  std::uint64_t question = 0;
  std::string digest;
};

// Does this game wait or run at the other hub, or the game of an invitation wait there?
struct find_game {
  std::uint64_t question = 0;
  game_id game = {};
  std::string party = {};  // the name of the invitation
};

// Would this seek be paired there? `name` is the player's. Of three seats or more: `gathered`
// players wait with it for such a game, itself included; `stay` of them can't move.
struct find_opponent {
  std::uint64_t question = 0;
  std::string wire;
  std::string name;
  seek what;
  std::uint32_t gathered = 0;
  std::uint32_t stay = 0;
};

// An operator's request to the admin port of another hub, which asks this one for its part of the
// answer: the request as it came, without its token.
struct order {
  std::uint64_t number = 0;  // that the other hub has given it
  std::string method = {}, target = {}, body = {};
};

struct order_answer {
  std::uint64_t number = 0;
  std::uint32_t status = 200;
  std::string json = {};
};

// Also to question 0, when a link is there: `level` is that of the messages that this build knows.
struct answer {
  std::uint64_t question = 0;
  bool yes = false;
  std::uint32_t level = 0;
};

// 1: requests over HTTP, and find_game. 2: watching, and guests. 3: orders of operators.
inline constexpr std::uint32_t present_level = 3, web_level = 1, watch_level = 2, order_level = 3;

using message =
    std::variant<attach, arrive, request, presence, depart, told, accepted, closed, find_player,
                 find_opponent, answer, web_request, web_taken, web_gone, web_part, web_answer,
                 web_stream, web_end, find_game, watch, watch_taken, watch_gone, watch_found,
                 watch_update, watch_present, watch_end, guest_change, order, order_answer>;

}  // namespace gamehub::relay
