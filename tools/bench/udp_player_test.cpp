#include "hub/app/bench/udp_player.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace gamehub::app::bench {
namespace {

// What a player says to each byte, '.' being nothing. Its moves are the first free cells.
std::string says(udp_player& p, const std::string& bytes) {
  std::string out;
  for (const char byte : bytes) {
    const auto done = p.hear(byte, 0);
    CHECK(done.fault == "");
    out += done.say == 0 ? '.' : done.say;
  }
  return out;
}

std::string fault(udp_player& p, char byte) { return std::string{p.hear(byte, 0).fault}; }

}  // namespace

TEST_CASE("udp player: begins each second game itself, and plays it to the end") {
  udp_player p;
  CHECK(p.away());
  CHECK(p.begin() == 'A');
  CHECK_FALSE(p.playing());
  CHECK(says(p, "A0") == "0E");
  CHECK(p.playing());
  CHECK(says(p, "3E1") == "31E");
  CHECK(says(p, "4E2") == "42E");
  const auto end = p.hear('C', 0);
  CHECK(end.ended);
  CHECK(end.moves == 1);
  CHECK(end.say == 'C');
  CHECK_FALSE(p.playing());
  CHECK(p.hear('Q', 0).answered);
  CHECK(p.away());

  CHECK(p.begin() == 'B');
  CHECK(says(p, "B4") == "E4");
  CHECK(p.playing());
  CHECK(says(p, "E02E13") == "0E21E3");
  CHECK(says(p, "E56") == "5E6");
}

TEST_CASE("udp player: counts the moves of both sides") {
  udp_player p;
  p.begin();
  says(p, "A0");
  CHECK(p.hear('4', 0).moves == 2);
  says(p, "E1");
  CHECK(p.hear('2', 0).moves == 2);
}

TEST_CASE("udp player: late copies change nothing") {
  udp_player p;
  p.begin();
  CHECK(says(p, "QSA") == "..0");
  CHECK(says(p, "AAEW") == "....");
  CHECK(says(p, "00AE") == "E...");
  CHECK(says(p, "444") == "4..");
  CHECK(says(p, "E") == "1");
  // The hub has not heard the echo.
  CHECK(says(p, "4E1") == "41E");
}

TEST_CASE("udp player: an invalid move is admitted, and made again") {
  udp_player p;
  p.begin();
  CHECK(says(p, "AI") == "0I");
  CHECK(says(p, "IW") == ".0");
  CHECK(says(p, "0W0") == "E0E");
}

TEST_CASE("udp player: an end that is not by the rules is a fault") {
  udp_player p;
  p.begin();
  says(p, "A0");
  CHECK(fault(p, 'D') == "a game ended in another way than by its rules");
  CHECK(fault(p, 'Q') == "");
  p.begin();
  says(p, "B");
  CHECK(fault(p, '4') == "");
  CHECK(fault(p, 'S') == "a game ended in another way than by its rules");
  p.hear('Q', 0);
  p.begin();
  says(p, "A0");
  CHECK(fault(p, 'Q') == "the hub ended a game without a result");
  CHECK(p.away());
}

TEST_CASE("udp player: gives up what the hub may have begun") {
  udp_player p;
  p.begin();
  CHECK(p.resign() == 0);
  CHECK(p.away());
  p.begin();
  says(p, "B");
  CHECK(p.resign() == 'Q');
  CHECK(says(p, "B4SQ") == "..S.");
  CHECK(p.away());
  CHECK(p.begin() == 'A');
  says(p, "A04E");
  CHECK(p.resign() == 'Q');
  const auto end = p.hear('S', 0);
  CHECK_FALSE(end.ended);
  CHECK(end.fault == "");
}

}  // namespace gamehub::app::bench
