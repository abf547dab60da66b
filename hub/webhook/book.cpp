#include "hub/webhook/book.hpp"

#include "hub/base/require.hpp"

#include <algorithm>
#include <chrono>

namespace gamehub::webhook {

base::duration pause_after(std::uint32_t failures, base::duration pause,
                           base::random_source& random) {
  constexpr std::uint32_t doublings_max = 20;
  constexpr std::uint64_t parts = 1'024;
  const base::duration longest = limits::webhook_pause_max;
  auto time = pause;
  for (std::uint32_t i = 1; i < std::min(failures, doublings_max) && time < longest; ++i) time *= 2;
  time = std::min(time, longest);
  const auto part = static_cast<base::duration::rep>(3 * parts / 4 + random.below(parts / 2));
  return time / static_cast<base::duration::rep>(parts) * part;
}

void book::load(std::vector<hook> hooks, std::vector<std::pair<std::string, event>> events,
                base::wall_time now) {
  for (auto& each : hooks) {
    auto& at = hooks_[each.player];
    at.what = std::move(each);
    if (at.what.on) ++on_;
    count_account(at.what.account, 1);
  }
  for (auto& [player, what] : events) {
    auto* const at = entry_of(player);
    if (at == nullptr || at->events.size() >= limits::webhook_events_per_player_max) continue;
    ++events_;
    if (!what.told) ++waiting_;
    at->events.emplace(what.game, std::move(what));
  }
  for (auto& [player, at] : hooks_) update_due(at);
  drop_unused(now);
}

void book::drop_unused(base::wall_time now) {
  constexpr std::chrono::hours interval{1};
  if (now < unused_dropped_at_ + interval) return;
  unused_dropped_at_ = now;
  std::vector<std::string> unused;
  for (const auto& [player, at] : hooks_)
    if (at.what.used + limits::webhook_unused_max < now && at.calling == 0)
      unused.push_back(player);
  for (const auto& each : unused) remove(each);
}

book::entry* book::entry_of(const std::string& player) {
  const auto at = hooks_.find(player);
  return at == hooks_.end() ? nullptr : &at->second;
}

const hook* book::find(const std::string& player) const {
  const auto at = hooks_.find(player);
  return at == hooks_.end() ? nullptr : &at->second.what;
}

std::optional<webhook_state> book::state_of(const std::string& player) const {
  const auto at = hooks_.find(player);
  if (at == hooks_.end()) return std::nullopt;
  const auto& what = at->second.what;
  const auto& events = at->second.events;
  const auto waiting = std::count_if(events.begin(), events.end(),
                                     [](const auto& each) { return !each.second.told; });
  return webhook_state{what.url, what.on, what.why, what.failures,
                       static_cast<std::uint32_t>(waiting)};
}

std::optional<std::string_view> book::why_full(const std::string& player,
                                               const std::string& account, base::wall_time now) {
  const auto* const mine = find(player);
  const auto at = by_account_.find(account);
  const auto same = mine != nullptr && mine->account == account;
  if (!account.empty() && at != by_account_.end() && !same &&
      at->second >= limits::webhooks_per_address_max)
    return "the address has as many webhooks as one may have";
  if (mine != nullptr || hooks_.size() < rules_.hooks_max) return std::nullopt;
  drop_unused(now);
  if (hooks_.size() < rules_.hooks_max) return std::nullopt;
  return "the hub has as many webhooks as it may have";
}

void book::set(hook what, base::wall_time now) {
  auto& at = hooks_[what.player];
  if (!at.what.player.empty()) {
    if (at.what.on) --on_;
    count_account(at.what.account, -1);
    // A call in flight, and a place in the queue of a host, are of the former one.
    at.parked = false;
    at.calling = 0;
  }
  what.on = true;
  what.failures = 0;
  what.retry_at = {};
  what.used = now;
  at.what = std::move(what);
  ++on_;
  count_account(at.what.account, 1);
  note_hook(at);
  update_due(at);
}

bool book::remove(const std::string& player) {
  const auto at = hooks_.find(player);
  if (at == hooks_.end()) return false;
  auto& was = at->second;
  erase_all(was);
  if (was.due) due_.erase({*was.due, player});
  if (was.what.on) --on_;
  count_account(was.what.account, -1);
  hooks_.erase(at);
  changes_.hooks[player] = std::nullopt;
  return true;
}

void book::count_account(const std::string& account, int change) {
  if (account.empty()) return;
  auto& n = by_account_[account];
  n = static_cast<std::uint32_t>(static_cast<int>(n) + change);
  if (n == 0) by_account_.erase(account);
}

book::entry* book::why_told(const std::string& player, game_id game, std::uint64_t number) {
  auto* const to = entry_of(player);
  if (to == nullptr || !to->what.on) return nullptr;
  const auto at = to->events.find(game);
  return at != to->events.end() && at->second.number == number ? nullptr : to;
}

void book::on_turn_over(const std::string& player, game_id game) {
  auto* const to = entry_of(player);
  if (to == nullptr) return;
  const auto at = to->events.find(game);
  if (at != to->events.end() && !at->second.told) erase(*to, game);
}

void book::add(entry& to, event what) {
  erase(to, what.game);
  // Of games that have ended there may be any number: the oldest gives way.
  if (to.events.size() >= limits::webhook_events_per_player_max) {
    const auto oldest =
        std::min_element(to.events.begin(), to.events.end(),
                         [](const auto& x, const auto& y) { return x.second.due < y.second.due; });
    if (!oldest->second.told) ++dropped_;
    erase(to, oldest->first);
  }
  if (events_ >= limits::webhook_events_max) {
    ++dropped_;
    return;
  }
  ++events_;
  ++waiting_;
  note_event(to, what);
  to.events.emplace(what.game, std::move(what));
  update_due(to);
}

void book::erase(entry& of, game_id game) {
  const auto at = of.events.find(game);
  if (at == of.events.end()) return;
  --events_;
  if (!at->second.told) --waiting_;
  of.events.erase(at);
  changes_.events[{of.what.player, game}] = std::nullopt;
  update_due(of);
}

void book::erase_all(entry& of) {
  while (!of.events.empty()) erase(of, of.events.begin()->first);
}

void book::update_due(entry& e) {
  std::optional<base::wall_time> due;
  if (e.what.on && e.calling == 0 && !e.parked)
    for (const auto& [game, what] : e.events)
      if (!what.told) due = std::min(due.value_or(base::wall_time::max()), what.due);
  if (due) due = std::max(*due, e.what.retry_at);
  if (due == e.due) return;
  if (e.due) due_.erase({*e.due, e.what.player});
  if (due) due_.emplace(*due, e.what.player);
  e.due = due;
}

std::optional<book::call> book::next(base::wall_time now) {
  while (in_flight_ < limits::webhook_calls_max && !due_.empty() && due_.begin()->first <= now) {
    auto& to = hooks_.at(due_.begin()->second);
    auto& host = hosts_[to.what.host];
    if (host.in_flight >= limits::webhook_calls_per_host_max) {
      host.parked.push_back(to.what.player);
      to.parked = true;
      update_due(to);
      continue;
    }
    const event* first = nullptr;
    for (const auto& [game, what] : to.events)
      if (!what.told && (first == nullptr || what.due < first->due)) first = &what;
    GAMEHUB_REQUIRE(first != nullptr);
    call out{to.what, *first, ++last_call_};
    ++host.in_flight;
    ++in_flight_;
    to.calling = out.number;
    update_due(to);
    return out;
  }
  return std::nullopt;
}

base::wall_time book::next_at() const {
  const bool may = in_flight_ < limits::webhook_calls_max && !due_.empty();
  return may ? due_.begin()->first : base::wall_time::max();
}

void book::leave_host(const std::string& name) {
  const auto at = hosts_.find(name);
  GAMEHUB_REQUIRE(at != hosts_.end());
  auto& host = at->second;
  --host.in_flight;
  // A webhook may have been removed, or registered again for another host, since it was parked.
  while (!host.parked.empty()) {
    auto* const next = entry_of(host.parked.front());
    host.parked.pop_front();
    if (next == nullptr || !next->parked || next->what.host != name) continue;
    next->parked = false;
    update_due(*next);
    break;
  }
  if (host.in_flight == 0 && host.parked.empty()) hosts_.erase(at);
}

bool book::ended(const call& c, result how, const std::string& confirmed, std::string why,
                 base::wall_time now, base::random_source& random) {
  --in_flight_;
  leave_host(c.to.host);
  auto* const to = entry_of(c.to.player);
  // It was removed or registered again meanwhile.
  if (to == nullptr || to->calling != c.number) return false;
  to->calling = 0;
  auto& hook = to->what;
  if (how == result::delivered) {
    on_told(*to, c.what);
    hook.failures = 0;
    hook.retry_at = {};
    hook.used = now;
    hook.confirmed = confirmed;
  } else {
    ++hook.failures;
    hook.retry_at = now + milliseconds(pause_after(hook.failures, rules_.pause, random));
    if (how == result::gone || hook.failures >= rules_.failures_max) {
      hook.on = false;
      hook.why = std::move(why);
      --on_;
      erase_all(*to);
    }
  }
  note_hook(*to);
  update_due(*to);
  return !hook.on;
}

// Another event of the game may have taken the place of the one that was sent.
void book::on_told(entry& to, const event& sent) {
  const auto at = to.events.find(sent.game);
  if (at == to.events.end() || at->second.number != sent.number || at->second.ended != sent.ended ||
      at->second.told)
    return;
  if (sent.ended) return erase(to, sent.game);
  at->second.told = true;
  at->second.body.clear();
  --waiting_;
  note_event(to, at->second);
}

book::counts book::count() const {
  return {on_, hooks_.size() - on_, waiting_, in_flight_, dropped_};
}

}  // namespace gamehub::webhook
