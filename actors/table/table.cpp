#include "actors/table/table.hpp"

#include "actors/table/engine_opponent.hpp"
#include "actors/table/engine_output.hpp"
#include "actors/table/public_projection.hpp"
#include "actors/table/replay.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace gamehub::actors::table {

using journal::record;

namespace {

// Refusals between two moves of a game that repeat the list of legal actions, which the client has
// with its turn already. A list may have 24 KiB; a client that sends wrong moves gets no more.
constexpr std::uint8_t lists_refused_max = 4;

// Returns the viewer whose rendering a seat receives.
int viewer_of(const engines::host::engine& engine, seat_index seat) {
  return engine.perfect_information() ? engines::spectator : seat;
}

bool has_position(const record& r) {
  return r.what != record::kind::joined && r.what != record::kind::said &&
         r.what != record::kind::left && r.what != record::kind::substituted &&
         r.what != record::kind::returned && !offer_of(r);
}

// The level at which an engine plays for a player who left.
engines::level substitute_level(const engines::host::engine& rules) {
  return engine_opponent::level_or_strongest(rules, engines::level::medium);
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

table::table(game_id id, const engines::host::engine& engine, engines::host::match match,
             std::vector<table_seat> seats)
    : id_(id), engine_(&engine), match_(std::move(match)), seats_(std::move(seats)) {
  seat_set engines = 0;
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    const auto seat = static_cast<seat_index>(i);
    if (seats_[i].features.wants_actions) wants_actions_ |= only(seat);
    if (!seats_[i].engine_level) continue;
    engines |= only(seat);
    set_engine_plays(seat, true);
  }
  substitutes_ = {seats_.size(), engines};
}

engines::level table::level_at(seat_index seat) const {
  const auto& opponent = seats_[static_cast<std::size_t>(seat)].engine_level;
  return opponent ? *opponent : substitute_level(*engine_);
}

void table::keep_actions(const std::string& options) {
  // An engine can take the place of a player at a table of three or more.
  const auto may_search = engine_seats() != 0 || seats_.size() > 2;
  if (may_search && engines::host::needs_played_game(*engine_))
    played_ =
        std::make_unique<engines::host::played_game>(engines::host::played_game{options, 0, {}});
}

void table::set_engine_plays(seat_index seat, bool plays) {
  immediate_seats_ &= ~only(seat);
  search_seats_ &= ~only(seat);
  if (!plays) return;
  const auto at_once = engine_opponent::is_immediate(*engine_, level_at(seat));
  (at_once ? immediate_seats_ : search_seats_) |= only(seat);
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
void table::publish_updates(Position then, bool has_views, transition& d) {
  // A failure of the engine that players do not notice does not end their game.
  try {
    const position_ref latest = then();
    const auto first = d.updates.size();
    for (auto i = first; i < d.records.size(); ++i) {
      d.updates.push_back(
          project(watched_->game, d.records[i], watched_->action.value_or(legal_action{}), latest));
      watched_->game = d.updates.back()->game;
    }
    if (watched_->own != 0) publish_own_updates(first, latest, has_views, d);
  } catch (...) {
    d.view_failure = engines::host::current_failure();
    watched_.reset();
  }
}

void table::publish_own_updates(std::size_t first, const position_ref& shown, bool has_views,
                                transition& d) {
  position_ref for_all;
  for (seat_index seat = 0; seat < static_cast<seat_index>(seats_.size()); ++seat) {
    if (!holds(watched_->own, seat)) continue;
    position_ref own = shown;
    if (has_views && engine_->perfect_information())
      own = for_all ? for_all : for_all = render_own(seat, shown);
    else if (has_views)
      own = render_own(seat, shown);
    for (auto i = first; i < d.updates.size(); ++i) {
      auto& u = d.own_updates.emplace_back(std::make_shared<game_update>(*d.updates[i]));
      u->as = seat;
      if (u->then) u->then = own;
    }
  }
}

void table::describe(engines::action a, bool hidden, transition& d) {
  // The position before this action, if no player was to see it.
  if (d.updates.size() < d.records.size())
    publish_updates([&] { return render_public(d); }, true, d);
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
  d.attempted = transition::attempt{seat, a};
  const auto hidden = match_.audience(seat, a) != engines::everyone;
  if (watched_) describe(a, hidden, d);
  status_.reset();
  if (const char* reason = match_.apply(seat, a)) return reason;
  if (watched_ && !watched_->action) {
    d.view_failure = std::move(watched_->undescribed);
    watched_.reset();
  }
  if (offers_ && what == record::kind::moved)
    for (const auto& each : offers_->on_move(seat)) log_offer(each, d);
  if (played_) played_->plies.push_back({seat, a});
  auto& r = log(what, d);
  if (seat != engines::chance) r.seat = static_cast<std::int16_t>(seat);
  r.action = a;
  r.state = match_.hash();
  r.hidden = hidden;
  return nullptr;
}

void table::open(std::span<const join> joins, base::random_source& random, transition& d,
                 bool closed, std::string clock_text) {
  GAMEHUB_REQUIRE(joins.size() == seats_.size());
  auto& first = log(record::kind::opened, d);
  first.state = match_.hash();
  first.action = closed ? 1 : 0;
  first.text = std::move(clock_text);
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    auto& r = log(record::kind::joined, d);
    r.seat = static_cast<std::int16_t>(i);
    r.action = static_cast<std::int64_t>(seats_[i].player.value);
    r.text = seats_[i].name;
    r.secret = joins[i].secret;
    r.wire = joins[i].wire;
  }
  apply_chance(random, d);
  const auto prompted = start_turns(d.clock.at);
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    const auto seat = static_cast<seat_index>(i);
    if (has_player(seat)) add_started(seat, d);
  }
  publish_position(std::nullopt, {}, prompted, d);
  play_immediate_engine_moves(random, d);
}

