#include "tests/support/udp_referee.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

namespace gamehub::tests {

udp_referee::udp_referee(const engines::host::engine& engine, const udp_opponent& opponent,
                         std::uint64_t seed)
    : engine_(engine), opponent_(opponent), dice_(seed) {}

void udp_referee::take(const intent& what, ticket t, base::instant now) {
  if (const auto* wish = std::get_if<seek>(&what)) return begin(*wish, now);
  if (const auto* move = std::get_if<gamehub::play>(&what)) return play(*move, t, now);
  if (!std::holds_alternative<leave>(what) || !match_ || outcome_) return;
  tell(done{}, now, t);
  end(end_reason::left, 1 - seat_);
  show(std::nullopt, now);
}

base::instant udp_referee::next() const {
  const auto told = events_.empty() ? base::instant::max() : events_.front().due;
  return outcome_ ? told : std::min({told, opponent_due_, clock_});
}

std::optional<event> udp_referee::give(base::instant now) {
  if (!outcome_ && opponent_due_ <= now) {
    opponent_due_ = base::instant::max();
    answer_with_a_move(now);
  }
  if (!outcome_ && clock_ <= now) {
    end(end_reason::clock, 1 - seat_);
    show(std::nullopt, now);
  }
  if (events_.empty() || events_.front().due > now) return std::nullopt;
  auto out = std::move(events_.front().what);
  events_.pop_front();
  return out;
}

char udp_referee::result() const {
  if (!outcome_->winner) return 'D';
  return *outcome_->winner == seat_ ? 'C' : 'S';
}

std::string udp_referee::board() const {
  std::string out;
  match_->glyphs(engines::spectator, out);
  return out;
}

void udp_referee::begin(const seek& wish, base::instant now) {
  match_ = std::get<engines::host::match>(engine_.create({}));
  seat_ = wish.seat.value_or(0);
  const auto comes = now + opponent_.comes_after;
  placed p;
  p.engine = engine_.id();
  p.marks = "XO";
  p.seat = seat_;
  tell(p, now, 1);
  started s;
  s.engine = engine_.id();
  s.marks = "XO";
  s.players = {"x", "o"};
  s.seat = seat_;
  tell(s, comes);
  show(std::nullopt, comes);
  if (seat_ == 1) opponent_due_ = comes + thinking();
  if (seat_ == 0) set_clock(comes);
}

void udp_referee::play(const gamehub::play& move, ticket t, base::instant now) {
  ++plays_;
  refused no;
  no.why = refusal::game_over;
  if (!outcome_) {
    const auto read = match_->at_cell(seat_, move.move.cell);
    const auto* reason = read.reason != nullptr ? read.reason : match_->apply(seat_, read.value);
    if (reason == nullptr) {
      clock_ = base::instant::max();
      if (match_->over()) end(end_reason::rules, std::nullopt);
      show(seat_, now, t);
      if (!outcome_) opponent_due_ = now + thinking();
      return;
    }
    no.why = refusal::illegal_move;
  }
  ++refusals_;
  tell(no, now, t);
}

void udp_referee::answer_with_a_move(base::instant now) {
  if (opponent_.leaves_at == opponent_moves_) {
    end(end_reason::left, seat_);
    return show(std::nullopt, now);
  }
  ++opponent_moves_;
  std::vector<engines::action> legal;
  match_->legal_actions(1 - seat_, legal);
  match_->apply(1 - seat_, legal[dice_.below(legal.size())]);
  if (match_->over()) end(end_reason::rules, std::nullopt);
  show(1 - seat_, now);
  set_clock(now);
}

// By the rules it is the match that knows the winner.
void udp_referee::end(end_reason why, std::optional<seat_index> winner) {
  if (why == end_reason::rules) {
    double scores[2] = {0, 0};
    match_->scores(scores);
    if (scores[0] != scores[1]) winner = scores[0] > scores[1] ? 0 : 1;
  }
  outcome_ = outcome{why, winner, {}};
}

void udp_referee::tell(decltype(event::what) what, base::instant due, ticket answers) {
  event e;
  e.answers.ticket = answers;
  e.game = game_id{1};
  e.what = std::move(what);
  if (!events_.empty()) due = std::max(due, events_.back().due);
  events_.push_back({due, std::move(e)});
}

void udp_referee::show(std::optional<seat_index> by, base::instant due, ticket answers) {
  position p;
  p.by = by;
  p.to_move = outcome_ ? 0 : match_->to_move();
  p.prompted = p.to_move;
  const auto size = match_->cells();
  p.rows = static_cast<std::uint16_t>(size.rows);
  p.columns = static_cast<std::uint16_t>(size.columns);
  match_->glyphs(engines::spectator, p.cells);
  p.outcome = outcome_;
  tell(std::make_shared<const position>(std::move(p)), due, answers);
}

void udp_referee::set_clock(base::instant now) {
  clock_ = opponent_.turn_max.count() == 0 ? base::instant::max() : now + opponent_.turn_max;
}

base::duration udp_referee::thinking() {
  const auto most = static_cast<std::uint64_t>(opponent_.thinks_max.count());
  return base::duration{static_cast<base::duration::rep>(most == 0 ? 0 : dice_.below(most))};
}

}  // namespace gamehub::tests
