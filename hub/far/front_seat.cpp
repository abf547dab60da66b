#include "hub/far/front_seat.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::far {

namespace {

// Where intents of this kind are counted; null: they may be said twice without an effect.
std::uint32_t* count_of(const game_intent& what, tally& in) {
  if (std::holds_alternative<play>(what)) return &in.plays;
  if (std::holds_alternative<chat>(what)) return &in.chats;
  if (std::holds_alternative<offer>(what)) return &in.offers;
  return nullptr;
}

move move_of(game_intent& what) {
  auto* p = std::get_if<play>(&what);
  return p == nullptr ? move{} : std::move(p->move);
}

}  // namespace

void front_seat::on_request(const receipt& answers, game_intent what, output& out) {
  if (queue_.size() == intents_max) {
    out.deliver.push_back({answers, at_.game, refused{refusal::rate_limited, {}, move_of(what)}});
    return;
  }
  queue_.push_back({answers, std::move(what)});
  send_next(out);
}

void front_seat::send_next(output& out) {
  if (state_ != state::playing || under_way_ || queue_.empty()) return;
  const auto& [answers, what] = queue_.front();
  out.send.push_back(request{at_, {answers.from, answers.ticket, answers.trace}, what});
  under_way_ = true;
}

void front_seat::on_resend(view_form form, client_features features, attachment_id client,
                           output& out) {
  form_ = form;
  features_ = features;
  unseen_by_ = client;
  if (is_connected()) out.send.push_back(resend{at_, form, features, client});
}

void front_seat::on_presence(std::optional<base::instant> kept_until, output& out) {
  away_until_ = kept_until;
  if (is_connected()) out.send.push_back(presence{at_, kept_until});
}

void front_seat::on_rename(std::string name, output& out) {
  name_ = std::move(name);
  if (is_connected()) out.send.push_back(rename{at_, name_});
}

void front_seat::on_leave(leave_cause why, output& out) {
  leaves_ = why;
  end_if_left(out);
}

// What the player did before it left is carried out, and answered.
void front_seat::end_if_left(output& out) {
  const bool may_end = state_ == state::playing ? queue_.empty() : state_ == state::opening;
  if (!leaves_ || !may_end) return;
  out.send.push_back(give_up{at_, *leaves_});
  out.ended = true;
}

void front_seat::on_told(event e, output& out) {
  if (!is_connected()) return;
  const bool is_answer = under_way_ && !carried_out_ && e.answers.ticket != 0 &&
                         e.answers.ticket == queue_.front().answers.ticket &&
                         e.answers.from == queue_.front().answers.from;
  if (std::holds_alternative<position_ref>(e.what)) {
    if (!is_answer && e.answers.ticket != 0) e.answers = {};
    return on_position(std::move(e), out);
  }
  if (is_answer) return answer(std::move(e), out);
  // It answers an intent of no one here.
  if (e.answers.ticket != 0) return;
  if (std::holds_alternative<started>(e.what)) {
    if (unseen_by_ && e.answers.from == unseen_by_) unseen_by_ = {};
    if (shown_ == shown::before_start) {
      shown_ = shown::before_position;
      if (!shows_client_) return;
    }
  }
  out.deliver.push_back(std::move(e));
}

void front_seat::on_position(event e, output& out) {
  const auto number = std::get<position_ref>(e.what)->number;
  const bool requested = shown_ == shown::before_position && e.answers.ticket == 0;
  if (requested) shown_ = shown::all;
  if (state_ == state::opening) {
    state_ = state::playing;
    after_ = number;
  }
  const bool is_new = number > position_ || !requested || shows_client_;
  position_ = std::max(position_, number);
  if (requested && std::exchange(carried_out_, false)) {
    e.answers = queue_.front().answers;
    queue_.pop_front();
    under_way_ = false;
    out.deliver.push_back(std::move(e));
  } else if (e.answers.ticket != 0) {
    return answer(std::move(e), out);
  } else if (is_new) {
    out.deliver.push_back(std::move(e));
  }
  send_next(out);
  end_if_left(out);
}

// Requires: `e` answers the intent that is under way.
void front_seat::answer(event e, output& out) {
  auto& [answers, what] = queue_.front();
  const auto stages = e.answers.stages;
  e.answers = answers;
  e.answers.stages = stages;
  auto* const count = count_of(what, answered_);
  if (count != nullptr && !std::holds_alternative<refused>(e.what)) ++*count;
  queue_.pop_front();
  under_way_ = false;
  out.deliver.push_back(std::move(e));
  send_next(out);
  end_if_left(out);
}

// The host sends `started` and a position after this, as for a client that has come back.
void front_seat::on_gap(output& out) {
  if (!is_connected()) return;
  shown_ = shown::before_start;
  shows_client_ = false;
  // What it waits for may be lost, too.
  if (unseen_by_) out.send.push_back(resend{at_, form_, features_, unseen_by_});
}

void front_seat::on_host_lost() { state_ = state::without_host; }

void front_seat::take_at(member_id host, output& out) {
  host_ = host;
  state_ = state::taking;
  out.send.push_back(take{at_, player_, ++attempt_, after_, name_});
}

bool front_seat::was_carried_out(const tally& since) const {
  auto logged = since, answered = answered_;
  const auto& what = queue_.front().what;
  const auto* const in_log = count_of(what, logged);
  return in_log != nullptr && *in_log > *count_of(what, answered);
}

bool front_seat::on_taken(const taken& t, output& out) {
  if (state_ != state::taking || t.attempt != attempt_) return true;
  if (!t.here) {
    state_ = state::without_host;
    return false;
  }
  state_ = state::playing;
  if (under_way_ && !carried_out_) {
    carried_out_ = was_carried_out(t.since);
    under_way_ = carried_out_;
  }
  after_ = t.last;
  answered_ = {};
  if (carried_out_ && !std::holds_alternative<play>(queue_.front().what)) {
    carried_out_ = under_way_ = false;
    out.deliver.push_back({queue_.front().answers, at_.game, done{}});
    queue_.pop_front();
  }
  if (away_until_) out.send.push_back(presence{at_, away_until_});
  shown_ = shown::before_start;
  shows_client_ = static_cast<bool>(unseen_by_);
  out.send.push_back(resend{at_, form_, features_, unseen_by_});
  send_next(out);
  end_if_left(out);
  return true;
}

void front_seat::abandon(refusal why, output& out) {
  for (auto& [answers, what] : queue_)
    out.deliver.push_back({answers, at_.game, refused{why, {}, move_of(what)}});
  queue_.clear();
  out.ended = out.lost = true;
}

}  // namespace gamehub::far
