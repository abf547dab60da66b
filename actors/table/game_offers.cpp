#include "actors/table/game_offers.hpp"

#include "hub/core/limits.hpp"

#include <algorithm>

namespace gamehub::actors::table {

namespace {

constexpr std::string_view none = "there is no such offer";

game_offers::result refused_as(refusal why, std::string_view detail) { return {why, detail}; }

}  // namespace

std::vector<game_offers::standing>::iterator game_offers::find(offer_kind what) {
  return std::find_if(open_.begin(), open_.end(),
                      [what](const standing& each) { return each.what == what; });
}

game_offers::result game_offers::check(offer_kind what, seat_index seat, offer_step step,
                                       base::instant now) {
  const auto at = find(what);
  const bool stands = at != open_.end();
  if (step == offer_step::withdrawn)
    return stands && at->by == seat ? result{} : refused_as(refusal::no_offer, none);
  if (step != offer_step::offered)
    return stands && holds(at->awaits, seat) ? result{} : refused_as(refusal::no_offer, none);
  if (stands && at->by == seat) return refused_as(refusal::no_offer, "you have offered it already");
  if (stands && (what == offer_kind::takeback || !holds(at->awaits, seat)))
    return refused_as(refusal::no_offer, "another player's offer stands");
  if (stands) return {};
  auto& mine = makers_[seat];
  while (!mine.times.empty() && mine.times.front() + limits::offers_in <= now)
    mine.times.pop_front();
  if (mine.times.size() >= limits::offers_max) return refused_as(refusal::rate_limited, {});
  if (mine.count >= limits::offers_per_game_max)
    return refused_as(refusal::no_offer, "you have offered too much in this game");
  return {};
}

game_offers::result game_offers::offer(offer_kind what, seat_index by, seat_set others,
                                       base::instant now) {
  if (auto no = check(what, by, offer_step::offered, now); no.why) return no;
  if (const auto at = find(what); at != open_.end()) return accept(at, by);
  auto& mine = makers_[by];
  ++mine.count;
  mine.times.push_back(now);
  const standing made{what, by, others & ~only(by)};
  result out;
  out.changed = change{offer_step::offered, what, by};
  if (made.awaits == 0)
    out.granted = made;
  else
    open_.push_back(made);
  return out;
}

game_offers::result game_offers::answer(offer_kind what, seat_index seat, offer_step step) {
  if (step == offer_step::offered) return refused_as(refusal::no_offer, none);
  if (auto no = check(what, seat, step, {}); no.why) return no;
  const auto at = find(what);
  if (step == offer_step::accepted) return accept(at, seat);
  open_.erase(at);
  result out;
  out.changed = change{step, what, seat};
  return out;
}

game_offers::result game_offers::accept(std::vector<standing>::iterator at, seat_index seat) {
  result out;
  out.changed = change{offer_step::accepted, at->what, seat};
  at->awaits &= ~only(seat);
  at->accepted |= only(seat);
  if (at->awaits != 0) return out;
  out.granted = *at;
  open_.erase(at);
  return out;
}

std::vector<game_offers::change> game_offers::on_move(seat_index seat) {
  std::vector<change> out;
  std::erase_if(open_, [&](const standing& each) {
    if (each.what == offer_kind::takeback)
      out.push_back({offer_step::withdrawn, each.what, each.by, offer_cause::moved});
    else if (holds(each.awaits, seat))
      out.push_back({offer_step::declined, each.what, seat, offer_cause::moved});
    else
      return false;
    return true;
  });
  return out;
}

std::vector<game_offers::change> game_offers::on_left(seat_index seat) {
  std::vector<change> out;
  std::erase_if(open_, [&](const standing& each) {
    if (each.by == seat)
      out.push_back({offer_step::withdrawn, each.what, seat, offer_cause::left});
    else if (holds(each.awaits, seat))
      out.push_back({offer_step::declined, each.what, seat, offer_cause::left});
    else
      return false;
    return true;
  });
  return out;
}

void game_offers::restore(const change& was, seat_set others) {
  if (was.step == offer_step::offered) {
    ++makers_[was.seat].count;
    if (const auto awaits = others & ~only(was.seat); awaits != 0)
      open_.push_back({was.what, was.seat, awaits});
    return;
  }
  const auto at = find(was.what);
  if (at == open_.end()) return;
  if (was.step == offer_step::accepted)
    accept(at, was.seat);
  else
    open_.erase(at);
}

}  // namespace gamehub::actors::table
