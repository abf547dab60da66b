#include "tests/simulation/simulated_client.hpp"

#include "actors/table/engine_opponent.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::tests {

namespace {

// A further kind of intent: a leave without a game.
constexpr std::size_t leave_any = std::variant_size_v<intent>;
constexpr std::size_t find_seat_kind = intent{find_seat{}}.index();

// A seek that joins a game has the seats of that game.
std::optional<std::ptrdiff_t> engine_seats_of(const seek& s) {
  if (s.join || !s.invitation.empty()) return std::nullopt;
  return static_cast<std::ptrdiff_t>(count_filled(s.others));
}

}  // namespace

// Returns the game whose rematch the intent offers or accepts.
std::optional<game_id> simulated_client::rematch_of(const intent& what) {
  if (const auto* r = std::get_if<rematch>(&what)) return r->game;
  const auto* o = std::get_if<offer>(&what);
  const bool asks = o != nullptr && o->what == offer_kind::rematch &&
                    (o->step == offer_step::offered || o->step == offer_step::accepted);
  return asks ? std::optional{o->game} : std::nullopt;
}

// Returns the game if the intent withdraws the own offer of a rematch.
std::optional<game_id> withdrawn_rematch_of(const intent& what) {
  if (const auto* d = std::get_if<decline>(&what))
    return d->step == offer_step::withdrawn ? std::optional{d->game} : std::nullopt;
  const auto* o = std::get_if<offer>(&what);
  const bool withdraws =
      o != nullptr && o->what == offer_kind::rematch && o->step == offer_step::withdrawn;
  return withdraws ? std::optional{o->game} : std::nullopt;
}

void simulated_client::submit(intent what, std::uint64_t now) {
  auto kind = what.index();
  if (const auto* l = std::get_if<leave>(&what); l != nullptr && !l->game) kind = leave_any;
  std::optional<pending_seek> o;
  if (const auto* s = std::get_if<seek>(&what))
    o = pending_seek{s->engines, s->games_max,      s->again,           false,
                     s->seat,    s->against_engine, engine_seats_of(*s)};
  const auto again = rematch_of(what), withdrawn = withdrawn_rematch_of(what);
  if (again) o = rematch_seek(*again);
  if (!client_->submit(std::move(what))) return;
  ++last_ticket_;
  if (again) sent_rematches_[last_ticket_] = *again;
  if (withdrawn) sent_withdrawals_[last_ticket_] = *withdrawn;
  sent_[last_ticket_] = {kind, now};
  if (o) sent_seeks_[last_ticket_] = *std::move(o);
}

std::optional<intent> simulated_client::legal_move(generator& d) const {
  std::vector<std::pair<game_id, seat_index>> mine;
  for (const auto& [id, v] : games_)
    if (v.started && !v.over) mine.emplace_back(id, v.seat);
  if (mine.empty()) return std::nullopt;
  const auto [id, seat] = mine[d() % mine.size()];
  const auto match = checker_.match_of(id);
  if (!match || match->at_chance() || !engines::holds(match->to_move(), seat)) return std::nullopt;
  std::vector<engines::action> actions;
  match->legal_actions(seat, actions);
  const auto action = actions[d() % actions.size()];
  const auto named = mine.size() > 1 || d() % 2 == 0 ? id : game_id{};
  if (checker_.rules_of(id).has_cells() && wire_ == test_hub::cells_wire)
    return play_cell(match->cell_of(action), named);
  if (d() % 2 == 0) return play{named, {move::form::word, 0, match->to_text(action)}};
  return play_document(match->to_json(action), named);
}

