#include "gateways/bots/bot_session.hpp"

#include "gateways/bots/bot_limits.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::gateways::bots {
namespace {

// Pause before a refused sign-in or seek is repeated.
constexpr std::chrono::seconds retry_pause{1};

// Returns a log text for a call whose reply is ignored.
std::string summary_of(const call_outcome& what) {
  if (const auto* none = std::get_if<http_client::failure>(&what)) return sentence_of(*none);
  const auto& got = std::get<http_client::response>(what);
  return std::to_string(got.status) + ' ' + bots::quoted(got.body);
}

// The hub's own state is no reason to blame the bot.
bool is_bots_fault(refusal why) {
  return why == refusal::space_not_empty || why == refusal::out_of_bounds ||
         why == refusal::malformed || why == refusal::illegal_move;
}

}  // namespace

bot_session::bot_session(const bot_limits& rules, std::function<trace_id()> traces)
    : rules_(rules), traces_(std::move(traces)) {}

session_output bot_session::registered(bot_record who, call_options how, base::instant now) {
  ++registrations_;
  const bool other_engine = who.engine != who_.engine;
  who_ = std::move(who);
  how_ = std::move(how);
  reconnect_ = reconnect{now + limits::bot_trial_max, now, limits::bot_trial_pause_min};
  // Error calls of the previous registration are dropped.
  std::erase_if(call_queue_, [](const queued_call& w) { return w.what == call::method::error; });
  if (other_engine && at_ == connection_state::here) {
    online_ = false;
    leave_all({}, leave_cause::quit);
  }
  return continue_session(now);
}

session_output bot_session::on_event(const event& e, base::instant now) {
  if (at_ == connection_state::outside) return {};
  if (e.answers.ticket != 0) on_answer(e);
  if (const auto* s = std::get_if<started>(&e.what)) begin_game(e.game, *s);
  if (const auto* p = std::get_if<position_ref>(&e.what)) on_position(e, **p);
  if (const auto* o = std::get_if<offer_update>(&e.what)) on_offer(e, *o);
  if (const auto* no = std::get_if<refused>(&e.what)) on_refusal(e, *no, now);
  if (const auto* other = std::get_if<renamed>(&e.what))
    if (const auto at = games_.find(e.game); at != games_.end() && at->second.table)
      at->second.table->players.at(static_cast<std::size_t>(other->seat)) = other->name;
  return continue_session(now);
}

void bot_session::on_answer(const event& e) {
  const auto number = e.answers.ticket;
  if (number == withdrawing_) withdrawn_ = true;
  if (const auto* who = std::get_if<signed_in>(&e.what); who != nullptr && number == entering_) {
    at_ = connection_state::here;
    out_.reports.emplace_back(report::name_assigned{who->name});
    return seek_players();
  }
  if (number == seeking_ && std::holds_alternative<placed>(e.what)) on_standing_seek();
  const auto at = requests_.find(number);
  if (at == requests_.end()) return;
  const auto asked = at->second;
  requests_.erase(at);
  if (std::holds_alternative<refused>(e.what))
    out_.reports.emplace_back(report::challenge_failed{asked.match});
  else if (std::holds_alternative<placed>(e.what) && !asked.begins)
    out_.reports.emplace_back(report::reserved{asked.match, e.game});
}

void bot_session::on_refusal(const event& e, const refused& no, base::instant now) {
  const auto number = e.answers.ticket;
  if (number != 0 && number == entering_) {
    out_.release = true;
    at_ = connection_state::outside;
    retry_at_ = now + retry_pause;
    return;
  }
  if (number == 0 || number == seeking_) {
    if (at_ != connection_state::here) return;
    // The seek may remain from an earlier attachment.
    if (number != 0 && no.why == refusal::already_in_game) return on_standing_seek();
    has_standing_seek_ = false;
    retry_at_ = now + retry_pause;
    return;
  }
  const auto of = std::find_if(games_.begin(), games_.end(),
                               [&](const auto& g) { return g.second.played == number; });
  if (of == games_.end()) return;
  of->second.played = 0;
  move_refused(of->first, of->second, no, e.answers.trace);
}

