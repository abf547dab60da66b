// Which turns of a lasting game wait for absent players, and which of them were reported to the
// absence_listener. A plain value; the game actor owns it and uses it on its loop.
#pragma once

#include "hub/core/ids.hpp"
#include "hub/journal/record.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gamehub::actors::table {

class turn_reports {
 public:
  // `players` are the digests of the players' secrets, by seat; of an empty one nothing is
  // reported.
  explicit turn_reports(const std::vector<std::string>& players);
  // Returns those of a log.
  static std::vector<std::string> players_of(std::span<const journal::record>);

  // Takes records of the log, in their order.
  void add(std::span<const journal::record>);

  const std::string& player(seat_index seat) const { return of(seat).player; }
  // The seats that are reported at all.
  seat_set seats() const;
  // Identifies the present turn of a seat: the number of the record after which it may begin, which
  // is the same after a restart, and while other seats move in the same turn.
  journal::record_number turn_of(seat_index seat) const { return of(seat).turn; }
  // The time of the record with which the latest turn began.
  base::wall_time since() const { return since_; }

  struct change {
    seat_set begun = 0;  // a turn is to be reported
    seat_set over = 0;   // a reported turn is over, or its player is back
  };
  // Compares with what was reported, and takes it as reported. `awaited` are the seats that are to
  // move, `away` those whose players are away.
  change update(seat_set awaited, seat_set away);

 private:
  struct reported_seat {
    std::string player;
    journal::record_number turn = 0;
    journal::record_number reported = 0;  // the turn that was; 0: none waits
  };

  const reported_seat& of(seat_index at) const { return seats_[static_cast<std::size_t>(at)]; }

  std::vector<reported_seat> seats_;
  base::wall_time since_{};
};

}  // namespace gamehub::actors::table
