#include "actors/game/game.hpp"

#include "actors/runtime/engine_call_scope.hpp"
#include "actors/spectate/snapshot.hpp"
#include "actors/table/engine_opponent.hpp"
#include "actors/table/public_projection.hpp"
#include "actors/table/replay.hpp"
#include "hub/base/require.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace gamehub::actors::game {

namespace {

metrics::result result_of(const outcome& o) {
  if (o.draw()) return metrics::result::draw;
  if (!o.winner) return metrics::result::none;
  switch (*o.winner) {
    case 0: return metrics::result::first;
    case 1: return metrics::result::second;
    default: return metrics::result::other;
  }
}

std::vector<seat_kind> kinds_of(const std::vector<table::join>& joins) {
  std::vector<seat_kind> out;
  out.reserve(joins.size());
  for (const auto& each : joins) out.push_back(table::seat_kind_of(each.wire));
  return out;
}

// Microseconds, the unit of receipts. At least one, because zero means that the stage was not
// reached.
std::uint32_t elapsed_us(base::instant received, base::instant now) {
  using std::chrono::microseconds;
  constexpr microseconds longest = std::chrono::hours{1};
  const auto past = std::chrono::duration_cast<microseconds>(now - received);
  return static_cast<std::uint32_t>(std::clamp(past, microseconds{1}, longest).count());
}

// The session receives the answer to a move, after the engine has decided.
void prefetch_session(const runtime::session_actor& of) {
  if (!of) return;
  const auto* const at = reinterpret_cast<const char*>(runtime::actor_of(of));
  for (std::ptrdiff_t line = 0; line < 6; ++line) __builtin_prefetch(at + line * 64);
}

}  // namespace

game::game(caf::actor_config& config, game_setup& setup, game_id id, std::uint16_t engine,
           std::string options, engines::host::match match, game_players players,
           const clock_rule& clock, bool closed)
    : typed_loop_actor(config),
      engine_(engine),
      setup_(setup),
      clock_(clock),
      table_(id, setup.directory->engines[engine].rules, std::move(match),
             std::move(players.seats)),
      players_(std::move(players.sessions)),
      opening_(std::make_unique<opening>(
          opening{std::move(options), std::move(players.joins), closed})) {
  finished_seats_ = table_.engine_seats();
  if (clock_.has_store()) table_.use_clocks(clock_);
  table_.keep_actions(opening_->options);
  GAMEHUB_REQUIRE(!players_.empty());
}

game::game(caf::actor_config& config, game_setup& setup, game_id id, std::uint16_t engine,
           restored_game_state was)
    : typed_loop_actor(config),
      engine_(engine),
      setup_(setup),
      clock_(clock_of(was.records, setup.clock)),
      table_(id, setup.directory->engines[engine].rules, std::move(was.match),
             std::move(was.seats)),
      players_(table_.seats().size()),
      interruption_(std::make_unique<interruption>()) {
  if (!was.proven) first_move_ = std::make_unique<first_move>();
  announced_ = true;
  if (clock_.has_store()) table_.use_clocks(clock_);
  table_.keep_actions(was.options);
  table_.restore(was.records);
  if (auto* clocks = table_.clocks()) clocks->charge(was.turn_lasted, least_after_restart);
  gate_.appended(was.records.back().number);
  gate_.committed(was.records.back().number);
  if (is_reported()) {
    reports_ = std::make_unique<table::turn_reports>(table::turn_reports::players_of(was.records));
    reports_->add(was.records);
  }
  interruption_->away = all_seats() & ~table_.unattended();
  interruption_->turn = table_.turn();
  const auto turn_time = clock_.turn_time();
  interruption_->since = was.down_since;
  interruption_->slept_until = was.slept_until;
  if (!was.slept_until && away_time() && turn_time.count() > 0) {
    // Calendar days: the turn goes on while the hub is away, but for its last part.
    const auto now = owning_loop().wall_now();
    const auto lasted = std::max(now - was.turn_began, std::chrono::milliseconds{0});
    was.turn_lasted = lasted_over_restart(clock_, was.turn_began, was.down_since, now);
    interruption_->since = now - (lasted - was.turn_lasted);
  }
  interruption_->turn_lasted = with_time_left(clock_, was.turn_lasted);
  finished_seats_ = all_seats();
}

