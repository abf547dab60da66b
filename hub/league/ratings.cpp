#include "hub/league/ratings.hpp"

#include <algorithm>

namespace gamehub::league {
namespace {

// A clock that was set back must not reduce a deviation.
double periods_since(const rating& r, base::wall_time now) {
  if (r.games == 0 || now <= r.at) return 0;
  return std::chrono::duration<double>{now - r.at} / std::chrono::duration<double>{rating_period};
}

}  // namespace

void rating_book::load(std::vector<rating> all) {
  for (auto& each : all) {
    const std::pair key{each.engine, each.who};
    ratings_[key] = std::move(each);
  }
}

std::array<rating, 2> rating_book::add(const std::string& engine, const std::array<bot_id, 2>& bots,
                                       std::optional<seat_index> winner, base::wall_time now) {
  std::array<rating*, 2> players{&ratings_[{engine, bots[0]}], &ratings_[{engine, bots[1]}]};
  const std::array before{players[0]->now, players[1]->now};
  for (std::size_t seat = 0; seat < 2; ++seat) {
    auto& p = *players.at(seat);
    const auto won = winner && *winner == static_cast<seat_index>(seat);
    const std::array game{glicko_game{before.at(1 - seat), won ? 1 : winner ? 0 : 0.5}};
    p.now = rated(p.now, game, periods_since(p, now));
    p.engine = engine;
    p.who = bots.at(seat);
    p.at = now;
    ++p.games;
    ++(won ? p.wins : winner ? p.losses : p.draws);
  }
  return {*players[0], *players[1]};
}

void rating_book::remove(bot_id who) {
  std::erase_if(ratings_, [who](const auto& each) { return each.first.second == who; });
}

std::vector<rating> rating_book::best(std::string_view engine) const {
  std::vector<rating> found;
  for (const auto& [key, r] : ratings_)
    if (key.first == engine) found.push_back(r);
  std::sort(found.begin(), found.end(), [](const rating& a, const rating& b) {
    return a.now.rating != b.now.rating ? a.now.rating > b.now.rating : a.who.value < b.who.value;
  });
  return found;
}

std::vector<rating> rating_book::all() const {
  std::vector<rating> out;
  for (const auto& [key, r] : ratings_) out.push_back(r);
  return out;
}

}  // namespace gamehub::league
