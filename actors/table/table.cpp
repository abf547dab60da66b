#include "actors/table.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "actors/house.hpp"
#include "actors/views.hpp"
#include "hub/core/limits.hpp"

namespace gamehub::actors {

using journal::record;

namespace {

// Mixed forms at one table need one rendering each; seats of the same form share it where
// everyone may see everything.
bool same_view(const engines::engine& engine, const table_seat& a, const table_seat& b) {
  return engine.perfect_information() && a.form == b.form;
}

// An engine that fails at a move ends its game; that is no fault of the player's.
void check_engine(const char* reason) {
  using engines::reasons::engine_failure;
  if (reason != nullptr && std::string_view{reason} == engine_failure)
    throw engines::engine_failure{reason};
}

bool can_be_said(std::string_view text) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  return !text.empty() && text.size() <= limits::chat_bytes_max &&
         std::none_of(text.begin(), text.end(), control);
}

}  // namespace

refusal refusal_of(std::string_view word) {
  if (word == "out-of-bounds") return refusal::out_of_bounds;
  if (word == "space-not-empty") return refusal::space_not_empty;
  if (word == "not-your-turn") return refusal::not_your_turn;
  if (word == "game-over") return refusal::game_over;
  if (word == "malformed") return refusal::malformed;
  return refusal::illegal_move;
}

table::table(game_id id, const engines::engine& engine, engines::match match,
             std::vector<table_seat> seats)
    : id_(id), engine_(&engine), match_(std::move(match)), seats_(std::move(seats)) {
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    if (!seats_[i].house) continue;
    const auto at_once = house::is_immediate(*engine_, *seats_[i].house);
    (at_once ? house_at_once_ : house_thinks_) |= only(static_cast<seat_index>(i));
  }
}

seat_set table::to_move() const {
  if (outcome_) return 0;
  const auto moving = match_.to_move();
  if (moving == engines::only(engines::chance)) return 0;
  if ((moving & ~(only(static_cast<seat_index>(seats_.size())) - 1)) != 0)
    throw engines::engine_failure{"the engine asks a seat to move that is not there"};
  return moving;
}

seat_set table::seats_awaiting_search() const { return to_move() & house_thinks_; }

record& table::log(record::kind what, transition& d) {
  auto& r = d.records.emplace_back();
  r.number = ++last_record_;
  r.what = what;
  return r;
}

void table::open(std::span<const arrival> arrivals, random_source& luck, transition& d, bool closed) {
  auto& first = log(record::kind::opened, d);
  first.state = match_.hash();
  first.action = closed ? 1 : 0;
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    auto& r = log(record::kind::joined, d);
    r.seat = static_cast<std::int16_t>(i);
    r.action = static_cast<std::int64_t>(seats_[i].player.value);
    r.text = seats_[i].name;
    r.secret = arrivals[i].secret;
    r.wire = arrivals[i].wire;
  }
  draw_chances(luck, d);
  const auto prompted = start_turns();
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    const auto seat = static_cast<seat_index>(i);
    if (!seats_[i].house) d.outbound.push_back({seat, event{{}, id_, introduction(seat)}});
  }
  publish_position(std::nullopt, {}, prompted, d);
  play_house_at_once(luck, d);
}

void table::go_on(std::span<const record> log) {
  last_record_ = log.back().number;
  for (const auto& r : log) {
    if (r.what == record::kind::said) ++chats_;
    if (r.seat >= 0 && r.what != record::kind::ended) visited(r.seat, r.at);
  }
  start_turns();
}

void table::play(seat_index seat, const receipt& answers, move what, random_source& luck, transition& d) {
  if (outcome_) {
    const auto crossed = outcome_->winner == seat && (outcome_->reason == end_reason::left ||
                                                      outcome_->reason == end_reason::clock);
    const auto why = crossed ? refusal::opponent_left : refusal::game_over;
    return refuse(seat, answers, why, {}, std::move(what), d);
  }
  if (!holds(to_move(), seat))
    return refuse(seat, answers, refusal::not_your_turn, {}, std::move(what), d);
  const auto read_move = read(seat, what);
  check_engine(read_move.reason);
  if (read_move.reason != nullptr)
    return refuse(seat, answers, refusal_of(read_move.reason), read_move.reason, std::move(what),
                  d);
  const auto hidden = match_.audience(seat, read_move.value) != engines::everyone;
  const char* reason = match_.apply(seat, read_move.value);
  check_engine(reason);
  if (reason != nullptr)
    return refuse(seat, answers, refusal_of(reason), reason, std::move(what), d);
  moved(seat, answers, read_move.value, hidden, luck, d);
  play_house_at_once(luck, d);
}

