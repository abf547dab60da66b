// Players who stand to be asked for by name, as bots do: people find them, two of them meet when
// they are told to, and they wait no more while they play.
#include "actors/system/runtime.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/test_hub.hpp"

using namespace gamehub;
using namespace gamehub::tests;

namespace {

seek stands(std::uint32_t games = 1) {
  seek s;
  s.engines = {"tictactoe"};
  s.games_max = games;
  s.again = s.only_by_name = true;
  return s;
}

seek asks_for(std::string name, bool ready = false) {
  seek s;
  s.engines = {"tictactoe"};
  s.opponent = std::move(name);
  s.opponent_ready = ready;
  return s;
}

struct scene {
  std::shared_ptr<test_client> enter(const std::string& name, std::size_t loop = 0) {
    auto c = hub.connect(test_hub::cells_wire, loop);
    c->submit(sign_in{name, {}}), hub.settle();
    return c;
  }
  std::shared_ptr<test_client> bot(const std::string& name, std::uint32_t games = 1,
                                   std::size_t loop = 0) {
    auto c = enter(name, loop);
    c->submit(stands(games)), hub.settle();
    REQUIRE(c->last<placed>() != nullptr);
    c->clear_events();
    return c;
  }
  std::optional<refusal> ask(test_client& who, intent what) {
    who.clear_events();
    who.submit(std::move(what)), hub.settle();
    CHECK(who.pending_replies == 0);
    const auto* no = who.last<refused>();
    return no == nullptr ? std::nullopt : std::optional{no->why};
  }
  static game_id game_of(const test_client& who) { return who.events.back().game; }

  late_journal journal{false};
  test_hub hub{{.loops = 2, .log = &journal}};
};

}  // namespace

TEST_CASE("bots: who is asked for by name is there at once, and takes the second seat") {
  scene s;
  const auto ann = s.bot("Ann"), person = s.enter("person", 1);
  CHECK_FALSE(s.ask(*person, asks_for("Ann", true)));
  REQUIRE(person->last<started>() != nullptr);
  CHECK(person->last<started>()->seat == 0);
  REQUIRE(ann->last<started>() != nullptr);
  CHECK(ann->last<started>()->seat == 1);
}

TEST_CASE("bots: a seek without an opponent is not paired with a bot") {
  scene s;
  const auto ann = s.bot("Ann"), person = s.enter("person", 1);
  s.ask(*person, seek_once());
  CHECK(person->last<started>() == nullptr);
  CHECK(ann->events.empty());
}

TEST_CASE("bots: a seek for a bot that must be ready is refused if it is absent") {
  scene s;
  const auto person = s.enter("person");
  CHECK(s.ask(*person, asks_for("Ann", true)) == refusal::opponent_away);
  // Without that it waits.
  CHECK_FALSE(s.ask(*person, asks_for("Ann")));
  const auto ann = s.enter("Ann", 1);
  ann->submit(stands()), s.hub.settle();
  CHECK(person->last<started>() != nullptr);
}

TEST_CASE("bots: a rematch with a bot starts immediately, with the seats exchanged") {
  scene s;
  const auto ann = s.bot("Ann"), person = s.enter("person", 1);
  s.ask(*person, asks_for("Ann"));
  const auto first = s.game_of(*person);
  s.ask(*person, leave{});
  CHECK_FALSE(s.ask(*person, rematch{first}));
  REQUIRE(person->last<started>() != nullptr);
  CHECK(person->last<started>()->seat == 1);
  CHECK(s.game_of(*person) != first);
}

TEST_CASE("bots: two of them meet in the game whose id was told before") {
  scene s;
  const auto ann = s.bot("Ann", 2), bob = s.bot("Bob", 2, 1);
  CHECK_FALSE(s.ask(*ann, challenge{"Bob"}));
  REQUIRE(ann->last<placed>() != nullptr);
  CHECK_FALSE(ann->last<placed>()->begins);
  CHECK(ann->last<started>() == nullptr);
  const auto id = s.game_of(*ann);
  REQUIRE(id);
  CHECK_FALSE(s.ask(*ann, challenge{"Bob", id}));
  REQUIRE(ann->last<started>() != nullptr);
  CHECK(ann->last<started>()->seat == 0);
  CHECK(s.game_of(*ann) == id);
  CHECK(s.game_of(*bob) == id);
  // They have one place left each, and then none.
  CHECK_FALSE(s.ask(*bob, challenge{"Ann"}));
  CHECK_FALSE(s.ask(*bob, challenge{"Ann", s.game_of(*bob)}));
  CHECK(s.ask(*bob, challenge{"Ann"}) == refusal::already_in_game);
  CHECK(s.ask(*ann, challenge{"Cid"}) == refusal::opponent_away);
}

TEST_CASE("bots: a challenge of a player without a standing seek is refused") {
  scene s;
  const auto ann = s.bot("Ann"), person = s.enter("person", 1);
  CHECK(s.ask(*person, challenge{"Ann"}) == refusal::not_in_game);
  CHECK(s.ask(*ann, challenge{"person"}) == refusal::opponent_away);
}

TEST_CASE("bots: one that waits no more goes on with its games and gets no others") {
  scene s;
  const auto ann = s.bot("Ann", 2), person = s.enter("person", 1), other = s.enter("other");
  s.ask(*person, asks_for("Ann"));
  leave no_more;
  no_more.only_waiting = true;
  CHECK_FALSE(s.ask(*ann, no_more));
  CHECK(s.ask(*other, asks_for("Ann", true)) == refusal::opponent_away);
  CHECK_FALSE(s.ask(*person, play_cell(4)));
  CHECK_FALSE(s.ask(*ann, play_cell(0)));
  CHECK(s.ask(*ann, no_more) == refusal::not_in_game);
  s.ask(*person, leave{});
  CHECK(ann->last_position()->outcome->winner == 1);
}

TEST_CASE("bots: the players of a wire meet the one that it is set to") {
  test_hub hub{{.opponent = {.is_engine = false, .name = "Ann"}}};
  const auto person = hub.connect(test_hub::documents_wire);
  person->submit(sign_in{"person", {}}), person->submit(seek_once()), hub.settle();
  CHECK(person->last<refused>()->why == refusal::opponent_away);
  const auto waits = hub.connect(test_hub::documents_wire);
  waits->submit(sign_in{"waits", {}}), waits->submit(seek_again({"tictactoe"})), hub.settle();
  CHECK(waits->last<placed>() != nullptr);
  const auto ann = hub.connect(test_hub::cells_wire);
  ann->submit(sign_in{"Ann", {}}), ann->submit(stands(2)), hub.settle();
  CHECK(waits->last<started>() != nullptr);
  person->submit(seek_once()), hub.settle();
  CHECK(person->last<started>() != nullptr);
}