// Returns the seek that a rematch stands for: the other seat, against the same opponent.
simulated_client::pending_seek simulated_client::rematch_seek(game_id id) const {
  const auto at = games_.find(id);
  if (at == games_.end() || !at->second.started) return {};
  const auto& names = checker_.players_of(id);
  const auto engine_seats = std::count_if(names.begin(), names.end(),
                                          actors::table::engine_opponent::is_engine_player_name);
  return {{std::string{checker_.rules_of(id).id()}},
          1,
          false,
          false,
          static_cast<seat_index>((at->second.seat + static_cast<int>(names.size()) - 1) %
                                  static_cast<int>(names.size())),
          engine_seats + 1 == static_cast<std::ptrdiff_t>(names.size()),
          engine_seats};
}

game_id simulated_client::some_game(generator& d) const {
  if (games_.empty() || d() % 4 == 0) return {};
  auto at = games_.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(d() % games_.size()));
  return at->first;
}

std::string simulated_client::unanswered() const {
  constexpr const char* kinds[] = {"sign_in", "seek",      "play",      "leave",       "chat",
                                   "rematch", "challenge", "sign_out",  "change_name", "decline",
                                   "offer",   "claim",     "find_seat", "leave"};
  static_assert(std::size(kinds) == leave_any + 1);
  auto text = "guest " + std::to_string(player_) + (resumed_ ? " (back)" : "");
  for (const auto& [t, sent] : sent_)
    text += std::string{", "} + kinds[sent.first] + " of action " + std::to_string(sent.second);
  return text;
}

bool simulated_client::waits_for(const std::string& engine) const {
  if (!connected() || !seek_ || !seek_->placed || seek_->against_engine) return false;
  const auto playing = std::count_if(games_.begin(), games_.end(), [](const auto& each) {
    return each.second.started && !each.second.over;
  });
  return playing < static_cast<std::ptrdiff_t>(seek_->games_max) &&
         (rematch_ ? checker_.rules_of(rematch_).id() == engine
                   : std::find(seek_->engines.begin(), seek_->engines.end(), engine) !=
                         seek_->engines.end());
}

void simulated_client::on_event(const event& e, std::uint64_t now) {
  if (client_->unexpected_replies != 0) throw violation{"an intent is answered twice"};
  if (e.answers.ticket != 0) on_reply(e, now);
  if (e.answers.ticket == 0 && std::holds_alternative<refused>(e.what)) {
    // The seek was refused later.
    seek_.reset();
    rematch_ = {};
    checker_.stop_waiting(player_);
  }
  if (const auto* o = std::get_if<offer_update>(&e.what)) on_offer(e.game, *o);
  if (const auto* s = std::get_if<started>(&e.what)) on_started(e.game, *s);
  if (const auto* p = std::get_if<position_ref>(&e.what)) on_position(e.game, **p);
}

// A standing seek waits for its rematch alone until that begins or is off.
void simulated_client::on_offer(game_id of, const offer_update& o) {
  if (o.what != offer_kind::rematch || o.step == offer_step::offered) return;
  if (o.step == offer_step::accepted && !o.next) return;
  if (o.next) next_rematch_ = o.next;
  if (of == rematch_) rematch_ = {};
}