void bot_session::move_refused(game_id id, const game& g, const refused& no, trace_id trace) {
  const auto place = std::to_string(g.position);
  if (!g.tried.empty() && is_bots_fault(no.why)) {
    const bool unknown = no.why == refusal::out_of_bounds || no.why == refusal::malformed;
    const auto why = no.detail.empty() ? "" : " (" + no.detail + ")";
    return fail({unknown ? bot_error_code::out_of_bounds : bot_error_code::occupied,
                 "You played an invalid move: " + g.tried +
                     (unknown ? " is no move of this game" : " can't be played now") + why + ".",
                 id, trace});
  }
  switch (no.why) {
    case refusal::space_not_empty:
      return fail({bot_error_code::occupied,
                   "You played an invalid move: position " + place + " is taken.", id, trace});
    case refusal::out_of_bounds:
    case refusal::malformed:
      return fail(
          {bot_error_code::out_of_bounds, "The board has no position " + place + ".", id, trace});
    case refusal::illegal_move:
      return fail({bot_error_code::occupied,
                   "You played an invalid move: position " + place + " can't be played now" +
                       (no.detail.empty() ? "" : " (" + no.detail + ")") + ".",
                   id, trace});
    // The game has ended, or the state of the hub is the reason of the refusal: no error of the
    // bot.
    default: return;
  }
}

void bot_session::begin_game(game_id id, const started& s) {
  auto& g = games_[id];
  g = {};
  g.prefix = how_.prefix;
  g.seats = s.players.size();
  g.seat = s.seat;
  if (static_cast<std::size_t>(s.seat) < s.marks.size())
    g.mark = s.marks[static_cast<std::size_t>(s.seat)];
  for (std::size_t seat = 0; seat < s.players.size(); ++seat)
    if (static_cast<seat_index>(seat) != s.seat) g.opponent = s.players[seat];
  if (s.players.size() > 2 || !how_.board_calls) {
    g.table = std::make_unique<table_view>();
    g.table->game = id;
    g.table->seat = s.seat;
    g.table->marks = marks_of(s.marks, s.players.size());
    g.table->players = s.players;
    if (s.terms) {
      g.table->options = s.terms->options;
      if (s.terms->clock) g.table->clock_rule = to_text(*s.terms->clock);
    }
    g.table->hidden = how_.hidden;
    g.table->simultaneous = how_.simultaneous;
  }
  // A game that started while the bot was leaving.
  if (at_ == connection_state::leaving)
    submit(leave{id});
  else
    call_queue_.push_back({call::method::ping, id, {}});
}

void bot_session::on_position(const event& e, const position& p) {
  const auto id = e.game;
  const auto at = games_.find(id);
  if (at == games_.end()) return;
  auto& g = at->second;
  // A game that was aborted has no board.
  if (!p.cells.empty()) g.cells = p.cells;
  if (g.table) follow_table(g, p);
  if (e.answers.ticket == g.played) g.played = 0;
  if (p.outcome) return end_game(id, *p.outcome, e.answers.trace);
  // Another one plays its seat on. It would be back with its next move, which is for an older turn.
  if (g.table && holds(p.substituted, g.seat) && at_ == connection_state::here)
    return has_chosen_clock(g) ? void(submit(leave{id})) : fail_late(id, e.answers.trace);
  if (at_ == connection_state::leaving || g.to_move || !holds(p.prompted, g.seat)) return;
  g.to_move = true;
  call_queue_.push_back({call::method::next_move, id, {}});
}

void bot_session::follow_table(game& g, const position& p) {
  auto& table = *g.table;
  table.cells = g.cells;
  if (!p.document.empty()) table.document = p.document;
  table.substituted = p.substituted;
  if (!table.clock_rule.empty()) {
    table.left = p.clock.left;
    table.periods = p.clock.periods;
  }
  if (!holds(p.prompted, g.seat)) return;
  table.actions.clear();
  for (const auto& each : p.actions) {
    if (each.seat != g.seat) continue;
    table.actions = each.list;
    table.more_actions = !each.complete;
  }
}

