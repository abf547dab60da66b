#include "actors/game/game.hpp"

#include "actors/runtime/engine_call_scope.hpp"
#include "actors/spectate/snapshot.hpp"
#include "actors/table/engine_opponent.hpp"
#include "actors/table/public_projection.hpp"
#include "hub/base/require.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <optional>
#include <tuple>
#include <utility>

namespace gamehub::actors::game {

namespace {

constexpr seat_index no_seat = -1;

// The numbers of timer_up.
constexpr std::uint64_t turn_timer = 0, rejoin_timer = 1;

metrics::result result_of(const outcome& o) {
  if (o.draw()) return metrics::result::draw;
  if (!o.winner) return metrics::result::none;
  switch (*o.winner) {
    case 0: return metrics::result::first;
    case 1: return metrics::result::second;
    default: return metrics::result::other;
  }
}

// Microseconds, the unit of receipts. At least one, because zero means that the stage was not
// reached.
std::uint32_t elapsed_us(base::instant received, base::instant now) {
  using std::chrono::microseconds;
  constexpr microseconds longest = std::chrono::hours{1};
  const auto past = std::chrono::duration_cast<microseconds>(now - received);
  return static_cast<std::uint32_t>(std::clamp(past, microseconds{1}, longest).count());
}

std::vector<table::table_seat> seats_of(const std::vector<game_player>& players) {
  std::vector<table::table_seat> seats;
  for (const auto& p : players) seats.push_back(p.seat);
  return seats;
}

}  // namespace

game::game(caf::actor_config& config, game_setup& setup, game_id id, std::uint16_t engine,
           std::string options, engines::host::match match, std::vector<game_player> players,
           bool closed)
    : typed_loop_actor(config),
      setup_(setup),
      table_(id, setup.directory->engines[engine].rules, std::move(match), seats_of(players)),
      engine_(engine),
      opening_(std::make_unique<opening>()) {
  opening_->options = std::move(options);
  opening_->closed = closed;
  for (auto& p : players) {
    players_.push_back(std::move(p.session));
    opening_->joins.push_back(std::move(p.join));
  }
  finished_seats_ = table_.engine_seats();
  GAMEHUB_REQUIRE(!players_.empty());
}

game::game(caf::actor_config& config, game_setup& setup, game_id id, std::uint16_t engine,
           restored_game_state was)
    : typed_loop_actor(config),
      setup_(setup),
      table_(id, setup.directory->engines[engine].rules, std::move(was.match),
             std::move(was.seats)),
      players_(table_.seats().size()),
      engine_(engine),
      interruption_(std::make_unique<interruption>()) {
  announced_ = true;
  table_.restore(was.records);
  gate_.appended(was.records.back().number);
  gate_.committed(was.records.back().number);
  interruption_->away = all_seats() & ~table_.engine_seats();
  interruption_->turn = table_.turn();
  interruption_->turn_lasted = was.turn_lasted;
  finished_seats_ = all_seats();
}

bool game::receive(caf::message& what) {
  return dispatch(what, std::tuple{
                            [this](runtime::play_request& m) { on_play(m); },
                            [this](const runtime::begin_game&) { on_begin(); },
                            [this](runtime::chat_request& m) { on_chat(m); },
                            [this](const runtime::leave_request& m) { on_leave(m); },
                            [this](const runtime::resend_request& m) { on_resend(m); },
                            [this](runtime::watch_request& m) { on_watch(m); },
                            [this](runtime::snapshot_request& m) { on_snapshot(m); },
                            [this](runtime::end_request& m) { on_end(m); },
                            [this](const runtime::log_committed& m) { on_committed(m.number); },
                            [this](const runtime::search_result& m) { on_search_result(m); },
                            [this](const runtime::timer_up& m) { on_timeout(m); },
                            [this](runtime::reserve_seat& m) {
                              finished_seats_ &= ~only(m.seat);
                              players_[static_cast<std::size_t>(m.seat)] = std::move(m.session);
                            },
                            [this](const runtime::suspend_game&) { suspend(); },
                        });
}

void game::prefetch() const {
  __builtin_prefetch(players_.data());
  table_.prefetch();
}

void game::on_begin() {
  started_ = true;
  cells().games_started.add();
  if (interruption_) {
    interruption_->deadline =
        owning_loop().timers().arm(owning_loop().now() + setup_.rejoin_time,
                                   [this] { send(self(), runtime::timer_up{rejoin_timer}); });
    return;
  }
  const auto& rules = setup_.directory->engines[engine_].rules;
  const auto with = std::move(opening_);
  setup_.log->open({table_.id(), std::string{rules.id()}, rules.version_text(),
                    std::move(with->options), owning_loop().wall_now()});
  update_table(no_seat, {},
               [&] { table_.open(with->joins, *setup_.random, setup_.scratch, with->closed); });
  announced_ = true;
  if (const auto deferred = std::move(deferred_))
    for (auto& what : *deferred) what();
}

void game::defer(std::function<void()> what) {
  if (!deferred_) deferred_ = std::make_unique<std::vector<std::function<void()>>>();
  deferred_->push_back(std::move(what));
}

void game::on_play(runtime::play_request& m) {
  if (!started_) return defer([this, m]() mutable { on_play(m); });
  m.receipt.stages.taken_up = elapsed_us(m.receipt.received, owning_loop().now());
  update_table(m.seat, m.receipt, [&] {
    table_.play(m.seat, m.receipt, std::move(m.what), *setup_.random, setup_.scratch);
  });
}

void game::on_chat(runtime::chat_request& m) {
  if (!started_) return defer([this, m]() mutable { on_chat(m); });
  update_table(m.seat, m.receipt,
               [&] { table_.chat(m.seat, m.receipt, std::move(m.text), setup_.scratch); });
}

void game::on_leave(const runtime::leave_request& m) {
  if (!started_) return defer([this, m] { on_leave(m); });
  if (m.receipt.ticket == 0) {
    finished_seats_ |= only(m.seat);
    players_[static_cast<std::size_t>(m.seat)] = nullptr;
  }
  update_table(m.seat, m.receipt, [&] {
    if (interruption_)
      table_.leave_without_result(m.seat, m.receipt, setup_.scratch);
    else
      table_.leave(m.seat, m.receipt, setup_.scratch);
  });
}

void game::on_resend(const runtime::resend_request& m) {
  // The start of the game sends the position to every player.
  if (!started_) return;
  table_.set_last_seen(m.seat, owning_loop().wall_now());
  update_table(m.seat, {}, [&] { table_.resend_position(m.seat, m.form, setup_.scratch); });
  if (interruption_) on_player_back(m.seat);
}

void game::on_end(runtime::end_request& m) {
  if (!started_) return defer([this, m]() mutable { on_end(m); });
  if (m.why == end_reason::failed && !table_.over()) {
    owning_loop().cells().loop.games_failed.add();
    owning_loop().report(setup_.directory->engines[engine_].rules, table_.id(),
                         engines::host::engine_failure{"the process of the engine has ended"});
  }
  update_table(no_seat, {}, [&] { table_.end(m.why, std::move(m.note), setup_.scratch); });
}

void game::on_player_back(seat_index seat) {
  interruption_->away &= ~only(seat);
  seat_set expected = 0;
  for (seat_index s = 0; s < static_cast<seat_index>(players_.size()); ++s)
    if (players_[static_cast<std::size_t>(s)]) expected |= only(s);
  if ((interruption_->away & expected) != 0) return;
  // All players who can reconnect have done so. If one seat can't, the game ends.
  if (interruption_->away != 0) {
    runtime::end_request request{end_reason::interrupted, {}};
    return on_end(request);
  }
  owning_loop().timers().cancel(interruption_->deadline);
  const auto was = std::exchange(interruption_, nullptr);
  update_turn_timer(table_.turn() == was->turn ? was->turn_lasted : std::chrono::milliseconds{0});
  // An engine seat may be to move.
  if (table_.engine_seats() != 0)
    update_table(no_seat, {},
                 [this] { table_.play_immediate_engine_moves(*setup_.random, setup_.scratch); });
}

void game::suspend() {
  if (!started_) return defer([this] { suspend(); });
  const auto& seats = table_.seats();
  if (!setup_.log->durable() || table_.over() || suspended_ ||
      !std::all_of(seats.begin(), seats.end(),
                   [](const table::table_seat& s) { return s.can_return; }))
    return;
  suspended_ = true;
  if (!gate_.has_pending()) notify_suspended();
}

void game::notify_suspended() {
  finished_ = true;
  for (const auto& p : players_)
    if (p) send(p, runtime::game_suspended{table_.id()});
  this->quit();
}

void game::report_failure() {
  owning_loop().report(setup_.directory->engines[engine_].rules, table_.id(),
                       engines::host::current_failure());
}

template <class Change>
void game::update_table(seat_index from, const receipt& answers, Change change) {
  if (suspended_) return;
  auto& d = setup_.scratch;
  const auto was_over = table_.over();
  if (table_.watched() && !spectators_->is_open()) table_.set_watched(nullptr);
  try {
    const runtime::engine_call_scope it{owning_loop().cells().loop, engine_};
    change();
    request_search();
  } catch (...) {
    // Catches every type, because a plugin may throw anything. The records so far stay in the log.
    // Of the events only the end remains. It is the reply to the request, and players who have
    // received it before do not receive it again.
    report_failure();
    d.outbound.clear();
    table_.abandon(d, !announced_);
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
    runtime::search_request q{
        self(),
        seat,
        turn,
        setup_.directory->engines[engine_].rules,
        table_.match().clone(),
        {*table_.seats()[static_cast<std::size_t>(seat)].engine_level, setup_.random->next(), {}}};
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
    if (!m.what) throw engines::host::engine_failure{m.failure, m.failed_function};
    table_.apply_engine_move(m.seat, m.turn, *m.what, *setup_.random, setup_.scratch);
  });
}