bool game::receive(caf::message& what) {
  return dispatch(what, std::tuple{
                            [this](runtime::play_request& m) { on_play(m); },
                            [this](const runtime::begin_game& m) { on_begin(m); },
                            [this](runtime::chat_request& m) { on_chat(m); },
                            [this](const runtime::offer_request& m) { on_offer(m); },
                            [this](const runtime::claim_request& m) { on_claim(m); },
                            [this](const runtime::leave_request& m) { on_leave(m); },
                            [this](const runtime::rename_seat& m) { on_rename(m); },
                            [this](const runtime::resend_request& m) { on_resend(m); },
                            [this](runtime::watch_request& m) { on_watch(m); },
                            [this](runtime::snapshot_request& m) { on_snapshot(m); },
                            [this](runtime::clock_request& m) { on_clock(m); },
                            [this](const runtime::seat_presence& m) { on_presence(m); },
                            [this](const runtime::seat_asleep& m) { on_seat_asleep(m); },
                            [this](const runtime::sleep_granted&) { on_sleep_granted(); },
                            [this](runtime::end_request& m) { on_end(m); },
                            [this](const runtime::log_committed& m) { on_committed(m.number); },
                            [this](const runtime::search_result& m) { on_search_result(m); },
                            [this](const runtime::timer_up& m) { on_timeout(m); },
                            [this](runtime::reserve_seat& m) { on_reserve(m); },
                            [this](const runtime::suspend_game& m) { suspend(m); },
                        });
}

void game::prefetch() const {
  __builtin_prefetch(players_.data());
  table_.prefetch();
}

void game::on_begin(const runtime::begin_game& m) {
  started_ = true;
  if (interruption_) interruption_->here = m.here;
  if (interruption_ && interruption_->slept_until)
    cells().games_slept.add(-1);
  else
    cells().games_started.add();
  if (interruption_) {
    begin_restored();
    return run_deferred();
  }
  const auto& rules = setup_.directory->engines[engine_].rules;
  const auto with = std::move(opening_);
  auto terms = std::make_shared<const game_terms>(game_terms{
      rules.version_text(), with->options, clock_.turn_time(), kinds_of(with->joins), own_clock()});
  setup_.log->open({table_.id(), std::string{rules.id()}, rules.version_text(),
                    std::move(with->options), owning_loop().wall_now()});
  setup_.scratch.terms = std::move(terms);
  if (is_reported()) {
    std::vector<std::string> players;
    for (const auto& each : with->joins) players.push_back(each.secret);
    reports_ = std::make_unique<table::turn_reports>(players);
  }
  update_table(no_seat, {}, [&] {
    table_.open(with->joins, *setup_.random, setup_.scratch, with->closed,
                own_clock() ? to_text(clock_) : "");
  });
  announced_ = true;
  if (away_time() == std::chrono::seconds::max()) arm_sleep_timer();
  run_deferred();
}

void game::begin_restored() {
  const auto& seats = table_.seats();
  const bool nobody = std::none_of(seats.begin(), seats.end(), [](const table::table_seat& s) {
    return s.can_return && !s.engine_level;
  });
  if (nobody) return end_interrupted();
  interruption_->ends = owning_loop().now() + setup_.rejoin_time;
  if (away_time() && all_can_return()) return continue_without_players();
  interruption_->deadline = arm_timer(interruption_->ends, rejoin_timer);
}

void game::run_deferred() {
  if (const auto deferred = std::move(deferred_))
    for (auto& what : *deferred) what();
}

void game::defer(std::function<void()> what) {
  if (!deferred_) deferred_ = std::make_unique<std::vector<std::function<void()>>>();
  deferred_->push_back(std::move(what));
}

