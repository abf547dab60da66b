#include "hub/league/registry.hpp"

#include "hub/core/player_name.hpp"
#include "hub/league/store.hpp"

#include <algorithm>

namespace gamehub::league {

void registry::load(const std::vector<bot_record>& all, const std::vector<failure>& failures) {
  for (const auto& each : all) {
    auto& b = bots_[each.id] = each;
    if (b.state == bot_state::online) b.state = bot_state::resuming;
    index(b);
  }
  for (const auto& each : failures) failures_[each.who].push_back(each);
}

std::variant<bot_record, std::string> registry::add(const bot_profile& what,
                                                    const std::string& owner, base::wall_time now,
                                                    base::random_source& random) {
  const auto known = by_name_.find(what.name);
  if (known == by_name_.end() && bots_.size() >= bots_max)
    return "The hub has no room for more bots";
  auto* before = known == by_name_.end() ? nullptr : &bots_.at(known->second);
  if (before != nullptr && before->owner != owner)
    return "The name \"" + what.name + "\" belongs to another owner";
  const auto* like = before == nullptr ? find_like(by_look_, what.name) : nullptr;
  if (const auto* other = like == nullptr ? nullptr : find(*like);
      other != nullptr && other->owner != owner)
    return "The name \"" + what.name + "\" looks like \"" + other->name +
           "\", which belongs to another owner";
  if (before == nullptr || before->state == bot_state::faulty) {
    const auto n = count();
    if (bots_.size() - n[static_cast<std::size_t>(bot_state::faulty)] >= bots_online_max)
      return "The hub has no room for more bots that are online";
  }
  bot_record b;
  b.id =
      before != nullptr ? before->id : bot_id{bots_.empty() ? 1 : bots_.rbegin()->first.value + 1};
  b.registration = before != nullptr ? before->registration + 1 : 1;
  static_cast<bot_profile&>(b) = what;
  b.owner = owner;
  b.secret = before != nullptr ? before->secret : random.secret();
  b.registered_at = now;
  index(b);
  return bots_[b.id] = b;
}

void registry::index(const bot_record& b) {
  by_name_[b.name] = b.id;
  for_each_name_key(b.name, [&](const std::string& key) { by_look_.try_emplace(key, b.id); });
}

bot_record* registry::current(const bot_ref& ref) {
  const auto found = bots_.find(ref.id);
  if (found == bots_.end() || found->second.registration != ref.registration) return nullptr;
  return &found->second;
}

const bot_record* registry::set_online(const bot_ref& ref) {
  auto* b = current(ref);
  if (b == nullptr || b->state == bot_state::online || b->state == bot_state::faulty)
    return nullptr;
  b->state = bot_state::online;
  return b;
}

const bot_record* registry::set_faulty(const bot_ref& ref) {
  auto* b = current(ref);
  if (b == nullptr || b->state == bot_state::faulty) return nullptr;
  b->state = bot_state::faulty;
  return b;
}

bool registry::add_failure(const bot_ref& ref, const failure& what) {
  if (current(ref) == nullptr) return false;
  auto& all = failures_[ref.id];
  all.push_back(what);
  if (all.size() > failures_kept) all.pop_front();
  return true;
}

const bot_record* registry::find(bot_id id) const {
  const auto found = bots_.find(id);
  return found == bots_.end() ? nullptr : &found->second;
}

const bot_record* registry::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &bots_.at(found->second);
}

std::vector<failure> registry::failures_of(bot_id id) const {
  const auto found = failures_.find(id);
  if (found == failures_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

std::optional<bot_error_code> registry::failed_in(bot_id id, game_id game) const {
  const auto found = failures_.find(id);
  if (!game || found == failures_.end()) return std::nullopt;
  for (const auto& each : found->second)
    if (each.what.game == game) return each.what.code;
  return std::nullopt;
}

void registry::for_each(const std::function<void(const bot_record&)>& call) const {
  for (const auto& [id, b] : bots_) call(b);
}

std::array<std::size_t, bot_state_count> registry::count() const {
  std::array<std::size_t, bot_state_count> out{};
  for (const auto& [id, b] : bots_) ++out.at(static_cast<std::size_t>(b.state));
  return out;
}

}  // namespace gamehub::league
