#include "gateways/http/server/leaderboard.hpp"

#include <array>
#include <charconv>
#include <cstdint>

#include "gateways/http/object_writer.hpp"

namespace gamehub::gateways::http::server {

namespace {

// What a rating says is said by one digit after the point.
std::string one_digit(double value) {
  std::array<char, 64> text;
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 1);
  return error == std::errc{} ? std::string{text.data(), end} : "null";
}

}  // namespace

std::string leaderboard(std::string_view engine, std::span<const leaderboard_row> best) {
  std::string players = "[";
  std::uint64_t rank = 0;
  for (const auto& each : best) {
    if (rank > 0) players += ',';
    object_writer to{players};
    to.number("rank", ++rank);
    to.text("name", each.name);
    to.spelled("rating", one_digit(each.rating));
    to.spelled("deviation", one_digit(each.deviation));
    to.number("games", each.games);
    to.number("wins", each.wins);
    to.number("draws", each.draws);
    to.number("losses", each.losses);
    to.truth("online", each.online);
    to.end();
  }
  players += ']';
  std::string out;
  object_writer to{out};
  to.text("engine", engine);
  to.spelled("players", players);
  to.end();
  return out;
}

}  // namespace gamehub::gateways::http::server
