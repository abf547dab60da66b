// The position of a reader in a game's updates, and the kind of its response: decided from the
// request, the number of the last update, and whether the game has ended. Every way to resume maps
// to one rule: a reader that has the updates up to n gets n + 1, n + 2 … and none twice. Plain
// values, any thread.
#pragma once

#include "gateways/http/errors.hpp"
#include "gateways/http/http_limits.hpp"
#include "gateways/http/parameters.hpp"
#include "gateways/http/request.hpp"
#include "hub/core/ids.hpp"

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace gamehub::gateways::http {

// The end of a game's log, whose numbers are 1 to `last` without gaps.
struct log_end {
  std::uint64_t last = 0;  // 0: the game has not started
  bool ended = false;      // no update follows `last`
};

enum class read_plan : std::uint8_t { lines, events, poll };

// The request of a reader: form, last update that it has, and timeout of a poll.
struct read_request {
  read_plan how = read_plan::lines;
  std::uint64_t after = 0;
  limits::seconds wait{0};
  bool by_cursor = false;  // asks again at once, also after the end of the game
  bool offers = false;     // a player's stream, which stays open for offers after the end
  bool notices = true;     // also what an operator says to all
};

// Parses a read request. Requires: the parameters are those of updates.
std::variant<read_request, error> parse_read_request(const request&, const parameters&);

// A game of a combined stream, and the last update that its reader has.
struct followed_game {
  game_id game;
  std::uint64_t after = 0;

  friend bool operator==(const followed_game&, const followed_game&) = default;
};

// Parses the games of a combined stream: ID or ID.NUMBER, with commas between them; each once, and
// at most limits::http_followed_games_max.
std::variant<std::vector<followed_game>, error> parse_followed_games(std::string_view);

// The request of a combined stream.
struct follow_request {
  std::vector<followed_game> games;  // empty only with notices
  bool offers = false;               // as in read_request
  bool notices = false;              // what an operator says to all, until the client leaves
};

// Parses the request of a combined stream. Requires: the parameters are those of follow.
std::variant<follow_request, error> parse_follow_request(const parameters&);

// Send the updates from this number on as a stream; if the game has ended, the response ends with
// the last one.
struct stream_from {
  std::uint64_t first = 1;
};
// Answer with this update, which exists.
struct answer_with {
  std::uint64_t number = 1;
};
// Answer with this update if it arrives in time, else with an empty body.
struct wait_for {
  std::uint64_t number = 1;
  limits::seconds at_most{0};
};
// Answer with an empty body immediately. 204 tells a browser's EventSource not to reconnect.
struct answer_empty {
  int status = 200;
};

using stream_position = std::variant<stream_from, answer_with, wait_for, answer_empty, error>;
// Returns the response for a reader.
stream_position position_of(const read_request&, log_end);

// Returns the delay of an error response: nonzero for clients that give a cursor, because some of
// them retry immediately.
limits::seconds error_pause(std::string_view query);

// True if the Accept field lists text/event-stream by name without q=0.
bool accepts_events(std::string_view accept);

}  // namespace gamehub::gateways::http
