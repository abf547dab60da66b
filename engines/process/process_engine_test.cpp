#include "engines/process/process_engine.hpp"

#include "engines/host/observation.hpp"
#include "engines/host/registry.hpp"
#include "engines/host/search.hpp"
#include "engines/process/engine_worker.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/direct_line.hpp"
#include "tests/support/sanitized.hpp"

#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace gamehub::engines::process {
namespace {

struct distant : tests::distant_engine {
  explicit distant(std::string_view id, std::size_t processes = 1,
                   std::uint16_t protocol_minor = minor_with_play)
      : tests::distant_engine(tests::built_in(id), 5, processes, protocol_minor) {}
};

host::match begun(const host::engine& rules) { return std::get<host::match>(rules.create({})); }

TEST_CASE("process_engine: every engine keeps its contract at the other end of a line") {
  const auto cached_answer = host::registry::built_in();
  for (const auto& each : cached_answer.all()) {
    INFO(each.id());
    // The engines with the longest games take most of the time.
    if (tests::sanitized && each.plies_max() > 100) continue;
    const distant it{each.id()};
    CHECK(it.rules.title() == each.title());
    CHECK(it.rules.version_text() == each.version_text());
    CHECK(it.rules.options_schema() == each.options_schema());
    CHECK(it.rules.has_cells() == each.has_cells());
    CHECK(it.rules.has_player() == each.has_player());
    CHECK(it.rules.mark(0) == each.mark(0));
    CHECK(it.rules.face() == each.face());
    CHECK(it.rules.has_score() == each.has_score());
    CHECK(it.rules.has_summary() == each.has_summary());
    tests::check_engine_contract(it.rules, {.playouts = tests::sanitized ? 1 : 3});
    CHECK(it.by.ended.empty());
  }
}

TEST_CASE("process_engine: the same game is the same game there and here") {
  const distant it{"connect-four"};
  auto far = begun(it.rules);
  auto near = begun(it.at_home);
  for (const action column : {3, 3, 9, 2, 0}) {
    const int seat = holds(near.to_move(), 0) ? 0 : 1;
    const auto* why = near.apply(seat, column);
    const auto* far_why = far.apply(seat, column);
    CHECK(std::string{why ? why : ""} == std::string{far_why ? far_why : ""});
    CHECK(far.hash() == near.hash());
    CHECK(far.save() == near.save());
    std::string board, far_board;
    near.glyphs(spectator, board);
    far.glyphs(spectator, far_board);
    CHECK(far_board == board);
  }
}

TEST_CASE("process_engine: a search of a game with secrets chooses the same there and here") {
  const distant it{"rock-paper-scissors"};
  const host::played_game game;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const play_style style{level::medium, seed, {}};
    CHECK(host::choose_action(it.rules, begun(it.rules), 1, style, {}, &game) ==
          host::choose_action(it.at_home, begun(it.at_home), 1, style, {}, &game));
  }
}

TEST_CASE(
    "process_engine: score and summary are the same there and here, without more round trips") {
  const distant it{"othello"};
  auto far = begun(it.rules);
  auto near = begun(it.at_home);
  std::vector<double> score, far_score;
  std::string summary, far_summary;
  far.score(far_score), far.summary(far_summary);
  for (const action cell : {19, 18, 17}) {
    const int seat = holds(near.to_move(), 0) ? 0 : 1;
    REQUIRE(near.apply(seat, cell) == nullptr);
    const auto before = it.by.asked;
    REQUIRE(far.apply(seat, cell) == nullptr);
    near.score(score), near.summary(summary);
    far.score(far_score), far.summary(far_summary);
    CHECK(it.by.asked - before == 1);
    CHECK(far_score == score);
    CHECK(far_summary == summary);
    CHECK_FALSE(summary.empty());
  }
}

// Before version 1.1 of the protocol: two.
TEST_CASE("process_engine: a move costs one round trip") {
  const auto minor = GENERATE(std::uint16_t{0}, minor_with_play);
  const distant it{"tictactoe", 1, minor};
  auto m = begun(it.rules);
  std::string board, view;
  const auto show = [&] {
    m.cells();
    m.glyphs(spectator, board);
    m.view_json(spectator, view);
  };
  show();
  for (int cell = 0; cell < 3; ++cell) {
    const auto before = it.by.asked;
    const int seat = cell % 2;
    // What a table asks.
    REQUIRE(holds(m.to_move(), seat));
    const auto found = m.at_cell(seat, cell);
    REQUIRE(found.reason == nullptr);
    CHECK(m.audience(seat, found.value) == everyone);
    REQUIRE(m.apply(seat, found.value) == nullptr);
    CHECK(m.hash() != 0);
    CHECK_FALSE(m.at_chance());
    CHECK_FALSE(m.over());
    show();
    CHECK(it.by.asked - before == (minor == 0 ? 2 : 1));
  }
}

