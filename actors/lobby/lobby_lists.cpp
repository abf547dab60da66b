// What spectators and operators ask the lobby for: games, lists of them, and players.
#include "actors/lobby/lobby.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::lobby {

void lobby::find(runtime::find_game& m) {
  recall(m.game);
  if (const auto* runs = running_.find(m.game)) {
    if (!runs->awake())
      return wake_game(m.game, metrics::wake_cause::spectator, [this, m](bool awake) mutable {
        if (awake) find(m);
      });
    if (m.subscriber) send(runs->game, runtime::watch_request{std::move(m.subscriber)});
    if (m.snapshot) send(runs->game, runtime::snapshot_request{std::move(m.snapshot)});
    return;
  }
  auto* waiting = waiting_.find(m.game);
  if (waiting == nullptr) return void(look_for(m));
  if (m.snapshot) m.snapshot->on_waiting(waiting->metadata);
  if (!m.subscriber) return;
  m.subscriber->on_waiting(waiting->metadata);
  std::erase_if(waiting->subscriptions, [](const auto& each) { return !each->open(); });
  waiting->subscriptions.push_back(std::move(m.subscriber));
}

void lobby::find_clocks(const runtime::find_clocks& m) {
  std::vector<game_id> shared;
  for (const auto game : m.games) {
    if (shares_sleepers() && running_.find(game) == nullptr) {
      shared.push_back(game);
      continue;
    }
    if (const auto asleep = look_at(game); asleep && asleep->to_move) {
      m.by->answer(game, clock_of(*asleep, setup_.games->front().clock, owning_loop().now()));
      continue;
    }
    wake_game(game, metrics::wake_cause::spectator, [this, game, by = m.by](bool awake) {
      if (awake) send(running_.find(game)->game, runtime::clock_request{by});
    });
  }
  if (!shared.empty()) read_clocks(std::move(shared), m.by);
}

void lobby::find(const runtime::find_invitation& m) {
  m.answer(waiting_.find_invitation(party_of_invitation(m.invitation)));
}

// One more than the limit shows that there are more.
void lobby::list(const runtime::list_games& m) {
  const auto read =
      [log = setup_.log, before = m.before, most = m.limit + 1,
       of = m.kind ? setup_.directory->engines[setup_.directory->newest(*m.kind)].traits.id
                   : std::string{}] { return log->asleep_before(of, before, most); };
  const bool shared = m.running && m.shared && shares_sleepers();
  if (shared &&
      read_later([this, m, read] { return [this, m, asleep = read()] { answer(m, asleep); }; }))
    return;
  answer(m, m.running && setup_.log->asleep() != 0 ? read() : std::vector<game_id>{});
}

void lobby::answer(const runtime::list_games& m, const std::vector<game_id>& asleep) const {
  runtime::list_games::found found;
  if (m.running) {
    running_.listed().for_each_before(m.kind, m.before, m.limit + 1,
                                      [&](game_id id) { found.games.emplace_back(id, nullptr); });
    for (const auto id : asleep)
      if (running_.find(id) == nullptr) found.games.emplace_back(id, nullptr);
  }
  if (m.waiting)
    waiting_.listed().for_each_before(m.kind, m.before, m.limit + 1, [&](game_id id) {
      found.games.emplace_back(id, waiting_.find(id)->metadata);
    });
  std::sort(found.games.begin(), found.games.end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
  found.more = found.games.size() > m.limit;
  if (found.more) found.games.resize(m.limit);
  m.answer(std::move(found));
}

void lobby::list(const runtime::list_players& m) const {
  const auto limit = m.which.limit;
  std::vector<player_id> fitting;
  for (const auto& [player, at] : players_) {
    const auto* who = player > m.which.after ? names_.find(player) : nullptr;
    if (who == nullptr) continue;
    const auto fits = [&part = m.which.part](const std::string& name) {
      return name.find(part) != name.npos;
    };
    if (fits(who->name) || std::any_of(who->former.begin(), who->former.end(),
                                       [&](const auto& each) { return fits(each.name); }))
      fitting.push_back(player);
  }
  player_page found;
  found.more = fitting.size() > limit;
  const auto end = fitting.begin() + static_cast<std::ptrdiff_t>(std::min(limit, fitting.size()));
  std::partial_sort(fitting.begin(), end, fitting.end());
  for (auto at = fitting.begin(); at != end; ++at) {
    const auto& who = *names_.find(*at);
    auto& one = found.players.emplace_back();
    one.id = *at;
    one.name = who.name;
    for (const auto& each : who.former) one.former.push_back(each.name);
    if (const auto s = seeks_.find(*at); s != seeks_.end())
      one.waits_on = setup_.directory->wires[s->second.wire].name;
  }
  m.answer(std::move(found));
}

}  // namespace gamehub::actors::lobby
