#include "engines/process/reply_validation.hpp"

#include "tests/support/catch.hpp"

#include <limits>

namespace gamehub::engines::process {
namespace {

description tictactoe() {
  description d;
  d.id = "tictactoe";
  d.title = "TicTacToe";
  d.players_min = d.players_max = 2;
  d.actions_max = 9;
  d.plies_max = 9;
  d.state_bytes_max = 16;
  d.marks = "XO";
  return d;
}

state_summary opening() {
  state_summary s;
  s.players = 2;
  s.to_move = only(0);
  s.size = {3, 3};
  return s;
}

query about(query::kind what, int seat = 0) {
  query q;
  q.what = what;
  q.seat = seat;
  return q;
}

template <class Spoil>
std::string fault_of_state(Spoil spoil) {
  auto s = opening();
  spoil(s);
  const auto before = opening();
  return validate(s, tictactoe(), &before);
}

std::string fault_of(query::kind what, query_result a) {
  return validate(a, about(what), opening(), tictactoe());
}

query_result text(std::string bytes) {
  query_result a;
  a.bytes = std::move(bytes);
  return a;
}

query_result listing(std::vector<action> actions) {
  query_result a;
  a.actions = std::move(actions);
  return a;
}

TEST_CASE("reply_validation: nothing is wrong with the truth") {
  CHECK(validate(tictactoe()).empty());
  CHECK(validate(opening(), tictactoe(), nullptr).empty());
  CHECK(fault_of_state([](state_summary& s) { s.to_move = 0, s.scores = {1, -1}; }).empty());
  CHECK(fault_of_state([](state_summary& s) { s.to_move = 3; }).empty());
  CHECK(fault_of_state([](state_summary& s) {
          s.to_move = only(chance), s.draws = {1, 2}, s.weights = {1, 1};
        }).empty());
  using kind = query::kind;
  CHECK(fault_of(kind::legal_actions, listing({0, 4, 8})).empty());
  CHECK(fault_of(kind::glyphs, text("X-O------")).empty());
  CHECK(fault_of(kind::view, text(R"({"board":["X"]})")).empty());
  CHECK(fault_of(kind::to_text, text("4")).empty());
  CHECK(fault_of(kind::to_json, text(R"({"cell":4})")).empty());
  CHECK(fault_of(kind::save, text(std::string(16, '\xff'))).empty());
  query_result refused;
  refused.reason = "space-not-empty";
  CHECK(fault_of(kind::at_cell, refused).empty());
  query_result failed;
  failed.failed = true;
  CHECK(fault_of(kind::view, failed).empty());
}

TEST_CASE("reply_validation: a state that can't be is found") {
  CHECK(fault_of_state([](state_summary& s) { s.players = 3; }) ==
        "has a number of players that it does not declare");
  CHECK(fault_of_state([](state_summary& s) {
          s.size = {3, 4};
        }) == "changes its players or its board in a match");
  auto huge = opening();
  huge.size = {100'000, 100'000};
  CHECK(validate(huge, tictactoe(), nullptr) == "has a board of an impossible size");
  auto bare = tictactoe();
  bare.marks.reset();
  CHECK(validate(opening(), bare, nullptr) == "has a board and no cells");
  for (const seats nobody : {only(2), only(0) | only(chance), everyone})
    CHECK(fault_of_state([&](state_summary& s) { s.to_move = nobody; }) ==
          "asks a seat to move that is not there");
  const auto* scores = "has scores that are not of its players";
  CHECK(fault_of_state([](state_summary& s) { s.scores = {1, -1}; }) == scores);
  CHECK(fault_of_state([](state_summary& s) { s.to_move = 0; }) == scores);
  CHECK(fault_of_state([](state_summary& s) { s.to_move = 0, s.scores = {1}; }) == scores);
  CHECK(fault_of_state([](state_summary& s) {
          s.to_move = 0, s.scores = {1, std::numeric_limits<double>::quiet_NaN()};
        }) == "has a score that is no number");
  const auto* both = "says who draws and what is drawn, and both can't be";
  CHECK(fault_of_state([](state_summary& s) { s.to_move = only(chance); }) == both);
  CHECK(fault_of_state([](state_summary& s) { s.draws = {1}, s.weights = {1}; }) == both);
  const auto draws = [](std::vector<action> all, std::vector<std::uint32_t> weights) {
    return fault_of_state(
        [&](state_summary& s) { s.to_move = only(chance), s.draws = all, s.weights = weights; });
  };
  CHECK(draws({1, 2}, {1}) == "lists draws that can't be");
  CHECK(draws({2, 1}, {1, 1}) == "lists draws that can't be");
  CHECK(draws({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, std::vector<std::uint32_t>(10, 1)) ==
        "lists draws that can't be");
  CHECK(draws({1, 2}, {1, 0}) == "lists a draw that is never made");
}

TEST_CASE("reply_validation: an answer that can't be is found") {
  using kind = query::kind;
  CHECK(fault_of(kind::legal_actions, listing({0, 1, 2, 3, 4, 5, 6, 7, 8, 9})) ==
        "lists more actions than it declares");
  CHECK(fault_of(kind::legal_actions, listing({1, 1})) == "lists actions that do not ascend");
  CHECK(validate(listing({1}), about(kind::legal_actions, 1), opening(), tictactoe()) ==
        "lists actions of a seat that may not act");
  CHECK(fault_of(kind::view, listing({1})) == "lists actions that were not asked for");
  CHECK(fault_of(kind::audience, text("?")) == "gives a text that was not asked for");
  const auto* board = "shows a board that is not of its size or not printable";
  CHECK(fault_of(kind::glyphs, text("X-O-----")) == board);
  CHECK(fault_of(kind::glyphs, text("X-O------\n")) == board);
  CHECK(fault_of(kind::glyphs, text("X-O-----\x01")) == board);
  const auto* view = "shows a view that is no JSON object";
  for (const auto* bad : {"", "[]", "{", "{}x", "{\n}", "{\"a\":\"\xff\"}", "{\"a\":1,}"}) {
    INFO(bad);
    CHECK(fault_of(kind::view, text(bad)) == view);
  }
  CHECK(fault_of(kind::to_json, text("4")) == "has JSON for an action that is no object");
  for (const auto* bad : {"", "a b", "a\n"})
    CHECK(fault_of(kind::to_text, text(bad)) == "has a text for an action that is no word");
  CHECK(fault_of(kind::save, text(std::string(17, 'x'))) == "saves more bytes than it declares");
  CHECK(fault_of(kind::view, text(std::string(text_bytes_max + 1, ' '))) ==
        "gives a text that is too long");
  for (const std::int64_t cell : {-2, 9}) {
    query_result a;
    a.number = cell;
    CHECK(fault_of(kind::cell_of, a) == "names a cell that is not on the board");
  }
  const std::vector<std::string> no_words{
      "Not A Word", {"a\0b", 3}, std::string(reason_bytes_max + 1, 'a')};
  for (const auto& bad : no_words) {
    query_result a;
    a.reason = bad;
    CHECK(fault_of(kind::at_cell, a) == "gives a reason that is no word");
  }
}

TEST_CASE("reply_validation: a move has one answer, and with a state all of them") {
  request play;
  play.what = request::kind::play;
  play.queries.resize(3);
  reply said;
  const auto* count = "answers more or less than it was asked";
  CHECK(validate(said, play) == count);
  // The action was not found, or is refused.
  said.answers.resize(1);
  CHECK(validate(said, play).empty());
  said.reason = "not-your-turn";
  CHECK(validate(said, play).empty());
  said.state.emplace();
  CHECK(validate(said, play) == "tells a state that was not asked for, or none");
  said.reason.clear();
  CHECK(validate(said, play) == count);
  said.answers.resize(3);
  CHECK(validate(said, play).empty());
  said.answers.front().reason = "malformed";
  CHECK(validate(said, play) == "plays a move that it can't read");
  said.answers.front() = {};
  said.answers.front().failed = true;
  CHECK(validate(said, play) == "plays a move that it can't read");
  said = {};
  said.failed = true;
  CHECK(validate(said, play).empty());
  said.answers.resize(1);
  CHECK(validate(said, play) == count);
}

TEST_CASE("reply_validation: a reply that does not fit its request is found") {
  request ask;
  ask.queries.resize(2);
  reply said;
  said.answers.resize(2);
  CHECK(validate(said, ask).empty());
  said.answers.resize(1);
  CHECK(validate(said, ask) == "answers more or less than it was asked");
  said.answers.resize(2);
  said.failed = true;
  CHECK(validate(said, ask) == "answers more or less than it was asked");
  said = {};
  said.answers.resize(2);
  said.state.emplace();
  CHECK(validate(said, ask) == "tells a state that was not asked for, or none");
  ask.what = request::kind::apply;
  CHECK(validate(said, ask).empty());
  said.state.reset();
  CHECK(validate(said, ask) == "tells a state that was not asked for, or none");
  said = {};
  said.reason = "no word";
  CHECK(validate(said, ask) == "gives a reason that is no word");
}

TEST_CASE("reply_validation: a description that can't be is found") {
  auto d = tictactoe();
  d.id = std::string(65, 'a');
  CHECK(validate(d) == "has an id that is too long");
  d = tictactoe();
  d.title = "a\nb";
  CHECK(validate(d) == "has a title that is too long or not printable");
  d = tictactoe();
  d.options_schema = std::string{"{\0}", 3};
  CHECK(validate(d) == "has a schema of its options that is too long or not text");
  d = tictactoe();
  d.marks = "X\n";
  CHECK(validate(d) == "has marks that are not printable");
  d = tictactoe();
  d.actions_max = ~std::uint64_t{0};
  CHECK(validate(d) == "declares more actions than can be told");
}

}  // namespace
}  // namespace gamehub::engines::process