void table::restore(std::span<const record> log) {
  last_record_ = log.back().number;
  if (played_)
    for (const auto* r : actions_of(log))
      played_->plies.push_back(
          {r->what == record::kind::drawn ? engines::chance : r->seat, r->action});
  if (clocks_) clocks_->pause();
  for (const auto& r : log) {
    if (r.what == record::kind::said) ++chats_;
    // Another version may have written another text: the clock stays as it was.
    if (clocks_ && r.what == record::kind::moved) clocks_->restore(r.seat, r.text);
    if (shows_player(r)) set_last_seen(r.seat, r.at);
    GAMEHUB_REQUIRE(substitutes_.follow(r));
    if (r.what == record::kind::substituted || r.what == record::kind::returned)
      set_engine_plays(static_cast<seat_index>(r.seat), r.what == record::kind::substituted);
    const auto change = offer_of(r);
    if (!change) continue;
    if (!offers_) offers_ = std::make_unique<game_offers>();
    offers_->restore({change->step, change->what, change->seat, change->cause}, player_seats());
  }
  start_turns({});
}

void table::set_watched(std::shared_ptr<const game_metadata> game) {
  watched_ = game ? std::make_unique<projection>(projection{std::move(game), {}, {}, 0}) : nullptr;
}

void table::set_own_views(seat_set seats) {
  GAMEHUB_REQUIRE(watched_ != nullptr);
  watched_->own = seats;
}

void table::play(seat_index seat, const receipt& answers, move what, base::random_source& random,
                 transition& d) {
  if (outcome_) {
    const auto crossed = outcome_->winner == seat && (outcome_->reason == end_reason::left ||
                                                      outcome_->reason == end_reason::clock);
    const auto why = crossed ? refusal::opponent_left : refusal::game_over;
    return refuse(seat, answers, why, {}, std::move(what), d);
  }
  // The game has ended for this player.
  if (!has_player(seat)) return refuse(seat, answers, refusal::game_over, {}, std::move(what), d);
  come_back(seat, d);
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
  if (clocks_) charge(seat, answers, d);
  after_move(seat, answers, random, d);
  play_immediate_engine_moves(random, d);
}

