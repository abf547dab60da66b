#include "gateways/turns/turns.hpp"

#include "gateways/turns/lines.hpp"
#include "gateways/turns/messages.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
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
  std::vector<std::string> players;  // names, by seat
  bool renamed = false;              // since the last state
};

// An ended game of a client that wants offers, for offers of a rematch.
struct ended {
  game_id game;
  wire_game number = 0;
  std::string marks;
  game_id next = {};  // the rematch
};

class turns_codec final : public codec {
 public:
  void receive(std::string_view bytes) override {
    if (!ended_) lines_.receive(bytes);
  }

  std::optional<decoded> next() override {
    if (ended_) return std::nullopt;
    if (pending_seek_) return decoded_intent(std::move(*std::exchange(pending_seek_, nullptr)));
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
      name_ = who->name;
      returned_ = who->returned;
      append_name(*who, out);
    } else if (const auto* begins = std::get_if<started>(&e.what)) {
      send_start(e.game, *begins, out);
    } else if (const auto* now = std::get_if<position_ref>(&e.what)) {
      if (*now) send_position(e.game, **now, out);
    } else if (const auto* change = std::get_if<offer_update>(&e.what)) {
      send_offer(e.game, *change, out);
    } else if (const auto* other = std::get_if<renamed>(&e.what)) {
      rename(e.game, *other);
    } else if (const auto* no = std::get_if<refused>(&e.what)) {
      const auto unasked = e.answers.ticket == 0;
      if (unasked && no->why == refusal::engine_failed)
        send_game_that_failed(*no, out);
      else
        send_refusal(e.game, *no, out);
    }
  }

  void set_slowed(bool slowed) override { slowed_ = slowed; }

  // The protocol has no error message: the last line is a `close` of no game.
  void farewell(const close_cause& cause, std::string& out) override {
    if (cause.why == close_reason::client_left) return;
    // A stopping hub suspends the remaining games; they continue when their players resume.
    if (cause.why == close_reason::failed) {
      for (const auto& each : running_) append_close_of_failed(each.number, out);
      running_.clear();
    }
    append_close_of_all(word_of(cause), out);
  }

 private:
  std::optional<decoded> decode(std::string_view text) {
    const auto line = read_line(text);
    if (!line) return end(protocol_error::malformed);
    if (line->type.what == base::json::kind::string) {
      if (base::json::says(line->type.spelled, "message")) return read_message(*line);
      if (base::json::says(line->type.spelled, "connect")) return read_connect(*line);
      if (base::json::says(line->type.spelled, "close")) return read_close(*line);
      if (wants_offers_ && base::json::says(line->type.spelled, "offer")) return read_offer(*line);
      if (wants_offers_ && base::json::says(line->type.spelled, "claim"))
        return intent{claim{game_of(line->game_id)}};
    }
    return end(protocol_error::unknown_type);
  }

  std::optional<decoded> read_message(const client_line& line) {
    play what;
    what.move.as = move::form::document;
    what.game = game_of(line.game_id);
    if (what.game != no_such_game) what.move.text = move_text(line.payload);
    return decoded_intent(std::move(what));
  }

  decoded read_connect(const client_line& line) {
    auto request = seek_of(line);
    // Also for a client that resumes and wants no new games.
    names_engines_ = request.engines.size() > 1;
    gives_options_ = gives_options_ || !request.options.empty();
    games_mistake_ = games_mistake(line);
    auto others = fillers_of(line);
    if (auto* wrong = std::get_if<std::string>(&others)) {
      // Without a game the hub refuses the seek, with this text.
      games_mistake_ = std::move(*wrong);
      request.engines.clear();
    } else {
      request.others = std::get<std::vector<seat_filler>>(std::move(others));
    }
    if (const auto wrong = clock_mistake(line); !wrong.empty() && !request.engines.empty()) {
      games_mistake_ = wrong;
      request.engines.clear();
    }
    gives_options_ = gives_options_ || line.opponents.what != base::json::kind::missing ||
                     line.clock.what != base::json::kind::missing;
    const auto wants = wants_of(line);
    wants_clock_ = wants_clock_ || wants.clock;
    wants_offers_ = wants_offers_ || wants.offers;
    wants_presence_ = wants_presence_ || wants.presence;
    // The clock stands after a restart, and the position comes again when it runs.
    request.features = {wants.actions, wants.resume, wants_offers_, wants.presence || wants.clock};
    auto who = sign_in_of(line);
    who.features = request.features;
    if (request.games_max > 0) pending_seek_ = std::make_unique<seek>(std::move(request));
    return intent{std::move(who)};
  }

  decoded read_close(const client_line& line) {
    const auto kind = line.game_id.what;
    if (kind == base::json::kind::missing || kind == base::json::kind::null) return end(goodbye{});
    return intent{leave{game_of(line.game_id)}};
  }

  decoded read_offer(const client_line& line) {
    auto what = offer_of(line);
    what.game = game_of(line.game_id);
    const auto number = base::json::integer(line.game_id);
    if (const auto over = std::find_if(
            ended_games_.begin(), ended_games_.end(),
            [&](const turns::ended& each) { return number && each.number == *number; });
        over != ended_games_.end())
      what.game = over->game;
    return intent{what};
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

  std::vector<turns::ended>::iterator find_ended(game_id game) {
    return std::find_if(ended_games_.begin(), ended_games_.end(),
                        [&](const turns::ended& each) { return each.game == game; });
  }

  void send_start(game_id game, const started& begins, std::string& out) {
    if (find(game) != running_.end()) return;
    running_.push_back({game, next_number_++, begins.seat, begins.marks, begins.players, false});
    const auto before = std::find_if(ended_games_.begin(), ended_games_.end(),
                                     [&](const turns::ended& each) { return each.next == game; });
    append_start(running_.back().number, begins, names_engines_,
                 before == ended_games_.end() ? std::nullopt : std::optional{before->number}, out);
  }

  void rename(game_id game, const renamed& other) {
    const auto at = find(game);
    if (at == running_.end()) return;
    at->players.at(static_cast<std::size_t>(other.seat)) = other.name;
    at->renamed = true;
  }

  // What the client wants to know of the game besides its position.
  state_extras extras_of(running& of, const position& now) const {
    state_extras out;
    if (wants_clock_) out.clock = clock_json(now.clock, of.marks);
    if (now.substituted != 0) out.substitutes = seats_json(now.substituted, of.marks);
    if (!wants_presence_) return out;
    out.away = seats_json(now.away, of.marks);
    if (std::exchange(of.renamed, false)) out.players = names_json(of.players);
    return out;
  }

  void send_position(game_id game, const position& now, std::string& out) {
    const auto at = find(game);
    if (at == running_.end()) return;
    if (!now.outcome) {
      const auto extras = extras_of(*at, now);
      append_state(at->number, now.document, extras, out);
      if (holds(now.prompted, at->seat))
        append_turn(at->number, actions_of(now, at->seat), extras.clock, out);
      return;
    }
    append_state(at->number, with_winner(now.document, *now.outcome, at->marks), {}, out);
    append_close(at->number, *now.outcome, at->marks, out);
    if (wants_offers_) {
      if (ended_games_.size() == ended_games_max) ended_games_.erase(ended_games_.begin());
      ended_games_.push_back({at->game, at->number, std::move(at->marks), {}});
    }
    running_.erase(at);
  }

  void send_offer(game_id game, const offer_update& change, std::string& out) {
    if (!wants_offers_) return;
    if (const auto at = find(game); at != running_.end())
      return append_offer(at->number, change, at->marks, out);
    const auto over = find_ended(game);
    if (over == ended_games_.end()) return;
    over->next = change.next;
    append_offer(over->number, change, over->marks, out);
  }

  static const seat_actions* actions_of(const position& now, seat_index seat) {
    const auto found = std::find_if(now.actions.begin(), now.actions.end(),
                                    [seat](const seat_actions& each) { return each.seat == seat; });
    return found == now.actions.end() ? nullptr : &*found;
  }

  // The protocol has a message only for refusals of a move by the engine. All others are ignored;
  // the hub counts them.
  void send_refusal(game_id game, const refused& no, std::string& out) {
    if (!game) return send_refused_seek(no, out);
    if (const auto over = find_ended(game); over != ended_games_.end())
      return append_offer_refused(over->number, no, out);
    const auto at = find(game);
    if (at == running_.end()) return;
    // Of moves, all are documents.
    if (no.what.as != move::form::document)
      return wants_offers_ ? append_offer_refused(at->number, no, out) : void();
    switch (no.why) {
      case refusal::malformed:
      case refusal::out_of_bounds:
      case refusal::space_not_empty:
      case refusal::illegal_move: return append_repeat_turn(at->number, no, slowed_, out);
      default: return;
    }
  }

  // A second `connect` of a client that plays or waits is ignored, as it always was, unless the
  // client gives options. So is one that names no game and resumes its player.
  void send_refused_seek(const refused& no, std::string& out) const {
    // Without a name the sign-in was refused, and the connection ends.
    if (name_.empty() || no.why == refusal::already_signed_in) return;
    if (no.why == refusal::already_in_game && !gives_options_) return;
    if (no.why == refusal::unknown_engine && returned_ && !games_mistake_.empty()) return;
    append_no_game(name_, no, games_mistake_, out);
  }

  // A game failed to begin. A client that gives options gets the reason. The protocol of the others
  // has only a game that ends at once.
  void send_game_that_failed(const refused& no, std::string& out) {
    if (gives_options_) return append_no_game(name_, no, games_mistake_, out);
    append_start(next_number_, out);
    append_close_of_failed(next_number_++, out);
  }

  lines lines_;
  // The ended games whose rematch the client may offer or be offered.
  static constexpr std::size_t ended_games_max = 16;

  std::vector<running> running_;           // by number
  std::vector<turns::ended> ended_games_;  // the latest ones; empty: the client wants no offers
  std::unique_ptr<seek> pending_seek_;     // the second intent of a connect line
  std::string name_;
  std::string games_mistake_;  // of the latest connect line; empty: none
  wire_game next_number_ = 0;
  bool names_engines_ = false;
  bool gives_options_ = false;
  bool returned_ = false;  // the player was resumed
  bool wants_clock_ = false;
  bool wants_offers_ = false;
  bool wants_presence_ = false;
  bool slowed_ = false;
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
  out.crossing = hub_crossing::sessions;
  out.form = view_form::document;
  out.make_codec = make_codec;
  out.unsupported_reason = unsupported_reason;
  return out;
}

}  // namespace gamehub::gateways::turns