TEST_CASE("process_engine: a move that is read and not played leaves the match as it was") {
  const distant it{"tictactoe"};
  auto m = begun(it.rules);
  const auto hash = m.hash();
  CHECK(m.at_cell(0, 4).value == 4);
  CHECK(m.at_cell(0, 5).value == 5);
  CHECK(m.hash() == hash);
  auto other = m.clone();
  CHECK(other.hash() == hash);
  // Another one than that which was read last.
  CHECK(m.apply(0, 0) == nullptr);
  CHECK(m.hash() != hash);
  // Of the seat that is not to move, and of one that can't be read.
  CHECK(m.at_cell(0, 1).reason == nullptr);
  CHECK(m.from_text(1, "middle").reason != nullptr);
  CHECK(std::string{m.apply(0, 1)} == "not-your-turn");
  // What can't be applied is refused by apply() alone.
  CHECK(m.at_cell(1, 0).reason == nullptr);
  CHECK(std::string{m.apply(1, 0)} == "space-not-empty");
  CHECK(m.at_cell(1, 4).reason == nullptr);
  CHECK(m.apply(1, 4) == nullptr);
  CHECK(it.by.ended.empty());

  // The process keeps one match for each of the hub's.
  std::set<std::uint64_t> kept;
  it.by.before = [&](const request& r) {
    for (const auto each : r.released) kept.erase(each);
    if (r.what != request::kind::ask)
      kept.insert(r.what == request::kind::play ? static_cast<std::uint64_t>(r.number) : r.match);
  };
  auto last = begun(it.rules);
  for (int cell = 0; cell < 5; ++cell) {
    const int seat = cell % 2;
    REQUIRE(last.apply(seat, last.at_cell(seat, cell).value) == nullptr);
  }
  // The match, and the one before it, which the next request releases.
  CHECK(kept.size() == 2);
}

TEST_CASE("process_engine: the texts of a list of actions come with few requests") {
  const distant it{"gomoku"};
  auto m = begun(it.rules);
  std::vector<action> legal;
  m.legal_actions(0, legal);
  REQUIRE(legal.size() == 225);
  auto near = begun(it.at_home);
  const auto before = it.by.asked;
  for (const auto each : legal) CHECK(m.to_json(each) == near.to_json(each));
  CHECK(it.by.asked - before == 4);
  // Both seats list theirs, in turns.
  REQUIRE(m.apply(0, m.at_cell(0, 0).value) == nullptr);
  m.legal_actions(1, legal);
  for (int i = 0; i < 2; ++i) {
    const auto seat = 1 - i;
    REQUIRE(m.apply(seat, m.at_cell(seat, 5 + i).value) == nullptr);
    const auto asked = it.by.asked;
    m.legal_actions(i, legal);
    CHECK(legal.size() == 223 - static_cast<std::size_t>(i));
    CHECK(it.by.asked == asked);
  }
}

TEST_CASE("process_engine: a prepared match is made when it is first used") {
  const distant it{"nim"};
  auto m = std::get<host::match>(it.rules.prepare(R"({"heaps":2})"));
  CHECK(it.by.asked == 0);
  CHECK(m.to_move() == only(0));
  CHECK(it.by.asked == 1);

  it.by.stop();
  auto never = std::get<host::match>(it.rules.prepare({}));
  CHECK_THROWS_AS(never.to_move(), host::engine_failure);
  // And it does not come into being later, in the middle of a game.
  it.by.start();
  CHECK_THROWS_AS(never.to_move(), host::engine_failure);
}

TEST_CASE("process_engine: a match begins in the process with the fewest, and stays there") {
  const distant it{"tictactoe", 2};
  const auto& far = it.rules;
  REQUIRE(far.host()->processes().size() == 2);
  CHECK(far.in_process(0) == far);
  CHECK(far.in_process(7) == far.in_process(1));
  CHECK(far.in_process(1).host()->number() == 6);
  CHECK(far.least_loaded() == far);
  auto first = std::get<host::match>(far.prepare({}));
  CHECK(far.least_loaded() == far.in_process(1));
  {
    auto second = begun(far.least_loaded());
    CHECK(second.rules() == far.in_process(1));
    CHECK(second.clone().rules() == second.rules());
    CHECK(it.all[1]->asked == 2);
    CHECK(far.least_loaded() == far);
  }
  CHECK(far.in_process(1).host()->matches() == 0);
  CHECK(first.apply(0, 0) == nullptr);
  CHECK(it.all[0]->asked == 2);

  it.all[1]->stop();
  CHECK(far.least_loaded() == far);
  CHECK(far.up());
  it.all[0]->stop();
  CHECK_FALSE(far.up());
}

TEST_CASE("process_engine: options that the engine refuses are refused with its reason") {
  const distant it{"gomoku"};
  const std::string options = R"({"rows":3,"columns":3,"in_a_row":9})";
  const auto why = std::get<std::string>(it.at_home.create(options));
  CHECK(std::get<std::string>(it.rules.create(options)) == why);
}

