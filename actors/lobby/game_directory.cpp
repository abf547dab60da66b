#include "actors/lobby/game_directory.hpp"

#include "hub/base/require.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace gamehub::actors::lobby {

void listed_games::remove(std::uint16_t kind, game_id game) {
  if (const auto at = by_kind_.find(kind); at != by_kind_.end())
    spare_.keep(at->second.extract(game));
}

void running_games::add(game_id id, entry e) {
  if (!e.game) {
    e.at = entry::stage::asleep;
    const auto& sleep = e.sleep();
    if (sleep.due != base::instant::max()) due_.emplace(sleep.due, id);
    if (!sleep.on_file) ++asleep_;
  }
  if (!e.closed) listed_.add(e.kind, id);
  if (e.lasts) ++lasting_;
  spare_.append(games_, id, std::move(e));
}

running_games::entry running_games::remove(game_id id) {
  auto removed = games_.extract(id);
  auto e = std::move(removed.mapped());
  spare_.keep(std::move(removed));
  listed_.remove(e.kind, id);
  if (e.lasts) --lasting_;
  if (e.at == entry::stage::asleep) {
    due_.erase({e.sleep().due, id});
    if (!e.sleep().on_file) --asleep_;
  }
  return e;
}

void running_games::set_asleep(game_id id, base::instant due) {
  auto& e = games_.at(id);
  e.game = nullptr;
  e.at = entry::stage::asleep;
  e.sleep().due = due;
  if (due != base::instant::max()) due_.emplace(due, id);
  if (!e.sleep().on_file) ++asleep_;
}

void running_games::set_due(game_id id, base::instant due) {
  auto& sleep = games_.at(id).sleep();
  due_.erase({sleep.due, id});
  sleep.due = due;
  due_.emplace(due, id);
}

void running_games::set_waking(game_id id) {
  auto& e = games_.at(id);
  due_.erase({e.sleep().due, id});
  e.at = entry::stage::waking;
  if (!e.sleep().on_file) --asleep_;
}

void running_games::set_awake(game_id id, runtime::game_actor actor) {
  auto& e = games_.at(id);
  e.game = std::move(actor);
  e.at = entry::stage::awake;
  e.proven = true;
  e.sleep().unread = e.sleep().on_file = false;
}

std::optional<std::pair<base::instant, game_id>> running_games::first_due() const {
  return due_.empty() ? std::nullopt : std::optional{*due_.begin()};
}

void running_games::clear() {
  games_.clear();
  listed_.clear();
  due_.clear();
  lasting_ = asleep_ = 0;
}

running_games::entry* running_games::find(game_id id) {
  const auto at = games_.find(id);
  return at == games_.end() ? nullptr : &at->second;
}

const running_games::entry* running_games::find(game_id id) const {
  const auto at = games_.find(id);
  return at == games_.end() ? nullptr : &at->second;
}

bool waiting_games::may_be_listed(const entry& e) {
  return !e.metadata->closed && e.awaits.empty();
}

void waiting_games::add(entry e) {
  const auto id = e.metadata->id;
  remove(e.by);
  by_player_[e.by] = id;
  if (!e.invitation.empty()) by_invitation_[e.invitation] = id;
  for (const auto other : e.awaits) by_awaited_.emplace(other, e.by);
  if (may_be_listed(e)) listed_.add(e.queue.engine, id);
  if (e.metadata->players.size() > 2) tables_[e.queue].insert(id);
  games_[id] = std::move(e);
}

std::optional<seat_index> waiting_games::entry::free_seat(std::optional<seat_index> wanted) const {
  const auto& names = metadata->players;
  const auto is_free = [&](seat_index at) {
    return at != seat && is_for_anyone(queue.fillers, at) &&
           std::none_of(others.begin(), others.end(),
                        [at](const auto& each) { return each.second == at; });
  };
  for (seat_index at = 0; at < static_cast<seat_index>(names.size()); ++at)
    if (is_free(at) && wanted.value_or(at) == at) return at;
  return std::nullopt;
}

const waiting_games::entry* waiting_games::find_table(const queue_key& queue,
                                                      std::optional<seat_index> wanted) const {
  const auto at = tables_.find(queue);
  if (at == tables_.end()) return nullptr;
  std::size_t tried = 0;
  for (const auto id : at->second) {
    const auto& e = games_.at(id);
    if (e.free_seat(wanted)) return &e;
    if (++tried == tables_tried_max) break;
  }
  return nullptr;
}

void waiting_games::add_player(game_id id, player_id player, seat_index seat, std::string name,
                               seat_kind kind) {
  auto& e = games_.at(id);
  GAMEHUB_REQUIRE(e.free_seat(seat) == seat && !by_player_.contains(player));
  e.others.emplace_back(player, seat);
  by_player_[player] = id;
  auto changed = std::make_shared<game_metadata>(*e.metadata);
  changed->players.at(static_cast<std::size_t>(seat)) = std::move(name);
  changed->kinds.at(static_cast<std::size_t>(seat)) = kind;
  tell(e, std::move(changed));
}