void bot_session::fail_late(game_id id, trace_id trace) {
  const bool is_called = active_call_ && active_call_->of == id;
  fail({bot_error_code::timeout, "The time for your move ran out.", id,
        is_called ? active_call_->trace : trace});
}

// Answers at once, as the bot's latest answer says. A takeback during a call would leave the bot
// with the answer to another position.
void bot_session::on_offer(const event& e, const offer_update& o) {
  const auto at = games_.find(e.game);
  if (at == games_.end() || o.step != offer_step::offered || o.what == offer_kind::rematch) return;
  const auto& g = at->second;
  if (o.seat == g.seat) return;
  const bool takes = o.what == offer_kind::draw ? g.accepts.draw : g.accepts.takeback && !g.to_move;
  submit(offer{e.game, o.what, takes ? offer_step::accepted : offer_step::declined},
         e.answers.trace);
}

void bot_session::end_game(game_id id, const outcome& how, trace_id trace) {
  const auto g = std::move(games_.at(id));
  games_.erase(id);
  std::erase_if(call_queue_, [id](const queued_call& w) { return w.of == id; });
  out_.reports.emplace_back(report::game_over{id, how});
  // Of two seats only the clock of a player that has to move ends a game.
  const bool is_late = g.seats > 2 ? holds(how.forfeits, g.seat) : how.winner != g.seat;
  // A person may have chosen a clock that no bot can keep.
  const bool lost_on_time = how.reason == end_reason::clock && is_late && !has_chosen_clock(g);
  if (lost_on_time && at_ == connection_state::here) return fail_late(id, trace);
  if (id == failed_in_ || !reachable_) return;
  const board_view board{id, g.mark, g.cells};
  queue_complete_call({call::method::complete, id,
                       g.table ? complete_call(g.prefix, *g.table, how, ++calls_)
                               : complete_call(g.prefix, board, how.winner == g.seat, ++calls_),
                       trace});
}

// Limits the queue of Complete calls of a slow bot: the oldest is dropped.
void bot_session::queue_complete_call(queued_call w) {
  const auto is_last = [](const queued_call& each) { return each.what == call::method::complete; };
  if (std::count_if(call_queue_.begin(), call_queue_.end(), is_last) >=
      2 * std::int64_t{rules_.games_max})
    call_queue_.erase(std::find_if(call_queue_.begin(), call_queue_.end(), is_last));
  call_queue_.push_back(std::move(w));
}

session_output bot_session::closed(bool for_good, base::instant now) {
  if (at_ == connection_state::outside) return {};
  at_ = connection_state::outside;
  has_standing_seek_ = false;
  out_.release = true;
  games_.clear();
  call_queue_.clear();
  for (const auto& [number, asked] : std::exchange(requests_, {}))
    out_.reports.emplace_back(report::challenge_failed{asked.match});
  retry_at_ = !for_good && online_ ? now + retry_pause : base::instant::max();
  return take_output();
}

session_output bot_session::stop_calling(std::string why, base::instant now) {
  if (!online_ && !reconnect_) return {};
  fail({bot_error_code::transport, std::move(why)});
  return continue_session(now);
}

session_output bot_session::remove(base::instant now) {
  go_offline({}, leave_cause::quit);
  return continue_session(now);
}

bool bot_session::go_offline(trace_id trace, leave_cause why) {
  online_ = false;
  reconnect_.reset();
  retry_at_ = base::instant::max();
  const bool was_here = at_ == connection_state::here;
  if (was_here) leave_all(trace, why);
  if (at_ == connection_state::entering) {
    at_ = connection_state::outside;
    out_.release = true;
  }
  return was_here;
}

