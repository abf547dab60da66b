#include "actors/game.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "actors/house.hpp"
#include "actors/inside.hpp"

namespace gamehub::actors {

namespace {

constexpr seat_index nobody = -1;

// Which timer it is.
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

// Microseconds, as receipts have them: at least one, so that it is seen that it came to this.
std::uint32_t since(instant received, instant now) {
  using std::chrono::microseconds;
  constexpr microseconds longest = std::chrono::hours{1};
  const auto past = std::chrono::duration_cast<microseconds>(now - received);
  return static_cast<std::uint32_t>(std::clamp(past, microseconds{1}, longest).count());
}

std::vector<table_seat> seats_of(const std::vector<game_player>& players) {
  std::vector<table_seat> seats;
  for (const auto& p : players) seats.push_back(p.seat);
  return seats;
}

}  // namespace

game::game(caf::actor_config& config, game_setup& setup, game_id id, std::uint16_t engine,
           std::string options, engines::match match, std::vector<game_player> players, bool closed)
    : typed_loop_actor(config),
      setup_(setup),
      table_(id, setup.directory->engines[engine].rules, std::move(match), seats_of(players)),
      engine_(engine),
      opening_(std::make_unique<opening>()) {
  opening_->options = std::move(options);
  opening_->closed = closed;
  for (auto& p : players) {
    players_.push_back(std::move(p.session));
    opening_->arrivals.push_back(std::move(p.came));
  }
  finished_seats_ = table_.house();
}

game::game(caf::actor_config& config, game_setup& setup, game_id id, std::uint16_t engine,
           logged_game was)
    : typed_loop_actor(config),
      setup_(setup),
      table_(id, setup.directory->engines[engine].rules, std::move(was.match), std::move(was.seats)),
      players_(table_.seats().size()),
      engine_(engine),
      interruption_(std::make_unique<interruption>()) {
  table_.go_on(was.records);
  gate_.appended(was.records.back().number);
  gate_.committed(was.records.back().number);
  interruption_->away = everyone() & ~table_.house();
  interruption_->turn = table_.turn();
  interruption_->turn_lasted = was.turn_lasted;
  finished_seats_ = everyone();
}

bool game::receive(caf::message& what) {
  return dispatch(what, std::tuple{
                            [this](play_request& m) { play(m); },
                            [this](const begin_game&) { begin(); },
                            [this](chat_request& m) { say(m); },
                            [this](const leave_request& m) { leave(m); },
                            [this](const show_request& m) { show(m); },
                            [this](watch_request& m) { meet(m); },
                            [this](look_request& m) { look(m); },
                            [this](end_request& m) { end(m); },
                            [this](const log_committed& m) { released(m.number); },
                            [this](const search_result& m) { hear(m); },
                            [this](const timer_up& m) { on_timeout(m); },
                            [this](reserve_seat& m) {
                              finished_seats_ &= ~only(m.seat);
                              players_[static_cast<std::size_t>(m.seat)] = std::move(m.session);
                            },
                            [this](const park&) { rest(); },
                        });
}

void game::prefetch() const {
  __builtin_prefetch(players_.data());
  table_.prefetch();
}

void game::begin() {
  begun_ = true;
  cells().games_started.add();
  if (interruption_) {
    interruption_->deadline = home().timers().arm(home().now() + setup_.rejoin_time,
                                                 [this] { tell(self(), timer_up{rejoin_timer}); });
    return;
  }
  const auto& rules = setup_.directory->engines[engine_].rules;
  const auto with = std::move(opening_);
  setup_.log->open({table_.id(), std::string{rules.id()}, rules.version_text(),
                    std::move(with->options), home().wall_now()});
  decide(nobody, {},
         [&] { table_.open(with->arrivals, *setup_.luck, setup_.scratch, with->closed); });
  if (const auto early = std::move(deferred_))
    for (auto& what : *early) what();
}

void game::defer(std::function<void()> what) {
  if (!deferred_) deferred_ = std::make_unique<std::vector<std::function<void()>>>();
  deferred_->push_back(std::move(what));
}

void game::play(play_request& m) {
  if (!begun_) return defer([this, m]() mutable { play(m); });
  m.receipt.stages.taken_up = since(m.receipt.received, home().now());
  decide(m.seat, m.receipt,
         [&] { table_.play(m.seat, m.receipt, std::move(m.what), *setup_.luck, setup_.scratch); });
}

void game::say(chat_request& m) {
  if (!begun_) return defer([this, m]() mutable { say(m); });
  decide(m.seat, m.receipt,
         [&] { table_.say(m.seat, m.receipt, std::move(m.text), setup_.scratch); });
}

void game::leave(const leave_request& m) {
  if (!begun_) return defer([this, m] { leave(m); });
  if (m.receipt.ticket == 0) {
    finished_seats_ |= only(m.seat);
    players_[static_cast<std::size_t>(m.seat)] = nullptr;
  }
  decide(m.seat, m.receipt, [&] {
    if (interruption_)
      table_.excuse(m.seat, m.receipt, setup_.scratch);
    else
      table_.leave(m.seat, m.receipt, setup_.scratch);
  });
}

void game::show(const show_request& m) {
  // Before the beginning: that shows it to everyone.
  if (!begun_) return;
  table_.visited(m.seat, home().wall_now());
  decide(m.seat, {}, [&] { table_.show(m.seat, m.form, setup_.scratch); });
  if (interruption_) come_back(m.seat);
}

void game::end(end_request& m) {
  if (!begun_) return defer([this, m]() mutable { end(m); });
  if (m.why == end_reason::failed && !table_.over()) home().cells().loop.games_failed.add();
  decide(nobody, {}, [&] { table_.end(m.why, std::move(m.note), setup_.scratch); });
}

void game::come_back(seat_index seat) {
  interruption_->away &= ~only(seat);
  seat_set expected = 0;
  for (seat_index s = 0; s < static_cast<seat_index>(players_.size()); ++s)
    if (players_[static_cast<std::size_t>(s)]) expected |= only(s);
  if ((interruption_->away & expected) != 0) return;
  // All who can be back are. If somebody can't, there is nothing more to wait for.
  if (interruption_->away != 0) {
    end_request nobody_else{end_reason::interrupted, {}};
    return end(nobody_else);
  }
  home().timers().cancel(interruption_->deadline);
  const auto was = std::exchange(interruption_, nullptr);
  watch_clock(table_.turn() == was->turn ? was->turn_lasted : std::chrono::milliseconds{0});
  // It may have been the turn of the house.
  if (table_.house() != 0)
    decide(nobody, {}, [this] { table_.play_house_at_once(*setup_.luck, setup_.scratch); });
}

void game::rest() {
  if (!begun_) return defer([this] { rest(); });
  const auto& seats = table_.seats();
  if (!setup_.log->durable() || table_.over() || suspended_ ||
      !std::all_of(seats.begin(), seats.end(), [](const table_seat& s) { return s.can_return; }))
    return;
  suspended_ = true;
  if (!gate_.has_pending()) notify_suspended();
}

void game::notify_suspended() {
  finished_ = true;
  for (const auto& p : players_)
    if (p) tell(p, parked{table_.id()});
  this->quit();
}

template <class Decide>
void game::decide(seat_index asking, const receipt& answers, Decide what) {
  if (suspended_) return;
  auto& d = setup_.scratch;
  const auto was_over = table_.over();
  try {
    const inside it{home().cells().loop, engine_};
    what();
    consult();
  } catch (...) {
    // Also what is no std::exception: an engine of others' may throw anything.
    // What was done by then stays in the log. Of what was to be told only the end is left, which
    // answers whoever asked, and which those who know it need not hear again.
    d.outbound.clear();
    table_.abandon(d);
    if (was_over)
      std::erase_if(d.outbound, [&](const transition::outbound_event& n) { return n.to != asking; });
    else
      home().cells().loop.games_failed.add();
    for (auto& n : d.outbound)
      if (n.to == asking) n.what.answers = answers;
  }
  carry_out();
}

void game::consult() {
  while (!interruption_ && to_ask()) {
    const auto turn = table_.turn();
    if (std::exchange(searched_turn_, turn) != turn) asked_ = 0;
    const auto seat = static_cast<seat_index>(std::countr_zero(table_.seats_awaiting_search() & ~asked_));
    asked_ |= only(seat);
    search_request q{self(),
               seat,
               turn,
               setup_.directory->engines[engine_].rules,
               table_.match().clone(),
               {*table_.seats()[static_cast<std::size_t>(seat)].house, setup_.luck->next(), {}}};
    if (setup_.searcher != nullptr && setup_.searcher->take(q)) continue;
    const auto any = house::random_action(table_.match(), seat, q.style.seed);
    count_engine_move(metrics::effort::random);
    table_.play_house(seat, turn, any, *setup_.luck, setup_.scratch);
  }
}

void game::hear(const search_result& m) {
  if (m.turn != table_.turn() || !holds(table_.seats_awaiting_search(), m.seat)) return;
  cells().thinking_duration.observe(m.took);
  count_engine_move(m.hurried ? metrics::effort::hurried : metrics::effort::full);
  decide(nobody, {}, [&] {
    if (!m.what) throw engines::engine_failure{"the house has no move"};
    table_.play_house(m.seat, m.turn, *m.what, *setup_.luck, setup_.scratch);
  });
}

void game::carry_out() {
  auto& d = setup_.scratch;
  if (!d.records.empty()) append(d.records);
  // Counted before anyone is told, so that whoever was told finds it counted.
  if (table_.over()) count_end();
  for (auto& n : d.outbound)
    if (auto& of = n.what.answers; of.stages.taken_up != 0)
      of.stages.decided = since(of.received, home().clock());
  if (gate_.open() && !gate_.has_pending()) {
    send_to_players(d.outbound);
  } else {
    gate_.hold(d.outbound);
    if (!std::exchange(awaits_commits_, true)) home().await_commits(table_.id(), self());
  }
  d.clear();
  if (spectators_) tell_audience();
  watch_clock();
  quit_if_done();
}

void game::append(std::vector<journal::record>& records) {
  const auto at = home().wall_now();
  for (auto& r : records) {
    r.at = at;
    if (r.seat >= 0 && r.what != journal::record::kind::joined &&
        r.what != journal::record::kind::ended)
      table_.visited(r.seat, at);
    if (r.what == journal::record::kind::moved && holds(table_.house_at_once(), r.seat))
      count_engine_move(metrics::effort::at_once);
  }
  gate_.appended(records.back().number);
  gate_.committed(setup_.log->append(table_.id(), records, home()));
  if (!spectators_) return;
  const inside it{home().cells().loop, engine_};
  spectators_->hear(records);
}

void game::released(journal::record_number upto) {
  gate_.committed(upto);
  gate_.release(setup_.scratch.outbound);
  for (auto& n : setup_.scratch.outbound)
    if (auto& of = n.what.answers; of.stages.taken_up != 0)
      of.stages.committed = since(of.received, home().clock());
  send_to_players(setup_.scratch.outbound);
  setup_.scratch.clear();
  if (spectators_) tell_audience();
  if (gate_.has_pending()) return;
  // Whose turn it is has heard of it just now.
  if (clock_ && !table_.over() && table_.turn() == timed_turn_)
    deadline_ = home().now() + setup_.turn_time;
  if (suspended_) return notify_suspended();
  quit_if_done();
}

void game::send_to_players(std::vector<transition::outbound_event>& outbound) {
  for (auto& n : outbound)
    if (const auto& to = players_[static_cast<std::size_t>(n.to)]) tell(to, std::move(n.what));
}

void game::watch_clock(std::chrono::milliseconds lasted) {
  if (setup_.turn_time.count() == 0 || interruption_) return;
  if (table_.over()) {
    home().timers().cancel(std::exchange(clock_, {}));
    return;
  }
  if (table_.turn() == timed_turn_) return;
  timed_turn_ = table_.turn();
  deadline_ = home().now() + setup_.turn_time -
              std::min<std::chrono::milliseconds>(lasted, setup_.turn_time);
  // One timer a game: it is set anew when it rings early, not at every move.
  if (!clock_) arm_clock();
}

void game::arm_clock() {
  clock_ = home().timers().arm(deadline_, [this] { tell(self(), timer_up{turn_timer}); });
}

void game::on_timeout(const timer_up& m) {
  if (m.number == turn_timer) return clock_rang();
  if (!interruption_) return;
  interruption_->deadline = {};
  end_request too_late{end_reason::interrupted, {}};
  end(too_late);
}

void game::clock_rang() {
  clock_ = {};
  if (table_.over() || suspended_) return;
  // Nobody loses by a turn that the journal has kept from it.
  if (gate_.has_pending()) deadline_ = home().now() + setup_.turn_time;
  if (home().now() < deadline_) return arm_clock();
  decide(nobody, {}, [this] { table_.on_turn_expired(timed_turn_, setup_.scratch); });
}

void game::count_end() {
  if (std::exchange(counted_end_, true)) return;
  const auto& o = table_.outcome();
  cells()
      .games_finished[static_cast<std::size_t>(result_of(o))][static_cast<std::size_t>(o.reason)]
      .add();
}

void game::quit_if_done() {
  finished_ = table_.over() && finished_seats_ == everyone() && !gate_.has_pending() &&
              !(spectators_ && spectators_->waits());
  if (finished_) this->quit();
}

void game::on_exit() {
  home().timers().cancel(std::exchange(clock_, {}));
  if (interruption_) home().timers().cancel(interruption_->deadline);
  if (std::exchange(awaits_commits_, false)) home().forget_commits(table_.id());
  setup_.scratch.clear();
  if (!finished_) {
    // Only a fault of the hub's own leads here, which is the journal's: the players are told, and
    // the log is closed if it can be.
    home().cells().loop.games_failed.add();
    table_.abandon(setup_.scratch);
    count_end();
    try {
      if (!setup_.scratch.records.empty()) append(setup_.scratch.records);
    } catch (const std::exception&) {
      // The players are told all the same.
    }
    send_to_players(setup_.scratch.outbound);
    setup_.scratch.clear();
  }
  // Those who still watch hear that it has gone, and read its log.
  spectators_.reset();
  players_.clear();
}

}  // namespace gamehub::actors
