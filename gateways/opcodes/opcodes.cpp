#include "gateways/opcodes/opcodes.hpp"

#include "gateways/opcodes/messages.hpp"
#include "hub/base/inbox.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gamehub::gateways::opcodes {
namespace {

// The position of a MOVE packet is one byte (README.md, "Packets").
constexpr int cells_max = 256;

// Up to this board size an ASCII digit may also name a position: '0' is 48, which is no cell number
// there (README.md, "A game").
constexpr int cells_with_digits_max = '0';

// The status of a draw on a board that is not full (README.md, "A game").
constexpr char early_draw = '=';

struct error_reply {
  error_code code;
  std::string_view text;
};

// Returns the error packet for a refusal.
error_reply error_for(refusal why) {
  switch (why) {
    case refusal::malformed: return {error_code::malformed, "No move can be read from that."};
    case refusal::not_in_game:
      return {error_code::not_in_game, "You are not in a game: send opcode 1 to start one."};
    case refusal::not_your_turn:
      return {error_code::not_your_turn, "It is not your turn: wait for the STATE packet."};
    case refusal::out_of_bounds:
      return {error_code::out_of_bounds, "That position is not on the board."};
    case refusal::space_not_empty: return {error_code::space_not_empty, "That position is taken."};
    case refusal::illegal_move:
      return {error_code::space_not_empty, "That position can't be played now"};
    case refusal::game_over:
      return {error_code::not_in_game, "The game is over: send opcode 1 to start another."};
    case refusal::opponent_left:
      return {error_code::opponent_left, "Your opponent left: the game is over and you won."};
    case refusal::already_in_game:
      return {error_code::already_in_game, "You are in a game, or waiting for one, already."};
    case refusal::unknown_engine:
      return {error_code::unavailable, "The game of this port is not available."};
    case refusal::unfit_engine:
      return {error_code::unavailable, "The game of this port can't be played with opcodes."};
    case refusal::name_unacceptable: return {error_code::malformed, "That name is not acceptable."};
    case refusal::name_taken: return {error_code::malformed, "That name is in use."};
    case refusal::opponent_away:
      return {error_code::unavailable, "The opponent of this port is not online: try again later."};
    case refusal::muted: return {error_code::malformed, "You may say nothing here."};
    case refusal::engine_failed:
      return {error_code::unavailable, "The game failed to begin: try again later."};
    case refusal::seat_taken:
      return {error_code::unavailable, "That seat is taken: ask for another game."};
    case refusal::engine_restarting:
      return {error_code::unavailable, "The game of this port starts again: try again later."};
    case refusal::no_offer: return {error_code::malformed, "Nothing can be offered here."};
    case refusal::already_signed_in: return {error_code::malformed, "You are signed in already."};
    case refusal::cannot_resume: return {error_code::malformed, "There is nothing to resume."};
    case refusal::hub_full: return {error_code::unavailable, "The hub is full: try again later."};
    case refusal::draining: return {error_code::unavailable, "The hub is going down."};
    case refusal::player_elsewhere:
      return {error_code::unavailable, "Your player is at another hub: try again later."};
    case refusal::rate_limited: return {error_code::rate_limited, "Too many requests: slow down."};
    case refusal::address_limit:
      return {error_code::rate_limited, "Too many games of your address: end one first."};
    case refusal::bad_clock:
    case refusal::bad_options:
      return {error_code::unavailable, "The game of this port is not available as it is set."};
  }
  return {error_code::malformed, "Not carried out."};
}

// Returns the error packet before a close, or nothing if the client is gone or does not read.
std::optional<error_reply> close_error(close_reason why) {
  switch (why) {
    case close_reason::client_left:
    case close_reason::slow_reader:
    case close_reason::upgraded: return std::nullopt;
    case close_reason::protocol_error:
      return error_reply{error_code::malformed,
                         "Unknown opcode: clients send 1 (SGR) or 2 (MOVE)."};
    case close_reason::handshake_timeout:
      return error_reply{error_code::not_in_game, "You never asked for a game: goodbye."};
    case close_reason::idle:
      return error_reply{error_code::not_in_game, "You have been idle for too long: goodbye."};
    case close_reason::replaced:
      return error_reply{error_code::not_in_game, "Your player came back on another connection."};
    case close_reason::hub_full:
      return error_reply{error_code::unavailable, "The hub is full: try again later."};
    case close_reason::address_limit:
      return error_reply{error_code::rate_limited, "Too many connections from your address."};
    case close_reason::draining:
      return error_reply{error_code::unavailable, "The hub is going down."};
    case close_reason::failed:
      return error_reply{error_code::unavailable, "The hub had a fault: try again."};
    case close_reason::banned:
      return error_reply{error_code::unavailable,
                         "The operator of this hub does not let you play."};
  }
  return std::nullopt;
}

// Before the text of each refusal, while the connection is slowed down.
constexpr std::string_view slowed_text = "Too many requests in a row were refused: slow down. ";

std::string_view no_contest_text(end_reason why) {
  switch (why) {
    case end_reason::drained: return "The hub is going down: the game ended without a result.";
    case end_reason::operator_: return "The operator ended the game without a result.";
    case end_reason::failed: return "The hub had a fault: the game ended without a result.";
    case end_reason::interrupted:
      return "The hub was away and a player did not come back: the game ended without a result.";
    case end_reason::rules:
    case end_reason::agreed:
    case end_reason::left:
    case end_reason::clock: break;
  }
  return "The game ended without a result.";
}

class opcodes_codec final : public codec {
 public:
  explicit opcodes_codec(const engine_traits& engine) : engine_(engine) {}

  void receive(std::string_view bytes) override {
    if (!failed_) inbox_.receive(bytes);
  }