void table::play_house(seat_index seat, std::uint64_t turn, engines::action what, random_source& luck,
                       transition& d) {
  if (turn != turn_ || !holds(seats_awaiting_search(), seat)) return;
  take_from_house(seat, what, luck, d);
  play_house_at_once(luck, d);
}

void table::play_house_at_once(random_source& luck, transition& d) {
  while (const auto moving = to_move() & house_at_once_) {
    const auto seat = static_cast<seat_index>(std::countr_zero(moving));
    const engines::play_style style{*seats_[static_cast<std::size_t>(seat)].house, luck.next(), {}};
    take_from_house(seat, house::choose(*engine_, match_, seat, style), luck, d);
  }
}

void table::take_from_house(seat_index seat, engines::action what, random_source& luck, transition& d) {
  const auto hidden = match_.audience(seat, what) != engines::everyone;
  if (match_.apply(seat, what) != nullptr)
    throw engines::engine_failure{"the house's choice is no legal action"};
  moved(seat, {}, what, hidden, luck, d);
}

void table::moved(seat_index seat, const receipt& answers, engines::action what, bool hidden,
                  random_source& luck, transition& d) {
  asked_ &= ~only(seat);
  auto& r = log(record::kind::moved, d);
  r.seat = static_cast<std::int16_t>(seat);
  r.action = what;
  r.state = match_.hash();
  r.hidden = hidden;
  draw_chances(luck, d);
  if (match_.over()) finish(outcome_by_rules(match_), d);
  publish_position(seat, answers, start_turns(), d);
}

engines::match::parsed table::read(seat_index seat, const move& what) const {
  switch (what.as) {
    case move::form::cell: return match_.at_cell(seat, what.cell);
    case move::form::document: return match_.from_json(seat, what.text);
    case move::form::word: return match_.from_text(seat, what.text);
  }
  return {0, "malformed"};
}

void table::say(seat_index seat, const receipt& answers, std::string text, transition& d) {
  if (outcome_) return refuse(seat, answers, refusal::game_over, {}, {}, d);
  if (!can_be_said(text))
    return refuse(seat, answers, refusal::malformed, "no line of text that can be said", {}, d);
  if (chats_ >= limits::chats_per_game_max)
    return refuse(seat, answers, refusal::rate_limited, {}, {}, d);
  ++chats_;
  auto& r = log(record::kind::said, d);
  r.seat = static_cast<std::int16_t>(seat);
  r.text = std::move(text);
  d.outbound.push_back({seat, event{answers, id_, done{}}});
}

void table::leave(seat_index seat, const receipt& answers, transition& d) {
  if (answers.ticket != 0) d.outbound.push_back({seat, event{answers, id_, done{}}});
  if (outcome_) return;
  log(record::kind::left, d).seat = static_cast<std::int16_t>(seat);
  forfeit(only(seat), end_reason::left, d);
}

void table::excuse(seat_index seat, const receipt& answers, transition& d) {
  if (answers.ticket != 0) d.outbound.push_back({seat, event{answers, id_, done{}}});
  end(end_reason::interrupted, {}, d);
}

void table::show(seat_index seat, view_form form, transition& d) {
  seats_[static_cast<std::size_t>(seat)].form = form;
  d.outbound.push_back({seat, event{{}, id_, introduction(seat)}});
  d.outbound.push_back({seat, event{{}, id_, render(seat, std::nullopt, to_move() & only(seat))}});
}

void table::on_turn_expired(std::uint64_t turn, transition& d) {
  if (outcome_ || turn != turn_) return;
  const auto late = to_move();
  const auto everyone = only(static_cast<seat_index>(seats_.size())) - 1;
  if (late == everyone) {
    finish({end_reason::clock, std::nullopt, std::vector<double>(seats_.size(), 0.0)}, d);
    publish_position(std::nullopt, {}, 0, d);
  } else {
    forfeit(late, end_reason::clock, d);
  }
}

