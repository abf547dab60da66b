// The messages between the hubs of a cluster about their players. The hub that a client is
// connected to is its entry; the hub that has its session is its home. A closed set; all other
// messages stay inside a process. Plain values; any thread.
#pragma once

#include "hub/base/endpoint.hpp"
#include "hub/core/event.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/reasons.hpp"
#include "hub/journal/member_id.hpp"

#include <cstdint>
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
  // The hubs that its player has moved to, this one included; 0: it has not moved.
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

// Between two lobbies.

// Is the player of this digest at the other hub?
struct find_player {
  std::uint64_t question = 0;
  std::string digest;
};

// Would this seek be paired there? `name` is the player's. Of three seats or more: `gathered`
// players wait with it for such a game, itself included.
struct find_opponent {
  std::uint64_t question = 0;
  std::string wire;
  std::string name;
  seek what;
  std::uint32_t gathered = 0;
};

struct answer {
  std::uint64_t question = 0;
  bool yes = false;
};

using message = std::variant<attach, arrive, request, presence, depart, told, accepted, closed,
                             find_player, find_opponent, answer>;

}  // namespace gamehub::relay
