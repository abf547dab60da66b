#include "tests/simulation/guest.hpp"

#include <algorithm>
#include <utility>

#include "actors/house.hpp"

namespace gamehub::tests {

namespace {

// Beside the numbers of the kinds of intent: a leave that names no game.
constexpr std::size_t leave_any = std::variant_size_v<intent>;

}  // namespace

void guest::say(intent what, std::uint64_t now) {
  auto kind = what.index();
  if (const auto* l = std::get_if<leave>(&what); l != nullptr && !l->game) kind = leave_any;
  std::optional<offer> o;
  if (const auto* s = std::get_if<seek>(&what))
    o = offer{s->engines, s->games_max, s->again, false, s->seat, s->against_engine};
  if (const auto* r = std::get_if<rematch>(&what)) o = rematch_seek(r->game);
  if (!client_->say(std::move(what))) return;
  ++last_ticket_;
  said_[last_ticket_] = {kind, now};
  if (o) asked_[last_ticket_] = *std::move(o);
}

std::optional<intent> guest::legal_move(dice& d) const {
  std::vector<std::pair<game_id, seat_index>> mine;
  for (const auto& [id, v] : games_)
    if (v.begun && !v.over) mine.emplace_back(id, v.seat);
  if (mine.empty()) return std::nullopt;
  const auto [id, seat] = mine[d() % mine.size()];
  const auto match = referee_.match_of(id);
  if (!match || match->at_chance() || !engines::holds(match->to_move(), seat)) return std::nullopt;
  std::vector<engines::action> actions;
  match->legal_actions(seat, actions);
  const auto action = actions[d() % actions.size()];
  const auto named = mine.size() > 1 || d() % 2 == 0 ? id : game_id{};
  if (referee_.rules_of(id).has_cells() && wire_ == test_hub::cells_wire)
    return play_cell(match->cell_of(action), named);
  if (d() % 2 == 0) return play{named, {move::form::word, 0, match->to_text(action)}};
  return play_document(match->to_json(action), named);
}

// What it waits for by asking for a rematch: the other seat, and whoever sat there.
guest::offer guest::rematch_seek(game_id id) const {
  const auto at = games_.find(id);
  if (at == games_.end() || !at->second.begun) return {};
  const auto& names = referee_.players_of(id);
  const auto house = std::any_of(names.begin(), names.end(), actors::house::is_name);
  return {{std::string{referee_.rules_of(id).id()}}, 1, false, false, 1 - at->second.seat, house};
}

game_id guest::some_game(dice& d) const {
  if (games_.empty() || d() % 4 == 0) return {};
  auto at = games_.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(d() % games_.size()));
  return at->first;
}

std::string guest::unanswered() const {
  constexpr const char* kinds[] = {"sign_in", "seek", "play", "leave", "chat", "rematch", "leave"};
  auto text = "guest " + std::to_string(who_) + (resumed_ ? " (back)" : "");
  for (const auto& [t, said] : said_)
    text += std::string{", "} + kinds[said.first] + " of action " + std::to_string(said.second);
  return text;
}

bool guest::waits_for(const std::string& engine) const {
  if (!connected() || !offer_ || !offer_->placed || offer_->house) return false;
  const auto playing = std::count_if(games_.begin(), games_.end(), [](const auto& each) {
    return each.second.begun && !each.second.over;
  });
  return playing < static_cast<std::ptrdiff_t>(offer_->games_max) &&
         std::find(offer_->engines.begin(), offer_->engines.end(), engine) != offer_->engines.end();
}

void guest::hear(const event& e, std::uint64_t now) {
  if (client_->unexpected_replies != 0) throw violation{"an intent is answered twice"};
  if (e.answers.ticket != 0) hear_answer(e, now);
  if (e.answers.ticket == 0 && std::holds_alternative<refused>(e.what)) {
    // What it waited for does not come any more.
    offer_.reset();
    referee_.stop_waiting(who_);
  }
  if (const auto* s = std::get_if<started>(&e.what)) on_started(e.game, *s);
  if (const auto* p = std::get_if<position_ref>(&e.what)) on_position(e.game, **p);
}

void guest::hear_answer(const event& e, std::uint64_t now) {
  const auto [kind, asked_at] = said_.at(e.answers.ticket);
  said_.erase(e.answers.ticket);
  const auto* no = std::get_if<refused>(&e.what);
  refusals += no != nullptr ? 1 : 0;
  if (const auto* me = std::get_if<signed_in>(&e.what)) secret_ = me->secret;
  if (std::holds_alternative<position_ref>(e.what)) ++accepted;
  const auto fits =
      no != nullptr || (kind == 0 && std::holds_alternative<signed_in>(e.what)) ||
      ((kind == 1 || kind == 5) && std::holds_alternative<placed>(e.what)) ||
      (kind == 2 && std::holds_alternative<position_ref>(e.what)) ||
      ((kind == 3 || kind == 4 || kind == leave_any) && std::holds_alternative<done>(e.what));
  if (!fits) throw violation{"an answer to something else"};
  if (std::holds_alternative<placed>(e.what)) {
    offer_ = asked_.at(e.answers.ticket);
    offer_->placed = true;
    // A standing offer is told where it sits in its first game only.
    if (const auto told = std::get<placed>(e.what).seat; told && !offer_->again) {
      if (offer_->seat.value_or(*told) != *told) throw violation{"somebody is told a seat it can't use"};
      offer_->seat = told;
    }
    // A standing offer enters its queues anew after each game.
    referee_.stop_waiting(who_);
    // Who must have a seat may have it before one who waited longer.
    if (!offer_->again && !asked_.at(e.answers.ticket).seat) referee_.waited(who_, {asked_at, now});
  }
  const auto left = kind == 3 || kind == leave_any;
  if (left && e.game && no == nullptr && offer_ && offer_->again) seek_unknown_ = true;
  if (std::holds_alternative<done>(e.what) && !e.game) {
    offer_.reset();
    referee_.stop_waiting(who_);
  }
}

void guest::on_started(game_id id, const started& s) {
  auto& v = games_[id];
  // Whoever comes back is shown its games, also those that begin for it just then.
  if (v.begun && !resumed_) throw violation{"a game begins twice"};
  v.seat = s.seat;
  v.begun = true;
  // Whoever comes back may be shown a game of an offer that it made elsewhere.
  if (offer_ && offer_->placed && !resumed_) {
    if (offer_->seat && *offer_->seat != s.seat)
      throw violation{"somebody has another seat than it must have"};
    const auto house = std::count_if(s.players.begin(), s.players.end(), actors::house::is_name);
    if (house != (offer_->house ? 1 : 0))
      throw violation{"somebody plays another opponent than it asked for"};
  }
  referee_.check_started(who_, id, s);
  if (offer_ && !offer_->again) offer_.reset();
}

void guest::on_position(game_id id, const position& p) {
  auto& v = games_[id];
  // Whoever comes back may hear the end of a game before it is shown that game.
  if (!v.begun && !resumed_) throw violation{"a position of a game that has not begun"};
  if (v.over && !resumed_) throw violation{"something of a game after its end"};
  if (p.number < v.number || (p.number == v.number && !resumed_))
    throw violation{"positions go backwards"};
  v.number = p.number;
  v.over = p.outcome.has_value();
  if (v.begun)
    referee_.check_position(who_, id, p,
                            wire_ == test_hub::cells_wire ? view_form::cells : view_form::document);
}

}  // namespace gamehub::tests
