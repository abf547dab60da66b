#include "actors/far/tally.hpp"

namespace gamehub::actors::far {

gamehub::far::tally tally_of(std::span<const journal::record> log, seat_index seat,
                             journal::record_number after) {
  using kind = journal::record::kind;
  gamehub::far::tally out;
  bool engine_plays = false;
  for (const auto& r : log) {
    if (r.seat != seat) continue;
    if (r.what == kind::substituted || r.what == kind::returned)
      engine_plays = r.what == kind::substituted;
    if (r.number <= after) continue;
    if (r.what == kind::moved && !engine_plays) ++out.plays;
    if (r.what == kind::said) ++out.chats;
    const bool is_offer = r.what == kind::offered || r.what == kind::accepted ||
                          r.what == kind::declined || r.what == kind::withdrawn;
    // The text is the cause, if the player did not ask for it.
    if (is_offer && r.text.empty()) ++out.offers;
  }
  return out;
}

}  // namespace gamehub::actors::far