  std::optional<decoded> next() override {
    if (failed_ || inbox_.unread().size() < opcode_bytes) return std::nullopt;
    switch (static_cast<opcode>(read_opcode(inbox_.unread()))) {
      case opcode::sgr: return read_sgr();
      case opcode::move: return read_move();
      case opcode::state:
      case opcode::ack:
      case opcode::error: break;
    }
    return fail();
  }

  void compact() override { inbox_.keep_rest(); }
  std::size_t kept_bytes() const override { return inbox_.kept_bytes(); }

  void send(const event& e, std::string& out) override {
    if (const auto* seated = std::get_if<placed>(&e.what)) {
      if (!seated->seat) return;
      take_seat(*seated->seat, seated->marks);
      append_ack(mark_of(seat_), out);
    } else if (const auto* game = std::get_if<started>(&e.what)) {
      take_seat(game->seat, game->marks);
    } else if (const auto* now = std::get_if<position_ref>(&e.what)) {
      if (*now) send_position(**now, e.answers.ticket != 0, out);
    } else if (const auto* no = std::get_if<refused>(&e.what)) {
      send_refusal(*no, out);
    }
  }

  void set_slowed(bool slowed) override { slowed_ = slowed; }

  void farewell(const close_cause& cause, std::string& out) override {
    if (const auto error = close_error(cause.why)) append_error(error->code, error->text, out);
  }

 private:
  std::optional<decoded> read_sgr() {
    inbox_.skip(opcode_bytes);
    seek request;
    request.engines.push_back(engine_.id);
    if (!engine_.options.empty()) request.options.push_back(engine_.options);
    request.seat_at_once = true;
    return decoded_intent(std::move(request));
  }

  std::optional<decoded> read_move() {
    const auto bytes = inbox_.unread();
    if (bytes.size() < move_bytes) return std::nullopt;
    inbox_.skip(move_bytes);
    const int named = static_cast<unsigned char>(bytes[opcode_bytes]);
    const bool digit = engine_.cells() <= cells_with_digits_max && named >= '0' && named <= '8';
    play what;
    what.move.as = move::form::cell;
    what.move.cell = digit ? named - '0' : named;
    return decoded_intent(std::move(what));
  }

  // The length of an unknown packet is unknown, so nothing after it can be read.
  decoded fail() {
    failed_ = true;
    inbox_.skip(inbox_.unread().size());
    return protocol_error::unknown_type;
  }

  // A connection plays one game at a time, so only its latest seat counts.
  void take_seat(seat_index seat, std::string_view marks) {
    seat_ = seat;
    for (std::size_t i = 0; i < marks_.size(); ++i) marks_[i] = i < marks.size() ? marks[i] : blank;
  }

  char mark_of(seat_index seat) const {
    const auto at = static_cast<std::size_t>(seat);
    return seat >= 0 && at < marks_.size() ? marks_[at] : blank;
  }

  void send_position(const position& now, bool is_answer, std::string& out) const {
    if (is_answer) append_ack(mark_of(seat_), out);
    const auto cells = static_cast<std::size_t>(engine_.cells());
    if (!now.outcome) {
      if (holds(now.prompted, seat_)) append_state(now.cells, cells, blank, out);
      return;
    }
    const auto& end = *now.outcome;
    if (!end.winner && !end.draw()) {
      append_error(error_code::unavailable, no_contest_text(end.reason), out);
      return;
    }
    // With status '-', a board that has blank cells would mean a turn.
    const auto full = now.cells.find(blank) == now.cells.npos;
    const char status = end.winner ? mark_of(*end.winner) : full ? blank : early_draw;
    append_state(now.cells, cells, status, out);
  }

  void send_refusal(const refused& no, std::string& out) const {
    const auto [code, text] = error_for(no.why);
    if (no.why != refusal::illegal_move && !slowed_) return append_error(code, text, out);
    std::string longer{slowed_ ? slowed_text : ""};
    longer += text;
    if (no.why == refusal::illegal_move) {
      if (!no.detail.empty()) longer += ": " + no.detail;
      longer += '.';
    }
    append_error(code, longer, out);
  }

  const engine_traits& engine_;  // of the port
  base::inbox inbox_;
  seat_index seat_ = -1;
  std::array<char, 2> marks_{blank, blank};  // by seat, of the two
  bool failed_ = false;
  bool slowed_ = false;
};
static_assert(sizeof(opcodes_codec) <= 72, "each idle connection has one");

std::unique_ptr<codec> make_codec(const engine_traits& engine) {
  return std::make_unique<opcodes_codec>(engine);
}

std::optional<std::string> unsupported_reason(const engine_traits& engine) {
  if (!engine.has_cells()) return "has no board of cells, and moves and positions are cells here";
  if (engine.players != 2)
    return "is played by " + std::to_string(engine.players) + ", and this protocol is for two";
  if (engine.cells() > cells_max)
    return "has a board of " + std::to_string(engine.cells()) + " cells, and a move is one byte";
  if (engine.marks.find(early_draw) != engine.marks.npos)
    return "has the mark '=', which says here that a game was drawn";
  if (engine.simultaneous)
    return "lets its players move at the same time, and this protocol prompts one after the other";
  if (!engine.perfect_information)
    return "hides things from its players, and a board of marks can't show what each one knows";
  return std::nullopt;
}

}  // namespace

protocol_info describe() {
  protocol_info out;
  out.name = "opcodes";
  out.summary = "binary opcodes over TCP (gateways/opcodes/README.md)";
  out.port_default = 8890;
  out.rank = 20;
  out.crossing = hub_crossing::sessions;
  out.form = view_form::cells;
  out.engine_per_port = true;
  out.make_codec = make_codec;
  out.unsupported_reason = unsupported_reason;
  return out;
}

}  // namespace gamehub::gateways::opcodes
