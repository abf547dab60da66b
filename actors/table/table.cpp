#include "actors/table/table.hpp"

#include "actors/table/engine_opponent.hpp"
#include "actors/table/engine_output.hpp"
#include "actors/table/public_projection.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace gamehub::actors::table {

using journal::record;

namespace {

// Returns the viewer whose rendering a seat receives.
int viewer_of(const engines::host::engine& engine, seat_index seat) {
  return engine.perfect_information() ? engines::spectator : seat;
}

bool has_position(const record& r) {
  return r.what != record::kind::joined && r.what != record::kind::said &&
         r.what != record::kind::left;
}

// Throws engine_failure if the reason of this function is a failure of the engine. That ends the
// game, because the player is not at fault.
void check_engine(const engines::host::match& match, const char* function, const char* reason) {
  if (reason != nullptr && std::string_view{reason} == engines::reasons::engine_failure)
    throw match.failure(function);
}

// The function of abi.h that reads a move of this form.
const char* reading_function(move::form as) {
  switch (as) {
    case move::form::cell: return "action_at";
    case move::form::document: return "action_from_json";
    case move::form::word: return "action_from_text";
  }
  return "";
}

bool is_valid_chat(std::string_view text) {
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

table::table(game_id id, const engines::host::engine& engine, engines::host::match match,
             std::vector<table_seat> seats)
    : id_(id), engine_(&engine), match_(std::move(match)), seats_(std::move(seats)) {
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    if (!seats_[i].engine_level) continue;
    const auto at_once = engine_opponent::is_immediate(*engine_, *seats_[i].engine_level);
    (at_once ? immediate_seats_ : search_seats_) |= only(static_cast<seat_index>(i));
  }
}

engines::seats table::status() const {
  if (!status_) status_ = match_.to_move();
  return *status_;
}

seat_set table::to_move() const {
  if (outcome_) return 0;
  const auto moving = status();
  if (moving == engines::only(engines::chance)) return 0;
  if ((moving & ~(only(static_cast<seat_index>(seats_.size())) - 1)) != 0)
    throw engines::host::engine_failure{"the engine asks a seat to move that is not there",
                                        "to_move"};
  return moving;
}

seat_set table::seats_awaiting_search() const { return to_move() & search_seats_; }

record& table::log(record::kind what, transition& d) {
  auto& r = d.records.emplace_back();
  r.number = ++last_record_;
  r.what = what;
  return r;
}

template <class Position>
void table::publish_updates(Position then, transition& d) {
  // A failure of the engine that players do not notice does not end their game.
  try {
    const position_ref latest = then();
    for (auto i = d.updates.size(); i < d.records.size(); ++i)
      d.updates.push_back(
          project(watched_->game, d.records[i], watched_->action.value_or(legal_action{}), latest));
  } catch (...) {
    d.view_failure = engines::host::current_failure();
    watched_.reset();
  }
}

void table::describe(engines::action a, bool hidden, transition& d) {
  // The position before this action, if no player was to see it.
  if (d.updates.size() < d.records.size()) publish_updates([&] { return render_public(); }, d);
  if (!watched_) return;
  // An engine may have no text for an action that it is about to refuse.
  watched_->action.reset();
  try {
    watched_->action = hidden ? legal_action{} : describe_action(match_, a);
  } catch (...) {
    watched_->undescribed = engines::host::current_failure();
  }
}

const char* table::apply(record::kind what, int seat, engines::action a, transition& d) {
  const auto hidden = match_.audience(seat, a) != engines::everyone;
  if (watched_) describe(a, hidden, d);
  status_.reset();
  if (const char* reason = match_.apply(seat, a)) return reason;
  if (watched_ && !watched_->action) {
    d.view_failure = std::move(watched_->undescribed);
    watched_.reset();
  }
  auto& r = log(what, d);
  if (seat != engines::chance) r.seat = static_cast<std::int16_t>(seat);
  r.action = a;
  r.state = match_.hash();
  r.hidden = hidden;
  return nullptr;
}

void table::open(std::span<const join> joins, base::random_source& random, transition& d,
                 bool closed) {
  GAMEHUB_REQUIRE(joins.size() == seats_.size());
  auto& first = log(record::kind::opened, d);
  first.state = match_.hash();
  first.action = closed ? 1 : 0;
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    auto& r = log(record::kind::joined, d);
    r.seat = static_cast<std::int16_t>(i);
    r.action = static_cast<std::int64_t>(seats_[i].player.value);
    r.text = seats_[i].name;
    r.secret = joins[i].secret;
    r.wire = joins[i].wire;
  }
  apply_chance(random, d);
  const auto prompted = start_turns();
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    const auto seat = static_cast<seat_index>(i);
    if (!seats_[i].engine_level) d.outbound.push_back({seat, event{{}, id_, started_event(seat)}});
  }
  publish_position(std::nullopt, {}, prompted, d);
  play_immediate_engine_moves(random, d);
}

