// The errors of the wire: their numbers, their statuses and their words. A mistake of a client's is
// one of these values until it is written. Messages never repeat what a client said: it may be a
// secret. Plain values, any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gateways/http/request.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/reasons.hpp"

namespace gamehub::gateways::http {

enum class error_code : std::uint16_t {
  bad_request = 100,        // the request, its parameters or its path
  unknown_client = 101,     // no session with that client_id
  unknown_game = 102,       // no such game, or none of this client's
  invalid_move = 103,       // taken, out of bounds, not your turn, or the game has ended
  name_refused = 104,       // in use, or not acceptable
  too_many_requests = 105,  // of this address or client
  hub_full = 106,           // or going down
  body_too_large = 107,
  wrong_method = 108,
  not_allowed = 109,    // by the operator, to this client
  cannot_resume = 110,  // no running game to come back to
};
inline constexpr std::array error_codes{
    error_code::bad_request,  error_code::unknown_client, error_code::unknown_game,
    error_code::invalid_move, error_code::name_refused,   error_code::too_many_requests,
    error_code::hub_full,     error_code::body_too_large, error_code::wrong_method,
    error_code::not_allowed,  error_code::cannot_resume,
};

int status_of(error_code);

// A few words for lists of errors.
std::string_view to_string(error_code);

struct error {
  error_code code = error_code::bad_request;
  std::string message;
  int status = 0;                              // 0: the code's own
  std::optional<limits::seconds> retry_after;  // 105 and 106 always say one
  std::string allow;                           // wrong_method: the methods there are
};

error bad_request(std::string message);

// {"error":{"code":…,"message":…}}
std::string to_json(const error&);
response to_response(const error&);

// Or none that this client may see.
error no_such_game();
// The operator keeps this client out.
error kept_out();

// What the hub's refusals are on this wire; the detail is the engine's own word, if it has one.
error from(refusal, std::string_view detail = {});

}  // namespace gamehub::gateways::http
