// Which seats ask a hub that continues the games of a dead one, and when: a bounded number at a
// time, seats whose player waits for an answer first. A plain value, owned by the switchboard.
#pragma once

#include "hub/far/messages.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <vector>

namespace gamehub::far {

class take_turns {
 public:
  // Seats that ask one hub at a time: it reads a log for each.
  static constexpr std::size_t at_once_max = 256;

  // The seat waits for its turn at this hub, instead of at another one. Returns the seats whose
  // turn it is now.
  std::vector<place> ask(member_id host, place who, bool urgent);
  // The seat has its answer, or needs none.
  std::vector<place> done(place who);

  std::size_t waiting() const;

 private:
  struct hub {
    std::set<place> active;
    std::deque<place> urgent, others;
  };
  std::vector<place> next(hub&);
  void forget(place who);

  std::map<member_id, hub> hubs_;
  std::map<place, member_id> of_;
};

}  // namespace gamehub::far
