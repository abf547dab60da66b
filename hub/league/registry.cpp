#include "hub/league/registry.hpp"

#include "hub/core/player_name.hpp"
#include "hub/league/store.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::league {

namespace {

using reason = registration_refusal::reason;

bool has_never_answered(const bot_record& b) {
  return b.state == bot_state::faulty && !b.has_answered;
}

}  // namespace

void registry::load(const std::vector<bot_record>& all, const std::vector<failure>& failures,
                    bot_id last) {
  last_ = last.value;
  for (const auto& each : all) {
    auto& b = bots_[each.id] = each;
    if (b.state == bot_state::online) b.state = bot_state::resuming;
    last_ = std::max(last_, b.id.value);
    index(b);
  }
  for (const auto& each : failures) failures_[each.who].push_back(each);
}

std::optional<registration_refusal> registry::check_name(const bot_profile& what,
                                                         const bot_owner& owner,
                                                         const bot_record* before) const {
  if (before != nullptr && before->owner != owner.name)
    return registration_refusal{reason::name_taken,
                                "The name \"" + what.name + "\" belongs to another owner"};
  const auto* like = before == nullptr ? find_like(by_look_, what.name) : nullptr;
  if (const auto* other = like == nullptr ? nullptr : find(*like);
      other != nullptr && other->owner != owner.name)
    return registration_refusal{reason::name_taken, "The name \"" + what.name + "\" looks like \"" +
                                                        other->name +
                                                        "\", which belongs to another owner"};
  return std::nullopt;
}

std::optional<registration_refusal> registry::check_limits(const bot_owner& owner,
                                                           const bot_record* before) const {
  const bool comes_online = before == nullptr || before->state == bot_state::faulty;
  std::size_t names = 0, online = 0;
  for (const auto& [id, b] : bots_) {
    if (b.account != owner.account) continue;
    ++names;
    if (b.state != bot_state::faulty) ++online;
  }
  const bool is_new = before == nullptr || before->account != owner.account;
  // A registry that was written under a greater limit may have accounts that exceed it.
  if (!owner.account.empty() &&
      ((is_new && names >= names_max_) || (comes_online && online >= names_max_)))
    return registration_refusal{
        reason::owner_limit,
        "You have " + std::to_string(is_new ? names : online) +
            " bots here, and one owner may have " + std::to_string(names_max_) +
            ": register one of their names again, or let the operator of the hub remove some "
            "(gamehub arena forget)"};
  const auto taken = bots_.size() - count()[static_cast<std::size_t>(bot_state::faulty)];
  if (comes_online && taken >= bots_online_max)
    return registration_refusal{reason::online_full,
                                "The hub has no room for more bots that are online"};
  const auto share = std::max<std::size_t>((bots_online_max - taken + online) / online_share, 1);
  if (comes_online && !owner.account.empty() && online >= share)
    return registration_refusal{
        reason::online_full, "You have " + std::to_string(online) +
                                 " bots online, and the hub, which is nearly full, has room for " +
                                 std::to_string(share) + " of one owner"};
  if (before == nullptr && bots_.size() >= bots_max)
    return registration_refusal{reason::hub_full, "The hub has no room for more bots"};
  return std::nullopt;
}

std::variant<bot_record, registration_refusal> registry::add(const bot_profile& what,
                                                             const bot_owner& owner,
                                                             base::wall_time now,
                                                             base::random_source& random) {
  const auto* before = find(what.name);
  if (auto no = check_name(what, owner, before)) return *std::move(no);
  if (auto no = check_limits(owner, before)) return *std::move(no);
  bot_record b;
  b.id = before != nullptr ? before->id : bot_id{++last_};
  b.registration = before != nullptr ? before->registration + 1 : 1;
  static_cast<bot_profile&>(b) = what;
  b.owner = owner.name;
  b.account = owner.account;
  b.secret = before != nullptr ? before->secret : random.secret();
  b.registered_at = now;
  b.since = before != nullptr ? before->since : now;
  b.has_answered = before != nullptr && before->has_answered;
  index(b);
  return bots_[b.id] = b;
}

void registry::remove(const std::set<bot_id>& all) {
  std::set<std::string> owners;
  for (const auto id : all) {
    const auto found = bots_.find(id);
    if (found == bots_.end()) continue;
    owners.insert(found->second.owner);
    by_name_.erase(found->second.name);
    failures_.erase(id);
    bots_.erase(found);
  }
  std::erase_if(by_look_, [&](const auto& each) { return all.count(each.second) > 0; });
  // Names of one owner may look alike: those that remain take the keys over.
  for (const auto& [id, b] : bots_)
    if (owners.count(b.owner) > 0) index(b);
}

std::set<bot_id> registry::unanswered(base::wall_time now) const {
  std::set<bot_id> out;
  for (const auto& [id, b] : bots_)
    if (has_never_answered(b) && b.registered_at + unanswered_kept <= now) out.insert(id);
  return out;
}

std::optional<bot_id> registry::replaceable() const {
  std::map<std::string_view, std::size_t> by_account;
  for (const auto& [id, b] : bots_)
    if (has_never_answered(b)) ++by_account[b.account];
  const bot_record* out = nullptr;
  const auto key = [&](const bot_record& b) {
    return std::pair{bots_max - by_account[b.account], b.registered_at};
  };
  for (const auto& [id, b] : bots_)
    if (has_never_answered(b) && (out == nullptr || key(b) < key(*out))) out = &b;
  return out == nullptr ? std::nullopt : std::optional{out->id};
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
  b->has_answered = true;
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
