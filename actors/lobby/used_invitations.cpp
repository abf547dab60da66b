#include "actors/lobby/used_invitations.hpp"

#include "hub/base/require.hpp"

#include <iterator>

namespace gamehub::actors::lobby {

void used_invitations::add(const std::string& party, invitation_state what,
                           const address_account_ref& of) {
  if (by_party_.size() >= size_max_) forget_one();
  const auto fresh = by_party_.emplace(party, std::move(what)).second;
  GAMEHUB_REQUIRE(fresh);
  auto& mine = by_address_[of];
  if (!mine.empty()) ranks_.erase(rank_of(of, mine));
  mine.emplace_back(next_++, party);
  ranks_.insert(rank_of(of, mine));
}

const invitation_state* used_invitations::find(const std::string& party) const {
  const auto at = by_party_.find(party);
  return at == by_party_.end() ? nullptr : &at->second;
}

void used_invitations::forget_one() {
  const auto most = std::prev(ranks_.end());
  const auto at = by_address_.find(std::get<address_account_ref>(*most));
  ranks_.erase(most);
  auto& all = at->second;
  by_party_.erase(all.front().second);
  all.pop_front();
  if (all.empty())
    by_address_.erase(at);
  else
    ranks_.insert(rank_of(at->first, all));
}

}  // namespace gamehub::actors::lobby