void game::on_play(runtime::play_request& m) {
  if (!started_) return defer([this, m]() mutable { on_play(m); });
  if (returns(m.seat, m.receipt, [&] {
        return gamehub::play{table_.id(), m.what, m.repeated_after};
      }))
    return;
  if (m.repeated_after != 0 && has_moved(m.seat, m.repeated_after))
    return update_table(m.seat, m.receipt,
                        [&] { table_.answer_again(m.seat, m.receipt, setup_.scratch); });
  if (announces(m)) return;
  play(m);
  withdraw_announcement();
}

bool game::has_moved(seat_index seat, journal::record_number after) const {
  const auto log = setup_.log->find(table_.id());
  return log && std::any_of(log->records.begin(), log->records.end(), [&](const auto& r) {
           return r.number > after && r.what == journal::record::kind::moved && r.seat == seat;
         });
}

bool game::announces(runtime::play_request& m) {
  if (!first_move_ || first_move_->announced || suspended_) return false;
  using announced = journal::journal::announced;
  auto& waits = first_move_->waits;
  if (waits.empty()) {
    const auto is = setup_.log->announce_move(table_.id(), owning_loop());
    first_move_->announced = is == announced::done;
    if (is == announced::no) first_move_.reset();
    if (is != announced::pending) return false;
  }
  waits.push_back(std::move(m));
  await_commits();
  return true;
}

// What was announced was refused, and a suspicion would last until the next move.
void game::withdraw_announcement() {
  if (first_move_ && std::exchange(first_move_->announced, false))
    setup_.log->move_survived(table_.id());
}

void game::play(runtime::play_request& m) {
  // It has waited for its announcement.
  if (returns(m.seat, m.receipt, [&] {
        return gamehub::play{table_.id(), m.what, m.repeated_after};
      }))
    return;
  for (const auto& p : players_) prefetch_session(p);
  const auto before = gate_.appended();
  m.receipt.stages.taken_up = elapsed_us(m.receipt.received, owning_loop().now());
  // While the turn is another one's, too, only its timer ends it: that one's move may be on its
  // way.
  if (m.receipt.received > deadline_ && table_.awaited() == only(m.seat))
    check_time(m.receipt.received);
  update_table(m.seat, m.receipt, [&] {
    table_.play(m.seat, m.receipt, std::move(m.what), *setup_.random, setup_.scratch);
  });
  if (!first_move_ || gate_.appended() == before) return;
  setup_.log->move_survived(table_.id());
  first_move_.reset();
}

void game::on_chat(runtime::chat_request& m) {
  if (!started_) return defer([this, m]() mutable { on_chat(m); });
  if (returns(m.seat, m.receipt, [&] { return gamehub::chat{table_.id(), m.text}; })) return;
  update_table(m.seat, m.receipt,
               [&] { table_.chat(m.seat, m.receipt, std::move(m.text), setup_.scratch); });
}

void game::on_offer(const runtime::offer_request& m) {
  if (!started_) return defer([this, m] { on_offer(m); });
  const auto named = [&] {
    auto what = m.what;
    what.game = table_.id();
    return what;
  };
  if (returns(m.seat, m.receipt, named)) return;
  // A takeback reads the log, which has the records that are committed.
  if (!gate_.open()) return spectators().after_commit([this, m] { on_offer(m); });
  update_table(m.seat, m.receipt, [&] {
    table_.offer(
        m.seat, m.receipt, m.what, owning_loop().now(),
        [this] { return setup_.log->find(table_.id()); }, *setup_.random, setup_.scratch);
  });
}

void game::on_claim(const runtime::claim_request& m) {
  if (!started_) return defer([this, m] { on_claim(m); });
  if (returns(m.seat, m.receipt, [&] { return gamehub::claim{table_.id()}; })) return;
  seat_set absent = 0;
  for (const auto& each : absences())
    if (each.claimable_at <= owning_loop().now()) absent |= only(each.seat);
  update_table(m.seat, m.receipt,
               [&] { table_.claim(m.seat, m.receipt, absent, *setup_.random, setup_.scratch); });
}

