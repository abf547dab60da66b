#include "gateways/http/errors.hpp"

#include "gateways/http/http_limits.hpp"
#include "hub/base/json.hpp"
#include "hub/base/token_bucket.hpp"
#include "hub/core/player_name.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::gateways::http {
namespace {

std::string with_detail(std::string words, std::string_view detail) {
  if (detail.empty()) return words;
  return words + ": " + std::string{detail};
}

limits::seconds pause_of(const error& e) {
  const auto usual =
      e.code == error_code::hub_full ? limits::http_retry_when_full : limits::http_retry_soon;
  return std::max(e.retry_after.value_or(usual), limits::seconds{1});
}

// Returns the sentence of a cause for which a name is refused.
std::string_view sentence_of(name_fault f) {
  switch (f) {
    case name_fault::too_long: return "a name has 1 to 64 bytes of UTF-8";
    case name_fault::spaces: return "a name has no space at its ends, and not two in a row";
    case name_fault::hidden: return "the name has a character that does not show";
    case name_fault::form:
      return "the name has characters in a compatibility form, such as full-width letters";
    case name_fault::scripts: return "the name mixes letters of several scripts";
    case name_fault::reserved:
      return "the name is one of the hub's own (operator, engine, bot:NAME, client-N)";
    case name_fault::banned: return "the operator of this hub does not allow that name";
  }
  return "the name is not acceptable";
}

error name_error(std::string_view cause, std::string_view message) {
  auto e = plain(error_code::name_refused, std::string{message});
  e.cause = cause;
  return e;
}

}  // namespace

int status_of(error_code code) {
  switch (code) {
    case error_code::bad_request: return 400;
    case error_code::unknown_client: return 401;
    case error_code::unknown_game: return 404;
    case error_code::invalid_move: return 409;
    case error_code::name_refused: return 409;
    case error_code::too_many_requests: return 429;
    case error_code::hub_full: return 503;
    case error_code::body_too_large: return 413;
    case error_code::wrong_method: return 405;
    case error_code::not_allowed: return 403;
    case error_code::cannot_resume: return 409;
    case error_code::seat_taken: return 409;
  }
  return 500;
}

std::string_view to_string(error_code code) {
  switch (code) {
    case error_code::bad_request: return "bad request";
    case error_code::unknown_client: return "unknown client_id";
    case error_code::unknown_game: return "unknown game, engine or webhook";
    case error_code::invalid_move: return "invalid move";
    case error_code::name_refused: return "name in use or not acceptable";
    case error_code::too_many_requests: return "too many requests";
    case error_code::hub_full: return "hub full or going down";
    case error_code::body_too_large: return "body too large";
    case error_code::wrong_method: return "method not allowed";
    case error_code::not_allowed: return "not allowed by the operator";
    case error_code::cannot_resume: return "cannot resume";
    case error_code::seat_taken: return "seat taken or kept for another player";
  }
  return "unknown";
}

error plain(error_code code, std::string message) {
  error e;
  e.code = code;
  e.message = std::move(message);
  return e;
}

error bad_request(std::string message) {
  return plain(error_code::bad_request, std::move(message));
}

error no_such_game() { return plain(error_code::unknown_game, "there is no such game"); }

error no_such_engine() {
  return plain(error_code::unknown_game,
               "there is no such engine: GET /api/engines lists those there are");
}

error kept_out() {
  return plain(error_code::not_allowed, "the operator of this hub does not let you play");
}

error rate_exceeded(base::duration wait) {
  auto e = from(refusal::rate_limited);
  e.retry_after = base::retry_after(wait);
  return e;
}

error logs_busy() {
  auto e = plain(error_code::hub_full, "too many games are read now: try again");
  e.retry_after = limits::http_retry_soon;
  return e;
}

error too_many_streams() {
  return plain(error_code::too_many_requests,
               "too many streams and WebSockets of your address: close one first");
}

error foreign_site() {
  return plain(error_code::not_allowed,
               "pages of that site may not play here: the operator allows sites with "
               "--http-cors-origin");
}

error misdirected() {
  auto e = bad_request(
      "the Host of the request is no address, not localhost, and no name that the operator gave "
      "with --http-host");
  e.status = 421;
  return e;
}