void table::end(end_reason why, std::string note, transition& d) {
  if (outcome_) return;
  finish({why, std::nullopt, std::vector<double>(seats_.size(), 0.0)}, d);
  d.records.back().text = std::move(note);
  publish_position(std::nullopt, {}, 0, d);
}

void table::abandon(transition& d) {
  if (!outcome_)
    finish({end_reason::failed, std::nullopt, std::vector<double>(seats_.size(), 0.0)}, d);
  auto last = std::make_shared<position>();
  last->number = last_record_;
  last->outcome = outcome_;
  for (std::size_t i = 0; i < seats_.size(); ++i)
    if (!seats_[i].house) d.outbound.push_back({static_cast<seat_index>(i), event{{}, id_, last}});
}

void table::forfeit(seat_set losers, end_reason why, transition& d) {
  gamehub::outcome o{why, std::nullopt, {}};
  int winners = 0;
  for (seat_index s = 0; s < static_cast<seat_index>(seats_.size()); ++s) {
    const auto lost = holds(losers, s);
    o.scores.push_back(lost ? -1.0 : 1.0);
    if (!lost) o.winner = s, ++winners;
  }
  if (winners != 1) o.winner.reset();
  finish(std::move(o), d);
  publish_position(std::nullopt, {}, 0, d);
}

void table::finish(gamehub::outcome o, transition& d) {
  auto& r = log(record::kind::ended, d);
  r.why = o.reason;
  r.seat = static_cast<std::int16_t>(o.winner.value_or(-1));
  outcome_ = std::move(o);
}

void table::draw_chances(random_source& luck, transition& d) {
  std::vector<engines::action> actions;
  std::vector<std::uint32_t> weights;
  while (match_.at_chance()) {
    match_.chance_outcomes(actions, weights);
    std::uint64_t total = 0;
    for (const auto w : weights) total += w;
    if (total == 0) throw engines::engine_failure{"a draw without outcomes"};
    auto ticket = luck.below(total);
    std::size_t drawn = 0;
    while (ticket >= weights[drawn]) ticket -= weights[drawn++];
    const auto hidden = match_.audience(engines::chance, actions[drawn]) != engines::everyone;
    if (match_.apply(engines::chance, actions[drawn]) != nullptr)
      throw engines::engine_failure{"a drawn outcome was refused"};
    auto& r = log(record::kind::drawn, d);
    r.action = actions[drawn];
    r.state = match_.hash();
    r.hidden = hidden;
  }
}

seat_set table::start_turns() {
  const auto moving = to_move();
  const auto prompted = moving & ~asked_;
  asked_ = moving;
  if (prompted != 0) ++turn_;
  return prompted;
}

void table::refuse(seat_index seat, const receipt& answers, refusal why, std::string_view detail,
                   move what, transition& d) {
  d.outbound.push_back(
      {seat, event{answers, id_, refused{why, std::string{detail}, std::move(what)}}});
}

void table::publish_position(std::optional<seat_index> by, const receipt& answers, seat_set prompted,
                          transition& d) {
  position_ref latest;
  const table_seat* of = nullptr;
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    const auto seat = static_cast<seat_index>(i);
    if (seats_[i].house) continue;
    if (of == nullptr || !same_view(*engine_, *of, seats_[i])) latest = render(seat, by, prompted);
    of = &seats_[i];
    d.outbound.push_back({seat, event{by == seat ? answers : receipt{}, id_, latest}});
  }
}

position_ref table::render(seat_index seat, std::optional<seat_index> by, seat_set prompted) const {
  auto p = std::make_shared<position>();
  p->number = last_record_;
  p->by = by;
  p->to_move = to_move();
  p->prompted = prompted;
  const auto viewer = engine_->perfect_information() ? engines::spectator : seat;
  if (seats_[static_cast<std::size_t>(seat)].form == view_form::cells)
    draw_board(match_, viewer, p->rows, p->columns, p->cells);
  else
    write_view(match_, viewer, p->document);
  p->outcome = outcome_;
  return p;
}

started table::introduction(seat_index seat) const {
  started s;
  s.engine = engine_->id();
  if (engine_->has_cells())
    for (seat_index i = 0; i < static_cast<seat_index>(seats_.size()); ++i)
      s.marks.push_back(engine_->mark(i));
  for (const auto& other : seats_) {
    s.players.push_back(other.name);
    s.visits.push_back(other.visited);
  }
  s.seat = seat;
  return s;
}

}  // namespace gamehub::actors