void game::on_leave(const runtime::leave_request& m) {
  if (!started_) return defer([this, m] { on_leave(m); });
  if (m.receipt.ticket == 0 && handover_ && handover_->told) return on_followed(m.seat);
  if (m.receipt.ticket != 0 && returns(m.seat, m.receipt, [&] {
        return gamehub::leave{table_.id(), false, m.why};
      }))
    return;
  if (m.receipt.ticket == 0) {
    finished_seats_ |= only(m.seat);
    drop_finished_players();
  }
  // The player has no further presence to report.
  if (absences_) std::erase_if(*absences_, [&](const absence& a) { return a.seat == m.seat; });
  update_table(m.seat, m.receipt, [&] {
    if (interruption_ && !holds(table_.unattended(), m.seat))
      table_.leave_without_result(m.seat, m.receipt, setup_.scratch);
    else
      table_.leave(m.seat, m.receipt, *setup_.random, setup_.scratch, m.why);
  });
}

// Answers to what they sent before may still wait for the journal.
void game::drop_finished_players() {
  if (finished_seats_ == 0 || gate_.has_pending()) return;
  for (seat_index s = 0; s < static_cast<seat_index>(players_.size()); ++s)
    if (holds(finished_seats_, s)) players_[static_cast<std::size_t>(s)] = nullptr;
}

void game::on_rename(const runtime::rename_seat& m) {
  if (!started_) return defer([this, m] { on_rename(m); });
  update_table(no_seat, {}, [&] { table_.rename(m.seat, m.name, setup_.scratch); });
}

void game::on_resend(const runtime::resend_request& m) {
  // What the start of the game sends may be for the former client.
  if (!started_) return defer([this, m] { on_resend(m); });
  if (suspended_) return;
  if (m.visits) {
    table_.set_last_seen(m.seat, owning_loop().wall_now());
    touched_ = true;
  }
  // After a restart its session has not reported it as away.
  if (!interruption_ && holds(away_seats(), m.seat)) on_presence({m.seat, std::nullopt});
  // From the log, so that a game keeps no copy.
  const auto logged = logged_metadata();
  setup_.scratch.terms = logged ? std::make_shared<const game_terms>(
                                      game_terms{logged->engine_version, logged->options,
                                                 clock_.turn_time(), logged->kinds, logged->clock})
                                : nullptr;
  update_table(m.seat, {m.client, {}}, [&] {
    table_.resend_position(m.seat, m.form, setup_.scratch, m.features);
    for (auto& n : setup_.scratch.outbound)
      if (n.to == m.seat) n.what.answers.from = m.client;
  });
  if (!interruption_) return;
  on_player_back(m.seat);
  // Once all are back, the clock runs that stood in the positions before.
  update_table(no_seat, {}, [&] { table_.set_away(away_seats(), setup_.scratch, !interruption_); });
  publish_present();
}

void game::on_presence(const runtime::seat_presence& m) {
  if (!started_) return defer([this, m] { on_presence(m); });
  forget_released(m.seat);
  if (suspended_ || table_.over() || holds(table_.unattended(), m.seat)) return;
  if (!m.kept_until && table_.substituted().may_return(m.seat))
    update_table(no_seat, {}, [&] { table_.come_back(m.seat, setup_.scratch); });
  std::vector<absence> away = absences_ ? std::move(*absences_) : std::vector<absence>{};
  // The clock alone decides of a game whose players may be away.
  auto claimable_at = setup_.claim_time.count() > 0 && !away_time()
                          ? owning_loop().now() + setup_.claim_time
                          : base::instant::max();
  std::erase_if(away, [&](const absence& a) {
    if (a.seat == m.seat) claimable_at = a.claimable_at;
    return a.seat == m.seat;
  });
  if (m.kept_until) away.push_back({m.seat, *m.kept_until, claimable_at});
  absences_ = away.empty() ? nullptr : std::make_unique<std::vector<absence>>(std::move(away));
  auto& counted = owning_loop().cells().loop;
  (m.kept_until ? counted.players_gone : counted.players_back).add();
  update_table(no_seat, {}, [&] { table_.set_away(away_seats(), setup_.scratch); });
  publish_present();
}

