// Where the lobby leads those who watch.
#include <algorithm>
#include <utility>

#include "actors/lobby.hpp"

namespace gamehub::actors {

namespace {

// Games that one list may look at: of a rare engine there may be few among very many.
constexpr std::size_t looked_at_max = 4'096;

}  // namespace

void lobby::find(find_game& m) {
  if (const auto* runs = running_.find(m.game)) {
    if (m.to_follow) tell(runs->game, watch_request{std::move(m.to_follow)});
    if (m.to_look) tell(runs->game, look_request{std::move(m.to_look)});
    return;
  }
  auto* waits = waiting_.find(m.game);
  if (waits == nullptr) return;
  if (m.to_look) m.to_look->waits(waits->card);
  if (!m.to_follow) return;
  m.to_follow->waits(waits->card);
  std::erase_if(waits->lines, [](const auto& each) { return !each->open(); });
  waits->lines.push_back(std::move(m.to_follow));
}

void lobby::list(const list_games& m) {
  list_games::found found;
  // Walks down one of the two kinds of games, and notes where it had to stop.
  const auto walk = [&](const auto& games, auto take) {
    std::size_t looked_at = 0, taken = 0;
    games.for_each_before(m.before, [&](game_id id, const auto& what) {
      if (taken == m.limit || looked_at++ == looked_at_max) {
        found.looked_down_to = std::max(found.looked_down_to, {id.value + 1});
        return false;
      }
      if (take(id, what)) ++taken;
      return true;
    });
  };
  const auto wanted = [&](std::uint16_t kind) { return !m.kind || kind == *m.kind; };
  walk(running_, [&](game_id id, const running_games::entry& what) {
    if (!wanted(setup_.offered->engines[what.engine].kind)) return false;
    found.games.emplace_back(id, nullptr);
    return true;
  });
  walk(waiting_, [&](game_id id, const waiting_games::entry& what) {
    if (!wanted(what.kind) || what.card->closed || !what.awaits.empty()) return false;
    found.games.emplace_back(id, what.card);
    return true;
  });
  // Those below are for the next page.
  std::erase_if(found.games, [&](const auto& each) { return each.first < found.looked_down_to; });
  std::sort(found.games.begin(), found.games.end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
  m.answer(std::move(found));
}

}  // namespace gamehub::actors