void game::commit() {
  auto& d = setup_.scratch;
  if (!d.records.empty()) append(d);
  // Count before sending, so that a client that receives the end finds it in the metrics.
  if (table_.over()) count_end();
  for (auto& n : d.outbound)
    if (auto& of = n.what.answers; of.stages.taken_up != 0)
      of.stages.decided = elapsed_us(of.received, owning_loop().clock());
  if (gate_.open() && !gate_.has_pending()) {
    send_to_players(d.outbound);
  } else {
    gate_.enqueue(d.outbound);
    if (!std::exchange(awaits_commits_, true)) owning_loop().await_commits(table_.id(), self());
  }
  d.clear();
  if (spectators_) publish_updates();
  update_turn_timer();
  quit_if_done();
}

void game::append(table::transition& d) {
  const auto at = owning_loop().wall_now();
  for (auto& u : d.updates) u->at = at;
  for (auto& r : d.records) {
    r.at = at;
    if (r.seat >= 0 && r.what != journal::record::kind::joined &&
        r.what != journal::record::kind::ended)
      table_.set_last_seen(r.seat, at);
    if (r.what == journal::record::kind::moved && holds(table_.immediate_engine_seats(), r.seat))
      count_engine_move(metrics::effort::at_once);
  }
  gate_.appended(d.records.back().number);
  gate_.committed(setup_.log->append(table_.id(), d.records, owning_loop()));
  if (!spectators_) return;
  if (d.view_failure)
    owning_loop().report(setup_.directory->engines[engine_].rules, table_.id(), *d.view_failure);
  if (table_.watched())
    spectators_->enqueue(d.updates);
  else
    spectators_->drop();
}