void game::on_end(runtime::end_request& m) {
  if (!started_) return defer([this, m]() mutable { on_end(m); });
  if (m.why == end_reason::failed && !table_.over()) {
    owning_loop().cells().loop.games_failed.add();
    report(engines::host::engine_failure{"the process of the engine has ended"});
  }
  update_table(no_seat, {}, [&] { table_.end(m.why, std::move(m.note), setup_.scratch); });
}

void game::continue_without_players() {
  const auto time = *away_time();
  const auto until =
      time == std::chrono::seconds::max() ? base::instant::max() : owning_loop().now() + time;
  absences_ = std::make_unique<std::vector<absence>>();
  for (seat_index s = 0; s < static_cast<seat_index>(players_.size()); ++s)
    if (holds(interruption_->away & ~interruption_->here, s)) absences_->push_back({s, until});
  if (absences_->empty()) absences_.reset();
  end_interruption();
  update_table(no_seat, {}, [this] { table_.set_away(away_seats(), setup_.scratch); });
  arm_sleep_timer();
}

void game::end_interruption() {
  owning_loop().timers().cancel(interruption_->deadline);
  const auto was = std::exchange(interruption_, nullptr);
  // The wall clock may have been set back meanwhile.
  const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(
      owning_loop().now() - was->ends + setup_.rejoin_time);
  if (was->slept_until)
    was->turn_lasted = lasted_at(*was->slept_until, owning_loop().now());
  else if (clock_)
    count_credit(
        metrics::credit_cause::restart,
        std::max<std::chrono::microseconds>(owning_loop().wall_now() - was->since, waited));
  if (auto* clocks = table_.clocks()) clocks->resume(owning_loop().now());
  update_turn_timer(table_.turn() == was->turn ? was->turn_lasted : std::chrono::milliseconds{0});
  // An engine seat may be to move.
  if (table_.engine_seats() != 0)
    update_table(no_seat, {},
                 [this] { table_.play_immediate_engine_moves(*setup_.random, setup_.scratch); });
}

void game::log_digests() {
  const auto& seats = table_.seats();
  for (std::size_t i = 0; i < seats.size(); ++i) {
    const auto seat = static_cast<seat_index>(i);
    if (holds(table_.unattended(), seat) || seats[i].can_return) continue;
    // The same in all games of the player.
    auto& digest = handover_->digests[i] =
        journal::digest_of(setup_.secrets_from + std::to_string(seats[i].player.value));
    update_table(no_seat, {}, [&] { table_.set_digest(seat, digest, setup_.scratch); });
  }
}

void game::report(const engines::host::engine_failure& failure, seat_index from) {
  auto at = setup_.scratch.attempted;
  if (!at && from != no_seat) at = table::transition::attempt{from, {}};
  owning_loop().report(setup_.directory->engines[engine_].rules, table_.id(), failure,
                       at ? std::optional{at->seat} : std::nullopt, at ? at->what : std::nullopt);
}

void game::report_failure(seat_index from) { report(engines::host::current_failure(), from); }

template <class Change>
void game::update_table(seat_index from, const receipt& answers, Change change) {
  if (suspended_) return;
  auto& d = setup_.scratch;
  d.clock = read_clock();
  const auto was_over = table_.over();
  if (table_.watched()) {
    const auto readers = spectators_->open();
    readers.any ? table_.set_own_views(readers.seats) : table_.set_watched(nullptr);
  }
  try {
    const runtime::engine_call_scope it{owning_loop().cells().loop, engine_, table_.id()};
    change();
    request_search();
  } catch (...) {
    // Catches every type, because a plugin may throw anything. The records so far stay in the log.
    // Of the events only the end remains. It is the reply to the request, and players who have
    // received it before do not receive it again.
    report_failure(from);
    d.outbound.clear();
    // A client that has come back knows no game until it is shown.
    const auto comes_back = answers.ticket == 0 && answers.from ? only(from) : 0;
    table_.abandon(d, announced_ ? comes_back : all_seats());
    if (was_over)
      std::erase_if(d.outbound,
                    [&](const table::transition::outbound_event& n) { return n.to != from; });
    else
      owning_loop().cells().loop.games_failed.add();
    for (auto& n : d.outbound)
      if (n.to == from) n.what.answers = answers;
  }
  commit();
}

