#include "actors/lobby/key_claims.hpp"

#include "hub/base/require.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace gamehub::actors::lobby {

namespace {

bool has_key(const std::vector<std::string>& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

bool key_claims::hold(player_id player, std::vector<std::string> wanted, bool keeps,
                      journal::member_id from) {
  auto& mine = players_[player];
  const auto before = std::exchange(mine.keys, std::move(wanted));
  mine.undecided.clear();
  mine.lost.clear();
  mine.keeps = mine.keeps || keeps;
  for (const auto& key : mine.keys) {
    auto& k = keys_[key];
    if (!has_key(before, key)) k.holders.push_back(player);
    k.inherits = k.inherits || keeps;
    if (from) k.from = from;
    const bool kept = is_kept_from(player, k);
    // Who has it with its games needs no answer of the log.
    k.is_asleep = k.is_asleep && !keeps;
    if (k.is == row::owned && !kept && !k.is_asleep) continue;
    mine.undecided.push_back(key);
    if (k.is == row::owned) k.is = row::maybe;
    if (k.is == row::lost) k.is = row::none;
    enqueue(key, k);
  }
  for (const auto& key : before)
    if (!has_key(mine.keys, key)) remove_holder(key, player);
  return mine.undecided.empty();
}

void key_claims::drop(player_id player, base::instant free_at) {
  const auto at = players_.find(player);
  if (at == players_.end()) return;
  for (const auto& key : at->second.keys) remove_holder(key, player, free_at);
  players_.erase(at);
}

void key_claims::drop_asleep(player_id player, base::instant free_at) {
  if (const auto at = players_.find(player); at != players_.end())
    for (const auto& key : at->second.keys) {
      auto& k = keys_.at(key);
      k.is_asleep = k.is == row::maybe || k.is == row::owned;
    }
  drop(player, free_at);
}

void key_claims::give_away(player_id player) {
  const auto gone = players_.extract(player);
  if (!gone) return;
  for (const auto& key : gone.mapped().keys) give_away(key, player);
}

void key_claims::give_away(const std::string& key, player_id player) {
  const auto at = keys_.find(key);
  auto& k = at->second;
  std::erase(k.holders, player);
  k.is = row::none;
  k.stale = k.asked;
  k.is_asleep = k.is_doubted = false;
  k.inherits = is_kept(k);
  if (k.holders.empty() && !k.asked)
    keys_.erase(at);
  else if (!k.asked)
    enqueue(key, k);
}

// The holder without a number has the keys of all of them.
void key_claims::leave_behind(player_id player) {
  auto gone = players_.extract(player);
  if (!gone) return;
  auto& left = players_[player_id{}];
  left.keeps = true;
  for (auto& key : gone.mapped().keys) {
    auto& holders = keys_.at(key).holders;
    std::replace(holders.begin(), holders.end(), player, player_id{});
    left.keys.push_back(std::move(key));
  }
}

void key_claims::doubt(player_id player) {
  const auto at = players_.find(player);
  if (at == players_.end()) return;
  auto& mine = at->second;
  mine.keeps = true;
  mine.undecided = mine.keys;
  mine.lost.clear();
  for (const auto& key : mine.keys) {
    auto& k = keys_.at(key);
    k.is = row::maybe;
    k.inherits = k.is_doubted = true;
    k.is_asleep = false;
    k.stale = k.asked;
    if (!k.asked) enqueue(key, k);
  }
}

void key_claims::postpone_frees(base::instant until) {
  for (const auto& [when, key] : to_free_later_)
    if (const auto at = keys_.find(key); at != keys_.end())
      at->second.kept_until = std::max(at->second.kept_until, until);
}

void key_claims::remove_holder(const std::string& key, player_id player, base::instant free_at) {
  auto& k = keys_.at(key);
  std::erase(k.holders, player);
  k.kept_until = std::max(k.kept_until, free_at);
  k.inherits = is_kept(k);
  k.is_asleep = k.is_asleep && !k.inherits;
  if (!k.holders.empty()) return enqueue(key, k);
  k.from = {};
  if (k.kept_until == base::instant{}) return enqueue(key, k);
  to_free_later_.emplace_back(k.kept_until, key);
}

bool key_claims::is_kept(const key_state& k) const {
  return std::any_of(k.holders.begin(), k.holders.end(),
                     [this](player_id each) { return players_.at(each).keeps; });
}

bool key_claims::is_kept_from(player_id player, const key_state& k) const {
  return !players_.at(player).keeps &&
         std::any_of(k.holders.begin(), k.holders.end(),
                     [&](player_id other) { return other != player && players_.at(other).keeps; });
}

key_claims::change_kind key_claims::next_change(const key_state& k) {
  if (k.is_doubted) return change_kind::inherit;
  if (k.is_asleep || k.holders.empty()) return change_kind::free;
  return k.inherits ? change_kind::inherit : change_kind::claim;
}

// A key of the change that is under way is looked at again when its answer is there.
void key_claims::enqueue(const std::string& key, const key_state& k) {
  const auto what = next_change(k);
  auto& to = what == change_kind::free      ? to_free_
             : what == change_kind::inherit ? to_inherit_
                                            : to_claim_;
  to.push_back(key);
}

std::vector<std::string> key_claims::take(std::deque<std::string>& from, change_kind what,
                                          base::instant now) {
  std::vector<std::string> taken;
  for (; !from.empty() && taken.size() < keys_at_once; from.pop_front()) {
    const auto at = keys_.find(from.front());
    if (at == keys_.end()) continue;
    auto& k = at->second;
    if (k.asked || next_change(k) != what) continue;
    if (what == change_kind::free) {
      if (k.is == row::none || k.is == row::lost) {
        keys_.erase(at);
        continue;
      }
      if (k.kept_until > now && k.holders.empty()) {
        to_free_later_.emplace_back(k.kept_until, at->first);
        continue;
      }
    } else if (k.is == row::owned || k.is == row::lost) {
      continue;
    }
    // One change takes keys from one hub.
    if (!taken.empty() && k.from != from_) break;
    from_ = k.from;
    // Executed or not: the key may be this hub's until the answer is there.
    k.is = row::maybe;
    k.asked = true;
    taken.push_back(at->first);
  }
  return taken;
}

std::optional<journal::key_change> key_claims::next(base::instant now) {
  if (under_way_ || now < not_before_) return std::nullopt;
  requeue_lost(now);
  for (; !to_free_later_.empty() && to_free_later_.front().first <= now; to_free_later_.pop_front())
    to_free_.push_back(std::move(to_free_later_.front().second));
  const std::pair<std::deque<std::string>*, change_kind> queues[] = {
      {&to_free_, change_kind::free},
      {&to_claim_, change_kind::claim},
      {&to_inherit_, change_kind::inherit}};
  for (const auto& [from, what] : queues)
    if (auto taken = take(*from, what, now); !taken.empty()) {
      under_way_ = journal::key_change{what, std::move(taken), false, from_};
      return under_way_;
    }
  // A takeover may end while the change is under way, and needs another one then.
  if (std::exchange(frees_released_, false))
    under_way_ = journal::key_change{change_kind::free, {}, true};
  return under_way_;
}

void key_claims::requeue_lost(base::instant now) {
  if (!std::exchange(asks_lost_at_once_, false) && now < ask_lost_at_) return;
  for (const auto& key : std::exchange(lost_, {})) {
    const auto at = keys_.find(key);
    if (at == keys_.end() || at->second.is != row::lost) continue;
    at->second.is = row::none;
    enqueue(key, at->second);
  }
}

std::vector<key_claims::decision> key_claims::on_answer(
    const std::optional<std::vector<std::string>>& owned, base::instant now) {
  GAMEHUB_REQUIRE(under_way_.has_value());
  const auto change = *std::exchange(under_way_, std::nullopt);
  std::vector<decision> decided;
  for (const auto& key : change.keys) keys_.at(key).asked = false;
  if (!owned) {
    not_before_ = now + retry_pause;
    for (const auto& key : change.keys) enqueue(key, keys_.at(key));
    if (change.of_released) free_released();
    return decided;
  }
  const std::unordered_set<std::string_view> mine{owned->begin(), owned->end()};
  const bool had_lost = !lost_.empty();
  for (const auto& key : change.keys) {
    auto& k = keys_.at(key);
    if (std::exchange(k.stale, false)) {
      enqueue(key, k);
    } else if (change.what == change_kind::free) {
      k.is = row::none;
      k.is_asleep = false;
      if (k.holders.empty())
        keys_.erase(key);
      else
        enqueue(key, k);
    } else {
      const bool owned_now = mine.contains(key);
      k.is_doubted = false;
      k.is_asleep = k.is_asleep && owned_now;
      // A player was restored while another one's claim was under way.
      const bool inherits_now = !owned_now && k.inherits && change.what == change_kind::claim;
      if (k.is_asleep || inherits_now)
        enqueue(key, k);
      else
        decide(key, k, owned_now, decided);
    }
  }
  if (!had_lost && !lost_.empty()) ask_lost_at_ = now + lost_pause;
  return decided;
}

void key_claims::decide(const std::string& key, key_state& k, bool owned,
                        std::vector<decision>& decided) {
  k.is = owned ? row::owned : row::lost;
  k.from = {};
  if (k.holders.empty()) return enqueue(key, k);
  if (!owned && k.inherits) lost_.push_back(key);
  for (const auto who : k.holders) {
    auto& h = players_.at(who);
    if (std::erase(h.undecided, key) == 0) continue;
    if (!owned || is_kept_from(who, k)) h.lost.push_back(key);
    if (h.undecided.empty()) decided.push_back({who, h.lost});
  }
}

bool key_claims::has_work() const {
  return under_way_ || frees_released_ || !to_free_.empty() || !to_claim_.empty() ||
         !to_inherit_.empty() || !to_free_later_.empty() || !lost_.empty();
}

std::size_t key_claims::owned() const {
  return static_cast<std::size_t>(std::count_if(keys_.begin(), keys_.end(), [](const auto& k) {
    return k.second.is == row::maybe || k.second.is == row::owned;
  }));
}

}  // namespace gamehub::actors::lobby