TEST_CASE(
    "process_engine: a match is gone with the life of its process, and what was told of it stays") {
  const distant it{"tictactoe"};
  CHECK(it.rules.host()->number() == 5);
  CHECK(it.rules.host()->up());
  auto m = begun(it.rules);
  std::string board;
  m.glyphs(spectator, board);
  it.by.stop();
  CHECK_FALSE(it.rules.host()->up());
  m.glyphs(spectator, board);
  CHECK(board == "---------");
  CHECK_THROWS_AS(m.apply(0, 0), host::engine_failure);
  CHECK(std::get<std::string>(it.rules.create({})) == reasons::engine_failure);
  CHECK(it.rules.host()->bring_up());
  CHECK_THROWS_AS(m.apply(0, 0), host::engine_failure);
  CHECK_THROWS_AS(m.clone(), host::engine_failure);
  auto next = begun(it.rules);
  CHECK(next.apply(0, 0) == nullptr);
}

TEST_CASE("process_engine: the process forgets matches that are over") {
  const auto rules = tests::built_in("tictactoe");
  engine_worker there{rules};
  request how;
  how.what = request::kind::create;
  how.match = 1;
  REQUIRE(decode_reply(there.serve(encode(how)).value())->state);
  request ask;
  ask.match = 1;
  CHECK_FALSE(decode_reply(there.serve(encode(ask)).value())->failed);
  ask.released = {1};
  CHECK(decode_reply(there.serve(encode(ask)).value())->failed);

  // The hub says so with its next request.
  const distant it{"tictactoe"};
  std::vector<std::uint64_t> released;
  { const auto m = begun(it.rules); }
  auto other = begun(it.rules);
  CHECK(other.apply(0, 0) == nullptr);
}

TEST_CASE("process_engine: what can't be true ends the life of the process") {
  const auto check_ends = [](std::function<void(reply&)> spoil, const std::string& why) {
    static const distant it{"tictactoe"};
    it.by.start();
    it.by.ended.clear();
    it.by.spoil = nullptr;
    auto m = begun(it.rules);
    it.by.spoil = std::move(spoil);
    CHECK_THROWS_AS(m.apply(0, 0), host::engine_failure);
    CHECK(it.by.ended == why);
    CHECK_FALSE(it.rules.host()->up());
  };
  check_ends([](reply& r) { r.state->players = 3; },
             "has a number of players that it does not declare");
  check_ends([](reply& r) { r.state->to_move = only(7); }, "asks a seat to move that is not there");
  check_ends([](reply& r) { r.state.reset(); }, "tells a state that was not asked for, or none");
  check_ends([](reply& r) { r.state.reset(), r.reason = "\n"; }, "gives a reason that is no word");
}

TEST_CASE("process_engine: a lie in an answer, garbage and ever new reasons end it, too") {
  const distant it{"tictactoe"};
  auto m = begun(it.rules);
  std::string out;
  it.by.spoil = [](reply& r) { r.answers.front().bytes = "X"; };
  CHECK_THROWS_AS(m.glyphs(spectator, out), host::engine_failure);
  CHECK(it.by.ended == "shows a board that is not of its size or not printable");

  it.by.start();
  it.by.spoil = nullptr;
  auto next = begun(it.rules);
  it.by.garbage = true;
  CHECK_THROWS_AS(next.view_json(spectator, out), host::engine_failure);
  CHECK(it.by.ended == "says what means nothing");

  it.by.garbage = false;
  it.by.start();
  it.by.ended.clear();
  auto last = begun(it.rules);
  int count = 0;
  it.by.spoil = [&](reply& r) {
    r.state.reset();
    r.reason = "no-" + std::to_string(++count);
  };
  std::string why;
  while (why != reasons::engine_failure && count < 1'000) why = last.apply(0, 0);
  CHECK(it.by.ended == "has ever new reasons");
}

TEST_CASE("process_engine: a failure that the engine tells ends nothing but the game") {
  const distant it{"tictactoe"};
  auto m = begun(it.rules);
  it.by.spoil = [](reply& r) {
    r = {};
    r.failed = true;
  };
  CHECK(std::string{m.apply(0, 0)} == reasons::engine_failure);
  std::string out;
  CHECK_THROWS_AS(m.glyphs(spectator, out), host::engine_failure);
  CHECK(it.by.ended.empty());
  CHECK(it.rules.host()->up());
}

TEST_CASE("process_engine: who thinks gets its time on top of a call's") {
  const distant it{"tictactoe"};
  const auto m = begun(it.rules);
  const std::chrono::milliseconds budget{250};
  const auto chosen = m.choose(0, {level::perfect, 3, budget});
  REQUIRE(chosen);
  CHECK(chosen == begun(it.at_home).choose(0, {level::perfect, 3, budget}));
  CHECK(it.by.longest == budget);
}

}  // namespace
}  // namespace gamehub::engines::process