void game::request_search() {
  while (!interruption_ && needs_search()) {
    const auto turn = table_.turn();
    if (std::exchange(searched_turn_, turn) != turn) searched_seats_ = 0;
    const auto seat = static_cast<seat_index>(
        std::countr_zero(table_.seats_awaiting_search() & ~searched_seats_));
    searched_seats_ |= only(seat);
    runtime::search_request q{self(),
                              seat,
                              turn,
                              setup_.directory->engines[engine_].rules,
                              table_.match().clone(),
                              {table_.level_at(seat), setup_.random->next(), {}},
                              engine_,
                              table_.id(),
                              {}};
    if (table_.played() != nullptr) q.played = *table_.played();
    if (setup_.searcher != nullptr && setup_.searcher->try_submit(q)) continue;
    const auto any = table::engine_opponent::random_action(table_.match(), seat, q.style.seed);
    count_engine_move(metrics::effort::random);
    table_.apply_engine_move(seat, turn, any, *setup_.random, setup_.scratch);
  }
}

void game::on_search_result(const runtime::search_result& m) {
  if (m.turn != table_.turn()) return;
  update_table(no_seat, {}, [&] {
    if (!holds(table_.seats_awaiting_search(), m.seat)) return;
    cells().thinking_duration.observe(m.took);
    count_engine_move(m.hurried ? metrics::effort::hurried : metrics::effort::full);
    setup_.scratch.attempted = table::transition::attempt{m.seat, m.what};
    if (!m.what) throw engines::host::engine_failure{m.failure, m.failed_function};
    table_.apply_engine_move(m.seat, m.turn, *m.what, *setup_.random, setup_.scratch);
  });
}

void game::commit() {
  auto& d = setup_.scratch;
  if (!d.records.empty()) {
    append(d);
    touched_ = true;
    if (released_ != 0) take_back();
  }
  // Count before sending, so that a client that receives the end finds it in the metrics.
  if (table_.over()) count_end();
  if (d.credited.count() > 0) count_credit(metrics::credit_cause::loop, d.credited);
  for (auto& n : d.outbound)
    if (auto& of = n.what.answers; of.stages.taken_up != 0)
      of.stages.decided = elapsed_us(of.received, owning_loop().clock());
  if (gate_.open() && !gate_.has_pending()) {
    send_to_players(d.outbound);
  } else {
    gate_.enqueue(d.outbound, setup_.spare);
    await_commits();
  }
  d.clear();
  // First, because updates have the clock of the new turn.
  update_turn_timer();
  if (spectators_) publish_updates();
  if (reports_) report_absences();
  quit_if_done();
}

void game::append(table::transition& d) {
  const auto at = owning_loop().wall_now();
  for (auto* updates : {&d.updates, &d.own_updates})
    for (auto& u : *updates) u->at = at;
  for (auto& r : d.records) {
    r.at = at;
    if (table::shows_player(r) && r.what != journal::record::kind::joined)
      table_.set_last_seen(r.seat, at);
    if (r.what == journal::record::kind::moved && holds(table_.immediate_engine_seats(), r.seat))
      count_engine_move(metrics::effort::at_once);
    if (r.what == journal::record::kind::substituted) count_substitution(r.text);
  }
  if (reports_) reports_->add(d.records);
  gate_.appended(d.records.back().number);
  gate_.committed(setup_.log->append(table_.id(), d.records, owning_loop()));
  if (!spectators_) return;
  if (d.view_failure) report(*d.view_failure);
  if (table_.watched())
    spectators_->enqueue(d.updates, d.own_updates);
  else
    spectators_->drop();
}

