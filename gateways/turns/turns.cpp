#include "gateways/turns/turns.hpp"

#include "gateways/turns/lines.hpp"
#include "gateways/turns/messages.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::gateways::turns {
namespace {

// Stands for a game number that is not in use. The hub has no game with this id: it refuses the
// intent and counts the refusal.
constexpr game_id no_such_game{~std::uint64_t{0}};

// A running game of this client.
struct running {
  game_id game;
  wire_game number = 0;
  seat_index seat = 0;
  std::string marks;
};

class turns_codec final : public codec {
 public:
  void receive(std::string_view bytes) override {
    if (!ended_) lines_.receive(bytes);
  }

  std::optional<decoded> next() override {
    if (ended_) return std::nullopt;
    if (pending_seek_) return intent{*std::exchange(pending_seek_, nullptr)};
    for (std::string_view line;;) {
      switch (lines_.next(line)) {
        case lines::line_result::nothing: return std::nullopt;
        case lines::line_result::too_long: return end(protocol_error::too_long);
        case lines::line_result::line: break;
      }
      if (line.find_first_not_of(" \t\r") != line.npos) return decode(line);
    }
  }

  void compact() override { lines_.keep_rest(); }
  std::size_t kept_bytes() const override { return lines_.kept_bytes(); }

  void send(const event& e, std::string& out) override {
    if (const auto* who = std::get_if<signed_in>(&e.what)) {
      if (name_) *name_ = who->name;
      append_name(*who, out);
    } else if (const auto* begins = std::get_if<started>(&e.what)) {
      send_start(e.game, *begins, out);
    } else if (const auto* now = std::get_if<position_ref>(&e.what)) {
      if (*now) send_position(e.game, **now, out);
    } else if (const auto* no = std::get_if<refused>(&e.what)) {
      const auto unasked = e.answers.ticket == 0;
      if (unasked && no->why == refusal::engine_failed)
        send_game_that_failed(*no, out);
      else
        send_refusal(e.game, *no, out);
    }
  }

  // The protocol has no error message. After a failure the client is told that its games are over.
  void farewell(close_reason why, std::string& out) override {
    // A stopping hub suspends the remaining games; they continue when their players resume.
    if (why != close_reason::failed) return;
    for (const auto& each : running_) append_close(each.number, out);
    running_.clear();
  }

 private:
  decoded decode(std::string_view text) {
    const auto line = read_line(text);
    if (!line) return end(protocol_error::malformed);
    if (line->type.what == base::json::kind::string) {
      if (base::json::says(line->type.spelled, "message")) return read_message(*line);
      if (base::json::says(line->type.spelled, "connect")) return read_connect(*line);
      if (base::json::says(line->type.spelled, "close")) return read_close(*line);
    }
    return end(protocol_error::unknown_type);
  }

  decoded read_message(const client_line& line) {
    play what;
    what.move.as = move::form::document;
    what.game = game_of(line.game_id);
    if (what.game != no_such_game) what.move.text = move_text(line.payload);
    return intent{std::move(what)};
  }

  decoded read_connect(const client_line& line) {
    auto request = seek_of(line);
    // Also for a client that resumes and wants no new games.
    names_engines_ = request.engines.size() > 1;
    if (!request.options.empty() && !name_) name_ = std::make_unique<std::string>();
    if (request.games_max > 0) pending_seek_ = std::make_unique<seek>(std::move(request));
    return intent{sign_in_of(line)};
  }

  decoded read_close(const client_line& line) {
    const auto kind = line.game_id.what;
    if (kind == base::json::kind::missing || kind == base::json::kind::null) return end(goodbye{});
    return intent{leave{game_of(line.game_id)}};
  }

  // Discards everything after the final input.
  template <class Last>
  decoded end(Last why) {
    ended_ = true;
    lines_.drop_all();
    return why;
  }

  game_id game_of(const base::json::value& number) const {
    const auto wanted = base::json::integer(number);
    if (!wanted) return no_such_game;
    const auto found =
        std::lower_bound(running_.begin(), running_.end(), *wanted,
                         [](const running& each, std::int64_t n) { return each.number < n; });
    return found != running_.end() && found->number == *wanted ? found->game : no_such_game;
  }

  std::vector<running>::iterator find(game_id game) {
    return std::find_if(running_.begin(), running_.end(),
                        [&](const running& each) { return each.game == game; });
  }

  void send_start(game_id game, const started& begins, std::string& out) {
    if (find(game) != running_.end()) return;
    running_.push_back({game, next_number_++, begins.seat, begins.marks});
    append_start(running_.back().number, names_engines_ ? begins.engine : std::string{}, out);
  }

  void send_position(game_id game, const position& now, std::string& out) {
    const auto at = find(game);
    if (at == running_.end()) return;
    if (!now.outcome) {
      append_state(at->number, now.document, out);
      if (holds(now.prompted, at->seat)) append_turn(at->number, out);
      return;
    }
    const auto& end = *now.outcome;
    if (end.winner && end.reason != end_reason::rules)
      append_state(at->number, with_winner(now.document, *end.winner, at->marks), out);
    else
      append_state(at->number, now.document, out);
    append_close(at->number, out);
    running_.erase(at);
  }

  // The protocol has a message only for refusals of a move by the engine. All others are ignored;
  // the hub counts them.
  void send_refusal(game_id game, const refused& no, std::string& out) {
    if (name_ && !game && no.why != refusal::already_signed_in)
      return append_no_game(*name_, no, out);
    const auto at = find(game);
    if (at == running_.end() || no.what.as != move::form::document) return;
    switch (no.why) {
      case refusal::malformed:
      case refusal::out_of_bounds:
      case refusal::space_not_empty:
      case refusal::illegal_move: return append_repeat_turn(at->number, no, out);
      default: return;
    }
  }

  // A game failed to begin. A client that gives options gets the reason. The protocol of the others
  // has only a game that ends at once.
  void send_game_that_failed(const refused& no, std::string& out) {
    if (name_) return append_no_game(*name_, no, out);
    append_start(next_number_, {}, out);
    append_close(next_number_++, out);
  }

  lines lines_;
  std::vector<running> running_;        // by number
  std::unique_ptr<seek> pending_seek_;  // the second intent of a connect line
  // The name of a client that gives options. Only such a client gets refusals of its seek.
  std::unique_ptr<std::string> name_;
  wire_game next_number_ = 0;
  bool names_engines_ = false;
  bool ended_ = false;
};

std::unique_ptr<codec> make_codec(const engine_traits&) { return std::make_unique<turns_codec>(); }

// A document can show any game: each player gets its own view and its own prompt.
std::optional<std::string> unsupported_reason(const engine_traits&) { return std::nullopt; }

}  // namespace

protocol_info describe() {
  protocol_info out;
  out.name = "turns";
  out.summary = "JSON turns over TCP, one object a line (gateways/turns/README.md)";
  out.port_default = 8889;
  out.rank = 10;
  out.form = view_form::document;
  out.make_codec = make_codec;
  out.unsupported_reason = unsupported_reason;
  return out;
}

}  // namespace gamehub::gateways::turns
