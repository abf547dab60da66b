#include "actors/lobby/early_requests.hpp"

#include "hub/journal/record.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gamehub::actors::lobby {

bool early_requests::hold(runtime::resume_request& m, base::instant now, const may_arrive& may) {
  if (!may || answering_ || waiting_.size() >= requests_max) return false;
  const auto absent_at = m.brings_secret ? now - missed_beats : now;
  if (!may(absent_at)) return false;
  waiting_.push_back({std::move(m), now, absent_at});
  arm(now);
  return true;
}

void early_requests::retry(base::instant now, const session::player_registry& players,
                           const may_arrive& may) {
  timer_ = {};
  const auto due_from =
      std::stable_partition(waiting_.begin(), waiting_.end(), [&](const request& r) {
        return now - r.asked < time_max && may(r.absent_at) &&
               !players.find_digest(journal::digest_of(r.what.secret));
      });
  std::vector<request> due{std::make_move_iterator(due_from),
                           std::make_move_iterator(waiting_.end())};
  waiting_.erase(due_from, waiting_.end());
  answering_ = true;
  for (auto& r : due) answer_(r.what);
  answering_ = false;
  if (!waiting_.empty()) arm(now);
}

void early_requests::forget(player_id asking) {
  std::erase_if(waiting_, [asking](const request& r) { return r.what.player == asking; });
}

base::timers::token early_requests::clear() {
  waiting_.clear();
  return std::exchange(timer_, {});
}

void early_requests::arm(base::instant now) {
  if (!timer_) timer_ = arm_(now + retry_pause);
}

}  // namespace gamehub::actors::lobby