void game::on_committed(journal::record_number upto) {
  // What waited for it went back.
  if (finished_) return;
  gate_.committed(upto);
  if (awaits_announcement()) {
    first_move_->announced = true;
    for (auto& each : std::exchange(first_move_->waits, {})) play(each);
    withdraw_announcement();
  }
  gate_.release(setup_.scratch.outbound, setup_.spare);
  for (auto& n : setup_.scratch.outbound)
    if (auto& of = n.what.answers; of.stages.taken_up != 0)
      of.stages.committed = elapsed_us(of.received, owning_loop().clock());
  send_to_players(setup_.scratch.outbound);
  setup_.scratch.clear();
  // The player to move has received the prompt only now.
  if (!gate_.has_pending() && std::exchange(prompt_held_, false)) {
    const auto now = owning_loop().now();
    if (auto* clocks = table_.clocks()) {
      count_credit(metrics::credit_cause::journal, clocks->postpone(now));
      find_deadline();
    } else if (turn_timer_) {
      const auto before = std::exchange(deadline_, now + clock_.turn_time());
      count_credit(metrics::credit_cause::journal,
                   std::chrono::duration_cast<std::chrono::microseconds>(deadline_ - before));
    }
  }
  if (spectators_) publish_updates();
  if (reports_) report_absences();
  if (gate_.has_pending()) return;
  drop_finished_players();
  if (suspended_) {
    // The next owner and the spectators read the log, which needs its last records.
    if (gate_.open()) finish_suspension();
    return;
  }
  quit_if_done();
}

void game::send_to_players(std::vector<table::transition::outbound_event>& outbound) {
  tells_end_ = table_.over() && !suspended_ && !has_messages();
  for (auto& n : outbound) {
    const auto& to = players_[static_cast<std::size_t>(n.to)];
    if (to && !runtime::actor_of(to)->try_receive(n.what)) send(to, std::move(n.what));
  }
  tells_end_ = false;
}

spectate::spectator_list& game::spectators() {
  if (!spectators_) spectators_ = std::make_unique<spectate::spectator_list>();
  return *spectators_;
}

// Reads the metadata from the journal, so that a game without spectators stores none.
std::shared_ptr<const game_metadata> game::logged_metadata() const {
  const auto log = setup_.log->find(table_.id());
  return log ? table::metadata_of(*log, &setup_.directory->engines[engine_].rules) : nullptr;
}

void game::on_watch(runtime::watch_request& m) {
  if (!started_) return defer([this, m]() mutable { on_watch(m); });
  if (suspended_) return;
  // Uncommitted records are not readable in the log yet and are published only once, so the
  // subscription starts after the commit.
  if (!gate_.open()) return spectators().after_commit([this, m]() mutable { on_watch(m); });
  add_spectator(std::move(m.by));
}

// On failure the subscription is destroyed, which notifies the spectator service.
void game::add_spectator(std::shared_ptr<runtime::subscription> subscriber) {
  touched_ = true;
  if (!table_.watched()) {
    auto metadata = logged_metadata();
    if (!metadata) return;
    table_.set_watched(std::move(metadata));
  }
  auto& here = spectators();
  auto now = present(subscriber->as());
  here.add(std::move(subscriber), gate_.appended(), std::move(now));
  table_.set_own_views(here.open().seats);
  if (table_.over()) here.end();
}

void game::publish_updates() {
  GAMEHUB_REQUIRE(spectators_ != nullptr);
  spectators_->release(gate_.committed(), gate_.open(),
                       [this](std::optional<seat_index> as) { return present(as); });
  if (table_.over() && gate_.open()) spectators_->end();
}

void game::publish_present() {
  if (!spectators_) return;
  spectators_->present_changed();
  publish_updates();
}

present_ref game::present(std::optional<seat_index> as) {
  if (table_.over()) return nullptr;
  auto out = std::make_shared<game_present>();
  out->number = gate_.appended();
  out->clock = clock();
  out->away = absences();
  if (!as) return out;
  const runtime::engine_call_scope it{owning_loop().cells().loop, engine_};
  try {
    if (holds(table_.to_move() & ~table_.engine_seats(), *as))
      out->actions =
          std::make_shared<const std::vector<legal_action>>(spectate::legal_actions(table_, *as));
  } catch (...) {
    // The failure ends the game only if it happens at a move.
    report_failure(as.value_or(no_seat));
  }
  return out;
}

game_clock game::clock() {
  try {
    return table_.clock(read_clock());
  } catch (const engines::host::engine_failure&) {
    // The next move ends the game.
    return {};
  }
}

