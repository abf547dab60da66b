#include "actors/game.hpp"

#include <utility>

namespace gamehub::actors {

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

std::vector<table_seat> seats_of(const std::vector<game_player>& players) {
  std::vector<table_seat> seats;
  for (const auto& p : players) seats.push_back(p.seat);
  return seats;
}

}  // namespace

game::game(caf::actor_config& config, game_setup& setup, game_id id, std::uint16_t engine,
           std::string options, engines::match match, std::vector<game_player> players)
    : pinned(config),
      setup_(setup),
      table_(id, setup.offered->engines[engine].rules, std::move(match), seats_of(players)),
      options_(std::move(options)),
      engine_(engine) {
  for (auto& p : players) players_.push_back(std::move(p.session));
}

game::behavior_type game::make_behavior() {
  return {
      [this](const begin_game&) { begin(); },
      [this](play_request& m) { play(m); },
      [this](const leave_request& m) { leave(m); },
      [this](const show_request& m) { show(m); },
      [this](const end_request& m) {
        table_.end(m.why, setup_.scratch);
        carry_out();
      },
      [this](const log_committed& m) { released(m.number); },
      [this](const timer_up&) { clock_rang(); },
  };
}

void game::begin() {
  cells().games_started.add();
  const auto& rules = setup_.offered->engines[engine_].rules;
  setup_.log->open({table_.id(), std::string{rules.id()}, rules.version_text(), std::move(options_),
                    home().wall_now()});
  table_.open(*setup_.luck, setup_.scratch);
  carry_out();
}

void game::play(play_request& m) {
  table_.play(m.seat, m.receipt, std::move(m.what), *setup_.luck, setup_.scratch);
  carry_out();
}

void game::leave(const leave_request& m) {
  table_.leave(m.seat, m.receipt, setup_.scratch);
  if (m.receipt.ticket == 0) {
    asks_no_more_ |= only(m.seat);
    players_[static_cast<std::size_t>(m.seat)] = nullptr;
  }
  carry_out();
}

void game::show(const show_request& m) {
  table_.show(m.seat, setup_.scratch);
  carry_out();
}

void game::carry_out() {
  auto& d = setup_.scratch;
  if (!d.records.empty()) append(d.records);
  if (gate_.open() && !gate_.holds_any()) {
    tell(d.notices);
  } else {
    gate_.hold(d.notices);
    if (!std::exchange(awaits_commits_, true)) home().await_commits(table_.id(), self());
  }
  d.clear();
  if (table_.over()) count_end();
  watch_clock();
  quit_if_done();
}

void game::append(std::vector<journal::record>& records) {
  const auto at = home().wall_now();
  for (auto& r : records) r.at = at;
  gate_.appended(records.back().number);
  gate_.committed(setup_.log->append(table_.id(), records, home()));
}

void game::released(journal::record_number upto) {
  gate_.committed(upto);
  gate_.release(setup_.scratch.notices);
  tell(setup_.scratch.notices);
  setup_.scratch.clear();
  if (!gate_.holds_any() && std::exchange(awaits_commits_, false))
    home().forget_commits(table_.id());
  quit_if_done();
}

void game::tell(std::vector<decision::notice>& notices) {
  for (auto& n : notices)
    if (const auto& to = players_[static_cast<std::size_t>(n.to)])
      this->send(to, std::move(n.what));
}

void game::watch_clock() {
  if (setup_.turn_time.count() == 0) return;
  if (table_.over()) {
    home().timers().cancel(std::exchange(clock_, {}));
    return;
  }
  if (table_.turn() == clocked_turn_) return;
  clocked_turn_ = table_.turn();
  deadline_ = home().now() + setup_.turn_time;
  // One timer a game: it is set anew when it rings early, not at every move.
  if (!clock_) clock_ = home().timers().arm(deadline_, [this] { this->send(self(), timer_up{}); });
}

void game::clock_rang() {
  clock_ = {};
  if (table_.over()) return;
  if (home().now() < deadline_) {
    clock_ = home().timers().arm(deadline_, [this] { this->send(self(), timer_up{}); });
    return;
  }
  table_.turn_ran_out(clocked_turn_, setup_.scratch);
  carry_out();
}

void game::count_end() {
  if (std::exchange(counted_end_, true)) return;
  const auto& o = table_.outcome();
  cells()
      .games_finished[static_cast<std::size_t>(result_of(o))][static_cast<std::size_t>(o.reason)]
      .add();
}

void game::quit_if_done() {
  const auto everyone = only(static_cast<seat_index>(players_.size())) - 1;
  if (table_.over() && asks_no_more_ == everyone && !gate_.holds_any()) this->quit();
}

void game::on_exit() {
  home().timers().cancel(std::exchange(clock_, {}));
  if (std::exchange(awaits_commits_, false)) home().forget_commits(table_.id());
  setup_.scratch.clear();
  if (!table_.over()) {
    // Only a fault of the engine or the hub leads here: the players are told, and the log is closed
    // if it can be.
    home().cells().loop.games_failed.add();
    table_.abandon(setup_.scratch);
    count_end();
    try {
      append(setup_.scratch.records);
    } catch (const std::exception&) {
      // The journal was the fault; the players are told all the same.
    }
    tell(setup_.scratch.notices);
    setup_.scratch.clear();
  }
  players_.clear();
}

}  // namespace gamehub::actors
