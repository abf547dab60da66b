#include "hub/league/logged_bots.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::league {
namespace {

using kind = journal::record::kind;

journal::record seated(int seat, const std::string& name, const std::string& wire) {
  journal::record r;
  r.what = kind::joined;
  r.seat = static_cast<std::int16_t>(seat);
  r.text = name;
  r.wire = wire;
  return r;
}

journal::game_log game(const std::string& other_wire = "jsonrpc") {
  journal::game_log log;
  log.header.id = game_id{7};
  log.header.opened = base::wall_time{std::chrono::seconds{5}};
  log.records = {{}, seated(1, "dash", "jsonrpc"), seated(0, "dot", other_wire)};
  return log;
}

TEST_CASE("logged_bots: two bots are known by their wire, seat and name") {
  const auto found = game_of_bots(game()).value();
  CHECK(found.id == game_id{7});
  CHECK(found.names[0] == "dot");
  CHECK(found.names[1] == "dash");
  CHECK(found.opened == base::wall_time{std::chrono::seconds{5}});
  CHECK(found.outcome.runs);
  CHECK_FALSE(game_of_bots(game("http")));
  CHECK_FALSE(game_of_bots({}));
}

TEST_CASE("logged_bots: how a game ended is what its last record says") {
  auto log = game();
  journal::record end;
  end.what = kind::ended;
  end.why = end_reason::left;
  end.seat = 1;
  log.records.push_back(end);
  auto outcome = outcome_of(log);
  CHECK_FALSE(outcome.runs);
  CHECK(outcome.ended->why == end_reason::left);
  CHECK(outcome.ended->winner == 1);
  log.records.back().seat = -1;
  CHECK_FALSE(outcome_of(log).ended->winner);
}

}  // namespace
}  // namespace gamehub::league
