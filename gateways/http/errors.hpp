// The errors of the protocol: numbers, statuses and messages. A client error is one of these values
// until it is written. Messages never repeat a client's text, which may be a secret. Plain values,
// any thread.
#pragma once

#include "gateways/http/request.hpp"
#include "hub/base/time.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/reasons.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::gateways::http {

enum class error_code : std::uint16_t {
  bad_request = 100,        // invalid request, parameters or path
  unknown_client = 101,     // no session with that client_id
  unknown_game = 102,       // no such game, or not of this client; no such engine or webhook
  invalid_move = 103,       // taken, out of bounds, not your turn, or the game has ended
  name_refused = 104,       // name in use, or not acceptable
  too_many_requests = 105,  // above a rate limit of the address or client
  hub_full = 106,           // full, or stopping
  body_too_large = 107,
  wrong_method = 108,
  not_allowed = 109,    // banned or muted by the operator
  cannot_resume = 110,  // no running game
  seat_taken = 111,     // the seat is taken, or kept for another player
};
inline constexpr std::array error_codes{
    error_code::bad_request,  error_code::unknown_client, error_code::unknown_game,
    error_code::invalid_move, error_code::name_refused,   error_code::too_many_requests,
    error_code::hub_full,     error_code::body_too_large, error_code::wrong_method,
    error_code::not_allowed,  error_code::cannot_resume,  error_code::seat_taken,
};

// Returns the HTTP status of an error.
int status_of(error_code);

// Returns a short description for documentation.
std::string_view to_string(error_code);

struct error {
  error_code code = error_code::bad_request;
  std::string message;
  int status = 0;                              // 0: status_of(code)
  std::optional<limits::seconds> retry_after;  // 105 and 106 always have one
  std::string allow;                           // wrong_method: the allowed methods
  std::string_view cause = {};                 // name_refused: a constant word of the cause
};

// Return an error with a message; the second error 100.
error plain(error_code, std::string message);
error bad_request(std::string message);

// Return the error as {"error":{"code":…,"message":…}}, and as a response.
std::string to_json(const error&);
response to_response(const error&);

// Returns the error for a game that does not exist or is private.
error no_such_game();
error no_such_engine();
// Returns the error of a banned client.
error kept_out();
// Returns the error of a page of another site.
error foreign_site();
// Too many requests: the next one may come after this time.
error rate_exceeded(base::duration wait);
// A client behind a trusted proxy holds as many streams and WebSockets as one address may.
error too_many_streams();
// Too many logs are to be read.
error logs_busy();
// Returns the error of a request whose Host is not one of this hub.
error misdirected();

// Returns the error for a refusal of the hub; `detail` is the engine's text.
error from(refusal, std::string_view detail = {});

}  // namespace gamehub::gateways::http
