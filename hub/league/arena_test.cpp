#include "hub/league/arena.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::league {
namespace {

using namespace std::chrono_literals;

// An arena that can be begun anew with what the last one wrote.
struct scene {
  explicit scene(bool open_registration = false) : settings{{}, open_registration} { begin(); }

  std::shared_ptr<rows> written = std::make_shared<rows>();
  std::unique_ptr<store> kept;
  std::unique_ptr<arena> now_on;
  arena_settings settings;
  base::wall_time now{24h};
  int due = 0;

  void begin() {
    now_on.reset();
    kept = make_memory_store(written, {{"anns", "ann"}, {"bobs", "bob"}});
    now_on =
        std::make_unique<arena>(*kept, std::make_unique<base::seeded_entropy>(1), settings, now);
    now_on->when_due([this] { ++due; });
  }
  registered ask(const std::string& name, const std::string& token = "anns",
                 const std::string& engine = "tictactoe") {
    std::optional<registered> said;
    now_on->find_owner(token, [&](const std::optional<std::string>& owner) {
      if (!owner) {
        said = "no owner";
        return;
      }
      now_on->register_bot({name, "1", engine, "http://h/"}, *owner, now, [&](const registered& r) {
        // With the arena locked this would never come back.
        static_cast<void>(now_on->count());
        said = r;
      });
    });
    return said.value();
  }
  bot_record come(const std::string& name) {
    const auto b = std::get<bot_record>(ask(name));
    now_on->on_online(b, now);
    return b;
  }
  scheduled_match open_one(std::uint64_t game) {
    const auto p = now_on->next_matches(now, 1).at(0);
    now_on->game_opened(p.id, game_id{game}, now);
    return p;
  }
  std::optional<match_result> result_of(match_id id) const { return written->fixtures.at(id).got; }
};

TEST_CASE("arena: a token identifies the owner of a bot") {
  scene s;
  CHECK(std::get<bot_record>(s.ask("dot")).owner == "ann");
  CHECK(std::holds_alternative<std::string>(s.ask("dot", "bobs")));
  CHECK(std::get<std::string>(s.ask("dash", "nobodys")) == "no owner");
}

TEST_CASE("arena: where registration is open, any token will do, and is an owner") {
  scene s{true};
  CHECK(std::get<bot_record>(s.ask("dot", "mine")).owner ==
        std::get<bot_record>(s.ask("dash", "mine")).owner);
  CHECK(std::holds_alternative<std::string>(s.ask("dot", "thine")));
  CHECK(std::get<bot_record>(s.ask("dots", "anns")).owner == "ann");
}

TEST_CASE("arena: bots are paired once they have answered, and the gateway is notified") {
  scene s;
  s.come("dot");
  const auto dash = std::get<bot_record>(s.ask("dash"));
  CHECK(s.now_on->next_matches(s.now, 9).empty());
  CHECK(s.now_on->expected().size() == 1);
  s.due = 0;
  s.now_on->on_online(dash, s.now);
  CHECK(s.due == 1);
  CHECK(s.now_on->count().waiting == 2);
  CHECK(s.now_on->next_matches(s.now, 9).size() == 1);
  CHECK(s.now_on->expected().empty());
}

TEST_CASE("arena: the reason of a loss follows from the end of the game and the error") {
  scene s;
  const auto dot = s.come("dot");
  const auto dash = s.come("dash");
  const auto first = s.open_one(100);
  s.now_on->game_ended(game_id{100}, {end_reason::rules, 1}, s.now);
  CHECK(s.result_of(first.id)->how == loss_reason::rules);
  CHECK(s.result_of(first.id)->winner == 1);
  const auto second = s.open_one(101);
  const auto loser = second.bots[0] == dot.id ? dot : dash;
  s.now_on->on_failure(loser, {bot_error_code::timeout, "said nothing", game_id{101}}, s.now);
  s.now_on->game_ended(game_id{101}, {end_reason::left, 1}, s.now);
  CHECK(s.result_of(second.id)->how == loss_reason::timeout);
  CHECK(s.now_on->failures_of(loser.id).size() == 1);
  CHECK(s.now_on->find(loser.id)->state == bot_state::faulty);
}

TEST_CASE("arena: leaving is a forfeit, and a draw is no loss") {
  scene s;
  s.come("dot");
  s.come("dash");
  const auto first = s.open_one(100);
  s.now_on->game_ended(game_id{100}, {end_reason::left, 0}, s.now);
  CHECK(s.result_of(first.id)->how == loss_reason::forfeit);
  const auto second = s.open_one(101);
  s.now_on->game_ended(game_id{101}, {end_reason::rules, {}}, s.now);
  CHECK_FALSE(s.result_of(second.id)->winner);
}

TEST_CASE("arena: a game that the hub ended is played again") {
  scene s;
  s.come("dot");
  s.come("dash");
  const auto p = s.open_one(100);
  s.now_on->game_ended(game_id{100}, {end_reason::drained, {}}, s.now);
  CHECK(s.now_on->count().waiting == 2);
}

TEST_CASE("arena: a bot that changes its engine loses its waiting matches") {
  scene s;
  s.come("dot");
  s.come("dash");
  s.ask("dot", "anns", "nim");
  CHECK(s.now_on->count().waiting == 0);
}

TEST_CASE("arena: after a restart games continue, have ended, or wait again") {
  scene s;
  for (const auto* name : {"a", "b", "c", "d", "e", "f"}) s.come(name);
  const auto runs = s.open_one(100), over = s.open_one(101), unknown = s.open_one(102);
  s.begin();
  s.now_on->record_result(
      [](game_id game) {
        if (game.value == 100) return match_outcome{true, {}};
        if (game.value == 101) return match_outcome{false, match_end{end_reason::rules, 0}};
        return match_outcome{};
      },
      {}, s.now);
  CHECK(s.written->fixtures.at(runs.id).game == game_id{100});
  CHECK(s.result_of(over.id)->winner == 0);
  CHECK(s.written->fixtures.at(unknown.id).state == match_state::waiting);
  const auto n = s.now_on->count();
  CHECK(n.running == 1);
  CHECK(n.waiting == 28);
  // Nobody has answered yet; then those who play are busy.
  CHECK(s.now_on->next_matches(s.now, 9).empty());
  for (const auto& b : s.now_on->expected()) s.now_on->on_online(b, s.now);
  CHECK(s.now_on->count().waiting == 28);
  CHECK(s.now_on->next_matches(s.now, 9).size() == 2);
}

TEST_CASE("arena: a game to which neither bot returns does not block other games") {
  scene s;
  const auto dot = s.come("dot"), dash = s.come("dash");
  s.open_one(100);
  for (const auto& b : {dot, dash})
    s.now_on->on_failure(b, {bot_error_code::transport, "gone"}, s.now);
  s.begin();
  s.now_on->record_result([](game_id) { return match_outcome{true, {}}; }, {}, s.now);
  CHECK(s.now_on->count().running == 0);
  for (const auto* name : {"dot", "dash"}) s.come(name);
  CHECK(s.now_on->next_matches(s.now, 9).size() == 1);
}

TEST_CASE("arena: a game without a result counts as one attempt, although the journal has it") {
  scene s;
  s.come("dot");
  s.come("dash");
  const auto p = s.open_one(100);
  s.begin();
  const match_outcome nothing{false, match_end{end_reason::interrupted, {}}};
  const auto names = std::array{s.now_on->find(p.bots[0])->name, s.now_on->find(p.bots[1])->name};
  s.now_on->record_result([&](game_id) { return nothing; }, {{game_id{100}, names, s.now, nothing}},
                          s.now);
  CHECK(s.written->fixtures.at(p.id).openings == 1);
  CHECK(s.now_on->count().waiting == 2);
  // Nor does it count at the next start.
  s.begin();
  s.now_on->record_result([&](game_id) { return nothing; }, {{game_id{100}, names, s.now, nothing}},
                          s.now);
  CHECK(s.written->fixtures.at(p.id).openings == 1);
}

TEST_CASE("arena: games that were not written here are taken from the journal") {
  scene s;
  s.come("dot");
  s.come("dash");
  s.now += 1s;
  s.begin();
  s.now_on->record_result(
      [](game_id) { return match_outcome{}; },
      {{game_id{101}, {"dash", "dot"}, s.now, {false, match_end{end_reason::rules, 1}}},
       {game_id{100}, {"dot", "dash"}, s.now, {true, {}}},
       {game_id{99}, {"dot", "ann"}, s.now, {true, {}}}},
      s.now);
  const auto n = s.now_on->count();
  CHECK(n.running == 1);
  CHECK(n.waiting == 0);
  s.now_on->game_ended(game_id{100}, {end_reason::rules, 0}, s.now);
  CHECK(s.now_on->count().running == 0);
  for (const auto& [id, f] : s.written->fixtures) CHECK(f.got);
}

TEST_CASE("arena: games are rated, and the best stand first, also after a restart") {
  scene s;
  s.come("dot");
  s.come("dash");
  const auto p = s.open_one(100);
  s.now_on->game_ended(game_id{100}, {end_reason::rules, 1}, s.now);
  for (int n = 0; n < 2; ++n) {
    const auto best = s.now_on->leaderboard("tictactoe", 10);
    REQUIRE(best.size() == 2);
    CHECK(best[0].name == s.now_on->find(p.bots[1])->name);
    CHECK(best[0].wins == 1);
    CHECK(best[0].online == (n == 0));
    CHECK(best[1].losses == 1);
    CHECK(best[1].rating < 1'500);
    s.begin();
  }
  CHECK(s.now_on->leaderboard("tictactoe", 1).size() == 1);
  CHECK(s.now_on->leaderboard("nim", 1).empty());
}

TEST_CASE("arena: a run is played to its end, also through a restart") {
  scene s;
  for (const auto* name : {"a", "b", "c"}) s.come(name);
  std::uint64_t game = 0;
  const auto play = [&](std::size_t most) {
    for (std::size_t n = 0; n < most; ++n) {
      const auto due = s.now_on->next_matches(s.now, 1);
      if (due.empty()) return;
      s.now_on->game_opened(due[0].id, game_id{++game}, s.now);
      s.now_on->game_ended(game_id{game}, {end_reason::rules, 0}, s.now);
    }
  };
  play(100);
  CHECK(game == 6);
  const auto said = s.now_on->begin_run({"tictactoe", run_format::round_robin, 4, {}, 60s}, s.now);
  REQUIRE(std::holds_alternative<run_id>(said));
  const auto id = std::get<run_id>(said);
  play(5);
  s.begin();
  for (const auto& b : s.now_on->expected()) s.now_on->on_online(b, s.now);
  CHECK(s.now_on->standings_of(id)->ended == 5);
  play(100);
  const auto all = s.now_on->standings_of(id).value();
  CHECK(all.ended == 12);
  CHECK(all.run.state == run_state::done);
  CHECK(game == 18);
}

TEST_CASE("arena: an impossible tournament is refused with a sentence") {
  scene s;
  s.come("dot");
  const auto ask = [&](run_request r) {
    const auto said = s.now_on->begin_run(r, s.now);
    return std::holds_alternative<std::string>(said) ? std::get<std::string>(said) : "";
  };
  run_request r{"tictactoe", run_format::round_robin, 2, {}, 60s};
  CHECK(ask(r).find("two bots") != std::string::npos);
  s.come("dash");
  r.names = {"dot", "nobody"};
  CHECK(ask(r) == "there is no bot \"nobody\"");
  r.names = {"dot", "dot"};
  CHECK(ask(r) == "\"dot\" is named twice");
  r.names.clear();
  r.games = run_games_max + 1;
  CHECK(ask(r).find("games at most") != std::string::npos);
  r.games = 0;
  CHECK(ask(r) != "");
  r.games = 1;
  for (std::size_t n = 0; n < runs_active_max; ++n) CHECK(ask(r) == "");
  CHECK(ask(r).find("runs already") != std::string::npos);
  CHECK(s.now_on->cancel_run(run_id{1}));
  CHECK_FALSE(s.now_on->cancel_run(run_id{1}));
  CHECK(ask(r) == "");
}

}  // namespace
}  // namespace gamehub::league
