// The hub stops: what becomes of its games.
#include "actors/lobby/lobby.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::lobby {

void lobby::on_drain(const runtime::drain& m) {
  draining_ = true;
  hands_over_ = m.what;
  // No further player is seated. The sessions notify their clients.
  for (const auto& [player, s] : seeks_) matches_.remove(player);
  seeks_.clear();
  waiting_.clear();
  offers_.clear();
  count_waiting();
  if (setup_.log->durable()) suspend_games(false, hands_over_);
}

void lobby::suspend_games(bool at_last, runtime::hand_over what) {
  handover_.awaited.clear();
  // One that is asleep is in the journal, as one that is suspended.
  running_.for_each([&](game_id id, const auto& r) {
    if (r.game) suspend(r.game, id, at_last, what);
  });
}

void lobby::suspend(const runtime::game_actor& game, game_id id, bool at_last,
                    runtime::hand_over what) {
  if (what == runtime::hand_over::none) return send(game, runtime::suspend_game{at_last});
  handover_.awaited.insert(game.id());
  if (!handover_.timer)
    handover_.timer = arm_timer(owning_loop().now() + handover_waits_max, handover_timer);
  send(game,
       runtime::suspend_game{
           at_last, what,
           [to = self(), actor = game.id(), id](bool settled, runtime::loop& where,
                                                std::vector<std::string> keys) {
             caf::anon_send(to, runtime::game_settled{actor, id, settled, &where, std::move(keys)});
           }});
}

void lobby::on_settled(runtime::game_settled& m) {
  handover_.awaited.erase(m.actor);
  if (m.settled) handover_.settled.push_back(std::move(m));
  if (handover_.awaited.empty()) hand_over_settled();
}

void lobby::on_handover_timer() {
  handover_.timer = {};
  handover_.awaited.clear();
  hand_over_settled();
}

void lobby::hand_over_settled() {
  owning_loop().timers().cancel(std::exchange(handover_.timer, {}));
  std::vector<journal::handed_game> all;
  for (auto& each : std::exchange(handover_.settled, {})) {
    handover_.given.insert(each.actor);
    all.push_back({each.game, each.where, std::move(each.keys)});
  }
  if (all.empty()) return;
  for (const auto id : setup_.log->hand_over(all))
    if (const auto* runs = running_.find(id)) {
      runtime::suspend_game stays;
      stays.not_taken = true;
      send(runs->game, std::move(stays));
    }
}

void lobby::on_game_down(caf::actor_id game) {
  if (handover_.awaited.erase(game) != 0 && handover_.awaited.empty()) hand_over_settled();
  if (handover_.given.erase(game) == 0 || !handover_.given.empty() || !keys_) return;
  // The keys of their players went with the games: of those who have other games here, this hub is
  // to get them back.
  for (const auto& [player, who] : players_) keys_->claims.doubt(player);
  change_keys();
}

void lobby::on_end_games(const runtime::end_games& m) {
  const auto parks = m.why == end_reason::drained && setup_.log->durable();
  constexpr auto of_returning = runtime::hand_over::of_returning;
  std::size_t games = 0;
  // A game that is suspended now does not end. Clients go now: the games are those of players who
  // come back.
  if (parks) suspend_games(true, std::min(hands_over_, of_returning));
  running_.for_each([&](game_id, const auto& r) {
    if (!r.game || (m.host != nullptr && m.host != r.host)) return;
    send(r.game, runtime::end_request{m.why, {}});
    ++games;
  });
  if (m.counted) m.counted(games);
}

}  // namespace gamehub::actors::lobby
