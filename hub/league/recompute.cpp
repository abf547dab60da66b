#include "hub/league/recompute.hpp"

#include "hub/league/arena.hpp"
#include "hub/league/logged_bots.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace gamehub::league {
namespace {

struct rated_game {
  base::wall_time ended{};
  game_id id;
  std::string engine;
  std::array<std::string, 2> names;
  std::optional<seat_index> winner;
};

}  // namespace

recomputed recompute(journal::archive& from, const std::vector<bot_record>& bots) {
  std::map<std::string, const bot_record*> by_name;
  for (const auto& b : bots) by_name[b.name] = &b;
  std::vector<rated_game> games;
  from.for_each({}, [&](journal::archived_game& each) {
    if (each.state != journal::game_state::ended || each.records.empty()) return true;
    const auto end = each.records.back().at;
    auto game = game_of_bots({each.header, std::move(each.records)});
    if (game && game->outcome.ended && has_result(game->outcome.ended->why))
      games.push_back(
          {end, game->id, each.header.engine, std::move(game->names), game->outcome.ended->winner});
    return true;
  });
  std::sort(games.begin(), games.end(), [](const rated_game& a, const rated_game& b) {
    return std::tie(a.ended, a.id.value) < std::tie(b.ended, b.id.value);
  });
  recomputed out;
  rating_book book;
  for (const auto& g : games) {
    // The name may have been that of a bot that was removed.
    const auto bot_of = [&](const std::string& name) {
      const auto found = by_name.find(name);
      return found == by_name.end() || found->second->since > g.ended ? bot_id{}
                                                                      : bot_id{found->second->id};
    };
    const std::array ids{bot_of(g.names[0]), bot_of(g.names[1])};
    if (!ids[0] || !ids[1]) {
      ++out.unknown;
      continue;
    }
    book.add(g.engine, ids, g.winner, g.ended);
    ++out.games;
  }
  out.ratings = book.all();
  return out;
}

}  // namespace gamehub::league