void table::charge(seat_index seat, const receipt& answers, transition& d) {
  d.credited += clocks_->stop(seat, answers.received, d.clock.late);
  d.records.back().text = clocks_->stored(seat);
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
    const engines::play_style style{level_at(seat), random.next(), {}};
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
  lists_refused_ = 0;
  apply_chance(random, d);
  if (status() == 0) {
    auto how = outcome_by_rules(match_);
    substitutes_.settle(how);
    finish(std::move(how), d);
  }
  publish_position(seat, answers, start_turns(d.clock.at), d);
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
  if (outcome_ || !has_player(seat)) return refuse(seat, answers, refusal::game_over, {}, {}, d);
  if (!is_valid_chat(text))
    return refuse(seat, answers, refusal::malformed, "no line of text that can be said", {}, d);
  if (chats_ >= limits::chats_per_game_max)
    return refuse(seat, answers, refusal::rate_limited, {}, {}, d);
  ++chats_;
  come_back(seat, d);
  auto& r = log(record::kind::said, d);
  r.seat = static_cast<std::int16_t>(seat);
  r.text = std::move(text);
  d.outbound.push_back({seat, event{answers, id_, done{}}});
  if (watched_) publish_updates([] { return position_ref{}; }, false, d);
}

std::string_view table::why_no_offer(seat_index seat, offer_kind what) const {
  if (what == offer_kind::rematch) return "a rematch can be offered once the game has ended";
  if (what == offer_kind::draw && substitutes_.now() != 0)
    return "an engine plays on for a player who left or ran out of time, and agrees to no draw";
  if (what == offer_kind::draw && engine_seats() != 0)
    return "an engine opponent agrees to no draw";
  if (what == offer_kind::takeback && !engine_->allows_takeback())
    return "no move can be taken back in this game";
  for (seat_index other = 0; other < static_cast<seat_index>(seats_.size()); ++other)
    if (other != seat && holds(player_seats(), other) &&
        !seats_[static_cast<std::size_t>(other)].features.answers_offers)
      return seats_.size() == 2 ? "the client of the other player can't answer offers"
                                : "the client of another player can't answer offers";
  return {};
}

void table::offer(seat_index seat, const receipt& answers, const gamehub::offer& what,
                  base::instant now, const log_reader& read, base::random_source& random,
                  transition& d) {
  if (outcome_) return refuse(seat, answers, refusal::game_over, {}, {}, d);
  if (!offers_) offers_ = std::make_unique<game_offers>();
  // Before the log is read, which costs more.
  if (const auto no = offers_->check(what.what, seat, what.step, now); no.why)
    return refuse(seat, answers, *no.why, no.detail, {}, d);
  const bool offers = what.step == offer_step::offered;
  if (offers)
    if (const auto why = why_no_offer(seat, what.what); !why.empty())
      return refuse(seat, answers, refusal::no_offer, why, {}, d);
  const bool may_take_back =
      what.what == offer_kind::takeback && (offers || what.step == offer_step::accepted);
  const auto logged = may_take_back ? read() : std::nullopt;
  if (may_take_back && !logged)
    return refuse(seat, answers, refusal::no_offer, "the log can't be read now", {}, d);
  if (offers && logged && latest_move_of(logged->records, seat) == 0)
    return refuse(seat, answers, refusal::no_offer, "you have no move to take back", {}, d);
  const auto found = offers ? offers_->offer(what.what, seat, player_seats(), now)
                            : offers_->answer(what.what, seat, what.step);
  GAMEHUB_REQUIRE(!found.why);
  d.outbound.push_back({seat, event{answers, id_, done{}}});
  log_offer(*found.changed, d);
  if (found.granted) return carry_out(*found.granted, logged ? &*logged : nullptr, random, d);
  if (watched_) publish_updates([] { return position_ref{}; }, false, d);
}

void table::claim(seat_index seat, const receipt& answers, seat_set absent,
                  base::random_source& random, transition& d) {
  if (outcome_) return refuse(seat, answers, refusal::game_over, {}, {}, d);
  absent &= player_seats() & ~only(seat);
  if (absent == 0)
    return refuse(seat, answers, refusal::no_offer, "no player has been away for long enough", {},
                  d);
  d.outbound.push_back({seat, event{answers, id_, done{}}});
  for (seat_index each = 0; each < static_cast<seat_index>(seats_.size()); ++each)
    if (holds(absent, each)) leave(each, {}, random, d, leave_cause::disconnected);
}

