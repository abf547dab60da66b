#include "actors/spectate/game_listing.hpp"

#include "actors/table/public_projection.hpp"

#include <algorithm>

namespace gamehub::actors::spectate {

const ended_game_cache::entry* ended_game_cache::find(game_id game) const {
  const auto at = games_.find(game);
  return at == games_.end() ? nullptr : &at->second;
}

void ended_game_cache::add(game_id game, entry e) {
  games_.insert_or_assign(game, e);
  if (games_.size() > games_max) games_.erase(games_.begin());
}

game_listing::game_listing(const spectator_setup& setup, ended_game_cache& cache, list_query query,
                           std::optional<std::uint16_t> kind, std::function<void(game_page)> to)
    : setup_(setup),
      cache_(cache),
      query_(std::move(query)),
      kind_(kind),
      to_(std::move(to)),
      looked_down_to_(query_.before),
      more_live_(wants(game_status::waiting) || wants(game_status::running)),
      more_ended_(wants(game_status::ended)) {}

game_listing::result game_listing::run() {
  for (logs_read_ = 0; logs_read_ < logs_per_step;) {
    if (live_.empty() && more_live_) return result::ask_lobby;
    if (ended_.empty() && more_ended_) fetch_ended();
    const bool full = page_.games.size() == query_.limit;
    const bool enough = looked_at_ >= looked_at_max || page_.logs_read >= logs_max;
    if ((full || enough) && !(live_.empty() && ended_.empty())) {
      page_.next = looked_down_to_;
      return result::complete;
    }
    const auto next = take();
    if (!next) return result::complete;
    add_to_page(*next);
  }
  return result::continue_later;
}

runtime::list_games game_listing::live_query() const {
  return {kind_,
          looked_down_to_,
          query_.limit,
          wants(game_status::waiting),
          wants(game_status::running),
          !query_.open,  // the hub that asks lists them itself
          {}};
}

void game_listing::add_live(runtime::list_games::found found) {
  live_.assign(std::make_move_iterator(found.games.rbegin()),
               std::make_move_iterator(found.games.rend()));
  more_live_ = found.more;
  // The log is read after the lobby, so that a game that ends meanwhile is in one of the lists.
  ended_.clear();
  more_ended_ = wants(game_status::ended);
}

std::vector<game_id> game_listing::running() const {
  std::vector<game_id> out;
  for (const auto& each : page_.games)
    if (each.progress.status == game_status::running) out.push_back(each.progress.game->id);
  return out;
}

void game_listing::set_clocks(std::unordered_map<game_id, game_clock>& clocks) {
  for (auto& each : page_.games)
    if (const auto at = clocks.find(each.progress.game->id); at != clocks.end())
      each.clock = std::move(at->second);
}

void game_listing::fetch_ended() {
  logs_read_ += logs_per_step;  // costs about as much
  ended_ = setup_.log->ended_before(looked_down_to_, list_limit_max);
  more_ended_ = ended_.size() == list_limit_max;
  std::reverse(ended_.begin(), ended_.end());
}

std::optional<game_listing::listed> game_listing::take() {
  if (live_.empty() && ended_.empty()) return std::nullopt;
  listed next;
  if (!live_.empty()) next = live_.back();
  const bool has_ended = !ended_.empty() && ended_.back() >= next.first;
  if (has_ended && ended_.back() > next.first) next = {ended_.back(), nullptr};
  // A game that has just ended is in both lists.
  if (has_ended) ended_.pop_back();
  ++looked_at_;
  if (!live_.empty() && live_.back().first == next.first) live_.pop_back();
  looked_down_to_ = next.first;
  return next;
}

bool game_listing::wants_ended(game_id game) const {
  const auto* known = cache_.find(game);
  if (known == nullptr) return true;
  const auto name = query_.player.empty() ? 0 : ended_game_cache::name_bit(query_.player);
  return known->listed && (!kind_ || known->kind == kind_) && (known->names & name) == name;
}

bool game_listing::wants_players(const game_metadata& game) const {
  return query_.player.empty() ||
         std::find(game.players.begin(), game.players.end(), query_.player) != game.players.end();
}

void game_listing::add_to_page(const listed& game) {
  const auto& [id, metadata] = game;
  if (metadata) {
    if (wants_players(*metadata)) page_.games.push_back({{metadata, game_status::waiting, 0}, {}});
    return;
  }
  if (!wants_ended(id)) return;
  ++logs_read_, ++page_.logs_read;
  auto found = summary_of(id);
  if (!found) return;
  const auto& progress = found->progress;
  if (progress.status == game_status::ended) {
    const auto engine = setup_.directory->find_engine(progress.game->engine);
    std::uint64_t names = 0;
    for (const auto& each : progress.game->players) names |= ended_game_cache::name_bit(each);
    if (engine)
      cache_.add(id, {setup_.directory->engines[*engine].kind, !progress.game->closed, names});
  }
  if (progress.game->closed || !wants(progress.status) ||
      (!query_.engine.empty() && progress.game->engine != query_.engine) ||
      !wants_players(*progress.game))
    return;
  page_.games.push_back(*std::move(found));
}

std::optional<game_summary> game_listing::summary_of(game_id game) const {
  const auto log = setup_.log->find(game);
  if (!log) return std::nullopt;
  const auto engine = setup_.directory->find_engine(log->header.engine, log->header.engine_version);
  const auto& last = log->records.back();
  game_summary out;
  out.progress.game =
      table::metadata_of(*log, engine ? &setup_.directory->engines[*engine].rules : nullptr);
  out.progress.last = last.number;
  out.progress.status = game_status::running;
  if (last.what != journal::record::kind::ended) return out;
  out.progress.status = game_status::ended;
  out.outcome.emplace();
  out.outcome->reason = last.why;
  if (last.seat >= 0) out.outcome->winner = last.seat;
  return out;
}

}  // namespace gamehub::actors::spectate
