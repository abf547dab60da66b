// Where a reader of a game's updates stands, and what it gets: decided from its request, the number
// of the game's last update and whether the game has ended. Every way to resume is one of these:
// whoever has the updates up to n gets n + 1, n + 2 … and nothing twice. Plain values, any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "gateways/http/errors.hpp"
#include "gateways/http/http_limits.hpp"
#include "gateways/http/parameters.hpp"
#include "gateways/http/request.hpp"

namespace gamehub::gateways::http {

// The game's log, as far as it matters here. Numbers have no gaps: it has 1 to last.
struct log_end {
  std::uint64_t last = 0;  // 0: nobody came yet
  bool ended = false;      // nothing comes after last
};

enum class reading : std::uint8_t { lines, events, poll };

// What a reader wants: how, what it has had, and how long a poll waits.
struct read_request {
  reading how = reading::lines;
  std::uint64_t after = 0;
  limits::seconds wait{0};
};

// Requires: the parameters are those of updates.
std::variant<read_request, error> parse_read_request(const request&, const parameters&);

// Send the updates from this number to the last, then each as it comes; where the game has ended
// the answer ends with the last.
struct stream_from {
  std::uint64_t first = 1;
};
// Answer with the update of this number, which there is.
struct answer_with {
  std::uint64_t number = 1;
};
// Answer with the update of this number if it comes in time, else with nothing.
struct wait_for {
  std::uint64_t number = 1;
  limits::seconds at_most{0};
};
// Answer with nothing, now. 204 tells a browser's event source not to come back.
struct answer_empty {
  int status = 200;
};

using stream_position = std::variant<stream_from, answer_with, wait_for, answer_empty, error>;
stream_position position_of(const read_request&, log_end);

// How long an answer with an error waits: for a reader that gives a cursor, whatever else is wrong.
limits::seconds error_pause(std::string_view query);

// Whether the field lists text/event-stream by its name, and does not say q=0.
bool accepts_events(std::string_view accept);

}  // namespace gamehub::gateways::http
