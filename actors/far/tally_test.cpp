#include "actors/far/tally.hpp"

#include "tests/support/catch.hpp"

#include <vector>

using namespace gamehub;
using gamehub::far::tally;
using journal::record;
using kind = journal::record::kind;

namespace {

class log_of {
 public:
  log_of& add(kind what, int seat, std::string text = {}) {
    record r;
    r.number = records_.size() + 1;
    r.what = what;
    r.seat = static_cast<std::int16_t>(seat);
    r.text = std::move(text);
    records_.push_back(std::move(r));
    return *this;
  }
  tally count(int seat, journal::record_number after) const {
    return actors::far::tally_of(records_, seat, after);
  }

 private:
  std::vector<record> records_;
};

}  // namespace

TEST_CASE("tally: only what the player of the seat did after the record counts") {
  log_of log;
  log.add(kind::opened, -1).add(kind::joined, 0, "ann").add(kind::joined, 1, "bob");
  log.add(kind::moved, 0).add(kind::moved, 1).add(kind::said, 0, "hi").add(kind::moved, 0);
  CHECK(log.count(0, 3) == tally{2, 1, 0});
  CHECK(log.count(0, 4) == tally{1, 1, 0});
  CHECK(log.count(1, 0) == tally{1, 0, 0});
  CHECK(log.count(0, 7) == tally{});
}

TEST_CASE("tally: offers that the player did not end, and moves of an engine for it, are not its") {
  log_of log;
  log.add(kind::offered, 0).add(kind::withdrawn, 0, "moved").add(kind::accepted, 0);
  log.add(kind::declined, 0, "left").add(kind::declined, 0).add(kind::withdrawn, 0);
  CHECK(log.count(0, 0) == tally{0, 0, 4});
  log.add(kind::substituted, 1, "clock").add(kind::moved, 1).add(kind::returned, 1);
  log.add(kind::moved, 1);
  CHECK(log.count(1, 0) == tally{1, 0, 0});
  CHECK(log.count(1, 7) == tally{1, 0, 0});
}
