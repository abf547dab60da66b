#include "actors/relay/followed_games.hpp"

#include "actors/relay/exchange.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

namespace gamehub::actors::relay {

namespace messages = gamehub::relay;

namespace {

// After which a game without readers is given up, and one that no hub has is looked for again.
constexpr std::chrono::milliseconds timer_pause{250};

// The hub of a game is told of this many updates at once; it sends more before it waits.
constexpr std::uint32_t taken_at_once = messages::watch_updates_max / 4;

}  // namespace

void followed_games::add(member_id at, game_id game,
                         std::shared_ptr<runtime::subscription> reader) {
  if (closed_) return;
  const auto [place, is_new] = games_.try_emplace(game);
  auto& g = place->second;
  if (!is_new) {
    if (g.waiting && g.about) reader->on_waiting(g.about);
    if (g.joined) reader->follow(g.updates.size(), g.present);
    if (g.ended) reader->ended();
    return g.readers.push_back(std::move(reader));
  }
  by_.add_followed(1);
  g.readers.push_back(std::move(reader));
  g.at = at;
  ask(game, g);
  arm();
}

std::optional<game_replay> followed_games::replay_of(game_id game) const {
  const auto at = games_.find(game);
  if (at == games_.end() || !at->second.joined) return std::nullopt;
  return game_replay{at->second.about, at->second.updates, at->second.ended, {}, nullptr};
}

void followed_games::ask(game_id game, followed& g) {
  g.number = last_number_ += step_;
  numbers_.emplace(g.number, game);
  if (!by_.send(g.at, messages::watch{g.number, game, g.updates.size()}, loop_.now())) lose(g);
}

followed_games::followed* followed_games::find(member_id from, std::uint64_t number) {
  const auto game = numbers_.find(number);
  if (game == numbers_.end()) return nullptr;
  auto& g = games_.at(game->second);
  return g.at == from ? &g : nullptr;
}

void followed_games::receive(member_id from, messages::watch_found& m) {
  auto* const g = find(from, m.number);
  if (g == nullptr) return;
  g->about = m.game;
  g->waiting = m.status == game_status::waiting;
  g->awaited = m.last;
  if (g->waiting || g->updates.size() >= m.last) g->lost_at.reset();
  if (!g->waiting) return join_if_complete(*g);
  for (const auto& each : g->readers) each->on_waiting(g->about);
}

void followed_games::receive(member_id from, messages::watch_update& m) {
  auto* const g = find(from, m.number);
  if (g == nullptr) return;
  take(*g);
  if (m.game) g->about = m.game;
  if (m.what.number != g->updates.size() + 1 || !g->about) {
    by_.count_wrong();
    by_.send(from, messages::watch_gone{m.number}, {});
    return lose(*g);
  }
  m.what.game = g->about;
  g->updates.push_back(std::make_shared<const game_update>(std::move(m.what)));
  g->lost_at.reset();
  g->waiting = false;
  g->present = std::move(m.present);
  g->joined ? publish(*g, g->updates.back()) : join_if_complete(*g);
}

void followed_games::receive(member_id from, messages::watch_present& m) {
  auto* const g = find(from, m.number);
  if (g == nullptr) return;
  g->lost_at.reset();
  g->present = std::move(m.present);
  if (g->joined) publish(*g, nullptr);
}

void followed_games::receive(member_id from, messages::watch_end& m) {
  auto* const g = find(from, m.number);
  if (g == nullptr) return;
  const auto game = numbers_.at(m.number);
  lose(*g);
  if (!m.complete) {
    // One that waits is withdrawn, another one may go on at another hub.
    if (g->waiting && g->about) by_.add_followed(-1), games_.erase(game);
    return;
  }
  g->ended = true;
  g->present = nullptr;
  join_if_complete(*g);
  for (const auto& each : g->readers) each->ended();
}

// Readers that join get the updates so far by replay_of().
void followed_games::join_if_complete(followed& g) {
  if (g.joined || g.updates.size() < g.awaited) return;
  g.joined = true;
  for (const auto& each : g.readers) each->follow(g.updates.size(), g.present);
}

void followed_games::publish(followed& g, const update_ref& what) {
  const auto updates = what ? std::span{&what, 1} : std::span<const update_ref>{};
  for (const auto& each : g.readers) each->publish(updates, g.present);
}

void followed_games::take(followed& g) {
  if (++g.untaken < taken_at_once) return;
  if (by_.send(g.at, messages::watch_taken{g.number, g.untaken}, {})) g.untaken = 0;
}

void followed_games::lose(followed& g) {
  numbers_.erase(std::exchange(g.number, 0));
  g.untaken = 0;
  if (!g.lost_at) g.lost_at = loop_.now();
}

void followed_games::lose(const std::vector<member_id>& gone) {
  for (auto& [game, g] : games_)
    if (g.number != 0 && std::find(gone.begin(), gone.end(), g.at) != gone.end()) lose(g);
}

void followed_games::close() {
  closed_ = true;
  loop_.timers().cancel(std::exchange(timer_, {}));
  by_.add_followed(-static_cast<std::int64_t>(games_.size()));
  numbers_.clear();
  games_.clear();
}

void followed_games::arm() {
  if (timer_ || games_.empty()) return;
  timer_ = loop_.timers().arm(loop_.now() + timer_pause, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->on_timer();
  });
}

void followed_games::on_timer() {
  timer_ = {};
  std::int64_t dropped = 0;
  for (auto at = games_.begin(); at != games_.end();) {
    const auto each = at++;
    if (check(each->first, each->second)) continue;
    games_.erase(each);
    ++dropped;
  }
  by_.add_followed(-dropped);
  arm();
}

bool followed_games::check(game_id game, followed& g) {
  std::erase_if(g.readers, [](const auto& each) { return !each->open(); });
  const bool late = g.lost_at && loop_.now() - *g.lost_at >= limits::return_time_max;
  if (g.readers.empty() || (late && !g.ended)) {
    if (g.number != 0) by_.send(g.at, messages::watch_gone{g.number}, {});
    numbers_.erase(g.number);
    return false;
  }
  if (g.number == 0 && !g.ended && !g.looked_for) look_for(game, g);
  return true;
}

void followed_games::look_for(game_id game, followed& g) {
  g.looked_for = true;
  by_.find_game(game, {}, [weak = weak_from_this(), &loop = loop_, game](auto at) {
    loop.post([weak, game, at] {
      if (const auto self = weak.lock()) self->on_located(game, at);
    });
  });
}

// If it is at no other hub it may be here.
void followed_games::on_located(game_id game, std::optional<member_id> at) {
  const auto place = games_.find(game);
  if (place == games_.end() || !std::exchange(place->second.looked_for, false)) return;
  place->second.at = at.value_or(by_.self());
  ask(game, place->second);
}

}  // namespace gamehub::actors::relay
