#include "tools/udp_lab/relay.hpp"

#include <utility>

namespace gamehub::tools::udp_lab {

void relay::push(relayed_datagram what, base::instant now) {
  ++counts_.taken;
  // Each datagram takes the same number of random values, so that a change of one rate does not
  // change the choices of the others.
  const bool dropped = happens(faults_.drop);
  const bool doubled = happens(faults_.duplicate);
  const bool reordered = happens(faults_.reorder);
  const auto first_late = lateness();
  const auto second_late = lateness();
  if (dropped) {
    ++counts_.dropped;
    return;
  }
  const auto due = now + faults_.delay;
  if (doubled) {
    ++counts_.doubled;
    send(what, due + second_late);
  }
  if (reordered) ++counts_.reordered;
  send(std::move(what), reordered ? due + first_late : due);
}

base::instant relay::next() const {
  return queue_.empty() ? base::instant::max() : queue_.top().due;
}

std::optional<relayed_datagram> relay::pop(base::instant now) {
  if (next() > now) return std::nullopt;
  auto out = queue_.top().what;
  queue_.pop();
  ++counts_.given;
  return out;
}

bool relay::happens(double share) {
  constexpr std::uint64_t fine = 1'000'000'000;
  return static_cast<double>(dice_.below(fine)) < share * static_cast<double>(fine);
}

base::duration relay::lateness() {
  const auto most = static_cast<std::uint64_t>(faults_.late_max.count());
  return base::duration{1 + static_cast<base::duration::rep>(most == 0 ? 0 : dice_.below(most))};
}

void relay::send(relayed_datagram what, base::instant due) {
  queue_.push({due, ++numbers_, std::move(what)});
}

}  // namespace gamehub::tools::udp_lab
