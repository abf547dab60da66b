#include "tools/bench/udp_player.hpp"

#include "tests/support/catch.hpp"

#include <string>

namespace gamehub::tools::bench {
namespace {

// The replies of a player to each byte; '.' stands for no reply. Its moves are the first free
// cells.
std::string replies(udp_player& p, const std::string& bytes) {
  std::string out;
  for (const char byte : bytes) {
    const auto done = p.on_data(byte, 0);
    CHECK(done.fault == "");
    out += done.reply == 0 ? '.' : done.reply;
  }
  return out;
}

std::string fault(udp_player& p, char byte) { return std::string{p.on_data(byte, 0).fault}; }

}  // namespace

TEST_CASE("udp player: begins each second game itself, and plays it to the end") {
  udp_player p;
  CHECK(p.away());
  CHECK(p.begin() == 'A');
  CHECK_FALSE(p.playing());
  CHECK(replies(p, "A0") == "0E");
  CHECK(p.playing());
  CHECK(replies(p, "3E1") == "31E");
  CHECK(replies(p, "4E2") == "42E");
  const auto end = p.on_data('C', 0);
  CHECK(end.ended);
  CHECK(end.moves == 1);
  CHECK(end.reply == 'C');
  CHECK_FALSE(p.playing());
  CHECK(p.on_data('Q', 0).answered);
  CHECK(p.away());

  CHECK(p.begin() == 'B');
  CHECK(replies(p, "B4") == "E4");
  CHECK(p.playing());
  CHECK(replies(p, "E02E13") == "0E21E3");
  CHECK(replies(p, "E56") == "5E6");
}

TEST_CASE("udp player: counts the moves of both sides") {
  udp_player p;
  p.begin();
  replies(p, "A0");
  CHECK(p.on_data('4', 0).moves == 2);
  replies(p, "E1");
  CHECK(p.on_data('2', 0).moves == 2);
}

TEST_CASE("udp player: says which replies are new moves") {
  udp_player p;
  p.begin();
  CHECK(p.on_data('A', 0).chose);
  CHECK_FALSE(p.on_data('0', 0).chose);
  CHECK_FALSE(p.on_data('4', 0).chose);
  CHECK(p.on_data('E', 0).chose);
  CHECK_FALSE(p.on_data('1', 0).chose);
  // The hub has not taken the move: it is made again.
  CHECK_FALSE(p.on_data('W', 0).chose);
}

TEST_CASE("udp player: late copies change nothing") {
  udp_player p;
  p.begin();
  CHECK(replies(p, "QSA") == "..0");
  CHECK(replies(p, "AAEW") == "....");
  CHECK(replies(p, "00AE") == "E...");
  CHECK(replies(p, "444") == "4..");
  CHECK(replies(p, "E") == "1");
  // The hub has not received the echo.
  CHECK(replies(p, "4E1") == "41E");
}

TEST_CASE("udp player: an invalid move is admitted, and made again") {
  udp_player p;
  p.begin();
  CHECK(replies(p, "AI") == "0I");
  CHECK(replies(p, "IW") == ".0");
  CHECK(replies(p, "0W0") == "E0E");
}

TEST_CASE("udp player: an end that is not by the rules is a fault") {
  udp_player p;
  p.begin();
  replies(p, "A0");
  CHECK(fault(p, 'D') == "a game ended differently than by its rules");
  CHECK(fault(p, 'Q') == "");
  p.begin();
  replies(p, "B");
  CHECK(fault(p, '4') == "");
  CHECK(fault(p, 'S') == "a game ended differently than by its rules");
  p.on_data('Q', 0);
  p.begin();
  replies(p, "A0");
  CHECK(fault(p, 'Q') == "the hub ended a game without a result");
  CHECK(p.away());
}

TEST_CASE("udp player: gives up what the hub may have begun") {
  udp_player p;
  p.begin();
  CHECK(p.resign() == 0);
  CHECK(p.away());
  p.begin();
  replies(p, "B");
  CHECK(p.resign() == 'Q');
  CHECK(replies(p, "B4SQ") == "..S.");
  CHECK(p.away());
  CHECK(p.begin() == 'A');
  replies(p, "A04E");
  CHECK(p.resign() == 'Q');
  const auto end = p.on_data('S', 0);
  CHECK_FALSE(end.ended);
  CHECK(end.fault == "");
}

}  // namespace gamehub::tools::bench