void table::restore(std::span<const record> log) {
  last_record_ = log.back().number;
  for (const auto& r : log) {
    if (r.what == record::kind::said) ++chats_;
    if (r.seat >= 0 && r.what != record::kind::ended) set_last_seen(r.seat, r.at);
  }
  start_turns();
}

void table::set_watched(std::shared_ptr<const game_metadata> game) {
  watched_ = game ? std::make_unique<projection>(projection{std::move(game), {}, {}}) : nullptr;
}

void table::play(seat_index seat, const receipt& answers, move what, base::random_source& random,
                 transition& d) {
  if (outcome_) {
    const auto crossed = outcome_->winner == seat && (outcome_->reason == end_reason::left ||
                                                      outcome_->reason == end_reason::clock);
    const auto why = crossed ? refusal::opponent_left : refusal::game_over;
    return refuse(seat, answers, why, {}, std::move(what), d);
  }
  if (!holds(to_move(), seat))
    return refuse(seat, answers, refusal::not_your_turn, {}, std::move(what), d);
  const auto parsed = read(seat, what);
  check_engine(match_, reading_function(what.as), parsed.reason);
  if (parsed.reason != nullptr)
    return refuse(seat, answers, refusal_of(parsed.reason), parsed.reason, std::move(what), d);
  const char* reason = apply(record::kind::moved, seat, parsed.value, d);
  check_engine(match_, "apply", reason);
  if (reason != nullptr)
    return refuse(seat, answers, refusal_of(reason), reason, std::move(what), d);
  after_move(seat, answers, random, d);
  play_immediate_engine_moves(random, d);
}

void table::apply_engine_move(seat_index seat, std::uint64_t turn, engines::action what,
                              base::random_source& random, transition& d) {
  if (turn != turn_ || !holds(seats_awaiting_search(), seat)) return;
  apply_engine_action(seat, what, random, d);
  play_immediate_engine_moves(random, d);
}

void table::play_immediate_engine_moves(base::random_source& random, transition& d) {
  while (const auto moving = to_move() & immediate_seats_) {
    const auto seat = static_cast<seat_index>(std::countr_zero(moving));
    const engines::play_style style{
        *seats_[static_cast<std::size_t>(seat)].engine_level, random.next(), {}};
    apply_engine_action(seat, engine_opponent::choose_action(*engine_, match_, seat, style), random,
                        d);
  }
}

void table::apply_engine_action(seat_index seat, engines::action what, base::random_source& random,
                                transition& d) {
  const char* reason = apply(record::kind::moved, seat, what, d);
  check_engine(match_, "apply", reason);
  if (reason != nullptr)
    throw engines::host::engine_failure{"the engine opponent's choice is no legal action"};
  after_move(seat, {}, random, d);
}

void table::after_move(seat_index seat, const receipt& answers, base::random_source& random,
                       transition& d) {
  prompted_ &= ~only(seat);
  apply_chance(random, d);
  if (status() == 0) finish(outcome_by_rules(match_), d);
  publish_position(seat, answers, start_turns(), d);
}

engines::host::match::parsed table::read(seat_index seat, const move& what) const {
  switch (what.as) {
    case move::form::cell: return match_.at_cell(seat, what.cell);
    case move::form::document: return match_.from_json(seat, what.text);
    case move::form::word: return match_.from_text(seat, what.text);
  }
  return {0, "malformed"};
}

void table::chat(seat_index seat, const receipt& answers, std::string text, transition& d) {
  if (outcome_) return refuse(seat, answers, refusal::game_over, {}, {}, d);
  if (!is_valid_chat(text))
    return refuse(seat, answers, refusal::malformed, "no line of text that can be said", {}, d);
  if (chats_ >= limits::chats_per_game_max)
    return refuse(seat, answers, refusal::rate_limited, {}, {}, d);
  ++chats_;
  auto& r = log(record::kind::said, d);
  r.seat = static_cast<std::int16_t>(seat);
  r.text = std::move(text);
  d.outbound.push_back({seat, event{answers, id_, done{}}});
  if (watched_) publish_updates([] { return position_ref{}; }, d);
}

void table::leave(seat_index seat, const receipt& answers, transition& d) {
  if (answers.ticket != 0) d.outbound.push_back({seat, event{answers, id_, done{}}});
  if (outcome_) return;
  log(record::kind::left, d).seat = static_cast<std::int16_t>(seat);
  forfeit(only(seat), end_reason::left, d);
}

void table::leave_without_result(seat_index seat, const receipt& answers, transition& d) {
  if (answers.ticket != 0) d.outbound.push_back({seat, event{answers, id_, done{}}});
  end(end_reason::interrupted, {}, d);
}

