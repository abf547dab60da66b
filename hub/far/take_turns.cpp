#include "hub/far/take_turns.hpp"

#include <algorithm>

namespace gamehub::far {

std::vector<place> take_turns::ask(member_id host, place who, bool urgent) {
  forget(who);
  of_[who] = host;
  auto& at = hubs_[host];
  (urgent ? at.urgent : at.others).push_back(who);
  return next(at);
}

std::vector<place> take_turns::done(place who) {
  const auto of = of_.find(who);
  if (of == of_.end()) return {};
  const auto host = of->second;
  forget(who);
  auto started = next(hubs_[host]);
  if (const auto& at = hubs_[host]; at.active.empty()) hubs_.erase(host);
  return started;
}

std::vector<place> take_turns::next(hub& at) {
  std::vector<place> out;
  while (at.active.size() < at_once_max && !(at.urgent.empty() && at.others.empty())) {
    auto& from = at.urgent.empty() ? at.others : at.urgent;
    out.push_back(from.front());
    at.active.insert(from.front());
    from.pop_front();
  }
  return out;
}

void take_turns::forget(place who) {
  const auto of = of_.find(who);
  if (of == of_.end()) return;
  auto& at = hubs_[of->second];
  at.active.erase(who);
  std::erase(at.urgent, who);
  std::erase(at.others, who);
  of_.erase(of);
}

std::size_t take_turns::waiting() const {
  std::size_t out = 0;
  for (const auto& [host, at] : hubs_) out += at.urgent.size() + at.others.size();
  return out;
}

}  // namespace gamehub::far