void bot_session::fail(bot_error what) {
  failed_in_ = what.game;
  const bool was_here = go_offline(what.trace, leave_cause::bot_error);
  if (what.game && was_here)
    call_queue_.push_back(
        {call::method::error, what.game, error_call(how_.prefix, what, ++calls_), what.trace});
  out_.reports.emplace_back(std::move(what));
}

void bot_session::leave_all(trace_id trace, leave_cause why) {
  at_ = connection_state::leaving;
  has_standing_seek_ = false;
  call_queue_.clear();
  withdrawn_ = false;
  withdrawing_ = submit(leave{{}, true}, trace);
  for (const auto& [id, g] : games_) submit(leave{id, false, why}, trace);
}

void bot_session::go_online() {
  online_ = true;
  if (has_standing_seek_) out_.reports.emplace_back(report::online{});
  if (at_ == connection_state::outside) enter();
}

void bot_session::on_standing_seek() {
  if (!std::exchange(has_standing_seek_, true) && online_)
    out_.reports.emplace_back(report::online{});
}

void bot_session::enter() {
  at_ = connection_state::entering;
  failed_in_ = {};
  out_.enter = true;
  retry_at_ = base::instant::max();
  sign_in who;
  who.name = who_.name;
  who.resume_secret = who_.secret;
  who.proposes_secret = true;
  who.features.answers_offers = who.features.wants_actions = true;
  entering_ = submit(std::move(who));
}

void bot_session::seek_players() {
  retry_at_ = base::instant::max();
  seek players;
  players.engines = {who_.engine};
  players.options = {how_.options};
  players.games_max = rules_.games_max;
  players.again = true;
  players.only_by_name = true;
  // Calls with exactly the members of the protocol can't tell a bot of another clock.
  players.any_clock = !how_.board_calls;
  players.features.answers_offers = players.features.wants_actions = true;
  seeking_ = submit(std::move(players));
}

ticket bot_session::submit(intent what, trace_id trace) {
  out_.commands.push_back({++last_ticket_, trace ? trace : traces_(), std::move(what)});
  return last_ticket_;
}

session_output bot_session::challenge(match_id match, const std::string& opponent,
                                      base::instant now) {
  if (!online() || reconnect_)
    out_.reports.emplace_back(report::challenge_failed{match});
  else
    requests_[submit(gamehub::challenge{opponent})] = {match, false};
  return continue_session(now);
}

session_output bot_session::begin(match_id match, const std::string& opponent, game_id id) {
  if (!online())
    out_.reports.emplace_back(report::challenge_failed{match});
  else
    requests_[submit(gamehub::challenge{opponent, id})] = {match, true};
  return take_output();
}

session_output bot_session::advance(base::instant now) {
  if (retry_at_ <= now) {
    retry_at_ = base::instant::max();
    if (online_ && at_ == connection_state::outside)
      enter();
    else if (online_ && at_ == connection_state::here)
      seek_players();
  }
  return continue_session(now);
}

base::instant bot_session::next() const {
  return reconnect_ && !active_call_ ? std::min(retry_at_, reconnect_->next_try) : retry_at_;
}

std::string_view to_string(call::method what) {
  switch (what) {
    case call::method::ping: return "ping";
    case call::method::next_move: return "next-move";
    case call::method::complete: return "complete";
    case call::method::error: return "error";
  }
  return "ping";
}

session_output bot_session::on_call_result(const call_outcome& what, base::instant now) {
  if (!active_call_) return {};
  auto was = std::move(*std::exchange(active_call_, std::nullopt));
  reachable_ = std::holds_alternative<http_client::response>(what);
  // A failure of a call that started before the latest registration, possibly to another process,
  // does not count.
  const bool stale = called_registration_ != registrations_;
  if (stale && error_of(what)) {
    if (was.of && games_.contains(was.of)) call_queue_.push_front(std::move(was));
  } else if (was.what == call::method::ping && !was.of) {
    if (!stale) on_ping_result(was, what, now);
  } else {
    on_game_call_result(std::move(was), what);
  }
  return continue_session(now);
}

