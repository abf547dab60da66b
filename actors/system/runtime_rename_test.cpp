// Players who take another name: who sees it, what stays, and what they cannot escape by it.
#include "actors/system/recovery.hpp"
#include "actors/system/runtime.hpp"
#include "actors/table/replay.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/onlooker.hpp"
#include "tests/support/test_hub.hpp"

#include <string>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

struct named_table {
  explicit named_table(test_hub_options options = {}) : hub(std::move(options)) {
    ann = enter("ann", "the secret of ann"), bob = enter("bob", "the secret of bob");
  }
  std::shared_ptr<test_client> enter(const std::string& name, const std::string& secret) {
    auto c = hub.connect(test_hub::cells_wire, hub.loop_count() - 1);
    ask(*c, sign_in{name, secret, true});
    return c;
  }
  void ask(test_client& who, intent what) {
    who.clear_events();
    who.submit(std::move(what)), hub.settle();
    CHECK(who.pending_replies == 0);
  }
  const refused* refused_for(test_client& who, intent what) {
    ask(who, std::move(what));
    return who.last<refused>();
  }
  void meet() {
    ask(*ann, seek_once()), ask(*bob, seek_once());
    game = bob->events.back().game;
  }

  test_hub hub;
  std::shared_ptr<test_client> ann, bob;
  game_id game;
};

}  // namespace

TEST_CASE("rename: the players of a running game and its readers see it, and the seat stays") {
  late_journal journal{false};
  named_table t{{.loops = 2, .log = &journal}};
  t.meet();
  const auto watches = onlooker::of(t.hub.runtime().spectators_for(0), t.game);
  t.hub.settle();
  t.bob->clear_events();
  t.ask(*t.ann, change_name{"anna"});
  CHECK(t.ann->last<done>() != nullptr);
  REQUIRE(t.bob->last<renamed>() != nullptr);
  CHECK(t.bob->last<renamed>()->name == "anna");
  CHECK(t.bob->last<renamed>()->old_name == "ann");
  CHECK(t.bob->last<renamed>()->seat == 0);
  const auto& last = *watches->updates.back();
  CHECK(last.what == game_update::kind::renamed);
  CHECK(last.name == "anna");
  CHECK(last.text == "ann");
  CHECK(last.game->players == std::vector<std::string>{"anna", "bob"});
  // A move by it, and a reader that comes later reads the same.
  t.ask(*t.ann, play_cell(0));
  CHECK(t.ann->last<position_ref>() != nullptr);
  const auto late = onlooker::of(t.hub.runtime().spectators_for(1), t.game);
  t.hub.settle();
  CHECK(late->progress->game->players.front() == "anna");
  REQUIRE(late->updates.size() == 5);
  CHECK(late->updates[1]->name == "ann");
  CHECK(late->updates[3]->what == game_update::kind::renamed);
  CHECK(late->updates[3]->text == "ann");
  CHECK(late->updates[4]->game->players.front() == "anna");
}

TEST_CASE("rename: by the rules of new names; the old one is kept for its player for a while") {
  named_table t;
  const auto detail = [&](const std::string& name) {
    const auto* no = t.refused_for(*t.ann, change_name{name});
    return no == nullptr ? std::string{} : std::string{to_string(no->why)} + " " + no->detail;
  };
  CHECK(detail("bob") == "name-taken ");
  CHECK(detail("B0B") == "name-taken ");
  CHECK(detail("operator") == "name-unacceptable name-reserved");
  CHECK(detail("") == "name-unacceptable name-too-long");
  CHECK(detail("anna").empty());
  const auto eve = t.enter("eve", "the secret of eve");
  CHECK(t.refused_for(*eve, change_name{"ann"})->why == refusal::name_taken);
  CHECK(detail("ann").empty());
  CHECK(detail("anna").empty());
  t.hub.advance(limits::old_name_kept);
  CHECK(t.refused_for(*eve, change_name{"ann"}) == nullptr);
  CHECK(detail("ann") == "name-taken ");
}