void game::on_committed(journal::record_number upto) {
  gate_.committed(upto);
  gate_.release(setup_.scratch.outbound);
  for (auto& n : setup_.scratch.outbound)
    if (auto& of = n.what.answers; of.stages.taken_up != 0)
      of.stages.committed = elapsed_us(of.received, owning_loop().clock());
  send_to_players(setup_.scratch.outbound);
  setup_.scratch.clear();
  if (spectators_) publish_updates();
  if (gate_.has_pending()) return;
  // The player to move has received the prompt only now.
  if (turn_timer_ && !table_.over() && table_.turn() == timed_turn_)
    deadline_ = owning_loop().now() + setup_.turn_time;
  if (suspended_) return notify_suspended();
  quit_if_done();
}

void game::send_to_players(std::vector<table::transition::outbound_event>& outbound) {
  for (auto& n : outbound)
    if (const auto& to = players_[static_cast<std::size_t>(n.to)]) send(to, std::move(n.what));
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
  if (!gate_.open()) return spectators().after_commit([this, m] { add_spectator(m.by); });
  add_spectator(std::move(m.by));
}

// On failure the subscription is destroyed, which notifies the spectator service.
void game::add_spectator(std::shared_ptr<runtime::subscription> subscriber) {
  if (!table_.watched()) {
    auto metadata = logged_metadata();
    if (!metadata) return;
    table_.set_watched(std::move(metadata));
  }
  auto& here = spectators();
  here.add(std::move(subscriber), gate_.appended());
  if (table_.over()) here.end();
}