void waiting_games::tell(entry& e, std::shared_ptr<const game_metadata> changed) {
  e.metadata = std::move(changed);
  if (e.metadata->players.size() < 3) return;
  for (const auto& each : e.subscriptions) each->on_waiting(e.metadata);
}

seat_index waiting_games::seat_of(const entry& e, player_id player) {
  for (const auto& [other, seat] : e.others)
    if (other == player) return seat;
  return e.seat;
}

waiting_games::entry* waiting_games::find(game_id id) {
  const auto at = games_.find(id);
  return at == games_.end() ? nullptr : &at->second;
}

const waiting_games::entry* waiting_games::find(game_id id) const {
  const auto at = games_.find(id);
  return at == games_.end() ? nullptr : &at->second;
}

waiting_games::entry* waiting_games::find_invited(const std::string& party) {
  const auto at = by_invitation_.find(party);
  return at == by_invitation_.end() ? nullptr : find(at->second);
}

game_id waiting_games::game_of(player_id player) const {
  const auto at = by_player_.find(player);
  return at == by_player_.end() ? game_id{} : at->second;
}

std::vector<player_id> waiting_games::waiting_for(player_id player) const {
  std::vector<player_id> found;
  for (auto at = by_awaited_.lower_bound({player, {}});
       at != by_awaited_.end() && at->first == player; ++at)
    found.push_back(at->second);
  return found;
}

std::vector<std::shared_ptr<runtime::subscription>> waiting_games::start(game_id id) {
  const auto at = games_.find(id);
  if (at == games_.end()) return {};
  auto& e = at->second;
  auto subscriptions = std::move(e.subscriptions);
  if (!e.invitation.empty()) used_.add(e.invitation, state_of(e, game_status::running), e.address);
  erase(id);
  return subscriptions;
}

void waiting_games::remove(player_id player) {
  const auto at = by_player_.find(player);
  if (at == by_player_.end()) return;
  auto& e = games_.at(at->second);
  if (e.others.empty()) return erase(at->second);
  auto changed = std::make_shared<game_metadata>(*e.metadata);
  const auto seat = static_cast<std::size_t>(seat_of(e, player));
  changed->players.at(seat).clear();
  changed->kinds.at(seat) = seat_kind::free;
  tell(e, std::move(changed));
  by_player_.erase(at);
  if (e.by == player) {
    std::tie(e.by, e.seat) = e.others.front();
    e.others.erase(e.others.begin());
  } else {
    std::erase_if(e.others, [player](const auto& each) { return each.first == player; });
  }
}

void waiting_games::set_away(player_id player, bool away) {
  const auto at = by_player_.find(player);
  if (at == by_player_.end()) return;
  const auto& e = games_.at(at->second);
  if (e.by != player) return;
  if (away)
    listed_.remove(e.queue.engine, at->second);
  else if (may_be_listed(e))
    listed_.add(e.queue.engine, at->second);
}

invitation_state waiting_games::state_of(const entry& e, game_status status) {
  return {status, e.metadata, e.seat, e.rows, e.columns};
}

std::optional<invitation_state> waiting_games::find_invitation(const std::string& party) const {
  if (const auto at = by_invitation_.find(party); at != by_invitation_.end())
    return state_of(games_.at(at->second), game_status::waiting);
  const auto* used = used_.find(party);
  return used == nullptr ? std::nullopt : std::optional{*used};
}

void waiting_games::rename(player_id player, const std::string& name) {
  const auto change = [this](player_id host, auto how) {
    auto& at = games_.at(by_player_.at(host));
    auto changed = std::make_shared<game_metadata>(*at.metadata);
    how(*changed, at);
    tell(at, std::move(changed));
  };
  if (by_player_.contains(player))
    change(player, [&](game_metadata& m, const entry& e) {
      m.players.at(static_cast<std::size_t>(seat_of(e, player))) = name;
    });
  for (const auto host : waiting_for(player))
    change(host, [&](game_metadata& m, const entry&) { m.reserved_for = name; });
}

void waiting_games::clear() {
  games_.clear();
  by_player_.clear();
  by_invitation_.clear();
  by_awaited_.clear();
  tables_.clear();
  listed_.clear();
}

void waiting_games::erase(game_id id) {
  const auto at = games_.find(id);
  const auto& e = at->second;
  by_player_.erase(e.by);
  for (const auto& [other, seat] : e.others) by_player_.erase(other);
  if (const auto table = tables_.find(e.queue); table != tables_.end()) {
    table->second.erase(id);
    if (table->second.empty()) tables_.erase(table);
  }
  by_invitation_.erase(e.invitation);
  for (const auto other : e.awaits) by_awaited_.erase({other, e.by});
  listed_.remove(e.queue.engine, id);
  games_.erase(at);
}

}  // namespace gamehub::actors::lobby