TEST_CASE("rename: three times in a minute, and to few names") {
  named_table t;
  int done = 0;
  const auto as = [&](int i) {
    return change_name{"ann" + std::string(static_cast<std::size_t>(i), 'n')};
  };
  while (done < 20 && t.refused_for(*t.ann, as(1 + done % 10)) == nullptr) ++done;
  CHECK(done == static_cast<int>(limits::renames_max));
  CHECK(t.ann->last<refused>()->why == refusal::rate_limited);
  // A refused one does not count.
  t.hub.advance(limits::renames_in);
  for (int i = 0; i < 5; ++i) CHECK(t.refused_for(*t.ann, change_name{"bob"}) != nullptr);
  int names = 4;
  for (int i = 4; i < 30; ++i) {
    t.hub.advance(limits::renames_in);
    names += t.refused_for(*t.ann, as(i)) == nullptr ? 1 : 0;
  }
  CHECK(names == static_cast<int>(limits::names_per_player_max));
  t.hub.advance(limits::renames_in);
  CHECK(t.refused_for(*t.ann, change_name{"ann"}) == nullptr);
}

TEST_CASE("rename: bans and mutes hold for every name that a player has had") {
  ban_list rules;
  named_table t{{.settings = {0s, 0s, 0s, 100, 100, 60s, &rules}}};
  t.meet();
  const auto set = [&](moderation_list list) {
    rules.set(std::move(list));
    t.hub.runtime().bans_changed(), t.hub.settle();
  };
  set({{}, {"ann"}, {}});
  CHECK(t.refused_for(*t.ann, chat{{}, "hello"})->why == refusal::muted);
  t.ask(*t.ann, change_name{"anna"});
  CHECK(t.refused_for(*t.ann, chat{{}, "hello"})->why == refusal::muted);
  set({{"mallory"}, {}, {}});
  const auto* no = t.refused_for(*t.ann, change_name{"mallory"});
  REQUIRE(no != nullptr);
  CHECK(no->detail == "name-banned");
  CHECK(t.ann->connected());
  set({{"ann"}, {}, {}});
  CHECK(t.ann->closed == close_reason::banned);
}

TEST_CASE("rename: while the player waits, and its game begins under the new name") {
  named_table t;
  seek s;
  s.engines = {"tictactoe"};
  s.seat_at_once = s.reserve_game = true;
  t.ask(*t.ann, s);
  t.ask(*t.ann, change_name{"anna"});
  std::vector<std::string> names;
  t.hub.runtime().spectators_for(0).list({}, [&](const game_page& page) {
    for (const auto& g : page.games) names = g.progress.game->players;
  });
  t.hub.settle();
  CHECK(names == std::vector<std::string>{"anna", ""});
  auto by_name = s;
  by_name.opponent = "anna";
  t.ask(*t.bob, by_name);
  REQUIRE(t.bob->last<started>() != nullptr);
  CHECK(t.bob->last<started>()->players.front() == "anna");
}

TEST_CASE("rename: the game has the name after a restart, and the sanctions of the old one hold") {
  late_journal journal{false};
  journal.be_durable();
  game_id game;
  std::unique_ptr<late_journal> kept;
  {
    named_table t{{.settings = {0s, 0s, 0s, 100, 100, 60s}, .grace = 60s, .log = &journal}};
    t.meet();
    game = t.game;
    t.ask(*t.ann, change_name{"anna"});
    t.ask(*t.ann, play_cell(0));
    kept = journal.left_behind();
  }
  ban_list rules;
  rules.set({{}, {"ann"}, {}});
  test_hub hub{{.settings = {0s, 0s, 0s, 100, 100, 60s, &rules}, .grace = 60s, .log = kept.get()}};
  struct : actors::system::recovery_listener {
    void on_progress(std::size_t, std::size_t) override {}
    void on_quarantined(game_id, const std::string& why) override { FAIL(why); }
  } listener;
  CHECK(hub.runtime().recover(listener).restored == 1);
  const auto ann = hub.connect(test_hub::cells_wire), bob = hub.connect(test_hub::cells_wire);
  ann->submit(sign_in{"", "the secret of ann"}), bob->submit(sign_in{"", "the secret of bob"});
  hub.settle();
  REQUIRE(ann->last<signed_in>() != nullptr);
  CHECK(ann->last<signed_in>()->returned);
  CHECK(ann->last<signed_in>()->name == "anna");
  REQUIRE(bob->last<started>() != nullptr);
  CHECK(bob->last<started>()->players == std::vector<std::string>{"anna", "bob"});
  ann->submit(chat{game, "hello"}), hub.settle();
  REQUIRE(ann->last<refused>() != nullptr);
  CHECK(ann->last<refused>()->why == refusal::muted);
  bob->submit(play_cell(4, game)), hub.settle();
  CHECK(bob->last<position_ref>() != nullptr);
  const auto log = *kept->find(game);
  const auto& engine = hub.directory().engines[hub.engine("tictactoe")].rules;
  CHECK(std::holds_alternative<engines::host::match>(
      actors::table::replay(engine, log.header, log.records)));
}
