#include "actors/lobby/hub_questions.hpp"

#include <algorithm>

namespace gamehub::actors::lobby {

hub_questions::result hub_questions::end(open_question at, std::optional<member_id> yes) {
  const result out{at->second.about, yes};
  numbers_.erase(out.about);
  open_.erase(at);
  return out;
}

std::optional<hub_questions::result> hub_questions::on_answer(member_id from, std::uint64_t number,
                                                              bool yes) {
  const auto at = open_.find(number);
  if (at == open_.end() || at->second.unanswered.erase(from) == 0) return std::nullopt;
  if (yes) return end(at, from);
  if (!at->second.unanswered.empty()) return std::nullopt;
  return end(at, std::nullopt);
}

std::vector<hub_questions::result> hub_questions::on_members(const std::vector<member_id>& all) {
  std::vector<result> out;
  for (auto at = open_.begin(); at != open_.end();) {
    const auto each = at++;
    auto& waits = each->second.unanswered;
    std::erase_if(waits,
                  [&](member_id m) { return std::find(all.begin(), all.end(), m) == all.end(); });
    if (waits.empty()) out.push_back(end(each, std::nullopt));
  }
  return out;
}

std::vector<hub_questions::result> hub_questions::expire(base::instant now) {
  std::vector<result> out;
  while (!open_.empty() && open_.begin()->second.until <= now)
    out.push_back(end(open_.begin(), std::nullopt));
  return out;
}

std::optional<base::instant> hub_questions::next() const {
  return open_.empty() ? std::nullopt : std::optional{open_.begin()->second.until};
}

void hub_questions::forget(player_id about) {
  const auto at = numbers_.find(about);
  if (at == numbers_.end()) return;
  open_.erase(at->second);
  numbers_.erase(at);
}

}  // namespace gamehub::actors::lobby