void table::carry_out(const game_offers::standing& agreed, const journal::game_log* logged,
                      base::random_source& random, transition& d) {
  if (agreed.what == offer_kind::draw) {
    finish({end_reason::agreed, std::nullopt, std::vector<double>(seats_.size(), 0.0)}, d);
    return publish_position(std::nullopt, {}, 0, d);
  }
  GAMEHUB_REQUIRE(logged != nullptr);
  const auto from = latest_move_of(logged->records, agreed.by);
  // In the process of this game.
  match_ = match_before(match_.rules(), logged->header.options, logged->records, from);
  status_.reset();
  auto& r = log(record::kind::taken_back, d);
  r.seat = static_cast<std::int16_t>(agreed.by);
  r.action = static_cast<std::int64_t>(from);
  r.state = match_.hash();
  prompted_ = 0;
  // The turns that it ends cost nothing, so that the log has what is left.
  if (clocks_) clocks_->drop_all_but(0);
  publish_position(std::nullopt, {}, start_turns(d.clock.at), d);
  play_immediate_engine_moves(random, d);
}

void table::log_offer(const game_offers::change& what, transition& d) {
  auto& r = log(kind_of(what.step), d);
  r.seat = static_cast<std::int16_t>(what.seat);
  r.action = static_cast<std::int64_t>(what.what);
  if (what.cause != offer_cause::request) r.text = to_string(what.cause);
  const offer_update update{what.step,  what.seat, seats_[static_cast<std::size_t>(what.seat)].name,
                            what.cause, {},        what.what};
  for (seat_index to = 0; to < static_cast<seat_index>(seats_.size()); ++to)
    if (holds(player_seats(), to)) d.outbound.push_back({to, event{{}, id_, update}});
}

std::vector<offer_update> table::open_offers() const {
  std::vector<offer_update> out;
  if (!offers_ || outcome_) return out;
  const auto add = [&](offer_step step, seat_index seat, offer_kind what) {
    const auto& name = seats_[static_cast<std::size_t>(seat)].name;
    out.push_back({step, seat, name, offer_cause::request, {}, what});
  };
  for (const auto& each : offers_->open()) {
    add(offer_step::offered, each.by, each.what);
    for (seat_index seat = 0; seat < static_cast<seat_index>(seats_.size()); ++seat)
      if (holds(each.accepted, seat)) add(offer_step::accepted, seat, each.what);
  }
  return out;
}

void table::rename(seat_index seat, std::string name, transition& d) {
  auto& mine = seats_[static_cast<std::size_t>(seat)];
  if (mine.name == name) return;
  const auto old = std::exchange(mine.name, std::move(name));
  if (outcome_) return;
  auto& r = log(record::kind::joined, d);
  r.seat = static_cast<std::int16_t>(seat);
  r.action = static_cast<std::int64_t>(mine.player.value);
  r.text = mine.name;
  for (std::size_t i = 0; i < seats_.size(); ++i)
    if (const auto to = static_cast<seat_index>(i); has_player(to))
      d.outbound.push_back({to, event{{}, id_, renamed{seat, mine.name, old}}});
  repeat_position(d);
  if (watched_) publish_updates([] { return position_ref{}; }, false, d);
}

void table::set_digest(seat_index seat, std::string digest, transition& d) {
  if (outcome_) return;
  auto& mine = seats_[static_cast<std::size_t>(seat)];
  mine.can_return = true;
  auto& r = log(record::kind::joined, d);
  r.seat = static_cast<std::int16_t>(seat);
  r.action = static_cast<std::int64_t>(mine.player.value);
  r.text = mine.name;
  r.secret = std::move(digest);
  if (watched_) publish_updates([] { return position_ref{}; }, false, d);
}

void table::leave(seat_index seat, const receipt& answers, base::random_source& random,
                  transition& d, leave_cause why) {
  if (answers.ticket != 0) d.outbound.push_back({seat, event{answers, id_, done{}}});
  if (outcome_ || !has_player(seat)) return;
  if (substitutes_.can_replace(only(seat))) return substitute(only(seat), why, random, d);
  withdraw_offers(seat, d);
  log(record::kind::left, d).seat = static_cast<std::int16_t>(seat);
  forfeit(only(seat), end_reason::left, d, to_string(why));
}

