#include "gateways/http/client_game_state.hpp"

#include "gateways/http/parameters.hpp"
#include "gateways/http/player_symbols.hpp"
#include "gateways/http/updates.hpp"
#include "hub/base/json.hpp"
#include "hub/base/time.hpp"

#include <algorithm>

namespace gamehub::gateways::http {

namespace {

error not_in_game() { return plain(error_code::unknown_game, "you are in no such game"); }

error no_move(std::string message) { return plain(error_code::invalid_move, std::move(message)); }

}  // namespace

std::string game_json(game_id id) { return std::to_string(id.value); }

void client_game_state::apply(game_id id, const placed& p) {
  *this = {};
  status_ = status::waiting;
  id_ = id;
  seat_ = p.seat.value_or(0);
  seats_ = p.seats;
  engine_ = p.engine;
  marks_ = p.marks;
  invitation_ = p.invitation;
  start_ = p.start;
  clock_ = p.clock;
}

void client_game_state::apply(game_id id, const started& s) {
  if (id != id_) leave();
  status_ = status::running;
  id_ = id;
  seat_ = s.seat;
  engine_ = s.engine;
  marks_ = s.marks;
  players_ = s.players;
  seats_ = s.players.size();
  visits_ = s.visits;
  if (s.terms) clock_ = s.terms->clock;
  position_ = nullptr;
}

void client_game_state::apply(game_id id, const position_ref& p) {
  if (id != id_ || status_ == status::none || !p) return;
  position_ = p;
  if (p->outcome) status_ = status::ended;
}

void client_game_state::apply(game_id id, const renamed& r) {
  if (const auto seat = static_cast<std::size_t>(r.seat); id == id_ && seat < players_.size())
    players_[seat] = r.name;
}

bool client_game_state::apply(game_id id, const offer_update& o) {
  if (id != id_ || status_ != status::ended) return false;
  // Of more than two players each one accepts it, until the last begins the next game.
  const bool stands = o.step == offer_step::accepted && !o.next;
  if (!stands) offers_.clear();
  if (stands || o.step == offer_step::offered) offers_.push_back(o);
  return true;
}

bool client_game_state::is_offered() const {
  return std::any_of(offers_.begin(), offers_.end(), [this](const offer_update& each) {
    return each.step == offer_step::offered && each.seat != seat_;
  });
}

std::optional<error> client_game_state::why_not(std::string_view given) const {
  if (status_ == status::none || (!given.empty() && read_game(given) != id_)) return not_in_game();
  return std::nullopt;
}

std::optional<error> client_game_state::why_idle() const {
  if (status_ == status::waiting) return no_move("nobody has come yet");
  if (status_ == status::ended) return no_move("the game has ended");
  return std::nullopt;
}

void client_game_state::append_opponents(base::json_writer& to) const {
  to.key("opponents").begin('[');
  for (std::size_t i = 0; i < players_.size(); ++i) {
    const auto seat = static_cast<seat_index>(i);
    if (seat == seat_) continue;
    to.begin('{');
    to.text("player", mark_of(seat).text());
    to.text("name", players_[i]);
    if (i < visits_.size()) to.text("last_visit", base::iso_time(visits_[i]));
    to.end('}');
  }
  to.end(']');
}

client_game_state::urgency client_game_state::how_urgent(base::instant now) const {
  urgency out{status_ == status::waiting ? 2 : 3};
  if (status_ != status::running) return out;
  out.rank = position_ && holds(position_->to_move, seat_) ? 0 : 1;
  if (!position_ || !position_->clock) return out;
  const auto& clock = position_->clock;
  for (seat_index s = 0; s < static_cast<seat_index>(clock.left.size()); ++s)
    if (holds(clock.running, s) && (out.rank == 1 || s == seat_))
      out.until = std::min(out.until, now + clock.left_at(s, now));
  return out;
}

void client_game_state::append_listed(base::json_writer& to, base::instant now,
                                      base::wall_time wall) const {
  using std::chrono::milliseconds;
  const auto urgent = how_urgent(now);
  to.begin('{');
  to.text("game_id", game_json(id_));
  to.text("engine", engine_);
  to.text("status", status_ == status::running   ? "running"
                    : status_ == status::waiting ? "waiting"
                                                 : "ended");
  to.text("player", mark_of(seat_).text());
  to.number("seats", seats_);
  append_opponents(to);
  if (position_) append_turn_or_winner(*position_, to);
  to.truth("your_turn", urgent.rank == 0);
  if (clock_) to.text("clock_rule", to_text(*clock_));
  if (urgent.until != base::instant::max()) {
    const auto left = std::chrono::duration_cast<milliseconds>(urgent.until - now);
    to.number("milliseconds_left", left.count());
    to.text("turn_until", base::iso_time(wall + left));
  }
  to.end('}');
}

void client_game_state::append_members(std::string& out, std::string_view public_url,
                                       const game_clock& clock, base::instant now) const {
  base::json_writer to{out};
  to.begin('{');
  to.text("game_id", game_json(id_));
  to.text("player", mark_of(seat_).text());
  if (position_) {
    to.text("board", board_of(position_->cells, marks_));
    append_turn_or_winner(*position_, to);
  } else {
    to.text("board", board_of(start_, marks_));
    to.text("turn", mark_of(0).text());
  }
  const auto other = (static_cast<std::size_t>(seat_) + 1) % seats_;
  const auto alone = seats_ == 1;
  if (!alone && other < players_.size())
    to.text("opponent_name", players_[other]);
  else
    to.nothing("opponent_name");
  if (!alone && other < visits_.size())
    to.text("opponent_last_visit", base::iso_time(visits_[other]));
  else
    to.nothing("opponent_last_visit");
  to.number("seats", seats_);
  append_opponents(to);
  if (status_ == status::waiting) to.text("status", "waiting");
  to.text("engine", engine_);
  if (clock_) to.text("clock_rule", to_text(*clock_));
  if (status_ == status::running) append_clock(clock, now, to);
  if (!invitation_.empty()) to.text("invitation", invitation_);
  if (public_url.empty()) return;
  to.text("hub", public_url);
  // The web page's URL for an invitation.
  if (!invitation_.empty())
    to.text("invitation_url", std::string{public_url} + "/#/invite/" + invitation_);
}

}  // namespace gamehub::gateways::http