void simulated_client::on_reply(const event& e, std::uint64_t now) {
  const auto [kind, asked_at] = sent_.at(e.answers.ticket);
  sent_.erase(e.answers.ticket);
  const auto asked = sent_rematches_.find(e.answers.ticket);
  const bool asks_rematch = asked != sent_rematches_.end();
  if (asks_rematch && std::holds_alternative<done>(e.what)) {
    if (!resumed_ && !seek_unknown_ && (!seek_ || !seek_->again))
      throw violation{"a rematch without a seat or a standing seek"};
    rematch_ = asked->second;
  }
  // No update follows if the rematch was offered to no player who could answer.
  const auto withdrawn = sent_withdrawals_.find(e.answers.ticket);
  if (withdrawn != sent_withdrawals_.end() && std::holds_alternative<done>(e.what) &&
      withdrawn->second == rematch_)
    rematch_ = {};
  const auto* no = std::get_if<refused>(&e.what);
  refusals += no != nullptr ? 1 : 0;
  if (const auto* me = std::get_if<signed_in>(&e.what)) secret_ = me->secret;
  if (std::holds_alternative<position_ref>(e.what)) ++accepted;
  const auto fits = no != nullptr || (kind == 0 && std::holds_alternative<signed_in>(e.what)) ||
                    ((kind == 1 || asks_rematch) && std::holds_alternative<placed>(e.what)) ||
                    (kind == 5 && std::holds_alternative<done>(e.what)) ||
                    (kind == 2 && std::holds_alternative<position_ref>(e.what)) ||
                    ((kind == 3 || kind == 4 || (kind >= 10 && kind <= leave_any)) &&
                     std::holds_alternative<done>(e.what));
  if (!fits) throw violation{"an answer to something else"};
  if (std::holds_alternative<placed>(e.what)) {
    rematch_ = {};
    seek_ = sent_seeks_.at(e.answers.ticket);
    seek_->placed = true;
    // A seek by an invitation or a game names no engine.
    if (seek_->engines.empty()) seek_->engines = {std::get<placed>(e.what).engine};
    // The reply to a standing seek states the seat of its first game only.
    if (const auto reported = std::get<placed>(e.what).seat; reported && !seek_->again) {
      if (seek_->seat.value_or(*reported) != *reported)
        throw violation{"the reported seat contradicts the required seat"};
      seek_->seat = reported;
    }
    // A standing seek queues again after each game.
    checker_.stop_waiting(player_);
    // A player with a required seat, or with engines at its table, may be paired before one who
    // waited longer.
    if (!seek_->again && !sent_seeks_.at(e.answers.ticket).seat &&
        seek_->engine_seats.value_or(0) == 0)
      checker_.set_waiting(player_, {asked_at, now});
  }
  const auto left = kind == 3 || kind == leave_any;
  if (left && e.game && no == nullptr && seek_ && seek_->again) seek_unknown_ = true;
  if (kind != find_seat_kind && std::holds_alternative<done>(e.what) && !e.game) {
    seek_.reset();
    rematch_ = {};
    checker_.stop_waiting(player_);
  }
}

void simulated_client::on_started(game_id id, const started& s) {
  auto& v = games_[id];
  // A resumed client receives all its games, also one that starts at that time.
  if (v.started && !resumed_) throw violation{"a game begins twice"};
  v.seat = s.seat;
  v.started = true;
  // A resumed client may receive a game of a seek that another connection sent.
  if (seek_ && seek_->placed && !resumed_ && !has_other_client_ && id != next_rematch_) {
    if (seek_->seat && *seek_->seat != s.seat)
      throw violation{"a client has another seat than the required one"};
    const auto against_engine = std::count_if(
        s.players.begin(), s.players.end(), actors::table::engine_opponent::is_engine_player_name);
    // The engine plays all other seats.
    const auto others = static_cast<std::ptrdiff_t>(s.players.size()) - 1;
    const auto wanted = others == 1 ? 0 : seek_->engine_seats.value_or(against_engine);
    if (against_engine != (seek_->against_engine ? others : wanted))
      throw violation{"a client has another opponent than the requested one"};
  }
  checker_.check_started(player_, id, s);
  if (seek_ && !seek_->again) seek_.reset();
}

void simulated_client::on_position(game_id id, const position& p) {
  auto& v = games_[id];
  // A resumed client may receive the end of a game before its start.
  if (!v.started && !resumed_) throw violation{"a position of a game that has not begun"};
  if (v.over && !resumed_) throw violation{"something of a game after its end"};
  if (p.number < v.number || (p.number == v.number && !resumed_))
    throw violation{"positions go backwards"};
  v.number = p.number;
  v.over = p.outcome.has_value();
  if (v.started)
    checker_.check_position(player_, id, p,
                            wire_ == test_hub::cells_wire ? view_form::cells : view_form::document);
}

}  // namespace gamehub::tests