// The turn of a replaced seat is over, so that neither its clock nor its search counts.
void table::substitute(seat_set leaving, leave_cause why, base::random_source& random,
                       transition& d) {
  const auto turn_ends = (to_move() & leaving) != 0;
  for (auto left = leaving; left != 0; left &= left - 1) {
    const auto seat = static_cast<seat_index>(std::countr_zero(left));
    withdraw_offers(seat, d);
    const bool may_return =
        why == leave_cause::clock && !substitutes_.has_returned(seat) && !clocks_;
    auto& r = log(record::kind::substituted, d);
    r.seat = static_cast<std::int16_t>(seat);
    r.text = to_string(why);
    r.wire = engine_opponent::log_wire_name(substitute_level(*engine_));
    r.action = may_return ? 1 : 0;
    substitutes_.replace(seat, !may_return);
    set_engine_plays(seat, true);
  }
  if (turn_ends) ++turn_;
  if (clocks_) clocks_->drop_all_but(player_seats());
  // The game has ended for those who do not come back.
  for (auto left = leaving & substitutes_.gone(); left != 0; left &= left - 1) {
    const auto seat = static_cast<seat_index>(std::countr_zero(left));
    auto last = std::make_shared<position>(*render(viewer_of(*engine_, seat),
                                                   seats_[static_cast<std::size_t>(seat)].form,
                                                   std::nullopt, 0, d));
    last->to_move = 0;
    last->outcome.emplace();
    last->outcome->reason = why == leave_cause::clock ? end_reason::clock : end_reason::left;
    last->outcome->forfeits = only(seat);
    d.outbound.push_back({seat, event{{}, id_, std::move(last)}});
  }
  publish_position(std::nullopt, {}, 0, d);
  play_immediate_engine_moves(random, d);
}

void table::come_back(seat_index seat, transition& d) {
  if (outcome_ || !substitutes_.may_return(seat)) return;
  log(record::kind::returned, d).seat = static_cast<std::int16_t>(seat);
  substitutes_.bring_back(seat);
  set_engine_plays(seat, false);
  const auto prompted = to_move() & only(seat);
  if (prompted != 0) ++turn_;
  publish_position(std::nullopt, {}, prompted, d);
}

bool table::withdraw_offers(seat_index seat, transition& d) {
  if (!offers_) return false;
  const auto changes = offers_->on_left(seat);
  for (const auto& each : changes) log_offer(each, d);
  return !changes.empty();
}

void table::leave_without_result(seat_index seat, const receipt& answers, transition& d) {
  if (answers.ticket != 0) d.outbound.push_back({seat, event{answers, id_, done{}}});
  end(end_reason::interrupted, {}, d);
}

void table::resend_position(seat_index seat, view_form form, transition& d,
                            client_features features) {
  auto& s = seats_[static_cast<std::size_t>(seat)];
  s.form = form;
  s.features = features;
  wants_actions_ =
      features.wants_actions ? wants_actions_ | only(seat) : wants_actions_ & ~only(seat);
  if (!has_player(seat)) return;
  add_started(seat, d);
  // The player that gets it is back.
  const auto away = std::exchange(away_, away_ & ~only(seat));
  if (!outcome_ && substitutes_.may_return(seat))
    come_back(seat, d);
  else
    d.outbound.push_back({seat, event{{},
                                      id_,
                                      render(viewer_of(*engine_, seat), form, std::nullopt,
                                             to_move() & only(seat), d)}});
  away_ = away;
  if (!offers_ || outcome_) return;
  // Another client may have no words for offers.
  if (!features.answers_offers && withdraw_offers(seat, d) && watched_)
    publish_updates([] { return position_ref{}; }, false, d);
  for (auto& each : open_offers()) d.outbound.push_back({seat, event{{}, id_, std::move(each)}});
}