void game::publish_updates() {
  GAMEHUB_REQUIRE(spectators_ != nullptr);
  spectators_->release(gate_.committed(), gate_.open());
  if (table_.over() && gate_.open()) spectators_->end();
}

void game::on_snapshot(runtime::snapshot_request& m) {
  if (!started_) return defer([this, m]() mutable { on_snapshot(m); });
  if (suspended_) return;
  if (!gate_.open()) return spectators().after_commit([this, m] { answer_snapshot(*m.by); });
  answer_snapshot(*m.by);
}

void game::answer_snapshot(runtime::snapshot_query& query) {
  auto metadata = logged_metadata();
  if (!metadata) return;
  const runtime::engine_call_scope it{owning_loop().cells().loop, engine_};
  std::optional<engines::host::engine_failure> failed;
  auto found =
      spectate::make_snapshot(table_, std::move(metadata), gate_.appended(), query.as(), failed);
  if (failed) owning_loop().report(setup_.directory->engines[engine_].rules, table_.id(), *failed);
  if (!table_.over()) found.turn_time = setup_.turn_time;
  if (turn_timer_)
    found.turn_left = std::max(
        std::chrono::milliseconds{0},
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - owning_loop().now()));
  query.answer(std::move(found));
}

void game::update_turn_timer(std::chrono::milliseconds lasted) {
  if (setup_.turn_time.count() == 0 || interruption_) return;
  if (table_.over()) {
    owning_loop().timers().cancel(std::exchange(turn_timer_, {}));
    return;
  }
  if (table_.turn() == timed_turn_) return;
  timed_turn_ = table_.turn();
  deadline_ = owning_loop().now() + setup_.turn_time -
              std::min<std::chrono::milliseconds>(lasted, setup_.turn_time);
  // One timer per game: it is set again when it expires early, not at every move.
  if (!turn_timer_) arm_turn_timer();
}

void game::arm_turn_timer() {
  turn_timer_ = owning_loop().timers().arm(deadline_,
                                           [this] { send(self(), runtime::timer_up{turn_timer}); });
}

void game::on_timeout(const runtime::timer_up& m) {
  if (m.number == turn_timer) return on_turn_timeout();
  if (!interruption_) return;
  interruption_->deadline = {};
  runtime::end_request too_late{end_reason::interrupted, {}};
  on_end(too_late);
}

void game::on_turn_timeout() {
  turn_timer_ = {};
  if (table_.over() || suspended_) return;
  // A turn whose prompt waits for the journal does not expire.
  if (gate_.has_pending()) deadline_ = owning_loop().now() + setup_.turn_time;
  if (owning_loop().now() < deadline_) return arm_turn_timer();
  update_table(no_seat, {}, [this] { table_.on_turn_expired(timed_turn_, setup_.scratch); });
}

void game::count_end() {
  if (std::exchange(end_counted_, true)) return;
  const auto& o = table_.outcome();
  cells()
      .games_finished[static_cast<std::size_t>(result_of(o))][static_cast<std::size_t>(o.reason)]
      .add();
}

void game::quit_if_done() {
  finished_ = table_.over() && finished_seats_ == all_seats() && !gate_.has_pending() &&
              !(spectators_ && spectators_->has_pending());
  if (finished_) this->quit();
}

void game::on_exit() {
  owning_loop().timers().cancel(std::exchange(turn_timer_, {}));
  if (interruption_) owning_loop().timers().cancel(interruption_->deadline);
  if (std::exchange(awaits_commits_, false)) owning_loop().stop_awaiting_commits(table_.id());
  setup_.scratch.clear();
  if (!finished_) {
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