void bot_session::on_ping_result(const queued_call& was, const call_outcome& what,
                                 base::instant now) {
  if (!reconnect_) return;
  auto wrong = error_of_ping(what);
  if (!wrong) {
    reconnect_.reset();
    return go_online();
  }
  if (now + reconnect_->pause < reconnect_->until) {
    reconnect_->next_try = now + reconnect_->pause;
    reconnect_->pause =
        std::min<base::duration>(2 * reconnect_->pause, limits::bot_trial_pause_max);
    return;
  }
  wrong->text = "You did not answer Status.Ping within " +
                std::to_string(limits::bot_trial_max.count()) + " seconds. " + wrong->text;
  wrong->trace = was.trace;
  fail(*std::move(wrong));
}

void bot_session::on_game_call_result(queued_call was, const call_outcome& what) {
  if (was.what == call::method::complete || was.what == call::method::error) {
    out_.reports.emplace_back(report::replied{was.what, was.of, was.trace, summary_of(what)});
    return;
  }
  const auto at = games_.find(was.of);
  if (at == games_.end() || at_ != connection_state::here) return;
  const auto fail_in_game = [&](bot_error wrong) {
    wrong.game = was.of;
    wrong.trace = was.trace;
    fail(std::move(wrong));
  };
  if (was.what == call::method::ping) {
    auto wrong = error_of_ping(what);
    if (!wrong) return;
    wrong->text = "Before the game you were asked by Status.Ping. " + wrong->text;
    return fail_in_game(*std::move(wrong));
  }
  auto& g = at->second;
  g.to_move = false;
  if (auto wrong = error_of(what)) return fail_in_game(*std::move(wrong));
  const auto& body = std::get<http_client::response>(what).body;
  play mine;
  mine.game = was.of;
  auto read = g.table ? read_table_move(body) : read_board_move(body);
  if (const auto* bad = std::get_if<bot_error>(&read)) return fail_in_game(*bad);
  mine.move = std::get<gamehub::move>(std::move(read));
  g.tried = quoted(mine.move.text);
  g.position = mine.move.cell;
  g.accepts = read_accepted(body);
  g.played = submit(std::move(mine), was.trace);
}

session_output bot_session::continue_session(base::instant now) {
  if (active_call_) return take_output();
  if (reconnect_) {
    // A hanging ping ends with the deadline of the reconnection.
    if (now >= reconnect_->next_try)
      start({call::method::ping, {}, {}},
            std::min(now + rules_.call_time,
                     std::max(reconnect_->until, now + limits::bot_trial_pause_min)));
  } else if (!call_queue_.empty() && may_call()) {
    auto first = std::move(call_queue_.front());
    call_queue_.pop_front();
    start(std::move(first), now + rules_.call_time);
  } else {
    call_queue_.clear();
  }
  leave_if_done();
  return take_output();
}

void bot_session::leave_if_done() {
  if (at_ != connection_state::leaving || !games_.empty() || !withdrawn_ || !call_queue_.empty())
    return;
  if (active_call_ && active_call_->of) return;
  at_ = connection_state::outside;
  out_.release = true;
  if (online_) enter();
}

void bot_session::start(queued_call what, base::instant deadline) {
  if (!what.trace) what.trace = traces_();
  out_.to_call = call{what.what, body_of(what), deadline, what.trace, {traces_().value}};
  called_registration_ = registrations_;
  active_call_ = std::move(what);
}

std::string bot_session::body_of(const queued_call& w) {
  if (w.what == call::method::ping) return ping_call(++calls_);
  if (w.what != call::method::next_move) return w.body;
  const auto& g = games_.at(w.of);
  if (g.table) return next_move_call(g.prefix, *g.table, ++calls_);
  const std::string_view opponent = how_.tell_opponent ? g.opponent : std::string_view{};
  return next_move_call(g.prefix, {w.of, g.mark, g.cells, opponent}, ++calls_);
}

}  // namespace gamehub::gateways::bots