void table::answer_again(seat_index seat, const receipt& answers, transition& d) {
  d.outbound.push_back(
      {seat, event{answers, id_,
                   render(viewer_of(*engine_, seat), seats_[static_cast<std::size_t>(seat)].form,
                          seat, outcome_ ? 0 : to_move() & only(seat), d)}});
}

void table::set_away(seat_set away, transition& d, bool repeat) {
  if (std::exchange(away_, away) != away || repeat) repeat_position(d);
}

// To the clients that want to know of changes in presence and names.
void table::repeat_position(transition& d) {
  if (outcome_) return;
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    const auto seat = static_cast<seat_index>(i);
    if (!seats_[i].features.wants_presence || holds(away_, seat) || !has_player(seat)) continue;
    d.outbound.push_back(
        {seat,
         event{{}, id_, render(viewer_of(*engine_, seat), seats_[i].form, std::nullopt, 0, d)}});
  }
}

void table::on_turn_expired(std::uint64_t turn, base::random_source& random, transition& d) {
  if (outcome_ || turn != turn_) return;
  const auto late = clocks_ ? clocks_->fallen(d.clock.at, d.clock.late) : to_move();
  if (late == 0) return;
  if (const auto players = late & ~engine_seats();
      players != 0 && substitutes_.can_replace(players))
    return substitute(players, leave_cause::clock, random, d);
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

void table::abandon(transition& d, seat_set announced) {
  if (!outcome_)
    finish({end_reason::failed, std::nullopt, std::vector<double>(seats_.size(), 0.0)}, d);
  auto last = std::make_shared<position>();
  last->number = last_record_;
  last->outcome = outcome();
  for (std::size_t i = 0; i < seats_.size(); ++i)
    if (const auto seat = static_cast<seat_index>(i); has_player(seat)) {
      if (holds(announced, seat)) add_started(seat, d);
      d.outbound.push_back({seat, event{{}, id_, last}});
    }
  if (!watched_) return;
  // The failed engine shows no position for records before the end.
  const auto first = d.records.begin() + static_cast<std::ptrdiff_t>(d.updates.size());
  if (std::any_of(first, d.records.end(),
                  [](const record& r) { return r.what != record::kind::ended && has_position(r); }))
    return watched_.reset();
  publish_updates([&] { return last; }, false, d);
}

void table::forfeit(seat_set losers, end_reason why, transition& d, std::string_view note) {
  gamehub::outcome o{why, std::nullopt, {}};
  losers |= substitutes_.now();
  if (seats_.size() > 2) o.forfeits = losers;
  int winners = 0;
  for (seat_index s = 0; s < static_cast<seat_index>(seats_.size()); ++s) {
    const auto lost = holds(losers, s);
    o.scores.push_back(lost ? -1.0 : 1.0);
    if (!lost) o.winner = s, ++winners;
  }
  if (winners != 1) o.winner.reset();
  finish(std::move(o), d);
  d.records.back().text = note;
  publish_position(std::nullopt, {}, 0, d);
}

void table::finish(gamehub::outcome o, transition& d) {
  auto& r = log(record::kind::ended, d);
  r.why = o.reason;
  r.seat = static_cast<std::int16_t>(o.winner.value_or(-1));
  outcome_ = std::make_unique<const gamehub::outcome>(std::move(o));
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

seat_set table::start_turns(base::instant now) {
  const auto moving = to_move();
  const auto prompted = moving & ~prompted_;
  prompted_ = moving;
  if (prompted != 0) ++turn_;
  if (clocks_) {
    clocks_->drop_all_but(moving);
    if (const auto players = prompted & player_seats(); players != 0) clocks_->start(players, now);
  }
  return prompted;
}

void table::refuse(seat_index seat, const receipt& answers, refusal why, std::string_view detail,
                   move what, transition& d) {
  refused no{why, std::string{detail}, std::move(what)};
  if (holds(wants_actions_, seat) && holds(to_move(), seat) && lists_refused_ < lists_refused_max) {
    ++lists_refused_;
    no.actions = std::make_shared<const seat_actions>(list_actions(match_, seat));
  }
  d.outbound.push_back({seat, event{answers, id_, std::move(no)}});
}

void table::publish_position(std::optional<seat_index> by, const receipt& answers,
                             seat_set prompted, transition& d) {
  // The positions that are valid for all viewers, by form.
  std::array<position_ref, 2> for_all;
  const auto render_once = [&](int viewer, view_form form) {
    if (viewer != engines::spectator) return render(viewer, form, by, prompted, d);
    auto& shared = for_all[static_cast<std::size_t>(form)];
    if (!shared) shared = render(viewer, form, by, prompted, d);
    return shared;
  };
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    const auto seat = static_cast<seat_index>(i);
    if (!has_player(seat)) continue;
    d.outbound.push_back({seat, event{by == seat ? answers : receipt{}, id_,
                                      render_once(viewer_of(*engine_, seat), seats_[i].form)}});
  }
  if (!watched_) return;
  publish_updates(
      [&] {
        const auto first = d.records.begin() + static_cast<std::ptrdiff_t>(d.updates.size());
        const auto hidden =
            std::any_of(first, d.records.end(), [](const record& r) { return r.hidden; });
        return hidden ? render_public(d)
                      : with_score(render_once(engines::spectator, public_form(*engine_)));
      },
      true, d);
}

position_ref table::render(int viewer, view_form form, std::optional<seat_index> by,
                           seat_set prompted, transition& d) const {
  auto p = d.positions.take();
  p->number = last_record_;
  p->by = by;
  p->to_move = to_move();
  p->prompted = prompted;
  p->away = away_;
  p->substituted = substitutes_.now();
  read_clock(d.clock, p->clock);
  render_position(match_, viewer, form, *p);
  for (auto wanting = prompted & wants_actions_; wanting != 0; wanting &= wanting - 1)
    if (const auto seat = static_cast<seat_index>(std::countr_zero(wanting));
        viewer_of(*engine_, seat) == viewer)
      p->actions.push_back(list_actions(match_, seat));
  if (outcome_) p->outcome = *outcome_;
  return p;
}

position_ref table::render_public(transition& d) const {
  return with_score(render(engines::spectator, public_form(*engine_), std::nullopt, 0, d));
}

position_ref table::with_score(position_ref of) const {
  if (!engine_->has_score() && !engine_->has_summary()) return of;
  auto p = std::make_shared<position>(*of);
  render_score(match_, *p);
  return p;
}

position_ref table::render_own(seat_index seat, const position_ref& shown) const {
  const auto viewer = viewer_of(*engine_, seat);
  const bool same = viewer == engines::spectator;
  // Without a board the public position has the whole view.
  if (same && !engine_->has_cells()) return shown;
  auto own = std::make_shared<position>(*shown);
  if (!same && engine_->has_cells()) render_position(match_, viewer, view_form::cells, *own);
  render_position(match_, viewer, view_form::document, *own);
  return own;
}

void table::read_clock(const transition::clock_reading& before, game_clock& out) const {
  if (outcome_) return;
  if (clocks_) return void(out = clocks_->read(before.at, before.late));
  if (before.turn_time.count() == 0) return;
  const auto moving = to_move();
  out.at = before.at;
  out.left.assign(seats_.size(), before.turn_time);
  for (seat_index seat = 0; seat < static_cast<seat_index>(seats_.size()); ++seat)
    if (holds(moving, seat) && turn_ == before.turn)
      out.left[static_cast<std::size_t>(seat)] = before.left;
  if (before.runs) out.running = moving;
}

void table::add_started(seat_index seat, transition& d) const {
  auto& to = d.outbound.emplace_back();
  to.to = seat;
  to.what.game = id_;
  auto& s = to.what.what.emplace<started>();
  s.engine = engine_->id();
  if (engine_->has_cells())
    for (seat_index i = 0; i < static_cast<seat_index>(seats_.size()); ++i)
      s.marks.push_back(engine_->mark(i));
  s.players.reserve(seats_.size()), s.visits.reserve(seats_.size());
  for (const auto& other : seats_) {
    s.players.push_back(other.name);
    s.visits.push_back(other.last_seen);
  }
  s.seat = seat;
  s.terms = d.terms;
}

}  // namespace gamehub::actors::table
