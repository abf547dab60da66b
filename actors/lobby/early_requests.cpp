#include "actors/lobby/early_requests.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gamehub::actors::lobby {

bool early_requests::hold(runtime::resume_request& m, std::string digest, base::instant now,
                          const may_arrive& may) {
  if (!may || answering_) return false;
  const auto absent_at = m.brings_secret ? now - silent_max : now;
  if (!may(absent_at)) return false;
  const auto* account = m.what.client->account().get();
  if (waiting_.size() >= requests_max && !make_room(account)) return false;
  if (account != nullptr) ++waiting_of_[account];
  waiting_.push_back({std::move(m), std::move(digest), now, absent_at, account});
  arm(now);
  return true;
}

void early_requests::retry(base::instant now, const session::player_registry& players,
                           const may_arrive& may) {
  timer_ = {};
  const auto due_from =
      std::stable_partition(waiting_.begin(), waiting_.end(), [&](const request& r) {
        return now - r.asked < time_max && may(r.absent_at) && !players.find_digest(r.digest);
      });
  std::vector<request> due{std::make_move_iterator(due_from),
                           std::make_move_iterator(waiting_.end())};
  waiting_.erase(due_from, waiting_.end());
  for (auto& r : due) answer(r);
  if (!waiting_.empty()) arm(now);
}

void early_requests::forget(player_id asking) {
  std::erase_if(waiting_, [&](const request& r) {
    if (r.what.player != asking) return false;
    count_out(r);
    return true;
  });
}

bool early_requests::make_room(const address_account* account) {
  const auto most =
      std::max_element(waiting_of_.begin(), waiting_of_.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == waiting_of_.end()) return false;
  const auto own = waiting_of_.find(account);
  const auto own_count = own == waiting_of_.end() ? 0 : own->second;
  if (account != nullptr && own_count + 1 >= most->second) return false;
  const auto latest = std::find_if(waiting_.rbegin(), waiting_.rend(),
                                   [&](const request& r) { return r.account == most->first; });
  auto out = std::move(*latest);
  waiting_.erase(std::next(latest).base());
  answer(out);
  return true;
}

void early_requests::count_out(const request& r) {
  const auto at = waiting_of_.find(r.account);
  if (at != waiting_of_.end() && --at->second == 0) waiting_of_.erase(at);
}

void early_requests::answer(request& r) {
  count_out(r);
  answering_ = true;
  answer_(r.what);
  answering_ = false;
}

base::timers::token early_requests::clear() {
  waiting_.clear();
  return std::exchange(timer_, {});
}

void early_requests::arm(base::instant now) {
  if (!timer_) timer_ = arm_(now + retry_pause);
}

}  // namespace gamehub::actors::lobby
