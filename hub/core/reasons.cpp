#include "hub/core/reasons.hpp"

namespace gamehub {

std::string_view to_string(refusal r) {
  switch (r) {
    case refusal::malformed: return "malformed";
    case refusal::not_in_game: return "not-in-game";
    case refusal::not_your_turn: return "not-your-turn";
    case refusal::out_of_bounds: return "out-of-bounds";
    case refusal::space_not_empty: return "space-not-empty";
    case refusal::illegal_move: return "illegal-move";
    case refusal::game_over: return "game-over";
    case refusal::opponent_left: return "opponent-left";
    case refusal::already_in_game: return "already-in-game";
    case refusal::unknown_engine: return "unknown-engine";
    case refusal::unfit_engine: return "unfit-engine";
    case refusal::name_unacceptable: return "name-unacceptable";
    case refusal::already_signed_in: return "already-signed-in";
    case refusal::cannot_resume: return "cannot-resume";
    case refusal::hub_full: return "hub-full";
    case refusal::draining: return "draining";
    case refusal::rate_limited: return "rate-limited";
    case refusal::address_limit: return "address-limit";
    case refusal::bad_options: return "bad-options";
    case refusal::name_taken: return "name-taken";
    case refusal::opponent_away: return "opponent-away";
    case refusal::muted: return "muted";
    case refusal::engine_failed: return "engine-failed";
    case refusal::seat_taken: return "seat-taken";
    case refusal::engine_restarting: return "engine-restarting";
    case refusal::no_offer: return "no-offer";
    case refusal::player_elsewhere: return "player-elsewhere";
    case refusal::bad_clock: return "bad-clock";
  }
  return "unknown";
}

std::string_view to_string(close_reason r) {
  switch (r) {
    case close_reason::client_left: return "client-left";
    case close_reason::protocol_error: return "protocol-error";
    case close_reason::slow_reader: return "slow-reader";
    case close_reason::handshake_timeout: return "handshake-timeout";
    case close_reason::idle: return "idle";
    case close_reason::replaced: return "replaced";
    case close_reason::hub_full: return "hub-full";
    case close_reason::address_limit: return "address-limit";
    case close_reason::draining: return "draining";
    case close_reason::failed: return "failed";
    case close_reason::banned: return "banned";
    case close_reason::upgraded: return "upgraded";
  }
  return "unknown";
}

std::string_view to_string(end_reason r) {
  switch (r) {
    case end_reason::rules: return "rules";
    case end_reason::left: return "left";
    case end_reason::clock: return "clock";
    case end_reason::drained: return "drained";
    case end_reason::operator_: return "operator";
    case end_reason::failed: return "failed";
    case end_reason::interrupted: return "interrupted";
    case end_reason::agreed: return "agreed";
  }
  return "unknown";
}

std::string_view to_string(leave_cause c) {
  switch (c) {
    case leave_cause::quit: return "";
    case leave_cause::disconnected: return "disconnected";
    case leave_cause::bot_error: return "bot-error";
    case leave_cause::banned: return "banned";
    case leave_cause::clock: return "clock";
  }
  return "unknown";
}

}  // namespace gamehub
