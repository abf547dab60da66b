#include "gateways/udp/udp.hpp"

#include "hub/base/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/endpoints.hpp"

#include <chrono>
#include <cstdint>

using namespace gamehub;
using gateways::udp::unsupported_reason;

namespace {

engine_traits board_of(int rows, int columns) {
  engine_traits t;
  t.id = "tictactoe";
  t.marks = "XO";
  t.rows = rows;
  t.columns = columns;
  t.actions_max = static_cast<std::uint64_t>(rows * columns);
  return t;
}

}  // namespace

TEST_CASE("udp engines: carries games for two on up to nine cells") {
  CHECK(!unsupported_reason(board_of(3, 3)));
  CHECK(!unsupported_reason(board_of(2, 2)));
}

TEST_CASE("udp engines: refuses other engines with a reason") {
  auto without_cells = board_of(3, 3);
  without_cells.marks.clear();
  CHECK(unsupported_reason(without_cells)->find("no board of cells") != std::string::npos);
  auto three = board_of(3, 3);
  three.players = 3;
  CHECK(unsupported_reason(three)->find("is played by 3") != std::string::npos);
  CHECK(unsupported_reason(board_of(6, 7))->find("42 cells") != std::string::npos);
  CHECK(unsupported_reason(board_of(2, 5))->find("10 cells") != std::string::npos);
  auto moving = board_of(3, 3);
  moving.actions_max = 24;
  CHECK(unsupported_reason(moving)->find("more moves than cells") != std::string::npos);
  auto at_once = board_of(3, 3);
  at_once.simultaneous = true;
  CHECK(unsupported_reason(at_once)->find("at the same time") != std::string::npos);
  auto hidden = board_of(3, 3);
  hidden.perfect_information = false;
  CHECK(unsupported_reason(hidden)->find("hides things") != std::string::npos);
}

TEST_CASE("udp engines: the rate of a port's guests is that of its sockets, and may be no limit") {
  for (const std::uint32_t rate : {0u, 10u, 1'000u}) {
    gateways::datagram_setup asked;
    asked.engine = board_of(3, 3);
    asked.sessions_max = asked.players_max = asked.games_max = 1'000'000;
    asked.guest_rate = rate;
    base::seeded_entropy random{1};
    const auto made = gateways::udp::make_datagrams(asked, random);
    gateways::peers_output out;
    base::instant now{std::chrono::hours{1}};
    constexpr std::uint32_t asking = 6'000;
    for (std::uint32_t i = 0; i < asking; ++i)
      for (const char byte : {'A', '4'})
        made.front()->receive(tests::ipv4(0x0B000000 + i, 9'000), {&byte, 1}, now, out);
    const auto begun = asking - made.front()->counts().throttled;
    CHECK(begun == (rate == 0 ? asking : 4 * rate));
  }
}