std::string to_json(const error& e) {
  std::string out = R"({"error":{"code":)";
  out += std::to_string(static_cast<unsigned>(e.code));
  out += R"(,"message":)";
  base::json::append_quoted(e.message, out);
  if (!e.cause.empty()) {
    out += R"(,"cause":)";
    base::json::append_quoted(e.cause, out);
  }
  out += "}}";
  return out;
}

response to_response(const error& e) {
  response out;
  out.status = e.status != 0 ? e.status : status_of(e.code);
  out.body = to_json(e);
  if (e.code == error_code::too_many_requests || e.code == error_code::hub_full)
    out.fields.push_back({"Retry-After", std::to_string(pause_of(e).count())});
  if (!e.allow.empty()) out.fields.push_back({"Allow", e.allow});
  if (out.status == 401) out.fields.push_back({"WWW-Authenticate", "Bearer"});
  return out;
}

error from(refusal why, std::string_view detail) {
  switch (why) {
    case refusal::malformed: return bad_request(with_detail("no move can be read from it", detail));
    case refusal::not_in_game:
      return plain(error_code::unknown_game,
                   std::string{detail.empty() ? "you are in no such game" : detail});
    case refusal::seat_taken:
      return plain(error_code::seat_taken, with_detail("that seat is taken", detail));
    case refusal::engine_restarting:
      return plain(error_code::hub_full, with_detail("that engine can't be played now", detail));
    case refusal::not_your_turn: return plain(error_code::invalid_move, "it is not your turn");
    case refusal::out_of_bounds:
      return plain(error_code::invalid_move, "there is no such position");
    case refusal::space_not_empty: return plain(error_code::invalid_move, "that position is taken");
    case refusal::illegal_move:
      return plain(error_code::invalid_move, with_detail("that move can't be made", detail));
    case refusal::game_over: return plain(error_code::invalid_move, "the game has ended");
    case refusal::opponent_left:
      return plain(error_code::invalid_move, "the game has ended: your opponent is gone");
    case refusal::already_in_game: return bad_request("you play or wait already");
    case refusal::unknown_engine:
      return bad_request("the hub has no such engine: GET /api/engines lists them");
    case refusal::unfit_engine:
      return bad_request(with_detail("that engine can't be played here", detail));
    case refusal::bad_options:
      return bad_request(with_detail("the engine does not take these options", detail));
    case refusal::bad_clock: return bad_request(with_detail("that clock can't be had", detail));
    case refusal::name_unacceptable:
      if (const auto fault = name_fault_of(detail))
        return name_error(to_string(*fault), sentence_of(*fault));
      return plain(error_code::name_refused, "the name is not acceptable");
    case refusal::name_taken:
      return name_error("name-taken", "somebody else has that name, or one that looks like it");
    case refusal::opponent_away:
      return plain(error_code::hub_full, detail.empty()
                                             ? "the opponent that you asked for is not online"
                                             : "the bot " + std::string{detail} + " is not online");
    case refusal::already_signed_in: return bad_request("you are signed in already");
    case refusal::cannot_resume:
      return plain(error_code::cannot_resume, "there is no game to resume");
    case refusal::hub_full:
      return plain(error_code::hub_full, with_detail("the hub is full", detail));
    case refusal::draining: return plain(error_code::hub_full, "the hub is going down");
    case refusal::player_elsewhere:
      return plain(error_code::hub_full, "your player is at another hub: connect there, or again");
    case refusal::engine_failed:
      return plain(error_code::hub_full, "the engine failed to begin the game");
    case refusal::no_offer:
      return plain(error_code::invalid_move,
                   std::string{detail.empty() ? "there is no such offer" : detail});
    case refusal::muted: return plain(error_code::not_allowed, "the operator lets you say nothing");
    case refusal::rate_limited: return plain(error_code::too_many_requests, "too many requests");
    case refusal::address_limit:
      return plain(error_code::too_many_requests,
                   "too many games and players of your address: end one first");
  }
  return bad_request("not possible");
}

}  // namespace gamehub::gateways::http
