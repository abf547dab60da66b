#include "gateways/jsonrpc/caller.hpp"

#include <algorithm>
#include <utility>

#include "gateways/jsonrpc/jsonrpc_limits.hpp"

namespace gamehub::gateways::bots {
namespace {

// Before what the hub had no room for is asked for again.
constexpr std::chrono::seconds retry_pause{1};

}  // namespace

bot_session::bot_session(bot_identity who, const bot_limits& rules, std::function<trace_id()> traces)
    : who_(std::move(who)), rules_(rules), traces_(std::move(traces)) {}

void bot_session::registered(bot_identity who, instant now, session_output& out) {
  ++registrations_;
  const bool other_engine = who.engine != who_.engine;
  who_ = std::move(who);
  trial_ = trial{now + limits::bot_trial_max, now, limits::bot_trial_pause_min};
  // Whatever was to be told of a mistake: it has begun anew.
  std::erase_if(call_queue_, [](const work& w) { return w.what == call::method::error; });
  if (other_engine && at_ == presence::here) {
    online_ = false;
    leave_all({}, out);
  }
  go_on(now, out);
}

void bot_session::hear(const event& e, instant now, session_output& out) {
  if (at_ == presence::outside) return;
  if (e.answers.ticket != 0) hear_answer(e, out);
  if (const auto* s = std::get_if<started>(&e.what)) begin_game(e.game, *s, out);
  if (const auto* p = std::get_if<position_ref>(&e.what)) see(e, **p, out);
  if (const auto* no = std::get_if<refused>(&e.what)) hear_refusal(e, *no, now, out);
  go_on(now, out);
}

void bot_session::hear_answer(const event& e, session_output& out) {
  const auto number = e.answers.ticket;
  if (number == withdrawing_) withdrawn_ = true;
  if (const auto* who = std::get_if<signed_in>(&e.what); who != nullptr && number == entering_) {
    at_ = presence::here;
    out.told.emplace_back(report::named{who->name});
    return seek_players(out);
  }
  if (number == seeking_ && std::holds_alternative<placed>(e.what)) stand(out);
  const auto at = requests_.find(number);
  if (at == requests_.end()) return;
  const auto asked = at->second;
  requests_.erase(at);
  if (std::holds_alternative<refused>(e.what))
    out.told.emplace_back(report::not_met{asked.number});
  else if (std::holds_alternative<placed>(e.what) && !asked.begins)
    out.told.emplace_back(report::reserved{asked.number, e.game});
}

void bot_session::hear_refusal(const event& e, const refused& no, instant now, session_output& out) {
  const auto number = e.answers.ticket;
  if (number != 0 && number == entering_) {
    out.release = true;
    at_ = presence::outside;
    retry_at_ = now + retry_pause;
    return;
  }
  if (number == 0 || number == seeking_) {
    if (at_ != presence::here) return;
    // It may stand since before its attachment was another one.
    if (number != 0 && no.why == refusal::already_in_game) return stand(out);
    has_standing_seek_ = false;
    retry_at_ = now + retry_pause;
    return;
  }
  const auto of = std::find_if(games_.begin(), games_.end(),
                               [&](const auto& g) { return g.second.played == number; });
  if (of == games_.end()) return;
  of->second.played = 0;
  move_refused(of->first, of->second, no, e.answers.trace, out);
}

void bot_session::move_refused(game_id id, const game& g, const refused& no, trace_id trace,
                          session_output& out) {
  const auto place = std::to_string(g.position);
  switch (no.why) {
    case refusal::space_not_empty:
      return go_wrong(
          {bot_fault_code::occupied, "You played an invalid move: position " + place + " is taken."},
          id, trace, out);
    case refusal::out_of_bounds:
    case refusal::malformed:
      return go_wrong({bot_fault_code::out_of_bounds, "The board has no position " + place + "."}, id,
                      trace, out);
    case refusal::illegal_move:
      return go_wrong({bot_fault_code::occupied,
                       "You played an invalid move: position " + place + " can't be played now" +
                           (no.detail.empty() ? "" : " (" + no.detail + ")") + "."},
                      id, trace, out);
    // It crossed the end of its game, or something in the hub's way: that is not the bot's.
    default: return;
  }
}

void bot_session::begin_game(game_id id, const started& s, session_output& out) {
  auto& g = games_[id];
  g = {};
  g.prefix = who_.prefix;
  g.seat = s.seat;
  if (static_cast<std::size_t>(s.seat) < s.marks.size())
    g.mark = s.marks[static_cast<std::size_t>(s.seat)];
  for (std::size_t seat = 0; seat < s.players.size(); ++seat)
    if (static_cast<seat_index>(seat) != s.seat) g.opponent = s.players[seat];
  // A game that came while it was leaving.
  if (at_ == presence::leaving)
    order(leave{id}, out);
  else
    call_queue_.push_back({call::method::ping, id, {}});
}

void bot_session::see(const event& e, const position& p, session_output& out) {
  const auto id = e.game;
  const auto at = games_.find(id);
  if (at == games_.end()) return;
  auto& g = at->second;
  // A game that the hub had to abandon is shown without a board.
  if (!p.cells.empty()) g.cells = p.cells;
  if (e.answers.ticket == g.played) g.played = 0;
  if (p.outcome) return end_game(id, *p.outcome, e.answers.trace, out);
  if (at_ == presence::leaving || g.to_move || !holds(p.prompted, g.seat)) return;
  g.to_move = true;
  call_queue_.push_back({call::method::next_move, id, {}});
}

void bot_session::end_game(game_id id, const outcome& how, trace_id trace, session_output& out) {
  const auto g = games_.at(id);
  games_.erase(id);
  std::erase_if(call_queue_, [id](const work& w) { return w.of == id; });
  out.told.emplace_back(report::game_over{id, how});
  const bool lost_on_time = how.reason == end_reason::clock && how.winner && *how.winner != g.seat;
  if (lost_on_time && at_ == presence::here) {
    const bool is_asked = active_call_ && active_call_->of == id;
    return go_wrong({bot_fault_code::timeout, "The time for your move ran out."}, id,
                    is_asked ? active_call_->trace : trace, out);
  }
  if (id == failed_in_ || !reachable_) return;
  add_last_words({call::method::complete, id,
                  complete_call(g.prefix, {id, g.mark, g.cells}, how.winner == g.seat, ++calls_),
                  trace});
}

// Who takes its time with them gets the latest: people may begin and leave games faster.
void bot_session::add_last_words(work w) {
  const auto is_last = [](const work& each) { return each.what == call::method::complete; };
  if (std::count_if(call_queue_.begin(), call_queue_.end(), is_last) >= 2 * std::int64_t{rules_.games_max})
    call_queue_.erase(std::find_if(call_queue_.begin(), call_queue_.end(), is_last));
  call_queue_.push_back(std::move(w));
}

void bot_session::closed(bool for_good, instant now, session_output& out) {
  if (at_ == presence::outside) return;
  at_ = presence::outside;
  has_standing_seek_ = false;
  out.release = true;
  games_.clear();
  call_queue_.clear();
  for (const auto& [number, asked] : std::exchange(requests_, {}))
    out.told.emplace_back(report::not_met{asked.number});
  retry_at_ = !for_good && online_ ? now + retry_pause : instant::max();
}

void bot_session::give_up(std::string why, instant now, session_output& out) {
  if (!online_ && !trial_) return;
  go_wrong({bot_fault_code::transport, std::move(why)}, {}, {}, out);
  go_on(now, out);
}

void bot_session::go_wrong(bot_error what, game_id where, trace_id trace, session_output& out) {
  online_ = false;
  trial_.reset();
  retry_at_ = instant::max();
  failed_in_ = where;
  const bool was_here = at_ == presence::here;
  if (was_here) leave_all(trace, out);
  if (at_ == presence::entering) {
    at_ = presence::outside;
    out.release = true;
  }
  if (where && was_here)
    call_queue_.push_back({call::method::error, where,
                     error_call(who_.prefix, where, what.code, what.text, ++calls_), trace});
  out.told.emplace_back(report::went_wrong{what.code, std::move(what.text), where, trace});
}

void bot_session::leave_all(trace_id trace, session_output& out) {
  at_ = presence::leaving;
  has_standing_seek_ = false;
  call_queue_.clear();
  withdrawn_ = false;
  withdrawing_ = order(leave{{}, true}, out, trace);
  for (const auto& [id, g] : games_) order(leave{id}, out, trace);
}

void bot_session::come_online(session_output& out) {
  online_ = true;
  if (has_standing_seek_) out.told.emplace_back(report::came_online{});
  if (at_ == presence::outside) enter(out);
}

void bot_session::stand(session_output& out) {
  if (!std::exchange(has_standing_seek_, true) && online_) out.told.emplace_back(report::came_online{});
}

void bot_session::enter(session_output& out) {
  at_ = presence::entering;
  failed_in_ = {};
  out.enter = true;
  retry_at_ = instant::max();
  sign_in who;
  who.name = who_.name;
  who.resume_secret = who_.secret;
  who.proposes_secret = true;
  entering_ = order(std::move(who), out);
}

void bot_session::seek_players(session_output& out) {
  retry_at_ = instant::max();
  seek players;
  players.engines = {who_.engine};
  players.games_max = rules_.games_max;
  players.again = true;
  players.only_by_name = true;
  seeking_ = order(std::move(players), out);
}

ticket bot_session::order(intent what, session_output& out, trace_id trace) {
  out.orders.push_back({++last_ticket_, trace ? trace : traces_(), std::move(what)});
  return last_ticket_;
}

void bot_session::challenge(std::uint64_t number, const std::string& opponent, instant now,
                  session_output& out) {
  if (!online() || trial_)
    out.told.emplace_back(report::not_met{number});
  else
    requests_[order(gamehub::challenge{opponent}, out)] = {number, false};
  go_on(now, out);
}

void bot_session::begin(std::uint64_t number, const std::string& opponent, game_id id,
                   session_output& out) {
  if (!online())
    out.told.emplace_back(report::not_met{number});
  else
    requests_[order(gamehub::challenge{opponent, id}, out)] = {number, true};
}

void bot_session::advance(instant now, session_output& out) {
  if (retry_at_ <= now) {
    retry_at_ = instant::max();
    if (online_ && at_ == presence::outside)
      enter(out);
    else if (online_ && at_ == presence::here)
      seek_players(out);
  }
  go_on(now, out);
}

instant bot_session::next() const {
  return trial_ && !active_call_ ? std::min(retry_at_, trial_->next_try) : retry_at_;
}

}  // namespace gamehub::gateways::jsonrpc
