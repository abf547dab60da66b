// What a caller has to do with calls: which one comes next, and what follows from its answer.
#include <algorithm>
#include <utility>

#include "gateways/jsonrpc/caller.hpp"
#include "gateways/jsonrpc/jsonrpc_limits.hpp"

namespace gamehub::gateways::jsonrpc {
namespace {

// What came of a call whose answer does not matter.
std::string in_words(const call_outcome& what) {
  if (const auto* none = std::get_if<unanswered>(&what)) return none->why;
  const auto& got = std::get<answered>(what);
  return std::to_string(got.status) + ' ' + quoted(got.body);
}

}  // namespace

std::optional<misstep> wrong_with(const call_outcome& what) {
  if (const auto* none = std::get_if<unanswered>(&what))
    return misstep{none->too_late ? fault_code::timeout : fault_code::transport, none->why};
  const auto& got = std::get<answered>(what);
  if (got.status < 200 || got.status > 299)
    return misstep{fault_code::transport,
                   "You answered with the HTTP status " + std::to_string(got.status) + "."};
  if (got.encoded)
    return misstep{fault_code::unparsable,
                   "Your answer is compressed, although nothing was said to be accepted."};
  return std::nullopt;
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

void caller::called(const call_outcome& what, instant now, caller_output& out) {
  if (!under_way_) return;
  auto was = std::move(*std::exchange(under_way_, std::nullopt));
  reachable_ = std::holds_alternative<answered>(what);
  // Where it was called before it registered again, possibly as another process, a failure is none
  // of its.
  const bool stale = called_under_ != registrations_;
  if (stale && wrong_with(what)) {
    if (was.of && games_.contains(was.of)) work_.push_front(std::move(was));
  } else if (was.what == call::method::ping && !was.of) {
    if (!stale) trial_answered(was, what, now, out);
  } else {
    game_call_answered(std::move(was), what, out);
  }
  go_on(now, out);
}

void caller::trial_answered(const work& was, const call_outcome& what, instant now,
                            caller_output& out) {
  if (!trial_) return;
  const auto* got = std::get_if<answered>(&what);
  if (got != nullptr && got->status == 200) {
    trial_.reset();
    return come_online(out);
  }
  if (now + trial_->pause < trial_->until) {
    trial_->next_try = now + trial_->pause;
    trial_->pause = std::min<duration>(2 * trial_->pause, limits::bot_trial_pause_max);
    return;
  }
  auto last = *wrong_with(got == nullptr ? what : call_outcome{answered{got->status, false, {}}});
  last.text = "You did not answer Status.Ping within " +
              std::to_string(limits::bot_trial_max.count()) + " seconds. " + last.text;
  go_wrong(std::move(last), {}, was.trace, out);
}

void caller::game_call_answered(work was, const call_outcome& what, caller_output& out) {
  if (was.what == call::method::complete || was.what == call::method::error) {
    out.told.emplace_back(news::replied{was.what, was.of, was.trace, in_words(what)});
    return;
  }
  const auto at = games_.find(was.of);
  if (at == games_.end() || at_ != presence::here) return;
  auto wrong = wrong_with(what);
  if (was.what == call::method::ping) {
    const auto* got = std::get_if<answered>(&what);
    // The body of its answer is nobody's concern.
    if (got != nullptr && got->status == 200) return;
    if (!wrong)
      wrong = {fault_code::transport,
               "You answered with the HTTP status " + std::to_string(got->status) + "."};
    wrong->text = "Before the game you were asked by Status.Ping. " + wrong->text;
    return go_wrong(*std::move(wrong), was.of, was.trace, out);
  }
  at->second.to_move = false;
  if (wrong) return go_wrong(*std::move(wrong), was.of, was.trace, out);
  const auto read = read_position(std::get<answered>(what).body);
  if (const auto* bad = std::get_if<misstep>(&read)) return go_wrong(*bad, was.of, was.trace, out);
  auto& g = at->second;
  g.position = std::get<std::int64_t>(read);
  play mine;
  mine.game = was.of;
  mine.move.as = move::form::cell;
  mine.move.cell = g.position;
  g.played = order(std::move(mine), out, was.trace);
}

void caller::go_on(instant now, caller_output& out) {
  if (under_way_) return;
  if (trial_) {
    // It keeps no more than its time even if it hangs.
    if (now >= trial_->next_try)
      start({call::method::ping, {}, {}},
            std::min(now + rules_.call_time,
                     std::max(trial_->until, now + limits::bot_trial_pause_min)),
            out);
  } else if (!work_.empty() && may_call()) {
    auto first = std::move(work_.front());
    work_.pop_front();
    start(std::move(first), now + rules_.call_time, out);
  } else {
    work_.clear();
  }
  go_out_if_done(out);
}

void caller::go_out_if_done(caller_output& out) {
  if (at_ != presence::leaving || !games_.empty() || !withdrawn_ || !work_.empty()) return;
  if (under_way_ && under_way_->of) return;
  at_ = presence::outside;
  out.release = true;
  if (online_) enter(out);
}

void caller::start(work what, instant deadline, caller_output& out) {
  if (!what.trace) what.trace = traces_();
  out.to_call = call{what.what, body_of(what), deadline, what.trace, {traces_().value}};
  called_under_ = registrations_;
  under_way_ = std::move(what);
}

std::string caller::body_of(const work& w) {
  if (w.what == call::method::ping) return ping_call(++calls_);
  if (w.what != call::method::next_move) return w.body;
  const auto& g = games_.at(w.of);
  const std::string_view opponent = who_.knows_opponents ? g.opponent : std::string_view{};
  return next_move_call(g.prefix, {w.of, g.mark, g.cells, opponent}, ++calls_);
}

}  // namespace gamehub::gateways::jsonrpc
