// What games of days report of their absent players, over moves, returns, restarts and the end.
#include "hub/core/absence_listener.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/evening.hpp"

#include <string>
#include <vector>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

struct reports final : absence_listener {
  void on_turn(absent_turn t) override {
    turns.push_back(t);
    said.push_back("turn " + std::to_string(t.at.seat) + " " + std::to_string(t.number));
  }
  void on_turn_over(const std::string& player, game_id) override {
    said.push_back("over");
    players.push_back(player);
  }
  void on_end(lasting_end e) override {
    ends.push_back(e);
    said.push_back("end " + std::to_string(e.at.seat) + (e.away ? " away" : ""));
  }
  // What was reported since the last call.
  std::vector<std::string> take() { return std::exchange(said, {}); }

  std::vector<std::string> said, players;
  std::vector<absent_turn> turns;
  std::vector<lasting_end> ends;
};

using list = std::vector<std::string>;

// A hub on this journal that reports.
evening reporting(std::unique_ptr<late_journal> log, reports& to) {
  evening out{std::move(log)};
  auto options = hub_on(*out.log);
  options.settings.absences = &to;
  options.grace = 60s;
  out.hub = nullptr;
  out.hub = std::make_unique<test_hub>(options);
  return out;
}

// Ann (X) and Bob have a game with that clock.
struct reported_table {
  explicit reported_table(reports& to, const std::string& clock = "days:3")
      : at(reporting(empty_journal(), to)),
        ann(at.enter("ann", {}, 0)),
        bob(at.enter("bob", {}, 1)) {
    for (const auto& each : {ann, bob}) {
      auto what = seek_once();
      std::get<seek>(what).clock = clock;
      each.client->submit(std::move(what)), at.hub->settle();
    }
    REQUIRE(at.hub->games_started() == 1);
    game = bob.client->events.back().game;
  }
  evening::guest back(const evening::guest& who) const { return at.enter({}, who.secret); }
  void leave(const evening::guest& who) const {
    who.client->disconnect();
    at.hub->settle();
    at.hub->advance(2s);
  }

  evening at;
  evening::guest ann, bob;
  game_id game;
};

}  // namespace

TEST_CASE("absences: the turn of an absent player is reported once, whichever comes first") {
  reports heard;
  reported_table t{heard};
  CHECK(heard.take().empty());
  t.leave(t.bob);
  CHECK(heard.take().empty());
  t.at.put(t.ann, 1, 1, t.game);
  CHECK(heard.take() == list{"turn 1 1"});
  const auto& turn = heard.turns.back();
  CHECK(turn.at.player == journal::digest_of(t.bob.secret));
  CHECK(turn.at.game == t.game);
  CHECK(turn.at.engine == "tictactoe");
  CHECK(turn.until.value() - turn.since >= 71h);
  CHECK(turn.until.value() - turn.since <= 73h);
  t.ann.client->submit(chat{t.game, "hello"}), t.at.hub->settle();
  CHECK(heard.take().empty());
  // He looks, and goes again: the number says that it is the same turn.
  const auto bob = t.back(t.bob);
  CHECK(heard.take() == list{"over"});
  CHECK(heard.players.back() == journal::digest_of(t.bob.secret));
  t.leave(bob);
  CHECK(heard.take() == list{"turn 1 1"});
  const auto again = t.back(t.bob);
  t.at.put(again, 0, 0, t.game);
  CHECK(heard.take() == list{"over"});
  t.leave(again);
  t.leave(t.ann);
  // It was her turn before she left.
  CHECK(heard.take() == list{"turn 0 " + std::to_string(heard.turns.back().number)});
  CHECK(heard.turns.back().number > 1);
}

TEST_CASE("absences: the end is reported for each player, and says who is away") {
  reports heard;
  reported_table t{heard};
  t.leave(t.bob);
  t.at.put(t.ann, 1, 1, t.game);
  heard.take();
  t.ann.client->submit(leave{t.game}), t.at.hub->settle();
  CHECK(heard.take() == list{"end 0", "end 1 away"});
  CHECK(heard.ends.back().how.reason == end_reason::left);
  CHECK(heard.ends.back().how.winner == 1);
  CHECK(heard.ends.back().at.player == journal::digest_of(t.bob.secret));
}

TEST_CASE("absences: nothing is reported of a game by the second") {
  reports heard;
  reported_table t{heard, "fischer:60+1"};
  t.leave(t.bob);
  t.at.put(t.ann, 1, 1, t.game);
  t.ann.client->submit(leave{t.game}), t.at.hub->settle();
  CHECK(heard.take().empty());
}

TEST_CASE("absences: what is not committed is not reported") {
  reports heard;
  reported_table t{heard};
  t.leave(t.bob);
  t.at.log->be_late(true);
  t.ann.client->submit(play_document(R"({"type":"move","row":1,"column":1})", t.game));
  t.at.hub->settle();
  CHECK(heard.take().empty());
  t.at.log->be_late(false);
  t.at.hub->settle();
  CHECK(heard.take() == list{"turn 1 1"});
}

TEST_CASE("absences: after a restart the turns that wait are reported by the same numbers") {
  reports heard, after;
  reported_table t{heard};
  t.at.put(t.ann, 1, 1, t.game);
  const auto bob = t.back(t.bob);
  t.at.put(bob, 0, 0, t.game);
  t.leave(t.ann);
  CHECK(heard.take() == list{"turn 0 " + std::to_string(heard.turns.back().number)});
  auto next = reporting(t.at.log->left_behind(), after);
  next.report = next.hub->runtime().recover(next.events);
  next.hub->settle();
  REQUIRE(next.report.restored == 1);
  CHECK(after.take() == list{"turn 0 " + std::to_string(heard.turns.back().number)});
  CHECK(after.turns.back().at.player == journal::digest_of(t.ann.secret));
  CHECK(after.turns.back().since == heard.turns.back().since);
  CHECK(after.turns.back().until.has_value());
  const auto ann = next.enter({}, t.ann.secret);
  CHECK(after.take() == list{"over"});
  next.put(ann, 0, 1, t.game);
  CHECK(after.take() == list{"turn 1 " + std::to_string(after.turns.back().number)});
}