void table::resend_position(seat_index seat, view_form form, transition& d) {
  seats_[static_cast<std::size_t>(seat)].form = form;
  d.outbound.push_back({seat, event{{}, id_, started_event(seat)}});
  d.outbound.push_back(
      {seat, event{{},
                   id_,
                   render(viewer_of(*engine_, seat), form, std::nullopt, to_move() & only(seat))}});
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

void table::abandon(transition& d, bool announce) {
  if (!outcome_)
    finish({end_reason::failed, std::nullopt, std::vector<double>(seats_.size(), 0.0)}, d);
  auto last = std::make_shared<position>();
  last->number = last_record_;
  last->outcome = outcome_;
  for (std::size_t i = 0; i < seats_.size(); ++i)
    if (const auto seat = static_cast<seat_index>(i); !seats_[i].engine_level) {
      if (announce) d.outbound.push_back({seat, event{{}, id_, started_event(seat)}});
      d.outbound.push_back({seat, event{{}, id_, last}});
    }
  if (!watched_) return;
  // The failed engine shows no position for records before the end.
  const auto first = d.records.begin() + static_cast<std::ptrdiff_t>(d.updates.size());
  if (std::any_of(first, d.records.end(),
                  [](const record& r) { return r.what != record::kind::ended && has_position(r); }))
    return watched_.reset();
  publish_updates([&] { return last; }, d);
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

void table::apply_chance(base::random_source& random, transition& d) {
  std::vector<engines::action> actions;
  std::vector<std::uint32_t> weights;
  while (status() == engines::only(engines::chance)) {
    match_.chance_outcomes(actions, weights);
    std::uint64_t total = 0;
    for (const auto w : weights) total += w;
    if (total == 0)
      throw engines::host::engine_failure{"a draw without outcomes", "chance_outcomes"};
    auto ticket = random.below(total);
    std::size_t drawn = 0;
    while (ticket >= weights[drawn]) ticket -= weights[drawn++];
    const char* reason = apply(record::kind::drawn, engines::chance, actions[drawn], d);
    check_engine(match_, "apply", reason);
    if (reason != nullptr)
      throw engines::host::engine_failure{"a drawn outcome was refused", "apply"};
  }
}

seat_set table::start_turns() {
  const auto moving = to_move();
  const auto prompted = moving & ~prompted_;
  prompted_ = moving;
  if (prompted != 0) ++turn_;
  return prompted;
}

void table::refuse(seat_index seat, const receipt& answers, refusal why, std::string_view detail,
                   move what, transition& d) {
  d.outbound.push_back(
      {seat, event{answers, id_, refused{why, std::string{detail}, std::move(what)}}});
}

void table::publish_position(std::optional<seat_index> by, const receipt& answers,
                             seat_set prompted, transition& d) {
  // The positions that are valid for all viewers, by form.
  std::array<position_ref, 2> for_all;
  const auto render_once = [&](int viewer, view_form form) {
    if (viewer != engines::spectator) return render(viewer, form, by, prompted);
    auto& shared = for_all[static_cast<std::size_t>(form)];
    if (!shared) shared = render(viewer, form, by, prompted);
    return shared;
  };
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    const auto seat = static_cast<seat_index>(i);
    if (seats_[i].engine_level) continue;
    d.outbound.push_back({seat, event{by == seat ? answers : receipt{}, id_,
                                      render_once(viewer_of(*engine_, seat), seats_[i].form)}});
  }
  if (!watched_) return;
  publish_updates(
      [&] {
        const auto first = d.records.begin() + static_cast<std::ptrdiff_t>(d.updates.size());
        const auto hidden =
            std::any_of(first, d.records.end(), [](const record& r) { return r.hidden; });
        return hidden ? render_public() : render_once(engines::spectator, public_form(*engine_));
      },
      d);
}

position_ref table::render(int viewer, view_form form, std::optional<seat_index> by,
                           seat_set prompted) const {
  auto p = std::make_shared<position>();
  p->number = last_record_;
  p->by = by;
  p->to_move = to_move();
  p->prompted = prompted;
  render_position(match_, viewer, form, *p);
  p->outcome = outcome_;
  return p;
}

position_ref table::render_public() const {
  return render(engines::spectator, public_form(*engine_), std::nullopt, 0);
}

started table::started_event(seat_index seat) const {
  started s;
  s.engine = engine_->id();
  if (engine_->has_cells())
    for (seat_index i = 0; i < static_cast<seat_index>(seats_.size()); ++i)
      s.marks.push_back(engine_->mark(i));
  for (const auto& other : seats_) {
    s.players.push_back(other.name);
    s.visits.push_back(other.last_seen);
  }
  s.seat = seat;
  return s;
}

}  // namespace gamehub::actors::table