void game::on_clock(runtime::clock_request& m) {
  if (!started_) return defer([this, m]() mutable { on_clock(m); });
  if (suspended_ || table_.over()) return;
  // The clock reveals who is to move.
  if (!gate_.open()) return spectators().after_commit([this, m]() mutable { on_clock(m); });
  m.by->answer(table_.id(), clock());
}

void game::on_snapshot(runtime::snapshot_request& m) {
  if (!started_) return defer([this, m]() mutable { on_snapshot(m); });
  if (suspended_) return;
  if (!gate_.open()) return spectators().after_commit([this, m]() mutable { on_snapshot(m); });
  answer_snapshot(*m.by);
}

void game::answer_snapshot(runtime::snapshot_query& query) {
  touched_ = true;
  auto metadata = logged_metadata();
  if (!metadata) return;
  const runtime::engine_call_scope it{owning_loop().cells().loop, engine_, table_.id()};
  std::optional<engines::host::engine_failure> failed;
  auto found =
      spectate::make_snapshot(table_, std::move(metadata), gate_.appended(), query.as(), failed);
  if (failed) report(*failed);
  found.clock = clock();
  if (!table_.over()) {
    found.turn_time = clock_.turn_time();
    found.away = absences();
  }
  if (turn_timer_)
    found.turn_left = std::max(
        std::chrono::milliseconds{0},
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - owning_loop().now()));
  query.answer(std::move(found));
}

void game::on_timeout(const runtime::timer_up& m) {
  if (m.number == turn_timer) return on_turn_timeout();
  if (m.number == confirmed_timer) return on_turn_timeout_confirmed();
  if (m.number == sleep_timer) return on_sleep_timer();
  if (!interruption_) return;
  interruption_->deadline = {};
  end_interrupted();
}

void game::end_turn_by_clock() {
  update_table(no_seat, {},
               [this] { table_.on_turn_expired(timed_turn_, *setup_.random, setup_.scratch); });
}

void game::count_end() {
  if (std::exchange(end_counted_, true)) return;
  const auto& o = table_.outcome();
  cells()
      .games_finished[static_cast<std::size_t>(result_of(o))][static_cast<std::size_t>(o.reason)]
      .add();
}

// `cause` is the word in the log.
void game::count_substitution(std::string_view cause) {
  for (std::size_t i = 0; i < leave_cause_count; ++i)
    if (to_string(static_cast<leave_cause>(i)) == cause)
      owning_loop().cells().loop.substitutions[i].add();
}

void game::quit_if_done() {
  finished_ = table_.over() && finished_seats_ == all_seats() && released_ == 0 &&
              !gate_.has_pending() && !(spectators_ && spectators_->has_pending());
  if (finished_) this->quit();
}

void game::on_exit() {
  for (auto* timer : {&turn_timer_, &sleep_timer_})
    owning_loop().timers().cancel(std::exchange(*timer, {}));
  if (interruption_) owning_loop().timers().cancel(interruption_->deadline);
  if (std::exchange(awaits_commits_, false)) owning_loop().stop_awaiting_commits(table_.id());
  if (first_move_ && (first_move_->announced || awaits_announcement()))
    setup_.log->move_survived(table_.id());
  setup_.scratch.clear();
  // One that was restored and never began is as its log says.
  if (!finished_ && (started_ || opening_)) {
    // Only an internal error leads here, for example of the journal. The players are notified, and
    // the log is closed if possible.
    owning_loop().cells().loop.games_failed.add();
    table_.abandon(setup_.scratch);
    count_end();
    try {
      if (!setup_.scratch.records.empty()) append(setup_.scratch);
    } catch (...) {
      // The players are notified nevertheless.
      owning_loop().report_fault(name());
    }
    send_to_players(setup_.scratch.outbound);
    setup_.scratch.clear();
  }
  // Destroying the subscriptions notifies the spectators, who then read the log.
  spectators_.reset();
  players_.clear();
  try {
    table_.destroy_match();
  } catch (...) {
    report_failure();
  }
}

}  // namespace gamehub::actors::game
