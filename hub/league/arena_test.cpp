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
  std::vector<bot_id> removed;

  void begin() {
    now_on.reset();
    kept = make_memory_store(written, {{"anns", "ann"}, {"bobs", "bob"}});
    now_on =
        std::make_unique<arena>(*kept, std::make_unique<base::seeded_entropy>(1), settings, now);
    now_on->when_due([this] { ++due; });
    now_on->when_removed([this](const std::vector<bot_id>& bots) {
      // With the arena locked this would never come back.
      static_cast<void>(now_on->count());
      removed.insert(removed.end(), bots.begin(), bots.end());
    });
  }
  registered ask(const std::string& name, const std::string& token = "anns",
                 const std::string& engine = "tictactoe") {
    std::optional<registered> said;
    now_on->find_owner(token, [&](const std::optional<bot_owner>& owner) {
      if (!owner) {
        said = registration_refusal{{}, "no owner"};
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
  std::vector<std::string> remove(const bot_choice& what) {
    std::vector<std::string> names;
    now_on->remove(what, now, [&](const auto& said) { names = said; });
    return names;
  }
  scheduled_match open_one(std::uint64_t game) {
    const auto p = now_on->next_matches(now, 1).at(0);
    now_on->game_opened(p.id, game_id{game}, now);
    return p;
  }
  std::optional<match_result> result_of(match_id id) const { return written->fixtures.at(id).got; }
};

TEST_CASE("arena: a hub that gets the league later has its bots, and pairs no match again") {
  scene s;
  s.come("dot");
  s.come("dash");
  const auto first = s.open_one(7);
  s.now_on->game_ended(game_id{7}, {end_reason::rules, 0}, s.now);
  const auto open = s.written->fixtures.size();
  // Another one, whose store was empty when it was made.
  auto later = std::make_shared<rows>();
  const auto kept = make_memory_store(later);
  arena next{*kept, std::make_unique<base::seeded_entropy>(2), s.settings, s.now};
  int due = 0;
  next.when_due([&] { ++due; });
  CHECK(next.bots().empty());
  *later = *s.written;
  next.begin(s.now);
  REQUIRE(next.expected().size() == 2);
  for (const auto& b : next.expected()) next.on_online(b, s.now);
  CHECK(due > 0);
  CHECK(later->fixtures.size() == open);
  CHECK(later->fixtures.at(first.id).got);
  CHECK(next.leaderboard("tictactoe", 9).size() == 2);
  CHECK(std::get<bot_record>(s.ask("dip")).id == bot_id{3});
}

TEST_CASE("arena: a token identifies the owner of a bot") {
  scene s;
  CHECK(std::get<bot_record>(s.ask("dot")).owner == "ann");
  CHECK(std::holds_alternative<registration_refusal>(s.ask("dot", "bobs")));
  CHECK(std::get<registration_refusal>(s.ask("dash", "nobodys")).text == "no owner");
}

TEST_CASE("arena: where registration is open, any token will do, and is an owner") {
  scene s{true};
  CHECK(std::get<bot_record>(s.ask("dot", "mine")).owner ==
        std::get<bot_record>(s.ask("dash", "mine")).owner);
  CHECK(std::holds_alternative<registration_refusal>(s.ask("dot", "thine")));
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

TEST_CASE("arena: bots of an engine for more than two are neither paired nor have tournaments") {
  scene s;
  for (const auto* name : {"dot", "dash"})
    s.now_on->on_online(std::get<bot_record>(s.ask(name, "anns", "oh-hell")), s.now, false);
  CHECK(s.now_on->count().waiting == 0);
  run_request all;
  all.engine = "oh-hell";
  CHECK(std::get<std::string>(s.now_on->begin_run(all, s.now)) ==
        "games of oh-hell have more than two seats: the league has none of them");
  CHECK(s.now_on->count().waiting == 0);
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

TEST_CASE("arena: a removed bot leaves the leaderboard, its matches end, and its name is free") {
  scene s;
  const auto dot = s.come("dot");
  s.come("dash");
  s.come("dip");
  const auto first = s.open_one(100);
  s.now_on->game_ended(game_id{100}, {end_reason::rules, 0}, s.now);
  const auto second = s.open_one(101);
  REQUIRE((second.bots[0] == dot.id || second.bots[1] == dot.id));
  REQUIRE(s.now_on->leaderboard("tictactoe", 9).size() == 2);
  CHECK(s.remove({"dot", ""}) == std::vector<std::string>{"dot"});
  CHECK(s.removed == std::vector{bot_id{dot.id}});
  CHECK_FALSE(s.now_on->find(dot.id));
  // Its running game does not count.
  s.now_on->game_ended(game_id{101}, {end_reason::left, 0}, s.now);
  const auto rated = s.now_on->leaderboard("tictactoe", 9);
  REQUIRE(rated.size() == 1);
  CHECK(rated[0].games == 1);
  CHECK(s.now_on->count().running == 0);
  CHECK(s.now_on->count().waiting == 2);
  CHECK(s.remove({"dot", ""}).empty());
  s.now_on->on_failure(dot, {bot_error_code::transport, "gone"}, s.now);
  s.begin();
  CHECK_FALSE(s.now_on->find("dot"));
  CHECK(s.now_on->leaderboard("tictactoe", 9).size() == 1);
  const auto later = std::get<bot_record>(s.ask("dot", "bobs"));
  CHECK(later.id > dot.id);
}

TEST_CASE("arena: a bot that is removed during the opening of its game is not called for it") {
  scene s;
  const auto dot = s.come("dot");
  s.come("dash");
  const auto p = s.now_on->next_matches(s.now, 1).at(0);
  s.remove({"dot", ""});
  s.now_on->game_opened(p.id, game_id{100}, s.now);
  s.now_on->game_not_opened(p.id, s.now);
  CHECK(s.now_on->count().running + s.now_on->count().waiting == 0);
  s.come("dip");
  const auto next = s.now_on->next_matches(s.now, 9);
  REQUIRE(next.size() == 1);
  CHECK((next[0].bots[0] != dot.id && next[0].bots[1] != dot.id));
}

TEST_CASE("arena: all bots of an owner are removed; in a tournament the others win") {
  scene s;
  s.come("dot");
  s.come("dash");
  const auto theirs = std::get<bot_record>(s.ask("dip", "bobs"));
  s.now_on->on_online(theirs, s.now);
  run_request request;
  request.engine = "tictactoe";
  const auto run = std::get<run_id>(s.now_on->begin_run(request, s.now));
  CHECK(s.remove({"", "ann"}) == std::vector<std::string>{"dot", "dash"});
  const auto now = s.now_on->standings_of(run).value();
  CHECK(now.run.state == run_state::done);
  CHECK(now.ended == 6);
  CHECK(now.without_result == 2);
  for (const auto& each : now.table)
    if (each.who == theirs.id) CHECK(each.wins == 4);
  CHECK(s.now_on->leaderboard("tictactoe", 9).empty());
  CHECK(s.now_on->bots().size() == 1);
  s.begin();
  CHECK(s.now_on->standings_of(run)->run.state == run_state::done);
}

TEST_CASE("arena: in a full registry a name that never answered makes room") {
  scene s;
  const auto add = [&](std::size_t n, const bot_owner& owner) {
    std::optional<registered> said;
    s.now_on->register_bot({"bot " + std::to_string(n), "1", "tictactoe", "http://h/"}, owner,
                           s.now, [&](const registered& r) { said = r; });
    return said.value();
  };
  for (std::size_t n = 0; n < bots_max; ++n) {
    const auto b = std::get<bot_record>(add(n, {"flood"}));
    s.now_on->on_failure(b, {bot_error_code::transport, "no answer"}, s.now);
  }
  const auto honest = add(bots_max, {"honest", "honest"});
  REQUIRE(std::holds_alternative<bot_record>(honest));
  CHECK(s.removed.size() == 1);
  CHECK_FALSE(s.now_on->find("bot 0"));
  CHECK(s.now_on->bots().size() == bots_max);
  // An hour later it is still there, and after a day the others are gone.
  s.now_on->on_failure(std::get<bot_record>(honest), {bot_error_code::transport, "down"}, s.now);
  s.now += 1h;
  CHECK(std::holds_alternative<bot_record>(add(bots_max, {"honest", "honest"})));
  s.now += 23h;
  CHECK(std::holds_alternative<bot_record>(add(bots_max + 1, {"honest", "honest"})));
  CHECK(s.now_on->bots().size() == 2);
  s.begin();
  CHECK(s.now_on->bots().size() == 2);
}

TEST_CASE("arena: a registry full of bots that have answered refuses, and loses none") {
  scene s;
  std::vector<bot_record> all(bots_max);
  for (std::size_t n = 0; n < bots_max; ++n) {
    all[n].id = bot_id{n + 1};
    all[n].name = "bot " + std::to_string(n);
    all[n].state = bot_state::faulty;
    all[n].has_answered = true;
  }
  changes before;
  before.bots = all;
  s.written->apply(before);
  s.begin();
  const auto no = std::get<registration_refusal>(s.ask("dot"));
  CHECK(no.why == registration_refusal::reason::hub_full);
  CHECK(s.removed.empty());
}

}  // namespace
}  // namespace gamehub::league
